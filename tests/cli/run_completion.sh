#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The completion for bash, asked as bash asks it: the line up to the cursor, and
# the replies, sorted, in one line.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
weft=$(realpath "${WEFT_BIN:?the path of the program}") || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/files" "$work/files/folder"
ln -s "$weft" "$work/bin/weft"
PATH="$work/bin:$PATH"
touch "$work/files/party.txt" "$work/files/partial.txt" "$work/files/votes.csv"
cd "$work/files" || exit 1
# shellcheck source=/dev/null
source "$here/../../completions/weft.bash" || exit 1
how=$(complete -p weft | sed -E 's/.*-F ([^ ]+) .*/\1/') || exit 1

# replies LINE
replies() {
    local COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=()
    "$how" weft
    [ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort | paste -sd ' '
}

failed=0 asked=0
# expect LINE REPLIES: exactly these; has LINE REPLY...: at least these, lacks: none of them.
expect() {
    asked=$((asked + 1))
    local found
    found=$(replies "$1")
    [ "$found" = "$2" ] || { echo "'$1': found '$found', expected '$2'"; failed=$((failed + 1)); }
}
has() {
    local line=$1 found reply
    asked=$((asked + 1))
    found=" $(replies "$line") "
    for reply in "${@:2}"; do
        case $found in *" $reply "*) ;; *) echo "'$line': found '$found', which lacks '$reply'"; failed=$((failed + 1)) ;; esac
    done
}
lacks() {
    asked=$((asked + 1))
    case " $(replies "$1") " in *" $2 "*) echo "'$1': '$2' does not belong there"; failed=$((failed + 1)) ;; esac
}

# The test itself: a wrong expectation is noticed.
expect 'weft ru' walk >/dev/null
has 'weft ' walk >/dev/null
lacks 'weft ' run >/dev/null
if [ $failed != 3 ]; then
    echo "the test does not notice a wrong reply"
    exit 1
fi
failed=0 asked=0

for command in $("$weft" --help | sed -nE 's/^  weft ([a-z]+) .*/\1/p'); do
    has 'weft ' "$command"
    usage=" $("$weft" "$command" --usage | tr '\n[]=' '    ') "
    for option in $("$weft" "$command" --help | grep -oE -- '(^| )--[a-z][a-z-]*' | grep -v -- '--help-' | sort -u); do
        case $usage in
        *" $option "*) has "weft $command $option" "$option" ;;
        esac
    done
done
has 'weft ' run --help --version
expect 'weft ru' run
expect 'weft run --truth' '--truth-columns --truth-rows'
expect 'weft run votes.csv --truth-r' --truth-rows
lacks 'weft run --' votes.csv
expect 'weft run v' votes.csv
expect 'weft run pa' 'partial.txt party.txt'
expect 'weft run fo' folder/
expect 'weft run --rows ' 'classes: features: graph: kernel: matrix: none table:'
expect 'weft run --rows c' classes:
expect 'weft run --rows=c' classes:
expect 'weft run --rows classes:par' 'partial.txt party.txt'
expect 'weft run --rows=classes:part' 'partial.txt party.txt'
expect 'weft run --rows classes:party.txt,e' party.txt,epsilon=
expect 'weft run --rows graph:party.txt,missing=' 'alone error join'
expect 'weft run --rows classes:party.txt,missing=' 'alone error'
expect 'weft run --rows features:party.txt,kernel=g' gaussian
expect 'weft run --rows none,map=' hash:
expect 'weft run --rows graph:party.txt,map=' eigen:
expect 'weft run --rows features:party.txt,map=' 'eigen: fourier: hash:'
expect 'weft run --rows none,n' none,names=
expect 'weft run --rows none,map=hash:64,names=h' hashed
expect 'weft run --engine ' 'compact krylov reference'
expect 'weft run --rows kernel:party.txt,repair=' 'clip error shift'
expect 'weft run --form ' 'balanced paper'
expect 'weft run --form=b' balanced
expect 'weft graph --metric ' 'cosine euclidean'
expect 'weft graph --out p' 'partial.txt party.txt'
expect 'weft run --updates ' 'margin mistakes'
expect 'weft run --seed ' ''
expect 'weft run --predictions ' 'folder/ partial.txt party.txt votes.csv'
expect 'weft run --quiet vo' votes.csv
expect 'weft top m --exclude v' votes.csv
expect 'weft top m --candidates pa' 'partial.txt party.txt'
expect 'weft top m --row ' ''
expect 'weft explain m a x --by ' 'all column pair row'
expect 'weft explain m a x --picture v' votes.csv
expect 'weft generate ' 'adversary biclustered boxes community context drift growing positives'
expect 'weft generate b' 'biclustered boxes'
expect 'weft generate boxes --out fo' folder/
expect 'weft generate drift --protocol ' 'authors text'
expect 'weft bound --rows g' graph:
expect 'weft bound --truth-rows pa' 'partial.txt party.txt'
expect 'weft nonsense --' ''

# The completion lists what a SPEC takes: that is what the program takes, which names the words of an option where it
# finds another.  map= depends on the kernel too, ids= is a file: those are asked for above.
said() { "$weft" check votes.csv --rows "$1" --columns none 2>&1; }
sorted() { tr ' ' '\n' | grep . | LC_ALL=C sort | paste -sd ' '; }
for kind in none classes graph kernel matrix features table; do
    spec=$kind taken='' before=$kind
    [ $kind = none ] || spec=$kind:party.txt before=party.txt
    for option in $("$weft" run --help | grep -oE ',[a-z]+=' | tr -d ',=' | sort -u); do
        told=$(said "$spec,$option=zz")
        case $told in *"not an option of"*) continue ;; esac
        taken="$taken $before,$option="
        words=''
        for word in $(sed -nE "s/.*found 'zz', expected (([a-z]+(, | or ))+[a-z]+)\$/\1/p" <<<"$told" | sed -E 's/, | or / /g'); do
            case $(said "$spec,$option=$word") in *"$option=$word: found"*) ;; *) words="$words $word" ;; esac
        done
        [ $option = map ] || [ $option = ids ] || [ $option = id ] || expect "weft run --rows $spec,$option=" "$(sorted <<<"$words")"
    done
    expect "weft run --rows $spec," "$(sorted <<<"$taken")"
done
echo "$asked lines asked, $failed failed"
[ $failed = 0 ]
