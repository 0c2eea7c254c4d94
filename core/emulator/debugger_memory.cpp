// SPDX-License-Identifier: Apache-2.0
// Places by name: what the debugger shows and watches.
#include "core/emulator/barriers.h"
#include "core/emulator/debugger_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace ptxwb::emulator {

namespace {

constexpr std::uint32_t offsetMask = (1U << clusterRankShift) - 1U;

std::optional<std::uint64_t> numberOf(std::string_view text)
{
    int base = 10;
    if (text.starts_with("0x") || text.starts_with("0X")) {
        text.remove_prefix(2);
        base = 16;
    }
    std::uint64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    return failure == std::errc{} && end == text.data() + text.size() && !text.empty() ? std::optional(value)
                                                                                       : std::nullopt;
}

/// `Y[1,2]`: name, indices. `Y+16`: name, bytes.
struct Written {
    std::string name{};
    std::vector<std::uint64_t> indices{};
    std::uint64_t bytes = 0;
    bool ok = true;
};

Written split(const std::string& text)
{
    Written w;
    const auto bracket = text.find('[');
    const auto plus = text.find('+');
    w.name = text.substr(0, std::min(bracket, plus));
    if (plus != std::string::npos && bracket == std::string::npos) {
        const auto bytes = numberOf(std::string_view(text).substr(plus + 1));
        w.ok = bytes.has_value();
        w.bytes = bytes.value_or(0);
    } else if (bracket != std::string::npos) {
        std::string_view inside = std::string_view(text).substr(bracket + 1);
        w.ok = inside.ends_with(']');
        inside = inside.substr(0, inside.size() - (w.ok ? 1 : 0));
        while (w.ok && !inside.empty()) {
            const auto comma = std::min(inside.find(','), inside.size());
            const auto index = numberOf(inside.substr(0, comma));
            w.ok = index.has_value();
            w.indices.push_back(index.value_or(0));
            inside.remove_prefix(std::min(comma + 1, inside.size()));
        }
    }
    return w;
}

Error notFound(const std::string& text, std::string hint)
{
    return {.code = ErrorCode::NotFound,
        .message = fmt::format("{} is no place in memory", text),
        .hint = std::move(hint)};
}

Result<std::uint64_t> elementOf(const TensorType& type, const Written& w)
{
    if (w.indices.empty()) {
        return w.bytes;
    }
    if (w.indices.size() != 1 && w.indices.size() != type.shape.size()) {
        return Error{.code = ErrorCode::InvalidArgument,
            .message = fmt::format(
                "{} has {} dimensions, {} indices are given", w.name, type.shape.size(), w.indices.size())};
    }
    std::uint64_t element = 0;
    for (std::size_t i = 0; i < w.indices.size(); ++i) {
        element = i == 0 ? w.indices[0] : element * static_cast<std::uint64_t>(type.shape[i]) + w.indices[i];
    }
    return element * static_cast<std::uint64_t>(dtypeBytes(type.dtype));
}

std::string hexOf(const std::vector<std::byte>& bytes)
{
    std::string text = "0x";
    for (std::size_t i = bytes.size(); i-- > 0;) {
        text += fmt::format("{:02x}", static_cast<unsigned>(bytes[i]));
    }
    return text;
}

} // namespace

Cta* Debugger::State::ctaOf(std::uint64_t linear) const
{
    if (cluster) {
        for (const auto& cta : cluster->ctas) {
            if (cta->linear == linear) {
                return cta.get();
            }
        }
    }
    return nullptr;
}

Warp* Debugger::State::warpOf(const WarpName& name) const
{
    auto* cta = ctaOf(name.cta);
    return cta != nullptr && name.warp < cta->warps.size() ? &cta->warps[name.warp] : nullptr;
}

