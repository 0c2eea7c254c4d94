// SPDX-License-Identifier: Apache-2.0
#include "core/llm/hunks.h"

#include "core/llm/code_shape.h"
#include "core/llm/line_diff.h"

#include <algorithm>

namespace ptxwb::llm {

namespace {

using LineViews = std::vector<std::string_view>;

// The lines of a block without its placeholders, and before which of them placeholders stood.
struct NewText {
    LineViews lines;
    std::vector<std::size_t> gaps;
};

NewText newTextOf(const CodeBlock& block, bool fragment)
{
    NewText text;
    if (fragment) {
        text.gaps.push_back(0); // a part of a file leaves out what is above and below it
    }
    for (const auto line : splitLines(block.text)) {
        if (isElisionLine(line)) {
            text.gaps.push_back(text.lines.size());
        } else {
            text.lines.push_back(line);
        }
    }
    if (fragment) {
        text.gaps.push_back(text.lines.size());
    }
    return text;
}

// "ld.global.f32 %f1, [%rd3];" and "ld.global.v4.f32 ..." begin with the same word.
std::string_view firstWord(std::string_view line)
{
    const auto begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) {
        return {};
    }
    const auto word = line.substr(begin);
    return word.substr(0, word.find_first_of(" \t.;({", 1));
}

// A part of a change, and whether it is known where it belongs.
struct Part {
    LineChange change;
    bool placed = true;
};

// Takes a change that meets placeholders apart. The lines that it removes are what the placeholders stand
// for, except those that resemble the lines that are added: before the first placeholder they resemble the
// first, after the last one the last, and between placeholders wherever they fit best.
class GapSplitter {
public:
    GapSplitter(const LineViews& oldLines, const NewText& newText)
        : m_old(oldLines)
        , m_new(newText)
    {
    }

    std::vector<Part> split(const LineChange& change)
    {
        const std::size_t newEnd = change.newFirst + change.newCount;
        const auto first = std::lower_bound(m_new.gaps.begin(), m_new.gaps.end(), change.newFirst);
        const auto end = std::upper_bound(first, m_new.gaps.end(), newEnd);
        if (first == end || change.oldCount == 0) {
            return {{change}};
        }
        const std::size_t firstGap = *first;
        const std::size_t lastGap = *std::prev(end);
        m_parts.clear();
        std::size_t oldFirst = change.oldFirst;
        std::size_t oldEnd = change.oldFirst + change.oldCount;
        std::size_t head = 0;
        while (change.newFirst + head < firstGap && oldFirst + head < oldEnd
            && alike(oldFirst + head, change.newFirst + head)) {
            ++head;
        }
        add({oldFirst, head, change.newFirst, firstGap - change.newFirst});
        oldFirst += head;
        std::size_t tail = 0;
        while (lastGap + tail < newEnd && oldFirst + tail < oldEnd
            && alike(oldEnd - 1 - tail, newEnd - 1 - tail)) {
            ++tail;
        }
        oldEnd -= tail;
        placeMiddle(oldFirst, oldEnd, firstGap, lastGap);
        add({oldEnd, tail, lastGap, newEnd - lastGap});
        return std::move(m_parts);
    }

private:
    bool alike(std::size_t oldLine, std::size_t newLine) const
    {
        return firstWord(m_old[oldLine]) == firstWord(m_new.lines[newLine]);
    }

    void add(const LineChange& change, bool placed = true)
    {
        if (change.oldCount + change.newCount > 0) {
            m_parts.push_back({change, placed});
        }
    }

    void placeMiddle(std::size_t oldFirst, std::size_t oldEnd, std::size_t newFirst, std::size_t newEnd)
    {
        const std::size_t count = newEnd - newFirst;
        std::size_t best = oldFirst;
        std::size_t bestScore = 0;
        for (std::size_t at = oldFirst; at + count <= oldEnd && count > 0; ++at) {
            std::size_t score = 0;
            for (std::size_t i = 0; i < count; ++i) {
                score += alike(at + i, newFirst + i) ? 1 : 0;
            }
            if (score > bestScore) {
                best = at;
                bestScore = score;
            }
        }
        const bool placed = 2 * bestScore >= count;
        const std::size_t replaced = placed ? count : 0;
        add({oldFirst, best - oldFirst, newFirst, 0});
        add({best, replaced, newFirst, count}, placed);
        add({best + replaced, oldEnd - best - replaced, newEnd, 0});
    }

    const LineViews& m_old;
    const NewText& m_new;
    std::vector<Part> m_parts;
};

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
    const auto userChanges = moved ? diffLines(baseLines, bufferLines) : std::vector<LineChange>{};

    Proposal proposal{.buffer = std::string(buffer), .elisions = block.elisions, .bufferChanged = moved};
    proposal.fragment = !block.wholePtxModule && looksLikeWholePtxModule(base);
    const bool partial = proposal.fragment || !block.elisions.empty();
    const auto proposed = newTextOf(block, proposal.fragment);
    std::vector<Part> parts;
    GapSplitter splitter(baseLines, proposed);
    for (const auto& change : diffLines(baseLines, proposed.lines)) {
        const auto split = splitter.split(change);
        parts.insert(parts.end(), split.begin(), split.end());
    }
    for (const auto& [change, placed] : parts) {
        Hunk hunk{.firstLine = change.oldFirst,
            .removed = copyOf(baseLines, change.oldFirst, change.oldCount),
            .added = copyOf(proposed.lines, change.newFirst, change.newCount)};
        const auto place = movedTo(userChanges, change.oldFirst, change.oldCount);
        hunk.conflicts = !place;
        hunk.firstLine = place.value_or(std::min(change.oldFirst, bufferLines.size()));
        hunk.suggested = place && placed && !(partial && hunk.added.empty());
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
