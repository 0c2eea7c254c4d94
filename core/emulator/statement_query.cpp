// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/decoder.h"

#include <fmt/format.h>

#include <map>

namespace ptxwb::emulator {

std::vector<ValueType> typesOf(const Statement& s)
{
    std::vector<ValueType> types;
    for (const auto modifier : s.modifiers) {
        if (const auto type = valueTypeOf(modifier)) {
            types.push_back(*type);
        }
    }
    return types;
}

ValueType typeOf(const Statement& s, int which)
{
    const auto types = typesOf(s);
    if (types.empty()) {
        throw DecodeFault("the type is missing");
    }
    if (which < 0) {
        return types.back();
    }
    if (static_cast<std::size_t>(which) >= types.size()) {
        throw DecodeFault("a type is missing");
    }
    return types[static_cast<std::size_t>(which)];
}

void expectOperands(const Statement& s, std::size_t least, std::size_t most)
{
    if (s.operands.size() < least || s.operands.size() > most) {
        throw DecodeFault(least == most
                ? fmt::format("{} operands are needed, {} are given", least, s.operands.size())
                : fmt::format("{} to {} operands are needed, {} are given", least, most, s.operands.size()));
    }
}

Rounding roundingOf(const Statement& s)
{
    static const std::map<std::string_view, Rounding> names{{".rn", Rounding::Rn}, {".rz", Rounding::Rz},
        {".rm", Rounding::Rm}, {".rp", Rounding::Rp}, {".rna", Rounding::Rna}, {".rni", Rounding::Rni},
        {".rzi", Rounding::Rzi}, {".rmi", Rounding::Rmi}, {".rpi", Rounding::Rpi}};
    for (const auto modifier : s.modifiers) {
        if (const auto found = names.find(modifier); found != names.end()) {
            return found->second;
        }
    }
    return Rounding::None;
}

Space spaceOf(const Statement& s, Space otherwise)
{
    static const std::map<std::string_view, Space> names{{".global", Space::Global},
        {".shared", Space::Shared}, {".shared::cta", Space::Shared},
        {".shared::cluster", Space::SharedCluster}, {".local", Space::Local}, {".param", Space::Param},
        {".param::entry", Space::Param}, {".param::func", Space::Local}, {".const", Space::Const}};
    for (const auto modifier : s.modifiers) {
        if (const auto found = names.find(modifier); found != names.end()) {
            return found->second;
        }
    }
    return otherwise;
}

} // namespace ptxwb::emulator
