#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Kernels without a task: the plan in the file declares the tensors.
source "$(dirname "$0")/expect.sh"

# kernel PLAN BODY      prints a file with a kernel k(x, y, n)
kernel() {
    if [ -n "$1" ]; then printf '/* @launch %s */\n' "$1"; fi
    cat << END
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
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  ld.param.u32 %r4, [n];
  ld.param.u64 %rd0, [x];
  ld.param.u64 %rd1, [y];
  mul.wide.u32 %rd2, %r3, 4;
  add.u64 %rd3, %rd0, %rd2;
  add.u64 %rd4, %rd1, %rd2;
$2
DONE:
  ret;
}
END
}
plan() {
    cat << END
{ "axes": { "n": $1 },
  "tensors": { "X": { "dtype": "float32", "shape": ["n"], "init": "$2" },
               "Y": { "dtype": "float32", "shape": ["n"], "role": "output" } },
  "launches": [ { "kernel": "k", "grid": ["ceildiv(n,64)"], "block": [64],
    "args": [ {"tensor":"X"}, {"tensor":"Y"}, {"u32":"n"} ] } ] }
END
}
guarded='  setp.ge.u32 %p, %r3, %r4;
  @%p bra DONE;'
double="$guarded
  ld.global.f32 %f0, [%rd3];
  add.f32 %f1, %f0, %f0;
  st.global.f32 [%rd4], %f1;"

kernel "$(plan 100 iota)" "$double" > double.ptx
expect 0 ptxwb run double.ptx --dump Y=y.npy
printed 'Y: float32 [100], min 0, max 198, 0 NaN'
printed 'early, late, random (3 runs)'
printed unverified
[ "$(stat -c %s y.npy)" = 528 ] || fail 'y.npy has not 128 + 400 bytes'
grep -q "'descr': '<f4', 'fortran_order': False, 'shape': (100,)" y.npy || fail 'no header in y.npy'
expect 0 ptxwb run double.ptx --seeds 3 --json
document ptxwb.run.v1
wants unverified verdict
wants 5 schedules runs
wants 0 outputs Y nan_count
expect 0 ptxwb run - < double.ptx

# What was dumped can be read again.
kernel "$(plan 100 file:y.npy)" "$double" > again.ptx
expect 0 ptxwb run again.ptx
printed 'max 396'
kernel "$(plan 99 file:y.npy)" "$double" > shape.ptx
expect 1 ptxwb run shape.ptx
said 'shape (100,), the plan says (99,)'
kernel "$(plan 100 file:none.npy)" "$double" > absent.ptx
expect 2 ptxwb run absent.ptx

# A fault has its rule and its line.
kernel "$(plan 100 random)" "${double/setp.ge/setp.gt}" > beyond.ptx
expect 1 ptxwb run beyond.ptx --json
wants out_of_bounds verdict
wants out_of_bounds reports 0 rule
wants 27 reports 0 lines 0 line
kernel "$(plan 100 random)" "$guarded" > nothing.ptx
expect 1 ptxwb run nothing.ptx
printed 'Y was not written at all'

# Without a plan, or with one that does not fit.
kernel '' "$double" > bare.ptx
expect 1 ptxwb run bare.ptx
said '"kernel": "k"'
said '"args": [ {"tensor":"X0"}, {"tensor":"X1"}, {"u32": "n"} ]'
kernel "$(plan 100 nonsense)" "$double" > init.ptx
expect 1 ptxwb run init.ptx
said 'unknown init "nonsense"'
expect 2 ptxwb run double.ptx --dump Y
expect 2 ptxwb run double.ptx --dump Z=z.npy
said 'outputs: Y'
expect 2 ptxwb run double.ptx --seed -1
PTXWB_RUNNER=/nowhere/ptxwb-runner expect 3 ptxwb run double.ptx --on gpu
said PTXWB_RUNNER

# Kernels that never end, fall into nowhere or ask for what nobody has: a report, within seconds.
deadline=30
kernel "$(plan 100 random)" 'LOOP:
  bra LOOP;' > loop.ptx
expect 1 ptxwb run loop.ptx
printed livelock
kernel "$(plan 100 random | sed 's/\["n"\]/["n*100000000"]/')" "$double" > huge.ptx
expect 2 ptxwb run huge.ptx
said 'make the shapes smaller'
kernel "$(plan 100 random)" '  bra NOWHERE;' > nowhere.ptx
expect 1 ptxwb run nowhere.ptx
said NOWHERE
kernel "$(plan 100 random)" '  ld.global.f32 %f0, [%rd5];' > wild.ptx
expect 1 ptxwb run wild.ptx
printed uninitialised_read
kernel "$(plan 100 random | sed 's/"ceildiv(n,64)"/2147483647/')" "$double" > threads.ptx
expect 1 ptxwb run threads.ptx
printed '16777216 at most'
kernel "$(plan 100 random | sed 's/"ceildiv(n,64)"/16777216/')" "$double" > threads.ptx
expect 1 ptxwb run threads.ptx --limit 2
printed 'the time limit is over'
printf '.version 8.0\n.target sm_90a\n.address_size 64\n.func f() { call f; ret; }\n.visible .entry k() { call f; ret; }\n/* @launch { "launches": [ { "kernel": "k", "grid": [1], "block": [32], "args": [] } ] } */\n' > recursion.ptx
expect 1 ptxwb run recursion.ptx
printed recursion

# CUDA C++ is run, and stepped, as the PTX that nvcc makes of it; findings name its lines first.
needs nvcc
cat > shift.cu << 'END'
/* @launch { "axes": { "n": 256 },
  "tensors": { "X": { "dtype": "float32", "shape": ["n"] }, "Y": { "dtype": "float32", "shape": ["n"], "role": "output" } },
  "launches": [ { "kernel": "shift", "grid": [1], "block": [256], "args": [ {"tensor":"X"}, {"tensor":"Y"} ] } ] } */
extern "C" __global__ void shift(const float* x, float* y)
{
    __shared__ float part[256];
    part[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = part[(threadIdx.x + 1) % 256];
}
END
expect 0 ptxwb run shift.cu
printed 'Y: float32 [256]'
printed 'early, late, random (3 runs)'
sed -i '/__syncthreads/d' shift.cu
expect 1 ptxwb run shift.cu
printed 'race'
printed 'shift.cu:8'
printed 'shift.cu (generated PTX):'
expect 1 ptxwb run shift.cu --json
wants race verdict
printf 'step\nquit\n' > commands
expect 0 ptxwb debug shift.cu < commands
printed 'shift: grid 1 x 1 x 1, block 256 x 1 x 1'
printf '__global__ void k() { nothing(); }\n' > broken.cu
expect 1 ptxwb run broken.cu
said 'broken.cu:1'
said 'nothing'
printf 'extern "C" __global__ void k(float* y) { y[threadIdx.x] = 1; }\n' > bare.cu
expect 1 ptxwb run bare.cu
said '"kernel": "k"'
