#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Stepping a kernel on a terminal, by commands from a pipe.
source "$(dirname "$0")/expect.sh"

# debugged FILE OPTION... < commands
debugged() { expect 0 ptxwb debug "$@"; }

cat > sum.ptx << 'END'
/* @launch { "axes": { "n": 64 },
  "tensors": { "X": { "dtype": "int32", "shape": ["n"], "init": "iota" },
               "Y": { "dtype": "int32", "shape": ["n"], "role": "output" } },
  "launches": [ { "kernel": "k", "grid": [1], "block": [64], "args": [ {"tensor":"X"}, {"tensor":"Y"} ] } ] } */
.version 8.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 y)
{
  .reg .pred %p;
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  .shared .align 16 .b32 tile[64];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %rd0, %r0, 4;
  ld.param.u64 %rd1, [x];
  add.u64 %rd2, %rd1, %rd0;
  ld.global.u32 %r1, [%rd2];
  shl.b32 %r2, %r0, 2;
  mov.u32 %r3, tile;
  add.u32 %r3, %r3, %r2;
  st.shared.u32 [%r3], %r1;
  bar.sync 0;
  xor.b32 %r4, %r2, 252;
  mov.u32 %r5, tile;
  add.u32 %r5, %r5, %r4;
  ld.shared.u32 %r6, [%r5];
  ld.param.u64 %rd3, [y];
  add.u64 %rd4, %rd3, %rd0;
  st.global.u32 [%rd4], %r6;
  ret;
}
END

debugged sum.ptx << 'END'
break 22
run
print %r1 d
x tile+0 4 d
step
x tile 4 d
info warps
back
x tile+0 1
info breaks
delete 1
until 28
print %rd3
continue
x Y 4
x Y[60] 4
back Y[0]
print %r6 d
list
where
END
printed 'breakpoint 1'
printed '0.0 at line 22: st.shared.u32 [%r3], %r1;'
printed 'tile +0      0  1  2  3'
printed '0.1'
printed 'finished: every thread has exited'
printed 'Y +0      63  62  61  60'
printed 'Y[60] +0      3  2  1  0'
printed 'the next instruction changes it'
printed '0.0 at line 30: st.global.u32 [%rd4], %r6;'
printed '1: break 22'

# A condition, a watch, what is not there.
debugged sum.ptx --policy random --seed 5 << 'END'
break 22 if %r1 == 40
run
print %r0 d
watch Y[63]
continue
watch %r99
break 9 if %nothing == 1
x nowhere
nonsense
warp 7
info
END
printed 'breakpoint 1: %r1 is 40 in lane 8'
printed '0.1 at line 22'
printed 'watch 2: Y[63]: -655371 -> 0'
printed '%r99 is no place in memory'
printed '%nothing is no register'
printed "'nonsense' is not understood"

# A race opens where it was reported; a deadlock goes back to its cause.
sed '/bar.sync/d' sum.ptx > race.ptx
debugged race.ptx << 'END'
check
report 1
info reports
END
printed 'race:'
printed 'ld.shared.u32 %r6, [%r5];'
cat > hang.ptx << 'END'
/* @launch { "launches": [ { "kernel": "k", "grid": [1], "block": [64], "args": [] } ] } */
.version 8.0
.target sm_90a
.address_size 64
.visible .entry k()
{
  .reg .pred %p;
  .reg .b32 %r<4>;
  .shared .align 8 .b64 full;
  mov.u32 %r0, %tid.x;
  setp.ne.u32 %p, %r0, 0;
  @%p bra MADE;
  mbarrier.init.shared::cta.b64 [full], 2;
MADE:
  bar.sync 0;
  setp.lt.u32 %p, %r0, 32;
  @%p bra WAIT;
  setp.ne.u32 %p, %r0, 32;
  @%p bra DONE;
  mbarrier.arrive.shared::cta.b64 _, [full];
DONE:
  ret;
WAIT:
  mbarrier.try_wait.parity.shared::cta.b64 %p, [full], 0;
  @!%p bra WAIT;
  ret;
}
END
debugged hang.ptx << 'END'
run
back 0x400
continue
info warps
info barriers
back full
info barriers
back full
continue
END
printed 'deadlock: nothing can go on'
printed '1 of 2 arrivals are missing'
printed '0.1 at line 20: mbarrier.arrive.shared::cta.b64 _, [full];'
printed '0.0 at line 13: mbarrier.init.shared::cta.b64 [full], 2;'

# What happened, as a table and as a trace; any round can be gone to.
debugged hang.ptx << 'END'
continue
timeline
timeline trace.json
timeline a b
goto 3
where
goto x
END
printed 'rounds (an order, not time), to the end'
printed 'at line 24'
printed 'mbarrier full + 0 of CTA 0: 0 phases'
printed 'trace.json: a trace of'
printed 'timeline [end] [FILE]'
printed 'round 3,'
printed 'goto ROUND'
grep -q '"waits at line 24"' trace.json || fail 'the trace does not show the wait'

# Shared memory as a matrix.
debugged sum.ptx << 'END'
until 28
matrix tile 4x8 int32
matrix tile 4x8 int32 128B
matrix tile 4x40 int32 128B
matrix %rd3 4x4
matrix %r1 4x4
matrix tile
matrix tile 4y4
matrix Y 2x4 float32
END
printed '   1:         8         9        10        11        12        13        14        15'
printed '128-byte swizzle'
printed '32 elements at most'
printed 'it is not a .b64'
printed 'matrix WHERE ROWSxCOLUMNS'
printed "'4y4' is not understood"

# It ends with its input, and says what it cannot do.
debugged sum.ptx < /dev/null
expect 2 ptxwb debug sum.ptx --json
expect 2 ptxwb debug - < sum.ptx
expect 2 ptxwb debug none.ptx
expect 2 ptxwb debug sum.ptx --cta 5
sed 1,4d sum.ptx > bare.ptx
expect 1 ptxwb debug bare.ptx
said '"kernel": "k"'
