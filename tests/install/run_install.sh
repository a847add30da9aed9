#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs the build into an empty prefix, moves it, and builds and runs a
# consumer of it with pkg-config and with CMake, shared and static; then looks at
# what the shared library exports.
set -euo pipefail
source_dir=${WEFT_SOURCE_DIR:?} build=${WEFT_BUILD_DIR:?}

if grep -qE '^WEFT_(SANITIZE:STRING=.+|COVERAGE:BOOL=ON)$' "$build/CMakeCache.txt"; then
    echo "an instrumented build is not for installing"
    exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/first" >"$work/log" || { cat "$work/log"; exit 1; }
# Nothing in the package may remember where it was installed.
mv "$work/first" "$work/prefix"
prefix=$work/prefix
compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")

fail() {
    echo "FAILED: $*"
    exit 1
}

# links_shared PROGRAM: is it linked to the installed shared library?
links_shared() {
    [[ $(ldd "$1") == *"=> $prefix/"*libweft.so* ]]
}

pc=$(find "$prefix" -name weft.pc)
[ -n "$pc" ] || fail "weft.pc is not installed"
library_dir=$(dirname "$(dirname "$pc")")
export PKG_CONFIG_PATH=$library_dir/pkgconfig
version=$(pkg-config --modversion weft)
flags="-std=c11 -Wall -Wextra -Werror -DEXPECTED_VERSION=\"$version\""

[ -f "$prefix/include/weft.h" ] || fail "weft.h is not installed"
[ -n "$(find "$prefix" -name LICENSE)" ] || fail "LICENSE is not installed"
if grep -rIlE "$build|$source_dir|$work/first" "$prefix"; then
    fail "these files name a place of the build"
fi

echo "pkg-config, shared"
$compiler $flags $(pkg-config --cflags weft) "$source_dir/tests/install/consumer.c" \
    -o "$work/pc-shared" $(pkg-config --libs weft) -Wl,-rpath,"$library_dir"
links_shared "$work/pc-shared" || fail "not linked to the shared library"
"$work/pc-shared"

echo "pkg-config, static"
static_libs=$(pkg-config --static --libs weft | sed 's/-lweft\b/-l:libweft.a/')
$compiler $flags $(pkg-config --cflags weft) "$source_dir/tests/install/consumer.c" \
    -o "$work/pc-static" $static_libs
! links_shared "$work/pc-static" || fail "not linked to the static library"
"$work/pc-static"

echo "find_package, shared and static"
cmake -S "$source_dir/tests/install" -B "$work/cmake" -G Ninja -DCMAKE_C_COMPILER="$compiler" \
    -DCMAKE_PREFIX_PATH="$prefix" >"$work/log" || { cat "$work/log"; exit 1; }
cmake --build "$work/cmake" >"$work/log" || { cat "$work/log"; exit 1; }
links_shared "$work/cmake/consumer-weft" || fail "weft::weft is not the shared library"
! links_shared "$work/cmake/consumer-static" || fail "weft::static is not the static library"
"$work/cmake/consumer-weft"
"$work/cmake/consumer-static"

if [ -x "$prefix/bin/weft" ]; then
    echo "the installed command"
    "$prefix/bin/weft" --help >/dev/null || fail "weft --help"
    for name in weft $("$prefix/bin/weft" --help | sed -nE 's/^  weft ([a-z]+) .*/weft-\1/p'); do
        [ -n "$(find "$prefix" -path "*/man1/$name.1")" ] || fail "$name.1 is not installed"
    done
    [ -n "$(find "$prefix" -path '*/bash-completion/completions/weft')" ] || fail "no completion is installed"
fi

echo "exported symbols"
shared=$(readlink -f "$library_dir/libweft.so")
[[ $(readelf -d "$shared") == *"SONAME"*"[libweft.so.${version%.*}]"* ]] || fail "SONAME is not libweft.so.${version%.*}"
nm -D --defined-only "$shared" | awk '{ print $NF }' | sort >"$work/exported"
if grep -vE '^weft_[a-z]' "$work/exported"; then
    fail "the shared library exports these"
fi
# Every function that the header declares is there, and no other.
tr '\n' ' ' <"$prefix/include/weft.h" | grep -oE 'WEFT_API [^;()]*\(' | grep -oE 'weft_[a-z_]+\($' |
    tr -d '(' | sort -u >"$work/declared"
[ "$(wc -l <"$work/declared")" -gt 10 ] || fail "the declarations were not read"
diff "$work/declared" "$work/exported" || fail "declared (<) and exported (>) functions differ"

echo "the header is C++ too"
if command -v clang >/dev/null; then
    clang -x c++ -fsyntax-only -Wall -Wextra -Werror "$prefix/include/weft.h"
fi
echo "$(wc -l <"$work/exported") functions exported"
