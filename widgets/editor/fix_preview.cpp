// SPDX-License-Identifier: Apache-2.0
#include "widgets/editor/fix_preview.h"

#include "core/toolchain/causes.h"
#include "widgets/editor/text_position.h"

#include <algorithm>

namespace ptxwb {

namespace {

/// Lines with their ends; "\n", "\r\n" and a lone "\r" end one, as where fixes are applied.
std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    std::size_t from = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\n' || (text[i] == '\r' && !text.substr(i + 1).starts_with('\n'))) {
            lines.push_back(text.substr(from, i + 1 - from));
            from = i + 1;
        }
    }
    lines.push_back(text.substr(from));
    return lines;
}

/// Edits whose lines touch, in the order of the text.
struct Place {
    int first = 1;
    int last = 1;
    Fix edits{};
};

std::vector<Place> placesOf(const Fix& fix, int lineCount)
{
    std::vector<TextEdit> edits = fix.edits;
    std::stable_sort(
        edits.begin(), edits.end(), [](const TextEdit& a, const TextEdit& b) { return a.line < b.line; });
    std::vector<Place> places;
    for (const TextEdit& edit : edits) {
        const int first = std::clamp(edit.line, 1, lineCount);
        const int last = std::clamp(edit.endLine, first, lineCount);
        if (places.empty() || first > places.back().last) {
            places.push_back({first, last, {}});
        }
        places.back().last = std::max(places.back().last, last);
        places.back().edits.edits.push_back(edit);
    }
    return places;
}

} // namespace

std::vector<PreviewLine> previewOfFix(std::string_view text, const Fix& fix)
{
    const std::vector<std::string_view> lines = linesOf(text);
    std::vector<PreviewLine> preview;
    int shift = 0; // lines that earlier places added
    for (Place& place : placesOf(fix, static_cast<int>(lines.size()))) {
        const std::string_view firstLine = lines[static_cast<std::size_t>(place.first) - 1];
        const std::string_view lastLine = lines[static_cast<std::size_t>(place.last) - 1];
        const std::string_view block(
            firstLine.data(), static_cast<std::size_t>(lastLine.data() - firstLine.data()) + lastLine.size());
        for (TextEdit& edit : place.edits.edits) {
            edit.line -= place.first - 1;
            edit.endLine -= place.first - 1;
        }
        const std::string made = applyFix(block, place.edits);
        const std::vector<std::string_view> before = linesOf(block);
        const std::vector<std::string_view> after = linesOf(made);
        std::size_t same = 0;
        while (same < std::min(before.size(), after.size()) && before[same] == after[same]) {
            ++same;
        }
        std::size_t tail = 0;
        while (tail < std::min(before.size(), after.size()) - same
            && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) {
            ++tail;
        }
        for (std::size_t i = same; i + tail < before.size(); ++i) {
            preview.push_back(
                {false, place.first + static_cast<int>(i), std::string(withoutLineEnd(before[i]))});
        }
        for (std::size_t i = same; i + tail < after.size(); ++i) {
            preview.push_back(
                {true, place.first + shift + static_cast<int>(i), std::string(withoutLineEnd(after[i]))});
        }
        shift += static_cast<int>(after.size()) - static_cast<int>(before.size());
    }
    return preview;
}

} // namespace ptxwb
