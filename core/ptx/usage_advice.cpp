// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/usage_advice.h"

#include <array>

namespace ptxwb {

namespace {

struct Advice {
    std::string_view prefix{}; ///< of the mnemonic
    std::string_view words{};
};

constexpr std::array advices = std::to_array<Advice>({
    {"wgmma.mma_async", "All four warps of the warpgroup execute it together, from warp 0 modulo 4 on."},
    {"wgmma.mma_async",
        "Before the first one, and after other instructions touched its registers: "
        "wgmma.fence.sync.aligned."},
    {"wgmma.mma_async",
        "Operands that threads wrote to shared memory need fence.proxy.async before it; data that TMA "
        "brought does not."},
    {"wgmma.mma_async",
        "After the last one of a batch: wgmma.commit_group; before accumulators are read or operands "
        "overwritten: wgmma.wait_group."},
    {"wgmma.mma_async",
        "16-bit elements, K-major: for each K step of 16 the start address field of the 64-bit descriptors "
        "of A and B advances by 2 (32 bytes)."},
    {"wgmma.fence",
        "Needed before the first wgmma.mma_async and whenever ordinary instructions changed an accumulator "
        "or an A fragment; wgmmas of one shape on the same accumulator need none between them."},
    {"wgmma.commit_group",
        "Closes the batch of all wgmmas of this warpgroup so far; wgmma.wait_group counts such batches."},
    {"wgmma.wait_group",
        "The number is how many batches may still run: 0 waits for all. Without it the accumulators are not "
        "defined."},
    {"cp.async.bulk.tensor", "One thread issues it (elect.sync or a single lane)."},
    {"cp.async.bulk.tensor",
        "Into shared memory: the mbarrier must expect as many bytes as all copies of the phase bring "
        "(mbarrier.arrive.expect_tx); a wrong number hangs."},
    {"cp.async.bulk.tensor",
        "Out of shared memory: fence.proxy.async after the threads' stores and a barrier, then the copy, "
        "cp.async.bulk.commit_group, and wait_group.read before the buffer is written again."},
    {"cp.async.bulk.tensor",
        "The shared address must be a multiple of 128 bytes; with swizzle the pattern repeats every 1024, "
        "512 or 256 bytes."},
    {"cp.async.bulk.tensor",
        "The tensor map's address must be known to the kernel as .param, .const or .global; a map changed on "
        "the device needs fence.proxy.tensormap."},
    {"cp.async.bulk", "Sizes and addresses are multiples of 16 bytes."},
    {"cp.async.bulk.wait_group",
        "With .read it waits only until the sources may be overwritten; before the kernel ends or others "
        "read the result, wait without .read."},
    {"cp.reduce.async.bulk",
        "Needs fence.proxy.async after the threads' stores to the source, and a bulk group to wait for."},
    {"cp.async.ca",
        "Complete only after cp.async.commit_group and wait_group (or cp.async.mbarrier.arrive), and for "
        "other threads after a barrier."},
    {"cp.async.cg",
        "Complete only after cp.async.commit_group and wait_group, and for other threads after a barrier."},
    {"mbarrier.init",
        "One thread, then fence.mbarrier_init.release.cluster where a cluster or TMA uses it, then a barrier "
        "before anybody else touches it."},
    {"mbarrier.arrive",
        "The phase ends when the pending arrivals and the expected bytes are both zero; the barrier then "
        "counts anew."},
    {"mbarrier.expect_tx", "Raises the bytes of the current phase; must come before the phase can end."},
    {"mbarrier.try_wait",
        "It may return false: loop until true. The parity is of the phase waited for: 0 for the first, then "
        "alternating."},
    {"mbarrier.test_wait",
        "It may return false: loop until true. The parity is of the phase waited for: 0 for the first, then "
        "alternating."},
    {"setmaxnreg", "The number is a multiple of 8 from 24 to 256."},
    {"setmaxnreg",
        "All warps of the warpgroup execute it; the kernel must state its threads (.reqntid or .maxntid), "
        "and "
        ".minnctapersm unless its size alone lets one CTA on an SM; else ptxas ignores it (C7508)."},
    {"setmaxnreg",
        "The sum over all warpgroups must fit the registers that the CTA began with; .inc waits until others "
        "gave some back."},
    {"fence.proxy.async",
        "Orders generic accesses of this thread before later asynchronous ones (TMA, wgmma); each thread "
        "that wrote must execute it, then a barrier, then the copy."},
    {"barrier.cluster.arrive",
        "Every thread of the cluster arrives; pair each with barrier.cluster.wait. CTAs must not exit while "
        "others use their shared memory."},
    {"mapa", "The address is good only while the other CTA runs: end with a cluster barrier."},
    {"st.async", "Tells an mbarrier in the destination CTA; that mbarrier must expect the bytes."},
    {"ldmatrix", "Each row address is a multiple of 16 bytes; all 32 lanes execute it."},
    {"stmatrix", "Each row address is a multiple of 16 bytes; all 32 lanes execute it."},
    {"tcgen05.alloc",
        "One warp executes it; columns are a power of two from 32 to 512; it may wait for another CTA's "
        "dealloc. Every allocation must be freed before the kernel ends."},
    {"tcgen05.alloc", "The address arrives in shared memory: a barrier before other warps read it."},
    {"tcgen05.dealloc", "After it, tcgen05.relinquish_alloc_permit where this CTA allocates no more."},
    {"tcgen05.mma", "One thread issues it; tcgen05.commit then tells an mbarrier when it is done."},
    {"tcgen05.mma", "Operands that threads wrote to shared memory need fence.proxy.async before it."},
    {"tcgen05.mma",
        "After the mbarrier's wait: tcgen05.fence::after_thread_sync before the result is read by "
        "tcgen05.ld."},
    {"tcgen05.mma", "All tcgen05 instructions of a kernel use the same cta_group."},
    {"tcgen05.ld",
        "Asynchronous: tcgen05.wait::ld before the registers are used. A warp reaches only its own quarter "
        "of the lanes."},
    {"tcgen05.st",
        "Asynchronous: tcgen05.wait::st before others read, and tcgen05.fence::before_thread_sync before the "
        "barrier."},
    {"tcgen05.commit",
        "The mbarrier arrival stands for all tcgen05 operations that this thread issued before."},
    {"griddepcontrol.wait", "Memory written by the kernel before is visible only after it."},
    {"bar.sync",
        "As many threads as the count says must arrive. Threads that have exited do not arrive, so the count "
        "must not include them."},
    {"barrier.sync",
        "As many threads as the count says must arrive. Threads that have exited do not arrive, so the count "
        "must not include them."},
    {"elect.sync", "All lanes of the mask execute it; exactly one gets true."},
});

} // namespace

std::vector<std::string_view> usageAdvice(std::string_view mnemonic)
{
    std::vector<std::string_view> found;
    for (const auto& advice : advices) {
        const bool same = mnemonic == advice.prefix;
        if (same || (mnemonic.starts_with(advice.prefix) && mnemonic[advice.prefix.size()] == '.')) {
            found.push_back(advice.words);
        }
    }
    return found;
}

} // namespace ptxwb
