# SPDX-License-Identifier: Apache-2.0
"""Attention backward: the kernel of dK and dV, which keeps 128 keys."""
from backward import (ARRIVE, COMMIT, FENCE, LAST_TURN, ROW, STAGE_PLACE, SYNC, TURNS, descriptor, map_addresses, scaled,
                      store, whose_tile)
from ptx_text import boxes, mask, pack, product_of_memory, product_of_registers, stage_rows, wait


def beginning(b):
    halves = "2 halves x " if b.halves == 2 else ""
    ring = f"({halves}64 queries x 128 bytes)"
    places = ((0, f"K         {halves}128 keys x 128 bytes; at the end dK"), (b.tile, "V         the same; at the end dV"),
              (2 * b.tile, f"4 stages of Q {ring} and dO (the same): 4 x {b.tile}"),
              (b.places["STATS"], "4 stages of 64 x -log2(e) L: 4 x 256"),
              (b.places["DELTAS"], "4 stages of 64 x delta: 4 x 256"),
              (b.places["KEYS_BARRIERS"], "mbarriers: K and V full, full[4], empty[4]"))
    text = b.fill("""
// ======================================================================================================================
// 2. dK and dV of 128 keys
// ======================================================================================================================
// Shared memory (from the first multiple of 1024)
$PLACES.visible .entry attention_backward_keys(
    .param .align 64 .b8 mapQ[128],
    .param .align 64 .b8 mapK[128],
    .param .align 64 .b8 mapV[128],
    .param .align 64 .b8 mapdO[128],
    .param .align 64 .b8 mapdK[128],
    .param .align 64 .b8 mapdV[128],
    .param .u64 workMinusLse,
    .param .u64 workDelta,
    .param .u32 lengthS)
// setmaxnreg works only when the registers at entry are known: 384 threads, one CTA per SM, so 65536 / 384 -> 168.
.maxntid 384, 1, 1
.minnctapersm 1
{
    .reg .b32 %thread, %lane, %warp, %group, %consumer, %t, %u;
    .reg .b32 %length, %tiles, %item, %head, %tile, %key, %query, %blocks, %block, %next;
    .reg .b32 %shared, %fullKV, %barriers, %bar, %lastBar, %stage, %parity, %to, %limitA, %limitB, %row;
    .reg .b32 %groupBarrier, %myTurn, %yourTurn;
    .reg .b32 %statsBase, %stats, %buffer, %stageO, %spot, %storeRow, %pair<4>;
    .reg .b32 %p<16>;                                // P^T, then dS^T, bf16 pairs
    .reg .b64 %mapPtrQ, %mapPtrK, %mapPtrV, %mapPtrdO, %mapPtrdK, %mapPtrdV, %ptrLse, %ptrDelta, %wide;
    .reg .b64 %kMajor, %mnMajor, %descK, %descV, %baseQ, %basedO, %baseQt, %basedOt, %descQ, %descdO, %descQt, %stepA, %stepB;
    .reg .f32 %s<32>, %d<32>;                        // scores, then P^T; dP^T, then dS^T: 64 keys x 64 queries
    .reg .f32 %dk<$SUMS>, %dv<$SUMS>;                      // sums: 64 keys x $D dimensions
    .reg .f32 %a, %b;
    .reg .pred %done, %elected, %yes, %no, %accumulate, %signals, %release, %leader, %hidden;

    mov.u32         %thread, %tid.x;
    and.b32         %lane, %thread, 31;
    shr.u32         %warp, %thread, 5;
    shfl.sync.idx.b32 %warp, %warp, 0, 31, 0xffffffff;   // same value in all lanes, and now ptxas knows it
    shr.u32         %group, %warp, 2;
$MAPS
    mov.b32         %shared, dynamicShared;
    add.u32         %shared, %shared, 1023;
    and.b32         %shared, %shared, 0xfffffc00;
    add.u32         %fullKV, %shared, $KEYS_BARRIERS;
    add.u32         %barriers, %fullKV, 8;          // full of stage n at + 8 n, empty at + 32 + 8 n

    ld.param.u32    %length, [lengthS];
    shr.u32         %tiles, %length, 7;
    mov.u32         %item, %ctaid.x;
$WHOSE    shl.b32         %key, %tile, 7;                 // first key
    shr.u32         %blocks, %length, 6;            // blocks of 64 queries
""", PLACES="".join(f"//   {place:>6}   {what}\n" for place, what in places), WHOSE=whose_tile(b, "keys"),
        MAPS=map_addresses("Q", "K", "V", "dO", "dK", "dV"))
    text += """    shl.b32         %t, %tile, 1;
    sub.u32         %blocks, %blocks, %t;           // from the diagonal on
    mov.b32         %query, %key;
""" if b.causal else "    mov.b32         %query, 0;\n"
    text += """
    // Barriers. full: 1 arrival (the producer's, with the number of bytes to come) and all these bytes. empty: 8 arrivals,
    // one from each consumer warp. Waiters name the phase by parity; a barrier in its first phase (parity 0) counts the
    // phase before it, of parity 1, as over: so the producer starts by waiting for parity 1, the consumers for parity 0.
    setp.ne.u32     %done, %thread, 0;
    @%done bra       KEYS_BARRIERS_MADE;
    mbarrier.init.shared::cta.b64 [%fullKV], 1;
"""
    for i in range(8):
        text += f"    mbarrier.init.shared::cta.b64 [%barriers+{8 * i}], {1 if i < 4 else 8};\n"
    return text + """    fence.mbarrier_init.release.cluster;            // the TMA unit must see them made
    fence.proxy.async.shared::cta;
KEYS_BARRIERS_MADE:
    bar.sync        0;
    mov.b32         %block, 0;
    setp.ne.u32     %done, %group, 0;
    @%done bra       KEYS_CONSUMER;

"""


