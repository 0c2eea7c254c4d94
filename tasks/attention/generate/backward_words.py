# SPDX-License-Identifier: Apache-2.0
"""Attention backward: the comment above the kernels, and their launch plan."""


def header(b):
    faster = (" On an H200, S = 4096: 465 against 431 TFLOP/s without turns, counted as 5 products." if b.causal
              else " With the causal mask this was worth 8 percent on an H200; here little.") if b.d == 128 else ""
    row = {128: """//   A row of 128 bf16 comes as two halves of 128 bytes, the widest box with that swizzle. K-major (sums over dimensions):
//   the stride is 1024, from one group of 8 rows to the next; 16 dimensions further is 32 bytes, + 2; the other half is
//   one half's size further. MN-major (sums over rows): the leading offset leads from the first half to the second,
//   the stride from 8 rows to the next 8, 1024; 16 rows further is 2048 bytes, + 128. The same tile is read both ways.
""", 96: """//   A row of 96 bf16 comes as two boxes of 128 bytes, the widest with that swizzle; of the second only 32 elements exist:
//   the TMA unit fills the rest with zeros, which nothing reads, and leaves them out when it stores. K-major (sums over
//   dimensions): the stride is 1024, from one group of 8 rows to the next; 16 dimensions further is 32 bytes, + 2; the
//   other half is one half's size further. MN-major (sums over rows): the leading offset leads from the first half to the
//   second, the stride from 8 rows to the next 8, 1024; 16 rows further is 2048 bytes, + 128. The same tile is read both
//   ways.
""", 64: """//   A row of 64 bf16 is 128 bytes, the widest box with that swizzle. K-major (sums over dimensions): the stride is 1024,
//   from one group of 8 rows to the next; 16 dimensions further is 32 bytes, + 2. MN-major (sums over rows): the stride
//   from 8 rows to the next 8 is 1024; 16 rows further is 2048 bytes, + 128; the leading offset is not used for 64
//   dimensions. The same tile is read both ways.
"""}[b.d]
    return b.fill("""// SPDX-License-Identifier: Apache-2.0
//
// $WHAT on Hopper (sm_90a): TMA, mbarriers, wgmma; three launches, the same bits every time.
//   Q, K, V, O, dO [B, H, S, D] bf16, L [B, H, S] float32 (natural log-sum-exp) -> dQ, dK, dV [B, H, S, D] bf16;
//   D = $D, S a multiple of 128$MASK
//
// The mathematics, for query i and key j, with scale = 1 / sqrt(D)
//   p(i,j)  = exp(scale * q(i).k(j) - L(i))          the probability, made anew: cheaper than storing S x S of them
//   dp(i,j) = dO(i) . v(j)                           its gradient
//   delta(i) = dO(i) . O(i)
//   ds(i,j) = p(i,j) * (dp(i,j) - delta(i))          gradient of the score, less the factor scale
//   dV = P^T dO        dK = scale * dS^T Q        dQ = scale * dS K
//
// How the work is split
//   1. attention_backward_rows     delta, and -log2(e) * L, for each query
//   2. attention_backward_keys     dK and dV: a CTA keeps 128 keys and walks over the queries, in blocks of 64
//   3. attention_backward_queries  dQ: a CTA keeps 128 queries and walks over the keys, in blocks of 128
//   dQ sums over keys, dK and dV over queries: whichever a CTA keeps, the others are spread over CTAs. The usual way is one
//   kernel that adds dQ to float32 memory by atomics: 5 products. Here P and dS are made twice, 7 products, but no sum
//   crosses CTAs: the result does not depend on who comes first, and no float32 copy of dQ is written and read.
//
// In 2 and 3: 384 threads = 3 warpgroups of 128
//     warpgroup 0      producer: one thread of it asks the TMA unit for what comes next
//     warpgroups 1, 2  consumers: 64 rows each (of keys in 2, of queries in 3)
//   Both keep their row operands in shared memory all the time, and a ring of stages for the others.
//   What runs at the same time: wgmma is asynchronous. The scores of the next block are started first, then the products
//   of this block and dp of the next; while those run, the exponentials of the next block are computed. The consumers take
//   turns in starting their products (named barriers 3 and 4), so that they stay half a block apart: one computes while
//   the other's products run.$FASTER
//
// Results of wgmma, for thread t of a consumer, l = t mod 32
//   Register i is row 16 * (t / 32) + l / 4 + 8 * ((i / 2) mod 2), column 8 * (i / 4) + 2 * (l mod 4) + (i mod 2).
//   So a thread holds parts of two rows, called A and B (8 further down). The left operand of wgmma, when it comes from
//   registers, has the same layout: P and dS, rounded to bf16 and packed in pairs, go from one product into the next.
//   That is why kernel 2 computes everything transposed: rows are keys there, and dV = P^T dO wants P^T on the left.
//
// Shared-memory descriptors of wgmma, 128-byte swizzle:
//   bits  0..13  start address / 16
//   bits 16..29  leading-dimension offset / 16
//   bits 32..45  stride-dimension offset / 16
//   bits 62..63  swizzle: 1 = 128 bytes
$ROW//
""", WHAT="Causal attention backward" if b.causal else "Attention backward",
        MASK="; B * H a multiple of 8. A query sees the keys up to its own position." if b.causal else ".",
        FASTER=faster, ROW=row)


