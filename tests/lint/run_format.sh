#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every C file is as clang-format writes it; ill-formatted text is noticed.
set -euo pipefail
cd "${WEFT_SOURCE_DIR:-$(dirname "$0")/../..}"
command -v clang-format >/dev/null || { echo "clang-format is not installed"; exit 77; }

if printf 'int  f( void ) { return 0; }\n' | clang-format --dry-run -Werror --assume-filename=planted.c 2>/dev/null; then
    echo "ill-formatted text was not noticed"
    exit 1
fi
find include src figure program lab cli bench fuzz examples tests python/native -name '*.[ch]' -print0 | sort -z |
    xargs -0 clang-format --dry-run -Werror
