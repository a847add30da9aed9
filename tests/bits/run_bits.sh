#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The same bits from gcc and clang, -O2 and -O3, every vector width and the clones:
# compiles what both engines and committees are made of in each way, plays tests/bits/play.c
# with it, and demands one and the same output.  A build that fuses multiplications
# and additions, which the project forbids, must give another: the check can fail.
set -euo pipefail

cd "${WEFT_SOURCE_DIR:-$(dirname "$0")/../..}"
for compiler in gcc clang; do
    command -v "$compiler" >/dev/null || { echo "skipped: there is no $compiler"; exit 77; }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Where the build found the headers of other libraries.
headers=$(grep -ohE -- '-isystem [^ "]+' "${WEFT_BUILD_DIR:-build/release}/compile_commands.json" | sort -u | tr '\n' ' ')
sources=$(ls src/{base,side,evidence,spectral,learner,rival,committee}/*.c)
# Whatever the environment says must not change what is compiled or run.
unset CFLAGS CPPFLAGS LDFLAGS ASAN_OPTIONS
export OPENBLAS_NUM_THREADS=1

has() {
    [ "$(uname -m)" = x86_64 ] && grep -qw "$1" /proc/cpuinfo
}

# NAME COMPILER FLAG...
builds() {
    local compiler
    for compiler in gcc clang; do
        echo "$compiler-O3 $compiler -O3 -DWEFT_CLONES=0"
        echo "$compiler-clones $compiler -O2 -DWEFT_CLONES=1"
    done
    # One width a compiler: the clones have them all.
    if has avx512f; then
        echo "gcc-avx512 gcc -O3 -DWEFT_CLONES=0 -mavx512f -mfma"
    fi
    if has avx2 && has fma; then
        echo "clang-avx2 clang -O3 -DWEFT_CLONES=0 -mavx2 -mfma"
        # Later flags win.
        echo "fused gcc -O3 -DWEFT_CLONES=0 -mavx2 -mfma -ffp-contract=fast"
    fi
}

# One compilation a line: OBJECT COMPILER SOURCE FLAG...
compilations() {
    local name compiler flags source
    while read -r name compiler flags; do
        mkdir -p "$work/$name"
        for source in $sources tests/bits/play.c; do
            echo "$work/$name/$(echo "$source" | tr / -).o $compiler $source $flags"
        done
    done < <(builds)
}

compile() {
    local object=$1 compiler=$2 source=$3
    shift 3
    # shellcheck disable=SC2086
    "$compiler" -std=c11 -c -o "$object" "$source" -Iinclude -Isrc -Itests $headers -ffp-contract=off \
        -fno-math-errno -w "$@"
}
export -f compile
export headers

compilations | nice xargs -P 2 -L 1 bash -c 'compile "$@"' compile

reference="" failures=0 count=0
while read -r name compiler flags; do
    "$compiler" -o "$work/$name/play" "$work/$name"/*.o -lcholmod -larpack -llapacke -lopenblas -lpthread -lm
    "$work/$name/play" >"$work/$name.txt"
    [ -s "$work/$name.txt" ]
    echo "$(sha256sum <"$work/$name.txt" | cut -c 1-16) $name: $compiler $flags"
    if [ "$name" = fused ]; then
        if cmp -s "$work/$reference.txt" "$work/fused.txt"; then
            echo "FAILED: fused operations went unnoticed"
            failures=$((failures + 1))
        fi
        continue
    fi
    reference=${reference:-$name} count=$((count + 1))
    if ! cmp -s "$work/$reference.txt" "$work/$name.txt"; then
        echo "FAILED: $name differs from $reference"
        diff "$work/$reference.txt" "$work/$name.txt" | head -n 6 || true
        failures=$((failures + 1))
    fi
done < <(builds)

for width in avx2 avx512f; do
    has "$width" || echo "not compared: this processor has no $width"
done
echo "$count builds, $failures failures; $(wc -l <"$work/$reference.txt") runs each"
[ "$failures" -eq 0 ]
