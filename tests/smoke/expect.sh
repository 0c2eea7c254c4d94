# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the scripts beside it. Runs each command in a session, temporary directory and cache of its own, and after
# each wants: the exit status named, no file left in the temporary directory, no process left in the session.
set -euo pipefail

# shellcheck disable=SC2034 # the scripts use it
tree=$PTXWB_TREE
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
user_cache="${PTXWB_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/ptx-workbench}"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/ptxwb smoke.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/temporary" "$scratch/cache" "$scratch/data" "$scratch/files"
if [ -d "$user_cache/venv" ]; then ln -s "$user_cache/venv" "$scratch/cache/venv"; fi
export TMPDIR="$scratch/temporary" PTXWB_CACHE_DIR="$scratch/cache" PTXWB_DATA_DIR="$scratch/data"
cd "$scratch/files"

deadline=60 # seconds
limit=()    # words put before the program, for a test that limits it

fail() {
    printf '  FAILED: %s\n  --- stdout\n' "$*"
    head -c 2000 "$scratch/out"
    printf '\n  --- stderr\n'
    head -c 2000 "$scratch/err"
    printf '\n'
    exit 1
}

# Processes whose session is $1.
left_in_session() {
    local stat fields
    for stat in /proc/[0-9]*/stat; do
        fields=$(cat "$stat" 2> /dev/null) || continue
        fields=${fields##*) }
        # State, parent, group, session.
        # shellcheck disable=SC2086
        set -- "$1" $fields
        if [ "$5" = "$1" ] && [ "$2" != Z ]; then printf '%s\n' "${stat//[^0-9]/}"; fi
    done
}

# expect STATUS ptxwb ARGUMENT...      stdin comes from the caller
expect() {
    local wanted=$1 status=0 session
    shift 2
    printf '$ ptxwb %s\n' "$*"
    # shellcheck disable=SC2016 # the inner shell expands it
    setsid --wait bash -c 'echo $$ > "$0"; exec "$@"' "$scratch/session" \
        "${limit[@]}" timeout "$deadline" "$PTXWB_PROGRAM" "$@" > "$scratch/out" 2> "$scratch/err" || status=$?
    session=$(cat "$scratch/session")
    if [ "$status" = 124 ]; then fail "still running after $deadline s"; fi
    if [ "$status" != "$wanted" ]; then fail "exit status $status, not $wanted"; fi
    if [ -n "$(find "$TMPDIR" -mindepth 1 -print -quit)" ]; then
        fail "left behind in the temporary directory: $(find "$TMPDIR" -mindepth 1 | head -n 5)"
    fi
    if [ -n "$(left_in_session "$session")" ]; then fail "left a process running"; fi
}

# said TEXT      the last command's stderr has it
said() { grep -qiF -- "$1" "$scratch/err" || fail "stderr does not say: $1"; }
# told TEXT      stdout or stderr has it: diagnostics are an answer, a refusal is not
told() { grep -qiF -- "$1" "$scratch/out" "$scratch/err" || fail "nothing says: $1"; }
# printed TEXT   the last command's stdout has it
printed() { grep -qF -- "$1" "$scratch/out" || fail "stdout does not have: $1"; }
printed_nothing() { [ ! -s "$scratch/out" ] || fail "stdout is not empty"; }

# field KEY|INDEX...     prints a value of the last command's JSON document; booleans are ON and OFF
field() {
    local path
    path=$(IFS=';' && printf '%s' "$*")
    "$CMAKE" "-DFILE=$scratch/out" "-DKEYS=$path" -P "$here/json_field.cmake" 2>&1
}
# wants VALUE KEY|INDEX...
wants() {
    local wanted=$1 got
    shift
    got=$(field "$@") || fail "no $*: $got"
    [ "$got" = "$wanted" ] || fail "$* is '$got', not '$wanted'"
}
# document SCHEMA        stdout is one JSON document of this schema and nothing else
document() { wants "$1" schema; }

# A test that needs a program which this machine lacks is skipped, and says so.
needs() {
    local place
    if command -v "$1" > /dev/null; then return 0; fi
    for place in /usr/local/cuda*/bin/"$1" "$user_cache"/venv/lib/python3*/site-packages/nvidia/cu13/bin/"$1"; do
        if [ -x "$place" ]; then return 0; fi
    done
    printf 'skipped: no %s here\n' "$1"
    exit 77
}
