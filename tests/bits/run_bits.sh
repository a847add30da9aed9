#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The same bits from gcc and clang, three optimisation levels, every vector width and the clones: plays tests/bits/play.c
# with the library of the build, with one made by clang, and with the files that have clones compiled in each way over
# these, and demands one and the same output.  A build that fuses multiplications and additions, which the project
# forbids, must give another: the check can fail.  The first build plays a second time with the C library told that the
# processor has no fused multiply-add, for which its exp, log, pow, sin and cos are others: a function of these that
# found its way into the arithmetic would show.
#
# WEFT_CLANG_LIBRARY  a libweft.a that clang made, in its build directory (none: it is compiled here)
# WEFT_BITS=all       every file is compiled in each way, though nobody compiles one without clones for a wider
#                     processor: what scripts/test --processors does
set -euo pipefail

cd "${WEFT_SOURCE_DIR:-$(dirname "$0")/../..}"
for compiler in gcc clang; do
    command -v "$compiler" >/dev/null || { echo "there is no $compiler"; exit 77; }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Where the build found the headers of other libraries.
headers=$(grep -ohE -- '-isystem [^ "]+' "${WEFT_BUILD_DIR:-build/release}/compile_commands.json" | sort -u | tr '\n' ' ')
sources=$(find src/{base,linalg,side,evidence,spectral,player,learner,rival,committee} -name '*.c' | sort)
# The library of this build, where nothing is counted or checked in it; then that of clang, where checks change no bit.
library=${WEFT_BUILD_DIR:-build/release}/libweft.a ours=no
if [ -f "$library" ] && ! grep -qE -- '-fsanitize|--coverage' "${library%/*}/compile_commands.json"; then
    ours=yes
fi
theirs=${WEFT_CLANG_LIBRARY:-} link_theirs=
if [ -n "$theirs" ] && grep -q -- '-fsanitize=' "${theirs%/*}/compile_commands.json"; then
    link_theirs=-fsanitize=undefined
fi
# Whatever the environment says must not change what is compiled or run.
unset CFLAGS CPPFLAGS LDFLAGS ASAN_OPTIONS

has() {
    [ "$(uname -m)" = x86_64 ] && grep -qw "$1" /proc/cpuinfo
}

# NAME BASE FILES COMPILER FLAG...: FILES of the library are compiled in this way (all; inner: those with clones; none),
# and what else is needed is that of the build BASE, or of the library of this build (ours) or of clang (theirs).
builds() {
    local gcc=gcc-O2 clang=clang-O3 wide=inner
    [ "${WEFT_BITS:-}" != all ] || wide=all
    # The library as it is used: -O3, with clones.
    [ "$ours" = no ] || echo "library ours none gcc -O2"
    if [ "$ours" = yes ] && [ $wide = inner ]; then
        gcc=ours
    else
        echo "gcc-O2 - all gcc -O2 -DWEFT_CLONES=0"
    fi
    if [ -n "$theirs" ] && [ $wide = inner ]; then
        clang=theirs
        echo "clang theirs none clang -O2"
    else
        echo "clang-O3 - all clang -O3 -DWEFT_CLONES=0"
    fi
    echo "gcc-O2-inner $gcc inner gcc -O2 -DWEFT_CLONES=0"
    echo "gcc-O3-inner $gcc inner gcc -O3 -DWEFT_CLONES=0"
    echo "clang-clones $clang inner clang -O3 -DWEFT_CLONES=1"
    # One width a compiler: the clones have them all.
    if has avx512f; then
        echo "gcc-avx512 $gcc $wide gcc -O3 -DWEFT_CLONES=0 -mavx512f -mfma"
    fi
    if has avx2 && has fma; then
        echo "clang-avx2 $clang $wide clang -O2 -DWEFT_CLONES=0 -mavx2 -mfma"
        # Later flags win.
        echo "fused $gcc inner gcc -O3 -DWEFT_CLONES=0 -mavx2 -mfma -ffp-contract=fast"
    fi
}

# One compilation a line: OBJECT COMPILER SOURCE FLAG...
compilations() {
    local name base files compiler flags source
    while read -r name base files compiler flags; do
        mkdir -p "$work/$name"
        case $files in
        all) files=$sources ;;
        inner) files=$(grep -l '^CLONED' $sources) ;;
        none) files= ;;
        esac
        for source in tests/bits/play.c $files; do
            echo "$work/$name/$(object_of "$source") $compiler $source $flags"
        done
    done < <(builds)
}

object_of() {
    local name=${1//\//-}
    echo "${name%.c}.o"
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

# The objects of build NAME, over those of BASE that it lacks.
objects() {
    local name=$1 base=$2 object
    ls "$work/$name"/*.o
    case $base in
    -) ;;
    ours) echo "$library" ;;
    theirs) echo "$theirs $link_theirs" ;;
    *)
        for object in "$work/$base"/*.o; do
            [ -f "$work/$name/${object##*/}" ] || echo "$object"
        done
        ;;
    esac
}

compilations | xargs -P 2 -L 1 bash -c 'compile "$@"' compile

reference="" failures=0 count=0
while read -r name base files compiler flags; do
    # shellcheck disable=SC2046
    "$compiler" -o "$work/$name/play" $(objects "$name" "$base") -lcholmod -llapacke -lopenblas -lz -lpthread -lm
    "$work/$name/play" >"$work/$name.txt"
    [ -s "$work/$name.txt" ]
    echo "$(sha256sum <"$work/$name.txt" | cut -c 1-16) $name: $files with $compiler $flags"
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

# compare_under WHAT VARIABLE=VALUE...: the first build once more, in another environment.
compare_under() {
    local what=$1
    shift
    env "$@" "$work/$reference/play" >"$work/other.txt"
    count=$((count + 1))
    if ! cmp -s "$work/$reference.txt" "$work/other.txt"; then
        echo "FAILED: $reference differs $what"
        diff "$work/$reference.txt" "$work/other.txt" | head -n 6 || true
        failures=$((failures + 1))
    fi
}

# A program that prints the bits of exp over arguments of which a dozen tell the two ways of the C library apart.
make_exp() {
    cat >"$work/exp.c" <<'END'
#include <math.h>
#include <stdio.h>
int main(void)
{
    for (int k = 0; k < 20000; k++)
        printf("%a\n", exp(0.0123457 * k - 100));
}
END
    gcc -fno-builtin -o "$work/exp" "$work/exp.c" -lm
}

without_fma=GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2
make_exp
if cmp -s <("$work/exp") <(env "$without_fma" "$work/exp"); then
    echo "not compared: this C library has one exp for this processor, whatever it is told"
else
    compare_under "where the C library does without fused multiply-add" "$without_fma"
fi

# No BLAS has a part in what is played: another kernel of it, or another number of threads, changes nothing.
compare_under "with another BLAS kernel and one thread" OPENBLAS_CORETYPE=Prescott OPENBLAS_NUM_THREADS=1

[ "$ours" = yes ] || echo "not compared: the library of this build, which counts or checks what it does"
for width in avx2 avx512f; do
    has "$width" || echo "not compared: this processor has no $width"
done
echo "$count builds and settings, $failures failures; $(wc -l <"$work/$reference.txt") runs each"
[ "$failures" -eq 0 ]
