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
