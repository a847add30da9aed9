"""SPDX-License-Identifier: MIT

The table of docs/committee.md about a truth that changes: the committee, and one that is started anew.

    drift_table.py WEFT [--jobs N] [--seeds N]

60 x 60 ids in 5 x 5 blocks, label noise .1, 20,000 trials, the mean of seeds 1 to 5 (--seeds: how many).  Switching: `weft
generate drift', all blocks get fresh labels every 5,000 trials, and the restart knows when.  Drifting: one of the 25 blocks
is turned over every 200 trials; the restart is every 5,000.  Told are nothing, the classes, or the graphs.  Mistakes of
deterministic predictions.
"""

import argparse
import concurrent.futures
import os
import random
import subprocess
import tempfile

from committee_table import run, sides_of

SIZE, BLOCKS, TRIALS, PERIOD, TURN, NOISE = 60, 5, 20000, 5000, 200, 0.1

TOLD = [
    ("nothing known", "none", "none"),
    ("classes", "classes:{0}/rows.classes", "classes:{0}/columns.classes"),
    ("graphs", "graph:{0}/rows.edges", "graph:{0}/columns.edges"),
]


def generate(weft, seed, folder):
    """A folder with the switching stream, and classes and graphs for both."""
    out = os.path.join(folder, f"drift-{seed}")
    words = ["--rows", SIZE, "--columns", SIZE, "--classes-rows", BLOCKS, "--classes-columns", BLOCKS, "--label-noise", NOISE,
             "--period", PERIOD, "--trials", TRIALS, "--seed", seed, "--out", out]
    subprocess.run([weft, "generate", "drift", *map(str, words)], check=True, stderr=subprocess.DEVNULL)
    return out


def read_classes(path):
    with open(path, encoding="utf-8") as file:
        return dict(line.split() for line in file if not line.startswith("#"))


def make_drifting(out, seed):
    """The other stream, over the same classes: drifting.csv in the folder."""
    rng = random.Random(seed)
    rows, columns = (read_classes(os.path.join(out, f"{side}.classes")) for side in ("rows", "columns"))
    blocks = sorted({(r, c) for r in rows.values() for c in columns.values()})
    label = {block: rng.choice((-1, 1)) for block in blocks}
    with open(os.path.join(out, "drifting.csv"), "w", encoding="utf-8") as file:
        file.write("row,column,label\n")
        for t in range(TRIALS):
            if t > 0 and t % TURN == 0:
                label[rng.choice(blocks)] *= -1
            row, column = rng.choice(list(rows)), rng.choice(list(columns))
            truth = label[rows[row], columns[column]]
            file.write(f"{row},{column},{-truth if rng.random() < NOISE else truth}\n")


def split(path):
    """Files of PERIOD trials each."""
    with open(path, encoding="utf-8") as file:
        header, *lines = file.readlines()
    parts = []
    for begin in range(0, len(lines), PERIOD):
        parts.append(f"{path}.{begin}")
        with open(parts[-1], "w", encoding="utf-8") as part:
            part.writelines([header, *lines[begin:begin + PERIOD]])
    return parts


def play(weft, path, sides):
    """Trials, mistakes, and those of one that is started anew."""
    whole = run(weft, path, sides)
    return whole["trials"], whole["mistakes"], sum(run(weft, part, sides)["mistakes"] for part in split(path))


def line(name, results):
    """The means, over seeds."""
    trials, whole, anew = (sum(result[k] for result in results) / len(results) for k in range(3))
    return f"| {name} | {trials:.0f} | {whole:.0f} | {anew:.0f} | {whole / anew:.3f} |"


HEAD = "| stream | trials | committee | started anew | of started anew |\n|---|" + "--:|" * 4


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("weft")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        made = [generate(options.weft, seed, folder) for seed in range(1, options.seeds + 1)]
        for seed, out in enumerate(made, 1):
            make_drifting(out, seed)
        rows = []
        for kind, file in (("switching", "stream.csv"), ("drifting", "drifting.csv")):
            for told, *specs in TOLD:
                games = [pool.submit(play, options.weft, os.path.join(out, file),
                                     sides_of(*(spec.format(out) for spec in specs))) for out in made]
                rows.append((f"{kind}, {told}", games))
        print(HEAD)
        for name, games in rows:
            print(line(name, [game.result() for game in games]), flush=True)


if __name__ == "__main__":
    main()
