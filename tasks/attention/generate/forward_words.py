# SPDX-License-Identifier: Apache-2.0
"""Attention forward: the comment above the kernel, and its launch plan."""


def header(f):
    text = f.fill("""// SPDX-License-Identifier: Apache-2.0
//
// $WHAT with log-sum-exp on Hopper (sm_90a): TMA, mbarriers, wgmma, softmax beside it.
//   Q, K, V, O [B, H, S, D] bf16, LSE [B, H, S] float32; D = $D; any S >= 1$HEADS
//   O = softmax(Q K^T / sqrt(D)) V,   LSE = ln(sum over keys of exp(q . k / sqrt(D))).$MASK
//   Both products and all sums are kept in float32; the probabilities are rounded to bf16 for the second product.
//
// How the work is split
""", WHAT="Causal attention forward" if f.causal else "Attention forward",
        HEADS="; B * H a multiple of 8." if f.causal else ".",
        MASK="\n//   A query sees the keys up to its own position." if f.causal else "")
    if f.causal and f.rows == 128:
        text += """//   A CTA takes a tile of 128 queries of one head and walks over its keys in blocks of 128, from the diagonal down to
//   key 0: blocks above the diagonal are never loaded, and only the diagonal block needs a mask. One CTA per tile: tiles
//   differ in length, and the hardware gives an SM its next CTA as soon as it is free.$FASTER
"""
        text = text.replace("$FASTER", """ On an H200 this was 10 percent
//   faster than CTAs that stay and take every 132nd tile.""" if f.d == 128 else "")
    elif f.causal:
        text += f.fill("""//   A CTA takes a tile of $ROWS queries of one head and walks over its keys in blocks of 128, from the diagonal down to
//   key 0: blocks above the diagonal are never loaded. A consumer leaves out the last block when it comes after all its
//   queries; then one block lies on its diagonal and needs a mask. One CTA per tile: tiles differ in length, and the
//   hardware gives an SM its next CTA as soon as it is free.
""")
    else:
        text += f.fill("""//   A tile is $ROWS queries of one head; the keys are walked over in blocks of 128, from the last block down to the first.
//   One CTA per SM stays for the whole run (persistent) and takes every 132nd tile: while the consumers finish a tile,
//   the producer already loads the next.
""")
    text += f.fill("""//   $THREADS threads = $GROUPS warpgroups of 128:
//     warpgroup 0      producer: one thread of it asks the TMA unit for Q, K and V
//     warpgroups $LIST consumers: 64 queries each, all keys
//
// What runs at the same time
//   wgmma is asynchronous: a consumer starts scores(j+1) = Q K^T and then O += P(j) V, waits for the first only, and
//   computes the softmax of block j+1 while the tensor cores are busy with the second; and the other $OTHERS products
//   fill what gaps remain.
""", GROUPS=f.consumers + 1, LIST="1, 2 " if f.consumers == 2 else "1..3 ",
        OTHERS="consumer's" if f.consumers == 2 else "consumers'")
    if f.turns:
        barriers, who = ("3 and 4", "Both get") if f.consumers == 2 else ("4 to 6", "All get")
        text += f"//   The consumers take turns in starting their products (named barriers {barriers}). {who} their first block at the same\n"
        text += """//   moment, and without turns they stay in step: $BOTH at the exponentials while the tensor cores have nothing to do. With
//   turns they are $PART of a block apart.""".replace("$BOTH", "both" if f.consumers == 2 else "all").replace(
            "$PART of a", "half a" if f.consumers == 2 else "a part of a") + (
                " On an H200, S = 4096: 641 against 562 TFLOP/s." if f.d == 128 else "") + "\n"
    elif f.d == 128:
        text += """//   Taking turns by named barriers (one consumer's products, then the other's) was tried too: no faster on an H200, since
//   in a long run the two drift apart by themselves.
"""
    text += f.fill("""//
// Online softmax, per query (row)
//   max   largest score so far (before scaling)        p = 2^(c * (score - max)),  c = log2(e) / sqrt($D)
//   sum   sum of all p so far                          O = sum of p * V so far, not yet divided
//   When a new block raises max, what was summed before is multiplied by shrink = 2^(c * (old max - new max)).
//   At the end O is divided by sum, and LSE = ln(2) * (c * max + log2(sum)).
//
// Results of wgmma, for thread t of a consumer, l = t mod 32
//   Register i is row 16 * (t / 32) + l / 4 + 8 * ((i / 2) mod 2), column 8 * (i / 4) + 2 * (l mod 4) + (i mod 2).
//   So a thread holds parts of two rows, called A and B (8 further down) below; the 4 lanes with the same l / 4 hold one
//   row together and exchange by shuffles. The left operand of wgmma, when it comes from registers, has the same layout.
//
// Shared memory (from the first multiple of 1024)
""")
    halves = "2 halves of 64 dimensions x " if f.halves == 2 else ""
    rows = ((0, f"Q         {halves}{f.rows} queries x 128 bytes" + (f" = 2 x {f.places['Q_HALF']}" if f.halves == 2 else "")),
            (f.places["AT_K"], f"K         {f.stages} stages x " + ("2 halves x " if f.halves == 2 else "")
             + f"128 keys x 128 bytes = {f.stages} x {f.places['TILE_BYTES']}"),
            (f.places["AT_V"], f"V         {f.stages} stages, the same"),
            (f.places["AT_O"], "O         " + ("2 halves x " if f.halves == 2 else "") + f"{f.rows} queries x 128 bytes"),
            (f.places["AT_BARRIERS"], f"mbarriers: Q full, {'8 bytes unused' if f.causal else 'Q empty'}, "
             f"K full[{f.stages}], K empty[{f.stages}], V full[{f.stages}], V empty[{f.stages}]"))
    text += "".join(f"//   {place:>6}   {what}\n" for place, what in rows)
    if f.d == 128:
        text += "//   A row of 128 bf16 comes as two halves, since 128 bytes is the widest box with the 128-byte swizzle: the TMA unit\n"
    elif f.d == 96:
        text += """//   A row of 96 bf16 comes as two boxes of 64, since 128 bytes is the widest box with the 128-byte swizzle; of the second
//   box only 32 exist: the TMA unit fills the rest with zeros, which nothing reads, and leaves them out when it stores. It
"""
    else:
        text += "//   A row of 64 bf16 is 128 bytes, the widest box with the 128-byte swizzle: the TMA unit\n"
    return text + """//   writes row r of a box at r * 128 and puts its 16-byte piece c at place c xor (r mod 8).
//
"""


