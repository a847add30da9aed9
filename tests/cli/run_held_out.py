"""SPDX-License-Identifier: MIT

weft predict --score, judged from outside: the figures against their definitions in plain Python, over the answers that
--out writes, to 1e-12, on ten files with ties; and against scikit-learn where Debian's python3-sklearn is there; all
together, and apart those whose row and column are warm, and where one or both are cold.

Intervals: of files drawn from a table of probabilities that is known, those of error, log loss, Brier score, AUC and
average precision contain the figure of a large file in at least 93 of 100 (1,000 files where WEFT_LONG is yes, else
30 and at least 25 of them).
"""

import csv
import json
import math
import os
import random
import subprocess
import sys
import tempfile

WEFT = os.path.abspath(os.environ.get("WEFT_BIN") or "build/release/weft")
LONG = os.environ.get("WEFT_LONG") == "yes"
MEASURES = ("error", "log_loss", "brier", "auc", "average_precision", "ndcg", "recall")
GROUPS = ("warm", "cold_rows", "cold_columns", "cold_both")

try:
    import numpy
    import sklearn.metrics
except ImportError:
    sklearn = None


def weft(place, *arguments):
    return subprocess.run([WEFT, *arguments], cwd=place, check=True, stdout=subprocess.PIPE, text=True).stdout


def score(place, *more):
    return json.loads(weft(place, "predict", "model", "test.csv", "--score", "--json", *more))


# ---- Made data


def truth(i, j):
    return 1 if (i % 3 + j) % 3 == 0 else -1


def learn(place, dice, options):
    """A model of some rows and columns in three classes; a third of the ids are left for later."""
    with open(place + "/rows.txt", "w", encoding="ascii") as file:
        file.writelines(f"r{i} {i % 3}\n" for i in range(30))
    with open(place + "/stream.csv", "w", encoding="ascii") as file:
        for _ in range(300):
            i, j = dice.randrange(20), dice.randrange(12)
            file.write(f"r{i},c{j},{truth(i, j) if dice.random() < 0.9 else -truth(i, j)}\n")
    weft(place, "run", "stream.csv", "--rows", "classes:rows.txt", "--columns", "none", "--quiet", "--model", "model",
         *options)


def write_test(place, dice, count, right):
    """Known and unknown ids, pairs that come again, so that there are ties; 1 line in 20 has no label.  right 0: all +1."""
    with open(place + "/test.csv", "w", encoding="ascii") as file:
        file.write("user_id,item_id,label\n")
        for _ in range(count):
            i, j = dice.randrange(33), dice.randrange(16)
            label = (truth(i, j) if dice.random() < right else -truth(i, j)) if right > 0 else 1
            file.write(f"r{i},c{j},{'' if dice.random() < 0.05 else label}\n")


# ---- The judge: a line is (row, score, probability, label 0 or 1, wrong)


def shortlist(scored, most):
    """(nDCG, recall) of one row, means over the orders of equal scores; None where it cannot rank."""
    positive = sum(label for _, label in scored)
    if positive in (0, len(scored)) or len(scored) <= most:
        return None
    gain = found = place = 0
    for own in sorted({value for value, _ in scored}, reverse=True):
        group = [label for value, label in scored if value == own]
        for _ in group:
            if place < most:
                gain += sum(group) / len(group) / math.log2(place + 2)
                found += sum(group) / len(group)
            place += 1
    room = min(most, positive)
    return gain / sum(1 / math.log2(k + 2) for k in range(room)), found / room


def rank(scored):
    """(AUC, average precision): pair by pair, and threshold by threshold."""
    plus, minus = ([value for value, label in scored if label == kind] for kind in (1, 0))
    if not plus or not minus:
        return None, None
    auc = sum((p > q) + (p == q) / 2 for p in plus for q in minus) / len(plus) / len(minus)
    above = [(sum(q >= p for q in plus), sum(q >= p for q in minus)) for p in plus]
    return auc, sum(a / (a + b) for a, b in above) / len(plus)


def lists_of(lines):
    lists = {}
    for row, value, _, label, _ in lines:
        lists.setdefault(row, []).append((value, label))
    return lists.values()


def loss_of(p, label):
    p = min(max(p, sys.float_info.epsilon), 1 - sys.float_info.epsilon)
    return -math.log(p if label else 1 - p)


def judge(lines, most):
    found = dict.fromkeys(MEASURES)
    if lines:
        found["error"] = sum(wrong for *_, wrong in lines) / len(lines)
        found["log_loss"] = sum(loss_of(p, label) for _, _, p, label, _ in lines) / len(lines)
        found["brier"] = sum((p - label) ** 2 for _, _, p, label, _ in lines) / len(lines)
        found["auc"], found["average_precision"] = rank([(line[1], line[3]) for line in lines])
    ranked = [top for top in (shortlist(scored, most) for scored in lists_of(lines)) if top is not None]
    if ranked:
        found["ndcg"], found["recall"] = (sum(values) / len(ranked) for values in zip(*ranked))
    return found


