# SPDX-License-Identifier: Apache-2.0
"""GEMM of 8-bit floats with float32 factors: wgmma, TMA, the sums of 128 columns promoted to float32 registers."""
import string

from fp8_words import header, plan

# A thread's results: register i is row 16 * (t / 32) + l / 4 + 8 * ((i / 2) mod 2), column 8 * (i / 4) + 2 * (l mod 4) + i mod 2.


class Fp8Gemm:
    """`per_row`: B has a factor for each row and 128 columns (1d1d, float32 out), else for each 128 x 128 (1d2d, bf16)."""

    def __init__(self, n, k, per_row):
        assert n % 256 == 0 and k % 512 == 0
        self.n, self.k, self.per_row = n, k, per_row
        c_bytes = 0 if per_row else 16384
        factors_b = 4096 if per_row else 128
        places = {"N": n, "K": k, "NAME": "fp8_gemm_1d1d" if per_row else "fp8_gemm_1d2d", "RIGHT": n // 256,
                  "BAND": 16 * (n // 256), "BLOCKS": k // 128, "GROUPS": k // 512, "AT_C": 196608,
                  "AT_FACTORS_A": 196608 + c_bytes, "FACTORS_B": factors_b,
                  "GROUP_BYTES": 2048 + (4096 if per_row else 32)}
        places["AT_FACTORS_B"] = places["AT_FACTORS_A"] + 4096
        places["AT_BARRIERS"] = places["AT_FACTORS_B"] + 2 * factors_b
        self.places = places

    def fill(self, text, **more):
        return string.Template(text).substitute(self.places, **more)


def registers(prefix, count):
    rows = [", ".join(f"%{prefix}{i}" for i in range(first, first + 8)) for first in range(0, count, 8)]
    return ",\n".join("        " + row for row in rows)


def wait(label, barrier, parity):
    return (f"{label}:\n    mbarrier.try_wait.parity.shared::cta.b64 %done, [{barrier}], {parity};\n"
            f"    @!%done bra      {label};\n")


def whose_tile(g):
    return g.fill("""    // The order of the tiles: in bands of 16 rows of tiles; inside a band, down first and then right. The CTAs
    // that run at the same time then share about as many rows of A as of B, and both stay in L2.
    div.u32         %band, %item, $BAND;            // 16 down x $RIGHT right = $BAND in one band
    mul.lo.u32      %t, %band, $BAND;
    sub.u32         %inBand, %item, %t;
    shl.b32         %bandTop, %band, 4;
    sub.u32         %bandRows, %rowsOfItems, %bandTop;
    min.u32         %bandRows, %bandRows, 16;       // the last band may be lower
    div.u32         %right, %inBand, %bandRows;
    mul.lo.u32      %t, %right, %bandRows;
    sub.u32         %down, %inBand, %t;
    add.u32         %down, %down, %bandTop;
    shl.b32         %tileRow, %down, 7;             // first row of C
    shl.b32         %tileCol, %right, 8;            // first column of C
    mov.b32         %block, 0;
""")


def beginning(g):
    out = "tensorC" if g.per_row else "mapC"
    text = header(g) + plan(g) + g.fill("""
.version 8.4
.target sm_90a
.address_size 64

.extern .shared .align 1024 .b8 dynamicShared[];

// A tensor map is 128 bytes, passed by value; the TMA unit reads it where the parameters lie.
.visible .entry $NAME(
    .param .align 64 .b8 mapA[128],
    .param .align 64 .b8 mapB[128],
    .param .align 64 .b8 mapFactorsA[128],
    .param .align 64 .b8 mapFactorsB[128],
    $OUT,
    .param .u32 rowsM)
// setmaxnreg works only when the registers at entry are known: 384 threads, one CTA per SM, so 65536 / 384 -> 168.
.maxntid 384, 1, 1
.minnctapersm 1
{
    .reg .b32 %thread, %lane, %warp, %group, %consumer, %t;
    .reg .b32 %m, %rowsOfItems, %items, %item, %itemStep;
    .reg .b32 %band, %inBand, %bandTop, %bandRows, %down, %right, %tileRow, %tileCol;
    .reg .b32 %shared, %full, %empty, %factorsFull, %factorsEmpty;
    .reg .b32 %stage, %parity, %fullBar, %emptyBar, %block, %inGroup, %slot, %slotParity, %slotBar, %k, %to;
    .reg .b32 %row, %factorsA, %factorsB, %atA, %atB;
$C_REGISTERS
    .reg .b64 %mapPtrA, %mapPtrB, %mapPtrFactorsA, %mapPtrFactorsB, %descBits, %baseA, %baseB, %descA, %descB, %stepA, %stepB, %wide;
    .reg .f32 %acc<128>, %part<64>;                 // results; sums of one block, of 128 columns of them
$F_REGISTERS
    .reg .pred %done, %elected, %signals, %wrap, %more, %yes, %no, %last;

    // ================================================================ 1. Who am I, where is what
    mov.u32         %thread, %tid.x;
    and.b32         %lane, %thread, 31;
    shr.u32         %warp, %thread, 5;
    shfl.sync.idx.b32 %warp, %warp, 0, 31, 0xffffffff;   // same value in all lanes, and now ptxas knows it
    shr.u32         %group, %warp, 2;

    mov.b64         %mapPtrA, mapA;                 // address of the parameter ...
    cvta.param.u64  %mapPtrA, %mapPtrA;             // ... made generic, as the TMA instruction wants it
    mov.b64         %mapPtrB, mapB;
    cvta.param.u64  %mapPtrB, %mapPtrB;
    mov.b64         %mapPtrFactorsA, mapFactorsA;
    cvta.param.u64  %mapPtrFactorsA, %mapPtrFactorsA;
    mov.b64         %mapPtrFactorsB, mapFactorsB;
    cvta.param.u64  %mapPtrFactorsB, %mapPtrFactorsB;
$C_ADDRESS
    mov.b32         %shared, dynamicShared;         // a symbol of .shared is its 32-bit shared address
    add.u32         %shared, %shared, 1023;
    and.b32         %shared, %shared, 0xfffffc00;
    add.u32         %full, %shared, $AT_BARRIERS;
    add.u32         %empty, %full, 32;
    add.u32         %factorsFull, %full, 64;
    add.u32         %factorsEmpty, %full, 80;

    ld.param.u32    %m, [rowsM];
    add.u32         %rowsOfItems, %m, 127;
    shr.u32         %rowsOfItems, %rowsOfItems, 7;  // ceil(M / 128); past the end TMA reads zeros and writes nothing
    mul.lo.u32      %items, %rowsOfItems, $RIGHT;       // $RIGHT = N / 256
    mov.u32         %item, %ctaid.x;                // the first tile of this CTA; then every nctaid-th
    mov.u32         %itemStep, %nctaid.x;

    // ================================================================ 2. Barriers
    // An mbarrier counts arrivals (and, for TMA, bytes). When all have come its phase ends: waiters go on and the count
    // starts anew. Waiters name the phase by parity: phases are 0, 1, 0, 1 ...
    //   full:  1 arrival (the producer's, with the number of bytes to come) and all these bytes
    //   empty: 8 arrivals, one from each consumer warp
    setp.ne.u32     %done, %thread, 0;
    @%done bra       BARRIERS_MADE;
""", OUT=".param .u64 tensorC" if g.per_row else ".param .align 64 .b8 mapC[128]",
        C_REGISTERS="    .reg .b64 %ptrC, %ptrA, %ptrB;\n    .reg .pred %writesA, %writesB;" if g.per_row else
        "    .reg .b32 %groupBarrier, %bufferC, %stageC, %spot, %storeRow, %storeCol, %pair<4>;\n"
        "    .reg .b64 %mapPtrC;\n    .reg .pred %leader;",
        F_REGISTERS="    .reg .f32 %rowA, %rowB, %column<2>, %f<4>;       // factors of two rows, of two columns, their products"
        if g.per_row else
        "    .reg .f32 %rowA, %rowB, %left, %right128, %fA, %fB;  // factors of two rows, of both halves of B, a product of each",
        C_ADDRESS="" if g.per_row else "    mov.b64         %mapPtrC, mapC;\n    cvta.param.u64  %mapPtrC, %mapPtrC;\n")
    for name, count, arrivals in (("full", 4, 1), ("empty", 4, 8), ("factorsFull", 2, 1), ("factorsEmpty", 2, 8)):
        for i in range(count):
            text += f"    mbarrier.init.shared::cta.b64 [%{name}{f'+{8 * i}' if i else ''}], {arrivals};\n"
    return text + """    fence.mbarrier_init.release.cluster;            // the TMA unit must see them made
    fence.proxy.async.shared::cta;
BARRIERS_MADE:
    bar.sync        0;

    mov.b32         %stage, 0;
    mov.b32         %slot, 0;                       // of the factors
    setp.ne.u32     %done, %group, 0;
    @%done bra       CONSUMER;

"""


def producer(g):
    return g.fill("""    // ================================================================ 3. Producer
    // It needs few registers and gives the rest back to the SM, for the consumers.
    setmaxnreg.dec.sync.aligned.u32 40;
    setp.ne.u32     %done, %warp, 0;
    @%done bra       FINISH;
    elect.sync      _|%elected, 0xffffffff;         // one lane, whichever the hardware picks
    @!%elected bra   FINISH;

    // Nobody has to release a stage before its first use. A barrier in its first phase (parity 0) counts the phase
    // before it, of parity 1, as over: so the producer starts by waiting for parity 1, the consumers for parity 0.
    mov.b32         %parity, 1;
    mov.b32         %slotParity, 1;

PRODUCE_ITEM:
    setp.ge.u32     %done, %item, %items;
    @%done bra       FINISH;
$WHOSE
PRODUCE_STEP:
    and.b32         %inGroup, %block, 3;            // factors come for four blocks at a time: 16 bytes of each row
    setp.ne.u32     %done, %inGroup, 0;
    @%done bra       PRODUCE_BLOCK;
    mad.lo.u32      %slotBar, %slot, 8, %factorsFull;
$WAIT_FACTORS    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%slotBar], $GROUP_BYTES;
    mad.lo.u32      %to, %slot, 2048, %shared;
    add.u32         %to, %to, $AT_FACTORS_A;
    cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
        [%to], [%mapPtrFactorsA, {%block, %tileRow}], [%slotBar];
    mad.lo.u32      %to, %slot, $FACTORS_B, %shared;
    add.u32         %to, %to, $AT_FACTORS_B;
$COLUMN    cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
        [%to], [%mapPtrFactorsB, {%block, $FIRST}], [%slotBar];
    xor.b32         %slot, %slot, 1;
    setp.eq.u32     %wrap, %slot, 0;
    @%wrap xor.b32   %slotParity, %slotParity, 1;

PRODUCE_BLOCK:
    shl.b32         %t, %stage, 3;
    add.u32         %fullBar, %full, %t;
    add.u32         %emptyBar, %empty, %t;
$WAIT    // First say how many bytes will come (16384 of A + 32768 of B), then ask for them.
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%fullBar], 49152;
    // Coordinates are {column, row} = {k, row of A or B}, in elements. The TMA unit writes row r of the box at
    // r * 128 and puts its 16-byte piece c at place c xor (r mod 8): the 128-byte swizzle.
    shl.b32         %k, %block, 7;
    mad.lo.u32      %to, %stage, 16384, %shared;
    cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
        [%to], [%mapPtrA, {%k, %tileRow}], [%fullBar];
    mad.lo.u32      %to, %stage, 32768, %shared;
    add.u32         %to, %to, 65536;
    cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
        [%to], [%mapPtrB, {%k, %tileCol}], [%fullBar];
$NEXT_STAGE    add.u32         %block, %block, 1;
    setp.lt.u32     %more, %block, $BLOCKS;
    @%more bra       PRODUCE_STEP;

    add.u32         %item, %item, %itemStep;
    bra             PRODUCE_ITEM;

""", WHOSE=whose_tile(g), WAIT_FACTORS=wait("PRODUCER_WAITS_FACTORS", "%slotBar+16", "%slotParity"),
        WAIT=wait("PRODUCER_WAITS", "%emptyBar", "%parity"), NEXT_STAGE=NEXT_STAGE,
        COLUMN="" if g.per_row else "    shr.u32         %t, %tileCol, 7;                // two factors: of columns 0..127 of the tile and of 128..255\n",
        FIRST="%tileCol" if g.per_row else "%t")


NEXT_STAGE = """    add.u32         %stage, %stage, 1;
    setp.eq.u32     %wrap, %stage, 4;
    @%wrap mov.b32   %stage, 0;
    @%wrap xor.b32   %parity, %parity, 1;           // once round the ring: the next phase of each barrier
"""
