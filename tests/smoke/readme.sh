#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The mistakes that README shows are told in these very lines.
source "$(dirname "$0")/expect.sh"
needs ptxas

gemm="$tree/tasks/gemm/gemm_n7168_k5120/examples/wgmma_tma.ptx"
: > all
sed '292s/%acc19/%acc130/' "$gemm" > gemm.ptx
expect 1 ptxwb compile gemm.ptx
cat "$scratch/out" >> all
sed '159s/49152/49140/' "$gemm" > gemm.ptx
expect 0 ptxwb compile gemm.ptx
cat "$scratch/out" >> all
sed '268s,.*,,' "$gemm" > gemm.ptx
expect 0 ptxwb compile gemm.ptx
cat "$scratch/out" >> all

shown=0
while IFS= read -r line; do
    line=${line#    }
    line=${line% ...}
    grep -qF -- "$line" all || fail "README shows what is not told: $line"
    shown=$((shown + 1))
done < <(sed -n '/^### Three mistakes/,/^### Any kernel/p' "$tree/README.md" | grep '^    ')
[ "$shown" -ge 10 ] || fail "README shows $shown lines only"