def producer(b):
    half = 8192
    return b.fill("""    // ---------------------------------------------------------------- producer
    setmaxnreg.dec.sync.aligned.u32 24;
    setp.ne.u32     %done, %warp, 0;
    @%done bra       KEYS_FINISH;
    elect.sync      _|%elected, 0xffffffff;         // one lane, whichever the hardware picks
    @!%elected bra   KEYS_FINISH;

    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%fullKV], $TWO_TILES;
    mov.b32         %to, %shared;
$K    add.u32         %to, %to, 16384;
$V
    ld.param.u64    %ptrLse, [workMinusLse];
    ld.param.u64    %ptrDelta, [workDelta];
    cvta.to.global.u64 %ptrLse, %ptrLse;
    cvta.to.global.u64 %ptrDelta, %ptrDelta;
    mad.lo.u32      %t, %head, %length, %query;
    mul.wide.u32    %wide, %t, 4;
    add.s64         %ptrLse, %ptrLse, %wide;
    add.s64         %ptrDelta, %ptrDelta, %wide;
KEYS_PRODUCE:
    and.b32         %stage, %block, 3;
    bfe.u32         %parity, %block, 2, 1;
    xor.b32         %parity, %parity, 1;
    mad.lo.u32      %bar, %stage, 8, %barriers;
$WAIT    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], $STAGE_BYTES;
    mad.lo.u32      %to, %stage, $TILE, %shared;
    add.u32         %to, %to, $TWO_TILES;
$Q    add.u32         %to, %to, 8192;
$DO    mad.lo.u32      %to, %stage, 256, %shared;
    add.u32         %to, %to, $STATS;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%to], [%ptrLse], 256, [%bar];
    add.u32         %to, %to, 1024;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%to], [%ptrDelta], 256, [%bar];
    add.s64         %ptrLse, %ptrLse, 256;
    add.s64         %ptrDelta, %ptrDelta, 256;
    add.u32         %query, %query, 64;
    add.u32         %block, %block, 1;
    setp.lt.u32     %done, %block, %blocks;
    @%done bra       KEYS_PRODUCE;
    bra             KEYS_FINISH;

""", K=boxes(b, "%mapPtrK", "%to", 16384, "%key", "%fullKV"), V=boxes(b, "%mapPtrV", "%to", 16384, "%key", "%fullKV"),
        WAIT=wait("KEYS_PRODUCER_WAITS", "%bar+32", "%parity"), Q=boxes(b, "%mapPtrQ", "%to", half, "%query", "%bar"),
        DO=boxes(b, "%mapPtrdO", "%to", half, "%query", "%bar"))


