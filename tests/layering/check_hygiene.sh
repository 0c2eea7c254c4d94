#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check_hygiene.sh TREE
# One idea per file (500 lines at most), a licence line and an include guard in each source, and no path of the machine
# that built or recorded something.
set -euo pipefail

tree=$(cd "$1" && pwd)
cd "$tree"
longest=500
problems=0
complain() {
    printf '%s\n' "$*"
    problems=$((problems + 1))
}

list_files() {
    git ls-files -z --cached --others --exclude-standard 2> /dev/null \
        || find . -path ./build -prune -o -path ./.git -prune -o -path ./.deps -prune -o -type f -printf '%P\0'
}
mapfile -d '' all < <(list_files | sort -z)

sources=()
texts=()
for file in "${all[@]}"; do
    if [ ! -f "$file" ]; then continue; fi
    case $file in
        tests/data/*) texts+=("$file") ;;
        *.h | *.cpp | *.cu | *.cuh) sources+=("$file") texts+=("$file") ;;
        *) texts+=("$file") ;;
    esac
done
if [ "${#sources[@]}" -eq 0 ]; then
    echo "no source below $tree"
    exit 1
fi

# One pass over all sources: lines, licence in the first three, guard in headers.
while IFS= read -r problem; do
    complain "$problem"
done < <(awk -v longest="$longest" '
    function close_file() {
        if (name == "") return
        if (lines > longest) print name ": " lines " lines; " longest " is the most, so split it"
        if (!licensed) print name ": no SPDX-License-Identifier: Apache-2.0 in its first lines"
        if (name ~ /\.(h|cuh)$/ && !guarded) print name ": no #pragma once"
    }
    FNR == 1 { close_file(); name = FILENAME; licensed = guarded = 0 }
    FNR <= 3 && /SPDX-License-Identifier: Apache-2\.0/ { licensed = 1 }
    /^#pragma once/ { guarded = 1 }
    { lines = FNR }
    END { close_file() }' "${sources[@]}")

# The tree's own place, this user's home, and anybody's home but an invented one.
invented='/home/(someone|somebody|user|u)/'
places=("$tree/" '/root/' '/home/[A-Za-z0-9_.-]+/' '/Users/[A-Za-z0-9_.-]+/')
if [ "${HOME:-/}" != / ]; then places+=("$HOME/"); fi
pattern=$(IFS='|' && printf '%s' "${places[*]}")
while IFS= read -r hit; do
    complain "$hit"
done < <(printf '%s\0' "${texts[@]}" | grep -zv '^tests/layering/' \
    | xargs -0 grep -IHnoE -- "(^|[^A-Za-z0-9_.~])($pattern)" 2> /dev/null | grep -vE "$invented" | sed 's/$/   <- a path of one machine/')

printf '%d sources and %d files looked at, %d problems\n' "${#sources[@]}" "${#texts[@]}" "$problems"
[ "$problems" -eq 0 ]
