"""SPDX-License-Identifier: MIT

The live loop: through a pipe every line is answered before the next one is written, by `weft run -` with questions
whose labels come later and by `weft predict -`; and what comes out is what comes out of a file with the same lines.
The labels of late lines are those of an independent list of open answers, kept here.
"""

import csv
import json
import os
import random
import select
import subprocess
import sys
import tempfile

WEFT = os.environ["WEFT_BIN"]
LINES = 1000
PATIENCE = 60  # seconds for one answer: a test that waits in vain has failed
SIDES = ["--rows", "none", "--columns", "none", "--quiet"]


def fail(text):
    sys.exit(f"FAILED: {text}")


class Reader:
    """Lines of a pipe, which are waited for no longer than that."""

    def __init__(self, descriptor):
        self.descriptor, self.rest = descriptor, b""

    def line(self, what):
        while b"\n" not in self.rest:
            if not select.select([self.descriptor], [], [], PATIENCE)[0]:
                fail(f"{what}: no answer")
            more = os.read(self.descriptor, 65536)
            if not more:
                fail(f"{what}: the output has ended")
            self.rest += more
        line, self.rest = self.rest.split(b"\n", 1)
        return line


def converse(arguments, lines, header_first):
    """What the command says to the lines, each written when the one before is answered."""
    process = subprocess.Popen([WEFT, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    reader, said = Reader(process.stdout.fileno()), []
    for number, line in enumerate(lines):
        process.stdin.write(line.encode() + b"\n")
        process.stdin.flush()
        if number == 0 and header_first:
            continue  # names of fields are no question
        if not said:
            said.append(reader.line("header"))
        said.append(reader.line(f"{arguments[0]}, line {number + 1}"))
    process.stdin.close()
    rest = reader.rest + process.stdout.read()
    if rest:
        fail(f"{arguments[0]}: more than an answer a line: {rest[:80]!r}")
    if process.wait() != 0:
        fail(f"{arguments[0]}: status {process.returncode}")
    return b"\n".join(said) + b"\n"


def draw(ids):
    """Questions, labels of open ones, and lines that are both: as (id, row, column, label or None)."""
    rng, events, waiting = random.Random(7), [], []
    while len(events) < LINES:
        kind = rng.random()
        if kind < 0.4 and waiting:
            number, row, column = waiting.pop(0 if rng.random() < 0.5 else rng.randrange(len(waiting)))
            events.append((number, row, column, rng.random() < 0.6))
            continue
        row, column = f"u{int(rng.random() ** 2 * 30)}", f"i{rng.randrange(12)}"
        label = rng.random() < 0.4 if kind > 0.8 else None
        number = f"q{len(events)}"
        if label is None:
            waiting.append((number, row, column))
        events.append((number if ids or label is None else "", row, column, label))
    return events


def as_csv(events, ids):
    def word(label):
        return "" if label is None else str(int(label))
    lines = ["id,user,item,clicked" if ids else "clicked,item,user"]
    for number, row, column, label in events:
        lines.append(f"{number},{row},{column},{word(label)}" if ids else f"{word(label)},{column},{row}")
    return lines


def as_json(events, ids):
    lines = []
    for number, row, column, label in events:
        fields = {"item": column, "user": row}
        if ids:
            fields["id"] = number
        if label is not None:
            fields["clicked"] = int(label)
        lines.append(json.dumps(fields))
    return lines


def judge(events, said, ids):
    """Every label stands beside the answer that it closes, by a list of what is open."""
    rows = list(csv.DictReader(said.decode().splitlines()))
    if len(rows) != len(events):
        fail(f"{len(rows)} answers to {len(events)} lines")
    waiting, late = [], 0
    for event, row in zip(events, rows):
        number, user, item, label = event
        if (row["row"], row["column"]) != (user, item):
            fail(f"{event} was answered as {row}")
        if row["label"] != ("" if label is None else "1" if label else "-1"):
            fail(f"{event} has the label of {row}")
        if label is None:
            waiting.append((number, user, item, row["probability"], row["vote"]))
            continue
        found = [w for w in waiting if (w[0] == number if ids else w[1:3] == (user, item))]
        if found:
            late += 1
            waiting.remove(found[0])
            if found[0][3:] != (row["probability"], row["vote"]):
                fail(f"{event} closes {found[0]}, but has {row}")
    if late < 100:
        fail(f"only {late} labels came late")


def main():
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        for ids in (False, True):
            events = draw(ids)
            outputs, models = [], []
            for name, lines in (("csv", as_csv(events, ids)), ("json", as_json(events, ids))):
                with open("s", "w", encoding="utf-8") as file:
                    file.write("\n".join(lines) + "\n")
                said = converse(["run", "-", *SIDES, "--predictions", "-", "--model", "piped"], lines, name == "csv")
                judge(events, said, ids)
                whole = subprocess.run([WEFT, "run", "s", *SIDES, "--predictions", "-", "--model", "read"],
                                       check=True, stdout=subprocess.PIPE).stdout
                outputs += [said, whole]
                for model in ("piped", "read"):
                    with open(model, "rb") as file:
                        models.append(file.read())
            if len(set(outputs)) != 1 or len(set(models)) != 1:
                fail("a file and a pipe, or CSV and JSON lines, give other bytes")
            pairs = [f"{row},{column}" for _, row, column, _ in events]
            said = converse(["predict", "read", "-"], pairs, False)
            with open("p", "w", encoding="utf-8") as file:
                file.write("\n".join(pairs) + "\n")
            whole = subprocess.run([WEFT, "predict", "read", "p"], check=True, stdout=subprocess.PIPE).stdout
            if said != whole:
                fail("weft predict: a file and a pipe give other bytes")


main()
