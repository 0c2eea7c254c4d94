// SPDX-License-Identifier: Apache-2.0
#include "core/llm/hunks.h"

#include "core/llm/code_shape.h"
#include "core/llm/line_diff.h"

#include <algorithm>

namespace ptxwb::llm {

namespace {

using LineViews = std::vector<std::string_view>;

LineViews withoutElisions(const LineViews& lines)
{
    LineViews kept;
    std::copy_if(lines.begin(), lines.end(), std::back_inserter(kept),
        [](std::string_view line) { return !isElisionLine(line); });
    return kept;
}

std::vector<std::string> copyOf(const LineViews& lines, std::size_t first, std::size_t count)
{
    const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(first);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

// Where lines [first, first + count) of the prompt's buffer begin in the buffer of now; nothing when a change
// of the user touches or adjoins them.
std::optional<std::size_t> movedTo(
    const std::vector<LineChange>& userChanges, std::size_t first, std::size_t count)
{
    std::size_t place = first;
    for (const auto& change : userChanges) {
        const std::size_t changeEnd = change.oldFirst + change.oldCount;
        if (changeEnd < first) {
            place = change.newFirst + change.newCount + (first - changeEnd);
        } else if (change.oldFirst <= first + count) {
            return std::nullopt;
        }
    }
    return place;
}

std::string_view dominantLineEnd(std::string_view text)
{
    const auto all = std::count(text.begin(), text.end(), '\n');
    std::ptrdiff_t crlf = 0;
    for (auto at = text.find("\r\n"); at != std::string_view::npos; at = text.find("\r\n", at + 2)) {
        ++crlf;
    }
    return crlf * 2 > all ? "\r\n" : "\n";
}

// Lines with their ends; the last one may lack it.
LineViews linesWithEnds(std::string_view text)
{
    LineViews lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        const auto length = end == std::string_view::npos ? text.size() : end + 1;
        lines.push_back(text.substr(0, length));
        text.remove_prefix(length);
    }
    return lines;
}

Error refusal(std::string message, std::string hint)
{
    return {.code = ErrorCode::InvalidArgument, .message = std::move(message), .hint = std::move(hint)};
}

} // namespace

Proposal propose(
    std::string_view buffer, const CodeBlock& block, const std::optional<std::string>& promptBuffer)
{
    const bool moved = promptBuffer && *promptBuffer != buffer;
    const std::string_view base = moved ? std::string_view(*promptBuffer) : buffer;
    const auto baseLines = splitLines(base);
    const auto bufferLines = splitLines(buffer);
    const auto newLines = withoutElisions(splitLines(block.text));
    const auto userChanges = moved ? diffLines(baseLines, bufferLines) : std::vector<LineChange>{};

    Proposal proposal{.buffer = std::string(buffer), .elisions = block.elisions, .bufferChanged = moved};
    proposal.fragment = !block.wholePtxModule && looksLikeWholePtxModule(base);
    const bool partial = proposal.fragment || !block.elisions.empty();
    for (const auto& change : diffLines(baseLines, newLines)) {
        Hunk hunk{.firstLine = change.oldFirst,
            .removed = copyOf(baseLines, change.oldFirst, change.oldCount),
            .added = copyOf(newLines, change.newFirst, change.newCount)};
        const auto place = movedTo(userChanges, change.oldFirst, change.oldCount);
        hunk.conflicts = !place;
        hunk.firstLine = place.value_or(std::min(change.oldFirst, bufferLines.size()));
        hunk.suggested = place && !(partial && hunk.added.empty());
        proposal.hunks.push_back(std::move(hunk));
    }
    proposal.wholeFileAllowed = !partial
        && std::none_of(
            proposal.hunks.begin(), proposal.hunks.end(), [](const Hunk& h) { return h.conflicts; });
    return proposal;
}

Result<std::string> applyHunks(
    const Proposal& proposal, const std::vector<bool>& accepted, std::string_view currentBuffer)
{
    if (currentBuffer != proposal.buffer) {
        return refusal("the buffer was changed while the proposal was open", "open it again from the answer");
    }
    if (accepted.size() != proposal.hunks.size()) {
        return refusal("one decision per hunk is needed", "");
    }
    const auto lineEnd = dominantLineEnd(proposal.buffer);
    const auto lines = linesWithEnds(proposal.buffer);
    const bool endsWithLineEnd = proposal.buffer.empty() || proposal.buffer.ends_with('\n');
    std::string text;
    const auto addLine = [&](std::string_view line) {
        if (!text.empty() && text.back() != '\n') {
            text += lineEnd; // the buffer's last line had no end, and something follows it now
        }
        text += line;
    };
    std::size_t next = 0;
    for (std::size_t i = 0; i < proposal.hunks.size(); ++i) {
        if (!accepted[i]) {
            continue;
        }
        const auto& hunk = proposal.hunks[i];
        if (hunk.conflicts) {
            return refusal(
                "a hunk touches lines that were changed since the prompt", "leave it out, or ask again");
        }
        for (; next < hunk.firstLine && next < lines.size(); ++next) {
            addLine(lines[next]);
        }
        for (const auto& line : hunk.added) {
            addLine(line);
            text += lineEnd;
        }
        next = std::max(next, hunk.firstLine) + hunk.removed.size();
    }
    for (; next < lines.size(); ++next) {
        addLine(lines[next]);
    }
    if (!endsWithLineEnd && text.ends_with('\n')) {
        text.erase(text.size() - (text.ends_with("\r\n") ? 2 : 1));
    }
    return text;
}

} // namespace ptxwb::llm
