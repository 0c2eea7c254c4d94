// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/generated_lint.h"

#include "core/ptx/cuda_allows.h"
#include "core/ptx/lint.h"
#include "core/support/files.h"
#include "core/toolchain/asm_places.h"
#include "core/toolchain/lint_diagnostics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

namespace ptxwb::detail {

namespace {

// Of these rules neither the finding nor its words rest on nvcc's choice of registers.
constexpr std::array<std::string_view, 14> rulesOfWholeKernels{"bulk-commit", "bulk-wait", "cluster-barrier",
    "cp-async-wait", "mbarrier-count", "mbarrier-init", "mbarrier-missing", "proxy-fence", "tcgen05-commit",
    "tcgen05-dealloc", "tcgen05-wait", "wgmma-commit", "wgmma-fence", "wgmma-wait"};

bool isForDebugging(std::string_view ptx)
{
    const auto at = ptx.find("\n.target ");
    return at != std::string_view::npos
        && ptx.substr(at, ptx.find('\n', at + 1) - at).find("debug") != std::string_view::npos;
}

/// Lines of the user's file through which the PTX line was inlined, the innermost first.
std::vector<int> ownLines(const LocMap& map, int ptxLine, std::string_view toolFile)
{
    std::vector<int> lines;
    for (const auto& frame : map.framesOf(ptxLine)) {
        if (frame.file == toolFile) {
            lines.push_back(frame.line);
        }
    }
    return lines;
}

struct Found {
    Diagnostic said{};
    std::set<int> calls{}; ///< lines that the code was inlined into
};

std::string explained(const Found& found)
{
    std::string text = found.said.explanation.value_or("");
    if (!found.calls.empty()) {
        text += fmt::format(
            ". Inlined at line{} {}", found.calls.size() > 1 ? "s" : "", fmt::join(found.calls, ", "));
    }
    return text + ". Found in the PTX that nvcc made of the whole kernel";
}

} // namespace

std::vector<Diagnostic> lintGenerated(
    const GeneratedPtx& ptx, std::string_view source, std::string_view displayName)
{
    if (ptx.text.find("begin inline asm") == std::string_view::npos || isForDebugging(ptx.text)) {
        return {};
    }
    const auto findings = lintPtx(ptx.text);
    if (!findings) {
        return {};
    }
    const LocMap map(ptx.text);
    AsmPlaces places(ptx.text, map, [&](const std::string& file) -> std::optional<std::string> {
        if (file == ptx.toolFile) {
            return std::string(source);
        }
        auto text = readFile(file);
        return text ? std::optional(std::move(*text)) : std::nullopt;
    });
    const auto asmFound = findAsm(source);
    const CudaAllows allows(source, asmFound);
    std::vector<Found> all;
    for (const auto& finding : *findings) {
        if (std::find(rulesOfWholeKernels.begin(), rulesOfWholeKernels.end(), finding.rule->id)
            == rulesOfWholeKernels.end()) {
            continue;
        }
        const auto own = ownLines(map, finding.range.line, ptx.toolFile);
        if (own.empty()) {
            continue;
        }
        std::vector<Diagnostic> one{diagnosticOf(finding, ptx.file)};
        one.front().fixes.clear(); // edits of the PTX
        const std::string reason = one.front().explanation.value_or("");
        mapGeneratedErrors(one, ptx.file, ptx.toolFile, displayName, map, places);
        auto& said = one.front();
        said.explanation = reason; // without nvcc's line, which the user has not got
        if (said.file != displayName) {
            said.explanation = fmt::format("{}. It stands in {}, line {}", reason,
                std::filesystem::path(said.file).filename().string(), said.line.value_or(0));
            said.file = displayName;
            said.line = own.front();
            said.column.reset();
            said.endColumn.reset();
        }
        const auto same = std::find_if(all.begin(), all.end(),
            [&](const Found& other) { return other.said.code == said.code && other.said.line == said.line; });
        auto& kept = same != all.end() ? *same : all.emplace_back(Found{.said = said});
        kept.calls.insert(own.begin() + 1, own.end());
    }
    std::vector<Diagnostic> told;
    for (auto& found : all) {
        const auto covers = [&](int line) { return allows.covers(*found.said.code, line); };
        if (covers(*found.said.line) || std::any_of(found.calls.begin(), found.calls.end(), covers)) {
            continue;
        }
        found.said.explanation = explained(found);
        told.push_back(std::move(found.said));
    }
    return told;
}

} // namespace ptxwb::detail
