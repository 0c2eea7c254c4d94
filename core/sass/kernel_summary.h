// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/control_flow.h"

namespace ptxwb {

/// Sites of the instructions that an expert looks for first, in a range of rows.
struct RowCounts {
    int rows = 0;
    int tensorProducts = 0; ///< GMMA, MMA from registers, UTC*MMA
    int tensorWaits = 0; ///< WARPGROUP.DEPBAR
    int tensorFences = 0; ///< WARPGROUP.ARRIVE
    int mbarrierWaits = 0; ///< SYNCS.PHASECHK
    int tmaCopies = 0; ///< UTMALDG, UTMASTG, UTMAREDG, UBLKCP
    int ctaBarriers = 0; ///< BAR.SYNC, BAR.RED
    int spills = 0; ///< LDL and STL
};

/// A natural loop. Rows out of its line (the retries of a wait, behind the kernel's end) are counted with it.
struct LoopSummary {
    int first = 0; ///< row index where it is entered
    int last = 0; ///< row index of the last branch back
    RowCounts counts{};
    int stallCycles =
        0; ///< sum of the stall fields: what one trip costs a warp at least; 0 without encodings
    std::vector<int> slotsBetweenProducts{}; ///< rows between neighbouring tensor products of the trip
    int waitsAmongProducts =
        0; ///< WARPGROUP.DEPBAR between the first and the last product: they run one by one
};

struct KernelSummary {
    RowCounts all{};
    std::vector<LoopSummary> tensorLoops{}; ///< innermost loops that hold tensor products
    std::vector<LoopSummary> copyLoops{}; ///< innermost loops that start TMA copies and hold no product
};

KernelSummary summarise(const SassKernel& kernel, const ControlFlow& flow);

/// One line for the kernel and one per loop, for people.
std::string summaryText(const SassKernel& kernel, const KernelSummary& summary);

/// Warps that the registers of one multiprocessor hold: 65536 registers, given out in units of 256 per warp,
/// at most 64 warps (CUDA C++ Programming Guide, compute capabilities 9.0 and 10.0).
int warpsByRegisters(int registersPerThread);

/// A C++ name as it was written ("void gemm<128>(float*)"); empty when `name` is no mangled one.
std::string demangled(std::string_view name);

} // namespace ptxwb
