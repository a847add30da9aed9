#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Random problems as files, played by `weft run` and judged by ../shared/oracle/meg_oracle.py.

    WEFT_BIN=build/weft WEFT_SOURCE_DIR=. tests/oracle/run_meg.py

The judge shares no code with weft: thresholds are taken from the predictions, everything else is recomputed.
WEFT_SEEDS=FIRST:COUNT plays other problems than those of the test; WEFT_KEEP=DIR keeps the files of those that
fail.  Exit status 77 (skipped) where the judge or numpy is missing.
"""
import contextlib
import importlib.util
import io
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

PROBLEMS = 330 if os.environ.get("WEFT_LONG") == "yes" else 110
SKIPPED = 77


def skip(why):
    print(why)
    sys.exit(SKIPPED)


def load_judge():
    source = os.environ.get("WEFT_SOURCE_DIR", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    path = os.path.join(source, "..", "shared", "oracle", "meg_oracle.py")
    if not os.path.exists(path):
        skip("needs the independent judge, which is kept outside the repository; see CONTRIBUTING.md")
    spec = importlib.util.spec_from_file_location("meg_oracle", path)
    judge = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(judge)
    return judge


# ---- side information as files ----

def write_square(path, ids, matrix, delimiter):
    with open(path, "w") as out:
        out.write(delimiter.join([""] + ids) + "\n")
        for name, line in zip(ids, matrix):
            out.write(delimiter.join([name] + [repr(float(v)) for v in line]) + "\n")


def draw_factor(rng, numpy, count):
    """B of K = BB': full rank, rank one, low rank, with a zero row, or with two equal rows."""
    flaw = rng.choice(["none", "none", "rank one", "low rank", "zero row", "equal rows"])
    rank = {"rank one": 1, "low rank": 2}.get(flaw, count + 2)
    factor = numpy.array([[rng.gauss(0, 1) for _ in range(rank)] for _ in range(count)])
    if flaw == "zero row" and count > 1:
        factor[-1] = 0
    if flaw == "equal rows" and count > 1:
        factor[-1] = factor[0]
    return factor


def write_kernel(rng, numpy, path, ids):
    factor = draw_factor(rng, numpy, len(ids))
    kernel = factor @ factor.T
    kernel = (kernel + kernel.T) / 2
    write_square(path, ids, kernel, rng.choice([",", "\t"]))
    radius = f",radius={kernel.diagonal().max() * rng.uniform(1.001, 2)!r}" if rng.random() < 0.3 else ""
    return f"kernel:{path}{radius}"


def write_matrix(rng, numpy, path, ids):
    factor = numpy.array([[rng.gauss(0, 1) for _ in ids] for _ in ids])
    matrix = factor @ factor.T + 10 ** rng.uniform(-2, 0) * numpy.eye(len(ids))
    write_square(path, ids, (matrix + matrix.T) / 2, ",")
    return f"matrix:{path}"


def write_graph(rng, numpy, path, ids):
    """Often disconnected, sometimes without some of the stream's ids, which are then joined."""
    edges = {}
    for _ in range(rng.randrange(1, 2 * len(ids) + 1)):
        a, b = rng.choice(ids), rng.choice(ids)
        if a != b:
            edges.setdefault(frozenset((a, b)), (a, b, rng.uniform(0.2, 5)))
    if not edges:
        edges[frozenset(ids[:2])] = (ids[0], ids[1], 1.0)
    weighted, delimiter = rng.random() < 0.5, rng.choice([" ", ",", "\t"])
    with open(path, "w") as out:
        if rng.random() < 0.3:
            out.write("# a comment\n")
        for a, b, weight in edges.values():
            out.write(delimiter.join([a, b] + ([repr(weight)] if weighted else [])) + "\n")
    return f"graph:{path}"


def write_classes(rng, numpy, path, ids):
    delimiter, classes = rng.choice([" ", ","]), rng.randrange(1, 5)
    with open(path, "w") as out:
        for name in ids:
            out.write(f"{name}{delimiter}class{rng.randrange(classes)}\n")
    return f"classes:{path}" + (f",epsilon={rng.choice([0, 0.05, 0.5])}" if rng.random() < 0.6 else "")


