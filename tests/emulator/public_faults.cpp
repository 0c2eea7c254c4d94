// SPDX-License-Identifier: Apache-2.0
#include "tests/emulator/public_faults.h"

namespace ptxwb::emulator {

namespace {

const std::string mapsTile = "mapa.shared::cluster.u32 %r6, %r3, %r10;\n";
const std::string meetCluster = "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n";
const std::string peer = "mov.u32 %r9, %cluster_ctarank;\nxor.b32 %r10, %r9, 1;\n";
const std::string result = "st.global.u32 [%rd2], %r5;\n";

std::string init(const std::string& count, int barriers = 1)
{
    std::string text = "@!%p bra READY;\n";
    for (int i = 0; i < barriers; ++i) {
        text += "mbarrier.init.shared::cta.b64 [%r2+" + std::to_string(8 * i) + "], " + count + ";\n";
    }
    return text + "fence.mbarrier_init.release.cluster;\nREADY:\nbar.sync 0;\n";
}

std::string waitFor(const std::string& label, const std::string& barrier = "[%r2+0]")
{
    return label + ":\nmbarrier.try_wait.parity.shared::cta.b64 %q, " + barrier + ", 0;\n@!%q bra " + label
        + ";\n";
}

/// Thread 0 expects and copies `bytes` of the input to the same place of the tile.
std::string load(const std::string& barrier, int offset, int bytes)
{
    const auto at = std::to_string(offset);
    const auto count = std::to_string(bytes);
    return "@%p mbarrier.arrive.expect_tx.shared::cta.b64 _, " + barrier + ", " + count
        + ";\n@%p cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1+" + at + "], [%rd1+"
        + at + "], " + count + ", " + barrier + ";\n";
}

/// A (64 x 16) and B (8 x 16) of f16 written by all threads; `describe` makes descriptors of them.
std::string writeOperands(int threads)
{
    std::string text;
    for (int at = 0; at < 2304; at += 4 * threads) {
        text += "st.shared.u32 [%r3+" + std::to_string(at) + "], %r8;\n";
    }
    return text + "fence.proxy.async.shared::cta;\n";
}

const std::string describe =
    "mov.b32 %r8, 0x3C003C00;\nshr.u32 %r11, %r1, 4;\ncvt.u64.u32 %rd4, %r11;\n"
    "or.b64 %rd4, %rd4, 0x0000001000080000;\nadd.u64 %rd5, %rd4, 128;\n"
    "mov.f32 %f0, 0f00000000;\nmov.f32 %f1, %f0;\nmov.f32 %f2, %f0;\nmov.f32 %f3, %f0;\n"
    "setp.eq.u32 %s, %r0, %r0;\n";
const std::string product =
    "wgmma.fence.sync.aligned;\n"
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd4, %rd5, "
    "%s, 1, 1, 0, 0;\nwgmma.commit_group.sync.aligned;\n";
const std::string ownWait = "wgmma.wait_group.sync.aligned 0;\n";
const std::string sum = "add.f32 %f0, %f0, %f1;\nadd.f32 %f2, %f2, %f3;\nadd.f32 %f0, %f0, %f2;\n"
                        "st.global.f32 [%rd2], %f0;\n";
const std::string twice = "add.u32 %r7, %r7, 1;\nsetp.lt.u32 %q, %r7, 2;\n@%q bra AGAIN;\n";

std::vector<PublicFault> betweenAgents()
{
    const std::string countedCopies = init("33")
        + "setp.lt.u32 %s, %r0, 32;\n@%s ld.global.u32 %r5, [%rd3];\n@%s st.shared.u32 [%r3], %r5;\n"
          "@%s mbarrier.arrive.shared::cta.b64 _, [%r2+0];\n"
        + load("[%r2+0]", 128, 128) + waitFor("W") + "ld.shared.u32 %r5, [%r3];\n" + result;
    const std::string twoOperands = init("1", 2) + load("[%r2+0]", 0, 256) + load("[%r2+8]", 256, 256)
        + waitFor("WB", "[%r2+8]") + waitFor("WA")
        + "ld.shared.u32 %r5, [%r3];\nld.shared.u32 %r6, [%r3+256];\n" + "add.u32 %r5, %r5, %r6;\n" + result;
    const std::string threeLoads = init("1", 3) + load("[%r2+0]", 0, 256) + load("[%r2+8]", 256, 256)
        + load("[%r2+16]", 512, 256) + waitFor("W0") + waitFor("W1", "[%r2+8]") + waitFor("W2", "[%r2+16]")
        + "ld.shared.u32 %r5, [%r3];\nld.shared.u32 %r6, [%r3+256];\nadd.u32 %r5, %r5, %r6;\n"
          "ld.shared.u32 %r6, [%r3+512];\nadd.u32 %r5, %r5, %r6;\n"
        + result;
    const std::string emptySequence =
        "mov.b32 %r5, 0;\nst.shared.u32 [%r3], %r5;\nfence.proxy.async.shared::cta;\n"
        "ld.global.u32 %r7, [%rd1+4];\nSTEP:\nsetp.eq.u32 %q, %r7, 0;\n@%q bra STORE;\n"
        "st.shared.u32 [%r3], %r7;\nfence.proxy.async.shared::cta;\n"
        "sub.u32 %r7, %r7, 1;\nbra STEP;\nSTORE:\nbar.sync 0;\n@!%p bra END;\n"
        "cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r1], 256;\n"
        "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nEND:\n";
    const std::string storeTile = "cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r1], 256;\n"
                                  "cp.async.bulk.commit_group;\n";
    const std::string fenced =
        "st.shared.u32 [%r3], %r0;\nfence.proxy.async.shared::cta;\nbar.sync 0;\n@!%p bra END;\n" + storeTile
        + "cp.async.bulk.wait_group 0;\nEND:\n";
    return {
        {"arrivals are counted of threads that only copy when the bulk copy cannot",
            "tile-ai/tilelang/issues/2567", countedCopies, "@%s mbarrier.arrive", "@%p mbarrier.arrive",
            RuleId::Deadlock, "mbarrier.try_wait"},
        {"the wait for one operand comes after its use", "facebookexperimental/CUTracer/pull/106",
            twoOperands, waitFor("WA") + "ld.shared.u32 %r5, [%r3];\n",
            "ld.shared.u32 %r5, [%r3];\n" + waitFor("WA"), RuleId::Race, "ld.shared.u32 %r5"},
        {"only one of two operands is waited for", "facebookexperimental/CUTracer/pull/106", twoOperands,
            waitFor("WB", "[%r2+8]"), "", RuleId::Race, "ld.shared.u32 %r6"},
        {"fewer mbarriers than loads in flight", "NVIDIA/Fuser/pull/5862", threeLoads,
            load("[%r2+16]", 512, 256) + waitFor("W0") + waitFor("W1", "[%r2+8]") + waitFor("W2", "[%r2+16]"),
            load("[%r2+0]", 512, 256) + waitFor("W0") + waitFor("W1", "[%r2+8]") + waitFor("W2"),
            RuleId::BarrierMisuse, "mbarrier.arrive.expect_tx"},
        {"the only fence stands in a loop that an empty sequence skips", "MoonshotAI/FlashKDA/issues/24",
            emptySequence, "st.shared.u32 [%r3], %r5;\nfence.proxy.async.shared::cta;\n",
            "st.shared.u32 [%r3], %r5;\n", RuleId::MissingProxyFence, "cp.async.bulk.global"},
        {"the proxy fence stands behind the store that needs it", "facebookexperimental/triton/pull/368",
            fenced, "fence.proxy.async.shared::cta;\nbar.sync 0;\n@!%p bra END;\n" + storeTile,
            "bar.sync 0;\n@!%p bra END;\n" + storeTile + "fence.proxy.async.shared::cta;\n",
            RuleId::MissingProxyFence, "cp.async.bulk.global"},
    };
}

std::vector<PublicFault> ofProducts()
{
    const std::string loop = describe + "mov.b32 %r7, 0;\nAGAIN:\n" + writeOperands(256) + "bar.sync 0;\n"
        + product + ownWait + "bar.sync 1;\n" + twice + sum;
    const std::string pipelined = describe + "mov.b32 %r7, 0;\nAGAIN:\n" + writeOperands(128)
        + "bar.sync 0;\n" + product + "wgmma.wait_group.sync.aligned 0;\nbar.sync 1;\n" + twice + ownWait
        + sum;
    const std::string refill = describe + writeOperands(256) + "bar.sync 0;\n" + product + ownWait
        + "bar.sync 1;\nsetp.lt.u32 %q, %r0, 128;\n@%q cp.async.ca.shared.global [%r3], [%rd3], 4;\n"
          "cp.async.wait_all;\n"
        + sum;
    return {
        {"two warpgroups multiply from one tile, and one of them writes it again after its own wait",
            "tile-ai/tilelang/issues/2613", loop, "bar.sync 1;\n", "", RuleId::Race,
            "st.shared.u32 [%r3|wgmma.mma_async", 256},
        {"a wait for wgmma is taken for one of all warpgroups", "triton-lang/triton/issues/11047", refill,
            "bar.sync 1;\n", "", RuleId::Race, "cp.async.ca|wgmma.mma_async", 256},
        {"wgmma in flight on a tile that has no second buffer", "triton-lang/triton/pull/3106", pipelined,
            "wgmma.wait_group.sync.aligned 0;\nbar.sync 1;", "wgmma.wait_group.sync.aligned 1;\nbar.sync 1;",
            RuleId::Race, "st.shared.u32 [%r3|wgmma.mma_async", 128},
    };
}

std::vector<PublicFault> ofClusters()
{
    const std::string leave = peer + mapsTile + "st.shared.u32 [%r3], %r0;\n" + meetCluster
        + "ld.shared::cluster.u32 %r5, [%r6];\n" + meetCluster + result;
    const std::string enter = peer + mapsTile + "mov.b32 %r5, 7;\nst.shared.u32 [%r3], %r5;\n" + meetCluster
        + "st.shared::cluster.u32 [%r6], %r0;\n" + meetCluster + "ld.shared.u32 %r5, [%r3];\n" + result;
    const std::string first = "setp.eq.u32 %s, %r9, 0;\nand.pred %s, %s, %p;\nmov.b16 %h0, 3;\n";
    const std::string multicast = "@%s cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                                  ".multicast::cluster [%r1], [%rd1], 256, [%r2+0], %h0;\n";
    const std::string shared = peer + first + init("1")
        + "@%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2+0], 256;\n" + meetCluster + multicast
        + waitFor("W") + "ld.shared.u32 %r5, [%r3];\n" + meetCluster + result;
    const std::string mixed = peer + first + init("1")
        + "mov.b32 %r8, 512;\n@%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2+0], %r8;\n" + meetCluster
        + multicast
        + "@%p cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1+256], [%rd1+256], 256, "
          "[%r2+0];\n"
        + waitFor("W") + "ld.shared.u32 %r5, [%r3];\nld.shared.u32 %r6, [%r3+256];\nadd.u32 %r5, %r5, %r6;\n"
        + meetCluster + result;
    const std::string remote = peer + init("1") + meetCluster
        + "mapa.shared::cluster.u32 %r6, %r2, %r10;\n"
          "@%p mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r6];\n"
          "W:\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %q, [%r2+0], 0;\n@!%q bra W;\n"
          "mov.b32 %r5, 1;\n"
        + meetCluster + result;
    return {
        {"a CTA ends while its peer still reads its shared memory", "facebookexperimental/triton/pull/1105",
            leave, "[%r6];\n" + meetCluster, "[%r6];\n", RuleId::Race, "ld.shared::cluster", 64, 2},
        {"a store to a CTA that has not begun", "facebookexperimental/triton/pull/2292", enter,
            "[%r3], %r5;\n" + meetCluster, "[%r3], %r5;\n", RuleId::Race, "st.shared::cluster|st.shared.u32",
            64, 2},
        {"a multicast signals every CTA, one of them expects it", "facebookexperimental/triton/pull/908",
            shared, "@%p mbarrier.arrive.expect_tx", "@%s mbarrier.arrive.expect_tx", RuleId::Deadlock,
            "mbarrier.try_wait", 64, 2},
        {"bytes of a multicast are expected by the CTA alone that issues it",
            "flashinfer-ai/flashinfer-bench/pull/183", mixed, "mov.b32 %r8, 512;\n",
            "setp.eq.u32 %q, %r9, 0;\nselp.b32 %r8, 512, 256, %q;\n", RuleId::TxCountMismatch,
            "mbarrier.try_wait|mbarrier.arrive|cp.async.bulk", 64, 2},
        {"a local arrival at another CTA's mbarrier", "apache/tvm/pull/20074", remote,
            "mbarrier.arrive.release.cluster.shared::cluster.b64", "mbarrier.arrive.shared::cta.b64",
            RuleId::BarrierMisuse, "mbarrier.arrive", 64, 2},
    };
}

std::vector<PublicFault> ofLanes()
{
    const std::string meet = "bar.warp.sync 0xffffffff;\n";
    const std::string found = "st.shared.u32 [%r3], %r0;\nmov.b32 %r5, %r0;\n"
                              "shfl.sync.bfly.b32 %r6, %r5, 1, 31, 0xffffffff;\nadd.u32 %r5, %r5, %r6;\n"
        + meet + "xor.b32 %r4, %r3, 64;\nld.shared.u32 %r6, [%r4];\nadd.u32 %r5, %r5, %r6;\n" + result;
    const std::string pointer = "and.b32 %r4, %r3, 0xffffff80;\nsetp.eq.u32 %q, %r31, 0;\n"
                                "@%q st.shared.u32 [%r4], %r0;\n"
        + meet + "ld.shared.u32 %r5, [%r4];\n" + result;
    const std::string tree = "st.shared.u32 [%r3], %r0;\n" + meet
        + "setp.lt.u32 %q, %r31, 16;\n@%q ld.shared.u32 %r5, [%r3+64];\n@%q st.shared.u32 [%r3], %r5;\n"
          "bar.warp.sync -1;\n"
          "setp.lt.u32 %q, %r31, 8;\n@%q ld.shared.u32 %r5, [%r3+32];\n@%q st.shared.u32 [%r3], %r5;\n"
        + meet + "and.b32 %r4, %r3, 0xffffff80;\nld.shared.u32 %r5, [%r4];\n" + result;
    const std::string tile =
        "mov.f32 %f0, 0f3F800000;\nshr.u32 %r4, %r0, 5;\nmad.lo.u32 %r4, %r4, 1024, %r1;\n"
        "wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [%r4], {%f0, %f0, %f0, %f0, %f0, "
        "%f0, %f0, %f0}, 16;\n"
        + meet + "mad.lo.u32 %r4, %r31, 4, %r4;\nld.shared.u32 %r5, [%r4];\n" + result;
    return {
        {"an exchange through shared memory with a shfl between, no bar.warp.sync",
            "ikawrakow/ik_llama.cpp/pull/2502", found, meet, "", RuleId::Race, "ld.shared.u32 %r6"},
        {"lane 0 leaves a pointer that the others read at once", "ORNL/HeCBench/pull/221", pointer, meet, "",
            RuleId::Race, "ld.shared.u32 %r5"},
        {"levels of a tree within a warp, no bar.warp.sync", "tpruvot/ccminer/pull/75", tree,
            "bar.warp.sync -1;\n", "", RuleId::Race, "ld.shared.u32 %r5, [%r3+32]"},
        {"a tile stored by wmma and read by lanes at once", "JustVugg/colibri/issues/1099", tile, meet, "",
            RuleId::Race, "ld.shared.u32 %r5"},
    };
}

std::vector<PublicFault> betweenWarps()
{
    const std::string broadcast =
        "mov.b32 %r7, 0;\nmov.b32 %r5, 0;\nAGAIN:\n@%p st.shared.u32 [%r1], %r7;\n"
        "bar.sync 0;\nld.shared.u32 %r6, [%r1];\nadd.u32 %r5, %r5, %r6;\nbar.sync 1;\n"
        + twice + result;
    const std::string counter = "mov.b32 %r5, 0;\n@%p st.shared.u32 [%r1], %r5;\nbar.sync 0;\n"
                                "atom.shared.add.u32 %r5, [%r1], 1;\n"
        + result;
    const std::string someCopy = "setp.lt.u32 %s, %r0, 32;\n@%s cp.async.ca.shared.global [%r3], [%rd3], 4;\n"
                                 "cp.async.wait_all;\nbar.sync 0;\nand.b32 %r4, %r3, 0xffffff7f;\n"
                                 "ld.shared.u32 %r5, [%r4];\ncp.async.wait_all;\n"
        + result;
    const std::string tiles =
        "mov.b32 %r7, 0;\nmov.b32 %r5, 0;\nAGAIN:\ncp.async.ca.shared.global [%r3], [%rd3], 4;\n"
        "cp.async.wait_all;\nbar.sync 0;\nxor.b32 %r4, %r3, 128;\nld.shared.u32 %r6, [%r4];\n"
        "add.u32 %r5, %r5, %r6;\nbar.sync 1;\n"
        + twice + result;
    return {
        {"a broadcast's slot is written again before all have read it", "kokkos/kokkos/pull/376", broadcast,
            "bar.sync 1;\n", "", RuleId::Race, "st.shared.u32 [%r1]|ld.shared.u32 %r6"},
        {"a shared counter is used before it is set", "alpaka-group/mallocMC/pull/190", counter,
            "bar.sync 0;\n", "", RuleId::Race, "atom.shared|st.shared"},
        {"some threads copy, and all meet before the copies are waited for", "NVIDIA/Fuser/pull/3438",
            someCopy, "cp.async.wait_all;\nbar.sync 0;\n", "bar.sync 0;\n", RuleId::Race,
            "ld.shared.u32 %r5"},
        {"the next tile's copy overtakes the last tile's readers", "NVIDIA/cutlass/pull/386", tiles,
            "bar.sync 1;\n", "", RuleId::Race, "cp.async.ca|ld.shared.u32 %r6"},
    };
}

} // namespace

const std::vector<PublicFault>& publicFaults()
{
    static const auto all = [] {
        std::vector<PublicFault> list;
        for (const auto& part : {betweenAgents(), ofProducts(), ofClusters(), ofLanes(), betweenWarps()}) {
            list.insert(list.end(), part.begin(), part.end());
        }
        return list;
    }();
    return all;
}

std::string publicKernel(const std::string& body)
{
    return ".version 8.0\n.target sm_90a\n.address_size 64\n"
           ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
           ".reg .b32 %r<32>;\n.reg .b64 %rd<8>;\n.reg .f32 %f<4>;\n.reg .b16 %h<2>;\n.reg .pred %p, %q, "
           "%s;\n"
           ".shared .align 1024 .b8 tile[8192];\n.shared .align 8 .b8 bars[64];\n"
           "mov.u32 %r0, %tid.x;\nmov.u32 %r31, %laneid;\nmov.b32 %r1, tile;\nmov.b32 %r2, bars;\n"
           "mad.lo.u32 %r3, %r0, 4, %r1;\nmul.wide.u32 %rd6, %r0, 4;\nld.param.u64 %rd0, [out];\n"
           "ld.param.u64 %rd1, [in];\nadd.s64 %rd2, %rd0, %rd6;\nadd.s64 %rd3, %rd1, %rd6;\n"
           "setp.eq.u32 %p, %r0, 0;\n"
        + body + "ret;\n}\n";
}

} // namespace ptxwb::emulator
