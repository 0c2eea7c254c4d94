#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `ptxwb explain` needs no tool at all.
source "$(dirname "$0")/expect.sh"

expect 0 ptxwb explain wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16
printed wgmma.fence.sync.aligned
printed 'executed by a warpgroup'
expect 0 ptxwb explain hgmma.64x256x16.f32.bf16
printed 'HGMMA 64x256x16, bf16 inputs, fp32 accumulate'
expect 0 ptxwb explain c7510
printed 'function call'
expect 0 ptxwb explain 0x4000004000010020
printed '1024 bytes'
printed 'not shared memory descriptor of tcgen05'
expect 0 ptxwb explain 0x8080490 --json
document ptxwb.explain.v1
wants descriptor kind
expect 2 ptxwb explain wgmma
said wgmma.wait_group
expect 2 ptxwb explain ''
expect 2 ptxwb explain
expect 2 ptxwb explain 0x
expect 2 ptxwb explain 99999999999999999999
