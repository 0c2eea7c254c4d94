// SPDX-License-Identifier: Apache-2.0
// Guards at the wrong place: `bra L, %p;`, `@ bra L;`.
#include "core/toolchain/fix_makers.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::detail {

namespace {

bool isPredicate(const FixContext& context, std::size_t i)
{
    const auto* declared = context.declarations().find(i);
    return declared != nullptr && context.code.text(declared->type) == ".pred";
}

// `bra L, %p1;` and `bra %p1, L;`
std::optional<Remedy> guardAsOperand(const Cause& cause, const FixContext& context)
{
    const auto& code = context.code;
    const int line = *cause.root->line;
    for (auto i = code.firstOnLine(line); i < code.size() && code.line(i) == line; ++i) {
        const auto statement = code[i].kind == TokenKind::Opcode ? code.statementAt(i) : std::nullopt;
        if (!statement || statement->opcodeFirst != i || statement->first != i
            || statement->operands.size() != 2) {
            continue;
        }
        for (std::size_t k = 0; k < 2; ++k) {
            const auto [first, end] = statement->operands[k];
            const bool isNot = code.text(first) == "!";
            const auto name = first + (isNot ? 1 : 0);
            const auto [labelFirst, labelEnd] = statement->operands[1 - k];
            if (end != name + 1 || labelEnd != labelFirst + 1 || !isPredicate(context, name)) {
                continue;
            }
            const auto text = fmt::format(
                "@{}{} {} {}", isNot ? "!" : "", code.text(name), statement->opcode, code.text(labelFirst));
            return Remedy{
                .explanation = "A branch has one operand, its label: a predicate stands before it, behind @.",
                .fixes = {{.title = fmt::format("Write {}", text),
                    .edits = {code.replaceTokens(i, std::max(end, labelEnd), text)}}}};
        }
    }
    return std::nullopt;
}

// `@ bra L;`: the predicate that the statement above writes is the likely one.
std::optional<Remedy> guardWithoutRegister(const Cause& cause, const FixContext& context)
{
    const auto& code = context.code;
    const int line = *cause.root->line;
    for (auto i = code.firstOnLine(line); i + 1 < code.size() && code.line(i) == line; ++i) {
        if (code[i].kind != TokenKind::Predicate && code.text(i) != "@") {
            continue;
        }
        const auto behind = i + (code.text(i + 1) == "!" ? 2 : 1);
        if (context.isa == nullptr || context.isa->find(code.text(behind)) == nullptr
            || context.declarations().find(behind) != nullptr) {
            continue;
        }
        Remedy made{
            .explanation = "Found by the workbench: behind @ stands no register.", .takesStatement = true};
        made.betterRoot = ownError(context, "no predicate stands behind @", i);
        const auto before = i > 1 ? code.statementAt(i - 2) : std::nullopt;
        if (before && before->opcode.starts_with("setp") && before->operands.size() > 2
            && isPredicate(context, before->operands[0].first)
            && before->operands[0].second == before->operands[0].first + 1) {
            const auto name = code.text(before->operands[0].first);
            made.explanation += fmt::format(" The setp above writes {}.", name);
            made.fixes.push_back({.title = fmt::format("Insert {}", name),
                .edits = {code.insertBehind(behind - 1, std::string(name))}});
        }
        return made;
    }
    return std::nullopt;
}

} // namespace

std::optional<Remedy> remedyOfGuard(const Cause& cause, const FixContext& context)
{
    const std::string_view message = cause.root->message;
    if (!cause.root->line || context.code.size() == 0) {
        return std::nullopt;
    }
    if (message.starts_with("Arguments mismatch for instruction 'bra")) {
        return guardAsOperand(cause, context);
    }
    const bool isOfGuard = std::any_of(cause.members.begin(), cause.members.end(),
        [](const Diagnostic* one) { return one->message.starts_with("Predicate expression expected"); });
    return isOfGuard ? guardWithoutRegister(cause, context) : std::nullopt;
}

} // namespace ptxwb::detail
