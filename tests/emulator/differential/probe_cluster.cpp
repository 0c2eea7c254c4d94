// SPDX-License-Identifier: Apache-2.0
// Two or four CTAs of a cluster: stores, loads, atomics and copies into each other's shared memory.
#include "tests/emulator/differential/probe.h"

namespace ptxwb::differential {

namespace {

/// %r0 thread, %r1 rank, %r2 the next CTA's rank, %r3 words, %r4 this thread's word, %r5 that word in the
/// next CTA, %r6 barrier, %r7 the next CTA's barrier, %r8 a value from the input, %x1 this thread's output.
/// `middle` runs between two cluster barriers.
Probe clusterProbe(const std::string& name, std::uint32_t ctas, const std::string& start,
    const std::string& middle, const std::string& end)
{
    Probe probe;
    probe.name = "cluster of " + std::to_string(ctas) + ": " + name;
    probe.ctas = ctas;
    Values values(probe.name);
    appendWords(probe.input, wordsOf("any", Range::Small, std::size_t{32} * ctas, values));
    probe.output.resize(std::size_t{128} * ctas);
    const std::string meet =
        "barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;\n";
    probe.text =
        ".version 8.3\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n"
        "{\n.shared .align 128 .b8 words[128];\n.shared .align 128 .b8 more[128];\n"
        ".shared .align 8 .b8 bar[8];\n.reg .b32 %r<16>;\n.reg .b16 %m;\n.reg .b64 %x<6>;\n.reg .pred %p, "
        "%q;\n"
        "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %cluster_ctarank;\nadd.u32 %r2, %r1, 1;\nrem.u32 %r2, %r2, "
        + std::to_string(ctas)
        + ";\nmov.u32 %r3, words;\nmad.lo.u32 %r4, %r0, 4, %r3;\nmapa.shared::cluster.u32 %r5, %r4, %r2;\n"
          "mov.u32 %r6, bar;\nmapa.shared::cluster.u32 %r7, %r6, %r2;\nsetp.eq.u32 %p, %r0, 0;\n"
          "ld.param.u64 %x0, [in];\nld.param.u64 %x1, [out];\nmad.lo.u32 %r9, %r1, 32, %r0;\n"
          "mul.wide.u32 %x2, %r9, 4;\nadd.s64 %x3, %x0, %x2;\nadd.s64 %x1, %x1, %x2;\n"
          "ld.global.u32 %r8, [%x3];\n"
        + start + meet + middle + meet + end + "st.global.u32 [%x1], %r10;\nret;\n}\n";
    return probe;
}

} // namespace

std::vector<Probe> clusterProbes()
{
    const std::string own = "st.shared.u32 [%r4], %r8;\n";
    const std::string readOwn = "ld.shared.u32 %r10, [%r4];\n";
    const std::string barrier =
        "@!%p bra READY;\nmbarrier.init.shared::cta.b64 [%r6], 1;\nfence.mbarrier_init.release.cluster;\n"
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r6], 128;\nREADY:\n";
    const std::string wait =
        "mov.u32 %r11, 0;\nWAIT:\nadd.u32 %r11, %r11, 1;\nsetp.gt.u32 %q, %r11, 100000;\n"
        "@%q bra WAITED;\nmbarrier.try_wait.parity.shared::cta.b64 %q, [%r6], 0;\n"
        "@!%q bra WAIT;\nWAITED:\n";
    std::vector<Probe> probes;
    for (const std::uint32_t ctas : {2U, 4U}) {
        probes.push_back(clusterProbe(
            "stores into the next CTA", ctas, "", "st.shared::cluster.u32 [%r5], %r8;\n", readOwn));
        probes.push_back(
            clusterProbe("loads from the next CTA", ctas, own, "ld.shared::cluster.u32 %r10, [%r5];\n", ""));
        probes.push_back(clusterProbe("atomics in the next CTA", ctas, own,
            "atom.shared::cluster.add.u32 %r12, [%r5], %r8;\n",
            readOwn + "mad.lo.u32 %r10, %r12, 7, %r10;\n"));
        probes.push_back(clusterProbe("generic addresses of the next CTA", ctas, own,
            "cvt.u64.u32 %x4, %r4;\ncvta.shared.u64 %x4, %x4;\nmapa.u64 %x4, %x4, %r2;\nld.u32 %r10, "
            "[%x4];\n",
            ""));
        probes.push_back(clusterProbe("ranks", ctas, "",
            "getctarank.shared::cluster.u32 %r10, %r5;\nmov.u32 %r12, %cluster_nctarank;\n"
            "mad.lo.u32 %r10, %r12, 16, %r10;\nmov.u32 %r12, %cluster_ctaid.x;\n"
            "mad.lo.u32 %r10, %r12, 256, %r10;\n",
            ""));
        probes.push_back(clusterProbe("a copy into the next CTA", ctas, own + barrier,
            "fence.proxy.async.shared::cta;\nbar.warp.sync 0xffffffff;\nmov.u32 %r12, more;\n"
            "mapa.shared::cluster.u32 %r13, %r12, %r2;\n@%p cp.async.bulk.shared::cluster.shared::cta."
            "mbarrier::complete_tx::bytes [%r13], [%r3], 128, [%r7];\n"
                + wait,
            "mov.u32 %r12, more;\nmad.lo.u32 %r12, %r0, 4, %r12;\nld.shared.u32 %r10, [%r12];\n"));
        probes.push_back(clusterProbe("a multicast copy", ctas, barrier,
            "setp.eq.u32 %q, %r1, 0;\nand.pred %p, %p, %q;\nmov.u16 %m, " + std::to_string((1U << ctas) - 1)
                + ";\n@%p cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                  ".multicast::cluster [%r3], [%x0], 128, [%r6], %m;\n"
                + wait,
            readOwn));
        probes.push_back(clusterProbe("asynchronous stores", ctas, barrier,
            "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r5], %r8, [%r7];\n" + wait,
            readOwn));
        probes.push_back(clusterProbe("arrivals in the next CTA", ctas,
            "@!%p bra READY;\nmbarrier.init.shared::cta.b64 [%r6], "
            "32;\nfence.mbarrier_init.release.cluster;\n"
            "READY:\n",
            "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r7];\n" + wait,
            "setp.gt.u32 %q, %r11, 100000;\nselp.u32 %r10, 0, 1, %q;\n"));
    }
    return probes;
}

} // namespace ptxwb::differential
