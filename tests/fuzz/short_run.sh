#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A short run of the libFuzzer program $fuzz from copies of the seeds: short_run.sh SECONDS SEED...
set -eu
seconds=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/corpus"
for seed in "$@"; do
    cp -r "$seed" "$work/corpus/"
done
"$fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
    -artifact_prefix="$work/found-" "$work/corpus" || {
    status=$?
    for found in "$work"/found-*; do
        echo "input that failed, in base64:"
        base64 "$found"
    done
    exit "$status"
}
