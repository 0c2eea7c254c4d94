// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluation/emulated_candidate.h"
#include "core/evaluation/ledger.h"
#include "core/evaluation/phase_log.h"

namespace ptxwb {

/// verify on the CPU emulator under every policy; fills verdict, trials, reports, schedules, executed counts
/// and the phases. Errors: Cancelled; anything else is infrastructure_error.
Result<void> executeOnEmulator(Evaluation& evaluation, const Task& task, const EmulatedCandidate& candidate,
    const Compiler& compiler, bool measuredSums, PhaseLog& log, LedgerSources& sources, std::stop_token stop);

} // namespace ptxwb
