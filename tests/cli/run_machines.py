"""SPDX-License-Identifier: MIT

A model that was made on one machine answers the same on others: graphs and kernels whose eigenvalues repeat, so that
every eigensolver is free to choose another basis, with map=eigen and with the kernel itself; a model made under one
BLAS kernel and number of BLAS threads is used under all the others by predict, run --resume, top and explain.  A
prediction is the same wherever the margin is not 0 up to rounding, margins agree up to rounding, and brackets meet.
So do the votes and probabilities of committees, whose rivals look for the nearest ids, of which many are equally near.

    run_machines.py           five problems on three machines, which the release build runs
    run_machines.py --all     all problems on all machines; WEFT_MACHINES=all in the environment does the same
"""

import csv
import itertools
import math
import os
import random
import subprocess
import sys
import tempfile
import time

WEFT = os.path.abspath(os.environ["WEFT_BIN"])
ROUNDING = 1e-7  # of a margin, whose bracket is asked to be 1e-9 wide
EVENTS, PAIRS, COLUMNS = 240, 60, 10
checks = 0

# BLAS kernels, and what of /proc/cpuinfo they need.
CORES = (
    ("Prescott", ()),
    ("Nehalem", ("sse4_2",)),
    ("Sandybridge", ("avx",)),
    ("Haswell", ("avx2", "fma")),
    ("SkylakeX", ("avx512f", "avx512bw", "avx512vl", "avx512dq")),
    ("Barcelona", ("sse4a",)),
    ("Zen", ("avx2", "fma")),
)


def weft(machine, *arguments):
    """What the program says on standard output, as the machine runs it."""
    core, threads = machine
    known = dict(os.environ, OPENBLAS_CORETYPE=core, OPENBLAS_NUM_THREADS=str(threads))
    done = subprocess.run([WEFT, *arguments], capture_output=True, text=True, timeout=300, env=known)
    if done.returncode != 0:
        sys.exit(f"weft {' '.join(arguments)} on {machine}\nstatus {done.returncode}\n{done.stderr}")
    return done.stdout


def check(held, what):
    global checks
    checks += 1
    if not held:
        sys.exit(f"FAILED: {what}")


