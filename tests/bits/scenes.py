"""SPDX-License-Identifier: MIT

What tests/bits/run_processors.py plays: files that are the same wherever they are written (whole numbers and
short decimals alone, no library draws or rounds), every kind of side information, and every command that
writes or prints numbers.
"""

import os
from collections import namedtuple

# A kind: its name, the options that say what is known, the plays below, what makes it where that is not weft
# itself ("cholmod", "blas"; "": nothing else), and whether the quick selection has it.
Kind = namedtuple("Kind", "name sides plays made_by quick")

ROWS, COLUMNS, LINES, CLIQUES, CLIQUE = 14, 9, 110, 8, 12
WIDE, EXPANDER = 68, 4100  # a grid of 68 x 68 and an expander: above the size from which graphs are sparse


class Dice:
    """Whole numbers from a fixed recurrence."""

    def __init__(self, state):
        self.state = state

    def below(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % n


# ---- Files ----

def stream(dice, rows, columns, lines, row, column):
    """Pairs of a few rows and columns; a block pattern with a tenth of noise."""
    text = ["row,column,label"]
    for _ in range(lines):
        i, j = dice.below(rows), dice.below(columns)
        label = 1 if (i % 3 + j % 2) % 2 == 0 else -1
        text.append(f"{row(i)},{column(j)},{-label if dice.below(10) == 0 else label}")
    return text


def one_set(dice, lines, name):
    text = ["row,column,label"]
    for _ in range(lines):
        i = dice.below(ROWS)
        j = (i + 1 + dice.below(ROWS - 1)) % ROWS
        text.append(f"{name(i)},{name(j)},{1 if (i % 3 == j % 3) else -1}")
    return text


def ids_of_cliques():
    return [f"r{k}" for k in range(ROWS - 1)] + [f"x{k}" for k in range(CLIQUES * CLIQUE - ROWS + 1)]


def cliques():
    """Equal cliques in a ring: eigenvalues that repeat.  No edge names the last row, which joins."""
    name = ids_of_cliques()
    edges = [f"{name[b * CLIQUE + i]} {name[b * CLIQUE + j]}"
             for b in range(CLIQUES) for i in range(CLIQUE) for j in range(i)]
    edges += [f"{name[b * CLIQUE]} {name[(b + 1) % CLIQUES * CLIQUE + 1]} 0.3" for b in range(CLIQUES)]
    return edges


def grid():
    edges = []
    for i in range(WIDE * WIDE):
        if i % WIDE:
            edges.append(f"r{i} r{i - 1}")
        if i >= WIDE:
            edges.append(f"r{i} r{i - WIDE}")
    return edges


def expander(dice):
    edges = {(i, i - 1) for i in range(1, EXPANDER)}
    while len(edges) < 3 * EXPANDER:
        i, j = dice.below(EXPANDER), dice.below(EXPANDER)
        if i > j:
            edges.add((i, j))
    return [f"r{i} r{j}" for i, j in sorted(edges)]


def square(name, entry, n):
    head = "id " + " ".join(name(i) for i in range(n))
    return [head] + [f"{name(i)} " + " ".join(entry(max(i, j), min(i, j)) for j in range(n)) for i in range(n)]


def kernel_entry(i, j):
    """Blocks of 10, alike within: semidefinite, with eigenvalues that repeat."""
    return "1.3" if i == j else "0.4" if i // 10 == j // 10 else "0.1"


def crooked_entry(i, j):
    """A circulant matrix, which has pairs of equal eigenvalues, some below 0."""
    return ("1", "0.7", "0.2", "0.6")[min(i - j, 90 - i + j)] if min(i - j, 90 - i + j) < 4 else "0"


def matrix_entry(i, j):
    return "4.1" if i == j else "-0.9" if i - j in (1, 7) else "0"


def features(dice, name, n, numbers):
    return [f"{name(i)}," + ",".join(f"{dice.below(4001) / 1000 - 2:.3f}" for _ in range(numbers)) for i in range(n)]


def sparse_features(dice, name, n):
    return [f"{name(i)} " + " ".join(f"{k}:{1 + dice.below(900) / 100:.2f}" for k in range(1 + i % 3, 12, 3))
            for i in range(n)]


def write_files(folder):
    """All files of all kinds."""
    dice = Dice(1)

    def row(i):
        return f"r{i}"

    def column(j):
        return f"c{j}"

    files = {
        "stream.csv": stream(dice, ROWS, COLUMNS, LINES, row, column),
        "more.csv": stream(dice, ROWS, COLUMNS, 25, row, column),
        "pairs.csv": [f"r{i},c{j}" for i in range(ROWS) for j in range(0, COLUMNS, 2)],
        "same.csv": one_set(dice, LINES, row),
        "same-more.csv": one_set(dice, 25, row),
        "same-pairs.csv": [f"r{i},r{j}" for i in range(0, ROWS, 2) for j in range(1, ROWS, 2)],
        "rows.classes": [f"r{i} k{i % 3}" for i in range(ROWS)],
        "columns.classes": [f"c{j} k{j % 2}" for j in range(COLUMNS)],
        "some.classes": [f"r{i} k{i % 3}" for i in range(ROWS - 3)],
        "cliques.edges": cliques(),
        "columns.edges": [f"c{j} c{j + 1} 1.{j}" for j in range(COLUMNS - 1)],
        "grid.edges": grid(),
        "expander.edges": expander(dice),
        "kernel.txt": square(row, kernel_entry, 80),
        "crooked.txt": square(row, crooked_entry, 90),
        "matrix.txt": square(row, matrix_entry, 90),
        "rows.features": features(dice, row, 70, 4),
        "columns.features": features(dice, column, COLUMNS, 3),
        "sparse.features": sparse_features(dice, row, 70),
        "rows.truth": [f"{name} k{len(name) % 3}" for name in ids_of_cliques()] + [f"r{ROWS - 1} k1"],
        "candidates.txt": [f"c{j}" for j in range(COLUMNS)],
    }
    for name, lines in files.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8", newline="\n") as file:
            file.write("\n".join(lines) + "\n")


# ---- Kinds ----

def two_sides(rows, columns="none"):
    return ["--rows", rows, "--columns", columns]


def kinds():
    """Every kind of side information that a SPEC can ask for, then what needs none."""
    learners = ("committee", "single")
    graph, large, wild = "graph:cliques.edges", "graph:grid.edges", "graph:expander.edges"
    points, sparse = "features:rows.features", "features:sparse.features"
    hashed = "none,map=hash:12"
    crooked = "kernel:crooked.txt"
    return [
        Kind("none", two_sides("none"), learners, "", True),
        Kind("classes", two_sides("classes:rows.classes", "classes:columns.classes"), learners, "", False),
        Kind("classes alone", two_sides("classes:some.classes,epsilon=0.3,missing=alone"), learners, "", False),
        Kind("graph", two_sides(graph, "graph:columns.edges"), learners, "", True),
        Kind("graph unit", two_sides(graph + ",scale=unit"), learners, "", False),
        Kind("graph normalised", two_sides(graph + ",laplacian=normalised"), learners, "", False),
        Kind("graph regularised", two_sides(graph + ",kernel=regularised,sigma=0.7"), learners, "", False),
        Kind("graph regularised normalised unit",
             two_sides(graph + ",kernel=regularised,sigma=0.7,laplacian=normalised,scale=unit"), learners, "", False),
        Kind("graph diffusion", two_sides(graph + ",kernel=diffusion,time=0.8"), learners, "", True),
        Kind("graph diffusion normalised unit",
             two_sides(graph + ",kernel=diffusion,time=3,laplacian=normalised,scale=unit"), learners, "", False),
        Kind("graph without a kernel", two_sides(graph + ",kernel=none,missing=alone"), learners, "", False),
        Kind("large graph by its edges", two_sides(large), ("committee",), "", False),
        Kind("graph alone", two_sides(graph + ",missing=alone"), learners, "", False),
        Kind("large graph", two_sides(large), ("single",), "cholmod", False),
        Kind("large graph unit", two_sides(large + ",scale=unit"), ("single",), "cholmod", False),
        Kind("large graph regularised", two_sides(large + ",kernel=regularised,sigma=0.7"), ("single",),
             "cholmod", False),
        Kind("large graph diffusion", two_sides(large + ",kernel=diffusion,time=0.8"), ("single",), "", False),
        Kind("large graph by iteration", two_sides(wild + ",kernel=regularised,sigma=0.1") + ["--memory", "15M"],
             ("single",), "", False),
        Kind("kernel", two_sides("kernel:kernel.txt"), learners, "", False),
        Kind("kernel clipped", two_sides(crooked + ",repair=clip"), learners, "", True),
        Kind("kernel shifted", two_sides(crooked + ",repair=shift"), learners, "", False),
        Kind("matrix", two_sides("matrix:matrix.txt"), learners, "", False),
        Kind("features linear", two_sides(points + ",kernel=linear,epsilon=0.1"), learners, "", False),
        Kind("features gaussian", two_sides(points + ",kernel=gaussian,width=1.1",
                                            "features:columns.features,kernel=gaussian,width=0.8"),
             learners, "", True),
        Kind("features min", two_sides(points + ",kernel=min,range=2"), learners, "", False),
        Kind("features sparse linear", two_sides(sparse + ",kernel=linear,epsilon=0.1"), learners, "", False),
        Kind("features sparse gaussian", two_sides(sparse + ",kernel=gaussian,width=9"), learners, "", False),
        Kind("features linear exact", two_sides(points + ",kernel=linear,epsilon=0",
                                                "classes:columns.classes,epsilon=0"), ("compact",), "", False),
        Kind("map hash", two_sides(hashed, hashed), ("compact", "half-life"), "", True),
        Kind("map hash of classes", two_sides("classes:rows.classes,map=hash:9", hashed), ("compact",), "", False),
        Kind("map hash of features", two_sides(points + ",kernel=linear,epsilon=0.1,map=hash:9", hashed),
             ("compact",), "", False),
        Kind("map fourier", two_sides(points + ",kernel=gaussian,width=1.1,map=fourier:16+hash:4", hashed),
             ("compact",), "", True),
        Kind("map eigen", two_sides(graph + ",missing=alone,map=eigen:10+hash:6", hashed), ("compact",), "", True),
        Kind("map eigen of a diffusion",
             two_sides(graph + ",missing=alone,kernel=diffusion,time=0.8,map=eigen:10+hash:6", hashed),
             ("compact",), "", False),
        Kind("map eigen of a kernel", two_sides("kernel:kernel.txt,map=eigen:9", hashed), ("compact",), "", False),
        Kind("map eigen of a clipped kernel", two_sides(crooked + ",repair=clip,map=eigen:9", hashed),
             ("compact",), "", False),
        Kind("map eigen of a matrix", two_sides("matrix:matrix.txt,map=eigen:9", hashed), ("compact",), "", False),
        Kind("map eigen of features", two_sides(points + ",kernel=gaussian,width=1.1,map=eigen:9", hashed),
             ("compact",), "", False),
        Kind("map eigen of a large graph", two_sides(large + ",map=eigen:10+hash:6", hashed), ("compact",),
             "cholmod", False),
        Kind("map eigen of a large diffusion",
             two_sides(large + ",kernel=diffusion,time=0.8,map=eigen:10+hash:6", hashed), ("compact",), "", False),
        Kind("names hashed", two_sides(hashed + ",names=hashed", hashed), ("compact",), "", False),
        Kind("one set: none", ["--both", "none"], learners, "", False),
        Kind("one set: classes", ["--both", "classes:rows.classes"], learners, "", False),
        Kind("one set: graph", ["--both", graph], learners, "", True),
        Kind("one set: graph unit", ["--both", graph + ",scale=unit"], learners, "", False),
        Kind("one set: large graph", ["--both", large], ("single",), "cholmod", False),
        Kind("one set: kernel", ["--both", "kernel:kernel.txt"], learners, "", False),
        Kind("one set: features", ["--both", points + ",kernel=gaussian,width=1.1"], learners, "", False),
        Kind("one set: map eigen", ["--both", graph + ",missing=alone,map=eigen:10+hash:6"], ("compact",), "",
             False),
        Kind("options and commands: none", two_sides("none"), ("commands",), "", False),
        Kind("options and commands: graph", two_sides(graph, "graph:columns.edges"), ("commands",), "", True),
        Kind("reference engine", two_sides(graph), ("reference",), "blas", False),
        Kind("generate", [], ("generate",), "", True),
        Kind("weft graph", [], ("neighbours",), "", True),
        Kind("bound of boxes", [], ("boxes",), "", True),
        Kind("experiments", [], ("experiments",), "", False),
        Kind("experiment equivalence", [], ("equivalence",), "blas", False),
    ]


# ---- Plays: lists of commands.  A word that begins with @ is a model of the first setting. ----

def play_learner(kind, name, options, asks):
    """A run that leaves the model NAME.weft, and what can be asked of any model; of a large graph, little."""
    both = kind.sides[0] == "--both"
    first, more, pairs = ("same.csv", "same-more.csv", "same-pairs.csv") if both else \
        ("stream.csv", "more.csv", "pairs.csv")
    model, large = f"{name}.weft", "large" in kind.name
    limit = kind.sides[2:] if both else kind.sides[4:]
    candidates = ["--candidates", "candidates.txt"] if "names=hashed" in " ".join(kind.sides) else []
    yield ["run", first, *kind.sides, *options, "--model", model, "--predictions", f"{name}.csv", "--json"]
    yield ["run", more, "--resume", model, *limit, "--model", f"{name}-resumed.weft", "--quiet", "--json"]
    for of in (model, f"@{model}"):
        own = ("there-" if of[0] == "@" else "") + name
        yield ["predict", of, pairs, *limit, "--out", f"{own}-predict.csv"]
        if not large:
            yield ["top", of, "--row", "r1", "--row", "r5", "-n", "6", *limit, *candidates, "--out", f"{own}-top.csv"]
    if large:
        return
    yield ["inspect", model, *limit, "--json"]
    if asks:
        yield from ask_pairs(name, limit, both)


def ask_pairs(name, limit, both):
    """What needs the pairs that were learnt."""
    model, column = f"{name}.weft", "r4" if both else "c2"
    yield ["top", model, "--row", "r2", "--exclude-seen", "--keep", *limit]
    yield ["explain", model, "r3", column, *limit, "--json", "--picture", f"{name}-explain.svg"]
    yield ["forget", model, "--row", "r3", *limit, "--model", f"{name}-forgot.weft"]
    yield ["merge", model, model, *limit, "--model", f"{name}-merged.weft"]
    yield ["evidence", model, *limit, "--out", f"{name}-evidence.csv"]


def capacity(kind):
    return ["--capacity", "200" if kind.sides[0] == "--both" else "200x20"]


def play_single(kind):
    first = "same.csv" if kind.sides[0] == "--both" else "stream.csv"
    yield ["check", first, *kind.sides, "--json"]
    yield from play_learner(kind, "single", ["--single"], True)
    if "large" not in kind.name:
        yield ["evidence", "single.weft", "--import", "single-evidence.csv", "--model", "single-twice.weft"]


def play_commands(kind):
    """Options of a run beside the usual ones, and the commands that play a stream themselves."""
    yield from play_learner(kind, "balanced", ["--form", "balanced"], True)
    yield ["run", "stream.csv", *kind.sides, "--updates", "mistakes", "--randomised", "--seed", "3",
           "--precision", "double", "--model", "mistakes.weft", "--predictions", "mistakes.csv", "--json"]
    yield ["run", "stream.csv", *kind.sides, "--single", "--truth-columns", "columns.classes", "--truth-rows",
           "rows.truth", "--delay", "3", "--predictions", "delay.csv", "--json"]
    yield ["compare", "stream.csv", *kind.sides, "--limit", "60", "--no-times", "--json", "--picture", "compare.svg"]
    yield ["bound", *kind.sides, *capacity(kind), "--horizon", "900", "--truth-rows", "rows.truth",
           "--truth-columns", "columns.classes", "--json"]


def play_compact(kind):
    first = "same.csv" if kind.sides[0] == "--both" else "stream.csv"
    yield ["check", first, *kind.sides, "--json"]
    yield from play_learner(kind, "compact", [], False)


def play_half_life(kind):
    yield from play_learner(kind, "half-life", ["--half-life", "30", "--floor", "2"], False)


def play_reference(kind):
    yield from play_learner(kind, "reference", ["--engine", "reference"], False)


def play_generate(_):
    size = ["--rows", "24", "--columns", "18"]
    for name, options in (("biclustered", [*size, "--graph-noise", "0.1"]),
                          ("community", ["--rows", "24", "--graph-noise", "0.1", "--protocol", "authors"]),
                          ("boxes", [*size, "--dimension", "3"]), ("adversary", []),
                          ("drift", [*size, "--trials", "300", "--period", "70"]), ("growing", size),
                          ("positives", [*size, "--trials", "300"])):
        yield ["generate", name, *options, "--seed", "5", "--out", name]


def play_neighbours(_):
    for metric in ("cosine", "euclidean"):
        for name in ("rows.features", "sparse.features"):
            yield ["graph", name, "-k", "5", "--metric", metric, "--weighted", "--out", f"{metric}-{name}"]
    yield ["graph", "rows.features", "-k", "4", "--mutual"]


def play_boxes(_):
    yield ["bound", "--box-separation", "0.7", "--classes-rows", "3", "--classes-columns", "4", "--capacity",
           "50x60", "--horizon", "5000", "--json"]


def play_experiments(_, names=("table1", "variants", "bounds", "sidehelp", "tightness", "community", "boxes")):
    """One small run of each; `scaling` measures times and nothing else, `equivalence` the reference engine too."""
    for name in names:
        yield ["experiment", name, "--quick", "--runs", "1", "--quiet", "--out", "experiments"]


def play_planted(rate):
    """One learner with this learning rate."""
    yield ["run", "stream.csv", *two_sides("graph:cliques.edges"), "--eta", rate, "--predictions", "planted.csv"]


PLAYS = {
    "committee": lambda kind: play_learner(kind, "committee", ["--picture", "committee.svg"], True),
    "single": play_single,
    "commands": play_commands,
    "compact": play_compact,
    "half-life": play_half_life,
    "reference": play_reference,
    "generate": play_generate,
    "neighbours": play_neighbours,
    "boxes": play_boxes,
    "experiments": play_experiments,
    "equivalence": lambda kind: play_experiments(kind, ("equivalence",)),
}


def commands(kind):
    """All commands of a kind, in order: later ones ask what earlier ones wrote."""
    for what in kind.plays:
        yield from PLAYS[what](kind)
