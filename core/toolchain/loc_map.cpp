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
            m_marks.push_back({.ptxLine = line, .file = file, .line = number(nextWord(text))});
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

std::optional<LocMap::Place> LocMap::placeOf(int ptxLine) const
{
    auto after = std::upper_bound(m_marks.begin(), m_marks.end(), ptxLine,
        [](int wanted, const Mark& mark) { return wanted < mark.ptxLine; });
    if (after == m_marks.begin()) {
        return std::nullopt;
    }
    return place(*std::prev(after));
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