def write_features(rng, numpy, path, ids):
    kernel = rng.choice(["linear", "gaussian", "min"])
    reach, dimension = rng.uniform(2, 4), rng.randrange(1, 4)
    with open(path, "w") as out:
        for _, name in enumerate(ids):
            draw = [rng.uniform(-reach, reach) if kernel == "min" else rng.gauss(0, 1) for _ in range(dimension)]
            out.write(",".join([name] + [repr(v) for v in draw]) + "\n")
    option = {"linear": f"epsilon={rng.choice([0, 0.1, 1])}", "gaussian": f"width={10 ** rng.uniform(-0.5, 1)!r}",
              "min": f"range={reach!r}"}[kernel]
    return f"features:{path},kernel={kernel},{option}"


WRITERS = [write_kernel, write_matrix, write_graph, write_classes, write_features, write_features]


def write_side(rng, numpy, path, ids):
    """The SPEC of random side information about `ids`; a fifth of the cases know nothing."""
    if rng.random() < 0.2:
        return "none"
    writer = rng.choice(WRITERS)
    if writer is write_graph and len(ids) < 2:
        writer = write_kernel
    order = ids[:]
    rng.shuffle(order)
    return writer(rng, numpy, path, order)


# ---- streams and settings ----

def draw_labels(rng, pairs):
    style = rng.choice(["random", "blocks", "blocks", "plus", "minus", "alternating"])
    classes, noise, block = rng.randrange(1, 4), rng.choice([0, 0.1]), {}
    for t, (row, column) in enumerate(pairs):
        if style == "blocks":
            cell = (int(row[1:]) % classes, int(column[1:]) % classes)
            label = block.setdefault(cell, rng.choice([-1, 1])) * (-1 if rng.random() < noise else 1)
        else:
            label = {"random": rng.choice([-1, 1]), "plus": 1, "minus": -1, "alternating": 1 - 2 * (t % 2)}[style]
        yield label


def write_stream(rng, path, rows, columns):
    pairs = []
    for t in range(rng.randrange(30, 150)):
        again = pairs and rng.random() < 0.35
        pairs.append(rng.choice(pairs[-3:] if rng.random() < 0.5 else pairs) if again
                     else (rng.choice(rows), rng.choice(columns)))
    zero_one = rng.random() < 0.2
    with open(path, "w") as out:
        out.write("row,column,label\n")
        for (row, column), label in zip(pairs, draw_labels(rng, pairs)):
            out.write(f"{row},{column},{max(label, 0) if zero_one else label}\n")
    return zero_one


