"""SPDX-License-Identifier: MIT

Compiles the library into the extension weft._weft: every file of ../src, side by side, with the flags of CMakeLists.txt.

Where WEFT_STATIC_LIBRARY names a libweft.a that was built already (for who works on weft: it takes seconds) that is
linked instead.
"""

import concurrent.futures
import os
import re
import subprocess
import sys

from setuptools import setup
from setuptools.command.build_ext import build_ext

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)

LIBRARIES = ["lapacke", "openblas", "cholmod", "z", "m", "pthread"]

# Headers of Debian that stand in folders of their own.
HEADERS = {
    "suitesparse/cholmod.h": "libsuitesparse-dev",
    "lapacke.h": "liblapacke-dev",
    "openblas-pthread/cblas.h": "libopenblas-dev",
    "Random123/philox.h": "librandom123-dev",
    "xxhash.h": "libxxhash-dev",
    "zlib.h": "zlib1g-dev",
}
FLAGS = ["-std=c11", "-O3", "-DNDEBUG", "-fPIC", "-fvisibility=hidden", "-ffp-contract=off", "-fno-math-errno",
         "-fno-strict-aliasing"]
# CMakeLists.txt says why.
INNER_LOOPS = {
    "base/vector.c": ["-O2", "-fvect-cost-model=dynamic"],
    "linalg/multiply.c": ["-O2", "-fvect-cost-model=dynamic", "-fpeel-loops"],
    "linalg/triangle.c": ["-O2", "-fvect-cost-model=dynamic", "-fpeel-loops"],
}


def version():
    with open(os.path.join(ROOT, "include", "weft.h"), encoding="utf-8") as header:
        return ".".join(re.findall(r"#define WEFT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header.read()))


def library_sources():
    folder = os.path.join(ROOT, "src")
    return sorted(os.path.join(path, name) for path, _, names in os.walk(folder) for name in names
                  if name.endswith(".c"))


class BuildExtension(build_ext):
    """The library first, on all processors; then the extension as ever."""

    def build_extension(self, extension):
        static = os.environ.get("WEFT_STATIC_LIBRARY")
        if static:
            extension.extra_objects = [os.path.abspath(static)]
            extension.depends += extension.extra_objects
        else:
            extension.extra_objects = self.build_library()
        super().build_extension(extension)

    def build_library(self):
        compiler = self.compiler.compiler_so[0]
        includes = [os.path.join(ROOT, "include"), os.path.join(ROOT, "src"), *system_includes(compiler)]
        clones = int(self.can_compile(compiler, CLONES))
        folder = os.path.abspath(os.path.join(self.build_temp, "library"))
        common = [*FLAGS, f"-DWEFT_CLONES={clones}", *[f"-I{path}" for path in includes]]
        gcc = b"clang" not in subprocess.run([compiler, "--version"], stdout=subprocess.PIPE, check=True).stdout
        jobs = []
        for source in library_sources():
            name = os.path.relpath(source, os.path.join(ROOT, "src"))
            target = os.path.join(folder, name[:-2] + ".o")
            os.makedirs(os.path.dirname(target), exist_ok=True)
            more = INNER_LOOPS.get(name, []) if gcc else []
            jobs.append((target, [compiler, *common, *more, "-c", source, "-o", target]))
        print(f"compiling {len(jobs)} files of the library", file=sys.stderr)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            for result in pool.map(lambda job: subprocess.run(job[1], stderr=subprocess.PIPE), jobs):
                if result.returncode != 0:
                    raise SystemExit(result.stderr.decode(errors="replace"))
        return [target for target, _ in jobs]

    def can_compile(self, compiler, text):
        command = [compiler, "-x", "c", "-", "-o", os.devnull]
        return subprocess.run(command, input=text, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode == 0


CLONES = b"""
__attribute__((target_clones("avx512f", "avx2", "default"))) double twice(double x);
__attribute__((target_clones("avx512f", "avx2", "default"))) double twice(double x) { return 2 * x; }
int main(void) { return (int)twice(0.0); }
"""


def system_includes(compiler):
    """Where the headers stand that the library wants; what is missing is named with its Debian package."""
    multiarch = subprocess.run([compiler, "-print-multiarch"], stdout=subprocess.PIPE).stdout.decode().strip()
    roots = [path for name in ("CPATH", "C_INCLUDE_PATH") for path in os.environ.get(name, "").split(":") if path]
    roots += ["/usr/include", f"/usr/include/{multiarch}", "/usr/local/include"]
    found = []
    for header, package in HEADERS.items():
        folder, _, name = header.rpartition("/")
        places = [os.path.join(root, folder) for root in roots] + roots
        if folder == "Random123":
            places, name = roots, header
        place = next((place for place in places if os.path.exists(os.path.join(place, name))), None)
        if place is None:
            raise SystemExit(f"{name} was not found: install {package}")
        found.append(place)
    return [path for path in dict.fromkeys(found) if path != "/usr/include"]


setup(
    version=version(),
    cffi_modules=[os.path.join(HERE, "native", "build_native.py") + ":builder"],
    cmdclass={"build_ext": BuildExtension},
    options={"bdist_wheel": {"py_limited_api": "cp39"}},
)
