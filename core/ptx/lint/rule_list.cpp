// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/lint.h"

#include <algorithm>

namespace ptxwb {

const std::vector<LintRule>& lintRules()
{
    using enum LintSeverity;
    static const std::vector<LintRule> rules{
        {"accumulator-write", Warning,
            "wgmma reads and writes its registers asynchronously: what other instructions wrote into them is "
            "ordered before it by wgmma.fence only",
            "asynchronous-warpgroup-level-matrix-instructions-wgmma-fence"},
        {"address-space", Warning,
            "an address counts within its own state space: in an instruction of another it names other "
            "memory, or none",
            "state-spaces"},
        {"asm-brace", Error,
            "a block that one asm opens takes in what the compiler writes behind it, unless another asm "
            "closes it",
            "inline-ptx"},
        {"asm-comment", Warning,
            "string pieces are one text: a // comment ends at the next \\n, not at the end of its string",
            "inline-ptx"},
        {"asm-operand", Error, "%n is the n-th operand of the asm statement, outputs first", "inline-ptx"},
        {"asm-percent", Error,
            "in an asm with operands %% is a percent sign and % begins an operand; in one without operands "
            "the text goes to ptxas as it is",
            "inline-ptx"},
        {"asm-semicolon", Error,
            "the text of the next asm, or what the compiler writes behind this one, is read as part of the "
            "statement",
            "inline-ptx"},
        {"bulk-commit", Warning,
            "cp.async.bulk.wait_group waits for committed groups only: a store that no commit_group closed "
            "is "
            "in none",
            "data-movement-and-conversion-instructions-cp-async-bulk-commit-group"},
        {"bulk-wait", Warning,
            "shared memory goes to the next CTA when this one ends: a bulk store that still reads it then "
            "stores what that CTA writes",
            "data-movement-and-conversion-instructions-cp-async-bulk-wait-group"},
        {"cluster-barrier", Warning,
            "barrier.cluster tells that the other CTAs of a cluster run, and that they still do",
            "parallel-synchronization-and-communication-instructions-barrier-cluster"},
        {"cp-async-wait", Warning,
            "cp.async is asynchronous: only a wait for its committed group, or an mbarrier, tells that it is "
            "over",
            "data-movement-and-conversion-instructions-cp-async-wait-group"},
        {"declaration-size", Error,
            "ptxas sets aside what a declaration asks for: far beyond what a kernel can use it runs for "
            "minutes, takes all memory, or counts wrongly",
            "variables"},
        {"descriptor-address", Warning,
            "the descriptor's start address is kept in units of 16 bytes: bits 4 to 17 of the address",
            "asynchronous-warpgroup-level-matrix-shared-memory-layout-matrix-descriptor"},
        {"every-thread", Warning,
            "one thread issues this for the whole CTA; of every thread it is done again",
            "tcgen05-mma-instructions-mma"},
        {"generic-address", Warning,
            "a variable's address counts within its own state space; an instruction that takes generic "
            "addresses needs it converted by cvta",
            "data-movement-and-conversion-instructions-cvta"},
        {"local-size", Warning, "a thread has 512 KiB of local memory at most: the launch fails",
            "local-state-space"},
        {"mbarrier-alignment", Warning, "an mbarrier is an object of 8 bytes at a multiple of 8",
            "parallel-synchronization-and-communication-instructions-mbarrier"},
        {"mbarrier-count", Warning,
            "the phases of an mbarrier end by this many arrivals: 1 to 2^20 - 1 can be counted",
            "parallel-synchronization-and-communication-instructions-mbarrier-init"},
        {"mbarrier-init", Warning,
            "mbarrier.init is an ordinary write: other threads see it behind a barrier, the TMA unit behind "
            "fence.mbarrier_init or fence.proxy.async",
            "parallel-synchronization-and-communication-instructions-mbarrier-init"},
        {"mbarrier-missing", Warning,
            "what no mbarrier.init has made is no mbarrier: arriving there and waiting for it is undefined",
            "parallel-synchronization-and-communication-instructions-mbarrier-init"},
        {"misaligned-access", Warning,
            "an access of n bytes needs an address of a multiple of n: elsewhere the kernel ends with a "
            "misaligned address",
            "addresses-as-operands"},
        {"mixed-cta-group", Warning,
            "all tcgen05 instructions of a kernel must name the same .cta_group; mixing them is undefined",
            "tcgen05-mma-instructions-mma"},
        {"modifier-order", Info, "the words stand in another order than the manual writes them",
            "instruction-statements"},
        {"modifier-place", Error, "ptxas takes this word directly behind the instruction's name only",
            "instruction-statements"},
        {"needs-target", Error, "the instruction does not exist on the .target of the file",
            "ptx-module-directives-target"},
        {"needs-version", Error, "the instruction came with a later .version than the file asks for",
            "ptx-module-directives-version"},
        {"not-known", Info, "the word is of a later PTX ISA than 9.0, which this lint does not know",
            "release-notes"},
        {"one-thread", Warning,
            "an instruction of all threads of a warp is undefined where only some of them come by, or waits "
            "for "
            "the others for ever",
            "control-flow-instructions"},
        {"operand-count", Error, "the instruction takes another number of operands", "instruction-operands"},
        {"operand-type", Error,
            "an operand's register must have the instruction's width, and be no predicate where a value is "
            "meant",
            "operand-size-exceeding-instruction-type-size"},
        {"out-of-bounds", Warning,
            "what lies behind a variable is another one, or memory that the launch does not have",
            "variables"},
        {"phase-parity", Warning,
            "the parity of an mbarrier's phase changes with each phase: the one waited for must change too",
            "parallel-synchronization-and-communication-instructions-mbarrier-test-wait-try-wait"},
        {"proxy-fence", Warning,
            "bulk copies read shared memory through the async proxy: ordinary writes are ordered before them "
            "by fence.proxy.async only",
            "async-proxy"},
        {"setmaxnreg-budget", Warning,
            "setmaxnreg.inc waits until the CTA's pool has the registers: when the sum over the warpgroups "
            "is "
            "more than the pool, it waits for ever",
            "miscellaneous-instructions-setmaxnreg"},
        {"setmaxnreg-entry", Warning,
            "without these limits ptxas cannot tell the registers at entry, and leaves setmaxnreg "
            "out",
            "miscellaneous-instructions-setmaxnreg"},
        {"setmaxnreg-value", Error, "the count must be a multiple of 8 in 24 to 256",
            "miscellaneous-instructions-setmaxnreg"},
        {"shared-alignment", Warning,
            "TMA writes to addresses of a multiple of 128 bytes (16 for plain bulk copies), and a swizzle "
            "pattern repeats from a multiple of its own size",
            "data-movement-and-conversion-instructions-cp-async-bulk-tensor"},
        {"tcgen05-columns", Error, "a count of columns is a power of two from 32 to 512",
            "tcgen05-instructions-tcgen05-alloc-dealloc-relinquish-alloc-permit"},
        {"tcgen05-commit", Warning,
            "tcgen05.mma is asynchronous: only the mbarrier of a tcgen05.commit tells when it is over",
            "tcgen05-mma-instructions-tcgen05-commit"},
        {"tcgen05-dealloc", Warning,
            "tensor memory that a kernel does not give back, all of it, before it ends is lost to the next "
            "CTA on the SM",
            "tcgen05-instructions-tcgen05-alloc-dealloc-relinquish-alloc-permit"},
        {"tcgen05-descriptor", Warning,
            "tcgen05.mma takes shape and types from its instruction descriptor: a value that is none is "
            "undefined",
            "tcgen05-instruction-descriptor"},
        {"tcgen05-overcommit", Warning, "an allocation that does not fit waits for ever",
            "tcgen05-instructions-tcgen05-alloc-dealloc-relinquish-alloc-permit"},
        {"tcgen05-wait", Warning,
            "tcgen05.ld is asynchronous: its registers hold what was loaded behind tcgen05.wait::ld only",
            "tcgen05-instructions-tcgen05-wait"},
        {"tensor-map-alignment", Warning, "a tensor map lies at a multiple of 64 bytes", "tensor-tensormap"},
        {"thread-count", Warning,
            "an instruction of more threads than the block has waits for them, or is undefined",
            "performance-tuning-directives-reqntid"},
        {"tx-count", Warning,
            "a barrier's phase ends when exactly the announced bytes have arrived: another sum makes the "
            "waiters hang, or go on too early",
            "parallel-synchronization-and-communication-instructions-mbarrier-expect-tx"},
        {"tx-expect", Warning,
            "the bytes of a copy count for a barrier that was told to expect them: without it the phase ends "
            "early, or never",
            "parallel-synchronization-and-communication-instructions-mbarrier-expect-tx"},
        {"undeclared-register", Error, "a register is declared by .reg before its use",
            "register-state-space"},
        {"uninitialised-register", Warning, "a register holds anything until it is written",
            "register-state-space"},
        {"unknown-instruction", Error, "no instruction has this name", "instruction-set"},
        {"unknown-modifier", Error, "the instruction takes no such word", "instruction-set"},
        {"unused-register", Info, "the declaration can go", "register-state-space"},
        {"unwritten-form", Warning,
            "ptxas takes the form and the manual does not have it: what becomes of it is written nowhere",
            "instruction-set"},
        {"wait-forever", Warning, "a phase ends when as many as were told to mbarrier.init have arrived",
            "parallel-synchronization-and-communication-instructions-mbarrier-arrive"},
        {"wait-missing", Warning,
            "copies and other roles run beside those that need them: only a wait for the phase of the "
            "mbarrier "
            "tells that they are done",
            "parallel-synchronization-and-communication-instructions-mbarrier-test-wait-try-wait"},
        {"wait-result", Warning,
            "try_wait gives up after a while and test_wait does not wait at all: only their predicate tells "
            "whether the phase is over",
            "parallel-synchronization-and-communication-instructions-mbarrier-test-wait-try-wait"},
        {"wgmma-commit", Warning,
            "wgmma.wait_group waits for committed groups only: without wgmma.commit_group it waits for "
            "nothing",
            "asynchronous-warpgroup-level-matrix-instructions-wgmma-commit-group"},
        {"wgmma-fence", Warning,
            "the first wgmma.mma_async needs a wgmma.fence before it, which orders the registers and shared "
            "memory that it reads",
            "asynchronous-warpgroup-level-matrix-instructions-wgmma-fence"},
        {"wgmma-wait", Warning,
            "the accumulators belong to wgmma until wgmma.wait_group says that their group is done",
            "asynchronous-warpgroup-level-matrix-instructions-wgmma-wait-group"},
    };
    return rules;
}

const LintRule* findLintRule(std::string_view id)
{
    const auto& rules = lintRules();
    const auto found = std::lower_bound(rules.begin(), rules.end(), id,
        [](const LintRule& rule, std::string_view wanted) { return rule.id < wanted; });
    return found != rules.end() && found->id == id ? &*found : nullptr;
}

} // namespace ptxwb
