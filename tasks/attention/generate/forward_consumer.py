# SPDX-License-Identifier: Apache-2.0
"""Attention forward: the part of the consumers."""
from forward import largest, packed, probabilities, scores, shrunk, values, whose_tile
from ptx_text import mask, stage_rows, wait


def places_of_things(f):
    halves_k = "; the second\n    // half: $Q_HALF bytes, + $Q_UNITS." if f.halves == 2 else "."
    if f.halves == 2 and f.rows == 128:
        halves_k = "; the second\n    // half: 16384 bytes, + 1024."
    lead = ("the leading offset leads from the first 64 dimensions to\n    // the second, 16384 bytes; the stride"
            if f.halves == 2 else "the leading offset is not\n    // used for 64 dimensions; the stride leads")
    return f.fill("""    // ================================================================ 4. Consumers
CONSUMER:
    // $CONSUMERS x 128 x $MANY + 128 x $FEW = $ALL registers of the SM's 65536. $O_REGISTERS hold O, 64 the scores, 32 the probabilities.
    setmaxnreg.inc.sync.aligned.u32 $MANY;
    sub.u32         %consumer, %group, 1;           // 0: rows 0..63 of the tile, 1: rows 64..127$THIRD
    setp.eq.u32     %yes, 0, 0;                     // always true
    setp.ne.u32     %no, 0, 0;                      // never
    setp.eq.u32     %signals, %lane, 0;             // one lane of each warp tells that a stage has been read
    and.b32         %t, %thread, 127;
    setp.eq.u32     %leader, %t, 0;                 // bulk groups belong to a thread: always the same one stores
    add.u32         %groupBarrier, %consumer, 1;    // named barrier 1 or 2$OR_3: the 128 threads of one consumer
    mov.f32         %scale, $FACTOR;             // c = log2(e) / sqrt($D) = $FACTOR_VALUE
    neg.f32         %minusScale, %scale;

    // Shared-memory descriptors of wgmma, 128-byte swizzle:
    //   bits  0..13  start address / 16
    //   bits 16..29  leading-dimension offset / 16
    //   bits 32..45  stride-dimension offset / 16
    //   bits 62..63  swizzle: 1 = 128 bytes
    // Q and K are K-major (the products sum over dimensions, and these lie next to each other): the stride is 1024, from
    // one group of 8 rows to the next; the leading offset is not used. 16 dimensions further: 32 bytes, + 2$HALVES_K
    // V is MN-major (the sum runs over keys, which are its rows): $LEAD from 8 keys to the next 8, 1024. 16 keys further: 2048 bytes, + 128.
    mov.b64         %descBits, 0x4000004000010000;
    mad.lo.u32      %t, %consumer, 8192, %shared;   // 64 rows x 128 bytes further down for the $SECOND consumer
    shr.u32         %t, %t, 4;
    cvt.u64.u32     %wide, %t;
    or.b64          %descQ, %descBits, %wide;
    add.u32         %t, %shared, $AT_K;
    shr.u32         %t, %t, 4;
    cvt.u64.u32     %wide, %t;
    or.b64          %baseK, %descBits, %wide;
    mov.b64         %descBits, 0x4000004004000000;
    add.u32         %t, %shared, $AT_V;
    shr.u32         %t, %t, 4;
    cvt.u64.u32     %wide, %t;
    or.b64          %baseV, %descBits, %wide;

    and.b32         %t, %warp, 3;
    shl.b32         %t, %t, 4;
    mad.lo.u32      %row, %consumer, 64, %t;
    shr.u32         %t, %lane, 2;
    add.u32         %row, %row, %t;                 // row A of this thread inside the tile; row B is + 8

    // For the epilogue. Lane l of stmatrix.x4 gives the address of one row of one 8 x 8 matrix: row l mod 16 of the warp's
    // 16, and the piece of 16 bytes l / 16 of each pair; at its swizzled place, c xor (r mod 8).
    mad.lo.u32      %bufferO, %consumer, 8192, %shared;
    add.u32         %bufferO, %bufferO, $AT_O;
    and.b32         %t, %warp, 3;
    mad.lo.u32      %stageO, %t, 2048, %bufferO;    // 16 rows x 128 bytes
    and.b32         %t, %lane, 15;
    mad.lo.u32      %stageO, %t, 128, %stageO;
    shr.u32         %t, %lane, 4;
    xor.b32         %t, %t, %lane;
    and.b32         %t, %t, 7;
    mad.lo.u32      %stageO, %t, 16, %stageO;       // the pair j of pieces is at stageO xor (32 * j)

""", ALL=128 * (f.consumers * f.places["MANY"] + f.places["FEW"]), HALVES_K=f.fill(halves_k, Q_UNITS=8 * f.rows),
        LEAD=lead, THIRD=" ..." if f.consumers > 2 else "", OR_3=" ..." if f.consumers > 2 else "",
        SECOND="second" if f.consumers == 2 else "next")


