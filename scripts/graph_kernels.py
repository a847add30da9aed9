"""SPDX-License-Identifier: MIT

The tables of docs/graphs.md: the error of weft on a stream of pairs with every kernel of its graph.

    graph_kernels.py WEFT DATA [--limit N] [--both | --sides]

DATA is a folder with stream.csv and graph.txt.  Every kernel is played with the learning rate that theory gives and
with 4 and 16 times that, all else by default; the table has the error at each, and the best of the three.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

RATES = [1, 4, 16]

KERNELS = [
    "none",
    "pdlaplacian",
    "pdlaplacian,scale=unit",
    "pdlaplacian,laplacian=normalised",
    "pdlaplacian,laplacian=normalised,scale=unit",
    "regularised,sigma=10",
    "regularised,sigma=10,scale=unit",
    "regularised,sigma=10,laplacian=normalised",
    "regularised,sigma=10,laplacian=normalised,scale=unit",
    "regularised,sigma=100,laplacian=normalised,scale=unit",
    "diffusion,time=1",
    "diffusion,time=1,scale=unit",
    "diffusion,time=5,laplacian=normalised",
    "diffusion,time=1,laplacian=normalised,scale=unit",
    "diffusion,time=5,laplacian=normalised,scale=unit",
    "diffusion,time=20,laplacian=normalised,scale=unit",
    "diffusion,time=50,laplacian=normalised,scale=unit",
]


def play(weft, stream, spec, both, eta):
    sides = ["--both", spec] if both else ["--rows", spec, "--columns", spec]
    command = [weft, "run", stream, *sides, "--deterministic", "--tolerance", "none", "--quiet", "--json"]
    if eta is not None:
        command += ["--eta", repr(eta)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def row(weft, stream, graph, kernel, both):
    spec = "none" if kernel == "none" else f"graph:{graph},kernel={kernel}"
    first = play(weft, stream, spec, both, None)
    eta = first["parameters"]["eta"]
    errors = [first["mistake_rate"]] + [
        play(weft, stream, spec, both, rate * eta)["mistake_rate"] for rate in RATES[1:]
    ]
    name = "none" if kernel == "none" else f"`kernel={kernel}`"
    cells = " | ".join(f"{error:.4f}" for error in errors)
    print(f"| {name} | {cells} | {min(errors):.4f} |", flush=True)
    return min(errors), name


def table(options, stream, both):
    print("| " + ("one set of ids" if both else "two sides") + " | eta | 4 eta | 16 eta | best |")
    print("|---|--:|--:|--:|--:|")
    graph = os.path.join(options.data, "graph.txt")
    best = min(row(options.weft, stream, graph, kernel, both) for kernel in KERNELS)
    print(f"\nBest: {best[1]}, {best[0]:.4f}.\n", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("weft")
    parser.add_argument("data")
    parser.add_argument("--limit", type=int, default=3000)
    parser.add_argument("--both", action="store_true")
    parser.add_argument("--sides", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        stream = os.path.join(place, "stream.csv")
        with open(os.path.join(options.data, "stream.csv"), encoding="utf-8") as file, open(
            stream, "w", encoding="utf-8"
        ) as out:
            out.writelines(line for number, line in enumerate(file) if number <= options.limit)
        if options.both or not options.sides:
            table(options, stream, True)
        if options.sides or not options.both:
            table(options, stream, False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