def plan(b):
    text = b.fill("""/* @launch {
  "launches": [
    { "kernel": "attention_backward_rows",
      "grid": [ "B * H * S / $ROWS_A_CTA", 1, 1 ], "block": [ 256, 1, 1 ],
      "args": [ {"tensor": "O"}, {"tensor": "dO"}, {"tensor": "L"}, {"workspace": "minusLse"}, {"workspace": "delta"} ] },
    { "kernel": "attention_backward_keys",
      "grid": [ "S / 128 * B * H", 1, 1 ], "block": [ 384, 1, 1 ],
      "shared_bytes": "$KEYS_BARRIERS + 72 + 1024",
      "args": [ {"tensor_map": "mapQ"}, {"tensor_map": "mapK"}, {"tensor_map": "mapV"}, {"tensor_map": "mapdO"},
                {"tensor_map": "mapdK"}, {"tensor_map": "mapdV"},
                {"workspace": "minusLse"}, {"workspace": "delta"}, {"i32": "S"} ] },
    { "kernel": "attention_backward_queries",
      "grid": [ "S / 128 * B * H", 1, 1 ], "block": [ 384, 1, 1 ],
      "shared_bytes": "$QUERIES_BARRIERS + 88 + 1024",
      "args": [ {"tensor_map": "rowsQ"}, {"tensor_map": "mapK"}, {"tensor_map": "mapV"}, {"tensor_map": "rowsdO"},
                {"tensor_map": "mapdQ"}, {"workspace": "minusLse"}, {"workspace": "delta"}, {"i32": "S"} ] }
  ],
  "workspaces": {
    "minusLse": { "dtype": "float32", "shape": ["B", "H", "S"] },
    "delta": { "dtype": "float32", "shape": ["B", "H", "S"] }
  },
  "tensor_maps": {
""")
    maps = [(name, tensor, rows, ', "l2": "256B"') for name, tensor, rows in (
        ("mapQ", "Q", 64), ("mapdO", "dO", 64), ("rowsQ", "Q", 128), ("rowsdO", "dO", 128), ("mapK", "K", 128),
        ("mapV", "V", 128))]
    maps += [("map" + tensor, tensor, 64, "") for tensor in ("dQ", "dK", "dV")]
    text += ",\n".join(f'    "{name}": {{ "tensor": "{tensor}", "dims": ["d", "S", "B*H"], "box": [64, {rows}, 1], '
                       f'"swizzle": "128B", "oob": "zero"{l2} }}' for name, tensor, rows, l2 in maps)
    return text + """
  }
} */
"""
