#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
source "$(dirname "$0")/expect.sh"

expect 0 ptxwb --help
printed compile
expect 0 ptxwb --version
expect 2 ptxwb
expect 2 ptxwb no-such-command
expect 2 ptxwb compile
expect 2 ptxwb compile --no-such-option x.ptx
expect 2 ptxwb eval "$tree/tasks/gemm/gemm_n7168_k5120/examples/plain.ptx" --task no_such_task --on none
said no_such_task
expect 2 ptxwb eval "$tree/tasks/gemm/gemm_n7168_k5120/examples/plain.ptx" --task gemm_n7168_k5120 --on moon
said moon
expect 2 ptxwb tasks no_such_task --json
document ptxwb.error.v1
