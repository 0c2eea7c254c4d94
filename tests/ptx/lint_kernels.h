// SPDX-License-Identifier: Apache-2.0
// Kernels with and without a mistake, for the twins of lint's rules.
#pragma once

#include "initialised.h"

#include <functional>
#include <string>

namespace ptxwb::test {

inline const std::string registers = "    .reg .b32 %r<9>;\n    .reg .b64 %rd<9>;\n    .reg .f32 %f<9>;\n"
                                     "    .reg .pred %p<9>;\n    .reg .b16 %h<9>;\n";
// Uses each series, so that none is unused.
inline const std::string uses = "    mov.b32 %r0, 0;\n    mov.b64 %rd0, 0;\n    mov.f32 %f0, 0f00000000;\n"
                                "    mov.b16 %h0, 0;\n    setp.eq.u32 %p0, %r0, 0;\n";

inline std::string kernel(const std::string& body, const std::string& version = "9.0",
    const std::string& target = "sm_90a", const std::string& limits = {}, const std::string& module = {})
{
    return ".version " + version + "\n.target " + target + "\n.address_size 64\n" + module
        + ".visible .entry k()\n" + limits + "{\n" + registers + uses + initialised(body) + body
        + "    ret;\n}\n";
}

inline const std::string accumulators = "{%f1,%f2,%f3,%f4}";
inline const std::string mma =
    "    wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f1,%f2,%f3,%f4}, %rd1, %rd2, 1, 1, 1, 0, 0;\n";
inline const std::string fence = "    wgmma.fence.sync.aligned;\n";
inline const std::string commit = "    wgmma.commit_group.sync.aligned;\n";
inline const std::string wait = "    wgmma.wait_group.sync.aligned 0;\n";
inline const std::string overwriting =
    "    wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f1,%f2,%f3,%f4}, %rd1, %rd2, 0, 1, 1, 0, 0;\n";
inline const std::string sum = "    add.f32 %f5, %f1, %f2;\n";

inline std::string bulk(int bytes)
{
    return "    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], "
        + std::to_string(bytes) + ", [%r2];\n";
}
inline std::string expect(int bytes)
{
    return "    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], " + std::to_string(bytes) + ";\n";
}

inline const std::string tensorCopy =
    "    cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
    " [%r1], [%rd1, {%r3, %r4}], [%r2];\n";

inline const std::string tryWait = "    mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r2], 0;\n";
inline const std::string init = "    mbarrier.init.shared::cta.b64 [%r2], 1;\n";
inline const std::string arrive = "    mbarrier.arrive.shared::cta.b64 _, [%r2];\n";
inline const std::string spin = "W:\n" + tryWait + "    @!%p1 bra W;\n";
inline const std::string writes = "    add.u32 %r6, %r5, 32;\n    st.shared.u32 [%r6], %r1;\n";
inline const std::string bulkStore =
    "    cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r5], 64;\n"
    "    cp.async.bulk.commit_group;\n    cp.async.bulk.wait_group.read 0;\n";
inline const std::string sharedBuffer = ".shared .align 1024 .b8 buffer[16384];";
inline const std::string pipelined = "L:\n" + fence + mma + commit
    + "    wgmma.wait_group.sync.aligned 1;\n    setp.lt.u32 %p1, %r1, %r2;\n    @%p1 bra L;\n";

// A kernel whose tensor map is in the launch plan: 64 x 128 elements.
inline std::string withPlan(const std::string& dtype, const std::string& swizzle, const std::string& shared,
    const std::string& body,
    const std::string& map = "    mov.b64 %rd1, mapA;\n    cvta.param.u64 %rd1, %rd1;\n")
{
    return "/* @launch { \"launches\": [ { \"kernel\": \"k\", \"grid\": [1,1,1], \"block\": [128,1,1],\n"
           "  \"args\": [ {\"tensor_map\": \"mapA\"} ] } ],\n"
           "  \"tensors\": { \"A\": {\"dtype\": \""
        + dtype
        + "\", \"shape\": [1024, 1024]} },\n"
          "  \"tensor_maps\": { \"mapA\": {\"tensor\": \"A\", \"box\": [64, 128], \"swizzle\": \""
        + swizzle
        + "\"} } } */\n.version 8.0\n.target sm_90a\n.address_size 64\n"
          ".visible .entry k(.param .align 64 .b8 mapA[128])\n{\n    "
        + shared + "\n" + registers + uses + map + "    mov.b32 %r1, buffer;\n"
        + initialised("    mov.b32 %r1, 0;\n    mov.b64 %rd1, 0;\n" + body) + body + "    ret;\n}\n";
}

inline std::string roles(const std::string& producer, const std::string& consumer)
{
    return "    mov.u32 %r1, %tid.x;\n    shr.u32 %r2, %r1, 7;\n    setp.ne.u32 %p1, %r2, 0;\n"
           "    @%p1 bra CONSUMER;\n"
        + producer
        + "    mov.u32 %r3, %ctaid.x;\nWORK:\n    add.u32 %r3, %r3, 1;\n    setp.lt.u32 %p2, %r3, 64;\n"
          "    @%p2 bra WORK;\n    bra DONE;\nCONSUMER:\n"
        + consumer + "DONE:\n";
}

inline std::string warpgroups(int consumers)
{
    return "    mov.u32 %r1, %tid.x;\n    shr.u32 %r2, %r1, 5;\n    shfl.sync.idx.b32 %r2, %r2, 0, 31, -1;\n"
           "    shr.u32 %r2, %r2, 2;\n    setp.ne.u32 %p1, %r2, 0;\n    @%p1 bra CONSUMER;\n"
           "    setmaxnreg.dec.sync.aligned.u32 40;\n    bra DONE;\nCONSUMER:\n"
           "    setmaxnreg.inc.sync.aligned.u32 "
        + std::to_string(consumers) + ";\nDONE:\n";
}

inline const std::string limits = ".reqntid 384, 1, 1\n.minnctapersm 1\n";

/// A rule, a text that it names and where, and a twin of which nothing is said.
using AddTwin = std::function<void(
    const char* name, const char* rule, const std::string& bad, const std::string& good, const char* at)>;

void addBarrierTwins(const AddTwin& row);
void addPipelineTwins(const AddTwin& row);
void addMemoryTwins(const AddTwin& row);
void addOrderTwins(const AddTwin& row);

} // namespace ptxwb::test
