#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Input that never ends or never comes, output that nobody takes, and what a killed process left.
source "$(dirname "$0")/expect.sh"

# interrupted STATUS ptxwb ARGUMENT...      one Ctrl+C after it has begun to wait; ends at once, with nothing left
interrupted() {
    local wanted=$1 status=0 pid i
    shift 2
    printf '$ ptxwb %s     ^C\n' "$*"
    "$PTXWB_PROGRAM" "$@" <&0 > "$scratch/out" 2> "$scratch/err" &
    pid=$!
    sleep 0.5
    kill -INT "$pid" 2> /dev/null || fail "it ended before the Ctrl+C"
    for ((i = 0; i < 20; i++)); do
        kill -0 "$pid" 2> /dev/null || break
        sleep 0.1
    done
    kill -KILL "$pid" 2> /dev/null && fail "it goes on after Ctrl+C"
    wait "$pid" || status=$?
    [ "$status" = "$wanted" ] || fail "exit status $status, not $wanted"
    if [ -n "$(find "$TMPDIR" -mindepth 1 -print -quit)" ]; then fail "left something in the temporary directory"; fi
}

mkfifo pipe
task=(--task gemm_n7168_k5120 --on none)
interrupted 130 ptxwb compile pipe
said stopped
interrupted 130 ptxwb compile pipe --json
document ptxwb.error.v1
wants cancelled error code
interrupted 130 ptxwb matrix pipe
interrupted 130 ptxwb ptx pipe
interrupted 130 ptxwb sass pipe
interrupted 130 ptxwb diff pipe pipe
interrupted 130 ptxwb eval pipe "${task[@]}"
mkfifo silent
exec 7<> silent
interrupted 130 ptxwb compile - < silent
exec 7>&-

# No limit on memory is needed to see that it stops: it would be killed for memory or time.
limit=(bash -c 'ulimit -v 2000000; exec "$@"' bash)
for command in compile matrix ptx sass; do
    expect 2 ptxwb "$command" /dev/zero
    said '64 MiB'
    expect 2 ptxwb "$command" - < /dev/zero
    said '<stdin>'
done
expect 2 ptxwb eval /dev/zero "${task[@]}" --json
document ptxwb.error.v1
limit=()

# An answer that was not taken is no answer.
limit=(bash -c 'exec "$@" > /dev/full' bash)
for words in tasks --help --version 'tasks --json' 'tasks no_such_task --json' doctor; do
    # shellcheck disable=SC2086 # several words
    expect 3 ptxwb $words
    said 'No space left'
done
limit=(bash -c 'exec "$@" >&-' bash)
for words in tasks --help --version doctor; do
    # shellcheck disable=SC2086
    expect 2 ptxwb $words
    said closed
done
limit=(bash -c 'exec "$@" 2>&-' bash)
expect 0 ptxwb tasks
expect 2 ptxwb tasks no_such_task

# A directory of a process that is gone goes; one of a process that lives stays, and so does anything else.
mkdir -m 700 "$TMPDIR/ptxwb-ptx-pid4999999-Ab12Cd" "$TMPDIR/ptxwb-ptx-pid4999999-Ab12Ce"
touch -d '1 hour ago' "$TMPDIR/ptxwb-ptx-pid4999999-Ab12Cd"
"$PTXWB_PROGRAM" tasks > "$scratch/out" 2> "$scratch/err"
[ ! -e "$TMPDIR/ptxwb-ptx-pid4999999-Ab12Cd" ] || fail "a stale directory is still there"
[ -e "$TMPDIR/ptxwb-ptx-pid4999999-Ab12Ce" ] || fail "a fresh directory is gone"
rmdir "$TMPDIR/ptxwb-ptx-pid4999999-Ab12Ce"
