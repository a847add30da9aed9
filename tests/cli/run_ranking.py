"""SPDX-License-Identifier: MIT

AUC and average precision of a run, against numpy over its own predictions: exact as long as there are few scores, and
right to 1e-5 where there are more than weft keeps apart (cli/report/score_groups.h), also where many scores are equal,
and where hardly a label is +1.
"""

import json
import os
import random
import subprocess
import sys
import tempfile

import numpy

WEFT = os.environ["WEFT_BIN"]
# Trials, ids of a side, hashed features, the error allowed: more than SCORE_GROUPS_MOST, many ties, and fewer.
STREAMS = [(230000, 3000, 8, 1e-5), (210000, 12, 2, 1e-5), (20000, 300, 8, 1e-12)]
RARE = 210000  # trials, of which eight are +1, all of one class


def make_stream(path, trials, ids, seed):
    draw = random.Random(seed)
    with open(path, "w", encoding="utf-8") as file:
        for _ in range(trials):
            i, j = draw.randrange(ids), draw.randrange(ids)
            file.write(f"r{i},c{j},{1 if draw.random() < (0.8 if i % 2 else 0.3) else -1}\n")


def rank(labels, scores):
    order = numpy.argsort(-scores, kind="stable")
    plus, scores = labels[order] > 0, scores[order]
    ends = numpy.append(numpy.nonzero(numpy.diff(scores))[0], len(scores) - 1)
    above, below = numpy.cumsum(plus)[ends], ends + 1 - numpy.cumsum(plus)[ends]
    gained, lost = numpy.diff(above, prepend=0), numpy.diff(below, prepend=0)
    auc = (gained * (below[-1] - below + lost / 2)).sum() / (float(above[-1]) * below[-1])
    return auc, (gained / above[-1] * above / (above + below)).sum()


def make_rare(path, classes):
    draw = random.Random(5)
    with open(classes, "w", encoding="utf-8") as file:
        file.write("fraud A\n" + "".join(f"r{k} B\n" for k in range(3000)))
    with open(path, "w", encoding="utf-8") as file:
        for t in range(RARE):
            rare = t in (5, 6, 7) or (t >= 100000 and t % 20000 == 0 and t < 200000)
            file.write(f"fraud,c{draw.randrange(200)},1\n" if rare else f"r{draw.randrange(3000)},c{draw.randrange(200)},-1\n")


def check(place, stream, options, trials, allowed):
    out = os.path.join(place, "p.csv")
    told = json.loads(subprocess.run([WEFT, "run", stream, *options, "--predictions", out, "--quiet", "--json"],
                                     check=True, stdout=subprocess.PIPE).stdout)
    with open(out, encoding="utf-8") as file:
        columns = file.readline().rstrip("\n").split(",")
    table = numpy.loadtxt(out, delimiter=",", skiprows=1, usecols=(columns.index("label"), columns.index("margin")))
    wanted = rank(table[:, 0], table[:, 1])
    found = told["auc"], told["average_precision"]
    print(f"{trials} trials: AUC {found[0]:.9f}, exact {wanted[0]:.9f}; average precision {found[1]:.9f}, exact {wanted[1]:.9f}")
    return max(abs(a - b) for a, b in zip(found, wanted)) <= allowed


def main():
    with tempfile.TemporaryDirectory() as place:
        right = True
        stream, classes = os.path.join(place, "s.csv"), os.path.join(place, "c.txt")
        for trials, ids, features, allowed in STREAMS:
            make_stream(stream, trials, ids, trials)
            side = f"none,map=hash:{features}"
            right &= check(place, stream, ["--rows", side, "--columns", side], trials, allowed)
        make_rare(stream, classes)
        sides = ["--rows", f"classes:{classes},map=hash:4", "--columns", "none,map=hash:64", "--eta", "1", "--gamma", "1"]
        right &= check(place, stream, sides, RARE, 1e-3)
        if not right:
            sys.exit("the ranking of a run is not that of its predictions")


if __name__ == "__main__":
    main()
