// SPDX-License-Identifier: Apache-2.0
// cvta.to of a name: the name of a variable is an address of its space already.
#include "core/toolchain/fix_makers.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::detail {

namespace {

bool isParameter(const PtxFunction* function, std::string_view name)
{
    return function != nullptr && function->isEntry
        && std::any_of(function->parameters.begin(), function->parameters.end(),
            [&](const PtxParameter& one) { return one.name == name; });
}

// ".u64" of "cvta.to.shared.u64"
std::string_view lastPart(std::string_view opcode)
{
    return opcode.substr(std::min(opcode.rfind('.'), opcode.size()));
}

// The 32-bit register in the brackets of an address on the line.
std::optional<std::size_t> narrowAddressOn(int line, const FixContext& context)
{
    const auto& code = context.code;
    for (auto i = code.firstOnLine(line); i + 1 < code.size() && code.line(i) == line; ++i) {
        const auto* declared = code.text(i) == "[" ? context.declarations().find(i + 1) : nullptr;
        if (declared != nullptr && registerKindOf(code.text(declared->type)).bits == 32) {
            return i + 1;
        }
    }
    return std::nullopt;
}

// "32-Bit ABI is not supported" names no place; the warning beside it does.
std::optional<Remedy> narrowAddress(const Cause& cause, const FixContext& context)
{
    for (const auto* one : cause.members) {
        const bool isNarrow = one->line && one->message.starts_with("Program uses 32-bit address");
        const auto at = isNarrow ? narrowAddressOn(*one->line, context) : std::nullopt;
        if (at) {
            return Remedy{
                .explanation =
                    "An address of the global or the generic space has 64 bits, and the register in "
                    "these brackets has 32: the pointer was cut off, or this is an address of shared "
                    "memory and the opcode lacks .shared.",
                .betterRoot = ownError(context,
                    fmt::format("{} '{}' is no address here", narrowAddressWords, context.code.text(*at)),
                    *at)};
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<Remedy> remedyOfAddress(const Cause& cause, const FixContext& context)
{
    const auto& said = *cause.root;
    if (said.message.starts_with("32-Bit ABI")) {
        return narrowAddress(cause, context);
    }
    const bool ours = said.message.starts_with("Argument ") && said.message.ends_with("must be register")
        && quotedText(said.message).starts_with("cvta") && said.line;
    if (!ours) {
        return std::nullopt;
    }
    const auto& code = context.code;
    for (auto i = code.firstOnLine(*said.line); i < code.size() && code.line(i) == *said.line; ++i) {
        const auto statement = code.text(i).starts_with("cvta") ? code.statementAt(i) : std::nullopt;
        if (!statement || statement->operands.size() != 2) {
            continue;
        }
        const auto [destination, destinationEnd] = statement->operands[0];
        const auto [symbol, symbolEnd] = statement->operands[1];
        const bool isName = symbolEnd == symbol + 1 && code[symbol].kind == TokenKind::Identifier;
        if (!isName || destinationEnd != destination + 1 || !statement->opcode.starts_with("cvta.to")) {
            continue;
        }
        const auto name = code.text(symbol);
        const auto target = code.text(destination);
        const auto type = lastPart(statement->opcode);
        if (isParameter(functionAt(context.outline, *said.line), name)) {
            std::string predicate;
            for (auto k = statement->first; k < statement->opcodeFirst; ++k) {
                predicate += code.text(k);
            }
            return Remedy{
                .explanation = fmt::format("'{}' is a parameter: its value, the pointer, must be loaded into "
                                           "a register first; cvta.to takes registers only.",
                    name),
                .fixes = {{.title = fmt::format("Load '{}' with ld.param, then convert it", name),
                    .edits = {code.replaceTokens(statement->opcodeFirst, symbolEnd,
                        fmt::format("ld.param{} {}, [{}]; {}{}{} {}, {}", type, target, name, predicate,
                            predicate.empty() ? "" : " ", statement->opcode, target, target))}}}};
        }
        return Remedy{.explanation = fmt::format(
                          "cvta.to turns a generic address in a register into an address of the named "
                          "space. '{}' is the name of a variable, and that is an address of its space "
                          "already: mov is all it takes.",
                          name),
            .fixes = {{.title = fmt::format("Take the address of '{}' with mov", name),
                .edits = {code.replaceTokens(
                    statement->opcodeFirst, symbolEnd, fmt::format("mov{} {}, {}", type, target, name))}}}};
    }
    return std::nullopt;
}

} // namespace ptxwb::detail
