# SPDX-License-Identifier: Apache-2.0
"""Attention forward with log-sum-exp: its shape, the products and the softmax, the beginning and the producer."""
import struct

from forward_words import header, plan
from ptx_text import (Shape, boxes, fill, float_bits, pack, pairs, product_of_memory, product_of_registers, row_of,
                      wait)


class Forward(Shape):
    """`consumers` warpgroups take 64 queries each; `stages` blocks of K, and of V, are kept in shared memory; with `turns`
    the consumers start their products one after the other."""

    def __init__(self, d, causal, consumers=2, stages=2, turns=None):
        super().__init__(d, causal)
        assert consumers in (2, 3) and stages in (2, 4)
        self.turns = causal if turns is None else turns
        self.consumers = consumers
        self.stages = stages
        self.loop = not causal  # a CTA stays for the whole run
        self.rows = 64 * consumers
        self.name = "attention_causal_wgmma_tma" if causal else "attention_wgmma_tma"
        half_bytes = 128 * self.rows
        tile = 16384 * self.halves
        places = {
            "D": d, "SQRT": d, "ROWS": self.rows, "HALVES": self.halves, "NAME": self.name,
            "THREADS": 128 * (consumers + 1), "ENTRY_REGISTERS": 65536 // (128 * (consumers + 1)) // 8 * 8,
            "CONSUMERS": consumers, "ARRIVALS": 4 * consumers, "LAST_STAGE": stages - 1, "STAGES": stages,
            "STAGE_BIT": stages.bit_length() - 1, "EMPTY": 8 * stages, "TILE_BYTES": tile, "TILE_UNITS": tile // 16,
            "Q_HALF": half_bytes, "Q_BYTES": half_bytes * self.halves, "AT_K": half_bytes * self.halves,
            "FEW": 24 if consumers == 2 else 32, "MANY": 240 if consumers == 2 else 160,
            "FACTOR": float_bits(self.exponent_factor),
            "FACTOR_VALUE": "%.9f" % struct.unpack("<f", struct.pack("<f", self.exponent_factor))[0],
            "O_REGISTERS": d // 2, "STEPS": {64: "four", 96: "six", 128: "eight"}[d],
        }
        places["AT_V"] = places["AT_K"] + stages * tile
        places["AT_O"] = places["AT_V"] + stages * tile
        places["AT_BARRIERS"] = places["AT_O"] + places["Q_BYTES"]
        places["BARRIER_BYTES"] = 16 + 32 * stages
        places["BARRIERS_V"] = 16 + 16 * stages
        self.places = places

    def fill(self, text, **more):
        return fill(text, **self.places, **more)


def scores(f):
    return ("    wgmma.fence.sync.aligned;                       // registers written before are settled\n"
            + product_of_memory(f, 128, "s", "descQ", "descK", "stepQ", "stepK", 8 * f.rows, 1024)
            + "    wgmma.commit_group.sync.aligned;\n")


def values(f):
    return ("    wgmma.fence.sync.aligned;\n" + product_of_registers(f, 8, "o", "p", "descV", "stepV")
            + "    wgmma.commit_group.sync.aligned;\n")


def largest(is_first):
    lines = {}
    for row in "AB":
        elements = [i for i in range(64) if row_of(i) == row]
        first = elements.pop(0)
        other = f"%s{elements.pop(0)}" if is_first else f"%s{first}"
        lines[row] = [f"max.f32 %new{row}, {f'%s{first}' if is_first else f'%max{row}'}, {other};",
                      f"max.f32 %alt{row}, %s{elements.pop(0)}, %s{elements.pop(0)};"]
        for n, element in enumerate(elements):
            to = ("new", "alt")[n % 2] + row
            lines[row].append(f"max.f32 %{to}, %{to}, %s{element};")
        lines[row].append(f"max.f32 %new{row}, %new{row}, %alt{row};")
    text = "    // Largest score of each row: in two chains per row, then over the 4 lanes that hold the row.\n"
    text += "".join(f"    {a:<34} {b}\n" for a, b in zip(lines["A"], lines["B"]))
    for distance in (1, 2):
        for row in "AB":
            text += f"    shfl.sync.bfly.b32 %alt{row}, %new{row}, {distance}, 31, 0xffffffff;\n"
        for row in "AB":
            text += f"    max.f32         %new{row}, %new{row}, %alt{row};\n"
    return text


