// SPDX-License-Identifier: Apache-2.0
// vprintf and __assertfail: what nvcc makes of printf and assert.
#include "core/emulator/call_handlers.h"
#include "core/emulator/diagnose.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>

namespace ptxwb::emulator {

namespace {

constexpr std::size_t longestText = 4096;

/// `bytes` at a generic address as a lane sees it; nullptr where no global or local memory is.
const std::byte* memoryAt(Warp& warp, std::uint32_t lane, std::uint64_t address, std::uint64_t bytes)
{
    if (address - localWindow < windowBytes) {
        const std::uint64_t at = address - localWindow;
        return at <= warp.program->localBytes && bytes <= warp.program->localBytes - at
            ? localOf(warp, lane) + at
            : nullptr;
    }
    const auto* allocation = warp.cta->cluster->launch->memory->find(address);
    return allocation != nullptr && allocation->contains(address, bytes) ? allocation->at(address) : nullptr;
}

std::string textAt(Warp& warp, std::uint32_t lane, std::uint64_t address)
{
    std::string text;
    while (text.size() < longestText) {
        const auto* byte = memoryAt(warp, lane, address + text.size(), 1);
        if (byte == nullptr || *byte == std::byte{0}) {
            break;
        }
        text += static_cast<char>(*byte);
    }
    return text;
}

template <class T> T argument(Warp& warp, const Instr& in, std::uint32_t lane, std::size_t which)
{
    T value{};
    std::memcpy(&value, localOf(warp, lane) + in.extra->addresses[which].offset, sizeof(T));
    return value;
}

/// Arguments of printf as they lie in memory, each aligned to its size.
class Arguments {
public:
    Arguments(Warp& warp, std::uint32_t lane, std::uint64_t address)
        : m_warp(warp)
        , m_lane(lane)
        , m_address(address)
    {
    }

    template <class T> T next()
    {
        m_offset = (m_offset + sizeof(T) - 1) / sizeof(T) * sizeof(T);
        T value{};
        if (const auto* from = memoryAt(m_warp, m_lane, m_address + m_offset, sizeof(T))) {
            std::memcpy(&value, from, sizeof(T));
        }
        m_offset += sizeof(T);
        return value;
    }

private:
    Warp& m_warp;
    std::uint32_t m_lane;
    std::uint64_t m_address;
    std::uint64_t m_offset = 0;
};

template <class T> std::string formatted(const std::string& specification, T value)
{
    char buffer[512];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    const int length = std::snprintf(buffer, sizeof(buffer), specification.c_str(), value);
#pragma GCC diagnostic pop
    return {buffer, static_cast<std::size_t>(std::clamp(length, 0, static_cast<int>(sizeof(buffer)) - 1))};
}

/// The conversion that starts with the '%' at `at`, which moves behind it.
std::string conversion(
    const std::string& format, std::size_t& at, Arguments& arguments, Warp& warp, std::uint32_t lane)
{
    std::string specification = "%";
    ++at;
    while (at < format.size() && std::strchr("-+ #0123456789.*", format[at]) != nullptr) {
        specification +=
            format[at] == '*' ? std::to_string(arguments.next<int>()) : std::string(1, format[at]);
        ++at;
    }
    bool isLong = false;
    while (at < format.size() && std::strchr("hlqjzt", format[at]) != nullptr) {
        isLong = isLong || format[at] != 'h';
        ++at;
    }
    if (at == format.size() || specification.size() > 24) {
        return specification;
    }
    const char kind = format[at++];
    switch (kind) {
    case '%':
        return "%";
    case 'd':
    case 'i':
        return isLong ? formatted(specification + "lld", arguments.next<long long>())
                      : formatted(specification + kind, arguments.next<int>());
    case 'u':
    case 'x':
    case 'X':
    case 'o':
        return isLong ? formatted(specification + "ll" + kind, arguments.next<unsigned long long>())
                      : formatted(specification + kind, arguments.next<unsigned>());
    case 'c':
        return formatted(specification + kind, arguments.next<int>());
    case 'p':
        return fmt::format("0x{:x}", arguments.next<std::uint64_t>());
    case 's':
        return formatted(specification + kind, textAt(warp, lane, arguments.next<std::uint64_t>()).c_str());
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        return formatted(specification + kind, arguments.next<double>());
    default:
        return specification + kind;
    }
}

} // namespace

Step printFormatted(Warp& warp, const Instr& in, std::uint32_t mask)
{
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
        const auto format = textAt(warp, lane, argument<std::uint64_t>(warp, in, lane, 0));
        Arguments arguments(warp, lane, argument<std::uint64_t>(warp, in, lane, 1));
        std::string text;
        std::int32_t count = 0;
        for (std::size_t at = 0; at < format.size();) {
            if (format[at] != '%') {
                text += format[at++];
                continue;
            }
            ++count;
            text += conversion(format, at, arguments, warp, lane);
        }
        auto& printed = warp.cta->cluster->printed;
        if (printed.size() + text.size() <= mostPrinted) {
            printed += text;
        }
        if (in.target != 0) {
            std::memcpy(localOf(warp, lane) + in.target, &count, sizeof(count));
        }
    }
    return Step::Next;
}

Step failAssertion(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
    const auto text = [&](std::size_t which) {
        return textAt(warp, lane, argument<std::uint64_t>(warp, in, lane, which));
    };
    return stopWith(warp, in,
        {.rule = RuleId::Trap,
            .message = fmt::format("the assertion {} of {} fails in {} ({}:{})", text(0), text(3),
                lanesText(mask), text(1), argument<std::uint32_t>(warp, in, lane, 2)),
            .fix = "look at the values that the assertion names"});
}

} // namespace ptxwb::emulator
