#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bad input ends in a sentence and the right status; odd but good input compiles.
source "$(dirname "$0")/expect.sh"
needs ptxas

good="$tree/tasks/gemm/gemm_n7168_k5120/examples/plain.ptx"

expect 2 ptxwb compile missing.ptx
said missing.ptx
expect 2 ptxwb compile .
expect 2 ptxwb compile missing.ptx --json
document ptxwb.error.v1
: > empty.ptx
expect 1 ptxwb compile empty.ptx
told empty
head -c 4096 /dev/urandom > noise.ptx
expect 1 ptxwb compile noise.ptx
expect 1 ptxwb sass noise.ptx
printf '\xff\xfe.\0v\0e\0r\0s\0i\0o\0n\0' > wide.ptx
expect 1 ptxwb compile wide.ptx
told UTF-16
printf '\x7fELF' > broken.cubin
expect 1 ptxwb sass broken.cubin
printf '%s\n' 'garbage that is no PTX at all' > garbage.ptx
expect 1 ptxwb compile garbage.ptx
told garbage.ptx:
expect 1 ptxwb compile - < /dev/null

# Good input.
sed 's/$/\r/' "$good" > crlf.ptx
expect 0 ptxwb compile crlf.ptx
for name in "with space.ptx" "it's.ptx" 'a"quote.ptx' 'do$llar.ptx' 'semi;colon.ptx' '-dash.ptx' 'ação.ptx'; do
    cp "$good" "./$name"
    expect 0 ptxwb compile "./$name"
done
{
    cat "$good"
    printf '// '
    head -c 5000000 /dev/zero | tr '\0' x
    printf '\n'
} > long_line.ptx
expect 0 ptxwb compile long_line.ptx
cat > no_entry.ptx << 'PTX'
.version 9.0
.target sm_90a
.address_size 64
.visible .func (.reg .b32 r) twice(.reg .b32 x) { add.s32 r, x, x; ret; }
PTX
expect 0 ptxwb compile no_entry.ptx
told no_entry.ptx

# Launch plans.
cat > kernel.ptx << 'PTX'
.version 9.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 c) { ret; }
PTX
{
    printf '%s\n' '/* @launch { "launches": [ { "kernel": "k", "grid": [1,1,1], "block": [32,1,1],' \
        '  "args": [ {"tensor": "NoSuchTensor"} ] } ] } */'
    cat kernel.ptx
} > unknown_tensor.ptx
expect 1 ptxwb eval unknown_tensor.ptx --task gemm_n7168_k5120 --on none
told NoSuchTensor
{
    printf '%s\n' '/* @launch { "launches": [ { "kernel": "k", "grid": ["M / (N - N)",1,1], "block": [32,1,1],' \
        '  "args": [ {"tensor": "C"} ] } ] } */'
    cat kernel.ptx
} > division.ptx
expect 1 ptxwb eval division.ptx --task gemm_n7168_k5120 --on none
told zero