def probabilities(is_first):
    text = """    // p = 2^(c * score - c * max): one fma and one ex2 for each score, in place
    mul.f32 %biasA, %newA, %minusScale;  mul.f32 %biasB, %newB, %minusScale;
"""
    text += pairs(lambda i: f"fma.rn.f32 %s{i}, %s{i}, %scale, %bias{row_of(i)};", 64)
    text += pairs(lambda i: f"ex2.approx.ftz.f32 %s{i}, %s{i};", 64)
    text += "    // Sum of p, of this lane's part of the row; the 4 lanes are added up at the very end.\n"
    if is_first:
        text += "    add.f32 %sumA, %s0, %s4;  add.f32 %altA, %s1, %s5;  add.f32 %sumB, %s2, %s6;  add.f32 %altB, %s3, %s7;\n"
    else:
        text += "    add.f32 %altA, %s1, %s5;  add.f32 %altB, %s3, %s7;\n"
        text += ("    add.f32 %sumA, %sumA, %s0;  add.f32 %sumB, %sumB, %s2;  add.f32 %sumA, %sumA, %s4;"
                 "  add.f32 %sumB, %sumB, %s6;\n")
    for first in range(8, 64, 4):
        text += "    " + "  ".join(f"add.f32 %{to}, %{to}, %s{first + n};"
                                   for n, to in enumerate(("sumA", "altA", "sumB", "altB"))) + "\n"
    return text + "    add.f32 %sumA, %sumA, %altA;  add.f32 %sumB, %sumB, %altB;\n"


def packed():
    return ("    // Rounded to bf16 and packed in pairs, the results of one wgmma are the left operand of the next: "
            "p[i] is s[2i], s[2i+1].\n" + pack("p", "s", 32))


