"""SPDX-License-Identifier: MIT

The tables of docs/rivals.md: how strong every rival is, at the best of its three rates, on streams of ../shared/data.

    rival_table.py WEFT DATA [--jobs N] [--one-set]

The error before each label; of the two sets of drug targets, of which few labels are +1, average precision.
"""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys

from committee_table import COLUMN_KERNEL, GRAPH, ROW_KERNEL, sides_of

PARTY = "classes:{data}/row-classes.txt,epsilon=1"

# Name, folder, lines (0: all), rows, columns (None: one set), what is best.
TWO_SIDES = [
    ("senate116, first 5,000", "senate116", 5000, PARTY, "none", "error"),
    ("senate116", "senate116", 0, PARTY, "none", "error"),
    ("senate113", "senate113", 0, PARTY, "none", "error"),
    ("votes84", "votes84", 0, PARTY, "none", "error"),
    ("football, first 5,000", "football", 5000, GRAPH, GRAPH, "error"),
    ("dti_gpcr", "dti_gpcr", 0, ROW_KERNEL, COLUMN_KERNEL, "precision"),
    ("dti_nr", "dti_nr", 0, ROW_KERNEL, COLUMN_KERNEL, "precision"),
]
ONE_SET = [(name, name, 5000, GRAPH, None, "error") for name in ("football", "polblogs", "cora")]


def measure(weft, data, stream):
    """What every rival makes, by name."""
    _, folder, lines, rows, columns, best = stream
    place = os.path.join(data, folder)
    sides = sides_of(*(spec and spec.format(data=place) for spec in (rows, columns)))
    limit = ["--limit", str(lines)] if lines else []
    words = [weft, "compare", os.path.join(place, "stream.csv"), *sides, *limit, "--best", best, "--no-committee", "--quiet"]
    found = json.loads(subprocess.run([*words, "--json"], check=True, stdout=subprocess.PIPE).stdout)
    key, digits = ("average_precision", 3) if best == "precision" else ("error", 4)
    return {who["name"]: f"{who[key]:.{digits}f}".lstrip("0") for who in found["contestants"] if who["kind"] == "rival"}


def table(weft, data, streams, pool):
    print("| | " + " | ".join(stream[0] for stream in streams) + " |\n|---|" + "--:|" * len(streams))
    made = list(pool.map(lambda stream: measure(weft, data, stream), streams))
    one_set = streams[0][4] is None
    for name in made[0]:
        if one_set and name == "column majority":
            continue  # is the same there
        print(f"| {'majority' if one_set and name == 'row majority' else name} | " + " | ".join(of[name] for of in made) + " |")
    print(flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("weft")
    parser.add_argument("data")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--one-set", action="store_true", help="the second table alone")
    options = parser.parse_args()
    if not os.path.isdir(options.data):
        sys.exit(f"{options.data} is missing")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for streams in [ONE_SET] if options.one_set else [TWO_SIDES, ONE_SET]:
            table(options.weft, options.data, streams, pool)


if __name__ == "__main__":
    main()
