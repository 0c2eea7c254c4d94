// SPDX-License-Identifier: Apache-2.0
// Shared memory as a matrix: through a swizzle as TMA writes it, or a descriptor as wgmma reads it.
#include "core/emulator/debugger_state.h"
#include "core/emulator/matrix_descriptor.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>

namespace ptxwb::emulator {

namespace {

std::uint32_t spanOf(Swizzle swizzle)
{
    return swizzle == Swizzle::B128 ? 128U
        : swizzle == Swizzle::B64   ? 64U
        : swizzle == Swizzle::B32   ? 32U
                                    : 0U;
}

std::string_view swizzleName(Swizzle swizzle)
{
    return swizzle == Swizzle::B128 ? "128-byte swizzle"
        : swizzle == Swizzle::B64   ? "64-byte swizzle"
        : swizzle == Swizzle::B32   ? "32-byte swizzle"
                                    : "no swizzle";
}

Error wrong(std::string message, std::string hint = {})
{
    return {.code = ErrorCode::InvalidArgument, .message = std::move(message), .hint = std::move(hint)};
}

} // namespace

/// The value of a descriptor: a number, or a register of the current warp, of its first lane that holds one.
Result<std::uint64_t> Debugger::State::descriptorValue(const std::string& text) const
{
    if (text.starts_with('%')) {
        const auto* warp = warpOf(currentWarp);
        if (warp == nullptr) {
            return Error{.code = ErrorCode::NotFound, .message = "the current warp does not run now"};
        }
        const auto view = viewRegister(*warp, text);
        if (!view) {
            return view.error();
        }
        if (view->bits != 64 || view->defined == 0) {
            return wrong(fmt::format("{} holds no descriptor here: {}", text,
                view->bits != 64 ? "it is not a .b64" : "it is undefined"));
        }
        return view->values[static_cast<std::size_t>(std::countr_zero(view->defined))];
    }
    std::uint64_t value = 0;
    const bool isHex = text.starts_with("0x");
    const auto* end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + (isHex ? 2 : 0), end, value, isHex ? 16 : 10);
    if (read.ec != std::errc{} || read.ptr != end) {
        return wrong(
            fmt::format("{} is no descriptor", text), "a 64-bit register, %descA, or a value, 0x4000...");
    }
    return value;
}

Result<MatrixView> Debugger::matrix(const MatrixQuery& query) const
{
    const auto& s = *m_state;
    const auto width = static_cast<std::uint32_t>(dtypeBytes(query.dtype));
    if (query.rows == 0 || query.columns == 0 || query.rows > mostMatrixRows
        || query.columns > mostMatrixRows) {
        return wrong(fmt::format(
            "a matrix of {} x {} is not shown: 1 to {} each", query.rows, query.columns, mostMatrixRows));
    }
    MatrixView view{.dtype = query.dtype, .rows = query.rows, .columns = query.columns};
    MemoryPlace place;
    MatrixDescriptor descriptor(0);
    Swizzle swizzle = query.swizzle;
    const bool isDescriptor = query.layout != MatrixLayout::Rows;
    if (isDescriptor) {
        const auto value = s.descriptorValue(query.from);
        if (!value) {
            return value.error();
        }
        descriptor = MatrixDescriptor(*value);
        swizzle = descriptor.swizzle;
        place = {.shared = true, .cta = s.currentWarp.cta, .address = descriptor.start};
        view.title = fmt::format("{}: shared + {}, leading {}, stride {}, {}", query.from, descriptor.start,
            descriptor.leading, descriptor.stride, swizzleName(swizzle));
    } else {
        auto found = s.locate(query.from);
        if (!found) {
            return found.error();
        }
        place = std::move(*found);
        view.title = fmt::format("{}: {}", place.name, swizzleName(swizzle));
    }
    if (!place.shared && swizzle != Swizzle::None) {
        return wrong("only shared memory is swizzled", "a tensor in global memory lies row by row");
    }
    const auto span = spanOf(swizzle);
    const auto along = query.layout == MatrixLayout::DescriptorMn ? 1U : query.columns * width;
    if (span != 0 && along > span) {
        return wrong(fmt::format("a row of {} bytes does not fit the {}: {} elements at most", along,
            swizzleName(swizzle), span / width));
    }
    const auto addressOf = [&](std::uint32_t r, std::uint32_t c) -> std::uint64_t {
        constexpr std::uint32_t piece = 15; // bytes of a 16-byte piece stay together
        switch (query.layout) {
        case MatrixLayout::DescriptorK:
            return descriptor.pieceK(r, c * width & ~piece) + (c * width & piece);
        case MatrixLayout::DescriptorMn:
            return descriptor.pieceMn(r * width & ~piece, c) + (r * width & piece);
        case MatrixLayout::Rows:
            break;
        }
        const auto at =
            place.address + std::uint64_t{r} * (span != 0 ? span : query.columns * width) + c * width;
        return place.shared ? swizzled(static_cast<std::uint32_t>(at), swizzle) : at;
    };
    view.bytes.reserve(std::size_t{query.rows} * query.columns * width);
    for (std::uint32_t r = 0; r < query.rows; ++r) {
        for (std::uint32_t c = 0; c < query.columns; ++c) {
            auto element = place;
            element.address = addressOf(r, c);
            element.name = fmt::format("row {}, column {} of {}", r, c, query.from);
            const auto bytes = s.read(element, width);
            if (!bytes) {
                return bytes.error();
            }
            view.bytes.insert(view.bytes.end(), bytes->begin(), bytes->end());
        }
    }
    return view;
}

} // namespace ptxwb::emulator
