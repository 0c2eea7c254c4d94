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

# The encoding comes before the plan that cannot be read because of it.
for name in wide.ptx noise.ptx empty.ptx; do
    expect 1 ptxwb eval $name --task gemm_n7168_k5120 --on none --json
    document ptxwb.eval.v1
    wants extraction_error verdict
    [ -n "$(field diagnostics 0 message)" ] || fail "no diagnostic"
done
expect 1 ptxwb eval wide.ptx --task gemm_n7168_k5120 --on none
told UTF-16

# A plan that does not fit the kernel.
sed 's/{"tensor": "C"}, {"i32": "M"}/{"tensor": "C"}/' "$good" > few.ptx
expect 1 ptxwb eval few.ptx --task gemm_n7168_k5120 --on none --json
wants launch_error verdict
wants error diagnostics 0 severity
told 'takes 4 parameters'
sed 's/{"i32": "M"}/{"i64": "M"}/' "$good" > wide_argument.ptx
for place in none emulator; do
    expect 1 ptxwb eval wide_argument.ptx --task gemm_n7168_k5120 --on $place
    told "kernel 'gemm_plain' takes"
    told 'an i64 (8 bytes)'
done
sed 's/"kernel": "gemm_plain"/"kernel": "other"/' "$good" > other.ptx
expect 1 ptxwb eval other.ptx --task gemm_n7168_k5120 --on none --json
wants launch_error verdict
told 'gemm_plain'
[ -n "$(field diagnostics 0 line)" ] || fail "no line"

# More messages than anybody reads.
{
    printf '.version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k() {\n'
    seq 20000 | sed 's,.*,  frobnicate.u32 %r1; // &,'
    printf '}\n'
} > many.ptx
expect 1 ptxwb compile many.ptx --json
document ptxwb.compile.v1
[ "$(field diagnostics_left_out)" -gt 1000 ] || fail "not said how many were left out"
[ "$(wc -l < "$scratch/out")" -lt 60000 ] || fail "too long a document"
expect 1 ptxwb compile many.ptx
told 'were left out'
