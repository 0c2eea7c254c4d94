// SPDX-License-Identifier: Apache-2.0
// Twins of the rules about registers that nothing wrote, mbarriers as objects, bounds, alignment and state
// spaces.
#include "lint_kernels.h"

namespace ptxwb::test {

void addMemoryTwins(const AddTwin& row)
{
    const auto inShared = [&](const char* shared, const std::string& body) {
        return kernel(std::string("    ") + shared + "\n" + body);
    };
    const std::string bytes64 = ".shared .align 16 .b8 buffer[64];";
    const auto bare = [](const std::string& body) {
        auto text = kernel({});
        return text.insert(text.rfind("    ret;"), body);
    };
    row("nothing writes it", "uninitialised-register", bare("    add.u32 %r1, %r2, 1;\n"),
        bare("    mov.u32 %r2, 1;\n    add.u32 %r1, %r2, 1;\n"), "%r2");
    row("only itself writes it", "uninitialised-register",
        bare("L:\n    add.u32 %r2, %r2, 1;\n    setp.lt.u32 %p1, %r2, 9;\n    @%p1 bra L;\n"),
        bare("    xor.b32 %r2, %r2, %r2;\nL:\n    add.u32 %r2, %r2, 1;\n    setp.lt.u32 %p1, %r2, 9;\n"
             "    @%p1 bra L;\n"),
        "%r2");
    row("written behind", "uninitialised-register",
        bare("    add.u32 %r1, %r2, 1;\n    mov.u32 %r2, 1;\n    st.global.u32 [%rd0], %r2;\n"),
        bare("L:\n    add.u32 %r1, %r2, 1;\n    mov.u32 %r2, 1;\n    @%p0 bra L;\n"), "%r2");
    const auto ofRoles = [&](const std::string& second) {
        return bare("    mov.b32 %r1, %tid.x;\n    setp.ne.u32 %p1, %r1, 0;\n    @%p1 bra C;\n"
                    "    mov.b32 %r2, 1;\nP:\n    xor.b32 %r2, %r2, 1;\n    setp.eq.u32 %p2, %r2, %r1;\n"
                    "    @%p2 bra P;\n    bra D;\nC:\n"
            + second
            + "L:\n    add.u32 %r3, %r2, %r1;\n    xor.b32 %r2, %r2, 1;\n    setp.eq.u32 %p2, %r3, %r1;\n"
              "    @%p2 bra L;\nD:\n");
    };
    row("written in the other role only", "uninitialised-register", ofRoles(""),
        ofRoles("    mov.b32 %r2, 0;\n"), "%r2");
    row("accumulators of nothing", "uninitialised-register",
        bare("    mov.b64 %rd1, %clock64;\n    mov.b64 %rd2, %rd1;\n" + fence + mma + commit + wait),
        bare("    mov.b64 %rd1, %clock64;\n    mov.b64 %rd2, %rd1;\n" + fence + overwriting + commit + wait),
        "%f1");
    row("address of nothing", "uninitialised-register",
        bare("    mov.b32 %r2, 7;\n    mbarrier.init.shared::cta.b64 [%r3], 1;\n"),
        bare("    mov.b32 %r3, %r0;\n    mbarrier.init.shared::cta.b64 [%r3], 1;\n"), "%r3");
    row("barrier that nothing makes", "mbarrier-missing",
        inShared(".shared .align 8 .b64 bar;", "    mov.b32 %r2, bar;\n" + spin),
        inShared(".shared .align 8 .b64 bar;", "    mov.b32 %r2, bar;\n" + init + arrive + spin), "[%r2]");
    row("one barrier of two is made", "mbarrier-missing",
        inShared(".shared .align 8 .b64 bars[2];",
            "    mov.b32 %r3, bars;\n    add.u32 %r2, %r3, 8;\n    mbarrier.init.shared::cta.b64 [%r3], 1;\n"
                + arrive + spin),
        inShared(".shared .align 8 .b64 bars[2];",
            "    mov.b32 %r3, bars;\n    add.u32 %r2, %r3, 8;\n    mbarrier.init.shared::cta.b64 [%r3], 1;\n"
                + init + arrive + spin),
        "[%r2]");
    row("no arrivals", "mbarrier-count", kernel("    mbarrier.init.shared::cta.b64 [%r2], 0;\n"),
        kernel(init), "0");
    row("more arrivals than count", "mbarrier-count",
        kernel("    mov.b32 %r3, 1048576;\n    mbarrier.init.shared::cta.b64 [%r2], %r3;\n"),
        kernel("    mov.b32 %r3, 1048575;\n    mbarrier.init.shared::cta.b64 [%r2], %r3;\n"), "%r3");
    row("barrier at a multiple of four", "mbarrier-alignment",
        inShared(".shared .align 4 .b8 bar[8];", "    mov.b32 %r2, bar;\n" + init),
        inShared(".shared .align 8 .b8 bar[8];", "    mov.b32 %r2, bar;\n" + init), "[%r2]");
    row("barrier at an odd place", "mbarrier-alignment",
        inShared(".shared .align 8 .b8 bar[16];", "    mbarrier.init.shared::cta.b64 [bar+4], 1;\n"),
        inShared(".shared .align 8 .b8 bar[16];", "    mbarrier.init.shared::cta.b64 [bar+8], 1;\n"),
        "[bar+4]");
    row("barrier of four bytes", "out-of-bounds",
        inShared(".shared .align 8 .b32 bar;", "    mov.b32 %r2, bar;\n" + init),
        inShared(".shared .align 8 .b64 bar;", "    mov.b32 %r2, bar;\n" + init), "[%r2]");
    row("behind the array", "out-of-bounds",
        inShared(bytes64.c_str(), "    st.shared.u32 [buffer+64], %r1;\n"),
        inShared(bytes64.c_str(), "    st.shared.u32 [buffer+60], %r1;\n"), "[buffer+64]");
    row("before the array", "out-of-bounds",
        inShared(bytes64.c_str(), "    mov.u32 %r2, buffer;\n    ld.shared.u32 %r1, [%r2+-4];\n"),
        inShared(bytes64.c_str(), "    mov.u32 %r2, buffer;\n    ld.shared.u32 %r1, [%r2+4];\n"), "[%r2+-4]");
    row("copy that is larger than its array", "out-of-bounds",
        inShared(bytes64.c_str(), "    mov.u32 %r1, buffer;\n" + expect(128) + bulk(128)),
        inShared(bytes64.c_str(), "    mov.u32 %r1, buffer;\n" + expect(64) + bulk(64)), "[%r1]");
    row("behind the constants", "out-of-bounds",
        kernel("    ld.const.f32 %f1, [table+16];\n", "9.0", "sm_90a", {}, ".const .f32 table[4];\n"),
        kernel("    ld.const.f32 %f1, [table+12];\n", "9.0", "sm_90a", {}, ".const .f32 table[4];\n"),
        "[table+16]");
    const auto withParameters = [](const std::string& body) {
        auto text = kernel(body);
        return text.replace(text.find("k()"), 3, "k(.param .u32 n, .param .u64 .ptr .global .align 1 out)");
    };
    row("behind the parameters", "out-of-bounds", withParameters("    ld.param.u64 %rd1, [out+8];\n"),
        withParameters("    ld.param.u64 %rd1, [out];\n"), "[out+8]");
    row("parameter of eight bytes at four", "misaligned-access",
        withParameters("    ld.param.u64 %rd1, [n+4];\n"), withParameters("    ld.param.u64 %rd1, [n+8];\n"),
        "[n+4]");
    row("vector at a multiple of four", "misaligned-access",
        inShared(bytes64.c_str(), "    ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [buffer+4];\n"),
        inShared(bytes64.c_str(), "    ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [buffer+16];\n"), "[buffer+4]");
    row("vector of an array of bytes", "misaligned-access",
        inShared(".shared .b8 buffer[64];", "    st.shared.u32 [buffer], %r1;\n"),
        inShared(".shared .align 4 .b8 buffer[64];", "    st.shared.u32 [buffer], %r1;\n"), "[buffer]");
    row("global address in shared memory", "address-space",
        kernel("    cvta.to.global.u64 %rd1, %rd1;\n    add.s64 %rd1, %rd1, 16;\n    st.shared.u32 [%rd1], "
               "%r1;\n"),
        kernel("    cvta.to.global.u64 %rd1, %rd1;\n    add.s64 %rd1, %rd1, 16;\n    st.global.u32 [%rd1], "
               "%r1;\n"),
        "[%rd1]");
    row("shared address in global memory", "address-space",
        inShared(bytes64.c_str(), "    mov.u64 %rd1, buffer;\n    ld.global.u32 %r1, [%rd1];\n"),
        inShared(bytes64.c_str(), "    mov.u64 %rd1, buffer;\n    ld.shared.u32 %r1, [%rd1];\n"), "[%rd1]");
    const std::string cluster = "    barrier.cluster.arrive;\n    barrier.cluster.wait;\n";
    row("address of another CTA", "address-space",
        kernel(cluster + "    mapa.shared::cluster.u32 %r1, %r2, 1;\n    ld.shared::cta.u32 %r3, [%r1];\n"),
        kernel(
            cluster + "    mapa.shared::cluster.u32 %r1, %r2, 1;\n    ld.shared::cluster.u32 %r3, [%r1];\n"),
        "[%r1]");
    row("generic address for a shared one", "address-space",
        inShared(bytes64.c_str(),
            "    mov.u64 %rd1, buffer;\n    cvta.shared.u64 %rd2, %rd1;\n    st.shared.u32 [%rd2], %r1;\n"),
        inShared(bytes64.c_str(),
            "    mov.u64 %rd1, buffer;\n    cvta.shared.u64 %rd2, %rd1;\n    st.u32 [%rd2], %r1;\n"),
        "[%rd2]");
}

} // namespace ptxwb::test
