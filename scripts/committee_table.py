"""SPDX-License-Identifier: MIT

The tables of docs/committee.md: the committee against everybody in hindsight, on streams of ../shared/data and on the
cells of the paper's experiment.

    committee_table.py WEFT DATA [--jobs N] [--cells N] [--runs N] [--only-shuffled]

For every stream: mistakes of the committee; of the best in hindsight of its members that played all along; of
theory's setting, where that takes minutes at most; average precision and calibration.  Deterministic predictions
everywhere.  The cells are n = 20, 40, 60, 100 and the noise of the
graphs 0 to .5, run 0 of `weft experiment table1' with seeds 1 to 4 (--runs: how many), summed up (--cells: how many of
the four sizes).  Then average precision where nearly all labels are -1, and the streams again with the ids of the side
information shuffled, against a committee that is told nothing.
"""

import argparse
import concurrent.futures
import json
import os
import random
import subprocess
import sys
import tempfile

PARTY = "classes:{data}/row-classes.txt"
GRAPH = "graph:{data}/graph.txt"
ROW_KERNEL, COLUMN_KERNEL = "kernel:{data}/row-kernel.tsv,repair=clip", "kernel:{data}/column-kernel.tsv,repair=clip"

# Name, folder, lines (0: all), rows, columns (None: one set).
STREAMS = [
    ("senate116, first 5,000", "senate116", 5000, PARTY, "none"),
    ("senate113, first 5,000", "senate113", 5000, PARTY, "none"),
    ("senate116", "senate116", 0, PARTY, "none"),
    ("senate113", "senate113", 0, PARTY, "none"),
    ("votes84", "votes84", 0, PARTY, "none"),
    ("football, one set", "football", 0, GRAPH, None),
    ("football, two sides", "football", 0, GRAPH, GRAPH),
    ("polblogs, one set, first 5,000", "polblogs", 5000, GRAPH, None),
    ("cora, one set, first 5,000", "cora", 5000, GRAPH, None),
    ("polblogs, one set", "polblogs", 0, GRAPH, None),
    ("cora, one set", "cora", 0, GRAPH, None),
    ("dti_nr", "dti_nr", 0, ROW_KERNEL, COLUMN_KERNEL),
    ("dti_gpcr", "dti_gpcr", 0, ROW_KERNEL, COLUMN_KERNEL),
]
NOISES = ["0.5", "0.25", "0.125", "0.0625", "0.03125", "0"]
SIZES = [20, 40, 60, 100]


def cut(data, lines, folder):
    """The stream, or its first lines in a file of their own."""
    path = os.path.join(data, "stream.csv")
    if not lines:
        return path
    short = os.path.join(folder, os.path.basename(data) + ".csv")
    with open(path, encoding="utf-8") as whole, open(short, "w", encoding="utf-8") as part:
        first = whole.readline()
        part.write(first)
        header = first.rstrip("\n").split(",")[2] not in ("-1", "0", "1", "+1")
        for _ in range(lines if header else lines - 1):
            part.write(whole.readline())
    return short


def run(weft, path, sides, *options):
    words = [weft, "run", path, *sides, *options, "--quiet", "--json"]
    return json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout)


def sides_of(rows, columns):
    return ["--both", rows] if columns is None else ["--rows", rows, "--columns", columns]


def compare(weft, path, sides):
    """The highest average precision of a competitor at the best of its rates for that."""
    words = [weft, "compare", path, *sides, "--no-committee", "--best", "precision", "--quiet", "--json"]
    found = json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout)
    return max((who["average_precision"], who["name"]) for who in found["contestants"]
               if who["kind"] != "weft" and who["average_precision"] is not None)


def play(weft, path, rows, columns):
    """The committee, its members that played all along, and theory's setting."""
    sides = sides_of(rows, columns)
    committee = run(weft, path, sides)
    whole_graph = rows.startswith("graph") and committee["trials"] > 15000
    theory = None if whole_graph else run(weft, path, sides, "--single", "--deterministic")
    return committee, {member["name"]: member["mistakes"] for member in committee["members"]
                       if member["trials"] == committee["trials"]}, theory


def line(weft, name, runs):
    """A line of the table; of several runs the sums, and the best is the best of the sums."""
    played = [play(weft, *problem) for problem in runs]
    committees, members, theories = zip(*played)
    everywhere = set.intersection(*(set(of) for of in members))
    best = min(sum(of[who] for of in members) for who in everywhere)
    made = sum(committee["mistakes"] for committee in committees)

    def mean(get):
        return sum(get(committee) for committee in committees) / len(committees)

    return (f"| {name} | {sum(committee['trials'] for committee in committees)} | {made} | {best} | "
            f"{'-' if theories[0] is None else sum(theory['mistakes'] for theory in theories)} | {made / best:.3f} | "
            f"{mean(lambda committee: committee['guarantee']['term']):.1f} | "
            f"{mean(lambda committee: committee['average_precision']):.3f} | "
            f"{mean(lambda committee: committee['calibration_error']):.3f} |")


HEAD = ("| stream | trials | committee | best member | theory's setting | of member | term | average precision | "
        "calibration error |\n|---|" + "--:|" * 8)


