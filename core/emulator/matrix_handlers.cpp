// SPDX-License-Identifier: Apache-2.0
// ldmatrix, stmatrix, movmatrix.
#include "core/emulator/matrix_handlers.h"

#include "core/emulator/addressing.h"

#include <algorithm>
#include <cstring>

namespace ptxwb::emulator {

namespace {

std::uint16_t halfword(const std::byte* row, std::uint32_t column)
{
    std::uint16_t value = 0;
    std::memcpy(&value, row + std::size_t{column} * 2, 2);
    return value;
}

} // namespace

Step loadMatrix(Warp& warp, const Instr& in, std::uint32_t)
{
    const auto count = static_cast<std::uint32_t>(in.extra->rows.size());
    const std::uint32_t pointing = count == 4 ? allLanes : (1U << (8 * count)) - 1U;
    LaneAddresses from;
    if (!resolveLanes(warp, in, pointing, 16, AccessKind::Read, from)) {
        return Step::Stop;
    }
    for (std::uint32_t matrix = 0; matrix < count; ++matrix) {
        const auto* rows = from.host.data() + std::size_t{matrix} * 8;
        auto* d = warp.row(in.extra->rows[matrix]);
        for (std::uint32_t l = 0; l < laneCount; ++l) {
            if (in.mode == 0) {
                std::memcpy(&d[l], rows[l / 4] + std::size_t{l & 3U} * 4, 4);
            } else {
                const std::uint32_t first = (l & 3U) * 2;
                d[l] = halfword(rows[first], l / 4)
                    | static_cast<std::uint32_t>(halfword(rows[first + 1], l / 4)) << 16U;
            }
        }
    }
    return Step::Next;
}

Step storeMatrix(Warp& warp, const Instr& in, std::uint32_t)
{
    const auto count = static_cast<std::uint32_t>(in.extra->rows.size());
    const std::uint32_t pointing = count == 4 ? allLanes : (1U << (8 * count)) - 1U;
    LaneAddresses to;
    if (!resolveLanes(warp, in, pointing, 16, AccessKind::Write, to)) {
        return Step::Stop;
    }
    for (std::uint32_t matrix = 0; matrix < count; ++matrix) {
        const auto* rows = to.host.data() + std::size_t{matrix} * 8;
        const auto* s = warp.row(in.extra->rows[matrix]);
        for (std::uint32_t l = 0; l < laneCount; ++l) {
            if (in.mode == 0) {
                std::memcpy(rows[l / 4] + std::size_t{l & 3U} * 4, &s[l], 4);
            } else {
                const std::uint32_t first = (l & 3U) * 2;
                const auto low = static_cast<std::uint16_t>(s[l]);
                const auto high = static_cast<std::uint16_t>(s[l] >> 16U);
                std::memcpy(rows[first] + std::size_t{l / 4} * 2, &low, 2);
                std::memcpy(rows[first + 1] + std::size_t{l / 4} * 2, &high, 2);
            }
        }
    }
    return Step::Next;
}

Step transposeMatrix(Warp& warp, const Instr& in, std::uint32_t)
{
    std::uint32_t source[laneCount];
    std::copy_n(warp.row(in.a), laneCount, source);
    const auto element = [&](std::uint32_t row, std::uint32_t column) {
        return source[row * 4 + column / 2] >> (16 * (column & 1U)) & 0xFFFFU;
    };
    auto* d = warp.row(in.d);
    for (std::uint32_t l = 0; l < laneCount; ++l) {
        const std::uint32_t first = (l & 3U) * 2;
        d[l] = element(first, l / 4) | element(first + 1, l / 4) << 16U;
    }
    return Step::Next;
}

} // namespace ptxwb::emulator
