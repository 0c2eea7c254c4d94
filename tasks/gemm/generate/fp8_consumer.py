# SPDX-License-Identifier: Apache-2.0
"""GEMM of 8-bit floats: the part of the consumers."""
from fp8_gemm import NEXT_STAGE, registers, wait, whose_tile


def places_of_things(g):
    text = g.fill("""    // ================================================================ 4. Consumers
CONSUMER:
    // 2 x 128 x 232 + 128 x 40 = 64512 registers of the SM's 65536. 128 of the 232 hold the results, 64 the sums of a block.
    setmaxnreg.inc.sync.aligned.u32 232;
    sub.u32         %consumer, %group, 1;           // 0: rows 0..63 of the tile, 1: rows 64..127
    mov.b32         %parity, 0;
    mov.b32         %slotParity, 0;
    setp.eq.u32     %yes, 0, 0;                     // always true
    setp.ne.u32     %no, 0, 0;                      // never
    setp.eq.u32     %signals, %lane, 0;             // one lane of each warp tells that a stage has been read

    // The shared-memory descriptor of wgmma, for K-major operands with 128-byte swizzle:
    //   bits  0..13  start address / 16
    //   bits 16..29  leading-dimension offset / 16: not used by this layout, 1 by custom
    //   bits 32..45  stride-dimension offset / 16: from one group of 8 rows to the next = 1024 / 16 = 64
    //   bits 62..63  swizzle: 1 = 128 bytes
    mov.b64         %descBits, 0x4000004000010000;
    mad.lo.u32      %t, %consumer, 8192, %shared;   // 64 rows x 128 bytes further down for the second consumer
    shr.u32         %t, %t, 4;
    cvt.u64.u32     %wide, %t;
    or.b64          %baseA, %descBits, %wide;
    add.u32         %t, %shared, 65536;
    shr.u32         %t, %t, 4;
    cvt.u64.u32     %wide, %t;
    or.b64          %baseB, %descBits, %wide;

    // Results of thread t of the warpgroup, l = t mod 32: register i is row 16 * (t / 32) + l / 4 + 8 * ((i / 2) mod 2),
    // column 8 * (i / 4) + 2 * (l mod 4) + (i mod 2): parts of two rows, A and B (8 further down).
    and.b32         %t, %warp, 3;
    shl.b32         %t, %t, 4;
    mad.lo.u32      %row, %consumer, 64, %t;
    shr.u32         %t, %lane, 2;
    add.u32         %row, %row, %t;                 // row A of this thread inside the tile
    mad.lo.u32      %factorsA, %row, 16, %shared;   // four factors of a row lie together
    add.u32         %factorsA, %factorsA, $AT_FACTORS_A;
    add.u32         %factorsB, %shared, $AT_FACTORS_B;
""")
    if g.per_row:
        return text + """    and.b32         %t, %lane, 3;
    mad.lo.u32      %factorsB, %t, 32, %factorsB;   // of the first of its columns
    ld.param.u64    %ptrC, [tensorC];
    cvta.to.global.u64 %ptrC, %ptrC;

"""
    return text + g.fill("""
    // For the epilogue. Lane l of stmatrix.x4 gives the address of row l mod 16 of the warp's 16, piece l / 16 of each pair of
    // 16-byte pieces, at its swizzled place: c xor (r mod 8).
    mad.lo.u32      %bufferC, %consumer, 8192, %shared;
    add.u32         %bufferC, %bufferC, $AT_C;
    and.b32         %t, %warp, 3;
    mad.lo.u32      %stageC, %t, 2048, %bufferC;    // 16 rows x 128 bytes
    and.b32         %t, %lane, 15;
    mad.lo.u32      %stageC, %t, 128, %stageC;
    shr.u32         %t, %lane, 4;
    xor.b32         %t, %t, %lane;
    and.b32         %t, %t, 7;
    mad.lo.u32      %stageC, %t, 16, %stageC;       // the pair j of pieces is at stageC xor (32 * j)
    add.u32         %groupBarrier, %consumer, 1;    // named barrier 1 or 2: the 128 threads of one consumer
    and.b32         %t, %thread, 127;
    setp.eq.u32     %leader, %t, 0;                 // bulk groups belong to a thread: always the same one stores

""")


