// SPDX-License-Identifier: Apache-2.0
// "uses too much shared data": ptxas names no line; the largest array is where to look.
#include "core/toolchain/fix_makers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace ptxwb::detail {

namespace {

std::optional<unsigned long long> hexBehind(std::string_view text, std::string_view before)
{
    const auto at = text.find(before);
    unsigned long long value = 0;
    if (at == std::string_view::npos
        || std::from_chars(text.data() + at + before.size(), text.data() + text.size(), value, 16).ec
            != std::errc{}) {
        return std::nullopt;
    }
    return value;
}

std::string kib(unsigned long long bytes)
{
    return fmt::format("{} bytes ({:.1f} KiB)", bytes, static_cast<double>(bytes) / 1024);
}

// "Entry function 'k' uses too much shared data (0x38e28 bytes, 0x38c00 max)"
std::optional<Remedy> tooMuchShared(const Diagnostic& said, const FixContext& context)
{
    const auto used = hexBehind(said.message, "(0x");
    const auto limit = hexBehind(said.message, "bytes, 0x");
    const auto name = quotedText(said.message);
    if (!used || !limit) {
        return std::nullopt;
    }
    std::string text =
        fmt::format("Kernel {} asks for {} of static shared memory; a block on {} may have {} of it: "
                    "{} bytes too many.",
            name, kib(*used), context.target, kib(*limit), *used - *limit);
    std::vector<PtxSharedArray> arrays = context.outline.sharedArrays;
    for (const auto& function : context.outline.functions) {
        if (function.name == name) {
            arrays.insert(arrays.end(), function.sharedArrays.begin(), function.sharedArrays.end());
        }
    }
    std::erase_if(arrays, [](const PtxSharedArray& one) { return one.bytes == 0; });
    std::stable_sort(
        arrays.begin(), arrays.end(), [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
    std::vector<std::string> rows;
    for (const auto& array : arrays) {
        rows.push_back(fmt::format("{} {} (line {})", array.name, array.bytes, array.range.line));
    }
    if (!rows.empty()) {
        text += fmt::format(" Arrays by size in bytes: {}.", fmt::join(rows, ", "));
    }
    Remedy made{.explanation = text};
    if (!arrays.empty()) {
        const auto& range = arrays.front().range;
        made.explanation =
            "Found by the workbench: ptxas names no line, and this is the largest array. " + text;
        made.betterRoot = Diagnostic{.severity = Severity::Error,
            .message = fmt::format("kernel '{}' has {} bytes of shared memory, {} more than {} has", name,
                *used, *used - *limit, context.target),
            .file = std::string(context.displayName),
            .line = range.line,
            .column = range.column,
            .tool = "ptxwb"};
        if (range.endLine == range.line) {
            made.betterRoot->endColumn = range.endColumn;
        }
    }
    return made;
}

} // namespace

std::optional<Remedy> remedyOfShared(const Cause& cause, const FixContext& context)
{
    return cause.root->message.find("uses too much shared data") != std::string::npos
        ? tooMuchShared(*cause.root, context)
        : std::nullopt;
}

} // namespace ptxwb::detail
