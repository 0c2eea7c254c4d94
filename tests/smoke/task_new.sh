# SPDX-License-Identifier: Apache-2.0
# A task of one's own: by options, with another kernel as its oracle, or with nobody who knows the answer.
source "$(dirname "$0")/expect.sh"
needs ptxas

# kernel OPERATION      y[i] = x[i] OPERATION x[i]
kernel() {
    cat << END
/* @launch { "launches": [ { "kernel": "k", "grid": ["ceildiv(n,64)"], "block": [64],
  "args": [ {"tensor":"X"}, {"tensor":"Y"}, {"u32":"n"} ] } ] } */
.version 8.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 y, .param .u32 n)
{
  .reg .pred %p;
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  .reg .f32 %f<4>;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, 64, %r2;
  ld.param.u32 %r4, [n];
  setp.ge.u32 %p, %r3, %r4;
  @%p bra DONE;
  ld.param.u64 %rd0, [x];
  ld.param.u64 %rd1, [y];
  mul.wide.u32 %rd2, %r3, 4;
  add.u64 %rd3, %rd0, %rd2;
  add.u64 %rd4, %rd1, %rd2;
  ld.global.f32 %f0, [%rd3];
  $1.f32 %f1, %f0, %f0;
  st.global.f32 [%rd4], %f1;
DONE:
  ret;
}
END
}
kernel add > double.ptx
kernel mul > square.ptx
new=(task new scale --axis n --input X:float32:n --tensor-output Y:float32:n --workload n=1000)

expect 2 ptxwb task
expect 2 ptxwb task old
expect 2 ptxwb task new scale < /dev/null
said --axis
expect 2 ptxwb task new 'a b' --axis n < /dev/null
expect 2 ptxwb "${new[@]}" --axis n
said 'given twice'
expect 2 ptxwb "${new[@]}" --input Z:float33:n
said float33
expect 2 ptxwb "${new[@]}" --input Z:float32:m
said "no axis 'm'"
expect 2 ptxwb "${new[@]}" --workload n=0
said "'0'"
expect 2 ptxwb "${new[@]}" --workload m=1
expect 2 ptxwb "${new[@]}" --oracle magic
said magic
expect 2 ptxwb "${new[@]}" --oracle candidate:missing.ptx
expect 1 ptxwb "${new[@]}" --flops 'n*q'
said q
[ ! -e scale ] || fail 'a refused task left something behind'

expect 0 ptxwb "${new[@]}" --oracle candidate:double.ptx --workload n=130:odd --flops n --json
document ptxwb.task.v1
wants candidate oracle
expect 2 ptxwb "${new[@]}"
said 'nothing was changed'
on=(--task ./scale --on emulator --seed 3)
expect 0 ptxwb eval double.ptx "${on[@]}"
expect 1 ptxwb eval square.ptx "${on[@]}" --json
wants incorrect_numerical verdict
expect 0 ptxwb eval double.ptx "${on[@]}" --workload odd
expect 0 ptxwb eval double.ptx "${on[@]}" --axes n=77 --json
wants 77 workload axes n
rm scale/oracle.ptx
expect 3 ptxwb eval double.ptx "${on[@]}" --again
told oracle.ptx

expect 0 ptxwb "${new[@]}" -o unknown
expect 3 ptxwb eval double.ptx --task ./unknown --on emulator
printed unverified
expect 0 ptxwb eval double.ptx --task ./unknown --on emulator --allow-unverified
expect 3 ptxwb eval double.ptx --task ./unknown --on none --allow-unverified

# The definition's own reference, in Python: without an interpreter or its torch the reason is said, with it the answer counts.
printf 'def run(X):\n    return X + X\n' > twice.py
expect 2 ptxwb task new twice --axis n --input X:float32:n --tensor-output Y:float32:n --workload n=1000 --oracle python
said '--reference'
expect 0 ptxwb task new twice --axis n --input X:float32:n --tensor-output Y:float32:n --workload n=1000 --oracle python --reference twice.py
PTXWB_PYTHON=/nowhere/python expect 3 ptxwb eval double.ptx --task ./twice --on emulator
told PTXWB_PYTHON
if python3 -c 'import torch' 2> /dev/null; then
    expect 0 ptxwb eval double.ptx --task ./twice --on emulator
    printed "the definition's Python reference"
    expect 1 ptxwb eval square.ptx --task ./twice --on emulator
fi
expect 2 ptxwb eval double.ptx --task ./twice --oracle magic
said 'stored:FOLDER'
expect 3 ptxwb eval double.ptx --task ./twice --oracle none --on emulator

# An oracle in CUDA C++ is emulated too.
needs nvcc
cat > double.cu << 'END'
/* @launch { "launches": [ { "kernel": "k", "grid": ["ceildiv(n,64)"], "block": [64],
  "args": [ {"tensor":"X"}, {"tensor":"Y"}, {"u32":"n"} ] } ] } */
extern "C" __global__ void k(const float* x, float* y, unsigned n)
{
    const unsigned i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) {
        y[i] = 2 * x[i];
    }
}
END
expect 0 ptxwb "${new[@]}" --oracle candidate:double.cu -o by_cuda
expect 0 ptxwb eval double.ptx --task by_cuda --on emulator --json
wants correct verdict
expect 1 ptxwb eval square.ptx --task by_cuda --on emulator --json
wants incorrect_numerical verdict
