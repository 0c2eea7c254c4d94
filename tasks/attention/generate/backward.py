# SPDX-License-Identifier: Apache-2.0
"""Attention backward: its shape, what the kernels for keys and for queries share, and the small first kernel."""
import struct

from backward_words import header, plan
from ptx_text import Shape, fill, float_bits, pairs

COMMIT = "    wgmma.commit_group.sync.aligned;\n"
FENCE = "    wgmma.fence.sync.aligned;\n"
SYNC = "    bar.sync        %myTurn, 256;\n"
ARRIVE = "    bar.arrive      %yourTurn, 256;\n"
LAST_TURN = """    // The last turn given is taken too: no barrier is left half full.
    setp.eq.u32     %done, %consumer, 0;
    @%done bar.sync  %myTurn, 256;
"""
TURNS = """
    // Turns: bar.sync waits until 256 threads have come, and bar.arrive comes without waiting: one consumer waits at its
    // barrier, the other comes when it has started its products. The first turn is consumer 0's: consumer 1 says so here.
    add.u32         %myTurn, %consumer, 3;
    sub.u32         %yourTurn, 4, %consumer;
    setp.eq.u32     %done, %consumer, 1;
    @%done bar.arrive %yourTurn, 256;

"""
ROW = """    and.b32         %t, %warp, 3;
    shl.b32         %t, %t, 4;
    mad.lo.u32      %row, %consumer, 64, %t;
    shr.u32         %t, %lane, 2;
    add.u32         %row, %row, %t;                 // row A of this thread inside the tile; row B is + 8
"""
STAGE_PLACE = """    and.b32         %t, %warp, 3;
    mad.lo.u32      %stageO, %t, 2048, %buffer;     // 16 rows x 128 bytes
    and.b32         %t, %lane, 15;
    mad.lo.u32      %stageO, %t, 128, %stageO;
    shr.u32         %t, %lane, 4;
    xor.b32         %t, %t, %lane;
    and.b32         %t, %t, 7;
    mad.lo.u32      %stageO, %t, 16, %stageO;       // the pair j of pieces is at stageO xor (32 * j)
"""


class Backward(Shape):
    def __init__(self, d, causal):
        super().__init__(d, causal)
        tile = 16384 * self.halves  # 128 rows
        keys_stage = tile  # 64 rows of Q, 64 of dO
        self.tile = tile
        self.places = {
            "D": d, "HALVES": self.halves, "TILE": tile, "TWO_TILES": 2 * tile, "UNITS": tile // 16,
            "HALF_TILE": tile // 2, "STATS": 2 * tile + 4 * keys_stage, "DELTAS": 2 * tile + 4 * keys_stage + 1024,
            "KEYS_BARRIERS": 2 * tile + 4 * keys_stage + 2048, "STAGE_BYTES": keys_stage + 512,
            "AT_V": 5 * tile, "QUERIES_BARRIERS": 7 * tile, "SUMS": d // 2,
            "ROWS_A_CTA": 32 if d == 64 else 16, "FACTOR": self.factor, "FACTOR_VALUE":
            "%.9f" % struct.unpack("<f", struct.pack("<f", self.exponent_factor))[0],
            "STEPS": {64: "four", 96: "six", 128: "eight"}[d],
        }

    @property
    def factor(self):
        return float_bits(self.exponent_factor)

    def fill(self, text, **more):
        return fill(text, **self.places, **more)


