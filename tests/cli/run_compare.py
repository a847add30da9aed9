"""SPDX-License-Identifier: MIT

The sentence of weft compare is right, and so are the figures of its table.

Made data, six seeds of each kind (twenty where WEFT_LONG is yes); at most one sentence of each kind may be wrong.

helpful   Four classes of rows; every column has the label +1 for two of them, -1 for the others, and one label in ten
          is turned round.  A row occurs three or four times, so that something can be learnt of it without its class,
          which is the side information, and much more with it.  Right is "helps".
useless   The same stream with the classes shuffled over the rows, told so softly (epsilon=300, as for helpful) that
          the wrong belief does little harm.  Right is "makes no difference beyond noise", as 59 of sixty seeds say
          (mean of z -0.3, deviation 1.35).
coins     Every row occurs once and the classes are shuffled: the label is a fair coin given all that came before, with
          or without what is told about the row.  Right is "makes no difference beyond noise".
harmful   Forty rows that occur 25 times each: two patterns and their opposites.  Without side information weft learns
          them; the side information puts every pattern into one class with its opposite.  Right is "hurts".

By the area under the ROC curve and by average precision: of a few coin flips nothing is claimed.

The figures are computed again here: from the margins that weft run writes when it plays the same stream with the same
learning rate, and to the last digit from the distances of a kernel, which the script knows.

The committee of the table is that of weft run --committee, to the last digit, and what is said of it beside the others
follows from the table.
"""

import csv
import itertools
import json
import math
import os
import random
import subprocess
import sys
import tempfile

WEFT = os.environ.get("WEFT_BIN") or "build/release/weft"
WRONG = 1
MOST = 10
PREDICTED_WORD = {"helpful": "helps", "useless": "no difference", "coins": "no difference", "harmful": "hurts"}
SAID = {"helps": "rows helps", "no difference": "rows makes no difference beyond noise", "hurts": "rows hurts"}


def count_seeds():
    """Twenty in the long form.  Of sentences that are wrong half of the time six let one in nine pass: 7 / 2^6."""
    return 20 if os.environ.get("WEFT_LONG") == "yes" else 6


def turn(label, dice):
    return -label if dice.random() < 0.1 else label


def make_halves(dice, rows, columns, count):
    """(trials, class of each row): `count` cells, or one of each row where it is None."""
    halves = [dice.sample([1, 1, -1, -1], 4) for _ in range(columns)]
    classes = [dice.randrange(4) for _ in range(rows)]
    if count is None:
        cells = [(row, dice.randrange(columns)) for row in range(rows)]
    else:
        cells = dice.sample([(row, column) for row in range(rows) for column in range(columns)], count)
    return [(row, column, turn(halves[column][classes[row]], dice)) for row, column in cells], classes


def make_warm(dice, rows, columns, count):
    """(trials, class of each row): patterns 0 and 1 are opposite, and so are 2 and 3."""
    first = [[dice.choice((-1, 1)) for _ in range(columns)] for _ in range(2)]
    patterns = [[sign * label for label in pattern] for pattern in first for sign in (1, -1)]
    classes = [row % 4 for row in range(rows)]
    dice.shuffle(classes)
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    dice.shuffle(cells)
    return [(row, column, turn(patterns[classes[row]][column], dice)) for row, column in cells[:count]], classes


