"""SPDX-License-Identifier: MIT

The streams that all play, in every order, and what is known of their ids.
"""

import csv
import math
import os
import random
import statistics
import subprocess
import sys

PARTY = "classes:{data}/row-classes.txt"
GRAPH = "graph:{data}/graph.txt"
ROW_KERNEL, COLUMN_KERNEL = "kernel:{data}/row-kernel.tsv,repair=clip", "kernel:{data}/column-kernel.tsv,repair=clip"
NEAREST = 10
MISTAKES, PRECISION = "mistakes", "average_precision"

# Name, folder, lines (0: all), rows, columns (None: one set), measures; those that are soon played stand first.
STREAMS = [
    ("votes84", "votes84", 0, PARTY, "none", [MISTAKES]),
    ("dti_nr", "dti_nr", 0, ROW_KERNEL, COLUMN_KERNEL, [PRECISION, MISTAKES]),
    ("football, one set", "football", 0, GRAPH, None, [MISTAKES]),
    ("senate116, first 5,000", "senate116", 5000, PARTY, "none", [MISTAKES]),
    ("senate113, first 5,000", "senate113", 5000, PARTY, "none", [MISTAKES]),
    ("dti_gpcr, first 5,000", "dti_gpcr", 5000, ROW_KERNEL, COLUMN_KERNEL, [PRECISION, MISTAKES]),
    ("polblogs, one set, first 5,000", "polblogs", 5000, GRAPH, None, [MISTAKES]),
    ("cora, one set, first 5,000", "cora", 5000, GRAPH, None, [MISTAKES]),
    ("dti_gpcr", "dti_gpcr", 0, ROW_KERNEL, COLUMN_KERNEL, [PRECISION, MISTAKES]),
    ("polblogs, one set", "polblogs", 0, GRAPH, None, [MISTAKES]),
    ("senate113", "senate113", 0, PARTY, "none", [MISTAKES]),
    ("senate116", "senate116", 0, PARTY, "none", [MISTAKES]),
    ("cora, one set", "cora", 0, GRAPH, None, [MISTAKES]),
]


class Stream:
    """One line of the table: where its events are, what is known, and what is measured."""

    def __init__(self, data, name, folder, lines, rows, columns, measures):
        self.name, self.lines, self.measures = name, lines, measures
        self.one_set = columns is None
        self.place = os.path.join(data, folder)
        self.specs = [None if spec is None else spec.format(data=self.place) for spec in (rows, columns)]

    def sides(self):
        """The words of `weft run`."""
        rows, columns = self.specs
        return ["--both", rows] if self.one_set else ["--rows", rows, "--columns", columns]

    def prepare(self):
        """What has to be there before the events are read."""

    def events(self):
        """(row, column, label) in the order of the file."""
        with open(os.path.join(self.place, "stream.csv"), newline="", encoding="utf-8") as file:
            lines = list(csv.reader(file))[1:]
        return [(row, column, int(label)) for row, column, label in lines]


class Clicks(Stream):
    """The made clicks of a web shop; `program` makes them, and whoever writes its events again has the same tables beside."""

    name, program_words = "clicks", ["--events", "60000", "--seed", "7"]

    def __init__(self, program, place):
        self.program, self.place, self.lines, self.one_set, self.measures = program, place, 0, False, [MISTAKES]
        self.specs = [f"table:{place}/users.csv", f"table:{place}/items.csv"]

    def prepare(self):
        if not os.path.isfile(os.path.join(self.place, "follows.csv")):
            subprocess.run([sys.executable, self.program, self.place, *self.program_words], check=True, stdout=sys.stderr)

    def events(self):
        with open(os.path.join(self.place, "events.csv"), newline="", encoding="utf-8") as file:
            lines = list(csv.reader(file))[1:]
        return [(user, item, 1 if clicked == "1" else -1) for user, item, clicked, _ in lines]


