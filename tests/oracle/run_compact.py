#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The problems of run_meg.py that have exact features, played by the compact engine, judged by the same judge.

    WEFT_BIN=build/weft WEFT_SOURCE_DIR=. tests/oracle/run_compact.py

Classes without epsilon and linear features without epsilon have exact features by themselves, every other kernel has
them in all its eigenvectors; of the problems of run_meg.py those are left out in which a side has neither.  The judge
knows nothing of features: it is told of the kernels.  WEFT_SEEDS, WEFT_KEEP and exit status 77 as there.
"""
import os
import re
import sys
import tempfile

import run_meg

PROBLEMS = 120 if os.environ.get("WEFT_LONG") == "yes" else 40


def words_of(path):
    with open(path) as source:
        return [re.split(r"[,\t ]", line.strip()) for line in source if line.strip() and not line.startswith("#")]


def stream_ids(path, field):
    return [line[k] for line in words_of(path)[1:] for k in field]


def exact(spec, stream, field):
    """The SPEC with what makes its features exact; None where nothing does."""
    kind, _, rest = spec.partition(":")
    path = rest.split(",")[0]
    if kind == "classes":
        return spec if spec.endswith("epsilon=0") else None
    if kind == "none":
        return None
    if "kernel=linear,epsilon=0" in spec and spec.endswith("epsilon=0"):
        return spec
    if kind == "graph":
        ids = {name for line in words_of(path) for name in line[:2]} | set(stream_ids(stream, field))
    else:
        ids = {line[0] for line in words_of(path) if line[0]}
    return f"{spec},map=eigen:{len(ids)}"


def turn(problem):
    """Makes it one of the compact engine; False where it cannot be."""
    engine = problem.weft.index("--engine") if "--engine" in problem.weft else None
    if engine is not None:
        del problem.weft[engine:engine + 2]
    problem.weft += ["--engine", "compact"]
    for option, field in (("--rows", [0]), ("--columns", [1]), ("--both", [0, 1])):
        if option in problem.weft:
            at = problem.weft.index(option) + 1
            problem.weft[at] = exact(problem.weft[at], problem.stream, field)
            if problem.weft[at] is None:
                return False
    return True


def main():
    try:
        import numpy
    except ImportError:
        run_meg.skip("python3-numpy is missing")
    if not os.environ.get("WEFT_BIN"):
        sys.exit("WEFT_BIN is not set: the path of the program weft")
    judge = run_meg.load_judge()
    first, count = (int(v) for v in os.environ.get("WEFT_SEEDS", f"5001:{PROBLEMS}").split(":"))
    seen, failed, seed = {}, 0, first
    while sum(seen.get(form, 0) for form in ("paper", "balanced", "both")) < count:
        with tempfile.TemporaryDirectory() as folder:
            problem = run_meg.Problem(numpy, folder, seed)
            if turn(problem):
                wrong = run_meg.play(judge, problem)
                for name in problem.kinds + [problem.form]:
                    seen[name] = seen.get(name, 0) + 1
                if wrong:
                    failed += 1
                    run_meg.keep(folder, seed)
                    print(f"problem {seed}: {' '.join(problem.weft)}\n  judge: {' '.join(problem.judge)}\n  {wrong}")
        seed += 1
    print(f"problems {count}, failed {failed}: " + ", ".join(f"{name} {n}" for name, n in sorted(seen.items())))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main())
