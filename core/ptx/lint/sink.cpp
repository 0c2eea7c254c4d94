// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/lint/rules.h"

#include <algorithm>

namespace ptxwb::lint {

namespace {

int codePoints(std::string_view text)
{
    return static_cast<int>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

constexpr std::string_view manual = "https://docs.nvidia.com/cuda/parallel-thread-execution/#";

} // namespace

TextRange Sink::rangeOf(Index first, Index end) const
{
    const auto& tokens = m_context.program.tokens;
    const auto& from = tokens[first];
    const auto& last = tokens[std::max(end, first + 1) - 1];
    return {static_cast<int>(from.line), static_cast<int>(from.column), static_cast<int>(last.line),
        static_cast<int>(last.column) + codePoints(last.text(m_context.program.source))};
}

LintFinding& Sink::add(std::string_view rule, Index first, Index end, std::string message)
{
    const auto* found = findLintRule(rule);
    const auto& tokens = m_context.program.tokens;
    const auto& last = tokens[std::max(end, first + 1) - 1];
    m_findings.push_back({.rule = found,
        .message = std::move(message),
        .manualUrl = std::string(manual) + std::string(found->manualSection),
        .range = rangeOf(first, end),
        .offset = tokens[first].offset,
        .length = last.offset + last.length - tokens[first].offset});
    return m_findings.back();
}

LintFinding& Sink::addBeside(
    std::string_view rule, Index first, Index end, std::string message, Index otherToken)
{
    auto& made = add(rule, first, end, std::move(message));
    made.otherLine = static_cast<int>(m_context.program.tokens[otherToken].line);
    return made;
}

LintFinding& Sink::addOfInstruction(
    std::string_view rule, const Statement& statement, Index first, Index end, std::string message)
{
    auto& made = add(rule, first, end, std::move(message));
    const auto* row = m_context.isa.find(m_context.program.opcode(statement));
    if (row != nullptr && !row->manualUrl.empty()) {
        made.manualUrl = row->manualUrl;
    }
    return made;
}

LintFinding& Sink::addWithin(
    std::string_view rule, Index token, std::uint32_t offset, std::uint32_t length, std::string message)
{
    auto& made = add(rule, token, token + 1, std::move(message));
    made.offset += offset;
    made.length = length;
    made.range.column += static_cast<int>(offset); // opcodes are ASCII
    made.range.endColumn = made.range.column + static_cast<int>(length);
    return made;
}

LintEdit Sink::replace(Index first, Index end, std::string text) const
{
    return {.range = rangeOf(first, end), .text = std::move(text)};
}

LintEdit Sink::insertBefore(Index token, std::string text) const
{
    auto range = rangeOf(token, token + 1);
    range.endLine = range.line;
    range.endColumn = range.column;
    return {.range = range, .text = std::move(text)};
}

LintEdit Sink::insertBehind(Index token, std::string text) const
{
    auto range = rangeOf(token, token + 1);
    range.line = range.endLine;
    range.column = range.endColumn;
    return {.range = range, .text = std::move(text)};
}

} // namespace ptxwb::lint
