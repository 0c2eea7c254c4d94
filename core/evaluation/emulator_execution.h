// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluation/ledger.h"
#include "core/evaluation/phase_log.h"

namespace ptxwb {

/// Why the candidate cannot be emulated; empty when it can be tried.
std::string whyNotEmulated(const Evaluation& evaluation);

/// verify on the CPU emulator under every policy; fills verdict, trials, reports, schedules, executed counts
/// and the phases. `ptx` is the candidate with its launch plan. Errors: Cancelled; anything else is
/// infrastructure_error.
Result<void> executeOnEmulator(Evaluation& evaluation, const Task& task, const std::string& ptx,
    bool measuredSums, PhaseLog& log, LedgerSources& sources, std::stop_token stop);

} // namespace ptxwb
