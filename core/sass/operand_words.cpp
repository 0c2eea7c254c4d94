// SPDX-License-Identifier: Apache-2.0
#include "core/sass/operand_words.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace ptxwb {

std::uint64_t parameterBase(std::string_view target)
{
    int version = 0;
    if (!target.starts_with("sm_")
        || std::from_chars(target.data() + 3, target.data() + target.size(), version).ec != std::errc()) {
        return 0;
    }
    return version >= 100 ? 0x380 : version >= 90 ? 0x210 : version >= 70 ? 0x160 : 0;
}

std::uint64_t textHash(std::string_view text)
{
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
    return hash;
}

std::optional<RegisterSlot> slotOf(std::string_view word)
{
    struct File {
        std::string_view prefix;
        RegisterSlot first;
        int count;
    };
    constexpr std::array files{File{"UR", uniformSlots, 256}, File{"UP", uniformPredicateSlots, 8},
        File{"R", generalSlots, 256}, File{"P", predicateSlots, 8}, File{"B", barrierSlots, 16}};
    for (const auto& file : files) {
        if (!word.starts_with(file.prefix)) {
            continue;
        }
        const auto digits = word.substr(file.prefix.size());
        int index = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
        if (error == std::errc{} && end == digits.data() + digits.size() && index < file.count) {
            return static_cast<RegisterSlot>(file.first + index);
        }
        return {};
    }
    return {};
}

std::string registerName(RegisterSlot slot)
{
    return slot < uniformSlots         ? fmt::format("R{}", slot)
        : slot < predicateSlots        ? fmt::format("UR{}", slot - uniformSlots)
        : slot < uniformPredicateSlots ? fmt::format("P{}", slot - predicateSlots)
        : slot < barrierSlots          ? fmt::format("UP{}", slot - uniformPredicateSlots)
                                       : fmt::format("B{}", slot - barrierSlots);
}

} // namespace ptxwb
