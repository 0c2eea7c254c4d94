#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
source "$(dirname "$0")/expect.sh"
needs ptxas

gemm="$tree/tasks/gemm/gemm_n7168_k5120"
expect 0 ptxwb compile "$gemm/examples/plain.ptx"
expect 0 ptxwb compile "$gemm/examples/plain.ptx" --json
document ptxwb.compile.v1
wants ON ok
wants sm_90a target
expect 0 ptxwb compile "$gemm/examples/wgmma_tma.ptx" --json
wants ON linted
wants 0 kernels 0 spill_store_bytes
expect 0 ptxwb compile "$gemm/examples/tcgen05_tma.ptx" --json
wants sm_100a target
# Targets that lack the same are told together, though each message names its own.
expect 0 ptxwb matrix "$gemm/examples/wgmma_tma.ptx" --json
document ptxwb.matrix.v1
wants sm_75 causes as_written 0 targets 0
wants sm_80 causes as_written 0 targets 1
expect 0 ptxwb compile "$gemm/examples/plain.ptx" -o made.cubin
[ -s made.cubin ] || fail "no made.cubin"

expect 0 ptxwb compile - < "$gemm/examples/plain.ptx"
expect 1 ptxwb compile "$gemm/failed/does_not_assemble.ptx" --json
document ptxwb.compile.v1
wants OFF ok
expect 1 ptxwb compile "$gemm/failed/does_not_assemble.ptx"
told does_not_assemble.ptx:

cat > limits.ptx << 'PTX'
.version 8.0
.target sm_90a
.address_size 64
.entry k()
.reqntid 128
{
    setmaxnreg.dec.sync.aligned.u32 40;
    ret;
}
PTX
expect 0 ptxwb compile limits.ptx
told setmaxnreg-entry
expect 0 ptxwb compile --fix limits.ptx -o fixed.ptx
said 'fixed: add .minnctapersm 1'
expect 0 ptxwb compile fixed.ptx
if grep -q setmaxnreg-entry "$scratch/out"; then fail 'the finding is still there'; fi

# What follows from one cause is told a few times, then counted.
{
    printf '.version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k()\n{\n.reg .f32 %%f<4>;\n'
    for _ in $(seq 30); do echo 'add.f32 %f1, %f1, %zz;'; done
    printf 'ret;\n}\n'
} > often.ptx
expect 1 ptxwb compile often.ptx
printed 'more messages (--json has all)'
[ "$(grep -c 'follows:' "$scratch/out")" = 9 ] || fail 'eight messages and a count should follow'

needs nvcc
mkdir headers
echo '#define TWO 2.0f' > headers/two.h
cat > scale.cu << 'CU'
#include "two.h"
extern "C" __global__ void scale(float* x) { x[threadIdx.x] *= TWO; }
CU
expect 1 ptxwb compile scale.cu
told two.h
expect 0 ptxwb compile scale.cu -- -I headers
expect 0 ptxwb compile scale.cu --json -- -I headers
wants ON linted
document ptxwb.compile.v1
wants scale kernels 0 name

# PTX inside asm strings: a mistake stands inside the string, and --fix mends it there.
cat > inline.cu << 'CU'
__global__ void k(int* x)
{
    int n = x[0];
    asm volatile("add.s32 %0, %1, 1;\n\t"
                 "mvo.b32 %0, %1;" : "=r"(n) : "r"(n));
    x[0] = n;
}
CU
expect 1 ptxwb compile inline.cu
printed "inline.cu:5:19: error: Not a name of any known instruction: 'mvo'"
expect 0 ptxwb compile --fix inline.cu -o mended.cu
expect 0 ptxwb compile mended.cu
expect 1 ptxwb compile inline.cu --json
wants 1 asm_statements

# The line of a note is that of the user's file.
cat > tile.cu << 'CU'
extern "C" __global__ void tile(float* out, unsigned long long a, unsigned long long b)
{
    float d[4] = {out[0], out[1], out[2], out[3]};
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b));
    out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}
CU
expect 0 ptxwb compile tile.cu --target sm_90a
printed "note C7519, tile.cu:5 (by the line map; the line in the message is one of nvcc's PTX), kernel tile, "
