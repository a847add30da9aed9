"""SPDX-License-Identifier: MIT

Where address space is short (ulimit -v) every command ends, and soon: it does its work, or says
that memory is short and exits with 1.  OpenBLAS maps 128 MB for every thread when it is loaded, and again
and again where it cannot.  The same without /proc, through which the program starts itself again elsewhere.
"""

import os
import resource
import subprocess
import sys
import tempfile

WEFT = os.environ["WEFT_BIN"]
MEGABYTES = [80, 100, 120, 150, 180, 200, 250, 300, 400, 800]
SECONDS = 60
N = 40
HIDDEN_PROC = ["unshare", "--mount", "--map-root-user", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]

# (name, arguments, the least MB with which it must succeed)
CASES = [
    ("a graph", ["--rows", "graph:ring", "--columns", "none", "--eta", "1"], 150),
    ("a committee", ["--rows", "graph:ring", "--columns", "none"], 400),
    ("eigenvectors", ["--rows", "graph:ring,map=eigen:5", "--columns", "none,map=hash:4", "--engine", "compact"], 150),
    ("the reference engine", ["--rows", "graph:ring", "--columns", "none", "--engine", "reference"], 400),
]


def write_files(folder):
    with open(os.path.join(folder, "ring"), "w", encoding="utf-8") as file:
        file.writelines(f"r{i} r{(i + 1) % N}\n" for i in range(N))
    with open(os.path.join(folder, "stream.csv"), "w", encoding="utf-8") as file:
        file.writelines(f"r{t * 7 % N},c{t % 5},{1 if t % 3 else -1}\n" for t in range(60))


def play(folder, arguments, megabytes, before=()):
    """(status, what was said); status None where it did not end."""
    limit = megabytes << 20
    command = [*before, WEFT, "run", "stream.csv", "--quiet", *arguments]
    environment = {k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"}
    try:
        run = subprocess.run(command, cwd=folder, capture_output=True, timeout=SECONDS, env=environment,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    except subprocess.TimeoutExpired:
        return None, ""
    return run.returncode, run.stderr.decode()


def judge(status, said, must):
    """Why this is wrong, or None."""
    if status is None:
        return f"did not end within {SECONDS} s"
    if status == 0 or (status == 127 and "shared object" in said):  # no program to begin with
        return None
    if status != 1 or "memory" not in said and "room" not in said:
        return f"status {status}: {said}"
    return f"there is room: {said}" if must else None


def play_without_proc(folder):
    """The number of failures."""
    if subprocess.run([*HIDDEN_PROC, "true"], capture_output=True, check=False).returncode != 0:
        print("skipped: without /proc, for this user may not hide it")
        return 0
    status, said = play(folder, CASES[0][1], 150, HIDDEN_PROC)
    if status == 0:
        return 0
    print(f"without /proc: {'did not end' if status is None else f'status {status}: {said}'}")
    return 1


def main():
    with open(os.path.join(os.environ["WEFT_BUILD_DIR"], "compile_commands.json"), encoding="utf-8") as file:
        if "-fsanitize" in file.read():
            print("skipped: a sanitizer takes all of the address space for itself")
            return 77
    failures, ends = 0, set()
    with tempfile.TemporaryDirectory() as folder:
        write_files(folder)
        failures += play_without_proc(folder)
        for name, arguments, least in CASES:
            for megabytes in MEGABYTES:
                status, said = play(folder, arguments, megabytes)
                wrong = judge(status, said, megabytes >= least)
                ends.add((name, status))
                if wrong is not None:
                    failures += 1
                    print(f"{name} with {megabytes} MB: {wrong}")
    if ("the reference engine", 1) not in ends:
        failures += 1
        print("the reference engine never said that there is no room")
    print(f"{len(CASES) * len(MEGABYTES)} runs, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