def product(half):
    """64 rows x 128 columns x 128 of K: four times 32, 32 bytes further each time."""
    text = "    wgmma.fence.sync.aligned;                       // the registers of the sums are free\n"
    for step in range(4):
        b = 1024 * half + 2 * step  # 128 rows x 128 bytes further for the right half
        if step > 0:
            text += f"    add.s64         %stepA, %descA, {2 * step};\n"
        if b > 0:
            text += f"    add.s64         %stepB, %descB, {b};\n"
        text += f"    wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3 {{\n{registers('part', 64)}}},\n"
        text += (f"        {'%stepA' if step else '%descA'}, {'%stepB' if b else '%descB'}, "
                 f"{'%yes' if step else '%no'}, 1, 1;\n")
    return text + "    wgmma.commit_group.sync.aligned;\n"


def promote(g, half):
    first = 64 * half
    if not g.per_row:
        text = f"    mul.f32 %fA, %rowA, %{('left', 'right128')[half]};  mul.f32 %fB, %rowB, %{('left', 'right128')[half]};\n"
        text += "    wgmma.wait_group.sync.aligned 0;\n" + (RELEASE if half == 1 else "")
        for i in range(0, 64, 2):
            f = "B" if i & 2 else "A"
            text += "    " + "  ".join(f"fma.rn.f32 %acc{first + e}, %part{e}, %f{f}, %acc{first + e};" for e in (i, i + 1)) + "\n"
        return text
    text = "    wgmma.wait_group.sync.aligned 0;\n" + (RELEASE if half == 1 else "")
    for i in range(0, 64, 4):
        place = 2048 * half + 32 * i  # 16 bytes a column
        text += f"    ld.shared.f32 %column0, [%atB{f'+{place}' if place else ''}];  ld.shared.f32 %column1, [%atB+{place + 16}];\n"
        text += "    mul.f32 %f0, %rowA, %column0;  mul.f32 %f1, %rowA, %column1;  mul.f32 %f2, %rowB, %column0;  mul.f32 %f3, %rowB, %column1;\n"
        for e in (i, i + 2):
            text += "    " + "  ".join(f"fma.rn.f32 %acc{first + x}, %part{x}, %f{x - i}, %acc{first + x};" for x in (e, e + 1)) + "\n"
    return text


RELEASE = """    @%signals mbarrier.arrive.shared::cta.b64 _, [%emptyBar];   // both halves of the stage have been read
"""


def step(g):
    text = "CONSUME_ITEM:\n    setp.ge.u32     %done, %item, %items;\n    @%done bra       STORES_DONE;\n" + whose_tile(g)
    for i in range(0, 128, 4):
        text += "    " + "  ".join(f"mov.f32 %acc{e}, 0f00000000;" for e in range(i, i + 4)) + "\n"
    text += g.fill("""
CONSUME_STEP:
    and.b32         %inGroup, %block, 3;
    setp.ne.u32     %done, %inGroup, 0;
    @%done bra       FACTORS_ARE_THERE;
    mad.lo.u32      %slotBar, %slot, 8, %factorsFull;
""") + wait("CONSUMER_WAITS_FACTORS", "%slotBar", "%slotParity") + g.fill("""FACTORS_ARE_THERE:
    shl.b32         %t, %stage, 3;
    add.u32         %fullBar, %full, %t;
    add.u32         %emptyBar, %empty, %t;
""") + wait("CONSUMER_WAITS", "%fullBar", "%parity") + g.fill("""    mul.wide.u32    %wide, %stage, 1024;            // 16384 / 16
    add.s64         %descA, %baseA, %wide;
    mul.wide.u32    %wide, %stage, 2048;            // 32768 / 16
    add.s64         %descB, %baseB, %wide;

    // Columns 0..127: started, and while they run the factors of this block are fetched.
""") + product(0) + g.fill("""    mad.lo.u32      %atA, %slot, 2048, %factorsA;
    mad.lo.u32      %atA, %inGroup, 4, %atA;
    ld.shared.f32   %rowA, [%atA];
    ld.shared.f32   %rowB, [%atA+128];              // 8 rows further
    mad.lo.u32      %atB, %slot, $FACTORS_B, %factorsB;
    mad.lo.u32      %atB, %inGroup, 4, %atB;
""")
    if not g.per_row:
        text += """    ld.shared.f32   %left, [%atB];
    ld.shared.f32   %right128, [%atB+16];
"""
    text += "    // The sums of 128 columns of A and B, by the factors, to the results: tensor cores keep few bits of long sums.\n"
    text += promote(g, 0) + "    // Columns 128..255\n" + product(1) + promote(g, 1)
    return text + g.fill("""
    setp.eq.u32     %last, %inGroup, 3;             // the last block of its factors
    @!%last bra      SAME_FACTORS;
    @%signals mbarrier.arrive.shared::cta.b64 _, [%slotBar+16];
    xor.b32         %slot, %slot, 1;
    setp.eq.u32     %wrap, %slot, 0;
    @%wrap xor.b32   %slotParity, %slotParity, 1;
SAME_FACTORS:
$NEXT    add.u32         %block, %block, 1;
    setp.lt.u32     %more, %block, $BLOCKS;
    @%more bra       CONSUME_STEP;

""", NEXT=NEXT_STAGE)


