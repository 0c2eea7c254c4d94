// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/families.h"

#include <string>

namespace ptxwb {

enum class DiffKind { Equal, Changed, Added, Removed, Moved, Schedule };
std::string_view diffKindName(DiffKind kind);

/// A run of rows of one kind. Indices into the kernels' instruction vectors; -1 where a side has no row.
struct DiffRow {
    DiffKind kind = DiffKind::Equal;
    int a = -1;
    int b = -1;
    std::vector<std::string>
        what{}; ///< for Changed / Schedule: "opcode", "modifier", "operand", "immediate", "stall" ...
};

struct KernelDiff {
    std::string name{};
    bool onlyInA = false;
    bool onlyInB = false;
    std::vector<DiffRow> rows{}; ///< in order, both sides aligned
    int equal = 0, changed = 0, added = 0, removed = 0, moved = 0, schedule = 0;
};

struct SassDiff {
    bool identical =
        false; ///< no difference in opcode, modifier, immediate or operand under one consistent renaming
    bool scheduleOnly = false; ///< differences in control codes or order only
    std::vector<KernelDiff> kernels{};
    std::map<SassFamily, int> familyDeltas{}; ///< b - a, only non-zero
    std::string summary{}; ///< one sentence
};

/// Register-blind alignment of two listings, kernel by kernel (by name; two single kernels match regardless
/// of name).
SassDiff diffListings(const SassListing& a, const SassListing& b);

} // namespace ptxwb
