// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/inspected_file.h"
#include "core/sass/families.h"

#include <vector>

namespace ptxwb::cli {

/// Kernels and rows that `sass` and `diff` show: all, or those that match --kernel and --family.
struct SassSelection {
    std::string kernelWord{}; ///< as it was asked for; empty for all kernels
    std::vector<std::string> kernels{}; ///< raw names that it means in one file, see chooseKernels
    std::vector<SassFamily> families{};
};

/// From the words of --kernel and --family. Errors: InvalidArgument for an unknown family.
Result<SassSelection> sassSelection(const std::string& kernelWord, const std::vector<std::string>& families);

std::string knownSassFamilies(); ///< "wgmma, tma, ..."

/// The kernels of `file` that --kernel means: those of that name (raw, as written in C++, or the bare name of
/// the function); where there is none, those whose raw or written name the word matches as a regular
/// expression. Errors: NotFound with the names that there are, InvalidArgument for what is neither a name nor
/// an expression.
Result<SassSelection> chooseKernels(SassSelection selection, const InspectedFile& file);

/// Whether a kernel is among the chosen ones.
bool isSelected(const SassKernel& kernel, const SassSelection& selection);
bool isSelected(const SassInstruction& instruction, const SassSelection& selection);

} // namespace ptxwb::cli