def generate(weft, n, noise, seed, folder):
    """Run 0 of the cell with this seed: stream, rows, columns."""
    out = os.path.join(folder, f"cell-{n}-{noise}-{seed}")
    subprocess.run([weft, "generate", "biclustered", "--rows", str(n), "--columns", str(n), "--graph-noise", noise, "--seed",
                    str(seed), "--out", out], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return os.path.join(out, "stream.csv"), f"graph:{out}/rows.edges", f"graph:{out}/columns.edges"


# ---- Shuffled side information ----


def shuffle_ids(spec, folder, seed):
    """The SPEC over a copy of its file in which the ids are exchanged."""
    kind, _, rest = spec.partition(":")
    path, _, words = rest.partition(",")
    with open(path, encoding="utf-8") as file:
        lines = [text.rstrip("\n") for text in file]
    tab = "\t" if "\t" in lines[0] else " "
    if kind == "kernel":
        ids = lines[0].split(tab)[1:]
    else:
        ids = sorted({word for text in lines if not text.startswith("#") for word in text.split()[:2 if kind == "graph" else 1]})
    other = ids[:]
    random.Random(seed).shuffle(other)
    name = dict(zip(ids, other))
    out = os.path.join(folder, f"shuffled-{seed}-{os.path.basename(os.path.dirname(path))}-{os.path.basename(path)}")
    with open(out, "w", encoding="utf-8") as file:
        for number, text in enumerate(lines):
            words_of = text.split(tab) if kind == "kernel" else text.split()
            if kind == "kernel" and number == 0:
                words_of[1:] = [name[word] for word in words_of[1:]]
            elif not text.startswith("#"):
                places = range(2 if kind == "graph" else 1)
                words_of = [name[word] if place in places else word for place, word in enumerate(words_of)]
            file.write((tab if kind == "kernel" else " ").join(words_of) + "\n")
    return f"{kind}:{out}" + (f",{words}" if words else "")


def precision_line(weft, name, path, rows, columns):
    sides = sides_of(rows, columns)
    committee, (best, who) = run(weft, path, sides)["average_precision"], compare(weft, path, sides)
    return f"| {name} | {committee:.3f} | {best:.3f} | {who} | {committee / best:.3f} |"


def noise_line(weft, name, path, rows, columns, folder):
    nothing = run(weft, path, sides_of("none", None if columns is None else "none"))
    if columns == rows:
        shuffled = [shuffle_ids(rows, folder, 1)] * 2
    else:
        shuffled = [shuffle_ids(rows, folder, 1), columns if columns in (None, "none") else shuffle_ids(columns, folder, 2)]
    if columns is None:
        shuffled[1] = None
    told = run(weft, path, sides_of(*shuffled))
    term = told["guarantee"]["term"]
    allowed = 1.03 * nothing["mistakes"] + term
    worth = told["worth"]["ids" if columns is None else "both"] or told["worth"]["rows"]
    return (f"| {name} | {nothing['mistakes']} | {told['mistakes']} | {term:.1f} | {allowed:.0f} | "
            f"{'yes' if told['mistakes'] <= allowed else 'NO'} | {worth['mistakes']['saved']:.0f} | "
            f"{worth['mistakes']['low']:.0f} to {worth['mistakes']['high']:.0f} |")


def tell_played(weft, pool, streams, cells):
    """The table of all streams and cells, and that of average precision."""
    print(HEAD)
    for text in pool.map(lambda stream: line(weft, *stream), [(name, [problem]) for name, *problem in streams] + cells):
        print(text, flush=True)
    print("\n| average precision | committee | best competitor | which | ratio |\n|---|--:|--:|---|--:|")
    rare = [stream for stream in streams if stream[0].startswith("dti")]
    for text in pool.map(lambda stream: precision_line(weft, *stream), rare):
        print(text, flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("weft")
    parser.add_argument("data")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cells", type=int, default=len(SIZES))
    parser.add_argument("--runs", type=int, default=4)
    parser.add_argument("--only-shuffled", action="store_true")
    options = parser.parse_args()
    if not os.path.isdir(options.data):
        sys.exit(f"{options.data} is missing")
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        streams = []
        for name, set_name, lines, rows, columns in STREAMS:
            data = os.path.join(options.data, set_name)
            streams.append((name, cut(data, lines, folder), rows.format(data=data),
                            None if columns is None else columns.format(data=data)))
        cells = []
        for n in SIZES[:options.cells]:
            for noise in NOISES:
                cells.append((f"n = {n}, noise {noise}", [generate(options.weft, n, noise, seed, folder)
                                                          for seed in range(1, options.runs + 1)]))
        if not options.only_shuffled:
            tell_played(options.weft, pool, streams, cells)
        print("\n| shuffled | nothing known | shuffled | term | allowed | within | saves | by chance |\n|---|" + "--:|" * 7)
        once = [stream for stream in streams if "two sides" not in stream[0]]
        for text in pool.map(lambda stream: noise_line(options.weft, *stream, folder), once):
            print(text, flush=True)


if __name__ == "__main__":
    main()
