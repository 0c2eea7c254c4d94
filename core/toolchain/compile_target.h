// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb {

/// A target name taken apart: "sm_103a" is number 103 with suffix 'a'.
struct TargetName {
    int number = 0;
    char suffix = '\0'; ///< '\0', 'a' (this chip only) or 'f' (this family)
};
std::optional<TargetName> parseTargetName(std::string_view name);

/// Whether ptxas takes PTX with `.target fileTarget` for `-arch=target`, by the rule of `ptxas --help`: sm_XY
/// for every later target, sm_XYf for the same family from XY on, sm_XYa for itself only. Equal names always.
bool targetPermits(std::string_view fileTarget, std::string_view target);

struct ChosenTarget {
    std::string target{};
    std::string reason{}; ///< one sentence
};

struct TargetQuestion {
    std::optional<std::string> asked{}; ///< --target; also "90a" and "compute_90a"
    std::optional<std::string> preferred{}; ///< of the device here
    std::optional<std::string> fileTarget{}; ///< .target of a PTX file
    std::vector<std::string> known{}; ///< of the compiler; empty: not known
};

/// The asked target, else the preferred one (sm_90a without a device) where the file permits it, else the
/// file's own. Errors: InvalidArgument for an asked target that the compiler does not know, with the list.
Result<ChosenTarget> chooseTarget(const TargetQuestion& question);

} // namespace ptxwb
