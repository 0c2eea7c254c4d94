// SPDX-License-Identifier: Apache-2.0
// Twins of the rules about whole roles: who waits for which barrier, in which phase, with how many registers.
#include "lint_kernels.h"

namespace ptxwb::test {

void addBarrierTwins(const AddTwin& row)
{
    const std::string dec40 = "    setmaxnreg.dec.sync.aligned.u32 40;\n";
    const std::string inc40 = "    setmaxnreg.inc.sync.aligned.u32 40;\n";
    const std::string inc232 = "    setmaxnreg.inc.sync.aligned.u32 232;\n";
    const std::string inc168 = "    setmaxnreg.inc.sync.aligned.u32 168;\n";
    const auto ofThree = [](const std::string& body) { return kernel(body, "9.0", "sm_90a", limits); };
    row("producer that gives nothing back", "setmaxnreg-budget", ofThree(roles("", inc232)),
        ofThree(roles(dec40, inc232)), "setmaxnreg.inc.sync.aligned.u32 232");
    row("nothing to give back", "setmaxnreg-budget", ofThree(roles("", inc232)), ofThree(roles("", inc168)),
        "setmaxnreg.inc.sync.aligned.u32 232");
    row("increase to fewer", "setmaxnreg-budget", ofThree(roles(inc40, inc168)),
        ofThree(roles(dec40, inc168)), "setmaxnreg.inc.sync.aligned.u32 40");
    // ptxas 13.0 gives the kernel of the twin 240 registers at entry, not the 256 that would fit.
    const auto ofTwo = [](const std::string& body) {
        return kernel(body, "9.0", "sm_90a", ".maxntid 256\n.minnctapersm 1\n");
    };
    const std::string inc240 = "    setmaxnreg.inc.sync.aligned.u32 240;\n";
    row("entry at the largest increase", "setmaxnreg-budget", ofTwo(roles(inc40, inc240)),
        ofTwo(roles(dec40, inc240)), "setmaxnreg.inc.sync.aligned.u32 40");

    row("waits again when it is over", "wait-result", kernel("W:\n" + tryWait + "    @%p1 bra W;\n"),
        kernel("W:\n" + tryWait + "    @!%p1 bra W;\n"), "@%p1 bra W");
    row("goes on when it is over", "wait-result", kernel("W:\n" + tryWait + "    @%p1 bra W;\n"),
        kernel("W:\n" + tryWait + "    @%p1 bra D;\n    bra W;\nD:\n"), "@%p1 bra W");

    const std::string remote = "    mapa.shared::cluster.u32 %r3, %r2, 0;\n"
                               "    mbarrier.arrive.shared::cluster.b64 _, [%r3];\n";
    const auto cluster = [&](const std::string& size) {
        return kernel(remote, "9.0", "sm_90a", ".reqnctapercluster " + size + "\n");
    };
    row("cluster of two", "cluster-barrier", cluster("2, 1, 1"), cluster("1, 1, 1"),
        "mapa.shared::cluster.u32");
}

// Two roles at a ring of two stages: `full` barriers at %r1, others 16 bytes behind.
std::string pipeline(const std::string& before, const std::string& flip)
{
    const std::string stage = "    shl.b32 %r3, %r2, 3;\n    add.u32 %r4, %r1, %r3;\n";
    const std::string step =
        "    add.u32 %r2, %r2, 1;\n    setp.eq.u32 %p4, %r2, 2;\n    @%p4 mov.b32 %r2, 0;\n";
    const std::string more = "    setp.lt.u32 %p2, %r6, %r7;\n";
    std::string inits;
    for (const char* const at : {"", "+8", "+16", "+24"}) {
        inits += std::string("    mbarrier.init.shared::cta.b64 [%r1") + at + "], 1;\n";
    }
    return kernel("    mov.b32 %r1, bars;\n    mov.b32 %r5, data;\n    mov.b32 %r2, 0;\n" + inits
            + "    fence.mbarrier_init.release.cluster;\n    bar.sync 0;\n    @%p3 bra C;\nP:\n" + stage
            + "    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r4], 64;\n"
              "    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], [%rd1], 64, "
              "[%r4];\n"
            + step + more + "    @%p2 bra P;\n    bra D;\nC:\n    mov.b32 %r8, 0;\nL:\n" + stage + before
            + "    ld.shared.u32 %r3, [%r5];\n" + step + flip + more + "    @%p2 bra L;\nD:\n",
        "9.0", "sm_90a", {}, ".shared .align 8 .b8 bars[32];\n.shared .align 128 .b8 data[8192];\n");
}

void addPipelineTwins(const AddTwin& row)
{
    const auto waitAt = [](const std::string& barrier) {
        return "W:\n    mbarrier.try_wait.parity.shared::cta.b64 %p1, [" + barrier
            + "], %r8;\n    @!%p1 bra W;\n";
    };
    const std::string flip = "    @%p4 xor.b32 %r8, %r8, 1;\n";
    const auto right = pipeline(waitAt("%r4"), flip);
    row("copy that nothing waits for", "wait-missing", pipeline("", flip), right, "[%r4]");
    row("wait for the other barriers", "wait-missing", pipeline(waitAt("%r4+16"), flip), right, "[%r4]");
    row("arrival that nothing waits for", "wait-missing",
        pipeline(waitAt("%r4"), flip + "    mbarrier.arrive.shared::cta.b64 _, [%r4+16];\n"), right,
        "[%r4+16]");
    const std::string branch = "    setp.eq.u32 %p5, %r3, %r7;\n    @%p5 bra X;\n";
    row("parity of a ring beside a branch", "phase-parity",
        pipeline(waitAt("%r4"), branch + "    st.shared.u32 [%r5], %r3;\nX:\n"),
        pipeline(branch + waitAt("%r4") + "X:\n", ""), "%r8"); // not in every round: who knows in which
    row("parity of another role's ring", "phase-parity", pipeline(waitAt("%r4"), ""), right, "%r8");

    // Inlined asm repeats its labels: a branch means that of its own block.
    const auto inlined = [](const std::string& barrier) {
        return "    {\n    .reg .pred P1;\nWAIT:\n    mbarrier.try_wait.parity.shared::cta.b64 P1, ["
            + barrier + "], 0;\n    @P1 bra DONE;\n    bra WAIT;\nDONE:\n    }\n";
    };
    row("labels that two blocks share", "wgmma-wait",
        kernel(inlined("%r2") + fence + inlined("%r2") + mma + commit + inlined("%r2")),
        kernel(inlined("%r2") + fence + inlined("%r2") + mma + commit + inlined("%r2") + wait),
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16");
    // elect.sync chooses one thread each time: what it made it may use at once.
    const std::string elected = "    elect.sync _|%p1, -1;\n    @!%p1 bra ";
    const auto byOne = [&](const std::string& use) {
        return kernel(elected
            + "MADE;\n    mbarrier.init.shared::cta.b64 [%r2], 1;\n"
              "    fence.mbarrier_init.release.cluster;\nMADE:\n"
            + use + "    bar.sync 0;\n" + inlined("%r2"));
    };
    const std::string bulkCopy = "    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 64;\n"
                                 "    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                                 "[%r5], [%rd1], 64, [%r2];\n";
    row("copy by all before the barrier is made", "mbarrier-init", byOne(bulkCopy),
        byOne(elected + "USED;\n" + bulkCopy + "USED:\n"), "mbarrier.init.shared::cta.b64 [%r2], 1");
}

} // namespace ptxwb::test
