# SPDX-License-Identifier: Apache-2.0
"""Attention backward: the kernel of dQ, which keeps 128 queries."""
from backward import (ARRIVE, COMMIT, FENCE, LAST_TURN, ROW, STAGE_PLACE, SYNC, TURNS, descriptor, map_addresses, scaled,
                      store, whose_tile)
from ptx_text import boxes, mask, pack, product_of_memory, product_of_registers, row_of, stage_rows, wait

NEXT_K = """    add.u32         %stageK, %stageK, 1;
    setp.eq.u32     %wrap, %stageK, 3;
    @%wrap mov.b32   %stageK, 0;
    @%wrap xor.b32   %parityK, %parityK, 1;
"""
NEXT_V = """    xor.b32         %stageV, %stageV, 1;
    setp.eq.u32     %wrap, %stageV, 0;
    @%wrap xor.b32   %parityV, %parityV, 1;
"""


def beginning(b):
    halves = "2 halves x " if b.halves == 2 else ""
    places = ((0, f"Q         {halves}128 queries x 128 bytes; at the end dQ"), (b.tile, "dO        the same"),
              (2 * b.tile, f"K         3 stages x {halves}128 keys x 128 bytes = 3 x {b.tile}: each is read twice, by the "
               "scores and by dQ"),
              (5 * b.tile, "V         2 stages, the same"),
              (7 * b.tile, "mbarriers: Q and dO full, K full[3], K empty[3], V full[2], V empty[2]"))
    text = b.fill("""
// ======================================================================================================================
// 3. dQ of 128 queries
// ======================================================================================================================
// Shared memory (from the first multiple of 1024)
$PLACES.visible .entry attention_backward_queries(
    .param .align 64 .b8 mapQ[128],
    .param .align 64 .b8 mapK[128],
    .param .align 64 .b8 mapV[128],
    .param .align 64 .b8 mapdO[128],
    .param .align 64 .b8 mapdQ[128],
    .param .u64 workMinusLse,
    .param .u64 workDelta,
    .param .u32 lengthS)
.maxntid 384, 1, 1
.minnctapersm 1
{
    .reg .b32 %thread, %lane, %warp, %group, %consumer, %t, %u;
    .reg .b32 %length, %tiles, %item, %head, %tile, %key, %query, %left;
    .reg .b32 %shared, %fullQ, %barriersK, %barriersV, %barK, %barV, %lastBarK, %stageK, %stageV, %parityK, %parityV;
    .reg .b32 %to, %groupBarrier, %myTurn, %yourTurn, %limitA, %limitB, %row, %buffer, %stageO, %spot, %storeRow, %pair<4>;
    .reg .b32 %g<32>;                                // dS, bf16 pairs
    .reg .b64 %mapPtrQ, %mapPtrK, %mapPtrV, %mapPtrdO, %mapPtrdQ, %ptr, %wide;
    .reg .b64 %kMajor, %mnMajor, %descQ, %descdO, %baseK, %baseV, %baseKt, %descK, %descV, %descKt, %stepA, %stepB;
    .reg .f32 %s<64>, %d<64>, %dq<$SUMS>;               // scores, then P; dP, then dS: 64 queries x 128 keys; sums
    .reg .f32 %lseA, %lseB, %deltaA, %deltaB;
    .reg .pred %done, %elected, %yes, %no, %accumulate, %signals, %release, %hidden, %wrap;

    mov.u32         %thread, %tid.x;
    and.b32         %lane, %thread, 31;
    shr.u32         %warp, %thread, 5;
    shfl.sync.idx.b32 %warp, %warp, 0, 31, 0xffffffff;
    shr.u32         %group, %warp, 2;
$MAPS
    mov.b32         %shared, dynamicShared;
    add.u32         %shared, %shared, 1023;
    and.b32         %shared, %shared, 0xfffffc00;
    add.u32         %fullQ, %shared, $QUERIES_BARRIERS;
    add.u32         %barriersK, %fullQ, 8;          // full of stage n at + 8 n, empty at + 24 + 8 n
    add.u32         %barriersV, %fullQ, 56;         // full of stage n at + 8 n, empty at + 16 + 8 n

    ld.param.u32    %length, [lengthS];
    shr.u32         %tiles, %length, 7;
    mov.u32         %item, %ctaid.x;
$WHOSE    shl.b32         %query, %tile, 7;               // first query
""", PLACES="".join(f"//   {place:>6}   {what}\n" for place, what in places), WHOSE=whose_tile(b, "queries"),
        MAPS=map_addresses("Q", "K", "V", "dO", "dQ"))
    text += """    mov.b32         %left, %tile;               // blocks of keys after the first one: down from the diagonal
""" if b.causal else """    mov.b32         %left, %tiles;
    sub.u32         %left, %left, 1;                // blocks of keys after the first one
"""
    text += """
    setp.ne.u32     %done, %thread, 0;
    @%done bra       QUERIES_BARRIERS_MADE;
    mbarrier.init.shared::cta.b64 [%fullQ], 1;
"""
    for ring, stages in (("K", 3), ("V", 2)):
        for i in range(2 * stages):
            text += f"    mbarrier.init.shared::cta.b64 [%barriers{ring}+{8 * i}], {1 if i < stages else 8};\n"
    return text + """    fence.mbarrier_init.release.cluster;
    fence.proxy.async.shared::cta;
QUERIES_BARRIERS_MADE:
    bar.sync        0;
    shl.b32         %key, %left, 7;                 // from the last block of keys down to the first
    mov.b32         %stageK, 0;
    mov.b32         %stageV, 0;
    setp.ne.u32     %done, %group, 0;
    @%done bra       QUERIES_CONSUMER;

"""


