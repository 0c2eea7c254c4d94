// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/statement_rewriting.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ptxwb::detail {

namespace {

// On one line, without comments.
std::string flat(const CodeText& code, std::size_t first, std::size_t end)
{
    std::string text;
    for (auto i = first; i < end; ++i) {
        const bool isApart = i > first && code[i - 1].offset + code[i - 1].length < code[i].offset;
        text += isApart ? " " : "";
        text += code.text(i);
    }
    return text;
}

} // namespace

std::string WrittenStatement::text() const
{
    return fmt::format("{}{}{}{}{};", guard, guard.empty() ? "" : " ", opcode, operands.empty() ? "" : " ",
        fmt::join(operands, ", "));
}

WrittenStatement writtenStatement(const CodeText& code, const PtxStatement& statement)
{
    WrittenStatement made{
        .guard = flat(code, statement.first, statement.opcodeFirst), .opcode = std::string(statement.opcode)};
    for (const auto& [first, end] : statement.operands) {
        made.operands.push_back(flat(code, first, end));
    }
    return made;
}

std::vector<std::string> opcodeParts(std::string_view opcode)
{
    std::vector<std::string> parts;
    for (std::size_t at = 0; at < opcode.size();) {
        const auto end = std::min(opcode.find('.', at + 1), opcode.size());
        parts.emplace_back(opcode.substr(at, end - at));
        at = end;
    }
    return parts;
}

std::vector<TextEdit> editsOf(
    const CodeText& code, const PtxStatement& statement, const WrittenStatement& from, const Rewriting& to)
{
    std::vector<TextEdit> edits;
    auto opcodeEnd = statement.opcodeFirst + 1;
    while (opcodeEnd < statement.end
        && code[opcodeEnd].offset < code[statement.opcodeFirst].offset + statement.opcode.size()) {
        ++opcodeEnd;
    }
    if (to.made.opcode != from.opcode) {
        edits.push_back(code.replaceTokens(statement.opcodeFirst, opcodeEnd, to.made.opcode));
    }
    if (to.made.operands == from.operands) {
        return edits;
    }
    if (statement.operands.empty()) {
        edits.push_back(
            code.insertBehind(opcodeEnd - 1, fmt::format(" {}", fmt::join(to.made.operands, ", "))));
        return edits;
    }
    if (to.made.operands.size() == from.operands.size()) {
        for (std::size_t k = 0; k < from.operands.size(); ++k) {
            const auto [first, end] = statement.operands[k];
            if (to.made.operands[k] != from.operands[k] && first < end) {
                edits.push_back(code.replaceTokens(first, end, to.made.operands[k]));
            }
        }
        return edits;
    }
    // What both begin with and end with stays as it is written.
    std::size_t same = 0;
    while (same < from.operands.size() && same < to.made.operands.size()
        && from.operands[same] == to.made.operands[same]) {
        ++same;
    }
    if (same == from.operands.size()) { // more behind the last
        std::string more;
        for (auto k = same; k < to.made.operands.size(); ++k) {
            more += fmt::format(", {}", to.made.operands[k]);
        }
        edits.push_back(code.insertBehind(statement.operands.back().second - 1, more));
        return edits;
    }
    std::size_t sameEnd = 0;
    while (sameEnd < from.operands.size() - same
        && from.operands[from.operands.size() - 1 - sameEnd]
            == to.made.operands[to.made.operands.size() - 1 - sameEnd]) {
        ++sameEnd;
    }
    if (same + sameEnd == from.operands.size()
        && to.made.operands.size() > from.operands.size()) { // more before one
        std::string more;
        for (auto k = same; k < to.made.operands.size() - sameEnd; ++k) {
            more += fmt::format("{}, ", to.made.operands[k]);
        }
        const auto at = statement.operands[same].first;
        edits.push_back({.line = code.line(at),
            .startColumn = code.column(at),
            .endLine = code.line(at),
            .endColumn = code.column(at),
            .text = std::move(more)});
        return edits;
    }
    const std::vector<std::string> rest(
        to.made.operands.begin() + static_cast<std::ptrdiff_t>(same), to.made.operands.end());
    if (rest.empty()) { // the last ones go, with the comma before them
        edits.push_back(
            code.replaceTokens(statement.operands[same].first - 1, statement.operands.back().second, ""));
        return edits;
    }
    edits.push_back(code.replaceTokens(statement.operands[same].first, statement.operands.back().second,
        fmt::format("{}", fmt::join(rest, ", "))));
    return edits;
}

} // namespace ptxwb::detail
