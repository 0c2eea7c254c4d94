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
