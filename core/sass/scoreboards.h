// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/control_flow.h"

namespace ptxwb {

/// A wait of a row: scoreboard `barrier` and the rows that may have set it on the ways here since it was last
/// waited for; or groups of wgmma, by the products that end them.
struct ScoreboardWait {
    static constexpr int groups = -1; ///< of wgmma, "gsb0"
    int barrier = 0; ///< 0..5, or `groups`
    std::vector<int> setters{}; ///< row indices, ascending; empty when no row of this kernel sets it before
    bool more = false; ///< there are more setters than are listed
};

/// Per row the scoreboards that its wait mask names, and the one that DEPBAR counts down (its setters stay
/// where it lets some be under way). Rows without an encoding wait for no scoreboard. WARPGROUP.DEPBAR waits
/// for the groups of wgmma that are older than the N latest, on each way here by itself. Linear in rows times
/// the depth of loops.
std::vector<std::vector<ScoreboardWait>> scoreboardWaits(const SassKernel& kernel, const ControlFlow& flow);

} // namespace ptxwb
