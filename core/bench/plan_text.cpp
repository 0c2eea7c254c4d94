// SPDX-License-Identifier: Apache-2.0
#include "core/bench/launch_plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb {

namespace {

constexpr std::string_view marker = "@launch";

constexpr std::string_view minimalPlan =
    "add a comment to the file: /* @launch { \"launches\": [ { \"kernel\": \"NAME\", \"grid\": [1,1,1], "
    "\"block\": [128,1,1], \"args\": [ {\"tensor\":\"A\"} ] } ] } */";

int lineOf(std::string_view text, std::size_t offset)
{
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(offset);
    return 1 + static_cast<int>(std::count(text.begin(), end, '\n'));
}

Error badPlan(std::string_view text, std::size_t offset, std::string message, std::string hint = {})
{
    Error error;
    error.code = ErrorCode::BadFormat;
    error.message = std::move(message);
    error.hint = std::move(hint);
    error.line = lineOf(text, offset);
    error.jsonPath = "$";
    return error;
}

struct Comment {
    std::size_t begin = 0; ///< after the opening
    std::size_t end = 0; ///< before the closing
    bool closed = true;
};

/// Finds comments of PTX, CUDA and C++: text in string literals is no comment.
class CommentScanner {
public:
    explicit CommentScanner(std::string_view text)
        : m_text(text)
    {
        while (m_at < m_text.size()) {
            step();
        }
    }

    std::vector<Comment> blocks{};
    std::vector<Comment> lines{};

private:
    void step()
    {
        const std::size_t next = m_text.find_first_of("/\"'", m_at);
        if (next == std::string_view::npos) {
            m_at = m_text.size();
            return;
        }
        m_at = next;
        const char c = m_text[m_at];
        if (c == '"') {
            const bool isRaw = m_at > 0 && m_text[m_at - 1] == 'R';
            isRaw ? rawString() : quoted();
        } else if (c == '\'') {
            characterLiteral();
        } else if (m_text.substr(m_at, 2) == "/*") {
            const std::size_t close = m_text.find("*/", m_at + 2);
            const bool closed = close != std::string_view::npos;
            blocks.push_back({m_at + 2, closed ? close : m_text.size(), closed});
            m_at = closed ? close + 2 : m_text.size();
        } else if (m_text.substr(m_at, 2) == "//") {
            const std::size_t end = std::min(m_text.find('\n', m_at), m_text.size());
            lines.push_back({m_at + 2, end, true});
            m_at = end;
        } else {
            ++m_at;
        }
    }

    /// Ends at its quote or, when that is missing, with the line: one slip must not hide the rest of the
    /// file.
    void quoted()
    {
        ++m_at;
        while (m_at < m_text.size() && m_text[m_at] != '"' && m_text[m_at] != '\n') {
            m_at += m_text[m_at] == '\\' ? 2 : 1;
        }
        m_at = std::min(m_at + 1, m_text.size());
    }

    void rawString()
    {
        constexpr std::size_t longestDelimiter = 16;
        const std::size_t inDelimiter = m_text.substr(m_at, longestDelimiter + 2).find('(');
        if (inDelimiter == std::string_view::npos) {
            quoted();
            return;
        }
        const std::size_t open = m_at + inDelimiter;
        const std::string close = fmt::format("){}\"", m_text.substr(m_at + 1, open - m_at - 1));
        const std::size_t end = m_text.find(close, open);
        m_at = end == std::string_view::npos ? m_text.size() : end + close.size();
    }

    /// A quote may also separate digits (1'000), so only a closed literal is skipped.
    void characterLiteral()
    {
        const auto at = [this](std::size_t offset) {
            return m_at + offset < m_text.size() ? m_text[m_at + offset] : '\0';
        };
        const std::size_t length = at(1) == '\\' ? 2 : 1;
        m_at += at(1 + length) == '\'' ? length + 2 : 1;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

/// Offsets of the markers that start a line of the comment; blanks and asterisks may stand before one.
std::vector<std::size_t> markersIn(std::string_view text, const Comment& comment)
{
    std::vector<std::size_t> found;
    text = text.substr(0, comment.end); // else every comment of a long file would look through all of it
    std::size_t at = text.find(marker, comment.begin);
    for (; at < comment.end; at = text.find(marker, at + marker.size())) {
        std::size_t before = at;
        while (before > comment.begin
            && (text[before - 1] == ' ' || text[before - 1] == '\t' || text[before - 1] == '*')) {
            --before;
        }
        const bool startsLine = before == comment.begin || text[before - 1] == '\n';
        const std::size_t after = text.find_first_not_of(" \t\r\n", at + marker.size());
        const bool opens = after < comment.end && text[after] == '{';
        const bool isWord = at + marker.size() >= comment.end
            || std::string_view(" \t\r\n{").find(text[at + marker.size()]) != std::string_view::npos;
        if (startsLine && isWord && (opens || before == comment.begin)) {
            found.push_back(at);
        }
    }
    return found;
}

/// Offset behind the brace that closes the one at `open`, or npos.
std::size_t closingBrace(std::string_view text, std::size_t open, std::size_t end)
{
    int depth = 0;
    bool inString = false;
    for (std::size_t i = open; i < end; ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\') {
                ++i;
            } else if (c == '"') {
                inString = false;
            }
        } else if (c == '"') {
            inString = true;
        } else if (c == '{') {
            ++depth;
        } else if (c == '}' && --depth == 0) {
            return i + 1;
        }
    }
    return std::string_view::npos;
}

} // namespace

Result<PlanText> extractLaunchPlan(std::string_view fileText)
{
    const CommentScanner comments(fileText);
    std::optional<std::size_t> at;
    Comment holder;
    for (const Comment& comment : comments.blocks) {
        for (const std::size_t found : markersIn(fileText, comment)) {
            if (at) {
                return badPlan(fileText, found,
                    fmt::format("a second launch plan: the first is on line {}", lineOf(fileText, *at)),
                    "one file holds one candidate: keep one @launch comment");
            }
            at = found;
            holder = comment;
        }
    }
    if (!at) {
        Error error;
        error.code = ErrorCode::NotFound;
        error.message = "no launch plan in this file";
        error.hint = minimalPlan;
        for (const Comment& comment : comments.lines) {
            if (!markersIn(fileText, comment).empty()) {
                error.line = lineOf(fileText, comment.begin);
                error.message = "the launch plan stands in a // comment";
                error.hint = "put it in a block comment: /* @launch { ... } */";
                break;
            }
        }
        return error;
    }
    if (!holder.closed) {
        return badPlan(
            fileText, *at, "the comment that holds the launch plan is never closed", "end it with */");
    }
    const std::size_t open = fileText.find_first_not_of(" \t\r\n", *at + marker.size());
    if (open >= holder.end || fileText[open] != '{') {
        return badPlan(fileText, *at, "no { follows @launch", std::string(minimalPlan));
    }
    const std::size_t close = closingBrace(fileText, open, holder.end);
    if (close == std::string_view::npos) {
        return badPlan(fileText, open, "the launch plan that starts here has no closing }",
            "a { or a quote has no partner before the end of the comment");
    }
    return PlanText{std::string(fileText.substr(open, close - open)), lineOf(fileText, open)};
}

} // namespace ptxwb
