// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/inspected_file.h"
#include "app/cli/sass_selection.h"
#include "core/sass/diff.h"

namespace ptxwb::cli {

/// `ptxwb.sass.v1`
std::string sassJson(const InspectedFile& file, const SassSelection& selection);

/// The two sides of a diff.
struct DiffSides {
    const InspectedFile* a = nullptr;
    const InspectedFile* b = nullptr;
};

/// What the compiler reported for both sides, B - A; unknown for binaries.
ResourceDeltas resourceDeltas(const DiffSides& sides);

/// `ptxwb.diff.v1`
std::string diffJson(const DiffSides& sides, const SassDiff& diff);

} // namespace ptxwb::cli
