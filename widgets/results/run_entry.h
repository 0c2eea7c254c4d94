// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluation/evaluation.h"

#include <QString>

#include <memory>

namespace ptxwb {

/// Where a shown evaluation comes from.
enum class RunOrigin {
    Live, ///< made in this window, of the text that is in the editor
    EarlierText, ///< made in this window, of a text that has changed since
    Kept, ///< read from the user's history
    Recorded, ///< read from tasks/**/recorded
};

/// An evaluation together with its origin, as the results pane and the plot show it.
struct RunEntry {
    std::shared_ptr<const Evaluation> evaluation{};
    RunOrigin origin = RunOrigin::Live;
    bool sameText = true; ///< made of exactly the text that is in the editor
};

/// "gemm_wgmma_tma", from the candidate's path.
QString candidateName(const Evaluation& evaluation);

/// "recorded on NVIDIA H200, 2025-12-01, of an earlier text"; empty for a live run of the present text.
QString provenanceText(const RunEntry& entry);

/// One line for a list of runs.
QString runTitle(const RunEntry& entry);

} // namespace ptxwb
