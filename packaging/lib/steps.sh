# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# A named step: what it does is printed first, its output is shown as it comes, and a failure says which step, why and
# what to do about it.

# The script that sources this sets root to the tree.
# shellcheck disable=SC2034,SC2154
cache_dir="${PTXWB_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/ptx-workbench}"
# shellcheck disable=SC2154
log_dir="$root/build/logs"

# A second clone of the same sources finds what the first one compiled.
export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$root}" CCACHE_NOHASHDIR=1

heading() { printf '\n==> %s\n' "$*"; }
note() { printf '    %s\n' "$*"; }

# stop STATUS WHAT WHY DO
stop() {
    printf '\n%s failed.\n' "$2" >&2
    printf '  why:        %s\n' "$3" >&2
    printf '  what to do: %s\n' "$4" >&2
    exit "$1"
}

# The lines of a log that most likely name the cause.
cause_in() {
    grep -m2 -A2 -E '^E: |^Could not fetch|: error: |: fatal error: |CMake Error|ERROR: |No space left|\*\*\*(Failed|Timeout|Exception)|ninja: ' "$1" \
        || tail -n 3 "$1"
}

# step NAME WHAT_TO_DO_IF_IT_FAILS COMMAND...
step() {
    local name=$1 advice=$2 status=0 log
    shift 2
    heading "$name"
    mkdir -p "$log_dir"
    log="$log_dir/$(printf '%s' "$name" | tr -cs 'A-Za-z0-9' '-').log"
    "$@" 2>&1 | tee "$log" || status=${PIPESTATUS[0]}
    if [ "$status" -ne 0 ]; then
        stop 1 "\"$name\" (status $status)" "$(cause_in "$log" | sed '2,$s/^/              /')" \
            "$advice Whole output: $log"
    fi
}

# As many compilers as there are cores, but no more than one for each GiB that is free.
build_jobs() {
    local cores free
    cores=$(nproc)
    free=$(awk '/MemAvailable/ { print int($2 / 1048576) }' /proc/meminfo)
    if [ "$free" -lt "$cores" ]; then cores=$free; fi
    if [ "$cores" -lt 1 ]; then cores=1; fi
    printf '%s\n' "$cores"
}