Result<MemoryPlace> Debugger::State::locate(const std::string& text) const
{
    if (const auto address = numberOf(text)) {
        MemoryPlace place{.shared = *address < windowBytes, .cta = currentWarp.cta, .address = *address};
        place.name = text;
        if (*address >= sharedWindow && *address < sharedWindow + windowBytes) {
            place.shared = true;
            place.address = *address - sharedWindow;
        }
        place.address &= place.shared ? offsetMask : ~std::uint64_t{0};
        return place;
    }
    const auto w = split(text);
    if (!w.ok) {
        return notFound(text, "write Y[3], Y[1,2], Y+16, shared+1024 or 0x400");
    }
    for (std::size_t b = 0; b < request.plan.buffers.size(); ++b) {
        const auto& buffer = request.plan.buffers[b];
        if (buffer.name == w.name) {
            const auto offset = elementOf(buffer.type, w);
            if (!offset) {
                return offset.error();
            }
            return MemoryPlace{.address = addresses[b] + *offset, .name = text, .dtype = buffer.type.dtype};
        }
    }
    if (w.name == "shared") {
        return MemoryPlace{.shared = true, .cta = currentWarp.cta, .address = w.bytes, .name = text};
    }
    for (std::size_t v = 0; v < program->variables.size(); ++v) {
        const auto& variable = program->variables[v];
        if (variable.name != w.name) {
            continue;
        }
        const auto width = static_cast<std::uint64_t>(std::max(bitsOf(variable.type) / 8, 1));
        const auto offset = w.indices.empty() ? w.bytes : w.indices[0] * width;
        if (variable.space == Space::Shared) {
            return MemoryPlace{.shared = true,
                .cta = currentWarp.cta,
                .address = program->placements[v].address + offset,
                .name = text};
        }
        if (globals.addresses[v] != 0) {
            return MemoryPlace{.address = globals.addresses[v] + offset, .name = text};
        }
    }
    std::string names = "shared";
    for (const auto& buffer : request.plan.buffers) {
        names += ", " + buffer.name;
    }
    for (const auto& variable : program->variables) {
        names += variable.space == Space::Shared ? ", " + variable.name : std::string();
    }
    return notFound(text, fmt::format("known: {}; write Y[3], Y[1,2], Y+16, shared+1024 or 0x400", names));
}

Result<std::vector<std::byte>> Debugger::State::read(const MemoryPlace& place, std::size_t bytes) const
{
    const std::byte* from = nullptr;
    if (place.shared) {
        auto* cta = ctaOf(place.cta);
        const auto size = static_cast<std::uint32_t>(std::min<std::size_t>(bytes, offsetMask));
        const auto address = static_cast<std::uint32_t>(place.address);
        if (cta != nullptr && cta->shared.holds(address, size)) {
            from = cta->shared.at(address);
        }
    } else if (const auto* allocation = memory.find(place.address);
               allocation != nullptr && allocation->contains(place.address, bytes)) {
        from = allocation->at(place.address);
    }
    if (from == nullptr) {
        return notFound(place.name,
            fmt::format("{} bytes from there are not within one allocation{}", bytes,
                place.shared ? fmt::format("; shared memory starts at {}", sharedBase) : std::string()));
    }
    return std::vector<std::byte>(from, from + bytes);
}

const Mbarrier* Debugger::State::barrierAt(const MemoryPlace& place) const
{
    auto* cta = place.shared ? ctaOf(place.cta) : nullptr;
    const auto* barrier =
        cta == nullptr ? nullptr : cta->shared.mbarrierAt(static_cast<std::uint32_t>(place.address));
    return barrier != nullptr && barrier->live ? barrier : nullptr;
}

Result<WatchPlace> Debugger::State::watchPlace(const std::string& text) const
{
    WatchPlace place;
    const auto* warp = warpOf(currentWarp);
    if (warp != nullptr && text.find_first_of("[+") == std::string::npos && viewRegister(*warp, text)) {
        place.kind = WatchPlace::Kind::Register;
        place.warp = currentWarp;
        place.registerName = text;
        return place;
    }
    auto where = locate(text);
    if (!where) {
        return where.error();
    }
    place.memory = *where;
    place.kind = barrierAt(*where) != nullptr ? WatchPlace::Kind::Barrier : WatchPlace::Kind::Memory;
    place.bytes = where->dtype ? static_cast<std::uint32_t>(dtypeBytes(*where->dtype)) : 4U;
    if (place.kind == WatchPlace::Kind::Memory) {
        if (auto bytes = read(*where, place.bytes); !bytes) {
            return bytes.error();
        }
    }
    return place;
}

std::string Debugger::State::valueText(const WatchPlace& place) const
{
    if (place.kind == WatchPlace::Kind::Register) {
        const auto* warp = warpOf(place.warp);
        const auto view = warp != nullptr ? viewRegister(*warp, place.registerName)
                                          : Result<RegisterView>(Error{.code = ErrorCode::NotFound});
        if (!view) {
            return "gone";
        }
        std::string text;
        for (std::size_t l = 0; l < view->values.size(); ++l) {
            text += fmt::format("{}{:x}", l == 0 ? "" : " ", view->values[l]);
        }
        return text;
    }
    if (place.kind == WatchPlace::Kind::Barrier) {
        const auto* barrier = barrierAt(place.memory);
        return barrier == nullptr ? std::string("no live barrier")
                                  : fmt::format("phase {}, {} of {} arrivals missing, {} bytes missing",
                                      barrier->phase, barrier->pending, barrier->expected, barrier->txBytes);
    }
    const auto bytes = read(place.memory, place.bytes);
    if (!bytes) {
        return "gone";
    }
    return place.memory.dtype ? fmt::format("{:.9g}", toDouble(*place.memory.dtype, bytes->data()))
                              : hexOf(*bytes);
}

} // namespace ptxwb::emulator