def places_of_things(b):
    text = b.fill("""    // ---------------------------------------------------------------- consumers
KEYS_CONSUMER:
    // 2 x 128 x 240 + 128 x 24 = 64512 registers of the SM's 65536. $BOTH of the 240 hold dK and dV.
    setmaxnreg.inc.sync.aligned.u32 240;
    sub.u32         %consumer, %group, 1;           // 0: keys 0..63 of the tile, 1: keys 64..127
    setp.eq.u32     %yes, 0, 0;                     // always true
    setp.ne.u32     %no, 0, 0;                      // never
    setp.ne.u32     %accumulate, 0, 0;              // the first products write dK and dV, the others add to them
    setp.eq.u32     %signals, %lane, 0;             // one lane of each warp tells that a stage has been read


    mov.b64         %kMajor, 0x4000004000010000;
    mov.b64         %mnMajor, 0x4000004002000000;   // halves 8192 bytes apart
    mad.lo.u32      %u, %consumer, 8192, %shared;   // 64 rows x 128 bytes further down for the second consumer
""", BOTH=b.d)
    if b.halves == 1:
        text = text.replace("0x4000004002000000;   // halves 8192 bytes apart", "0x4000004000010000;")
    text += descriptor("descK", "kMajor", "%u") + b.fill("    add.u32         %u, %u, $TILE;\n") + descriptor("descV", "kMajor", "%u")
    text += b.fill("    add.u32         %u, %shared, $TWO_TILES;\n") + descriptor("baseQ", "kMajor", "%u")
    text += descriptor("baseQt", "mnMajor", "%u") + b.fill("    add.u32         %u, %u, $HALF_TILE;\n")
    text += descriptor("basedO", "kMajor", "%u") + descriptor("basedOt", "mnMajor", "%u") + b.fill("""
    // A thread's columns (queries) are 2 * (l mod 4) + e with e = 0, 1, 8, 9 ... 57.
    and.b32         %t, %lane, 3;
    mad.lo.u32      %statsBase, %t, 8, %shared;
    add.u32         %statsBase, %statsBase, $STATS;
""")
    if b.causal:
        text += ROW + """    // A score is hidden when its key comes after its query: in block 0 of the walk, when e < limit.
    and.b32         %t, %lane, 3;
    shl.b32         %t, %t, 1;
    sub.s32         %limitA, %row, %t;
    add.s32         %limitB, %limitA, 8;
"""
    return text + TURNS


def products(b):
    half = 1024, 512
    scores = product_of_memory(b, 64, "s", "descK", "descQ", "stepA", "stepB", *half) + COMMIT
    gradients = product_of_memory(b, 64, "d", "descV", "descdO", "stepA", "stepB", *half) + COMMIT
    return scores, gradients


def block_of_queries(b):
    return b.fill("""    mul.wide.u32    %wide, %stage, $UNITS;            // $TILE / 16
    add.s64         %descQ, %baseQ, %wide;
    add.s64         %descdO, %basedO, %wide;
""")