class Problem:
    """A stream in one order, as every peer sees it; `made` keeps what a peer has made of it for all its settings."""

    def __init__(self, stream, order, folder):
        self.order, self.one_set, self.folder, self.made = order, stream.one_set, folder, {}
        stream.prepare()
        self.events = stream.events()
        if order > 0:
            random.Random(order).shuffle(self.events)
        if stream.lines:
            del self.events[stream.lines:]
        self.labels = [label for _, _, label in self.events]
        rows, columns = (traits(spec) if spec else None for spec in stream.specs)
        self.row_traits, self.column_traits = rows, rows if self.one_set else columns

    def write_csv(self):
        """The events as a file for `weft run`."""
        path = os.path.join(self.folder, f"order-{self.order}.csv")
        with open(path, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("row", "column", "label"), *self.events])
        return path

    def make(self, name, maker):
        if name not in self.made:
            self.made[name] = maker(self)
        return self.made[name]


# ---- What is known of an id: traits, pairs of a name and a value, beside the id itself ----


def traits(spec):
    """By id.  The columns of a table; the class; the ten nearest ids by a kernel, with their similarity; the neighbours in a graph.  In the last two
    an id is its own neighbour too, at 1: those near each other are then alike, and not only alike in what is near them."""
    kind, _, rest = spec.partition(":")
    if kind == "none":
        return {}
    return {"classes": of_classes, "kernel": of_kernel, "graph": of_graph, "table": of_table}[kind](rest.partition(",")[0])


def at_most_one(traits):
    """The same, scaled to length 1 where they are longer, as a list of neighbours is."""
    length = max(1, math.sqrt(sum(value * value for _, value in traits)))
    return [(name, value / length) for name, value in traits]


def words_of(path):
    with open(path, encoding="utf-8") as file:
        return [line.split() for line in file if line.strip() and not line.startswith("#")]


def of_classes(path):
    return {name: [(group, 1.0)] for name, group in words_of(path)}


def of_graph(path):
    neighbours = {}
    for a, b, *_ in words_of(path):
        neighbours.setdefault(a, {})[b] = neighbours.setdefault(b, {})[a] = None
    return {name: [(other, 1.0) for other in [name, *others]] for name, others in neighbours.items()}


def of_kernel(path):
    """A kernel that is not symmetric counts as the mean of itself and its transpose."""
    with open(path, encoding="utf-8") as file:
        header, *lines = [line.rstrip("\n").split("\t") for line in file]
    names = header[1:]
    value = {(line[0], name): float(x) for line in lines for name, x in zip(names, line[1:])}
    found = {}
    for name in names:
        near = [((value[name, other] + value[other, name]) / 2, other) for other in names if other != name]
        found[name] = [(name, 1.0)] + [(other, x) for x, other in sorted(near, key=lambda pair: -pair[0])[:NEAREST] if x > 0]
    return found


def of_table(path):
    """Numbers with mean 0 and deviation 1, words as themselves, all by the root of the number of columns; empty cells are
    left out."""
    with open(path, newline="", encoding="utf-8") as file:
        header, *lines = list(csv.reader(file))
    found = {line[0]: [] for line in lines}
    for k, column in enumerate(header[1:], 1):
        cells = {line[0]: line[k] for line in lines if line[k]}
        if all(is_number(cell) for cell in cells.values()):
            numbers = {name: float(cell) for name, cell in cells.items()}
            middle, deviation = statistics.mean(numbers.values()), statistics.pstdev(numbers.values()) or 1.0
            values = {name: (column, (x - middle) / deviation) for name, x in numbers.items()}
        else:
            values = {name: (f"{column}={cell}", 1.0) for name, cell in cells.items()}
        for name, (trait, value) in values.items():
            found[name].append((trait, value / math.sqrt(len(header) - 1)))
    return found


def is_number(cell):
    try:
        return math.isfinite(float(cell))
    except ValueError:
        return False
