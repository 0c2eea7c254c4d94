// SPDX-License-Identifier: Apache-2.0
// Twins of the rules about phases, tensor maps, threads that must come together and fences between proxies.
#include "lint_kernels.h"

namespace ptxwb::test {

void addOrderTwins(const AddTwin& row)
{
    const std::string rounds = "    setp.lt.u32 %p2, %r1, %r3;\n    @%p2 bra L;\n";
    const auto ring = [&](const std::string& parity, const std::string& flip) {
        return kernel("    mov.b32 %r4, 0;\nL:\n    @%p3 bra W;\n" + expect(64) + bulk(64)
            + "W:\n    mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r2], " + parity
            + ";\n    @!%p1 bra W;\n" + flip + rounds);
    };
    row("one parity in every round", "phase-parity", ring("0", ""), ring("%r4", "    xor.b32 %r4, %r4, 1;\n"),
        "0");
    row("one parity in a register", "phase-parity", ring("%r4", ""),
        ring("%r4", "    xor.b32 %r4, %r4, 1;\n"), "%r4");

    const std::string one = "    mov.u32 %r1, %tid.x;\n    setp.eq.u32 %p1, %r1, 0;\n";
    row("barrier of one thread", "one-thread", kernel(one + "    @%p1 bar.sync 0;\n"),
        kernel(one + "    @%p1 membar.cta;\n    bar.sync 0;\n"), "bar.sync");
    row("warp's load by one thread", "one-thread",
        kernel(one + "    @!%p1 bra L;\n    ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [%r2];\nL:\n"),
        kernel(one
            + "    @!%p1 bra L;\n    ld.shared.u32 %r3, [%r2];\nL:\n"
              "    ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [%r2];\n"),
        "ldmatrix.sync.aligned.m8n8.x1.shared.b16");
    row("elected once more", "one-thread",
        kernel("    elect.sync _|%p1, -1;\n    @!%p1 bra L;\n    elect.sync _|%p2, -1;\nL:\n"),
        kernel("    elect.sync _|%p1, -1;\n    @!%p1 bra L;\n    mov.u32 %r1, 0;\nL:\n"
               "    elect.sync _|%p2, -1;\n"),
        "elect.sync");

    const auto blackwell = [](const std::string& body) {
        return kernel("    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 64;\n" + body
                + "    tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%rd1];\n"
                  "    tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 64;\n",
            "8.8", "sm_100a");
    };
    const auto tensorMma = [](const std::string& descriptor) {
        return "    tcgen05.mma.cta_group::1.kind::f16 [%r2], %rd2, %rd3, " + descriptor + ", %p1;\n";
    };
    row("mma of every thread", "every-thread", blackwell(tensorMma("%r3")),
        blackwell("    @%p2 bra L;\n" + tensorMma("%r3") + "L:\n"), "tcgen05.mma.cta_group::1.kind::f16");
    row("instruction descriptor", "tcgen05-descriptor",
        blackwell("    @%p2 bra L;\n" + tensorMma("0x8000490") + "L:\n"),
        blackwell("    @%p2 bra L;\n" + tensorMma("0x8100490") + "L:\n"), "0x8000490");
    row("columns of a descriptor", "tcgen05-descriptor",
        blackwell("    @%p2 bra L;\n" + tensorMma("0x10060490") + "L:\n"),
        blackwell("    @%p2 bra L;\n" + tensorMma("0x8060490") + "L:\n"), "0x10060490");
    // M 128, N 24: of one CTA only.
    const auto ofTwoCtas = [](const std::string& descriptor) {
        return kernel("    tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%r1], 64;\n"
                      "    @%p2 bra L;\n    tcgen05.mma.cta_group::2.kind::f16 [%r2], %rd2, %rd3, "
                + descriptor
                + ", %p1;\nL:\n    tcgen05.commit.cta_group::2.mbarrier::arrive::one.b64 [%rd1];\n"
                  "    tcgen05.dealloc.cta_group::2.sync.aligned.b32 %r2, 64;\n",
            "8.8", "sm_100a");
    };
    row("columns of two CTAs", "tcgen05-descriptor", ofTwoCtas("0x8060490"), ofTwoCtas("0x8080490"),
        "0x8060490");
    const auto integers = [](const std::string& shape, const std::string& sums) {
        return kernel("    .reg .b32 %i<20>;\n" + fence + "    wgmma.mma_async.sync.aligned." + shape
            + ".s32.s8.s8 {" + sums + "}, %rd1, %rd2, %p1;\n" + commit + wait);
    };
    std::string sums = "%i0";
    for (int i = 1; i < 12; ++i) {
        sums += ", %i" + std::to_string(i);
    }
    row("shape of integers", "unknown-modifier",
        integers("m64n40k32", sums + ", %i12, %i13, %i14, %i15, %i16, %i17, %i18, %i19"),
        integers("m64n24k32", sums), ".m64n40k32");
    const auto scaledMma = [](const std::string& descriptor) {
        return "    @%p2 bra L;\n    tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X "
               "[%r2], %rd2, %rd3, "
            + descriptor + ", [%r5], [%r6], %p1;\nL:\n";
    };
    row("descriptor of a block-scaled kind", "tcgen05-descriptor", blackwell(scaledMma("0x8400000")),
        blackwell(scaledMma("0x8C00000")), "0x8400000");
    const std::string tensorStore = "    tcgen05.st.sync.aligned.32x32b.x1.b32 [%r2], {%r4};\n";
    row("store to tensor memory", "tcgen05-wait", kernel(tensorStore, "8.8", "sm_100a"),
        kernel(tensorStore + "    tcgen05.wait::st.sync.aligned;\n", "8.8", "sm_100a"),
        "tcgen05.st.sync.aligned.32x32b.x1.b32");

    const std::string copyOfMap =
        "    cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
        " [%r1], [%rd5, {%r3, %r4}], [%r2];\n";
    const auto mapped = [&](const std::string& parameter, const std::string& offset) {
        auto text = kernel("    mov.b64 %rd1, map;\n    cvta.param.u64 %rd1, %rd1;\n    add.s64 %rd5, %rd1, "
            + offset + ";\n" + expect(64) + copyOfMap);
        return text.replace(text.find("k()"), 3, "k(.param " + parameter + ")");
    };
    row("tensor map at eight", "tensor-map-alignment", mapped(".align 8 .b8 map[128]", "0"),
        mapped(".align 64 .b8 map[128]", "0"), "%rd5");
    row("tensor map within a struct", "tensor-map-alignment", mapped(".align 64 .b8 map[256]", "96"),
        mapped(".align 64 .b8 map[256]", "128"), "%rd5");
    row("second map of one", "out-of-bounds", mapped(".align 64 .b8 map[128]", "64"),
        mapped(".align 64 .b8 map[192]", "64"), "%rd5");
    const auto addressed = [&](const std::string& parameter, const std::string& made) {
        auto text = kernel(made + expect(64) + copyOfMap);
        return text.replace(text.find("k()"), 3, "k(.param " + parameter + ")");
    };
    const std::string whole = ".align 64 .b8 map[128]";
    const std::string ofParameters = "    cvta.param.u64 %rd5, %rd1;\n";
    row("bytes of a tensor map for its address", "address-space",
        addressed(whole, "    ld.param.u64 %rd1, [map];\n" + ofParameters),
        addressed(whole, "    mov.u64 %rd1, map;\n" + ofParameters), "[map]");
    row("address of a tensor map from a parameter", "address-space",
        addressed(whole, "    ld.param.u64 %rd5, [map];\n"),
        addressed(".u64 map", "    ld.param.u64 %rd5, [map];\n"), "[map]");
    row("address of a tensor map from a struct", "address-space",
        addressed(whole, "    ld.param.u64 %rd5, [map];\n"),
        addressed(whole, "    ld.param.u64 %rd5, [map];\n    ld.param.u32 %r3, [map+8];\n"), "[map]");

    row("half a warpgroup", "thread-count",
        kernel(fence + mma + commit + wait, "9.0", "sm_90a", ".reqntid 64\n"),
        kernel(fence + mma + commit + wait, "9.0", "sm_90a", ".reqntid 128\n"),
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16");
    row("barrier of more than there are", "thread-count",
        kernel("    bar.sync 1, 256;\n", "9.0", "sm_90a", ".maxntid 128\n"),
        kernel("    bar.sync 1, 128;\n", "9.0", "sm_90a", ".maxntid 128\n"), "256");

    const std::string copy = "    cp.async.cg.shared.global [%r1], [%rd1], 16;\n";
    row("copy that nothing waits for", "cp-async-wait", kernel(copy),
        kernel(copy + "    cp.async.wait_all;\n"), "cp.async.cg.shared.global");
    row("copies in no group", "cp-async-wait", kernel(copy + "    cp.async.wait_group 0;\n"),
        kernel(copy + "    cp.async.commit_group;\n    cp.async.wait_group 0;\n"), "cp.async.wait_group 0");
    const std::string everything = "    cp.async.wait_all;\n";
    row("copies in no group before a wait for all", "cp-async-wait",
        kernel(copy + "    cp.async.wait_group 0;\n" + copy + everything),
        kernel(copy + "    cp.async.commit_group;\n    cp.async.wait_group 0;\n" + copy + everything),
        "cp.async.wait_group 0");
    const auto committedBehind = [&](const std::string& between) {
        return kernel(copy + between + "    cp.async.wait_group 0;\n" + copy + "    cp.async.commit_group;\n"
            + everything);
    };
    row("copies whose group ends behind the wait", "cp-async-wait", committedBehind(""),
        committedBehind(everything), "cp.async.wait_group 0");
    row("more bytes than a barrier counts", "tx-count", kernel(expect(1048576)), kernel(expect(1048575)),
        "1048576");

    const std::string round = "    setp.lt.u32 %p1, %r1, %r2;\n    @%p1 bra L;\n";
    const auto issuedBelow = [&](const std::string& between) {
        return kernel(
            fence + mma + commit + wait + "L:\n" + sum + fence + mma + commit + between + round + wait);
    };
    row("in flight round the loop", "wgmma-wait", issuedBelow(""), issuedBelow(wait),
        "add.f32 %f5, %f1, %f2");
    const auto atLast = [&](const std::string& behind) {
        return kernel("L:\n    setp.ge.u32 %p1, %r1, %r2;\n    @%p1 bra D;\n" + fence + mma + commit
            + "    wgmma.wait_group.sync.aligned 1;\n    add.u32 %r1, %r1, 1;\n    bra L;\nD:\n" + behind);
    };
    row("in flight behind a loop of no rounds or some", "wgmma-wait", atLast(sum), atLast(wait + sum),
        "add.f32 %f5, %f1, %f2");
    // The sums without a wgmma before them, on a way of their own.
    const auto inEither = [&](const std::string& use) {
        return kernel(
            "    @%p1 bra N;\n" + fence + mma + commit + "N:\n    @%p2 bra D;\n" + use + "D:\n" + wait);
    };
    row("in flight where both ways meet", "wgmma-wait",
        kernel("    @%p1 bra N;\n" + fence + mma + commit + "N:\n" + sum + wait), inEither(sum),
        "add.f32 %f5, %f1, %f2");
    row("in flight, and a block that no way leads to", "wgmma-wait",
        kernel("    @%p1 bra N;\n" + fence + mma + commit + "    bra N;\n" + fence + mma + commit + "N:\n"
            + sum + wait),
        kernel("    @%p1 bra N;\n" + fence + mma + commit + wait + "    bra N;\n" + fence + mma + commit
            + "N:\n" + sum + wait),
        "add.f32 %f5, %f1, %f2");
    const std::string ofRegisters = "    wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
                                    "{%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, %rd2, 1, 1, 1, 0;\n";
    const std::string overwrite = "    mov.b32 %r1, 0;\n";
    row("register of A", "wgmma-wait", kernel(fence + ofRegisters + commit + overwrite + wait),
        kernel(fence + ofRegisters + commit + "    mov.b32 %r5, %r1;\n" + wait + overwrite),
        "mov.b32 %r1, 0");

    const std::string tile = "    st.shared.u32 [%r1], %r2;\n    bar.sync 0;\n";
    row("matrix of ordinary stores", "proxy-fence", kernel(tile + fence + mma + commit + wait),
        kernel(tile + "    fence.proxy.async.shared::cta;\n" + fence + mma + commit + wait),
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16");
    const std::string copied =
        "    cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 64, [%r2];\n";
    row("matrix of copies, its sums by ordinary stores", "proxy-fence",
        kernel(fence + mma + commit + wait + tile),
        kernel(expect(64) + copied + spin + fence + mma + commit + wait + tile),
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16");
    const auto inPlace = [](const std::string& proxyFence) {
        return kernel("    .shared .align 128 .b8 buffer[64];\n    mov.b32 %r1, buffer;\n" + expect(64)
            + bulk(64) + spin
            + "    mad.lo.u32 %r5, %r3, 4, %r1;\n    ld.shared.u32 %r6, [%r5];\n"
              "    st.shared.u32 [%r5], %r6;\n"
            + proxyFence
            + "    bar.sync 0;\n    cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 64;\n"
              "    cp.async.bulk.commit_group;\n    cp.async.bulk.wait_group.read 0;\n");
    };
    row("changed in place, then stored", "proxy-fence", inPlace(""),
        inPlace("    fence.proxy.async.shared::cta;\n"), "cp.async.bulk.global.shared::cta.bulk_group");

    const std::string remote = "    mapa.shared::cluster.u32 %r3, %r2, 1;\n"
                               "    mbarrier.arrive.shared::cluster.b64 _, [%r3];\n";
    row("other CTA that may not run yet", "cluster-barrier", kernel(remote),
        kernel("    barrier.cluster.arrive;\n    barrier.cluster.wait;\n" + remote),
        "mapa.shared::cluster.u32");
    row("wait for the cluster alone", "cluster-barrier", kernel("    barrier.cluster.wait;\n"),
        kernel("    barrier.cluster.arrive;\n    barrier.cluster.wait;\n"), "barrier.cluster.wait");

    const auto described = [](const std::string& shift) {
        return kernel("    mov.b32 %r1, tile;\n" + shift
                + "    cvt.u64.u32 %rd3, %r2;\n    or.b64 %rd1, %rd3, 0x4000004000010000;\n" + fence + mma
                + commit + wait,
            "9.0", "sm_90a", {}, ".shared .align 1024 .b8 tile[16384];\n");
    };
    row("address not shifted", "descriptor-address", described("    and.b32 %r2, %r1, 262143;\n"),
        described("    shr.u32 %r2, %r1, 4;\n"), "%rd1");
}

} // namespace ptxwb::test
