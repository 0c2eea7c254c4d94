# SPDX-License-Identifier: Apache-2.0
"""GEMM of 8-bit floats: the comment above the kernel, and its launch plan."""


def header(g):
    factors = ("SFB [N, K / 128]: a factor for each 128 columns of a row; C [M, N] float32" if g.per_row
               else "SFB [N / 128, K / 128]: a factor for each 128 x 128 of B; C [M, N] bf16")
    text = g.fill("""// SPDX-License-Identifier: Apache-2.0
//
// C = (A SFA) (B SFB)^T of 8-bit floats on Hopper (sm_90a): TMA loads, a ring of mbarriers, wgmma on e4m3.
//   A [M, K], B [N, K] e4m3, row by row; SFA [M, K / 128] float32: a factor for each 128 columns of a row of A;
//   $FACTORS; N = $N, K = $K; any M >= 1.
//
// Why the results are held twice
//   The factors change every 128 columns, so sums over K must stop there, be multiplied and added up elsewhere; and the
//   tensor cores keep only some 14 bits while they add 8-bit products, which long sums would not stand. So wgmma writes the
//   sums of 128 columns of K to registers of their own (64 rows x 128 columns of C at a time: 64 registers), and
//   fused multiply-adds in float32 bring them to the results (64 x 256: 128 registers).
//
// How the work is split
//   One CTA per SM stays for the whole run (persistent) and takes tile after tile, 128 x 256 of C each.
//   384 threads = 3 warpgroups of 128:
//     warpgroup 0      producer: one thread of it asks the TMA unit for tiles of A and B, and for their factors
//     warpgroups 1, 2  consumers: 64 x 256 of the tile each, in two halves of 128 columns
//   While one consumer multiplies by the factors, the products of the other keep the tensor cores busy.
//   K is walked in $BLOCKS blocks of 128 elements: 128 bytes = one row of the 128-byte swizzle pattern. Factors come for four
//   blocks at a time, since 16 bytes of a row is the least that the TMA unit takes.
//
// Shared memory (from the first multiple of 1024; a swizzle pattern repeats every 1024 bytes = 8 rows of 128)
""", FACTORS=factors)
    rows = [(0, "A ring   4 stages x 128 rows x 128 bytes = 4 x 16384"),
            (65536, "B ring   4 stages x 256 rows x 128 bytes = 4 x 32768")]
    if not g.per_row:
        rows.append((196608, "C        2 consumers x 64 rows x 128 bytes"))
    rows += [(g.places["AT_FACTORS_A"], "factors of A  2 slots x 128 rows x 16 bytes"),
             (g.places["AT_FACTORS_B"], "factors of B  2 slots x " + ("256 rows x 16 bytes" if g.per_row else
                                                                    "2 x 16 bytes, 128 bytes apart")),
             (g.places["AT_BARRIERS"], "mbarriers: full[4] and empty[4] of the rings, full[2] and empty[2] of the factors")]
    return text + "".join(f"//   {place:>6}   {what}\n" for place, what in rows) + """//   1023 bytes more are asked for, so that the start can be rounded up.
//
"""


def plan(g):
    c = '{"tensor": "C"}' if g.per_row else '{"tensor_map": "mapC"}'
    maps = """    "mapA": { "tensor": "A", "box": [128, 128], "swizzle": "128B", "oob": "zero", "l2": "256B" },
    "mapB": { "tensor": "B", "box": [128, 256], "swizzle": "128B", "oob": "zero", "l2": "256B" },
    "mapFactorsA": { "tensor": "SFA", "box": [4, 128], "oob": "zero" },
"""
    maps += f'    "mapFactorsB": {{ "tensor": "SFB", "box": [4, {256 if g.per_row else 2}], "oob": "zero" }}'
    if not g.per_row:
        maps += ',\n    "mapC": { "tensor": "C", "box": [64, 64], "swizzle": "128B", "oob": "zero" }'
    return g.fill("""/* @launch {
  "constants": { "SMS": 132 },
  "launches": [ {
    "kernel": "$NAME",
    "grid": [ "min(SMS, ceildiv(M, 128) * ceildiv(N, 256))", 1, 1 ],
    "block": [ 384, 1, 1 ],
    "shared_bytes": "$AT_BARRIERS + 96 + 1024",
    "args": [ {"tensor_map": "mapA"}, {"tensor_map": "mapB"}, {"tensor_map": "mapFactorsA"}, {"tensor_map": "mapFactorsB"},
              $C, {"i32": "M"} ]
  } ],
  "tensor_maps": {
$MAPS
  }
} */
""", C=c, MAPS=maps)
