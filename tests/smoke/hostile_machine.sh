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

# A cache that cannot be used: said by doctor, and no reason to fail.
: > file
PTXWB_CACHE_DIR="$PWD/file/cache" expect 0 ptxwb doctor
printed 'move it away'
PTXWB_CACHE_DIR="$PWD/file" expect 0 ptxwb doctor --json
document ptxwb.doctor.v1
printed 'move it away'
PTXWB_CACHE_DIR="$PWD/file" expect 0 ptxwb compile "$good"
expect 0 ptxwb doctor

# nvcc without its host compiler: this machine's fault, not the source's.
needs nvcc
echo '__global__ void scale(float* x) { x[threadIdx.x] *= 2; }' > scale.cu
mkdir bare
for tool in sh bash env timeout rm; do ln -s "$(command -v "$tool")" bare/; done
limit=(env "PATH=$PWD/bare")
for command in compile ptx sass matrix; do
    expect 3 ptxwb "$command" scale.cu
    said 'g++'
done
expect 3 ptxwb compile scale.cu --json
document ptxwb.error.v1
wants missing_tool error code
limit=()
expect 0 ptxwb compile scale.cu
expect 3 ptxwb compile scale.cu -- -ccbin /nowhere
said ccbin