def epilogue(g):
    text = "    // ================================================================ 5. Epilogue\n"
    if g.per_row:
        text += g.fill("""    // Straight from the registers: the four lanes of a row write 32 bytes next to each other.
    add.u32         %t, %tileRow, %row;
    setp.lt.u32     %writesA, %t, %m;
    and.b32         %to, %lane, 3;
    mad.lo.u32      %to, %to, 2, %tileCol;
    mul.wide.u32    %wide, %t, ${N};
    cvt.u64.u32     %ptrA, %to;
    add.s64         %wide, %wide, %ptrA;
    shl.b64         %wide, %wide, 2;
    add.s64         %ptrA, %ptrC, %wide;
    add.u32         %t, %t, 8;
    setp.lt.u32     %writesB, %t, %m;
    add.s64         %ptrB, %ptrA, ${EIGHT_ROWS};
""", EIGHT_ROWS=8 * 4 * g.n)
        for i in range(0, 128, 4):
            for e, r in ((i, "A"), (i + 2, "B")):
                text += f"    @%writes{r} st.global.v2.f32 [%ptr{r}{f'+{8 * i}' if i else ''}], {{%acc{e}, %acc{e + 1}}};\n"
    else:
        text += """    // 64 rows x 256 columns in four parts of 64 columns (128 bytes of bf16), through one buffer. Each part: wait until the
    // store before has read the buffer; round to bf16; stmatrix; make the writes visible to the async proxy (each writing
    // thread, then the barrier); one thread stores.
    mad.lo.u32      %storeRow, %consumer, 64, %tileRow;
"""
        for part in range(4):
            text += f"\n    // -- columns {64 * part}..{64 * part + 63} of the tile\n"
            text += "    @%leader cp.async.bulk.wait_group.read 0;\n    bar.sync        %groupBarrier, 128;\n"
            for pair in range(4):
                first = 32 * part + 8 * pair
                for i in range(4):
                    text += f"    cvt.rn.bf16x2.f32 %pair{i}, %acc{first + 2 * i + 1}, %acc{first + 2 * i};\n"
                if pair:
                    text += f"    xor.b32         %spot, %stageC, {32 * pair};\n"
                text += (f"    stmatrix.sync.aligned.m8n8.x4.shared.b16 [{'%spot' if pair else '%stageC'}], "
                         "{%pair0, %pair1, %pair2, %pair3};\n")
            text += f"""    fence.proxy.async.shared::cta;
    bar.sync        %groupBarrier, 128;
    add.s32         %storeCol, %tileCol, {64 * part};
    @%leader cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
        [%mapPtrC, {{%storeCol, %storeRow}}], [%bufferC];
    @%leader cp.async.bulk.commit_group;
"""
    text += "\n    add.u32         %item, %item, %itemStep;\n    bra             CONSUME_ITEM;\n\nSTORES_DONE:\n"
    if not g.per_row:
        text += "    @%leader cp.async.bulk.wait_group 0;            // shared memory must live until the last store is through\n"
    return text + "\nFINISH:\n    ret;\n}\n"


def consumer(g):
    return places_of_things(g) + step(g) + epilogue(g)
