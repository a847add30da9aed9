#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""weft experiment table1, judged from outside.

    WEFT_BIN=build/weft WEFT_SOURCE_DIR=. tests/lab/run_table1.py

Killed twenty times and continued, with any number of jobs, it gives the files of an undisturbed run.  A journal
written here, with numbers of our own, becomes the means, deviations and bounds that it must.  A cell is played
again from the files of `weft generate` by the paper's Algorithm 1 in numpy, with D and eta worked out from the text.
The paper's values are those of ../shared/paper.tex.  What needs numpy or the paper is left out where they are
missing, and said.
"""
import csv
import io
import math
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time

try:
    import numpy
except ImportError:
    numpy = None

WEFT = os.path.abspath(os.environ["WEFT_BIN"])
SOURCE = os.environ.get("WEFT_SOURCE_DIR", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
PAPER = os.path.join(SOURCE, "..", "shared", "paper.tex")
HEADER = "protocol,n,beta,runs,mean,sd,expected_mean,paper,bound,vacuous,seconds"
KILLS = 20
checks = 0
said_by_generate = {}  # by folder


def check(held, what):
    global checks
    checks += 1
    if not held:
        sys.exit(f"FAILED: {what}")


def near(found, expected, tolerance, what):
    check(abs(found - expected) <= tolerance, f"{what}: found {found!r}, expected {expected!r} up to {tolerance}")


def table1(folder, *options):
    return [WEFT, "experiment", "table1", "--out", "out", "--quiet", *options], {"cwd": folder}


def weft(folder, *options):
    os.makedirs(folder, exist_ok=True)
    command, place = table1(folder, *options)
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, **place)
    check(done.returncode == 0, f"{' '.join(command)}: status {done.returncode}, {done.stderr}")
    return done.stdout


def content(*parts):
    with open(os.path.join(*parts), "rb") as file:
        return file.read()


def cells(folder):
    """The table, by (protocol, n, beta)."""
    text = content(folder, "out", "table1.csv").decode()
    check(text.split("\n")[0] == HEADER, f"the header is {HEADER}")
    table = {}
    for line in csv.DictReader(io.StringIO(text)):
        check(None not in line and None not in line.values(), f"eleven fields: {line}")
        table[line["protocol"], int(line["n"]), float(line["beta"])] = line
    check(len(table) == text.count("\n") - 1 and text.endswith("\n"), "every line is a cell of its own")
    return table


# ---- The same files, whatever happens ----

def without_times(folder):
    """All results, but for what is said of time."""
    files = {}
    for name in sorted(os.listdir(os.path.join(folder, "out"))):
        whole = content(folder, "out", name)
        if name.endswith(".csv"):
            whole = b"\n".join(line.rpartition(b",")[0] for line in whole.split(b"\n"))
        elif name.endswith(".html"):
            whole = re.sub(rb"<h2>Time.*?(?=<h2>|</main>)", b"", whole, flags=re.S)
        elif not name.endswith((".svg", ".png")):
            continue
        files[name] = whole
    return files


def same_files(one, other, what):
    a, b = without_times(one), without_times(other)
    check(sorted(a) == sorted(b), f"{what}: {sorted(a)} and {sorted(b)}")
    check(len(a) >= 4, f"{what}: table, figures and report are there, found {sorted(a)}")
    for name in a:
        check(a[name] == b[name], f"{what}: {name} is the same but for times")


def jobs_do_not_matter(work):
    grid = ["--protocol", "text,authors", "--dimensions", "20,40", "--noise", "0,0.5", "--runs", "2"]
    one, two = os.path.join(work, "one"), os.path.join(work, "two")
    weft(one, *grid, "--jobs", "1")
    weft(two, *grid, "--jobs", "2")
    same_files(one, two, "jobs 1 and 2")
    table = cells(one)
    check(len(table) == 8, "2 protocols, 2 sizes and 2 noise levels are 8 cells")
    for (_, n, beta), line in table.items():
        check(line["runs"] == "2" and float(line["seconds"]) >= 0, f"runs and seconds of {line}")
        near(float(line["expected_mean"]), float(line["mean"]), 5 * 0.5 / (n * math.sqrt(2)), f"expected_mean, {line}")
        check(line["vacuous"] == str(int(float(line["bound"]) >= n * n)), f"vacuous iff the bound is at least n^2: {line}")
        check(float(line["mean"]) < 0.5 and float(line["bound"]) > n * n * float(line["mean"]), f"mean and bound: {line}")
    for n in 20, 40:
        check(float(table["text", n, 0]["mean"]) < float(table["text", n, 0.5]["mean"]), "a good graph is better than noise")
    return one


def more_runs_only_add(folder):
    before = content(folder, "out", "table1.journal")
    first = cells(folder)
    grid = ["--protocol", "text,authors", "--dimensions", "20,40", "--noise", "0,0.5"]
    weft(folder, *grid, "--runs", "2")
    check(content(folder, "out", "table1.journal") == before, "what is done is not done again")
    check(cells(folder) == first, "nor is anything else than before found, times included")
    weft(folder, "--dimensions", "20", "--noise", "0.5", "--runs", "3", "--jobs", "1")
    after = content(folder, "out", "table1.journal")
    check(after.startswith(before) and after.count(b"\n") == before.count(b"\n") + 1, "a third run adds one line")
    check(list(cells(folder)) == [("text", 20, 0.5)], "the table is what was asked for last")


# ---- kill -9 ----

def journal_lines(folder):
    try:
        return content(folder, "out", "table1.journal").count(b"\n")
    except FileNotFoundError:
        return 0


def kill_once(folder, grid, rng):
    """Starts it, kills it after a few more runs; how many lines the journal has gained."""
    command, place = table1(folder, *grid, "--jobs", str(rng.randrange(1, 4)))
    before = journal_lines(folder)
    wanted = before + rng.randrange(0, 4)
    program = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **place)
    while journal_lines(folder) < wanted and program.poll() is None:
        time.sleep(0.001)
    time.sleep(rng.uniform(0, 0.02))
    program.send_signal(signal.SIGKILL)
    check(program.wait() == -signal.SIGKILL, "it was killed while it worked: the grid is large enough")
    return journal_lines(folder) - before


def kill_in_report(folder, grid, rng):
    """All runs are there: files are written now, each whole or not at all."""
    command, place = table1(folder, *grid)
    program = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **place)
    time.sleep(rng.uniform(0.01, 0.15))
    program.send_signal(signal.SIGKILL)
    program.wait()


def killed_it_goes_on(work):
    rng = random.Random(20)
    grid = ["--dimensions", "20,40,50", "--noise", "0,0.5", "--runs", "10", "--seed", "3"]
    whole, killed = os.path.join(work, "whole"), os.path.join(work, "killed")
    weft(whole, *grid, "--jobs", "2")
    os.makedirs(killed)
    gains = [kill_once(killed, grid, rng) for _ in range(KILLS)]
    check(min(gains) >= 0 and sum(gain > 0 for gain in gains) >= KILLS / 2, f"runs were made between kills: {gains}")
    check(sum(gains) < 61, f"and not all of them: {gains}")
    weft(killed, *grid)
    lines = content(killed, "out", "table1.journal").split(b"\n")
    keys = [line.split(b"\t")[0] for line in lines[1:-1]]
    check(len(keys) == len(set(keys)) == 60 and lines[-1] == b"", "every run is in the journal, and once")
    same_files(whole, killed, f"killed {KILLS} times")
    for name in os.listdir(os.path.join(killed, "out")):
        if not name.endswith(".journal"):
            os.remove(os.path.join(killed, "out", name))
    for _ in range(2):
        kill_in_report(killed, grid, rng)
        for name, whole_file in without_times(killed).items():
            check(whole_file == without_times(whole)[name], f"{name} is whole though the program was killed")
    weft(killed, *grid)
    check(content(killed, "out", "table1.journal").count(b"\n") == 61, "nothing was played again")
    for name, whole_file in without_times(whole).items():
        check(without_times(killed)[name] == whole_file, f"{name} after kills in the report")
    return gains


# ---- A journal of our own ----

def checksum(text):
    """FNV-1a, 64 bits."""
    value = 0xcbf29ce484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001b3 % 2 ** 64
    return f"{value:016x}"


def paper_table():
    """{(n, beta): rate} as the paper prints it."""
    with open(PAPER, encoding="utf-8", errors="replace") as file:
        text = file.read()
    body = text[text.index(r"\caption{Data points used"):text.index(r"\label{table:raw_data}")]
    noise = [float(v) for v in re.search(r"^&([^\\]*)\\\\", body, re.M).group(1).split("&")]
    rates = {}
    for line in re.findall(r"^(\d+&.*?)\\\\", body, re.M):
        n, *entries = line.split("&")
        for beta, entry in zip(noise, entries):
            rates[int(n), beta] = float(entry.split("$")[0])
    check(len(rates) == 78, f"the paper has 13 sizes and 6 noise levels, found {len(rates)} cells")
    return rates


def our_numbers_become_the_table(work, sample):
    """No run is made: two answers a cell are written here, in the order of a line of `sample`."""
    heading, line = content(sample, "out", "table1.journal").decode().split("\n")[:2]
    fields = line.split("\t")[1:-1]
    rng, folder = random.Random(78), os.path.join(work, "own")
    rates = paper_table() if os.path.exists(PAPER) else {(n, b): None for n in (20, 400) for b in (0.5, 0.03125, 0)}
    expected, lines = {}, [heading]
    for place, (n, beta) in enumerate(rates):
        drawn = [[rng.random(), rng.random(), rng.uniform(0.5, 1.5) * n * n] for _ in range(2)]
        if place % 5 == 0:
            drawn[0][2] = drawn[1][2] = n * n           # exactly n^2 mistakes is no promise
        if place % 7 == 0:
            drawn[place % 2][2] = -1                    # the theorem does not apply to this one
        for number, answer in enumerate(drawn):
            numbers = [f"{v:.17g}" for v in answer] + fields[3:]
            text = "\t".join([f"text seed=9 n={n} beta={beta:.17g} run={number}"] + numbers)
            lines.append(f"{text}\t{checksum(text)}")
        expected[n, beta] = drawn
    check(f"{heading}".split("\t")[-1] == checksum(heading.rpartition("\t")[0]), "the heading has its checksum")
    os.makedirs(os.path.join(folder, "out"))
    with open(os.path.join(folder, "out", "table1.journal"), "w") as out:
        out.write("\n".join(lines) + "\n")
    sizes, noise = (",".join(map(repr, dict.fromkeys(v[k] for v in rates))) for k in (0, 1))
    command, place = table1(folder, "--runs", "2", "--seed", "9", "--dimensions", sizes, "--noise", noise)
    program = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **place)
    while not os.path.exists(os.path.join(folder, "out", "table1.csv")) and program.poll() is None:
        if journal_lines(folder) > len(lines):
            break                                       # it plays, which is found below
        time.sleep(0.01)
    program.kill()                                      # the report times the slow engine: not needed here
    program.wait()
    check(content(folder, "out", "table1.journal").decode().split("\n")[:-1] == lines, "no run was made")
    table = cells(folder)
    check(list(table) == [("text", n, beta) for n, beta in rates], "cells come in the order of the lists")
    for (n, beta), drawn in expected.items():
        one_cell(table["text", n, beta], n, drawn, rates[n, beta])
    return len(rates) if os.path.exists(PAPER) else None


def one_cell(line, n, drawn, paper):
    (a, expected_a, bound_a), (b, expected_b, bound_b) = drawn
    near(float(line["mean"]), (a + b) / 2, 1e-6, f"mean of {line}")
    near(float(line["sd"]), abs(a - b) / math.sqrt(2), 1e-6, f"sd of {line}")
    near(float(line["expected_mean"]), (expected_a + expected_b) / 2, 1e-6, f"expected_mean of {line}")
    if min(bound_a, bound_b) < 0:
        check(line["bound"] == line["vacuous"] == "", f"no bound where one run has none: {line}")
    else:
        near(float(line["bound"]), (bound_a + bound_b) / 2, 0.06, f"bound of {line}")
        check(line["vacuous"] == str(int((bound_a + bound_b) / 2 >= n * n)), f"vacuous: {line}")
    if paper is not None:
        check(line["paper"] != "" and float(line["paper"]) == paper, f"the paper has {paper}: {line}")


def cells_that_the_paper_has_not(work):
    folder = os.path.join(work, "beyond")
    weft(folder, "--dimensions", "21", "--noise", "0.3", "--runs", "1")
    check(cells(folder)["text", 21, 0.3]["paper"] == "", "the paper has no such cell")
    check(float(cells(folder)["text", 21, 0.3]["sd"]) == 0, "one run has no deviation")


# ---- The paper's algorithm ----

class Side:
    """One side from the files: graph, classes, and the PDLaplacian of the text."""

    def __init__(self, folder, name):
        edges = [line.split() for line in content(folder, f"{name}.edges").decode().splitlines()]
        pairs = [line.split() for line in content(folder, f"{name}.classes").decode().splitlines()]
        self.at = {pair[0]: k for k, pair in enumerate(pairs)}
        self.n = len(pairs)
        labels = sorted({pair[1] for pair in pairs})
        laplacian = numpy.zeros((self.n, self.n))
        for a, b in edges:
            i, j = self.at[a], self.at[b]
            check(i != j and laplacian[i, j] == 0, f"an edge of its own: {a} {b}")
            laplacian[[i, j, i, j], [i, j, j, i]] += [1, 1, -1, -1]
        check(numpy.linalg.matrix_rank(laplacian) == self.n - 1, f"the graph of the {name} is connected")
        indicator = numpy.array([[pair[1] == c for c in labels] for pair in pairs], float)
        self.resistance = numpy.linalg.pinv(laplacian).diagonal().max()
        matrix = laplacian + numpy.ones_like(laplacian) / (self.n ** 2 * self.resistance)
        kernel = numpy.linalg.inv(matrix)
        self.radius = kernel.diagonal().max()
        self.trace, self.cut = (numpy.trace(indicator.T @ m @ indicator) for m in (matrix, laplacian))
        value, vector = numpy.linalg.eigh(kernel)
        self.embedding = (vector * numpy.sqrt(value)) @ vector.T / math.sqrt(2 * self.radius)


def dimension(protocol, rows, columns, k=9):
    if protocol == "text":
        return 2 * rows.trace * rows.radius + 2 * columns.trace * columns.radius + 4 * k
    return 4 * (rows.cut * rows.resistance + k) + 4 * (columns.cut * columns.resistance + k) + 4 * k


def replay(stream, rows, columns, given, eta, d):
    """Algorithm 1 with the given thresholds: mistakes and expected mistakes; decisions are compared."""
    size, gamma, mistakes, expected = rows.n + columns.n, 1 / 3, 0, 0.0
    log_w = math.log(d / size) * numpy.eye(size)
    w = d / size * numpy.eye(size)
    for t, (trial, line) in enumerate(zip(stream, given)):
        y, threshold = int(trial["label"]), float(line["threshold"])
        check((trial["row"], trial["column"]) == (line["row"], line["column"]), f"line {t} is of the same trial")
        x = numpy.concatenate([rows.embedding[:, rows.at[trial["row"]]], columns.embedding[:, columns.at[trial["column"]]]])
        margin = x @ w @ x - 1
        check(abs(threshold) < gamma, f"threshold {threshold} is one that may be drawn")
        check(float(line["lower"]) - 1e-9 <= margin <= float(line["upper"]) + 1e-9, f"margin {margin} of trial {t}: {line}")
        prediction, update = (1 if margin >= threshold else -1), y * margin < gamma
        sure = min(abs(margin - threshold), abs(y * margin - gamma)) > 1e-9
        same = (prediction, update) == (int(line["prediction"]), line["updated"] == "1")
        check(same or not sure, f"trial {t}: margin {margin}, threshold {threshold}, {line}")
        mistakes += prediction != y
        expected += min(1.0, max(0.0, 0.5 - y * margin / (2 * gamma)))
        if update:
            log_w += eta * y * numpy.outer(x, x)
            value, vector = numpy.linalg.eigh(log_w)
            w = (vector * numpy.exp(value)) @ vector.T
    return mistakes, expected


def generate(folder, protocol, n, beta, threads):
    """Files of run 0, and the options of the command that plays it."""
    free = {k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"}
    command = [WEFT, "generate", "biclustered", "--rows", str(n), "--columns", str(n), "--graph-noise", repr(beta),
               "--protocol", protocol, "--seed", "5", "--out", folder]
    done = subprocess.run(command, capture_output=True, text=True, env={**free, **threads})
    check(done.returncode == 0, f"{' '.join(command)}: {done.stderr}")
    said_by_generate[folder] = done.stderr
    return shlex.split(done.stderr.strip().split("\n")[-1])


def a_cell_is_played_again(work, protocol, n, beta):
    folder = os.path.join(work, f"{protocol}-{n}-{beta}")
    weft(folder, "--protocol", protocol, "--dimensions", str(n), "--noise", repr(beta), "--runs", "1", "--seed", "5")
    cell = cells(folder)[protocol, n, beta]
    command = generate(os.path.join(folder, "files"), protocol, n, beta, {})
    check(command == generate(os.path.join(folder, "files"), protocol, n, beta, {"OPENBLAS_NUM_THREADS": "1"}),
          "generate prints the same settings whatever the number of cores")
    option = {name: command[command.index(name) + 1] for name in ("--eta", "--gamma", "--dimension")}
    rows, columns = (Side(os.path.join(folder, "files"), name) for name in ("rows", "columns"))
    stream = list(csv.DictReader(io.StringIO(content(folder, "files", "stream.csv").decode())))
    check(len(stream) == n * n == len({(t["row"], t["column"]) for t in stream}), "every entry once")
    d = dimension(protocol, rows, columns)
    eta = math.sqrt(d * math.log(2 * n) / (2 * n * n))
    near(float(option["--dimension"]), d, 1e-9 * d, "D by the text")
    near(float(option["--eta"]), eta, 1e-9 * eta, "eta by the text")
    near(float(option["--gamma"]), 1 / 3, 1e-15, "gamma")
    predictions = os.path.join(folder, "predictions.csv")
    done = subprocess.run([WEFT] + command[1:] + ["--predictions", predictions, "--quiet"], capture_output=True, text=True)
    check(done.returncode == 0, f"the printed command works: {done.stderr}")
    given = list(csv.DictReader(io.StringIO(content(predictions).decode())))
    check(len(given) == n * n, "a line for every trial")
    mistakes, expected = replay(stream, rows, columns, given, float(option["--eta"]), float(option["--dimension"]))
    near(float(cell["mean"]), mistakes / n ** 2, 0.6e-6, f"mistakes of the cell {protocol} n={n} beta={beta}")
    near(float(cell["expected_mean"]), expected / n ** 2, 0.002, "expected mistakes of the cell")
    near(float(cell["bound"]), turned(folder, stream) + regret(d, n), 0.06, "errors of the matrix and regret")


def turned(folder, stream):
    """Labels that are not the sign of their block: with one label in ten turned, blocks vote for their sign."""
    row, column = (dict(line.split() for line in content(folder, "files", f"{name}.classes").decode().splitlines())
                   for name in ("rows", "columns"))
    votes = {}
    for t in stream:
        votes.setdefault((row[t["row"]], column[t["column"]]), []).append(int(t["label"]))
    said = re.search(r"(\d+) of their labels turned over", said_by_generate[os.path.join(folder, "files")])
    least = sum(min(v.count(1), v.count(-1)) for v in votes.values())
    check(least <= int(said.group(1)), f"at least {least} labels are not those of any block matrix")
    return int(said.group(1))


def regret(d, n):
    return 4 * math.sqrt(2 * d * 9 * math.log(2 * n) * n * n)


def the_theorem_is_vacuous(work):
    """Regret over T at n = 100 and beta = 0 is 5.6, from the ideal graphs."""
    folder = os.path.join(work, "hundred")
    command = generate(folder, "text", 100, 0.0, {"OPENBLAS_NUM_THREADS": "1"})
    d = dimension("text", Side(folder, "rows"), Side(folder, "columns"))
    near(float(command[command.index("--dimension") + 1]), d, 1e-9 * d, "D at n = 100")
    near(regret(d, 100) / 1e4, 5.6, 0.3, "regret over T at n = 100, beta = 0")


def main():
    left_out = []
    # In memory where that can be: a journal is brought to the disk with every line.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as work:
        sample = jobs_do_not_matter(work)
        compared = our_numbers_become_the_table(work, sample)
        if compared is None:
            left_out.append(f"the paper's values ({PAPER} is missing)")
        more_runs_only_add(sample)
        cells_that_the_paper_has_not(work)
        gains = killed_it_goes_on(work)
        if numpy is None:
            left_out.append("playing a cell again (python3-numpy is missing)")
        else:
            for protocol, n, beta in (("text", 20, 0.0), ("text", 20, 0.5), ("authors", 20, 0.125), ("authors", 26, 0.0)):
                a_cell_is_played_again(work, protocol, n, beta)
            the_theorem_is_vacuous(work)
    print(f"{checks} checks; {KILLS} kills, runs between them {gains}; cells of the paper {compared}")
    for what in left_out:
        print(f"left out: {what}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