def shrunk(f):
    return pairs(lambda i: f"mul.f32 %o{i}, %o{i}, %shrink{row_of(i)};", f.d // 2)


def whose_tile(f):
    if f.causal:
        return """    // The order of the work. 8 heads together: the CTAs that run at the same time then share their K and V through L2.
    // Inside such a group the longest tiles come first, so that what is left at the end of the run is short work.
    shl.b32         %u, %tiles, 3;                  // tiles of 8 heads
    div.u32         %t, %item, %u;                  // which group
    mul.lo.u32      %u, %t, %u;
    sub.u32         %u, %item, %u;                  // number inside the group
    shr.u32         %tile, %u, 3;
    add.u32         %tile, %tile, 1;
    sub.u32         %tile, %tiles, %tile;           // the last tile of a head is the longest
    and.b32         %u, %u, 7;
    mad.lo.u32      %head, %t, 8, %u;
""" + ("""    shl.b32         %query, %tile, 7;               // first query of the tile
    add.u32         %blocks, %tile, 1;              // blocks of keys up to and with the diagonal
""" if f.rows == 128 else f.fill("""    mul.lo.u32      %query, %tile, $ROWS;            // first query of the tile
    add.u32         %blocks, %query, $ROWS + 127;
    shr.u32         %blocks, %blocks, 7;            // blocks of keys up to and with the diagonal ...
    add.u32         %t, %length, 127;
    shr.u32         %t, %t, 7;
    min.u32         %blocks, %blocks, %t;           // ... as far as there are keys
"""))
    text = """    div.u32         %head, %item, %tiles;           // CTAs that run at the same time share few heads: K and V stay in L2
    mul.lo.u32      %t, %head, %tiles;
    sub.u32         %tile, %item, %t;
"""
    if f.rows == 128:
        return text + """    shl.b32         %query, %tile, 7;               // first query of the tile
    mov.b32         %blocks, %tiles;                // blocks of keys: as many as tiles of queries
"""
    return text + f.fill("""    mul.lo.u32      %query, %tile, $ROWS;            // first query of the tile
    add.u32         %blocks, %length, 127;
    shr.u32         %blocks, %blocks, 7;            // blocks of keys
""")


def beginning(f):
    text = header(f) + plan(f) + f.fill("""
.version 8.0
.target sm_90a
.address_size 64

.extern .shared .align 1024 .b8 dynamicShared[];

// A tensor map is 128 bytes, passed by value; the TMA unit reads it where the parameters lie.
.visible .entry $NAME(
    .param .align 64 .b8 mapQ[128],
    .param .align 64 .b8 mapK[128],
    .param .align 64 .b8 mapV[128],
    .param .align 64 .b8 mapO[128],
    .param .u64 tensorLse,
    .param .u32 lengthS$HEADS)
// setmaxnreg works only when the registers at entry are known: $THREADS threads, one CTA per SM, so 65536 / $THREADS -> $ENTRY_REGISTERS.
.maxntid $THREADS, 1, 1
.minnctapersm 1
{
    .reg .b32 %thread, %lane, %warp, %group, %consumer, %t, %u;
    .reg .b32 %length, %tiles, %item$LOOP, %head, %tile, %query, %blocks, %left;
    .reg .b32 %shared, %fullQ$EMPTY_Q, %barriersK, %barriersV, %barK, %barV, $TO_Q%toK, %toV;
    .reg .b32 %slot, %slotV, %stage, %parity$PARITY_Q;
    .reg .b32 %keyK, %keyV, %lastKey, %row, %limitA, %limitB, %p<32>;
    .reg .b32 %groupBarrier, $TURNS%bufferO, %stageO, %spot, %storeRow, %pair<4>;
    .reg .b64 %mapPtrQ, %mapPtrK, %mapPtrV, %mapPtrO, %ptrLse, %wide;
    .reg .b64 %descBits, %baseK, %baseV, %descQ, %descK, %descV, %stepQ, %stepK, %stepV;
    .reg .f32 %s<64>, %o<$O_REGISTERS>;                      // scores of one block, then p; sums of $D dimensions
    .reg .f32 %maxA, %maxB, %newA, %newB, %altA, %altB, %sumA, %sumB, %shrinkA, %shrinkB, %biasA, %biasB;
    .reg .f32 %scale, %minusScale, %f;
    .reg .pred %done, %elected, %yes, %no, %accumulate, %signals, %leader, %hidden, %first, %none, %writes;

    // ================================================================ 1. Who am I, where is what
    mov.u32         %thread, %tid.x;
    and.b32         %lane, %thread, 31;
    shr.u32         %warp, %thread, 5;
    shfl.sync.idx.b32 %warp, %warp, 0, 31, 0xffffffff;   // same value in all lanes, and now ptxas knows it
    shr.u32         %group, %warp, 2;

    mov.b64         %mapPtrQ, mapQ;                 // address of the parameter ...
    cvta.param.u64  %mapPtrQ, %mapPtrQ;             // ... made generic, as the TMA instruction wants it
    mov.b64         %mapPtrK, mapK;
    cvta.param.u64  %mapPtrK, %mapPtrK;
    mov.b64         %mapPtrV, mapV;
    cvta.param.u64  %mapPtrV, %mapPtrV;
    mov.b64         %mapPtrO, mapO;
    cvta.param.u64  %mapPtrO, %mapPtrO;

    mov.b32         %shared, dynamicShared;         // a symbol of .shared is its 32-bit shared address
    add.u32         %shared, %shared, 1023;
    and.b32         %shared, %shared, 0xfffffc00;
    add.u32         %fullQ, %shared, $AT_BARRIERS;
""", HEADS=",\n    .param .u32 numberOfHeads" if f.loop else "", LOOP=", %heads, %items, %itemStep" if f.loop else "",
        EMPTY_Q=", %emptyQ" if f.loop else "", PARITY_Q=", %parityQ" if f.loop else "",
        TURNS="%myTurn, %yourTurn, " if f.turns else "", TO_Q="%toQ, " if f.halves == 2 else "")
    if f.loop:
        text += "    add.u32         %emptyQ, %fullQ, 8;\n"
    stages = "0 and 1 at + 0 and + 8, empty at + 16 and + 24" if f.stages == 2 else "n at + 8 n, empty at + 32 + 8 n"
    text += f.fill("""    add.u32         %barriersK, %fullQ, 16;         // full of stage $WHERE
    add.u32         %barriersV, %fullQ, $BARRIERS_V;         // the same

    ld.param.u32    %length, [lengthS];
""", WHERE=stages)
    if f.rows == 128:
        text += """    add.u32         %tiles, %length, 127;
    shr.u32         %tiles, %tiles, 7;              // ceil(S / 128); past the end TMA reads zeros and writes nothing
"""
    else:
        text += f.fill("""    add.u32         %tiles, %length, $ROWS - 1;
    div.u32         %tiles, %tiles, $ROWS;           // ceil(S / $ROWS); past the end TMA reads zeros and writes nothing
""")
    text += "    mov.u32         %item, %ctaid.x;\n"
    if f.loop:
        text += """    ld.param.u32    %heads, [numberOfHeads];
    mul.lo.u32      %items, %tiles, %heads;         // the first tile of this CTA is ctaid, then every nctaid-th
    mov.u32         %itemStep, %nctaid.x;
"""
    else:
        text += whose_tile(f)
    return text


def barriers(f):
    text = f.fill("""
    // ================================================================ 2. Barriers
    // An mbarrier counts arrivals (and, for TMA, bytes). When all have come its phase ends: waiters go on and the count
    // starts anew. Waiters name the phase by parity: phases are 0, 1, 0, 1 ...
    //   full:  1 arrival (the producer's, with the number of bytes to come) and all these bytes
    //   empty: $ARRIVALS arrivals, one from each consumer warp
    setp.ne.u32     %done, %thread, 0;
    @%done bra       BARRIERS_MADE;
    mbarrier.init.shared::cta.b64 [%fullQ], 1;
""")
    if f.loop:
        text += f.fill("    mbarrier.init.shared::cta.b64 [%emptyQ], $ARRIVALS;\n")
    for ring in "KV":
        for i in range(2 * f.stages):
            offset = f"+{8 * i}" if i > 0 else ""
            text += f"    mbarrier.init.shared::cta.b64 [%barriers{ring}{offset}], {1 if i < f.stages else 4 * f.consumers};\n"
    text += f.fill("""    fence.mbarrier_init.release.cluster;            // the TMA unit must see them made
    fence.proxy.async.shared::cta;
BARRIERS_MADE:
    bar.sync        0;

    // Blocks of keys are numbered by %slot$ALL. Block n lies in stage n mod $STAGES, and that is use
    // n / $STAGES of the stage: the consumers wait for the phase of parity (n / $STAGES) mod 2. The producer waits for the phase before
    // that one, of the other parity; a barrier in its first phase counts the phase before it as over, so nobody has to
    // release a stage before its first use.
    mov.b32         %slot, 0;
""", ALL=", through all tiles of this CTA" if f.loop else "")
    if f.loop:
        text += "    mov.b32         %parityQ, 0;\n"
    return text


def producer(f):
    text = f.fill("""    setp.ne.u32     %done, %group, 0;
    @%done bra       CONSUMER;

    // ================================================================ 3. Producer
    // It needs few registers and gives the rest back to the SM, for the consumers.
    setmaxnreg.dec.sync.aligned.u32 $FEW;
    setp.ne.u32     %done, %warp, 0;
    @%done bra       FINISH;
    elect.sync      _|%elected, 0xffffffff;         // one lane, whichever the hardware picks
    @!%elected bra   FINISH;

""")
    if f.loop:
        text += "PRODUCE_ITEM:\n    setp.ge.u32     %done, %item, %items;\n    @%done bra       FINISH;\n" + whose_tile(f)
    text += f.fill("""    // The consumers want K one block ahead of V. So each step asks for K of one block and V of the block before; the first
    // step has no V (but Q), the last one no K.
    sub.u32         %t, %blocks, 1;
    shl.b32         %keyK, %t, 7;                   // first key of the last block
    mov.b32         %lastKey, %keyK;

PRODUCE_STEP:
    setp.lt.s32     %none, %keyK, 0;
    @%none bra       PRODUCE_V;
    and.b32         %stage, %slot, $LAST_STAGE;
    bfe.u32         %parity, %slot, $STAGE_BIT, 1;
    xor.b32         %parity, %parity, 1;
    mad.lo.u32      %barK, %stage, 8, %barriersK;
""") + wait("PRODUCER_WAITS_K", f.fill("%barK+$EMPTY"), "%parity")
    text += f.fill("""    // First say how many bytes will come, then ask for them. Coordinates are {dimension, key, head}, in elements.
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%barK], $TILE_BYTES;
    mad.lo.u32      %toK, %stage, $TILE_BYTES, %shared;
    add.u32         %toK, %toK, $AT_K;
""") + boxes(f, "%mapPtrK", "%toK", 16384, "%keyK", "%barK") + """
    setp.eq.s32     %first, %keyK, %lastKey;
    @!%first bra     PRODUCE_V;
"""
    if f.loop:
        text += ("    xor.b32         %t, %parityQ, 1;\n" + wait("PRODUCER_WAITS_Q", "%emptyQ", "%t")
                 + "    xor.b32         %parityQ, %parityQ, 1;\n")
    text += f.fill("    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%fullQ], $Q_BYTES;\n")
    queries = boxes(f, "%mapPtrQ", "%toQ", f.places["Q_HALF"], "%query", "%fullQ")
    queries = queries.replace("[%toQ], [%mapPtrQ, {0,", "[%shared], [%mapPtrQ, {0,").replace("%toQ, %toQ,", "%toQ, %shared,")
    text += queries + f.fill("""    bra             PRODUCED;

PRODUCE_V:
    sub.u32         %slotV, %slot, 1;
    and.b32         %stage, %slotV, $LAST_STAGE;
    bfe.u32         %parity, %slotV, $STAGE_BIT, 1;
    xor.b32         %parity, %parity, 1;
    mad.lo.u32      %barV, %stage, 8, %barriersV;
""") + wait("PRODUCER_WAITS_V", f.fill("%barV+$EMPTY"), "%parity")
    text += f.fill("""    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%barV], $TILE_BYTES;
    mad.lo.u32      %toV, %stage, $TILE_BYTES, %shared;
    add.u32         %toV, %toV, $AT_V;
    add.s32         %keyV, %keyK, 128;
""") + boxes(f, "%mapPtrV", "%toV", 16384, "%keyV", "%barV")
    text += fill("""    @%none bra       $NEXT;

PRODUCED:
    add.u32         %slot, %slot, 1;
    sub.s32         %keyK, %keyK, 128;
    bra             PRODUCE_STEP;

""", NEXT="PRODUCE_NEXT" if f.loop else "FINISH")
    if f.loop:
        text += "PRODUCE_NEXT:\n    add.u32         %item, %item, %itemStep;\n    bra             PRODUCE_ITEM;\n\n"
    return text
