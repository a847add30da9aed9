"""SPDX-License-Identifier: MIT

The same bytes whatever OpenBLAS takes the processor for and however many threads it has: models,
rankings and explanations over graphs, kernels and matrices whose eigenvalues repeat, where a
decomposition that is not fixed has a free choice of its basis.

That the environment has an effect at all is shown by the reference engine, which is on LAPACK: its
core is named by weft --version.
"""

import os
import subprocess
import sys
import tempfile

WEFT = os.environ["WEFT_BIN"]
KINDS = [(None, None), ("1", None), ("2", None), ("1", "Prescott"), ("2", "Prescott"), ("2", "Nehalem"), ("1", "Sandybridge")]
N = 60

# A ring, cliques that are no part of each other, a grid: eigenvalues come twice and more often.
RING = [(i, (i + 1) % N) for i in range(N)]
CLIQUES = [(i, j) for i in range(N) for j in range(i) if i // 5 == j // 5]
GRID = [(i, i + 1) for i in range(64) if i % 8 < 7] + [(i, i + 8) for i in range(56)]

# (name, SPEC of the rows, engine)
CASES = [
    ("pdlaplacian", "graph:ring", "krylov"),
    ("regularised", "graph:cliques,kernel=regularised,sigma=3", "krylov"),
    ("diffusion by eigenvectors", "graph:grid,kernel=diffusion,time=2000", "krylov"),
    ("repaired kernel", "kernel:indefinite.csv,repair=clip", "krylov"),
    ("shifted kernel", "kernel:indefinite.csv,repair=shift", "krylov"),
    ("matrix", "matrix:definite.csv", "krylov"),
    ("eigenvectors of a ring", "graph:ring,map=eigen:20", "compact"),
    ("eigenvectors of cliques", "graph:cliques,kernel=diffusion,time=1,map=eigen:30", "compact"),
    ("eigenvectors of a grid", "graph:grid,map=eigen:21", "compact"),
    ("eigenvectors of a kernel", "kernel:indefinite.csv,repair=clip,map=eigen:9+hash:8", "compact"),
    ("eigenvectors of a matrix", "matrix:definite.csv,map=eigen:12", "compact"),
]


def write(folder, name, lines):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def write_matrix(folder, name, entry):
    rows = [",".join(["id"] + [f"r{j}" for j in range(N)])]
    rows += [",".join([f"r{i}"] + [str(entry(i, j)) for j in range(N)]) for i in range(N)]
    write(folder, name, rows)


def beside(i, j):
    return (i - j) % N in (1, N - 1)


def write_files(folder):
    for name, edges in [("ring", RING), ("cliques", CLIQUES), ("grid", GRID)]:
        write(folder, name, [f"r{i} r{j}" for i, j in edges])
    write_matrix(folder, "indefinite.csv", lambda i, j: 1 if i == j else 0.9 if beside(i, j) else 0)
    write_matrix(folder, "definite.csv", lambda i, j: 3 if i == j else -1 if beside(i, j) else 0)
    labels = [f"r{t * 7 % N},c{t * t % 11},{1 if (t * 7 % N // 10 + t * t % 11) % 2 else -1}" for t in range(400)]
    write(folder, "stream.csv", labels)


def weft(folder, kind, *arguments):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("OPENBLAS")}
    for variable, value in zip(("OPENBLAS_NUM_THREADS", "OPENBLAS_CORETYPE"), kind):
        if value is not None:
            environment[variable] = value
    run = subprocess.run([WEFT, *arguments], cwd=folder, env=environment, capture_output=True, timeout=120)
    if run.returncode != 0:
        sys.exit(f"weft {' '.join(arguments)}: status {run.returncode}: {run.stderr.decode()}")
    return run.stdout


def play(folder, kind, spec, engine):
    """Everything that a case writes, by name."""
    columns = "none,map=hash:16" if engine == "compact" else "none"
    weft(folder, kind, "run", "stream.csv", "--rows", spec, "--columns", columns, "--engine", engine, "--quiet",
         "--eta", "2", "--model", "model", "--predictions", "predictions.csv")
    written = {}
    for name in ("model", "predictions.csv"):
        with open(os.path.join(folder, name), "rb") as file:
            written[name] = file.read()
        if name != "model":
            os.remove(os.path.join(folder, name))
    written["top"] = weft(folder, kind, "top", "model", "--row", "r3", "-n", "11")
    written["explain"] = weft(folder, kind, "explain", "model", "r3", "c1", "--quiet") if engine == "krylov" else b""
    os.remove(os.path.join(folder, "model"))
    return written


def main():
    if os.uname().machine != "x86_64":
        print("skipped: other kernels of OpenBLAS are known for x86-64 alone")
        return 77
    failures = compared = 0
    with tempfile.TemporaryDirectory() as folder:
        write_files(folder)
        cores = {kind: weft(folder, kind, "--version") for kind in KINDS}
        if len(set(cores.values())) < 3:
            sys.exit(f"the environment has no effect: {set(cores.values())}")
        for name, spec, engine in CASES:
            expected = play(folder, KINDS[0], spec, engine)
            for kind in KINDS[1:]:
                found = play(folder, kind, spec, engine)
                compared += 1
                different = [what for what in expected if found[what] != expected[what]]
                if different:
                    failures += 1
                    print(f"{name}, {kind[0]} threads, {kind[1] or 'own core'}: another {', '.join(different)}")
    print(f"{compared} runs compared, {failures} differ")
    return 1 if failures or compared == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
