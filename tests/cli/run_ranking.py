"""SPDX-License-Identifier: MIT

AUC and average precision of a run, against numpy over its own predictions: exact as long as there are few scores, and
right to 1e-5 where there are more than weft keeps apart (cli/report/score_groups.h), also where many scores are equal.
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


def check(place, trials, ids, features, allowed):
    stream, out = os.path.join(place, "s.csv"), os.path.join(place, "p.csv")
    make_stream(stream, trials, ids, trials)
    side = f"none,map=hash:{features}"
    told = json.loads(subprocess.run([WEFT, "run", stream, "--rows", side, "--columns", side, "--predictions", out, "--quiet", "--json"],
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
        if not all([check(place, *stream) for stream in STREAMS]):
            sys.exit("the ranking of a run is not that of its predictions")


if __name__ == "__main__":
    main()