def by_scikit_learn(lines, most):
    label, value, p = (numpy.array([line[k] for line in lines]) for k in (3, 1, 2))
    found = {"log_loss": sklearn.metrics.log_loss(label, p, labels=[0, 1])}
    if 0 < label.sum() < len(label):
        found["brier"] = sklearn.metrics.brier_score_loss(label, p)
        found["auc"] = sklearn.metrics.roc_auc_score(label, value)
        found["average_precision"] = sklearn.metrics.average_precision_score(label, value)
    ranked = [sklearn.metrics.ndcg_score([[y for _, y in one]], [[x for x, _ in one]], k=most) for one in lists_of(lines)
              if 0 < sum(y for _, y in one) < len(one) and len(one) > most]
    found["ndcg"] = sum(ranked) / len(ranked) if ranked else None
    return found


# ---- Figures


def group_of(known):
    row, column = (word != "warm" for word in known.split("/"))
    return GROUPS[row + 2 * column]


def read_lines(place):
    """What --out has written, beside the labels; and how many lines have none."""
    with open(place + "/answers.csv", encoding="ascii") as file:
        answers = list(csv.DictReader(file))
    with open(place + "/test.csv", encoding="ascii") as file:
        labels = [line["label"] for line in csv.DictReader(file)]
    lines = [((a["row"], float(a["margin"] if "margin" in a else a["probability"]), float(a["probability"]),
               int(label == "1"), a["prediction"] != label), group_of(a["known"]))
             for a, label in zip(answers, labels) if label != ""]
    return lines, labels.count("")


def compare(what, found, expected, complain):
    for measure, value in expected.items():
        own = found[measure]
        if (own is None) != (value is None) or (own is not None and abs(own["value"] - value) > 1e-12):
            complain(f"{what}: {measure} is {own}, expected {value}")
        elif own is not None and own["low"] is not None and not own["low"] <= own["value"] <= own["high"]:
            complain(f"{what}: {measure} {own} is not within its interval")


def check_figures(place, complain):
    checked = 0
    for number in range(10):
        dice, most = random.Random(number), 3 if number % 2 else 10
        if number % 5 == 0:
            learn(place, dice, ["--single"] if number > 0 else [])
        write_test(place, dice, 40 + 60 * number, 0 if number == 8 else (0.9, 0.6)[number % 2])
        found = score(place, "--out", "answers.csv", "--first", str(most))
        lines, unlabelled = read_lines(place)
        if found["unlabelled"] != unlabelled or found["all"]["pairs"] != len(lines):
            complain(f"file {number}: {found['unlabelled']} lines without a label, expected {unlabelled}")
        for group in ("all", *GROUPS):
            own = [line for line, name in lines if group in ("all", name)]
            compare(f"file {number}, {group}", found[group], judge(own, most), complain)
            if sklearn is not None and own:
                compare(f"file {number}, {group}, scikit-learn", found[group], by_scikit_learn(own, most), complain)
            checked += bool(own)
    return checked


# ---- Intervals


def write_draws(place, dice, table, count):
    with open(place + "/test.csv", "w", encoding="ascii") as file:
        for _ in range(count):
            i, j = dice.randrange(20), dice.randrange(12)
            file.write(f"r{i},c{j},{1 if dice.random() < table[i][j] else -1}\n")


def check_intervals(place, complain):
    """Every row of 20 and column of 12 has been learnt; labels are drawn by a table of its own."""
    dice = random.Random(99)
    learn(place, dice, [])
    table = [[0.75 if truth(i, j) > 0 else dice.uniform(0.05, 0.45) for j in range(12)] for i in range(20)]
    files, inside = 1000 if LONG else 30, dict.fromkeys(MEASURES[:5], 0)
    write_draws(place, dice, table, 200000 if LONG else 50000)
    true = score(place)["all"]
    for _ in range(files):
        write_draws(place, dice, table, 300)
        found = score(place)["all"]
        for measure in inside:
            inside[measure] += found[measure]["low"] <= true[measure]["value"] <= found[measure]["high"]
    for measure, count in inside.items():
        if count < (0.93 if LONG else 0.82) * files:
            complain(f"{measure}: {count} of {files} intervals contain {true[measure]['value']}")
    return inside, files


def main():
    complaints = []
    with tempfile.TemporaryDirectory() as place:
        checked = check_figures(place, complaints.append)
        inside, files = check_intervals(place, complaints.append)
    for complaint in complaints:
        print(complaint)
    print(f"{checked} groups of pairs; of {files} intervals the truth is in {inside}; {len(complaints)} complaints"
          + ("" if sklearn is not None else "; scikit-learn is not installed (python3-sklearn): not compared with it"))
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
