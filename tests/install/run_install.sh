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

for header in weft.h weft_advanced.h weft_files.h weft_theory.h; do
    [ -f "$prefix/include/$header" ] || fail "$header is not installed"
done
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
nm -D --defined-only "$shared" | awk '$2 != "A" { print $NF }' | sort >"$work/versioned"
if grep -v "@@WEFT_${version%.*}\$" "$work/versioned"; then
    fail "these names are exported without the version WEFT_${version%.*}"
fi
sed 's/@@.*//' "$work/versioned" >"$work/exported"
if grep -vE '^weft_[a-z]' "$work/exported"; then
    fail "the shared library exports these"
fi
# Every function that the headers declare is there, with the version, and no other.
cat "$prefix"/include/weft*.h | tr '\n' ' ' | grep -oE 'WEFT_API [^;()]*\(' | grep -oE 'weft_[a-z_]+\($' |
    tr -d '(' | sort -u >"$work/declared"
[ "$(wc -l <"$work/declared")" -gt 10 ] || fail "the declarations were not read"
diff "$work/declared" "$work/exported" || fail "declared (<) and exported (>) functions differ"

echo "the header is C++ too"
if command -v clang >/dev/null; then
    for header in weft.h weft_advanced.h weft_files.h weft_theory.h; do
        clang -x c++ -fsyntax-only -Wall -Wextra -Werror "$prefix/include/$header"
    done
    clang -x c++ -std=c++17 -fsyntax-only -Wall -Wextra -Werror -I"$prefix/include" "$source_dir/examples/first.c"
fi
echo "$(wc -l <"$work/exported") functions exported"
