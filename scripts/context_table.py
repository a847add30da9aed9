#!/usr/bin/env python3
"""SPDX-License-Identifier: MIT

What a context is worth, where the truth is known.  Usage:

    context_table.py FIRST COUNT [TRIALS]

For COUNT seeds of `weft generate context`, from FIRST on: the error in percent without the context, with it, and of
whoever knows everything but the noise, with nothing known of rows and columns and with their classes.  `covered` is how
much of the way from the first to the last the second has gone.  The command is $WEFT_BIN, or weft.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

WEFT = os.environ.get("WEFT_BIN", "weft")


def run(*arguments):
    return subprocess.run([WEFT, *arguments], check=True, capture_output=True, text=True)


def error(stream, rows, columns, *more):
    told = run("run", stream, "--rows", rows, "--columns", columns, "--quiet", "--json", *more).stdout
    return 100 * json.loads(told)["mistake_rate"]


def main():
    first, count = int(sys.argv[1]), int(sys.argv[2])
    trials = sys.argv[3] if len(sys.argv) > 3 else "40000"
    print("| seed | sides | without | with | noise | covered |\n|--:|---|--:|--:|--:|--:|")
    sums = {}
    for seed in range(first, first + count):
        with tempfile.TemporaryDirectory() as folder:
            told = run("generate", "context", "--out", folder, "--seed", str(seed), "--trials", trials)
            made, turned = map(int, re.search(r"(\d+) trials, (\d+) of", told.stdout + told.stderr).groups())
            for sides in ("none", "classes"):
                rows, columns = (sides if sides == "none" else f"classes:{folder}/{side}.classes"
                                 for side in ("rows", "columns"))
                found = [error(f"{folder}/stream.csv", rows, columns),
                         error(f"{folder}/stream.csv", rows, columns, "--context", "device,hour"),
                         100 * turned / made]
                sums[sides] = [a + b for a, b in zip(sums.get(sides, [0, 0, 0]), found)]
                tell(str(seed), sides, found)
    for sides, sum_of in sums.items():
        tell("mean", sides, [value / count for value in sum_of])


def tell(seed, sides, found):
    without, within, noise = found
    covered = 100 * (without - within) / (without - noise)
    print(f"| {seed} | {sides} | {without:.2f} | {within:.2f} | {noise:.2f} | {covered:.0f}% |")


main()
