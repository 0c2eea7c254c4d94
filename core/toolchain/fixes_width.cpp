// SPDX-License-Identifier: Apache-2.0
// Loads and stores of 32 bytes, which only newer chips have: two of 16 bytes in their place.
#include "core/toolchain/fix_makers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ptxwb::detail {

namespace {

struct WideAccess {
    PtxStatement statement{};
    std::string half{}; ///< the opcode of one half
    std::size_t address = 0; ///< operand
    std::size_t list = 0; ///< operand
    std::vector<std::string> registers{};
};

std::optional<WideAccess> wideAccessOn(const CodeText& code, int line)
{
    for (auto i = code.firstOnLine(line); i < code.size() && code.line(i) == line; ++i) {
        const auto statement = code[i].kind == TokenKind::Opcode ? code.statementAt(i) : std::nullopt;
        if (!statement || statement->operands.size() != 2) {
            continue;
        }
        WideAccess made{.statement = *statement, .half = std::string(statement->opcode)};
        const auto eight = made.half.find(".v8");
        const auto four = made.half.find(".v4");
        if (eight != std::string::npos) {
            made.half.replace(eight, 3, ".v4");
        } else if (four != std::string::npos && made.half.find("64", four) != std::string::npos) {
            made.half.replace(four, 3, ".v2");
        } else {
            continue;
        }
        made.address = statement->opcode.starts_with("st") ? 0 : 1;
        made.list = 1 - made.address;
        const auto [first, end] = statement->operands[made.list];
        if (code.text(first) != "{") {
            return std::nullopt;
        }
        for (auto at = first + 1; at + 1 < end; ++at) {
            if (code.text(at) != ",") {
                made.registers.emplace_back(code.text(at));
            }
        }
        return made;
    }
    return std::nullopt;
}

std::optional<Fix> twoHalves(const CodeText& code, const WideAccess& wide)
{
    const auto [first, end] = wide.statement.operands[wide.address];
    const bool isPlain = end == first + 3 && code.text(first) == "[" && code.text(end - 1) == "]";
    const auto count = wide.registers.size();
    if (!isPlain || (count != 8 && count != 4)) {
        return std::nullopt;
    }
    const auto base = code.text(first + 1);
    const auto half = static_cast<std::ptrdiff_t>(count / 2);
    const auto& all = wide.registers;
    if (wide.address == 1) { // the first load must not take away the address of the second
        for (std::ptrdiff_t k = 0; k < half; ++k) {
            if (all[static_cast<std::size_t>(k)] == base) {
                return std::nullopt;
            }
        }
    }
    const auto low = fmt::format("{{{}}}", fmt::join(all.begin(), all.begin() + half, ", "));
    const auto high = fmt::format("{{{}}}", fmt::join(all.begin() + half, all.end(), ", "));
    std::string guard;
    for (auto i = wide.statement.first; i < wide.statement.opcodeFirst; ++i) {
        guard += code.text(i);
    }
    guard += guard.empty() ? "" : " ";
    const auto line = [&](std::string_view address, const std::string& list) {
        return wide.address == 0 ? fmt::format("{}{} [{}], {}", guard, wide.half, address, list)
                                 : fmt::format("{}{} {}, [{}]", guard, wide.half, list, address);
    };
    return Fix{.title = fmt::format("Write two {}", wide.half),
        .edits = {code.replaceTokens(wide.statement.first, wide.statement.end,
            fmt::format("{}; {}", line(base, low), line(fmt::format("{}+16", base), high)))}};
}

} // namespace

// "Feature '256 bit wide load/store' requires .target sm_100 or higher"
std::optional<Remedy> remedyOfWidth(const Cause& cause, const FixContext& context)
{
    const auto& said = *cause.root;
    if (said.message.find("256 bit wide load/store") == std::string::npos || !said.line
        || said.message.find("requires .target") == std::string::npos || said.file != context.displayName) {
        return std::nullopt;
    }
    Remedy made{.explanation =
                    fmt::format("One load or store moves 16 bytes at most on {}: .v4 of 32 bits, .v2 of 64. "
                                "32 bytes (.v8 of 32 bits, .v4 of 64) exist from sm_100 and .version 8.8 on.",
                        context.target),
        .takesStatement = true};
    const auto wide = wideAccessOn(context.code, *said.line);
    if (auto fix = wide ? twoHalves(context.code, *wide) : std::nullopt) {
        made.fixes.push_back(std::move(*fix));
    }
    if (auto target = remedyOfTarget(cause, context)) {
        for (auto& fix : target->fixes) {
            made.fixes.push_back(std::move(fix));
        }
    }
    return made;
}

} // namespace ptxwb::detail
