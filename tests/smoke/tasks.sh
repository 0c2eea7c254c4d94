#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
source "$(dirname "$0")/expect.sh"

expect 0 ptxwb tasks
printed gemm_n7168_k5120
expect 0 ptxwb tasks --json
document ptxwb.tasks.v1
expect 0 ptxwb tasks gemm_n7168_k5120
printed paper
