// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/loc_map.h"

#include <algorithm>
#include <charconv>

namespace ptxwb::detail {

namespace {

std::string_view nextWord(std::string_view& text)
{
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) {
        text = {};
        return {};
    }
    const auto end = std::min(text.find_first_of(" \t,", first), text.size());
    const auto word = text.substr(first, end - first);
    text.remove_prefix(end);
    return word;
}

int number(std::string_view word)
{
    int value = 0;
    std::from_chars(word.data(), word.data() + word.size(), value);
    return value;
}

} // namespace

LocMap::LocMap(std::string_view generatedPtx)
{
    int line = 0;
    while (!generatedPtx.empty()) {
        ++line;
        const auto end = generatedPtx.find('\n');
        auto text = generatedPtx.substr(0, end);
        generatedPtx = end == std::string_view::npos ? std::string_view{} : generatedPtx.substr(end + 1);
        const auto word = nextWord(text);
        if (word == ".loc") {
            const int file = number(nextWord(text));
            Mark mark{.ptxLine = line, .file = file, .line = number(nextWord(text))};
            constexpr std::string_view call = "inlined_at ";
            if (const auto at = text.find(call); at != std::string_view::npos) {
                text.remove_prefix(at + call.size());
                mark.callFile = number(nextWord(text));
                mark.callLine = number(nextWord(text));
            }
            m_marks.push_back(mark);
        } else if (word == ".file") {
            const int file = number(nextWord(text));
            const auto open = text.find('"');
            const auto close = text.rfind('"');
            if (open != std::string_view::npos && close > open) {
                m_files[file] = std::string(text.substr(open + 1, close - open - 1));
            }
        } else if (word == ".visible" || word == ".entry" || word == ".func" || word == ".weak") {
            m_marks.push_back({.ptxLine = line});
        }
    }
}

LocMap::Marks::const_iterator LocMap::markOf(int ptxLine) const
{
    const auto after = std::upper_bound(m_marks.begin(), m_marks.end(), ptxLine,
        [](int wanted, const Mark& mark) { return wanted < mark.ptxLine; });
    return after == m_marks.begin() ? m_marks.end() : std::prev(after);
}

std::optional<LocMap::Place> LocMap::placeOf(int ptxLine) const
{
    const auto mark = markOf(ptxLine);
    return mark == m_marks.end() ? std::nullopt : place(*mark);
}

std::vector<LocMap::Place> LocMap::framesOf(int ptxLine) const
{
    std::vector<Place> frames;
    auto mark = markOf(ptxLine);
    constexpr std::size_t deepest = 64;
    while (mark != m_marks.end() && mark->file != 0 && frames.size() < deepest) {
        if (auto at = place(*mark)) {
            frames.push_back(*std::move(at));
        }
        if (mark->callFile == 0) {
            break;
        }
        // The call's own .loc stands above, with where it was inlined in turn; one that has none is the last.
        const Mark call{.file = mark->callFile, .line = mark->callLine};
        auto above = mark;
        while (above != m_marks.begin() && above->file != 0
            && (above->file != call.file || above->line != call.line)) {
            --above;
        }
        if (above->file != call.file || above->line != call.line) {
            if (auto at = place(call)) {
                frames.push_back(*std::move(at));
            }
            break;
        }
        mark = above;
    }
    return frames;
}

std::optional<LocMap::Place> LocMap::firstPlaceFrom(int ptxLine) const
{
    const auto first = std::find_if(m_marks.begin(), m_marks.end(),
        [&](const Mark& mark) { return mark.ptxLine >= ptxLine && mark.file != 0; });
    return first == m_marks.end() ? std::nullopt : place(*first);
}

std::optional<LocMap::Place> LocMap::place(const Mark& mark) const
{
    const auto file = m_files.find(mark.file);
    if (mark.file == 0 || file == m_files.end()) {
        return std::nullopt;
    }
    return Place{file->second, mark.line};
}

} // namespace ptxwb::detail
