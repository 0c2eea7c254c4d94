#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `ptxwb triage` over answers, a run of the reference system, and what is neither.
source "$(dirname "$0")/expect.sh"
needs ptxas
needs nvcc

data=$tree/tests/data/records
expect 1 ptxwb triage "$data/folder" --jsonl rows.jsonl
printed "Instruction 'wgmma.fence' not sup"
printed 'name not declared'
printed 'answer ends within its code'
printed '6 answers: 2 compile, 3 do not, 1 without code, 0 not compiled'
[ "$(wc -l < rows.jsonl)" = 6 ] || fail 'not 6 rows'

# Into a file with every word; on a terminal in a hundred columns.
printed "'wgmma.fence' not supported on .target 'sm_90'"
if command -v script > /dev/null; then
    script -qec "'$PTXWB_PROGRAM' triage '$data/folder'" /dev/null < /dev/null > terminal.txt || true
    grep -q '6 answers: 2 compile' terminal.txt || fail 'nothing on the terminal'
    tr -d '\r' < terminal.txt | awk 'length($0) > 100 { long = 1 } END { exit long }' \
        || fail 'a line has more than 100 columns'
fi
# Only the rows that a word is about.
expect 1 ptxwb triage "$data/folder" --cause undeclared
printed 'name not declared'
said '1 of 6 answers are about'
expect 1 ptxwb triage "$data/folder" --cause compiles --json
wants 2 answers

# What is there is not done again; a torn line is.
cp rows.jsonl whole.jsonl
expect 1 ptxwb triage "$data/folder" --jsonl rows.jsonl --json
document ptxwb.triage.v1
wants 6 answers
cmp -s rows.jsonl whole.jsonl || fail 'rows were written again'
head -c -20 whole.jsonl > rows.jsonl
expect 1 ptxwb triage "$data/folder" --jsonl rows.jsonl
said 'a torn last line was cut off'
[ "$(sort rows.jsonl)" = "$(sort whole.jsonl)" ] || fail 'the torn row did not come back'

expect 0 ptxwb triage "$data/folder/good.ptx" --json
wants compiles rows 0 result
wants as_is rows 0 rule

# Turns, what the file says, the kernel of a lost trajectory.
expect 1 ptxwb triage "$data/run" --json
wants 4 answers
wants 1 passed_over copies
wants tiny-1b rows 1 model
wants copy_f32_from_plan rows 1 task
wants 'Compilation error' rows 1 said_by_file paper_class
wants undeclared_name rows 1 cause class
wants 0.75 rows 2 said_by_file min_speedup
wants exp_001/kernel.cu rows 3 path

# Bad lines are said, the rest goes on.
expect 1 ptxwb triage "$data/answers.jsonl"
printed 'this is not JSON'
printed 'no answer is in this line'
printed '4 answers: 1 compile, 0 do not, 1 without code, 2 not compiled'

# Links that lead round and nowhere.
mkdir -p links/deep
ln -s .. links/deep/up
ln -s self.md links/self.md
cp "$data/folder/good.ptx" links/deep
expect 1 ptxwb triage links
printed '1 links to folders'
printed 'deep/good.ptx'

# Nothing to do, and wrong usage.
mkdir empty
expect 2 ptxwb triage empty
said 'it is empty'
touch empty/notes.py
expect 2 ptxwb triage empty --json
document ptxwb.error.v1
expect 2 ptxwb triage absent
expect 2 ptxwb triage
expect 2 ptxwb triage links --jobs 0
expect 2 ptxwb triage links --target sm_1
printf 'my notes\n' > notes.txt
expect 2 ptxwb triage links --jsonl notes.txt
said 'it stays as it is'
[ "$(cat notes.txt)" = 'my notes' ] || fail 'the notes were changed'
expect 2 ptxwb triage links --jsonl /dev/null

# An answer is a stranger's text: it cannot make the compiler print a file of ours.
if bwrap --unshare-all --ro-bind / / --proc /proc --dev /dev true 2> /dev/null; then
    mkdir stranger
    printf 'myOwnWord mine\n' > mine.txt
    printf '#include "%s/mine.txt"\n__global__ void k() {}\n' "$PWD" > stranger/nosy.cu
    expect 1 ptxwb compile stranger/nosy.cu
    printed 'myOwnWord'
    expect 1 ptxwb triage stranger --json
    wants ON sandboxed
    printed 'No such file'
    ! grep -q myOwnWord "$scratch/out" || fail 'a stranger read our file'
    mkdir neighbour
    printf '#define MINE 1\n' > neighbour/mine.h
    printf '#include "mine.h"\n__global__ void k(int* p) { *p = MINE; }\n' > neighbour/k.cu
    expect 1 ptxwb triage neighbour
    printed 'mine.h lies beside it, hidden by the sandbox'
    expect 0 ptxwb triage neighbour -- -I "$PWD/neighbour"
fi

# A pipe that nobody writes is passed over.
mkdir pipes
mkfifo pipes/never.ptx
cp "$data/folder/good.ptx" pipes
expect 0 ptxwb triage pipes --json
wants 1 answers
wants 1 passed_over other_files

# A tool that dies is not the answer's fault; what it read is kept, also from behind the walls.
if place=$(command -v ptxas || ls /usr/local/cuda*/bin/ptxas 2> /dev/null | head -n 1) && [ -n "$place" ]; then
    mkdir dying
    printf '#!/bin/sh\n[ "$1" = --version ] && exec "%s" --version\nkill -SEGV $$\n' "$place" > dying/ptxas
    chmod +x dying/ptxas
    PTXWB_PTXAS=$PWD/dying/ptxas expect 1 ptxwb triage "$data/folder/good.ptx"
    printed 'the tool crashed: ptxas'
    printed 'ended with signal 11'
    printed 'compiler crashed'
    printed "$scratch/cache/crashes/"
    PTXWB_PTXAS=$PWD/dying/ptxas expect 1 ptxwb triage "$data/folder/good.ptx" --json
    wants tool_crashed rows 0 cause class
fi
