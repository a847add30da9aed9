#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Command tests as data.  Every folder of cases/ is one:
#
#   cmd      a line of shell; `weft` is the program, files/ the current folder (a copy)
#   stdout   exactly what it writes (no file: nothing); the seconds of JSON count as 0
#   stderr   extended regular expressions, each found in some line (no file: nothing is written)
#   status   the exit status (no file: 0)
#
#   run_cases.sh [--accept] [NAME...]     --accept writes stdout and status as they are now: read the diff
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
weft=$(realpath "${WEFT_BIN:?the path of the program}") || exit 1
accept=no
if [ "${1:-}" = --accept ]; then
    accept=yes
    shift
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$weft" "$work/bin/weft"
export PATH="$work/bin:$PATH" LC_ALL=C OPENBLAS_NUM_THREADS=1
unset COLUMNS ARGP_HELP_FMT

normalise() {
    sed -E 's/"seconds": [0-9.e+-]+/"seconds": 0/' "$1"
}

run_case() {
    rm -rf "$work/files"
    cp -r "$here/files" "$work/files"
    (cd "$work/files" && timeout 60 bash "$1/cmd") >"$work/stdout" 2>"$work/stderr" </dev/null
    status=$?
    normalise "$work/stdout" >"$work/normal"
}

# What is wrong with the case in folder $1, one complaint a line.
complaints() {
    local expected=0 pattern
    [ -f "$1/status" ] && expected=$(cat "$1/status")
    [ "$status" = "$expected" ] || echo "status $status, expected $expected"
    diff <(cat "$1/stdout" 2>/dev/null) "$work/normal" >"$work/diff" || { echo "stdout differs:"; cat "$work/diff"; }
    if [ ! -f "$1/stderr" ]; then
        [ -s "$work/stderr" ] && echo "nothing was expected on stderr"
    else
        while IFS= read -r pattern; do
            grep -Eq -- "$pattern" "$work/stderr" || echo "stderr lacks: $pattern"
        done <"$1/stderr"
    fi
}

write_expected() {
    rm -f "$1/stdout" "$1/status"
    [ ! -s "$work/normal" ] || cp "$work/normal" "$1/stdout"
    [ "$status" = 0 ] || echo "$status" >"$1/status"
}

# The runner itself: a case that must fail does.
mkdir "$work/planted"
echo 'echo a; echo b >&2; exit 3' >"$work/planted/cmd"
run_case "$work/planted"
if [ "$(complaints "$work/planted" | grep -c 'status 3\|stdout differs\|nothing was expected')" != 3 ]; then
    echo "the runner does not notice a wrong case"
    exit 1
fi

names=("$@")
[ $# -gt 0 ] || mapfile -t names < <(ls "$here/cases")

# Every second case from number $1 on, in a place of its own; the number that failed goes to the file `failed` there.
run_half() {
    local failed=0 k name folder found
    mkdir "$work/$1"
    work=$work/$1
    for ((k = $1; k < ${#names[@]}; k += 2)); do
        name=${names[k]}
        folder=$here/cases/$name
        run_case "$folder"
        [ $accept = no ] || write_expected "$folder"
        found=$(complaints "$folder")
        if [ -n "$found" ]; then
            failed=$((failed + 1))
            printf 'FAILED %s\n%s\n--- stderr was\n%s\n' "$name" "$found" "$(head -20 "$work/stderr")"
        fi
    done
    echo $failed >"$work/failed"
}

# Two at a time: most of a case is waiting for programs to start.
(trap - EXIT; run_half 0) >"$work/told0" &
(trap - EXIT; run_half 1) >"$work/told1"
wait
cat "$work/told0" "$work/told1"
[ -s "$work/0/failed" ] && [ -s "$work/1/failed" ] || { echo "not every case was run"; exit 1; }
failed=$(($(cat "$work/0/failed") + $(cat "$work/1/failed")))
echo "${#names[@]} cases, $failed failed"
[ "$failed" = 0 ]
