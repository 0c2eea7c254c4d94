// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/cubin_facts.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb {

/// What one multiprocessor of a target holds, as CUDA's cuda_occupancy.h and the table "Technical
/// Specifications per Compute Capability" of the CUDA C++ Programming Guide have it.
struct MultiprocessorLimits {
    int warps = 0;
    int blocks = 0;
    int barriers = 0; ///< named barriers of all blocks; 0 where they are not counted (before sm_90)
    int sharedBytes = 0; ///< of all blocks, what the system keeps for itself included
};

/// Of "sm_90a"; nothing for targets before sm_80 and those that are not known here.
std::optional<MultiprocessorLimits> multiprocessorLimits(std::string_view target);

/// CTAs of one kernel that fit on a multiprocessor by one resource.
struct OccupancyLimit {
    std::string_view by{}; ///< "registers", "shared memory", "threads", "named barriers", "CTAs"
    int ctas = 0;
};

/// How much of a multiprocessor CTAs of a kernel can fill.
struct Occupancy {
    int mostWarps = 0; ///< that the multiprocessor holds
    int warpsByRegisters = 0;
    /// What follows is empty where no directive says how many threads a CTA has.
    std::optional<int> threads{}; ///< of a CTA
    bool threadsAreMost = false; ///< by .maxntid: a launch may have fewer
    std::vector<OccupancyLimit> limits{}; ///< the tightest first
    std::optional<int> ctas{}; ///< at most
    std::optional<int> warps{}; ///< at most
};

/// Dynamic shared memory is given at launch: it counts as none, and so every number is an upper bound.
/// Nothing when the target or the number of registers is not known.
std::optional<Occupancy> occupancyOf(const KernelFacts& kernel, std::string_view target);

/// Lines for people, what is not known included.
std::vector<std::string> occupancyText(const KernelFacts& kernel, const Occupancy& occupancy);

} // namespace ptxwb