def producer(b):
    return b.fill("""    // ---------------------------------------------------------------- producer
    setmaxnreg.dec.sync.aligned.u32 24;
    setp.ne.u32     %done, %warp, 0;
    @%done bra       QUERIES_FINISH;
    elect.sync      _|%elected, 0xffffffff;
    @!%elected bra   QUERIES_FINISH;

    mov.b32         %parityK, 1;
    mov.b32         %parityV, 1;
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%fullQ], $TWO_TILES;
    mov.b32         %to, %shared;
$Q    add.u32         %to, %to, 16384;
$DO
QUERIES_PRODUCE:
    mad.lo.u32      %barK, %stageK, 8, %barriersK;
$WAIT_K    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%barK], $TILE;
    mad.lo.u32      %to, %stageK, $TILE, %shared;
    add.u32         %to, %to, $TWO_TILES;
$K$NEXT_K
    mad.lo.u32      %barV, %stageV, 8, %barriersV;
$WAIT_V    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%barV], $TILE;
    mad.lo.u32      %to, %stageV, $TILE, %shared;
    add.u32         %to, %to, $AT_V;
$V$NEXT_V
    sub.s32         %key, %key, 128;
    setp.ge.s32     %done, %key, 0;
    @%done bra       QUERIES_PRODUCE;
    bra             QUERIES_FINISH;

""", Q=boxes(b, "%mapPtrQ", "%to", 16384, "%query", "%fullQ"), DO=boxes(b, "%mapPtrdO", "%to", 16384, "%query", "%fullQ"),
        K=boxes(b, "%mapPtrK", "%to", 16384, "%key", "%barK"), V=boxes(b, "%mapPtrV", "%to", 16384, "%key", "%barV"),
        WAIT_K=wait("QUERIES_PRODUCER_WAITS_K", "%barK+24", "%parityK"), NEXT_K=NEXT_K, NEXT_V=NEXT_V,
        WAIT_V=wait("QUERIES_PRODUCER_WAITS_V", "%barV+16", "%parityV"))


def places_of_things(b):
    text = b.fill("""    // ---------------------------------------------------------------- consumers
QUERIES_CONSUMER:
    // $SUMS of the 240 registers hold dQ, 128 the scores and dP, 32 dS for the product that is still running.
    setmaxnreg.inc.sync.aligned.u32 240;
    sub.u32         %consumer, %group, 1;
    setp.eq.u32     %yes, 0, 0;                     // always true
    setp.ne.u32     %no, 0, 0;                      // never
    setp.ne.u32     %accumulate, 0, 0;
    setp.eq.u32     %signals, %lane, 0;
    mov.b32         %parityK, 0;
    mov.b32         %parityV, 0;

    mov.b64         %kMajor, 0x4000004000010000;
    mov.b64         %mnMajor, 0x4000004004000000;   // halves 16384 bytes apart
    mad.lo.u32      %u, %consumer, 8192, %shared;
""")
    if b.halves == 1:
        text = text.replace("0x4000004004000000;   // halves 16384 bytes apart", "0x4000004000010000;")
    text += descriptor("descQ", "kMajor", "%u") + b.fill("    add.u32         %u, %u, $TILE;\n") + descriptor("descdO", "kMajor", "%u")
    text += b.fill("    add.u32         %u, %shared, $TWO_TILES;\n") + descriptor("baseK", "kMajor", "%u")
    text += descriptor("baseKt", "mnMajor", "%u") + b.fill("    add.u32         %u, %shared, $AT_V;\n")
    return text + descriptor("baseV", "kMajor", "%u") + "\n" + ROW + """    add.u32         %u, %query, %row;
    mad.lo.u32      %u, %head, %length, %u;
    mul.wide.u32    %wide, %u, 4;
    ld.param.u64    %ptr, [workMinusLse];
    cvta.to.global.u64 %ptr, %ptr;
    add.s64         %ptr, %ptr, %wide;
    ld.global.nc.f32 %lseA, [%ptr];
    ld.global.nc.f32 %lseB, [%ptr+32];              // 8 rows further
    ld.param.u64    %ptr, [workDelta];
    cvta.to.global.u64 %ptr, %ptr;
    add.s64         %ptr, %ptr, %wide;
    ld.global.nc.f32 %deltaA, [%ptr];
    ld.global.nc.f32 %deltaB, [%ptr+32];

""" + TURNS + wait("QUERIES_WAITS_Q", "%fullQ", "0")


def block_of_keys(b):
    return b.fill("""    mul.wide.u32    %wide, %stageK, $UNITS;           // $TILE / 16
    add.s64         %descK, %baseK, %wide;
""")


