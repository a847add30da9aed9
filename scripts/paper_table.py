"""SPDX-License-Identifier: MIT

Table 1 of docs/paper.md from what `weft experiment table1` wrote: mistakes a trial, and in brackets ours less the
paper's.

    paper_table.py TABLE1.CSV...
"""

import csv
import sys


def table(rows):
    noises = list(dict.fromkeys(row["beta"] for row in rows))
    print(f"| n, {rows[0]['protocol']} | " + " | ".join(f"beta = {beta}" for beta in noises) + " |\n|---|" + "---|" * len(noises))
    for n in dict.fromkeys(row["n"] for row in rows):
        cells = {row["beta"]: row for row in rows if row["n"] == n}
        print(f"| {n} | " + " | ".join(f"{float(cells[beta]['mean']):.3f} "
                                       f"({float(cells[beta]['mean']) - float(cells[beta]['paper']):+.3f})" for beta in noises) + " |")
    print()


def main():
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        for protocol in dict.fromkeys(row["protocol"] for row in rows):
            table([row for row in rows if row["protocol"] == protocol])


if __name__ == "__main__":
    main()
