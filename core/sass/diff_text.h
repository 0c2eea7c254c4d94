// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/diff.h"

#include <functional>

namespace ptxwb {

/// Rows [first, end) of a KernelDiff, all of one kind.
struct DiffRun {
    DiffKind kind = DiffKind::Equal;
    int first = 0;
    int end = 0;
};
std::vector<DiffRun> diffRuns(const KernelDiff& kernel);

/// Differences that a reader asked for; without a function, all.
using DiffRowFilter = std::function<bool(const DiffRow&)>;

/// Rows whose instruction on either side is of one of `families`.
DiffRowFilter rowsOfFamilies(
    const KernelDiff& kernel, const SassListing& a, const SassListing& b, std::vector<SassFamily> families);

/// Row ranges [first, end) to show: what differs with `context` rows around it. Rows that differ in
/// scheduling alone count as equal unless `schedule`.
std::vector<std::pair<int, int>> diffHunks(
    const KernelDiff& kernel, int context, bool schedule, const DiffRowFilter& wanted = {});

/// "@!P0 BRA `(.L_x_1)" without alignment.
std::string instructionText(const SassInstruction& instruction);

/// Whether the two sides are compared under two names. What nvcc adds to a name for each build and each file
/// is no part of it.
bool isRenamed(const KernelDiff& kernel);

struct DiffTitles {
    std::string a = "A";
    std::string b = "B";
};

/// For a review: the sentence, a table of family deltas, and fenced diff hunks per kernel.
std::string diffMarkdown(
    const SassDiff& diff, const SassListing& a, const SassListing& b, const DiffTitles& titles);

/// The hunks alone, in the manner of `diff -u`, each under "@@ -12,7 +12,8 @@ gemm, block 5, in a loop"
/// (blocks of A from 0 on); every other line begins with ' ', '-', '+', '<' (moved from here),
/// '>' (moved to here) or '!' (scheduling differs).
std::string diffText(const KernelDiff& diff, const SassListing& a, const SassListing& b, int context,
    bool schedule, const DiffRowFilter& wanted = {});

} // namespace ptxwb