def first_block(f):
    text = ""
    if f.turns:
        text += f.fill("""    // Turns: bar.sync waits until 256 threads have come, and bar.arrive comes without waiting: one consumer waits at its
    // barrier, the other comes when it has started its products. The first turn is consumer 0's: consumer $LAST says so here.
    add.u32         %myTurn, %consumer, $TURN;
$YOURS    setp.eq.u32     %done, %consumer, $LAST;
    @%done bar.arrive %yourTurn, 256;

""", LAST=f.consumers - 1, TURN=f.consumers + 1, YOURS="    sub.u32         %yourTurn, 4, %consumer;\n" if f.consumers == 2 else
            """    add.u32         %yourTurn, %consumer, 5;        // barriers 4, 5, 6 and round
    setp.eq.u32     %done, %consumer, 2;
    @%done mov.b32   %yourTurn, 4;
""")
    text += """    sub.u32         %left, %blocks, 1;

    // ---------------------------------------------------------------- the first block: scores, and nothing beside
"""
    if f.causal and f.rows != 128:
        text += f.fill("""    // The last block may come after all queries of this consumer: then it is the others' only.
    mad.lo.u32      %u, %consumer, 64, %query;
    shl.b32         %t, %left, 7;                   // first key of the block
    add.u32         %u, %u, 63;
    setp.le.u32     %done, %t, %u;
    @%done bra       BLOCK_IS_MINE;
    @%signals mbarrier.arrive.shared::cta.b64 _, [%barriersK+$EMPTY];
    @%signals mbarrier.arrive.shared::cta.b64 _, [%barriersV+$EMPTY];
    mov.b32         %slot, 1;
    sub.u32         %left, %left, 1;
${TURN_PASSED_ON}BLOCK_IS_MINE:
""", TURN_PASSED_ON="    bar.sync        %myTurn, 256;\n    bar.arrive      %yourTurn, 256;\n" if f.turns else "")
    text += wait("CONSUMER_WAITS_Q", "%fullQ", "%parityQ" if f.loop else "0")
    if f.loop:
        text += "    xor.b32         %parityQ, %parityQ, 1;\n"
    text += block_of_keys(f) + wait("FIRST_WAITS_K", "%barK", "%parity")
    text += f.fill("    // scores = Q K^T: 64 queries x 128 keys, $STEPS times 16 dimensions\n") + scores(f)
    text += f.fill("""    wgmma.wait_group.sync.aligned 0;
    @%signals mbarrier.arrive.shared::cta.b64 _, [%barK+$EMPTY];
    add.u32         %slot, %slot, 1;

""")
    if f.causal:
        text += """    // This is the diagonal block: row r sees columns 0..r. A thread's columns are 2 * (l mod 4) + e with e = 0, 1, 8, 9 ...
    and.b32         %t, %lane, 3;
    shl.b32         %t, %t, 1;
    sub.s32         %limitA, %row, %t;              // e may not be larger than this
"""
        if f.rows != 128:
            text += """    shl.b32         %t, %left, 7;
    sub.s32         %t, %query, %t;                 // the tile begins so many keys after the block
    add.s32         %limitA, %limitA, %t;
"""
        text += "    add.s32         %limitB, %limitA, 8;\n" + mask(64, "lt")
    else:
        text += """    // This is the last block: when S is no multiple of 128, some of its keys do not exist. Their score is minus infinity.
    // A thread's columns are 2 * (l mod 4) + e with e = 0, 1, 8, 9 ...
    sub.u32         %t, %blocks, 1;
    shl.b32         %t, %t, 7;
    sub.u32         %t, %length, %t;                // keys that exist
    setp.ge.u32     %done, %t, 128;
    @%done bra       ALL_EXIST;
    and.b32         %u, %lane, 3;
    shl.b32         %u, %u, 1;
    sub.s32         %limitA, %t, %u;
    sub.s32         %limitA, %limitA, 1;            // e may not be larger than this
    mov.b32         %limitB, %limitA;
""" + mask(64, "lt") + "ALL_EXIST:\n"
    text += largest(True) + "    mov.f32         %maxA, %newA;\n    mov.f32         %maxB, %newB;\n"
    return text + probabilities(True) + packed() + """    setp.ne.u32     %accumulate, 0, 0;              // the first product with V writes O, the others add to it
    setp.eq.u32     %done, %left, 0;
    @%done bra       LAST;

"""