def make(kind, seed):
    dice = random.Random(f"{kind != 'harmful'} {seed}")
    if kind == "harmful":
        trials, classes = make_warm(dice, 40, 30, 1000)
        return trials, [number // 2 for number in classes]
    trials, classes = make_halves(dice, 500, 10, None) if kind == "coins" else make_halves(dice, 150, 10, 500)
    if kind != "helpful":
        dice.shuffle(classes)
    return trials, classes


def write(place, trials, classes):
    with open(os.path.join(place, "stream.csv"), "w", encoding="ascii") as file:
        file.writelines(f"r{row},c{column},{label}\n" for row, column, label in trials)
    with open(os.path.join(place, "classes.txt"), "w", encoding="ascii") as file:
        file.writelines(f"r{row} k{number}\n" for row, number in enumerate(classes))


def weft(place, *arguments):
    done = subprocess.run([os.path.realpath(WEFT), *arguments], cwd=place, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def compare(place, *more, side="classes:classes.txt"):
    return json.loads(weft(place, "compare", "stream.csv", "--rows", side, "--columns", "none", "--json", "--quiet",
                           "--threads", "2", *more))


def check_sentences(place, complain):
    seeds = count_seeds()
    for kind, word in PREDICTED_WORD.items():
        wrong, scores = 0, []
        side = "classes:classes.txt,epsilon=300" if kind in ("helpful", "useless") else "classes:classes.txt"
        for seed in range(seeds):
            write(place, *make(kind, seed))
            result = compare(place, "--no-times", "--no-committee", side=side)
            found = result["verdicts"][0]
            scores.append(found["z"])
            right = found["verdict"] == word
            wrong += not right
            if not right:
                print(f"{kind}, seed {seed}: {result['sentence']}")
            if right and SAID[word] not in result["sentence"]:
                complain(f"{kind}, seed {seed}: the verdict is {word}, but the sentence says {result['sentence']}")
        print(f"{kind}: z from {min(scores):.1f} to {max(scores):.1f}; {wrong} of {seeds} sentences are wrong, "
              f"{WRONG} may be", flush=True)
        if wrong > WRONG:
            complain(f"{kind}: {wrong} sentences are wrong")


def check_coin_flips(place, complain):
    """Forty trials are some six blocks, so that |z| <= sqrt(6): no sentence may claim anything."""
    claims, seeds = 0, count_seeds()
    for measure in ("auc", "precision"):
        for trials, seed in itertools.product((8, 16, 40), range(seeds)):
            dice = random.Random(f"{trials} {seed}")
            write(place, [(dice.randrange(6), dice.randrange(6), dice.choice((-1, 1))) for _ in range(trials)],
                  [dice.randrange(2) for _ in range(6)])
            result = compare(place, "--no-times", "--no-committee", "--best", measure)
            found = [each["verdict"] for each in [*result["verdicts"], result["rival"]]]
            if any(word != "no difference" for word in found):
                claims += 1
                print(f"{trials} coin flips, seed {seed}: {result['sentence']}")
    print(f"coin flips: {claims} of {6 * seeds} sentences claim something")
    if claims > 0:
        complain(f"{claims} sentences claim something of coin flips")


# ---- The figures, once more ----


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else None


def auc(scored):
    """Every pair of a +1 and a -1."""
    above = [score for score, label in scored if label > 0]
    below = [score for score, label in scored if label < 0]
    return mean((a > b) + 0.5 * (a == b) for a in above for b in below)


def average_precision(scored):
    total, positive = 0, sum(label > 0 for _, label in scored)
    for threshold in {score for score, label in scored if label > 0}:
        kept = [label for score, label in scored if score >= threshold]
        here = sum(label > 0 for score, label in scored if score == threshold)
        total += here / positive * sum(label > 0 for label in kept) / len(kept)
    return total


def shortlist(scored):
    """(nDCG, recall) of the first ten, or None; scores are distinct here."""
    positive = sum(label > 0 for _, label in scored)
    if len(scored) <= MOST or positive in (0, len(scored)):
        return None
    first = [label > 0 for _, label in sorted(scored, reverse=True)[:MOST]]
    gain = sum(hit / math.log2(place + 2) for place, hit in enumerate(first))
    ideal = sum(1 / math.log2(place + 2) for place in range(min(MOST, positive)))
    return gain / ideal, sum(first) / min(MOST, positive)


def first_trials(names):
    """Places of trials of which one name, or one of two, is new."""
    seen, places = set(), []
    for t, name in enumerate(names):
        new = set(name if isinstance(name, tuple) else [name]) - seen
        if new:
            places.append(t)
        seen |= new
    return places


def mean_shortlists(lists):
    """(nDCG, recall), means over those lists that have them."""
    found = [each for each in map(shortlist, lists) if each]
    return mean(each[0] for each in found), mean(each[1] for each in found)


def figures(lines):
    scored = [(float(line["margin"]), int(line["label"])) for line in lines]
    wrong = [line["prediction"] != line["label"] for line in lines]
    rows = sorted({line["row"] for line in lines})
    ndcg, recall = mean_shortlists([score for score, line in zip(scored, lines) if line["row"] == row] for row in rows)
    return {
        "mistakes": sum(wrong), "error": mean(wrong), "last_half": mean(wrong[len(wrong) // 2:]),
        "auc": auc(scored), "average_precision": average_precision(scored),
        "ndcg_10": ndcg, "recall_10": recall,
        "cold_rows": mean(wrong[t] for t in first_trials([line["row"] for line in lines])),
        "cold_columns": mean(wrong[t] for t in first_trials([line["column"] for line in lines])),
    }


def check_figures(place, complain):
    """With --form, so that each line of the table is one run of weft run.  Scores are margins before the label, those of
    weft run are narrowed by it, so that what ranks may differ a little."""
    write(place, *make("harmful", 0))
    for form in ("paper", "balanced"):
        for line in compare(place, "--form", form)["contestants"]:
            if line["kind"] != "weft" or line["shuffled"]:
                continue
            rate = next(rate["eta"] for rate in line["rates"] if rate["rate"] == line["best"])
            side = "none" if line["knows"] == "none" else "classes:classes.txt"
            weft(place, "run", "stream.csv", "--rows", side, "--columns", "none", "--deterministic", "--eta", repr(rate),
                 "--form", form, "--quiet", "--predictions", "out.csv")
            with open(os.path.join(place, "out.csv"), encoding="ascii") as file:
                expected = figures(list(csv.DictReader(file)))
            ranks = {name: expected.pop(name) for name in ("auc", "average_precision", "ndcg_10", "recall_10")}
            check_line(line, expected, 1e-12, complain)
            check_line(line, ranks, 0.02, complain)


def check_line(line, expected, near, complain):
    for name, value in expected.items():
        if line[name] is None or abs(line[name] - value) > near:
            complain(f"{line['name']}: {name} is {line[name]}, expected {value}")


def check_distance(place, complain):
    """One set of 30 points in the plane under the linear kernel, so that the distance is theirs; a pair of them belongs
    together where both lie on one side of a line, more or less."""
    dice = random.Random(1)
    points = [(dice.gauss(0, 1), dice.gauss(0, 1)) for _ in range(30)]
    pairs = [(i, j) for i in range(30) for j in range(i)]
    dice.shuffle(pairs)
    trials = [(i, j, turn(1 if points[i][0] * points[j][0] > 0 else -1, dice)) for i, j in pairs]
    with open(os.path.join(place, "pairs.csv"), "w", encoding="ascii") as file:
        file.writelines(f"p{i},p{j},{label}\n" for i, j, label in trials)
    with open(os.path.join(place, "points.csv"), "w", encoding="ascii") as file:
        file.writelines(f"p{i},{x!r},{y!r}\n" for i, (x, y) in enumerate(points))
    scored = [(-math.dist(points[i], points[j]), label) for i, j, label in trials]
    cuts = sorted([-math.inf, math.inf] + [score for score, _ in scored])
    cut = min(cuts, key=lambda cut: sum((score >= cut) != (label > 0) for score, label in scored))
    wrong = [(score >= cut) != (label > 0) for score, label in scored]
    cold = first_trials([(i, j) for i, j, _ in trials])
    ndcg, recall = mean_shortlists([score for score, (i, j, _) in zip(scored, trials) if k in (i, j)]
                                   for k in range(30))
    result = json.loads(weft(place, "compare", "pairs.csv", "--both", "features:points.csv,kernel=linear,epsilon=0",
                             "--json", "--quiet", "--no-times"))
    lines = {line["name"]: line for line in result["contestants"]}
    if len(lines) != len(result["contestants"]):
        complain("two contestants have one name")
    check_line(lines["kernel distance, best threshold"],
               {"mistakes": sum(wrong), "error": mean(wrong), "last_half": mean(wrong[len(wrong) // 2:]),
                "auc": auc(scored), "average_precision": average_precision(scored), "ndcg_10": ndcg, "recall_10": recall,
                "cold_rows": mean(wrong[t] for t in cold)}, 1e-9, complain)
    # Equal scores, in random order: every place has a +1 as often as the whole list.
    shares = [(sum(label > 0 for i, j, label in trials if k in (i, j)), 29) for k in range(30)]
    whole = sum(1 / math.log2(place + 2) for place in range(MOST))
    check_line(lines["best constant in hindsight"],
               {"auc": 0.5, "average_precision": mean(label > 0 for _, _, label in trials),
                "ndcg_10": mean(positive / count * whole /
                                sum(1 / math.log2(place + 2) for place in range(min(MOST, positive)))
                                for positive, count in shares if 0 < positive < count),
                "recall_10": mean(positive / count * MOST / min(MOST, positive)
                                  for positive, count in shares if 0 < positive < count)}, 1e-9, complain)


# ---- The committee ----


def make_committee_streams(place):
    """(name, stream, sides): classes, long enough for some members to be put to rest; a graph with lines that have no
    label; one set of ids, which are points of the plane (check_distance wrote them)."""
    dice = random.Random(7)
    trials, classes = make_warm(dice, 60, 40, 2000)
    write(place, trials, classes)
    # Listed as they come, so that a run of nothing numbers and hashes them alike.
    with open(os.path.join(place, "stream.csv"), encoding="ascii") as file:
        met = list(dict.fromkeys(line.split(",")[0] for line in file))
    path = os.path.join(place, "classes.txt")
    with open(path, encoding="ascii") as file:
        told = sorted(file.read().splitlines(), key=lambda line: met.index(line.split()[0]) if line.split()[0] in met else len(met))
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(told) + "\n")
    with open(os.path.join(place, "graph.txt"), "w", encoding="ascii") as file:
        file.writelines(f"v{i} v{(i + step) % 20}\n" for i in range(20) for step in (1, 2))
    with open(os.path.join(place, "graph.csv"), "w", encoding="ascii") as file:
        for t in range(400):
            i, column = dice.randrange(20), dice.randrange(6)
            label = turn(1 if (i < 10) == (column < 3) else -1, dice)
            file.write(f"v{i},c{column},{'' if t % 7 == 3 else label}\n")
    return [("classes", "stream.csv", ["--rows", "classes:classes.txt", "--columns", "none"]),
            ("graph", "graph.csv", ["--rows", "graph:graph.txt", "--columns", "none"]),
            ("one set", "pairs.csv", ["--both", "features:points.csv,kernel=linear,epsilon=0"])]


def check_committee(place, complain):
    """The row of the table against weft run --committee.  Lines without a label are left out by weft compare, so that
    every label is that of its own line: --open 0."""
    for name, stream, sides in make_committee_streams(place):
        result = json.loads(weft(place, "compare", stream, *sides, "--json", "--quiet", "--no-times", "--threads", "2"))
        run = json.loads(weft(place, "run", stream, *sides, "--committee", "--json", "--quiet", "--open", "0",
                              "--predictions", "out.csv"))
        with open(os.path.join(place, "out.csv"), encoding="ascii") as file:
            lines = [line for line in csv.DictReader(file) if line["label"] in ("1", "-1")]
        wrong = [line["prediction"] != line["label"] for line in lines]
        row = next(line for line in result["contestants"] if line.get("default"))
        if name == "classes" and all(member["awake"] for member in run["members"]):
            complain(f"{name}: nobody was put to rest, so that little is tested")
        if (row["mistakes"], row["auc"]) != (run["mistakes"], run["auc"]) or not 0 < row["mistakes"] < len(lines):
            complain(f"{name}: the committee makes {row['mistakes']} mistakes, AUC {row['auc']}, but that of weft run "
                     f"{run['mistakes']}, {run['auc']}")
        pairs = [(line["row"], line["column"]) for line in lines]
        cold = first_trials(pairs if name == "one set" else [row for row, _ in pairs])
        check_line(row, {"mistakes": sum(wrong), "error": mean(wrong), "last_half": mean(wrong[len(wrong) // 2:]),
                         "average_precision": run["average_precision"], "cold_rows": mean(wrong[t] for t in cold)},
                   1e-12, complain)
        check_yardsticks(name, result, complain)
        if name == "classes":  # of others a run of nothing would number the ids otherwise, and hash them otherwise
            check_worth(place, name, stream, sides, result, complain)
        check_alone(place, [stream, *sides], result, complain)


def probabilities(place, stream, sides):
    """Of what came to pass, of every line with a label, and whether the prediction was wrong."""
    weft(place, "run", stream, *sides, "--committee", "--quiet", "--open", "0", "--predictions", "second.csv")
    with open(os.path.join(place, "second.csv"), encoding="ascii") as file:
        lines = [line for line in csv.DictReader(file) if line["label"] in ("1", "-1")]
    return [(float(line["probability"]) if line["label"] == "1" else 1 - float(line["probability"]),
             line["prediction"] != line["label"]) for line in lines]


def check_difference(name, found, with_, without, trials, complain):
    """Blocks of the least power of 2 that makes no more of them than trials in one, and at most 255."""
    length = 1
    while len(with_) // length > length or len(with_) // length > 255:
        length *= 2
    blocks = [sum(without[t:t + length]) - sum(with_[t:t + length]) for t in range(0, len(with_), length)]
    reach = 1.959963984540054 * math.sqrt(sum(block * block for block in blocks))
    saved = sum(without) - sum(with_)
    expected = {"with": sum(with_), "without": sum(without), "saved": saved, "low": saved - reach, "high": saved + reach}
    for field, value in expected.items():
        if abs(found[field] - value / trials) > 1e-9 * max(1, abs(value)):
            complain(f"{name}: {field} is {found[field]}, expected {value / trials}")


def check_worth(place, name, stream, sides, result, complain):
    """What the second run is said to lose is what it loses; rows alone are known."""
    runs = sides, ["--rows", "none", "--columns", "none"]
    with_, without = (probabilities(place, stream, known) for known in runs)
    found = result["worth"]["rows"]
    losses = [[-math.log(p) for p, _ in run] for run in (with_, without)]
    check_difference(name, found["log_loss"], *losses, len(with_), complain)
    wrong = [[float(wrong) for _, wrong in run] for run in (with_, without)]
    check_difference(name, found["mistakes"], *wrong, 1, complain)
    low, high, loss = (found["log_loss"][end] for end in ("low", "high", "with"))
    rare = min(result["positive"], result["trials"] - result["positive"])
    verdict = "helps" if low > 0 else "at_most" if rare >= 100 and high <= 0.01 * loss else "unclear"
    if found["verdict"] != verdict:
        complain(f"{name}: {found['verdict']}, expected {verdict}")


def check_yardsticks(name, result, complain):
    """By error the table has the fewest mistakes of everybody: of them, and in the sentence, stand ratio and words."""
    said, sentence = result["committee"], result["committee"]["sentence"]
    for kind in ("rival", "weft"):
        fewest = min(line["mistakes"] for line in result["contestants"]
                     if line["kind"] == kind and not line.get("shuffled"))
        words = ("fewer than" if said["mistakes"] < fewest else
                 "more than" if said["mistakes"] > fewest else "as many as")
        best = (f"{words} the best {'rival' if kind == 'rival' else 'weft setting'} ("
                f"{said['mistakes'] / fewest:.3f} times the {fewest} of {said[kind]['name']}")
        if said[kind]["mistakes"] != fewest or abs(said[kind]["ratio"] - said["mistakes"] / fewest) > 1e-12:
            complain(f"{name}: the best {kind} makes {fewest} mistakes, but {said}")
        if best not in sentence:
            complain(f"{name}: expected '{best}' in '{sentence}'")


def check_alone(place, arguments, result, complain):
    """Nobody else notices whether it plays, and what is best by AUC does not touch what is said of mistakes."""
    alone = json.loads(weft(place, "compare", *arguments, "--json", "--quiet", "--no-times", "--threads", "2",
                            "--no-committee"))
    others = [line for line in result["contestants"] if line["kind"] != "committee"]
    if (alone["contestants"], alone["sentence"]) != (others, result["sentence"]) or alone["committee"] is not None:
        complain(f"{arguments}: --no-committee changes what others do")
    auc_best = json.loads(weft(place, "compare", *arguments, "--json", "--quiet", "--no-times", "--threads", "2",
                               "--best", "auc"))
    for kind in ("mistakes", "rival", "weft"):
        if auc_best["committee"][kind] != result["committee"][kind]:
            complain(f"{arguments}: --best auc changes {kind} of the committee")


def check_threads(place, complain):
    write(place, *make("harmful", 1))
    outputs = {weft(place, "compare", "stream.csv", "--rows", "classes:classes.txt", "--columns", "none", "--no-times",
                    "--quiet", "--threads", threads) for threads in ("1", "2", "7")}
    if len(outputs) != 1:
        complain("the result depends on the number of threads")


def main():
    complaints = []
    with tempfile.TemporaryDirectory() as place:
        check_sentences(place, complaints.append)
        check_coin_flips(place, complaints.append)
        check_figures(place, complaints.append)
        check_distance(place, complaints.append)
        check_committee(place, complaints.append)
        check_threads(place, complaints.append)
    for complaint in complaints:
        print(complaint)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