class Problem:
    """Files in `folder`, and what to say to weft and to the judge about them."""

    def __init__(self, numpy, folder, seed):
        rng = random.Random(seed)
        shape = rng.choice([(1, 5), (3, 20), (20, 3), (16, 14)] + [(rng.randrange(1, 12), rng.randrange(2, 11))] * 8)
        form = rng.choice(["paper", "paper", "balanced", "both"])
        rows, columns = [[f"{letter}{k}" for k in range(n)] for letter, n in zip("rc", shape)]
        if form == "both":
            rows = columns = [f"v{k}" for k in range(sum(shape))]
        total = len(rows) + (0 if form == "both" else len(columns))
        side = [os.path.join(folder, name) for name in ("rows.txt", "columns.txt")]
        self.stream, self.predictions = [os.path.join(folder, n) for n in ("stream.csv", "predictions.csv")]
        zero_one = write_stream(rng, self.stream, rows, columns)
        specs = (["--both", write_side(rng, numpy, side[0], rows)] if form == "both" else
                 ["--rows", write_side(rng, numpy, side[0], rows),
                  "--columns", write_side(rng, numpy, side[1], columns)])
        dimension = rng.choice([1.0, float(total)] + [max(1.0, 4 * total ** rng.uniform(0, 1))] * 4)
        gamma = 1.0 if rng.random() < 0.15 else 1 - rng.random()
        updates = rng.choice(["margin", "mistakes"])
        common = specs + ["--eta", repr(10 ** rng.uniform(-2, 1)), "--gamma", repr(gamma),
                          "--dimension", repr(dimension), "--updates", updates]
        if form == "balanced":
            common += ["--form", "balanced"]
        tolerance = rng.choice([None, None, "none", "0.001"])
        # To the judge all ids of the stream are vertices of a graph.
        joined = [word + ",missing=join" if word.startswith("graph:") else word for word in common]
        self.weft = ["run", self.stream] + joined + ["--seed", str(rng.randrange(1, 10 ** 6)), "--quiet", "--json",
                     "--predictions", self.predictions]
        self.weft += ["--tolerance", tolerance] if tolerance else []
        self.weft += ["--deterministic"] if rng.random() < 0.4 else []
        self.weft += ["--engine", "reference"] if rng.random() < 0.1 else []
        self.judge = [self.stream] + common + ["--compare", self.predictions]
        self.judge += ["--width", {None: "0.0201", "none": "1e9", "0.001": "0.00101"}[tolerance]]
        self.judge += ["--algorithm", "2"] if form == "paper" and rng.random() < 0.35 else []
        self.two, self.form = "2" in self.judge[-1:], form
        self.kinds = [spec.partition(":")[0] for spec in specs[1::2]]
        if zero_one:
            self.turn_labels()

    def turn_labels(self):
        """The predictions speak of -1 and +1; the judge is to read the same from its own copy of the stream."""
        self.judge[0] = self.stream + ".signed"
        with open(self.stream) as source, open(self.judge[0], "w") as out:
            for line in source:
                out.write(line[:-2] + "-1\n" if line.endswith(",0\n") else line)


# ---- playing and judging ----

def play(judge, problem):
    """None, or what went wrong."""
    ran = subprocess.run([os.environ["WEFT_BIN"]] + problem.weft, capture_output=True, text=True, timeout=600)
    if ran.returncode != 0:
        return f"weft ended with {ran.returncode}: {ran.stderr.strip()[-400:]}"
    report = json.loads(ran.stdout)
    said, sys.argv = io.StringIO(), ["meg_oracle.py"] + problem.judge
    try:
        with contextlib.redirect_stdout(said):
            status = judge.main()
    except SystemExit as end:
        return f"the judge ended: {end}"
    words = said.getvalue().split("\n")[-2].split()
    found = {words[k]: int(words[k + 1]) for k in (0, 2, 4)}
    if status != 0:
        return said.getvalue()[:1500]
    if report["trials"] != found["trials"] or report["updates"] != found["updates"]:
        return f"the report says {report['trials']} trials and {report['updates']} updates: {said.getvalue()}"
    return None


def keep(folder, seed):
    target = os.environ.get("WEFT_KEEP")
    if target:
        shutil.copytree(folder, os.path.join(target, str(seed)), dirs_exist_ok=True)


def main():
    try:
        import numpy
    except ImportError:
        skip("python3-numpy is missing")
    if not os.environ.get("WEFT_BIN"):
        sys.exit("WEFT_BIN is not set: the path of the program weft")
    judge = load_judge()
    first, count = (int(v) for v in os.environ.get("WEFT_SEEDS", f"1:{PROBLEMS}").split(":"))
    seen, failed, algorithm_2 = {}, 0, 0
    for seed in range(first, first + count):
        with tempfile.TemporaryDirectory() as folder:
            problem = Problem(numpy, folder, seed)
            wrong = play(judge, problem)
            algorithm_2 += problem.two
            for name in problem.kinds + [problem.form]:
                seen[name] = seen.get(name, 0) + 1
            if wrong:
                failed += 1
                keep(folder, seed)
                print(f"problem {seed}: {' '.join(problem.weft)}\n  judge: {' '.join(problem.judge)}\n  {wrong}")
    print(f"problems {count}, failed {failed}, judged with Algorithm 2: {algorithm_2}; " +
          ", ".join(f"{name} {times}" for name, times in sorted(seen.items())))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
