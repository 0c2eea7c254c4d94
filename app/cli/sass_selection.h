// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/inspected_file.h"
#include "core/sass/families.h"

#include <vector>

namespace ptxwb::cli {

/// Kernels and rows that `sass` and `diff` show: all, or those that match --kernel and --family.
struct SassSelection {
    std::string kernelRegex{};
    std::vector<SassFamily> families{};
};

/// From the words of --kernel and --family. Errors: InvalidArgument for a bad expression and an unknown
/// family.
Result<SassSelection> sassSelection(const std::string& kernelRegex, const std::vector<std::string>& families);

std::string knownSassFamilies(); ///< "wgmma, tma, ..."

/// The refusal when --kernel matches no kernel of the file.
std::optional<Error> nothingSelected(const InspectedFile& file, const std::string& kernelRegex);

/// Whether the kernel's name matches the selection. Throws std::regex_error for a bad expression.
bool isSelected(const SassKernel& kernel, const SassSelection& selection);
bool isSelected(const SassInstruction& instruction, const SassSelection& selection);

} // namespace ptxwb::cli
