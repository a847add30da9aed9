"""SPDX-License-Identifier: MIT

The Python package, over the library of this build: compiled into build/NAME/python, then python/tests by pytest.

`--program FILE ARGUMENT...` runs a program with that package in place of the tests.

Skipped, with the reason, where Debian's python3-cffi, python3-numpy, python3-pytest, python3-setuptools or python3-dev
are not there; what pandas, scipy or networkx are wanted for is skipped by pytest, which says so.
"""

import importlib.util
import os
import subprocess
import sys
import sysconfig

ROOT = os.path.realpath(os.environ.get("WEFT_SOURCE_DIR") or os.path.join(os.path.dirname(__file__), "..", ".."))
BUILD = os.path.realpath(os.environ.get("WEFT_BUILD_DIR") or os.path.join(ROOT, "build", "release"))


def missing():
    """What keeps the package from being built or tested here."""
    for module in ("cffi", "numpy", "setuptools", "pytest"):
        if importlib.util.find_spec(module) is None:
            return f"{module} is not installed (python3-{module})"
    if not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
        return "Python.h is not there (python3-dev)"
    return None


def build(place):
    """The folder that has the package."""
    environment = {**os.environ, "WEFT_STATIC_LIBRARY": os.path.join(BUILD, "libweft.a")}
    command = [sys.executable, "-W", "ignore", "setup.py", "-q", "egg_info", "--egg-base", place, "build", "--build-base", place,
               "--build-lib", os.path.join(place, "lib")]
    made = subprocess.run(command, cwd=os.path.join(ROOT, "python"), env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if made.returncode != 0:
        sys.exit(made.stdout.decode(errors="replace"))
    return os.path.join(place, "lib")


def main():
    reason = missing()
    if reason is not None:
        print(f"skipped: {reason}")
        return 77
    place = os.path.join(BUILD, "python")
    os.makedirs(place, exist_ok=True)
    environment = {**os.environ, "PYTHONPATH": build(place), "PYTHONDONTWRITEBYTECODE": "1",
                   "WEFT_BIN": os.environ.get("WEFT_BIN") or os.path.join(BUILD, "weft")}
    if sys.argv[1:2] == ["--program"]:
        return subprocess.run([sys.executable, *sys.argv[2:]], env=environment).returncode
    return subprocess.run([sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider",
                           os.path.join(ROOT, "python", "tests"), *sys.argv[1:]],
                          cwd=place, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