def scaled(b, sums):
    return pairs(lambda i: f"mul.f32 %{sums}{i}, %{sums}{i}, {float_bits(b.d ** -0.5)};", b.d // 2)


def map_addresses(*names):
    return "".join(f"    mov.b64         %mapPtr{n}, map{n};\n    cvta.param.u64  %mapPtr{n}, %mapPtr{n};\n" for n in names)


def descriptor(name, bits, base):
    return (f"    shr.u32         %t, {base}, 4;\n    cvt.u64.u32     %wide, %t;\n"
            f"    or.b64          %{name}, %{bits}, %wide;\n")


def store(b, sums, tensor, row, place):
    """One `cp.async.bulk.tensor` for each half of 64 rows."""
    text = ""
    for half in range(b.halves):
        at = place + 16384 * half
        text += (f"    cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%mapPtr{tensor}, "
                 f"{{{64 * half}, {row}, %head}}], [%buffer{f'+{at}' if at else ''}];\n")
    return text


def whose_tile(b, kept):
    if not b.causal:
        return """    div.u32         %head, %item, %tiles;           // CTAs that run at the same time share few heads, which stay in L2
    mul.lo.u32      %t, %head, %tiles;
    sub.u32         %tile, %item, %t;
"""
    words = {"keys": "whose Q and dO then stay in L2; the longest tiles (the first keys) first",
             "queries": "whose K and V then stay in L2; the longest tiles (the last queries) first"}[kept]
    turned = "" if kept == "keys" else "    add.u32         %tile, %tile, 1;\n    sub.u32         %tile, %tiles, %tile;\n"
    return f"""    // The order of the work: 8 heads together, {words}.
    shl.b32         %u, %tiles, 3;                  // tiles of 8 heads
    div.u32         %t, %item, %u;                  // which group
    mul.lo.u32      %u, %t, %u;
    sub.u32         %u, %item, %u;                  // number inside the group
    shr.u32         %tile, %u, 3;
{turned}    and.b32         %u, %u, 7;
    mad.lo.u32      %head, %t, 8, %u;
"""


def rows_kernel(b):
    """delta and -log2(e) L. Lanes of 16 bytes: 16 to a row of 128 or 96 dimensions (of 96 four have nothing), 8 of 64."""
    lanes = 8 if b.d == 64 else 16
    what = {128: "16 threads to a row, 16 bytes of each tensor to a thread.",
            96: "16 threads to a row, 16 bytes of each tensor to a thread: 4 of them have none.",
            64: "8 threads to a row, 16 bytes of each tensor to a thread."}[b.d]
    text = f"""
.version 8.0
.target sm_90a
.address_size 64

.extern .shared .align 1024 .b8 dynamicShared[];

// ======================================================================================================================
// 1. delta = row sums of dO * O, and -log2(e) * L. {what}
// ======================================================================================================================
.visible .entry attention_backward_rows(
    .param .u64 tensorO,
    .param .u64 tensordO,
    .param .u64 tensorL,
    .param .u64 workMinusLse,
    .param .u64 workDelta)
.maxntid 256, 1, 1
{{
    .reg .b32 %thread, %row, %t, %o<4>, %g<4>;
    .reg .b64 %ptrO, %ptrG, %ptrL, %ptrLse, %ptrDelta, %offset;
    .reg .f32 %a, %b, %sum, %f, %l;
    .reg .pred %writes{', %reads' if b.d == 96 else ''};

    mov.u32         %thread, %tid.x;
    mov.u32         %t, %ctaid.x;
    shr.u32         %row, %thread, {lanes.bit_length() - 1};
    mad.lo.u32      %row, %t, {256 // lanes}, %row;
"""
    if b.d == 96:
        text += """    and.b32         %t, %thread, 15;
    setp.lt.u32     %reads, %t, 12;
    mad.lo.u32      %t, %row, 12, %t;
    mul.wide.u32    %offset, %t, 16;                // rows lie one after the other, 12 x 16 bytes each
"""
    else:
        text += """    mad.lo.u32      %t, %t, 256, %thread;
    mul.wide.u32    %offset, %t, 16;                // rows lie one after the other
"""
    guard = "@%reads " if b.d == 96 else ""
    text += """    ld.param.u64    %ptrO, [tensorO];
    cvta.to.global.u64 %ptrO, %ptrO;
    add.s64         %ptrO, %ptrO, %offset;
    ld.param.u64    %ptrG, [tensordO];
    cvta.to.global.u64 %ptrG, %ptrG;
    add.s64         %ptrG, %ptrG, %offset;
"""
    if b.d == 96:
        for name in "og":
            text += "   " + "".join(f" mov.b32 %{name}{i}, 0; " for i in range(4)).rstrip() + "\n"
    text += f"""    {guard}ld.global.nc.v4.b32 {{%o0, %o1, %o2, %o3}}, [%ptrO];
    {guard}ld.global.nc.v4.b32 {{%g0, %g1, %g2, %g3}}, [%ptrG];
    // A bf16 is the upper half of a float32.
    mov.f32         %sum, 0f00000000;
"""
    for i in range(4):
        text += f"""    shl.b32 %t, %o{i}, 16;  mov.b32 %a, %t;  shl.b32 %t, %g{i}, 16;  mov.b32 %b, %t;
    fma.rn.f32      %sum, %a, %b, %sum;
    and.b32 %t, %o{i}, 0xffff0000;  mov.b32 %a, %t;  and.b32 %t, %g{i}, 0xffff0000;  mov.b32 %b, %t;
    fma.rn.f32      %sum, %a, %b, %sum;
"""
    distance = lanes // 2
    while distance > 0:
        text += f"    shfl.sync.bfly.b32 %f, %sum, {distance}, 31, 0xffffffff;\n    add.f32         %sum, %sum, %f;\n"
        distance //= 2
    return text + f"""    and.b32         %t, %thread, {lanes - 1};
    setp.eq.u32     %writes, %t, 0;
    mul.wide.u32    %offset, %row, 4;
    ld.param.u64    %ptrL, [tensorL];
    cvta.to.global.u64 %ptrL, %ptrL;
    add.s64         %ptrL, %ptrL, %offset;
    ld.param.u64    %ptrLse, [workMinusLse];
    cvta.to.global.u64 %ptrLse, %ptrLse;
    add.s64         %ptrLse, %ptrLse, %offset;
    ld.param.u64    %ptrDelta, [workDelta];
    cvta.to.global.u64 %ptrDelta, %ptrDelta;
    add.s64         %ptrDelta, %ptrDelta, %offset;
    @%writes ld.global.nc.f32 %l, [%ptrL];
    @%writes mul.f32 %l, %l, 0fBFB8AA3B;            // -log2(e)
    @%writes st.global.f32 [%ptrLse], %l;
    @%writes st.global.f32 [%ptrDelta], %sum;
    ret;
}}
"""


def beginning(b):
    return header(b) + plan(b) + rows_kernel(b)
