// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluation/evaluation.h"

#include <string>
#include <vector>

namespace ptxwb::cli {

/// Text that people read on a terminal; each ends with a line end.
std::string compileReport(const CompileOutcome& outcome, const std::string& file);
std::string evaluationReport(const Evaluation& evaluation);

/// Columns padded to their widest cell, two blanks between.
std::string table(const std::vector<std::vector<std::string>>& rows, std::string_view indent = "");

/// What the emulator found: rule, both lines, warp, schedule and how to mend it.
std::string reportLines(const std::vector<emulator::Report>& reports);

} // namespace ptxwb::cli
