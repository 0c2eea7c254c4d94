// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/causes.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

namespace ptxwb {

namespace {

struct ByteEdit {
    std::size_t start = 0;
    std::size_t end = 0;
    std::string text{};

    bool isInsertion() const { return start == end; }
};

// Starts of lines; "\n", "\r\n" and a lone "\r" end one.
std::vector<std::size_t> lineStarts(std::string_view text)
{
    std::vector<std::size_t> starts{0};
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\n' || (text[i] == '\r' && !text.substr(i + 1).starts_with('\n'))) {
            starts.push_back(i + 1);
        }
    }
    return starts;
}

std::size_t offsetOf(std::string_view text, const std::vector<std::size_t>& starts, int line, int column)
{
    if (line < 1 || static_cast<std::size_t>(line) > starts.size()) {
        return text.size();
    }
    auto at = starts[static_cast<std::size_t>(line) - 1];
    const auto lineEnd =
        static_cast<std::size_t>(line) < starts.size() ? starts[static_cast<std::size_t>(line)] : text.size();
    const auto continues = [&](std::size_t i) {
        return i < lineEnd && (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U;
    };
    while (continues(at)) { // stray bytes count no column
        ++at;
    }
    for (int current = 1; current < column && at < lineEnd; ++current) {
        ++at;
        while (continues(at)) {
            ++at;
        }
    }
    return at;
}

std::vector<ByteEdit> byteEdits(std::string_view text, const std::vector<std::size_t>& starts, const Fix& fix)
{
    std::vector<ByteEdit> edits;
    for (const auto& edit : fix.edits) {
        edits.push_back({offsetOf(text, starts, edit.line, edit.startColumn),
            offsetOf(text, starts, edit.endLine, edit.endColumn), edit.text});
    }
    return edits;
}

/// The edits chosen so far, none of which touches another; asking is logarithmic in their number.
class ChosenEdits {
public:
    bool holds(const ByteEdit& edit) const { return m_known.contains({edit.start, edit.end, edit.text}); }

    bool clashesWith(const ByteEdit& edit) const
    {
        const auto next = m_replacements.lower_bound(edit.isInsertion() ? edit.start : edit.start + 1);
        if (next != m_replacements.begin() && std::prev(next)->second > edit.start) {
            return true;
        }
        if (edit.isInsertion()) {
            return false;
        }
        const auto inside = m_insertions.upper_bound(edit.start);
        return (next != m_replacements.end() && next->first < edit.end)
            || (inside != m_insertions.end() && *inside < edit.end);
    }

    void add(ByteEdit edit)
    {
        if (edit.isInsertion()) {
            m_insertions.insert(edit.start);
        } else {
            auto& end = m_replacements[edit.start];
            end = std::max(end, edit.end);
        }
        m_known.emplace(edit.start, edit.end, edit.text);
        m_edits.push_back(std::move(edit));
    }

    std::vector<ByteEdit> take() { return std::move(m_edits); }

private:
    std::vector<ByteEdit> m_edits; ///< in the order chosen
    std::set<std::tuple<std::size_t, std::size_t, std::string>> m_known;
    std::map<std::size_t, std::size_t> m_replacements; ///< start to end
    std::set<std::size_t> m_insertions;
};

std::string apply(std::string_view text, std::vector<ByteEdit> edits)
{
    std::stable_sort(
        edits.begin(), edits.end(), [](const ByteEdit& a, const ByteEdit& b) { return a.start < b.start; });
    std::string made;
    std::size_t at = 0;
    for (const auto& edit : edits) {
        made += text.substr(at, edit.start - at);
        made += edit.text;
        at = std::max(at, edit.end);
    }
    made += text.substr(at);
    return made;
}

} // namespace

FixedText applyFirstFixes(std::string_view text, const std::vector<Diagnostic>& diagnostics)
{
    const auto starts = lineStarts(text);
    FixedText made;
    ChosenEdits chosen;
    for (const auto& said : diagnostics) {
        if (!said.rootCause || said.fixes.empty()) {
            continue;
        }
        const auto& fix = said.fixes.front();
        auto edits = byteEdits(text, starts, fix);
        std::erase_if(edits, [&](const ByteEdit& edit) { return chosen.holds(edit); });
        const bool clashes = std::any_of(
            edits.begin(), edits.end(), [&](const ByteEdit& edit) { return chosen.clashesWith(edit); });
        (clashes ? made.leftOut : made.applied).push_back(fix.title);
        if (!clashes) {
            for (auto& edit : edits) {
                chosen.add(std::move(edit));
            }
        }
    }
    made.text = apply(text, chosen.take());
    return made;
}

std::string applyFix(std::string_view text, const Fix& fix)
{
    return apply(text, byteEdits(text, lineStarts(text), fix));
}

} // namespace ptxwb
