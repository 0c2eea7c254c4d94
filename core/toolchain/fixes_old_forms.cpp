// SPDX-License-Identifier: Apache-2.0
// `shfl.idx.b32` and `vote.ballot.b32`: the forms of before .sync, which no chip from sm_70 on takes.
#include "core/toolchain/fix_makers.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::detail {

namespace {

constexpr std::string_view shape = "without '.sync' is not supported on .target";

// The statements of the line whose opcode has no .sync.
std::vector<PtxStatement> oldFormsOn(const CodeText& code, int line, std::string_view name)
{
    std::vector<PtxStatement> found;
    for (auto i = code.firstOnLine(line); i < code.size() && code.line(i) == line; ++i) {
        auto statement = code[i].kind == TokenKind::Opcode ? code.statementAt(i) : std::nullopt;
        if (statement && statement->opcodeFirst == i && statement->opcode.starts_with(name)
            && statement->opcode.find(".sync") == std::string_view::npos) {
            found.push_back(std::move(*statement));
        }
    }
    return found;
}

} // namespace

std::optional<Remedy> remedyOfOldForm(const Cause& cause, const FixContext& context)
{
    const auto& code = context.code;
    if (cause.root->message.find(shape) == std::string::npos || code.size() == 0
        || cause.root->file != context.displayName) {
        return std::nullopt;
    }
    const auto name = quotedText(cause.root->message);
    Remedy made{.explanation = fmt::format(
                    "From sm_70 on the lanes of a warp run apart: {} needs .sync and, as its last "
                    "operand, the mask of the lanes that take part, 0xffffffff for all 32. All of "
                    "them must reach it.",
                    name)};
    Fix fix{.title = "Insert .sync and the mask 0xffffffff"};
    std::vector<int> lines;
    for (const auto* said : cause.members) {
        const int line = said->line.value_or(0);
        if (line == 0 || std::find(lines.begin(), lines.end(), line) != lines.end()) {
            continue;
        }
        lines.push_back(line);
        for (const auto& one : oldFormsOn(code, line, quotedText(said->message))) {
            if (one.operands.empty()) {
                continue;
            }
            const auto word = code.text(one.opcodeFirst);
            const auto root = word.substr(0, word.find('.'));
            fix.edits.push_back(code.replaceTokens(one.opcodeFirst, one.opcodeFirst + 1,
                fmt::format("{}.sync{}", root, word.substr(root.size()))));
            fix.edits.push_back(code.insertBehind(one.operands.back().second - 1, ", 0xffffffff"));
        }
    }
    const auto places = fix.edits.size() / 2;
    if (places > 1) {
        fix.title += fmt::format(" in {} places", places);
    }
    if (places > 0) {
        made.fixes.push_back(std::move(fix));
    }
    return made;
}

} // namespace ptxwb::detail
