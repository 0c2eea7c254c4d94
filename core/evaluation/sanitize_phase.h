// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluation/phase_log.h"
#include "core/evaluation/placement.h"
#include "core/sass/listing.h"

namespace ptxwb {

/// Runs the sanitizers on a candidate that ran on the placement's GPU, and writes what they said into the
/// evaluation: reports, the phase, and the verdict where an error of theirs outweighs it (a right result by
/// luck is none). Errors: Cancelled.
Result<void> sanitizeOnGpu(Evaluation& evaluation, const Placement& placement, const EvaluateRequest& request,
    const std::vector<SanitizerTool>& tools, const CodeLines& lines, PhaseLog& log, std::stop_token stop);

/// The lines of a listing's rows: of the PTX, or of the CUDA source where that is the candidate's file.
CodeLines codeLines(const SassListing& listing, Language language);

} // namespace ptxwb