def find_machines():
    """Up to five BLAS kernels that this processor and this OpenBLAS have, with one and two threads each."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            flags = set(next((line for line in file if line.startswith("flags")), "").split())
    except OSError:
        flags = set()
    cores = [c for c, needed in CORES if flags and flags.issuperset(needed) and c in weft((c, 1), "--version")]
    return list(itertools.product(cores[:5] or [""], (1, 2)))


# ---- Problems ----


def union(count, edges, size):
    return [(k * size + a, k * size + b) for k in range(count) for a, b in edges]


def complete(n):
    return list(itertools.combinations(range(n), 2))


def ring(n, *steps):
    return sorted({tuple(sorted((k, (k + s) % n))) for k in range(n) for s in steps or (1,)})


def grid(height, width, wrap=False):
    edges = []
    for i, j in itertools.product(range(height), range(width)):
        if j + 1 < width or wrap:
            edges.append((i * width + j, i * width + (j + 1) % width))
        if i + 1 < height or wrap:
            edges.append((i * width + j, (i + 1) % height * width + j))
    return edges


def cube(dimension):
    n = 1 << dimension
    return [(k, k | 1 << b) for k in range(n) for b in range(dimension) if not k >> b & 1]


def bipartite(a, b):
    return [(i, a + j) for i in range(a) for j in range(b)]


def petersen():
    return ring(5) + [(k, k + 5) for k in range(5)] + [(5 + k, 5 + (k + 2) % 5) for k in range(5)]


def blocks(n, size, inside, diagonal):
    return [[diagonal if i == j else inside if i // size == j // size else 0 for j in range(n)] for i in range(n)]


def circulant(n, *row):
    return [[row[d] if (d := min((i - j) % n, (j - i) % n)) < len(row) else 0 for j in range(n)] for i in range(n)]


def lattice(height, width):
    return [(i, j) for i in range(height) for j in range(width)]


def write(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines)


def graph(edges, rest):
    return ["graph", edges, rest, 1 + max(map(max, edges))]


def kernel(matrix, rest, kind="kernel"):
    return [kind, matrix, rest, len(matrix)]


def features(points, rest):
    return ["features", points, rest, len(points)]


def committee_problems():
    """For committees, in the same words: more than ten ids are equally near."""
    return {
        "committee on cliques": graph(union(3, complete(14), 14), ""),
        "committee on a hypercube": graph(cube(6), ",kernel=diffusion,time=1"),
        "committee on blocks": kernel(circulant(30, 1.0, 0.9, 0.1, -0.3), ",repair=clip") + [True],
    }


def problems():
    """name: kind of the side, what is in its file, the rest of its SPEC, ids; then whether it is of one set."""
    simplex = [tuple(float(i == j) for j in range(8)) for i in range(8)] * 3
    return {
        "cliques": graph(union(12, complete(5), 5), ",map=eigen:12"),
        "grid": graph(grid(20, 20), ",map=eigen:16+hash:8"),
        "ring": graph(ring(48), ",map=eigen:9+hash:16") + [True],
        "clipped kernel": kernel(circulant(30, 1.0, 0.9, 0.1, -0.3), ",repair=clip,map=eigen:8"),
        "complete": graph(complete(30), ",map=eigen:10"),
        "hypercube": graph(cube(6), ",map=eigen:16"),
        "star": graph([(0, k) for k in range(1, 40)], ",map=eigen:8+hash:8"),
        "bipartite": graph(bipartite(12, 15), ",map=eigen:8") + [True],
        "equal rings": graph(union(8, ring(6), 6), ",map=eigen:12"),
        "circulant": graph(ring(40, 1, 5, 9), ",map=eigen:11"),
        "torus": graph(grid(12, 12, wrap=True), ",map=eigen:13"),
        "three of Petersen": graph(union(3, petersen(), 10), ",kernel=regularised,sigma=2,map=eigen:7+hash:4"),
        "matching": graph(union(24, [(0, 1)], 2), ",kernel=regularised,sigma=1,map=eigen:10"),
        "diffusion": graph(cube(6), ",kernel=diffusion,time=0.5,scale=unit,map=eigen:10+hash:8"),
        "normalised": graph(union(6, complete(6), 6), ",laplacian=normalised,kernel=diffusion,time=2,map=eigen:9"),
        "equal blocks": kernel(blocks(40, 5, 0.5, 1.5), ",map=eigen:6"),
        "shifted kernel": kernel(circulant(24, 1.0, 0.7, 0.7), ",repair=shift,map=eigen:7+hash:6") + [True],
        "matrix": kernel(circulant(33, 3.0, -1.0), ",map=eigen:9", "matrix"),
        "Gaussian lattice": features(lattice(8, 8), ",kernel=gaussian,width=1.5,map=eigen:12"),
        "min lattice": features([(i / 4, j / 4) for i, j in lattice(6, 6)], ",kernel=min,range=2,map=eigen:11"),
        "simplex": features(simplex, ",kernel=linear,epsilon=0.5,map=eigen:6+hash:4"),
        "large grid": graph(grid(70, 70), ",kernel=regularised,sigma=4,map=eigen:12"),
        "large cliques": graph(union(820, complete(5), 5), ",kernel=regularised,sigma=1,map=eigen:10+hash:8"),
    }


FEW = ("cliques", "grid", "ring", "clipped kernel", "committee on cliques")


def write_side(kind, content, names):
    if kind == "graph":
        write("side", (f"{names[a]} {names[b]}" for a, b in content))
    elif kind == "features":
        write("side", (f"{x}," + ",".join(map(repr, point)) for x, point in zip(names, content)))
    else:
        rows = (f"{x} " + " ".join(map(repr, row)) for x, row in zip(names, content))
        write("side", itertools.chain(["id " + " ".join(names)], rows))


def write_streams(names, one_set, seed):
    """A stream in two halves, and pairs to predict: the label is that of two halves of the ids, sometimes wrong."""
    rng = random.Random(seed)
    met = names if len(names) < 400 else rng.sample(names, 200)
    others = met if one_set else [f"c{k}" for k in range(COLUMNS)]
    group = {x: k * 4 // len(names) % 2 for k, x in enumerate(names)}

    def event():
        x, y = rng.choice(met), rng.choice(others)
        same = group[x] == (group[y] if one_set else int(y[1:]) % 2)
        return x, y, 1 if same != (rng.random() < 0.1) else -1

    for path in ("first.csv", "second.csv"):
        every = [event() for _ in range(EVENTS // 2)]
        write(path, ["row,column,label"] + [f"{x},{y},{label}" for x, y, label in every])
    asked = [event() for _ in range(PAIRS)]
    write("pairs.csv", ["row,column"] + [f"{x},{y}" for x, y, _ in asked])
    return asked[0]


# ---- One model on many machines ----


def ask_committee(machine, model):
    """Votes and probabilities, also after more was learnt."""
    said = {"predict": weft(machine, "predict", model, "pairs.csv")}
    weft(machine, "run", "second.csv", "--resume", model, "--model", "resumed", "--quiet")
    said["predict after resume"] = weft(machine, "predict", "resumed", "pairs.csv")
    return {what: list(csv.DictReader(text.splitlines())) for what, text in said.items()}


def ask(machine, model, pair, explained):
    """Everything that a machine says of a model: name: lines of CSV."""
    tight = ("--tolerance", "1e-9")
    said = {"predict": weft(machine, "predict", model, "pairs.csv", *tight)}
    said["resume"] = weft(machine, "run", "second.csv", "--resume", model, "--model", "resumed", "--quiet",
                          "--predictions", "-")
    said["predict after resume"] = weft(machine, "predict", "resumed", "pairs.csv", *tight)
    said["top"] = weft(machine, "top", model, "--row", pair[0], "-n", "400", *tight)
    if explained:
        said["explain"] = weft(machine, "explain", model, pair[0], pair[1], "--quiet", "-n", "0")
    return {what: list(csv.DictReader(text.splitlines())) for what, text in said.items()}


def is_near(a, b, scale):
    return abs(a - b) <= ROUNDING * max(scale, abs(a), abs(b))


def compare_bracketed(where, a, b):
    """Lines with margin, lower and upper."""
    meet = float(a["lower"]) <= float(b["upper"]) and float(b["lower"]) <= float(a["upper"])
    check(meet, f"{where}: the brackets of {a} and {b} do not meet")
    margin, other = float(a["margin"]), float(b["margin"])
    tight = "t" not in a  # a run asks for 0.02 only
    check(not tight or is_near(margin, other, 1), f"{where}: margins {margin} and {other}")
    if "prediction" in a and (tight or a.get("threshold") == b.get("threshold")):
        equal = a["prediction"] == b["prediction"] or max(abs(margin), abs(other)) < ROUNDING
        check(equal, f"{where}: predictions of {a} and {b}")


def compare_numbers(where, a, b):
    """Lines of which every field is a number or a word; a prediction follows from the vote."""
    for field, value in a.items():
        if field == "prediction" and abs(float(a["vote"]) - 0.5) < ROUNDING:
            continue
        try:
            number, other = float(value), float(b[field])
        except ValueError:
            check(value == b[field], f"{where}: {field} of {a} and {b}")
        else:
            check(math.isnan(number) == math.isnan(other) and not abs(number - other) > 1e-6 * max(1, abs(number)),
                  f"{where}: {field} of {a} and {b}")


def key_of(line):
    return tuple(line.get(name, "") for name in ("t", "kind", "row", "column"))


def compare(where, first, other):
    """What two machines say: equally many lines of the same pairs, in any order where margins tie."""
    for what, lines in first.items():
        mine, theirs = sorted(lines, key=key_of), sorted(other[what], key=key_of)
        check(lines and [key_of(x) for x in mine] == [key_of(x) for x in theirs], f"{where}: {what}: other lines")
        for a, b in zip(mine, theirs):
            (compare_bracketed if "margin" in a else compare_numbers)(f"{where}: {what}", a, b)


def try_problem(name, problem, machines, seed):
    kind, content, rest, count, *one_set = problem
    names = [f"v{k}" for k in range(count)]
    write_side(kind, content, names)
    pair = write_streams(names, bool(one_set), seed)
    spec = f"{kind}:side{rest}"
    mapped = ",map=" in rest
    others = "none,map=hash:16" if mapped else "none"
    sides = ("--both", spec) if one_set else ("--rows", spec, "--columns", others)
    for engine in ("compact", "krylov") if mapped else ("committee",):
        # Every machine makes some of the models.
        maker = machines[seed % len(machines)]
        how = ("--engine", engine, "--horizon", str(EVENTS)) if mapped else ()
        weft(maker, "run", "first.csv", *sides, *how, "--quiet", "--model", "model")

        def everything(machine, explained=engine == "krylov"):
            return ask(machine, "model", pair, explained) if mapped else ask_committee(machine, "model")

        first = everything(maker)
        for machine in machines:
            if machine != maker:
                compare(f"{name}, {engine}, made on {maker}, used on {machine}", first, everything(machine))


def main():
    every = "--all" in sys.argv[1:] or os.environ.get("WEFT_MACHINES") == "all"
    machines = find_machines()
    # One other kernel and one other number of threads.
    machines = machines if every else [machines[-1], machines[-2], machines[0]]
    began = time.monotonic()
    chosen = {name: problem for name, problem in (problems() | committee_problems()).items() if every or name in FEW}
    for seed, (name, problem) in enumerate(chosen.items()):
        with tempfile.TemporaryDirectory() as place:
            os.chdir(place)
            try_problem(name, problem, machines, seed)
            os.chdir("/")
    seconds = time.monotonic() - began
    print(f"{len(chosen)} problems on {len(machines)} machines, {checks} comparisons, {seconds:.0f} s")


main()
