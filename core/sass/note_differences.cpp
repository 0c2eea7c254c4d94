// SPDX-License-Identifier: Apache-2.0
#include "core/sass/diff.h"
#include "core/support/kernel_name.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb {

namespace {

/// As the kernel is called in A.
const std::string& nameInA(const SassDiff& diff, const std::string& kernel)
{
    const auto at = std::ranges::find(diff.kernels, kernel, &KernelDiff::nameInB);
    return kernel.empty() || at == diff.kernels.end() ? kernel : at->name;
}

} // namespace

void addNoteDifferences(
    SassDiff& diff, const std::vector<CompilerNote>& a, const std::vector<CompilerNote>& b)
{
    diff.notesCompared = true;
    diff.notes.clear();
    const auto count = [&diff](
                           const CompilerNote& note, const std::string& kernel, int NoteDifference::*side) {
        auto at = std::ranges::find_if(diff.notes,
            [&](const NoteDifference& one) { return one.code == note.code && one.kernel == kernel; });
        if (at == diff.notes.end()) {
            at = diff.notes.insert(at, {.code = note.code, .kernel = kernel, .message = note.message});
        }
        ++((*at).*side);
    };
    for (const auto& note : a) {
        count(note, note.kernel, &NoteDifference::a);
    }
    for (const auto& note : b) {
        count(note, nameInA(diff, note.kernel), &NoteDifference::b);
    }
    std::erase_if(diff.notes, [](const NoteDifference& one) { return one.a == one.b; });
    diff.summary = diffSummary(diff);
}

std::string noteText(const NoteDifference& difference, bool nameKernel, bool brief)
{
    const auto where = difference.b == 0 ? std::string("in A only")
        : difference.a == 0              ? std::string("in B only")
                                         : fmt::format("{} times in A, {} in B", difference.a, difference.b);
    return fmt::format("note {}{} {}{}", difference.code,
        nameKernel && !difference.kernel.empty() ? " of " + titleOfKernel(difference.kernel) : std::string(),
        where, brief || difference.message.empty() ? std::string() : ": " + difference.message);
}

} // namespace ptxwb
