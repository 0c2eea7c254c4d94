// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluation/evaluation.h"

namespace ptxwb {

/// One thing that a script asks of an evaluation: an instruction goal, or a measured quantity with a bound.
struct Requirement {
    enum class Comparison { AtLeast, AtMost, Above, Below };
    std::string text{}; ///< as written, "speedup>=0.95"
    std::string name{}; ///< "wgmma", "wgmma:code", "speedup"
    std::optional<Comparison> comparison{}; ///< nullopt: a goal, or a flag
    double bound = 0;
};

/// "wgmma,speedup>=0.95": goals by name (in the code and executed; `NAME:code`: in the code), and speedup,
/// time_us, warm_us, registers, spill_bytes with >=, <=, > or <; `strict` and `paper` ask for that rule's
/// verdict. Errors: InvalidArgument naming the column.
Result<std::vector<Requirement>> parseRequirements(std::string_view text);

/// What was not measured is not met, and the reason says so.
RequirementOutcome checkRequirement(const Requirement& requirement, const Evaluation& evaluation);

} // namespace ptxwb
