// SPDX-License-Identifier: Apache-2.0
// An address in a register of 32 bits: ptxas refuses the module without a place, and names the line in a
// warning.
#include "core/toolchain/fix_makers.h"

#include <fmt/format.h>

#include <charconv>

namespace ptxwb::detail {

namespace {

constexpr std::string_view warning = "Program uses 32-bit address on line";

// The register in brackets that is no 64 bits wide.
std::optional<std::size_t> narrowAddress(const FixContext& context, int line)
{
    const auto& code = context.code;
    for (auto i = code.firstOnLine(line); i + 1 < code.size() && code.line(i) <= line; ++i) {
        if (code.text(i) != "[") {
            continue;
        }
        const auto* declared = context.declarations().find(i + 1);
        if (declared != nullptr && registerKindOf(code.text(declared->type)).bits == 32) {
            return i + 1;
        }
    }
    return std::nullopt;
}

// "cvta.shared.u32 %r3, buf": a generic address has 64 bits here, and nothing of 32 bits is one.
std::optional<Remedy> narrowConversion(const FixContext& context, int line)
{
    const auto& code = context.code;
    for (auto i = code.firstOnLine(line); i < code.size() && code.line(i) <= line; ++i) {
        const auto statement = code.text(i) == "cvta" ? code.statementAt(i) : std::nullopt;
        if (!statement || statement->opcodeFirst != i || !statement->opcode.ends_with("32")) {
            continue;
        }
        Remedy made{.explanation = fmt::format(
                        "Found by the workbench: {} makes a generic address of 32 bits, and generic "
                        "addresses have 64 bits here. Where the address is used as one of shared memory "
                        "(ld.shared, cp.async, mbarrier), it needs no conversion: mov.u32 takes the address "
                        "of a variable.",
                        statement->opcode)};
        const bool isOfShared =
            statement->opcode.starts_with("cvta.shared") && statement->operands.size() == 2;
        if (isOfShared) {
            const auto type = statement->opcode.substr(statement->opcode.rfind('.'));
            made.fixes.push_back({.title = fmt::format("Write mov{}", type),
                .edits = {
                    code.replaceTokens(i, statement->operands.front().first, fmt::format("mov{} ", type))}});
        }
        made.taken = std::string(warning);
        made.betterRoot =
            ownError(context, fmt::format("{} makes an address of 32 bits", statement->opcode), i);
        return made;
    }
    return std::nullopt;
}

} // namespace

std::optional<Remedy> remedyOfAddressWidth(const Cause& cause, const FixContext& context)
{
    if (cause.root->message.find("32-Bit ABI") == std::string::npos || context.code.size() == 0) {
        return std::nullopt;
    }
    for (const auto& said : context.all) {
        const auto number = quotedText(said.message);
        int line = 0;
        if (!said.message.starts_with(warning)
            || std::from_chars(number.data(), number.data() + number.size(), line).ec != std::errc{}) {
            continue;
        }
        const auto at = narrowAddress(context, line);
        if (!at) {
            if (auto made = narrowConversion(context, line)) {
                return made;
            }
            continue;
        }
        const auto& code = context.code;
        const auto name = code.text(*at);
        const auto type = code.text(context.declarations().find(*at)->type);
        Remedy made{
            .explanation = fmt::format(
                "Found by the workbench: {} is declared {}, and an address of this state space has 64 "
                "bits. Only shared memory is reached by 32. Load and compute the address in a .b64 "
                "register; an offset of 32 bits is made one by cvt.u64.u32 or mul.wide.u32.",
                name, type)};
        made.taken = std::string(warning);
        made.betterRoot = ownError(context, fmt::format("{} is an address of 32 bits", name), *at);
        return made;
    }
    return std::nullopt;
}

} // namespace ptxwb::detail
