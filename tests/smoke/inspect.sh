#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
source "$(dirname "$0")/expect.sh"
needs ptxas
needs nvdisasm

gemm="$tree/tasks/gemm/gemm_n7168_k5120"
expect 0 ptxwb sass "$gemm/examples/wgmma_tma.ptx"
printed HGMMA
expect 0 ptxwb sass "$gemm/examples/wgmma_tma.ptx" --live --explain --family wgmma
printed 'HGMMA 64x256x16, A and B from shared, bf16 inputs, fp32 accumulate'
printed '36 rows, 4 tensor core products, 1 wait for them'
printed 'registers live at once'
expect 0 ptxwb sass "$gemm/examples/wgmma_tma.ptx" --json
document ptxwb.sass.v1
[ "$(field paper_account GMMA)" -gt 0 ] || fail "no GMMA in the paper's account"
[ "$(field paper_account TMA)" -gt 0 ] || fail "no TMA in the paper's account"
wants 0 paper_account TCGEN
expect 0 ptxwb sass "$gemm/failed/without_wgmma.ptx" --json
wants 0 paper_account GMMA
expect 1 ptxwb sass "$gemm/failed/does_not_assemble.ptx"

expect 0 ptxwb diff "$gemm/examples/plain.ptx" "$gemm/examples/plain.ptx" --json
document ptxwb.diff.v1
wants ON identical
expect 1 ptxwb diff "$gemm/examples/plain.ptx" "$gemm/examples/wgmma_tma.ptx" --json
wants OFF identical
expect 1 ptxwb diff "$gemm/examples/plain.ptx" "$gemm/failed/wrong_result.ptx" --family wgmma,tma
printed HGMMA
expect 2 ptxwb diff "$gemm/examples/plain.ptx" "$gemm/examples/plain.ptx" --kernel nothing
said 'no kernel matches'
expect 2 ptxwb diff "$gemm/examples/plain.ptx" "$gemm/examples/plain.ptx" --family nothing
expect 2 ptxwb diff "$gemm/examples/plain.ptx" missing.ptx
said missing.ptx

# A binary made for another GPU is still read.
expect 0 ptxwb compile "$gemm/examples/plain.ptx" --target sm_80 -o ampere.cubin
expect 0 ptxwb sass ampere.cubin --json
wants sm_80 target
expect 0 ptxwb sass ampere.cubin
printed HMMA.16816.F32.BF16
expect 0 ptxwb diff ampere.cubin ampere.cubin

# What stands beside equal instructions: launch bounds, data, shared memory.
for bounds in '' '.reqntid 128, 1, 1'; do
    printf '.version 8.0\n.target sm_90a\n.address_size 64\n.const .u32 c = %s;\n.visible .entry k() %s\n{ ret; }\n' \
        "${#bounds}" "$bounds" > "bounds${#bounds}.ptx"
done
expect 1 ptxwb diff bounds0.ptx bounds18.ptx
printed '.reqntid of k: none -> 128x1x1'
printed 'constant data c, byte 0 of 4: 0x00000000 -> 0x00000012'
expect 1 ptxwb diff bounds0.ptx bounds18.ptx --json
wants OFF identical
wants ON instructions_identical

# A cubin that is cut off is named, and is no difference of two programs.
head -c 900 ampere.cubin > cut.cubin
expect 1 ptxwb diff ampere.cubin cut.cubin
said 'cut.cubin: not a whole ELF file'
expect 1 ptxwb diff ampere.cubin cut.cubin --json
document ptxwb.error.v1

# A kernel of C++ by any of its names.
cat > names.cu <<'CU'
namespace ns {
template <class T> __global__ void fill(T* out, T value) { out[threadIdx.x] = value; }
}
template __global__ void ns::fill<float>(float*, float);
__global__ void other(int* out) { *out = 1; }
CU
expect 0 ptxwb sass names.cu --target sm_90a --kernel fill
printed 'void ns::fill<float>(float*, float) [_ZN2ns4fillIfEEvPT_S1_]'
! grep -q other "$scratch/out" || fail 'the other kernel is shown too'
expect 0 ptxwb sass names.cu --target sm_90a --kernel 'void ns::fill<float>(float*, float)' --json
wants _ZN2ns4fillIfEEvPT_S1_ kernels 0 name
wants 'void ns::fill<float>(float*, float)' kernels 0 demangled
expect 2 ptxwb sass names.cu --target sm_90a --kernel 'fill('
said 'no regular expression'
expect 0 ptxwb compile names.cu --target sm_90a
printed 'kernel void ns::fill<float>(float*, float) [_ZN2ns4fillIfEEvPT_S1_]: '

# One file for two targets; Markdown for a review.
expect 1 ptxwb diff "$gemm/examples/plain.ptx" "$gemm/examples/plain.ptx" --target sm_90 --target-b sm_80 --markdown
printed '(sm_90) → '
printed '(sm_80)'
expect 2 ptxwb diff "$gemm/examples/plain.ptx" "$gemm/examples/plain.ptx" --toolkit-b /nowhere
said 'there is no ptxas in that toolkit'

# Names that nvcc makes anew for each build are no difference.
needs nvcc
cat > slot.cu << 'CU'
namespace { __device__ int table[64]; }
extern "C" __global__ void k(int* y) { const int slot = threadIdx.x; table[slot] += 1; y[slot] = table[63 - slot]; }
CU
sed 's/slot/place/g' slot.cu > place.cu
expect 0 ptxwb diff slot.cu place.cu --target sm_90a
printed 'Identical apart from names of registers and labels.'
sed 's/table\[64\]/table[64] = {3}/' slot.cu > other.cu
expect 1 ptxwb diff slot.cu other.cu --target sm_90a
