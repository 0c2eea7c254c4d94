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
    int mbarrierWaits = 0; ///< SYNCS.PHASECHK; a wait whose retry ptxas set apart has two
    int tmaCopies = 0; ///< UTMALDG, UTMASTG, UTMAREDG, UBLKCP
    int ctaBarriers = 0; ///< BAR.SYNC, BAR.RED
    int clusterBarriers = 0; ///< UCGABAR_WAIT
    int localAccesses = 0; ///< LDL and STL: spilled registers or local arrays
    int asyncCopies = 0; ///< LDGSTS (cp.async)
    int asyncWaits = 0; ///< DEPBAR for groups of copies: cp.async.wait_group, cp.async.bulk.wait_group
    int globalLoads = 0; ///< LDG, LD
    int sharedLoads = 0; ///< LDS, LDSM
    int stores = 0; ///< STG, ST, STS, STSM
    int atomics = 0; ///< ATOM, ATOMG, ATOMS, RED, REDG
};

/// A natural loop. Counted are the rows from its entry to its last branch back; those that ptxas put out of
/// line (the retries of a wait) have a number of their own.
struct LoopSummary {
    int first = 0; ///< row index where it is entered
    int last = 0; ///< row index of the last branch back
    RowCounts counts{};
    int rowsOutOfLine = 0;
    /// Sums of the stall fields, without rows out of line: issuing a trip takes at least this on its longest
    /// and on its shortest way; 0 without encodings.
    int stallCycles = 0;
    int fewestStallCycles = 0;
    std::vector<int> slotsBetweenProducts{}; ///< rows between neighbouring tensor products of the trip
    int waitsAmongProducts =
        0; ///< WARPGROUP.DEPBAR between the first and the last product: they run one by one
};

struct KernelSummary {
    RowCounts all{};
    std::vector<LoopSummary> tensorLoops{}; ///< innermost loops that hold tensor products
    std::vector<LoopSummary> copyLoops{}; ///< innermost loops that start TMA copies and hold no product
    /// Where there are neither: the other innermost loops, but for those that only retry a wait on an
    /// mbarrier.
    std::vector<LoopSummary> otherLoops{};
    /// Tensor memory that a CTA allocates, as far as the rows say: the largest of its allocations.
    int tensorColumns = 0;
    bool hasMoreTensorColumns = false; ///< it has several allocations, or one of a size that is not known
};

KernelSummary summarise(const SassKernel& kernel, const ControlFlow& flow);

/// One line for the kernel and one per loop, for people.
std::string summaryText(const SassKernel& kernel, const KernelSummary& summary);

} // namespace ptxwb
