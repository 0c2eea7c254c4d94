#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Without a GPU nothing is claimed about results and speed, and the reason stands beside each missing claim.
source "$(dirname "$0")/expect.sh"
needs ptxas
needs nvdisasm

gemm="$tree/tasks/gemm/gemm_n7168_k5120"
task=(--task gemm_n7168_k5120 --on none)

expect 3 ptxwb eval "$gemm/examples/wgmma_tma.ptx" "${task[@]}"
printed unverified
expect 3 ptxwb eval "$gemm/examples/wgmma_tma.ptx" "${task[@]}" --json
document ptxwb.eval.v1
wants unverified verdict
wants none on
wants gemm_n7168_k5120 task
wants passed phases 1 state
wants '' timing
[ -n "$(field timing_reason)" ] || fail "no reason beside the missing timing"
rows=$("$CMAKE" "-DFILE=$scratch/out" -P "$here/not_measured_has_reason.cmake" 2>&1) || fail "$rows"
printf '%s\n' "$rows"

expect 1 ptxwb eval "$gemm/failed/does_not_assemble.ptx" "${task[@]}" --json
wants compile_error verdict
expect 3 ptxwb eval "$gemm/failed/without_wgmma.ptx" "${task[@]}" --json
wants unverified verdict
expect 2 ptxwb eval missing.ptx "${task[@]}"
expect 2 ptxwb eval "$gemm/examples/plain.ptx" "${task[@]}" --workload no_such_workload
said no_such_workload

expect 2 ptxwb eval "$gemm/examples/wgmma_tma.ptx" --task gemm_n7168_k5120 --on gpu --sums h200
said '--sums is for the emulator'

# Emulated: what was found, what was missed and what was not looked at stands in the sentences.
expect 3 ptxwb eval "$gemm/failed/without_wgmma.ptx" "${task[@]}"
printed 'verdict: unverified; goals missed: wgmma in its code, tma in its code - '
task=(--task gemm_n7168_k5120 --on emulator --seed 5)
expect 3 ptxwb eval "$gemm/examples/tcgen05_tma.ptx" "${task[@]}"
grep -E '^  not_measured +free of races, hangs and missing fences +- .*not emulated: tcgen05\.alloc' \
    "$scratch/out" > /dev/null || fail "a run that stopped is taken for a look at races"
sed 's/wgmma\.wait_group\.sync\.aligned 1;/wgmma.wait_group.sync.aligned 2;/' "$gemm/examples/wgmma_tma.ptx" > racing.ptx
expect 1 ptxwb eval racing.ptx "${task[@]}"
said 'verify: found race at line '
printed 'time(s) until the run was stopped'
expect 1 ptxwb eval racing.ptx "${task[@]}" --json
wants race verdict
wants ON reports 0 occurrences_at_least
wants 0 schedules completed
