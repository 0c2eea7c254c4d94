// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/causes.h"

#include <algorithm>
#include <optional>

namespace ptxwb {

namespace {

struct ByteEdit {
    std::size_t start = 0;
    std::size_t end = 0;
    std::string text{};

    bool operator==(const ByteEdit&) const = default;
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

bool overlap(const ByteEdit& a, const ByteEdit& b)
{
    if (a == b || (a.isInsertion() && b.isInsertion())) {
        return false;
    }
    if (a.isInsertion() || b.isInsertion()) {
        return a.start > b.start ? a.start < b.end : b.start < a.end && b.start > a.start;
    }
    return a.start < b.end && b.start < a.end;
}

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
    std::vector<ByteEdit> chosen;
    for (const auto& said : diagnostics) {
        const bool isError = said.severity == Severity::Error || said.severity == Severity::Fatal;
        const bool isLint = said.severity == Severity::Warning && said.tool == "ptxwb";
        if (!said.rootCause || !(isError || isLint) || said.fixes.empty()) {
            continue;
        }
        const auto& fix = said.fixes.front();
        auto edits = byteEdits(text, starts, fix);
        std::erase_if(edits, [&](const ByteEdit& edit) {
            return std::find(chosen.begin(), chosen.end(), edit) != chosen.end();
        });
        const bool clashes = std::any_of(edits.begin(), edits.end(), [&](const ByteEdit& edit) {
            return std::any_of(
                chosen.begin(), chosen.end(), [&](const ByteEdit& other) { return overlap(edit, other); });
        });
        (clashes ? made.leftOut : made.applied).push_back(fix.title);
        if (!clashes) {
            chosen.insert(chosen.end(), edits.begin(), edits.end());
        }
    }
    made.text = apply(text, std::move(chosen));
    return made;
}

std::string applyFix(std::string_view text, const Fix& fix)
{
    return apply(text, byteEdits(text, lineStarts(text), fix));
}

} // namespace ptxwb
