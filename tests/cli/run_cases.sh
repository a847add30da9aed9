#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Command tests as data.  Every folder of cases/ is one:
#
#   cmd      a line of shell; `weft` is the program, files/ the current folder (a copy)
#   stdout   exactly what it writes (no file: nothing); the seconds of JSON count as 0
#   stderr   extended regular expressions, each found in some line (no file: nothing is written)
#   status   the exit status (no file: 0)
#   once     why the case is left out where WEFT_ONCE is `no`: in builds that check every access
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
export PATH="$work/bin:$PATH" LC_ALL=C
unset COLUMNS ARGP_HELP_FMT

# What is copied for the cases is old, so that what one of them has changed is not.
cp -r "$here/files" "$work/pristine"
find "$work/pristine" -exec touch -d 2000-01-01 {} +
touch -d 2001-01-01 "$work/since"
pristine=$work/pristine since=$work/since

# Whether files/ is not as it was copied.
touched() {
    local file
    [ -d "$work/files" ] || return 0
    for file in "$work/files" "$work/files"/*; do
        [ ! "$file" -nt "$since" ] || return 0
    done
    return 1
}

run_case() {
    if touched; then
        rm -rf "$work/files"
        cp -rp "$pristine" "$work/files"
    fi
    (cd "$work/files" && exec timeout 300 bash "$1/cmd") >"$work/stdout" 2>"$work/stderr" </dev/null
    status=$?
    : >"$work/normal"
    [ ! -s "$work/stdout" ] || sed -E 's/"seconds": [0-9.e+-]+/"seconds": 0/' "$work/stdout" >"$work/normal"
}

# Whether a line of stderr has what $1 describes.
told() {
    local line
    for line in "${lines[@]}"; do
        [[ $line =~ $1 ]] && return 0
    done
    return 1
}

# What is wrong with the case in folder $1, one complaint a line.  Most of a case is the time that programs
# take to start: one alone does where nothing is wrong.
complaints() {
    local expected=0 pattern lines
    [ ! -f "$1/status" ] || read -r expected <"$1/status"
    [ "$status" = "$expected" ] || echo "status $status, expected $expected"
    if [ -f "$1/stdout" ]; then
        cmp -s "$1/stdout" "$work/normal" || { echo "stdout differs:"; diff "$1/stdout" "$work/normal"; }
    elif [ -s "$work/normal" ]; then
        echo "stdout differs:"
        diff /dev/null "$work/normal"
    fi
    if [ ! -f "$1/stderr" ]; then
        [ -s "$work/stderr" ] && echo "nothing was expected on stderr"
    else
        mapfile -t lines <"$work/stderr"
        while IFS= read -r pattern; do
            told "$pattern" || echo "stderr lacks: $pattern"
        done <"$1/stderr"
    fi
    return 0
}

write_expected() {
    rm -f "$1/stdout" "$1/status"
    [ ! -s "$work/normal" ] || cp "$work/normal" "$1/stdout"
    [ "$status" = 0 ] || echo "$status" >"$1/status"
}

# The runner itself: a case that must fail does.
mkdir "$work/planted"
echo 'echo a; echo b >&2; : >new; exit 3' >"$work/planted/cmd"
run_case "$work/planted"
wrong=$(complaints "$work/planted" | grep -c 'status 3\|stdout differs\|nothing was expected')
touched && wrong=$wrong+new
echo c >"$work/planted/stdout"
echo '^c' >"$work/planted/stderr"
echo 'echo >>stream.csv; echo a; echo b >&2' >"$work/planted/cmd"
run_case "$work/planted"
wrong=$wrong+$(complaints "$work/planted" | grep -c 'stdout differs\|stderr lacks')
touched && wrong=$wrong+changed
echo true >"$work/planted/cmd"
run_case "$work/planted"
touched || wrong=$wrong+kept
if [ "$wrong" != 3+new+2+changed+kept ] || [ -e "$work/files/new" ] || ! cmp -s "$work/files/stream.csv" "$here/files/stream.csv"; then
    echo "the runner does not notice a wrong case, or what a case leaves behind: $wrong"
    exit 1
fi

names=("$@")
if [ $# = 0 ]; then
    for folder in "$here"/cases/*; do
        [ "${WEFT_ONCE:-yes}" = no ] && [ -f "$folder/once" ] || names+=("${folder##*/}")
    done
fi

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
        complaints "$folder" >"$work/found"
        if [ -s "$work/found" ]; then
            failed=$((failed + 1))
            printf 'FAILED %s\n%s\n--- stderr was\n%s\n' "$name" "$(cat "$work/found")" "$(head -20 "$work/stderr")"
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
