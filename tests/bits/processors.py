"""SPDX-License-Identifier: MIT

The settings in which tests/bits/run_processors.py plays its scenes: processors that are emulated, other builds,
numbers of threads, and an environment in which nothing is as usual; and what is not promised where, with its
reason.
"""

import os
import re
import shutil
import subprocess
import sys
from collections import namedtuple

# A setting: its name, what changes ("blas", "libm", "threads", "build", "machine", "environment"), variables of
# the environment, what stands before the command, the program (None: that of the build), and its --threads.
Setting = namedtuple("Setting", "name group variables before program threads")

PLAIN = Setting("plain", "", {}, [], None, 0)
WITHOUT_FMA = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2"}

SOURCE = os.path.abspath(os.environ.get("WEFT_SOURCE_DIR", os.path.join(os.path.dirname(__file__), "..", "..")))

# (what makes the kind, what changes, the reason).  Everything else is the same to the bit, or the check fails.
NOT_PROMISED = [
    ("blas", "blas", "the reference engine multiplies with the BLAS, whose order of additions is its own"),
    ("blas", "machine", "the reference engine multiplies with the BLAS, whose order of additions is its own"),
    ("cholmod", "machine", "CHOLMOD, as it is compiled for arm64, rounds a multiplication and an addition once"),
]

# The same of single outputs, whatever the kind: (the output, what changes, the reason).
PICTURES = (r"\.(svg|png|html)$", "machine", "cairo and FreeType, which draw the letters, round otherwise on arm64")


def is_excused(output, setting):
    """Whether this output may differ although its kind must not."""
    return setting.group == PICTURES[1] and re.search(PICTURES[0], output) is not None


def reason_of(kind, setting):
    """Why the two may differ; "" where they must not."""
    for made_by, group, reason in NOT_PROMISED:
        if kind.made_by == made_by and setting.group == group:
            return reason
    return ""


def has_flag(flag):
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return any(line.startswith("flags") and flag in line.split() for line in file)


def make_locale(folder):
    """A locale with a decimal comma, made where its sources are; else the plainest."""
    if shutil.which("localedef") and os.path.exists("/usr/share/i18n/locales/de_DE"):
        made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", os.path.join(folder, "de_DE.UTF-8")],
                              capture_output=True, check=False)
        if made.returncode in (0, 1):  # 1: with warnings
            return {"LC_ALL": "de_DE.UTF-8", "LOCPATH": folder}
    return {"LC_ALL": "C.UTF-8"}


def x86_settings(skipped):
    """OpenBLAS and glibc have other code for other processors, and are told to take it."""
    for core, flag in (("Prescott", ""), ("Sandybridge", "avx"), ("Haswell", "fma"), ("SkylakeX", "avx512f")):
        if flag and not has_flag(flag):
            skipped.append(f"BLAS kernels of {core}: this processor has no {flag}")
            continue
        yield Setting(f"BLAS {core}", "blas", {"OPENBLAS_CORETYPE": core}, [], None, 0)
    yield Setting("libm without FMA", "libm", WITHOUT_FMA, [], None, 0)
    # The processor as a whole: what it says of itself also chooses the clones of weft's inner loops.
    if shutil.which("qemu-x86_64-static"):
        yield Setting("Nehalem (qemu)", "blas", {}, ["qemu-x86_64-static", "-cpu", "Nehalem"], None, 0)
    else:
        skipped.append("an emulated Nehalem: there is no qemu-x86_64-static (qemu-user-static)")


def thread_settings():
    for count in ("1", "3"):
        yield Setting(f"BLAS threads {count}", "threads",
                      {"OPENBLAS_NUM_THREADS": count, "OMP_NUM_THREADS": count}, [], None, 0)
    yield Setting("--threads 2", "threads", {}, [], None, 2)
    if shutil.which("taskset"):
        yield Setting("one processor", "threads", {}, ["taskset", "-c", str(min(os.sched_getaffinity(0)))], None, 0)


def build_settings(skipped):
    """Other builds, where they were made."""
    clang = os.path.join(SOURCE, "build", "release-clang", "weft")
    if os.path.exists(clang):
        yield Setting("clang", "build", {}, [], clang, 0)
    else:
        skipped.append("clang: there is no build/release-clang/weft (cmake --preset release-clang, and build it)")
    arm = os.path.join(SOURCE, "build", "arm64")
    if os.path.exists(os.path.join(arm, "weft")) and shutil.which("qemu-aarch64-static"):
        yield Setting("arm64 (qemu)", "machine", {}, ["qemu-aarch64-static", "-L", os.path.join(arm, "sysroot")],
                      os.path.join(arm, "weft"), 0)
    else:
        skipped.append("arm64: there is no build/arm64/weft or no qemu-aarch64-static (scripts/arm64 makes both)")


def environment_settings(folder):
    """What must not matter: clock, language, room on the stack, where memory lies, what it holds when it is
    fresh, and how much there is."""
    variables = {"TZ": "Pacific/Kiritimati", "MALLOC_PERTURB_": "165", "MALLOC_ARENA_MAX": "1", "COLUMNS": "40",
                 "PADDING": "x" * 5000, **make_locale(folder)}
    before = ["setarch", "-R"] if shutil.which("setarch") else []
    yield Setting("elsewhere", "environment", variables, before, None, 0)
    if shutil.which("prlimit"):
        yield Setting("little memory", "environment", {}, ["prlimit", f"--as={3 * 2**30}"], None, 0)


def all_settings(folder):
    """All that this machine can play, the one that the others are compared with first; and what is left out."""
    skipped = []
    found = [PLAIN]
    if os.uname().machine == "x86_64":
        found += x86_settings(skipped)
    else:
        skipped.append("emulated x86-64 processors: this machine is none")
    return found + [*thread_settings(), *build_settings(skipped), *environment_settings(folder)], skipped


def two_settings(folder):
    """The usual, and everything at once that needs no other build."""
    variables = {"OPENBLAS_NUM_THREADS": "1"}
    if os.uname().machine == "x86_64":
        variables.update({"OPENBLAS_CORETYPE": "Prescott", **WITHOUT_FMA})
    elsewhere = next(setting for setting in environment_settings(folder) if setting.name == "elsewhere")
    return [PLAIN, elsewhere._replace(name="elsewhere, at once", variables={**elsewhere.variables, **variables},
                                      group="blas", threads=2)]


def program_of(setting):
    program = setting.program or os.environ.get("WEFT_BIN") or os.path.join(SOURCE, "build", "release", "weft")
    if not os.path.exists(program):
        sys.exit(f"{program}: there is no such program (cmake --build --preset release)")
    return os.path.abspath(program)


def command_line(setting, command):
    """The command as it is run in this setting."""
    words = [*setting.before, program_of(setting), *command]
    if setting.threads and command[0] in ("run", "predict", "compare"):
        words += ["--threads", str(setting.threads)]
    if setting.threads and command[0] == "experiment":
        words += ["--jobs", str(setting.threads)]
    return words


def environment(setting):
    """This process's, without what the test runner sets, and with what the setting has."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("OPENBLAS_", "OMP_", "GOTO_", "GLIBC_", "LC_", "MALLOC_", "WEFT_"))}
    return {**kept, **setting.variables}
