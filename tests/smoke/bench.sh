# SPDX-License-Identifier: Apache-2.0
# Two versions of one kernel: what can be refused without a GPU is, and nothing is claimed about speed.
source "$(dirname "$0")/expect.sh"
needs ptxas

export PTXWB_RUNNER=/nowhere/ptxwb-runner
gemm="$tree/tasks/gemm/gemm_n7168_k5120"
kernel="$gemm/examples/wgmma_tma.ptx"

expect 2 ptxwb bench
expect 2 ptxwb bench "$kernel"
expect 2 ptxwb bench "$kernel" missing.ptx
said missing.ptx
expect 2 ptxwb bench "$kernel" "$kernel" --on emulator
said "no GPU's clock"
expect 2 ptxwb bench "$kernel" "$kernel" --on gpu:x
expect 2 ptxwb bench "$kernel" "$kernel" --task no_such_task
expect 2 ptxwb bench "$kernel" "$kernel" --workload paper
said --task
expect 2 ptxwb bench "$kernel" "$kernel" --task gemm_n7168_k5120 --axes M=0
said 'M=0'
expect 2 ptxwb bench "$kernel" "$kernel" --task gemm_n7168_k5120 --axes N=64
said 'in every workload'
expect 2 ptxwb bench "$kernel" "$kernel" --task gemm_n7168_k5120 --axes M=64 --workload small
cp "$kernel" mine.ptx
expect 2 ptxwb bench mine.ptx "$kernel" -o mine.ptx
expect 3 ptxwb bench "$kernel" "$kernel" --task gemm_n7168_k5120
said PTXWB_RUNNER
expect 3 ptxwb bench "$kernel" "$kernel" --task gemm_n7168_k5120 --json
document ptxwb.error.v1
wants unavailable error code
expect 3 ptxwb bench "$kernel" "$kernel" --task gemm_n7168_k5120 --on "exec:exit 3"
expect 2 ptxwb run mine.ptx --on none
expect 2 ptxwb run mine.ptx --on gpu:-1
expect 3 ptxwb run mine.ptx --on gpu
expect 3 ptxwb run mine.ptx --on "exec:echo password:"

# What B must hold is read before anything runs; goals are of `eval`.
two=("$gemm/examples/plain.ptx" "$gemm/examples/wgmma_tma.ptx" --task gemm_n7168_k5120)
expect 2 ptxwb bench "${two[@]}" --require wgmma
said 'held to quantities only'
expect 2 ptxwb bench "${two[@]}" --require 'speedup>=x'
said "column 10"
# A baseline of one's own.
kernel=("$gemm/examples/wgmma_tma.ptx" --task gemm_n7168_k5120 --on none)
expect 2 ptxwb eval "${kernel[@]}" --baseline missing.ptx
said missing.ptx
expect 2 ptxwb eval --batch two.jsonl --task gemm_n7168_k5120 --out answers.jsonl --baseline "$gemm/examples/plain.ptx"
said '--baseline'
cp "$gemm/examples/plain.ptx" own.ptx
expect 2 ptxwb eval "${kernel[@]}" --baseline own.ptx -o own.ptx
cmp -s own.ptx "$gemm/examples/plain.ptx" || fail 'the baseline was written over'
expect 3 ptxwb eval "${kernel[@]}" --baseline own.ptx
