#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A tool that is missing, fails, hangs or is killed, and a disk that is full.
source "$(dirname "$0")/expect.sh"
needs ptxas

good="$tree/tasks/gemm/gemm_n7168_k5120/examples/plain.ptx"

mkdir tools
printf '#!/bin/sh\necho "V13.0.88 release 13.0, V13.0.88"\n[ "$1" = --version ] || { echo "ptxas: no licence" >&2; exit 7; }\n' > tools/failing
printf '#!/bin/sh\necho "V13.0.88 release 13.0, V13.0.88"\n[ "$1" = --version ] || kill -SEGV $$\n' > tools/dying
chmod +x tools/*

export PTXWB_PTXAS="$PWD/tools/failing"
expect 1 ptxwb compile "$good"
told 'no licence'
export PTXWB_PTXAS="$PWD/tools/dying"
expect 4 ptxwb compile "$good"
told ptxas
unset PTXWB_PTXAS

# A disk with room for nothing.
if unshare --mount true 2> /dev/null; then
    mkdir full
    limit=(unshare --mount bash -c "mount -t tmpfs -o size=16k tmpfs '$PWD/full' && head -c 16384 /dev/zero > '$PWD/full/filler'; TMPDIR='$PWD/full' exec \"\$@\"" bash)
    expect 3 ptxwb compile "$good"
    said 'No space left'
    limit=()
fi