def step(b):
    scores, gradients = products(b)
    text = "\n" + wait("KEYS_WAITS_KV", "%fullKV", "0") + """    mov.b32         %stage, 0;
    mov.b32         %bar, %barriers;
""" + wait("KEYS_FIRST_WAITS", "%bar", "0") + block_of_queries(b) + FENCE
    text += b.fill("    // S^T = K Q^T, then dP^T = V dO^T: 64 keys x 64 queries, $STEPS times 16 dimensions\n") + scores
    text += "    wgmma.commit_group.sync.aligned;                // an empty group, where the steps to come have dK\n" + gradients
    text += """
KEYS_STEP:
    and.b32         %stage, %block, 3;
    mad.lo.u32      %stats, %stage, 256, %statsBase;
    wgmma.wait_group.sync.aligned 2;                // S^T is there; dK of the block before and dP^T run on
"""
    if b.causal:
        text += """    setp.ge.u32     %done, %block, 2;               // the diagonal crosses the first two blocks of 64 queries
    @%done bra       KEYS_ALL_VISIBLE;
""" + mask(32, "gt") + """    sub.s32         %limitA, %limitA, 64;
    sub.s32         %limitB, %limitB, 64;
KEYS_ALL_VISIBLE:
"""
    text += b.fill("    // p = 2^(c * score - log2(e) * L), c = log2(e) / sqrt($D) = $FACTOR_VALUE\n")
    for first in range(0, 32, 4):
        text += f"    ld.shared.v2.f32 {{%a, %b}}, [%stats+{8 * first}];\n"
        for i in range(first, first + 4):
            text += f"    fma.rn.f32 %s{i}, %s{i}, {b.factor}, %{'ab'[i % 2]};  ex2.approx.ftz.f32 %s{i}, %s{i};\n"
    text += """
    wgmma.wait_group.sync.aligned 1;                // dK of the block before is over: its stage and %p are free
    setp.ne.and.u32 %release, %block, 0, %signals;
    @%release mbarrier.arrive.shared::cta.b64 _, [%lastBar+32];
    mad.lo.u32      %lastBar, %stage, 8, %barriers;
""" + pack("p", "s", 16) + b.fill("""    // dV += P^T dO: P^T from registers, four times 16 queries; the last 1 says that dO is MN-major
    mul.wide.u32    %wide, %stage, $UNITS;
    add.s64         %descdO, %basedOt, %wide;
""") + FENCE + product_of_registers(b, 4, "dv", "p", "descdO", "stepB") + COMMIT + """
    wgmma.wait_group.sync.aligned 0;                // dP^T is there, and dV is over: %p is free for dS^T
    // ds = p * (dp - delta)
"""
    for first in range(0, 32, 4):
        text += f"    ld.shared.v2.f32 {{%a, %b}}, [%stats+{1024 + 8 * first}];\n"
        for i in range(first, first + 4):
            text += f"    sub.f32 %d{i}, %d{i}, %{'ab'[i % 2]};  mul.f32 %d{i}, %d{i}, %s{i};\n"
    text += pack("p", "d", 16) + b.fill("""    mul.wide.u32    %wide, %stage, $UNITS;
    add.s64         %descQt, %baseQt, %wide;        // Q of this block, MN-major, for dK
    add.u32         %next, %block, 1;
    setp.ge.u32     %done, %next, %blocks;
    @%done bra       KEYS_LAST;

    and.b32         %stage, %next, 3;
    bfe.u32         %parity, %next, 2, 1;
    mad.lo.u32      %bar, %stage, 8, %barriers;
""") + wait("KEYS_WAITS", "%bar", "%parity") + block_of_queries(b) + SYNC + FENCE + "    // S^T of the next block\n" + scores
    text += "    // dK += dS^T Q of this block\n" + product_of_registers(b, 4, "dk", "p", "descQt", "stepB") + COMMIT
    return text + "    // dP^T of the next block\n" + gradients + ARRIVE + """    setp.eq.u32     %accumulate, 0, 0;
    mov.b32         %block, %next;
    bra             KEYS_STEP;

"""


def epilogue(b):
    text = "KEYS_LAST:\n" + LAST_TURN + FENCE + product_of_registers(b, 4, "dk", "p", "descQt", "stepB") + COMMIT
    text += """    wgmma.wait_group.sync.aligned 0;

    // dK and dV, rounded to bf16, to shared memory: over K and V, of which this consumer alone read these rows. Then
    // visible to the async proxy (each writing thread, then the barrier); one thread stores.
    // Lane l of stmatrix.x4 gives the address of row l mod 16 of the warp's 16, piece l / 16 of each pair of 16-byte
    // pieces, at its swizzled place: c xor (r mod 8).
    mad.lo.u32      %buffer, %consumer, 8192, %shared;
""" + STAGE_PLACE + "    // dK * scale\n" + scaled(b, "dk") + stage_rows(b, "dk", 16384)
    text += b.fill("    add.u32         %stageO, %stageO, $TILE;\n") + stage_rows(b, "dv", 16384)
    return text + """    fence.proxy.async.shared::cta;
    add.u32         %groupBarrier, %consumer, 1;    // named barrier 1 or 2: the 128 threads of one consumer
    bar.sync        %groupBarrier, 128;
    and.b32         %t, %thread, 127;
    setp.ne.u32     %done, %t, 0;
    @%done bra       KEYS_FINISH;
    mad.lo.u32      %storeRow, %consumer, 64, %key;
""" + store(b, "dk", "dK", "%storeRow", 0) + store(b, "dv", "dV", "%storeRow", b.tile) + """    cp.async.bulk.commit_group;
    cp.async.bulk.wait_group 0;                     // shared memory must live until the stores are through

KEYS_FINISH:
    ret;
}
"""


def kernel(b):
    return beginning(b) + producer(b) + places_of_things(b) + step(b) + epilogue(b)