def plan(f):
    load = '"swizzle": "128B", "oob": "zero", "l2": "256B"'
    rows = f.rows
    return f.fill("""/* @launch {
$CONSTANTS  "launches": [ {
    "kernel": "$NAME",
    "grid": [ "$GRID", 1, 1 ],
    "block": [ $THREADS, 1, 1 ],
    "shared_bytes": "$AT_BARRIERS + $BARRIER_BYTES + 1024",
    "args": [ {"tensor_map": "mapQ"}, {"tensor_map": "mapK"}, {"tensor_map": "mapV"}, {"tensor_map": "mapO"},
              {"tensor": "LSE"}, {"i32": "S"}$HEADS ]
  } ],
  "tensor_maps": {
""", CONSTANTS="" if f.causal else '  "constants": { "SMS": 132 },\n',
        GRID=f"ceildiv(S, {rows}) * B * H" if f.causal else f"min(SMS, ceildiv(S, {rows}) * B * H)",
        HEADS="" if f.causal else ', {"i32": "B * H"}') + "".join(
        f'    "map{t}": {{ "tensor": "{t}", "dims": ["D", "S", "B*H"], "box": [64, {n}, 1], {load} }},\n'
        for t, n in (("Q", rows), ("K", 128), ("V", 128))) + """    "mapO": { "tensor": "O", "dims": ["D", "S", "B*H"], "box": [64, 64, 1], "swizzle": "128B", "oob": "zero" }
  }
} */
"""
