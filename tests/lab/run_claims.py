#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Claims of the paper on generated data, worked out in numpy from the files alone.

    WEFT_BIN=build/weft tests/lab/run_claims.py

tr(R'K^-1 R) <= k (4/delta*)^d for points in boxes; the constants of the partition kernel against those of the
PDLaplacian, which are D of `weft experiment bounds`; and k l mistakes that an adversary forces, whatever is known of
rows and columns.  Exit status 77 where numpy is missing.
"""
import csv
import io
import itertools
import math
import os
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    print("python3-numpy is missing")
    sys.exit(77)

WEFT = os.path.abspath(os.environ["WEFT_BIN"])
checks = 0


def check(held, what):
    global checks
    checks += 1
    if not held:
        sys.exit(f"FAILED: {what}")


def weft(*arguments):
    done = subprocess.run([WEFT, *map(str, arguments)], capture_output=True, text=True, timeout=600)
    check(done.returncode == 0, f"weft {' '.join(map(str, arguments))}: {done.stderr}")
    return done


def read_lines(*parts):
    with open(os.path.join(*parts)) as file:
        return [line.replace(",", " ").split() for line in file]


def read_classes(folder, side):
    return dict(read_lines(folder, f"{side}.classes"))


# ---- Boxes ----

def read_points(folder, side):
    lines = read_lines(folder, f"{side}.features")
    return [line[0] for line in lines], numpy.array([[float(v) for v in line[1:]] for line in lines])


def trace_of_boxes(points, classes, reach):
    """Trace and largest eigenvalue of R'K^-1 R of the min kernel over s(x) = (r-1)/(2r) x + (r+1)/2, and the least
    distance of two classes."""
    moved = (reach - 1) / (2 * reach) * points + (reach + 1) / 2
    kernel = numpy.minimum(moved[:, None, :], moved[None, :, :]).prod(axis=2)
    indicator = numpy.array([[c == other for other in sorted(set(classes))] for c in classes], float)
    distance = numpy.abs(points[:, None, :] - points[None, :, :]).max(axis=2)
    apart = min(distance[i, j] for i, j in itertools.combinations(range(len(classes)), 2) if classes[i] != classes[j])
    form = indicator.T @ numpy.linalg.solve(kernel, indicator)
    return numpy.trace(form), numpy.linalg.eigvalsh((form + form.T) / 2)[-1], apart


def boxes_keep_their_promise(work):
    for seed, (k, d, reach, separation) in enumerate([(2, 1, 2, 1), (5, 1, 8, 0.4), (4, 2, 3, 1.5), (6, 2, 2, 0.5),
                                                      (3, 3, 2, 0.25), (1, 2, 4, 1)]):
        folder = os.path.join(work, f"boxes{seed}")
        weft("generate", "boxes", "--out", folder, "--rows", 40, "--columns", 24, "--classes-rows", k, "--seed", seed + 1,
             "--classes-columns", 2, "--dimension", d, "--range", reach, "--separation", separation)
        for side, boxes in (("rows", k), ("columns", 2)):
            ids, points = read_points(folder, side)
            known = read_classes(folder, side)
            classes = [known[name] for name in ids]
            check(len(set(classes)) == boxes and points.shape[1] == d, f"{boxes} boxes in {d} dimensions")
            check(numpy.abs(points).max() <= reach, f"points lie in [-{reach},{reach}]^{d}")
            if boxes == 1:
                continue
            trace, largest, apart = trace_of_boxes(points, classes, reach)
            check(apart >= separation * (1 - 1e-12), f"boxes are {separation} apart, found {apart}")
            # The promise with the separation of the boxes is the weaker one: it must hold with that of the points too.
            for distance in (separation, apart):
                promise = boxes * (4 / min(2, distance / 4)) ** d
                check(0 < trace <= promise, f"tr(R'K^-1R) = {trace} of at most {promise}: {boxes} boxes, d = {d}")
                # docs/theory.md: no eigenvalue is above a k-th of that.
                check(largest <= promise / boxes, f"lambda_max(R'K^-1R) = {largest} of at most {promise / boxes}")


# ---- Partition kernel against PDLaplacian ----

def partition(sizes, epsilon=0.01):
    label = numpy.repeat(range(len(sizes)), sizes)
    kernel = (label[:, None] == label[None, :]) + epsilon * numpy.eye(len(label))
    return numpy.linalg.inv(kernel), kernel.diagonal().max(), label


def clique_star(sizes):
    label = numpy.repeat(range(len(sizes)), sizes)
    n, first = len(label), numpy.cumsum([0, *sizes[:-1]])
    edge = (label[:, None] == label[None, :]) & ~numpy.eye(n, dtype=bool)
    edge[first[0], first[1:]] = edge[first[1:], first[0]] = True
    laplacian = numpy.diag(edge.sum(axis=1)) - edge.astype(float)
    resistance = numpy.linalg.pinv(laplacian).diagonal().max()
    matrix = laplacian + numpy.ones((n, n)) / (n * n * resistance)
    return matrix, numpy.linalg.inv(matrix).diagonal().max(), label


def side_terms(matrix, radius, label):
    """k tr(R'MR) R_M; R_M sum |(R'MR)_rs|; and 2 tr(R'MR) R_M + 2k, which is for PDLaplacians."""
    indicator = numpy.array([[c == other for other in sorted(set(label))] for c in label], float)
    inner, k = indicator.T @ matrix @ indicator, indicator.shape[1]
    trace = numpy.trace(inner) * radius
    return k * trace, radius * numpy.abs(inner).sum(), 2 * trace + 2 * k, 4 * trace


def deal(n, k):
    """Sizes that differ by at most one."""
    return [n // k + (c < n % k) for c in range(k)]


def smallest(side, n, k):
    make = partition if side == "partition kernel" else clique_star
    general, sharp, laplacian, _ = side_terms(*make(deal(n, k)))
    return min(general, sharp) if side == "partition kernel" else min(general, sharp, laplacian)


def constants_are_those_of_the_experiment(work):
    out = os.path.join(work, "bounds")
    weft("experiment", "bounds", "--quick", "--runs", 1, "--quiet", "--out", out)
    with open(os.path.join(out, "bounds.csv")) as file:
        table = list(csv.DictReader(file))
    found = {}
    for line in table:
        n, k, l = (int(line[name]) for name in ("n", "k", "l"))
        if n % k or n % l:
            continue                                    # which class is larger is drawn: the star's D depends on it
        if line["part"] == "one set":
            expected = side_terms(*(partition if line["side"] == "partition kernel" else clique_star)(deal(n, k)))[3]
            if line["side"] != "partition kernel":
                expected = 4 * clique_star_trace(n, k)
        else:
            expected = smallest(line["side"], n, k) + smallest(line["side"], n, l)
        d = float(line["dimension"])
        check(abs(d / expected - 1) < 1e-4, f"D = {d}, expected {expected}: {line}")
        found[line["part"], line["side"], k, l] = d
    better = [(k, l) for part, side, k, l in found if (part, side) == ("growth", "partition kernel")
              and found[part, side, k, l] < found[part, "clique star", k, l]]
    check(len(better) >= 2, f"the partition kernel has the smaller constants (section 4.1): {found}")
    return found


def clique_star_trace(n, k):
    """R_L tr(R'LR): of one set of ids the constant of the PDLaplacian cancels."""
    matrix, radius, label = clique_star(deal(n, k))
    resistance = radius / 2
    laplacian = matrix - numpy.ones((n, n)) / (n * n * resistance)
    indicator = numpy.array([[c == other for other in range(k)] for c in label], float)
    return resistance * numpy.trace(indicator.T @ laplacian @ indicator)


# ---- k l forced mistakes ----

def play(work, pairs, labels, options):
    """Predictions of the program over the pairs; the last has no label yet."""
    stream, predictions = (os.path.join(work, name) for name in ("forced.csv", "forced-predictions.csv"))
    with open(stream, "w") as out:
        out.write("row,column,label\n" + "".join(f"{r},{c},{y}\n" for (r, c), y in zip(pairs, labels + [""])))
    weft("run", stream, *options, "--updates", "mistakes", "--predictions", predictions, "--quiet")
    with open(predictions) as file:
        return [int(line["prediction"]) for line in csv.DictReader(file)]


def an_adversary_forces_every_block(work, k, l, side):
    folder = os.path.join(work, f"adversary-{k}-{l}")
    weft("generate", "adversary", "--out", folder, "--rows", 12, "--columns", 12, "--classes-rows", k,
         "--classes-columns", l, "--seed", 3)
    row, column = (read_classes(folder, name) for name in ("rows", "columns"))
    with open(os.path.join(folder, "stream.csv")) as file:
        pairs = [(line["row"], line["column"]) for line in csv.DictReader(file)]
    blocks = [(row[r], column[c]) for r, c in pairs]
    check(len(pairs) == k * l == len(set(blocks)), "one entry of every block")
    file = {"graph": "edges", "classes": "classes"}[side]
    options = ["--rows", f"{side}:{os.path.join(folder, 'rows.' + file)}",
               "--columns", f"{side}:{os.path.join(folder, 'columns.' + file)}", "--capacity", "12x12", "--horizon", k * l,
               "--truth-rows", os.path.join(folder, "rows.classes"),
               "--truth-columns", os.path.join(folder, "columns.classes")]
    labels = []
    for t in range(k * l):
        said = play(work, pairs[:t + 1], labels, options)
        check(said[:t] == [-y for y in labels], "the past does not change")
        labels.append(-said[t])
    # Whatever was answered, it is a (k,l)-biclustered matrix: every block was asked once.
    check(len(dict(zip(blocks, labels))) == k * l, f"{k} x {l} blocks, {k * l} mistakes")
    make = {"graph": clique_star, "classes": lambda sizes: partition(sizes, 0.1)}[side]
    d = sum(min(side_terms(*make(sizes_of(classes, side)))[:3 if side == "graph" else 2]) for classes in (row, column))
    bound = 3.6 * d * min(k, l) * math.log(24)
    check(k * l <= bound, f"{k * l} mistakes are at most 3.6 D / gamma^2 log(m+n) = {bound}")


def sizes_of(classes, side):
    """In the order of the classes: the first is the centre of the star."""
    names = sorted(set(classes.values()), key=int)
    return [list(classes.values()).count(name) for name in names]


def main():
    # In memory where that can be: a journal is brought to the disk with every line.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as work:
        boxes_keep_their_promise(work)
        found = constants_are_those_of_the_experiment(work)
        an_adversary_forces_every_block(work, 3, 3, "graph")
        an_adversary_forces_every_block(work, 2, 4, "classes")
    print(f"{checks} checks; D of both kinds of side information:")
    for (part, side, k, l), d in found.items():
        print(f"  {part}, {side}, k = {k}, l = {l}: {d}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
