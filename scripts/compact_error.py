"""SPDX-License-Identifier: MIT

The table of docs/scale.md: mistakes of the exact engine and of the compact one, on streams of ../shared/data.

    compact_error.py WEFT DATA [--jobs N]

DATA is the folder of all streams.  Every stream is played by both engines with the same settings and deterministic
predictions; the compact one with 64, 128 and 256 numbers a side, for three seeds of the map.  They are all
hashed (beside the classes); of a graph half of them, and as many eigenvectors, or all that there are.
"""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

SIZES = [64, 128, 256]
SEEDS = [0, 1, 2]

PARTY = "classes:{data}/row-classes.txt,epsilon=3"
TEAMS = "graph:{data}/graph.txt,kernel=diffusion,time=5,laplacian=normalised,scale=unit"

# Name, folder, lines (0: all), rows, columns (None: one set), vertices of a graph, options.
STREAMS = [
    ("senate116, first 5,000", "senate116", 5000, PARTY, "none", 0, ["--eta", "1"]),
    ("senate113, first 5,000", "senate113", 5000, PARTY, "none", 0, ["--eta", "1"]),
    ("votes84", "votes84", 0, PARTY, "none", 0, ["--eta", "0.5"]),
    ("football, one set", "football", 0, TEAMS, None, 115, ["--eta", "2", "--gamma", "1"]),
    ("football, two sides", "football", 0, TEAMS, TEAMS, 115, ["--eta", "1"]),
    ("senate116, all", "senate116", 0, PARTY, "none", 0, ["--eta", "1"]),
    ("senate113, all", "senate113", 0, PARTY, "none", 0, ["--eta", "1"]),
]


def command(weft, path, data, stream, size, seed):
    """The run of a stream; size 0 is the exact engine."""
    _, _, _, rows, columns, vertices, options = stream
    words = ""
    if size:
        numbers = f"eigen:{min(size // 2, vertices)}+hash:{size // 2}" if vertices else f"hash:{size}"
        words = f",map={numbers},seed={seed}"
    sides = ["--both", rows.format(data=data) + words] if columns is None else [
        "--rows", rows.format(data=data) + words, "--columns", columns.format(data=data) + words]
    floor = ["--floor", "4"] if size and not vertices else []
    return [weft, "run", path, *sides, *options, *floor, "--deterministic", "--tolerance", "none", "--quiet", "--json"]


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


def play(words):
    return json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout)["mistake_rate"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("weft")
    parser.add_argument("data")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    if not os.path.isdir(options.data):
        sys.exit(f"{options.data} is missing")
    print("| stream | exact | " + " | ".join(str(size) for size in SIZES) + " | 256 against exact |")
    print("|---|" + "--:|" * (len(SIZES) + 2))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for stream in STREAMS:
            data = os.path.join(options.data, stream[1])
            path = cut(data, stream[2], folder)
            runs = [(0, 0)] + [(size, seed) for size in SIZES for seed in SEEDS]
            rates = dict(zip(runs, pool.map(
                lambda run: play(command(options.weft, path, data, stream, *run)), runs)))
            exact = rates[0, 0]
            means = [sum(rates[size, seed] for seed in SEEDS) / len(SEEDS) for size in SIZES]
            cells = " | ".join(f"{mean:.4f}" for mean in means)
            print(f"| {stream[0]} | {exact:.4f} | {cells} | {100 * (means[-1] / exact - 1):+.1f} % |", flush=True)


main()
