// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/cuda_allows.h"

#include "core/ptx/lint/program.h"
#include "core/ptx/text_places.h"

#include <algorithm>

namespace ptxwb {

CudaAllows::CudaAllows(std::string_view source, const CudaAsm& found)
{
    const TextPlaces places(source);
    lint::Program read;
    for (const auto& comment : found.comments) {
        Token token{.kind = TokenKind::LineComment};
        token.line = static_cast<std::uint32_t>(places.lineOf(comment.offset));
        lint::readComment(comment.text, token, read);
    }
    for (const auto& one : read.allows) {
        m_rules.emplace_back(one.rule, static_cast<int>(one.line));
    }
    for (const auto& statement : found.statements) {
        m_statements.emplace_back(statement.line, statement.endLine);
    }
}

bool CudaAllows::covers(std::string_view rule, int line) const
{
    return std::any_of(m_rules.begin(), m_rules.end(), [&](const auto& allow) {
        const auto reaches = [&](int place) { return allow.second == place || allow.second + 1 == place; };
        return allow.first == rule
            && (reaches(line)
                || std::any_of(m_statements.begin(), m_statements.end(), [&](const auto& lines) {
                       return lines.first <= line && line <= lines.second && reaches(lines.first);
                   }));
    });
}

} // namespace ptxwb