def block_of_keys(f):
    return f.fill("""    and.b32         %stage, %slot, $LAST_STAGE;
    bfe.u32         %parity, %slot, $STAGE_BIT, 1;
    mul.wide.u32    %wide, %stage, $TILE_UNITS;            // $TILE_BYTES / 16
    add.s64         %descK, %baseK, %wide;
    mad.lo.u32      %barK, %stage, 8, %barriersK;
""")


def block_of_values(f):
    return f.fill("""    sub.u32         %slotV, %slot, 1;
    and.b32         %stage, %slotV, $LAST_STAGE;
    bfe.u32         %parity, %slotV, $STAGE_BIT, 1;
    mul.wide.u32    %wide, %stage, $TILE_UNITS;
    add.s64         %descV, %baseV, %wide;
    mad.lo.u32      %barV, %stage, 8, %barriersV;
""")


def every_further_block(f):
    text = ("    // ---------------------------------------------------------------- every further block\nSTEP:\n"
            + block_of_keys(f) + wait("CONSUMER_WAITS_K", "%barK", "%parity"))
    if f.turns:
        text += "    bar.sync        %myTurn, 256;\n"
    text += "    // scores of this block\n" + scores(f)
    text += "\n" + block_of_values(f) + wait("CONSUMER_WAITS_V", "%barV", "%parity")
    text += "    // O += P V of the block before: P from registers, eight times 16 keys; the last 1 says that V is MN-major\n"
    text += values(f)
    if f.turns:
        text += "    bar.arrive      %yourTurn, 256;\n"
    text += f.fill("""
    // The scores are there; the product with V runs on, and O and P must not be touched.
    wgmma.wait_group.sync.aligned 1;
    @%signals mbarrier.arrive.shared::cta.b64 _, [%barK+$EMPTY];
""") + largest(False) + """    // What a larger maximum does to the sums so far: 1 when it stayed the same.
    sub.f32         %shrinkA, %maxA, %newA;
    sub.f32         %shrinkB, %maxB, %newB;
    mul.f32         %shrinkA, %shrinkA, %scale;
    mul.f32         %shrinkB, %shrinkB, %scale;
    ex2.approx.ftz.f32 %shrinkA, %shrinkA;
    ex2.approx.ftz.f32 %shrinkB, %shrinkB;
    mul.f32         %sumA, %sumA, %shrinkA;
    mul.f32         %sumB, %sumB, %shrinkB;
    mov.f32         %maxA, %newA;
    mov.f32         %maxB, %newB;
""" + probabilities(False)
    return text + f.fill("""
    // Now the product with V is over as well.
    wgmma.wait_group.sync.aligned 0;
    @%signals mbarrier.arrive.shared::cta.b64 _, [%barV+$EMPTY];
""") + shrunk(f) + packed() + """    setp.eq.u32     %accumulate, 0, 0;
    add.u32         %slot, %slot, 1;
    sub.u32         %left, %left, 1;
    setp.ne.u32     %done, %left, 0;
    @%done bra       STEP;

"""