def probabilities(b, first, last):
    return "".join(f"    fma.rn.f32 %s{i}, %s{i}, {b.factor}, %lse{row_of(i)};  ex2.approx.ftz.f32 %s{i}, %s{i};\n"
                   for i in range(first, last))


def step(b):
    scores = product_of_memory(b, 128, "s", "descQ", "descK", "stepA", "stepB", 1024, 1024) + COMMIT
    text = "    mad.lo.u32      %barK, %stageK, 8, %barriersK;\n" + wait("QUERIES_FIRST_WAITS_K", "%barK", "%parityK")
    text += block_of_keys(b) + FENCE + b.fill("    // S = Q K^T: 64 queries x 128 keys, $STEPS times 16 dimensions\n") + scores
    if b.causal:
        text += "    wgmma.wait_group.sync.aligned 0;\n"
    text += "    wgmma.commit_group.sync.aligned;                // an empty group, where the steps to come have dQ\n"
    if b.causal:
        text += """    // This is the diagonal block: row r sees columns 0..r. A thread's columns are 2 * (l mod 4) + e with e = 0, 1, 8 ...
    and.b32         %t, %lane, 3;
    shl.b32         %t, %t, 1;
    sub.s32         %limitA, %row, %t;              // e may not be larger than this
    add.s32         %limitB, %limitA, 8;
""" + mask(64, "lt")
    text += b.fill("""
QUERIES_STEP:
    // p = 2^(c * score - log2(e) * L), c = log2(e) / sqrt($D) = $FACTOR_VALUE
    wgmma.wait_group.sync.aligned 1;                // S is there; dQ of the block before runs on
""") + probabilities(b, 0, 32) + b.fill("""
    // dQ of the block before is over, and the registers of dS are free for dP. The second half of the exponentials beside it.
    wgmma.wait_group.sync.aligned 0;
    and.pred        %release, %signals, %accumulate;
    @%release mbarrier.arrive.shared::cta.b64 _, [%lastBarK+24];
    mov.b32         %lastBarK, %barK;
    mad.lo.u32      %barV, %stageV, 8, %barriersV;
    mul.wide.u32    %wide, %stageV, $UNITS;
    add.s64         %descV, %baseV, %wide;
""") + wait("QUERIES_WAITS_V", "%barV", "%parityV") + FENCE + "    // dP = dO V^T\n"
    text += product_of_memory(b, 128, "d", "descdO", "descV", "stepA", "stepB", 1024, 1024) + COMMIT
    text += probabilities(b, 32, 64) + """
    wgmma.wait_group.sync.aligned 0;                // dP is there
    @%signals mbarrier.arrive.shared::cta.b64 _, [%barV+16];
    // ds = p * (dp - delta)
"""
    text += "".join(f"    sub.f32 %d{i}, %d{i}, %delta{row_of(i)};  mul.f32 %d{i}, %d{i}, %s{i};\n" for i in range(64))
    text += pack("g", "d", 32) + b.fill("""    mul.wide.u32    %wide, %stageK, $UNITS;
    add.s64         %descKt, %baseKt, %wide;        // K of this block, MN-major, for dQ
    setp.eq.u32     %done, %left, 0;
    @%done bra       QUERIES_LAST;
    sub.u32         %left, %left, 1;

""") + NEXT_K + NEXT_V + "    mad.lo.u32      %barK, %stageK, 8, %barriersK;\n" + wait("QUERIES_WAITS_K", "%barK", "%parityK")
    text += block_of_keys(b) + SYNC + FENCE + "    // S of the next block\n" + scores + "    // dQ += dS K of this block\n"
    return text + product_of_registers(b, 8, "dq", "g", "descKt", "stepB") + COMMIT + ARRIVE + """    setp.eq.u32     %accumulate, 0, 0;
    bra             QUERIES_STEP;

"""


def epilogue(b):
    text = "QUERIES_LAST:\n" + LAST_TURN + FENCE + product_of_registers(b, 8, "dq", "g", "descKt", "stepB") + COMMIT
    return text + """    wgmma.wait_group.sync.aligned 0;

    // dQ * scale, rounded to bf16, to shared memory: over Q, of which this consumer alone read these rows.
    mad.lo.u32      %buffer, %consumer, 8192, %shared;
""" + STAGE_PLACE + scaled(b, "dq") + stage_rows(b, "dq", 16384) + """    fence.proxy.async.shared::cta;
    add.u32         %groupBarrier, %consumer, 1;
    bar.sync        %groupBarrier, 128;
    and.b32         %t, %thread, 127;
    setp.ne.u32     %done, %t, 0;
    @%done bra       QUERIES_FINISH;
    mad.lo.u32      %storeRow, %consumer, 64, %query;
""" + store(b, "dq", "dQ", "%storeRow", 0) + """    cp.async.bulk.commit_group;
    cp.async.bulk.wait_group 0;

QUERIES_FINISH:
    ret;
}
"""


def kernel(b):
    return beginning(b) + producer(b) + places_of_things(b) + step(b) + epilogue(b)
