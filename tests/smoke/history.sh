# SPDX-License-Identifier: Apache-2.0
# Every evaluation is kept; the same work is found again; a history that fails is a warning and no more.
source "$(dirname "$0")/expect.sh"
needs ptxas

gemm="$tree/tasks/gemm/gemm_n7168_k5120"
bad=("$gemm/failed/does_not_assemble.ptx" --task gemm_n7168_k5120 --on none)

if "$PTXWB_PROGRAM" history 2>&1 | grep -qF 'built without SQLite'; then
    printf 'skipped: no SQLite in this build\n'
    exit 77
fi
expect 0 ptxwb history
printed 'no evaluations'
expect 2 ptxwb history forget
expect 2 ptxwb history show
expect 2 ptxwb history compare 1
expect 1 ptxwb eval "${bad[@]}"
said 'evaluation 1'
expect 1 ptxwb eval "${bad[@]}" --json
said 'evaluation 1 of'
document ptxwb.eval.v1
wants compile_error verdict
expect 1 ptxwb eval "${bad[@]}" --again
said 'evaluation 2'
expect 1 ptxwb eval "${bad[@]}" --no-history
expect 3 ptxwb eval "$gemm/examples/wgmma_tma.ptx" --task gemm_n7168_k5120 --on none
said 'evaluation 3'
# What could not be checked is tried again.
expect 3 ptxwb eval "$gemm/examples/wgmma_tma.ptx" --task gemm_n7168_k5120 --on none
said 'evaluation 4'
expect 0 ptxwb history --json
document ptxwb.history.v1
wants 4 evaluations 0 id
wants compile_error evaluations 2 verdict
expect 0 ptxwb history --limit 1 --candidate does_not
printed does_not_assemble.ptx
expect 0 ptxwb history show 3
printed 'cubin: '
expect 0 ptxwb history source 3
cmp -s "$scratch/out" "$gemm/examples/wgmma_tma.ptx" || fail 'the source is not what was evaluated'
expect 0 ptxwb history compare 1 3
printed 'side by side'
expect 0 ptxwb history compare 1 2 --json
document ptxwb.history.compare.v1
wants ON same_source
expect 2 ptxwb history show 99
expect 2 ptxwb history show one
said "'one'"
expect 0 ptxwb history export -o all.jsonl --limit 100
[ "$(wc -l < all.jsonl)" = 4 ] || fail 'export has not four lines'

# Hostile: no database, no permission, a folder, locked, killed in between.
printf 'this is no database, and long enough to be looked at as one by whoever opens it\n' > text.sqlite
export PTXWB_HISTORY=$PWD/text.sqlite
expect 1 ptxwb eval "${bad[@]}"
said 'warning: not kept in the history'
expect 2 ptxwb history
said text.sqlite
mkdir folder
export PTXWB_HISTORY=$PWD/folder
expect 1 ptxwb eval "${bad[@]}"
said 'warning: not kept'
export PTXWB_HISTORY=/proc/history.sqlite
expect 1 ptxwb eval "${bad[@]}"
said 'warning: not kept'
export PTXWB_HISTORY=$PWD/killed.sqlite
for wait in 0.02 0.05 0.1 0.15 0.2 0.3; do
    "$PTXWB_PROGRAM" eval "${bad[@]}" --again > /dev/null 2>&1 &
    sleep "$wait"
    kill -9 $! 2> /dev/null || true
    wait $! 2> /dev/null || true
done
rm -rf "${TMPDIR:?}"/*
expect 1 ptxwb eval "${bad[@]}" --again
said 'kept in the history'
expect 0 ptxwb history
