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
expect 0 ptxwb explain 0x08C00000
printed 'kind mxf8f6f4'
printed '1 * 128 = 128'
if grep -q 'as matrix descriptor of wgmma' "$scratch/out"; then fail 'a matrix descriptor too'; fi
expect 0 ptxwb explain 0x08200480
printed 'as instruction descriptor of tcgen05.mma'
printed 'as block-scaled instruction descriptor of tcgen05.mma (kinds mxf4, mxf4nvf4)'
expect 0 ptxwb explain fence.proxy.async
printed 'fence.proxy.async needs .version 8.0 and sm_90'
printed 'ptxas accepts: fence.proxy.async;'
printed 'each thread that wrote must execute it'
expect 0 ptxwb explain mbarrier.arrive.expect_tx
printed 'mbarrier.arrive.expect_tx needs .version 8.0 and sm_90'
printed 'ptxas accepts: mbarrier.arrive.expect_tx.shared::cta.b64'
expect 0 ptxwb explain add.rn.f32x2
case $(head -n 1 "$scratch/out") in *floating*) ;; *) fail 'the row that was asked for is not the first' ;; esac
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
expect 2 ptxwb explain -- -HGMMA
said "'-HGMMA' is no PTX instruction"
expect 0 ptxwb explain -- HGMMA
expect 2 ptxwb explain HGMMA -- C7510
expect 2 ptxwb explain -- HGMMA C7510
expect 2 ptxwb explain 99999999999999999999

# A word that nothing takes is said to be one.
expect 0 ptxwb explain fence.proxy.bogus
printed "'.bogus' is no word that we know"

# Ordinary opcodes are as old as they are, whatever the oldest target that ptxas was asked with; new ones are not.
while read -r opcode version target; do
    expect 0 ptxwb explain "$opcode" --json
    wants "$version" asked_min_ptx
    wants "$target" asked_min_target
done << 'END'
mov.u32 1.0 sm_10
ld.global.f32 1.0 sm_10
st.global.f32 1.0 sm_10
ld.acquire.gpu.global.u32 6.0 sm_70
red.release.gpu.global.add.s32 6.0 sm_70
mad.lo.s32 1.0 sm_10
setp.ge.u32 1.0 sm_10
setp.eq.f16x2 4.2 sm_53
ex2.approx.f32 1.0 sm_10
mul.wide.u32 1.0 sm_10
mov.b64 1.0 sm_10
cvt.rn.f32.s32 1.0 sm_10
fma.rn.f32 2.0 sm_20
atom.global.add.noftz.f16x2 6.2 sm_60
wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 8.0 sm_90a
cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes 8.0 sm_90
fence.proxy.async 8.0 sm_90
END
expect 0 ptxwb explain tcgen05.mma.cta_group::1.kind::f16 --json
wants 8.6 asked_min_ptx
