#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# clang-tidy finds nothing in the library and the programs, no warning of clang either, and finds a bug and a
# conversion that are planted.  Takes the flags from the build directory's compile_commands.json.
set -euo pipefail
cd "${WEFT_SOURCE_DIR:-$(dirname "$0")/../..}"
build=${WEFT_BUILD_DIR:-build/release}
command -v clang-tidy >/dev/null || { echo "clang-tidy is not installed"; exit 77; }

planted=$(mktemp -d)
trap 'rm -rf "$planted"' EXIT
cp .clang-tidy "$planted"
cat >"$planted/planted.c" <<'C'
int *planted(int *x);
short converted(int x);
short converted(int x)
{
    return x;
}
int *planted(int *x)
{
    if (x == 0)
        *x = 1;
    return x;
}
C
if clang-tidy --quiet "$planted/planted.c" -- -std=c11 -Wconversion >"$planted/log" 2>&1; then
    echo "neither a null dereference nor a conversion was noticed"
    exit 1
fi
grep -q 'clang-analyzer-core.NullDereference' "$planted/log"
grep -q 'clang-diagnostic-implicit-int-conversion' "$planted/log"

# Without the two flags that clang does not know.
sed 's/ -fvect-cost-model=[a-z]*//; s/ -fpeel-loops//' "$build/compile_commands.json" >"$planted/compile_commands.json"

# As many at a time as there are cores; headers are checked with the files that
# include them.
status=0
find src figure program lab cli bench examples -name '*.c' -print0 | sort -z |
    xargs -0 -n 12 -P "$(nproc)" clang-tidy --quiet -p "$planted" >"$planted/log" 2>&1 || status=$?
grep -vE '^[0-9]+ warnings?( and [0-9]+ errors?)? generated|^$' "$planted/log" || true
exit "$status"