def last_product(f):
    text = "    // ---------------------------------------------------------------- O += P V of the last block\nLAST:\n"
    if f.turns:
        text += """    setp.eq.u32     %done, %consumer, 0;            // the last turn given is taken too: no barrier is left half full
    @%done bar.sync  %myTurn, 256;
"""
    if f.loop:
        text += "    @%signals mbarrier.arrive.shared::cta.b64 _, [%emptyQ];    // the next Q may come\n"
    text += block_of_values(f) + wait("LAST_WAITS_V", "%barV", "%parity") + values(f)
    return text + f.fill("""    wgmma.wait_group.sync.aligned 0;
    @%signals mbarrier.arrive.shared::cta.b64 _, [%barV+$EMPTY];

""")


def epilogue(f):
    text = "    // ================================================================ 5. Epilogue\n"
    for distance in (1, 2):
        for row in "AB":
            text += f"    shfl.sync.bfly.b32 %alt{row}, %sum{row}, {distance}, 31, 0xffffffff;\n"
            text += f"    add.f32         %sum{row}, %sum{row}, %alt{row};\n"
    text += """
    // LSE = ln(2) * (c * max + log2(sum)); one lane of the four writes it.
    lg2.approx.f32  %f, %sumA;
    fma.rn.f32      %maxA, %maxA, %scale, %f;
    mul.f32         %maxA, %maxA, 0f3F317218;       // ln(2)
    lg2.approx.f32  %f, %sumB;
    fma.rn.f32      %maxB, %maxB, %scale, %f;
    mul.f32         %maxB, %maxB, 0f3F317218;
    add.u32         %t, %query, %row;
    mad.lo.u32      %u, %head, %length, %t;
    ld.param.u64    %ptrLse, [tensorLse];
    cvta.to.global.u64 %ptrLse, %ptrLse;
    mul.wide.u32    %wide, %u, 4;
    add.s64         %ptrLse, %ptrLse, %wide;
    and.b32         %u, %lane, 3;
    setp.eq.u32     %first, %u, 0;
    setp.lt.and.u32 %writes, %t, %length, %first;
    @%writes st.global.f32 [%ptrLse], %maxA;
    add.u32         %t, %t, 8;
    setp.lt.and.u32 %writes, %t, %length, %first;
    @%writes st.global.f32 [%ptrLse+32], %maxB;     // 8 rows further

"""
    once = ", once the store of the tile before has read it" if f.loop else ""
    text += f"""    // O / sum, rounded to bf16, to shared memory{once}.
    // Then visible to the async proxy (each writing thread, then the barrier); one thread stores.
"""
    if f.loop:
        text += "    @%leader cp.async.bulk.wait_group.read 0;\n    bar.sync        %groupBarrier, 128;\n"
    text += """    rcp.rn.f32      %shrinkA, %sumA;
    rcp.rn.f32      %shrinkB, %sumB;
""" + shrunk(f) + stage_rows(f, "o", f.places["Q_HALF"], tell=True) + """    fence.proxy.async.shared::cta;
    bar.sync        %groupBarrier, 128;
    mad.lo.u32      %storeRow, %consumer, 64, %query;
"""
    for half in range(f.halves):
        place = f"+{half * f.places['Q_HALF']}" if half else ""
        text += f"""    @%leader cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group
        [%mapPtrO, {{{64 * half}, %storeRow, %head}}], [%bufferO{place}];
"""
    text += "    @%leader cp.async.bulk.commit_group;\n"
    if f.loop:
        text += "\n    add.u32         %item, %item, %itemStep;\n    bra             CONSUME_ITEM;\n\nCONSUMED:\n"
    return text + """    @%leader cp.async.bulk.wait_group 0;            // shared memory must live until the last store is through

FINISH:
    ret;
}
"""


def consumer(f):
    text = places_of_things(f)
    if f.loop:
        text += ("CONSUME_ITEM:\n    setp.ge.u32     %done, %item, %items;\n    @%done bra       CONSUMED;\n"
                 + whose_tile(f))
    return text + first_block(f) + every_further_block(f) + last_product(f) + epilogue(f)
