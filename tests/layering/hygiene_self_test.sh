#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# hygiene_self_test.sh SCRATCH
# Plants one fault at a time and wants check_hygiene.sh to name it.
set -euo pipefail

checker=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/check_hygiene.sh
scratch=$1
licence='// SPDX-License-Identifier: Apache-2.0'

fresh() {
    rm -rf "$scratch"
    mkdir -p "$scratch/core/a"
    # Files of an enclosing repository's ignored build folder are not listed by git, so be one's own.
    git init -q "$scratch" 2> /dev/null || true
    printf '%s\n#pragma once\n' "$licence" > "$scratch/core/a/clean.h"
}

wants() {
    local output
    if output=$(bash "$checker" "$scratch" 2>&1); then
        printf 'not seen: %s\n%s\n' "$1" "$output"
        exit 1
    fi
    case $output in
        *"$1"*", 1 problems") ;;
        *)
            printf 'wanted only: %s\n%s\n' "$1" "$output"
            exit 1
            ;;
    esac
}

fresh
bash "$checker" "$scratch"
{ printf '%s\n' "$licence" && seq 500 | sed 's|^|// |'; } > "$scratch/core/a/long.cpp"
wants 'core/a/long.cpp: 501 lines'
fresh
echo 'int x;' > "$scratch/core/a/bare.cpp"
wants 'core/a/bare.cpp: no SPDX'
fresh
printf '%s\nint x;\n' "$licence" > "$scratch/core/a/unguarded.h"
wants 'core/a/unguarded.h: no #pragma once'
fresh
printf '{"path": "%s"}\n' /home/jane/kernel.ptx > "$scratch/run.json"
wants 'run.json:1:'
fresh
printf '{"path": "%s/kernel.ptx"}\n' "$scratch" > "$scratch/run.json"
wants 'run.json:1:'
rm -rf "$scratch"
echo "every planted fault was seen"
