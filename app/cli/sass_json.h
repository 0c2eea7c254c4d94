// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/inspected_file.h"
#include "core/sass/diff.h"

#include <vector>

namespace ptxwb::cli {

/// Kernels and rows that `sass` shows: all, or those that match --kernel and --family.
struct SassSelection {
    std::string kernelRegex{};
    std::vector<SassFamily> families{};
};

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

/// Whether the kernel's name matches the selection. Throws std::regex_error for a bad expression.
bool isSelected(const SassKernel& kernel, const SassSelection& selection);
bool isSelected(const SassInstruction& instruction, const SassSelection& selection);

} // namespace ptxwb::cli
