# SPDX-License-Identifier: MIT
# What scripts/test, scripts/demo and scripts/bench share: sourced, not run.
# They work from any directory and need no network once all packages are there.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Debian's own interpreter, which has Debian's numpy and mpmath; another python3
# may come first on PATH.
PYTHON=/usr/bin/python3
[ -x "$PYTHON" ] || PYTHON=python3

JOBS=$(nproc 2>/dev/null || echo 2)

BUILD_PACKAGES="gcc libc6-dev cmake ninja-build pkg-config python3
    libopenblas-dev liblapacke-dev libsuitesparse-dev zlib1g-dev librandom123-dev libxxhash-dev libjansson-dev libcmocka-dev
    libcairo2-dev libfontconfig-dev fontconfig fonts-dejavu-core"
TEST_PACKAGES="clang clang-format clang-tidy libclang-rt-14-dev gcovr valgrind git
    python3-numpy python3-mpmath groff-base"

# The Python package, and what it is tested with.
PYTHON_PACKAGES="python3-dev python3-setuptools python3-wheel python3-pip python3-venv python3-cffi python3-pandas
    python3-scipy python3-networkx python3-sklearn python3-matplotlib python3-pytest mypy"

die() {
    echo "$(basename "$0"): $*" >&2
    exit 1
}

heading() {
    printf '\n== %s ==\n' "$*"
}

# The packages of the list that are not installed, one a line.
missing_packages() {
    local package
    for package in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
    done
}

# cannot_install REASON PACKAGE...: ends the script with what to do.
cannot_install() {
    local reason=$1
    shift
    {
        printf '\n%s: %s.\nThese packages are needed and not installed:\n    ' "$(basename "$0")" "$reason"
        echo "$*"
        echo "What to do: see that this machine reaches a Debian mirror (or has the packages of one) and run the"
        echo "script again, which takes up where it stopped; or have them installed by somebody who may:"
        echo "    apt-get update && apt-get install --no-install-recommends $*"
    } >&2
    exit 1
}

# install_missing PACKAGE...: installs what is not there, and says so.
install_missing() {
    local missing as_root=""
    if ! command -v dpkg-query >/dev/null; then
        echo "This is not a Debian system: the following must be there already: $*"
        return 0
    fi
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    heading "Installing packages that are missing"
    echo $missing
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || cannot_install "you are not root, and there is no sudo" $missing
        sudo true || cannot_install "sudo does not let $(id -un) install packages" $missing
        as_root=sudo
    fi
    $as_root apt-get update -q || cannot_install "the lists of packages could not be downloaded" $missing
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing ||
        cannot_install "the packages could not be downloaded or installed; apt says why, above" $missing
}

# build PRESET [TARGET...]: configures and builds build/PRESET.
build() {
    local preset=$1
    shift
    cmake --preset "$preset" &&
        cmake --build "build/$preset" -j "$JOBS" ${@:+--target "$@"}
}

# has_cpu_flag FLAG: does this processor have it?
has_cpu_flag() {
    grep -qwm1 "$1" /proc/cpuinfo 2>/dev/null
}

# The core type that makes OpenBLAS fast here.  Left to itself it picks SSE
# kernels on processors it does not know, and is two to five times slower.
fast_core_type() {
    if has_cpu_flag avx512f && has_cpu_flag avx512dq && has_cpu_flag avx512bw && has_cpu_flag avx512vl; then
        echo SkylakeX
    elif has_cpu_flag avx2 && has_cpu_flag fma; then
        echo Haswell
    elif has_cpu_flag avx; then
        echo Sandybridge
    fi
}
