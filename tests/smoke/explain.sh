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
expect 0 ptxwb explain fence.proxy.async
printed 'fence.proxy.async needs .version 8.0 and sm_90'
printed 'ptxas accepts: fence.proxy.async;'
printed 'each thread that wrote must execute it'
expect 0 ptxwb explain mbarrier.arrive.expect_tx
printed 'mbarrier.arrive.expect_tx needs .version 8.0 and sm_90'
printed 'ptxas accepts: mbarrier.arrive.expect_tx.shared::cta.b64'
expect 0 ptxwb explain cvt.rn.bf16x2.f32
printed 'cvt.rn.bf16x2.f32 needs .version 7.0 and sm_80'
if grep -q 'and -$' "$scratch/out"; then fail 'a target named -'; fi
expect 0 ptxwb explain fma.rn.oob.bf16 --json
wants 8.1 asked_min_ptx
wants sm_90 asked_min_target
expect 0 ptxwb explain setmaxnreg
printed 'multiple of 8 from 24 to 256'
expect 0 ptxwb explain ACQBULK
printed 'prerequisite grids have completed'
expect 0 ptxwb explain HGMMA
if grep -q 'HGMMA: HGMMA' "$scratch/out"; then fail 'says HGMMA of HGMMA'; fi
expect 2 ptxwb explain HGMM
said HGMMA
expect 2 ptxwb explain wgma.mma_async
said wgmma.mma_async
expect 2 ptxwb explain wgmma
said wgmma.wait_group
expect 2 ptxwb explain ''
expect 2 ptxwb explain
expect 2 ptxwb explain 0x
expect 2 ptxwb explain 99999999999999999999

# A word that nothing takes is said to be one.
expect 0 ptxwb explain fence.proxy.bogus
printed "'.bogus' is no word that we know"
