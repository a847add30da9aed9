"""SPDX-License-Identifier: MIT

weft beside real peers, as docs/peers.md tells.

    peers.py WEFT DATA [--only NAME]... [--stream NAME]... [--clicks FOLDER] [--orders N] [--results FILE] [--table]

Installs Vowpal Wabbit, LightFM and scikit-learn from PyPI into a virtual environment below build/, plays every stream in
every order that is not yet in FILE (build/peers/results.jsonl), and prints the table.  --only plays one of weft,
the peers; another build of weft is another version, which is played anew while what the peers made is kept.  --clicks
names the folder of make_clicks.py and baseline.py, and adds the stream of the one and the player of the other.  --table
plays nothing.
"""

import argparse
import csv
import hashlib
import importlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True

import environment
import table
from results import Results
from streams import MISTAKES, PRECISION, STREAMS, Clicks, Problem, Stream

BUILD = os.path.normpath(os.path.join(environment.HERE, "..", "..", "build", "peers"))
PEERS = {"vowpal-wabbit": "vowpal_wabbit", "lightfm": "light_fm", "scikit-learn": "scikit_learn"}
FURTHER = 5  # settings that are played in all orders: the best ones in that of the file


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("weft")
    parser.add_argument("data")
    parser.add_argument("--only", action="append", choices=["weft", *PEERS, Baseline.name])
    parser.add_argument("--stream", action="append", choices=[*(stream[0] for stream in STREAMS), Clicks.name])
    parser.add_argument("--clicks")
    parser.add_argument("--orders", type=int, default=5)
    parser.add_argument("--results", default=os.path.join(BUILD, "results.jsonl"))
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    if not os.path.isdir(options.data):
        sys.exit(f"{options.data} is missing")
    return options


# ---- Those who play ----


def run(words):
    """What a command writes, and its seconds of processor time; one that fails says why on standard error."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    written = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout
    return written, round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, 2)


class Weft:
    """The command, by default; its version is the digest of the program."""

    name, settings = "weft", {"": None}

    def __init__(self, program):
        self.program = program
        with open(program, "rb") as file:
            self.version = hashlib.sha256(file.read()).hexdigest()[:16]

    def measure(self, stream, problem, _):
        words = [self.program, "run", problem.write_csv(), *stream.sides(), "--quiet", "--json"]
        written, seconds = run(words)
        found = json.loads(written)
        return {MISTAKES: found[MISTAKES], PRECISION: found[PRECISION], "seconds": seconds}


class Baseline:
    """The twenty lines of baseline.py, which read the tables of the clicks themselves."""

    name, settings, version = "baseline.py", {"": None}, "1"

    def __init__(self, program):
        self.program = program

    def measure(self, stream, problem, _):
        for name in ("users.csv", "items.csv"):
            os.symlink(os.path.abspath(os.path.join(stream.place, name)), os.path.join(problem.folder, name))
        with open(os.path.join(problem.folder, "events.csv"), "w", newline="", encoding="utf-8") as file:
            lines = ((user, item, int(label > 0), 0) for user, item, label in problem.events)
            csv.writer(file).writerows([("user_id", "item_id", "clicked", "ts"), *lines])
        written, seconds = run([sys.executable, self.program, problem.folder])
        trials, mistakes = map(int, written.splitlines()[-1].split()[:2])
        if trials != len(problem.labels):
            raise ValueError(f"{self.name}: {trials} events, expected {len(problem.labels)}")
        return {MISTAKES: mistakes, "seconds": seconds}


class Peer:
    """A module of this folder: VERSION, SETTINGS, and play."""

    def __init__(self, name, module):
        self.name, self.play, self.version, self.settings = name, module.play, module.VERSION, module.SETTINGS

    def measure(self, stream, problem, setting):
        from sklearn.metrics import average_precision_score

        before = time.process_time()
        scores = self.play(self.settings[setting], problem)
        seconds = time.process_time() - before
        if len(scores) != len(problem.labels):
            raise ValueError(f"{self.name}, {setting}: {len(scores)} answers, expected {len(problem.labels)}")
        mistakes = sum((score >= 0) != (label > 0) for score, label in zip(scores, problem.labels))
        precision = average_precision_score([label > 0 for label in problem.labels], scores)
        return {MISTAKES: mistakes, PRECISION: round(float(precision), 6), "seconds": round(seconds, 2)}


def players(options):
    """Those that can be had."""
    found = []
    for name, module in PEERS.items():
        if options.only is None or name in options.only:
            try:
                found.append(Peer(name, importlib.import_module(module)))
            except ImportError as error:
                print(f"peers.py: {name} is left out: {error}", file=sys.stderr)
    if options.clicks and (options.only is None or Baseline.name in options.only):
        found.append(Baseline(os.path.join(options.clicks, "baseline.py")))
    if options.only is None or "weft" in options.only:
        found.append(Weft(options.weft))
    return found


# ---- Games ----


def chosen(results, stream, player):
    """The settings for the other orders: the best few of each measure in the order of the file."""
    games = results.of(stream.name, player.name, player.version)
    found = set()
    for measure in stream.measures:
        sign = 1 if measure == MISTAKES else -1
        ranked = sorted((sign * by_order[0][measure], setting) for setting, by_order in games.items() if 0 in by_order)
        found.update(setting for _, setting in ranked[:FURTHER])
    return [setting for setting in player.settings if setting in found]


def play_stream(results, stream, order, player):
    """All games of one order."""
    settings = list(player.settings) if order == 0 else chosen(results, stream, player)
    missing = [setting for setting in settings if not results.has(stream.name, order, player.name, setting, player.version)]
    if not missing:
        return
    with tempfile.TemporaryDirectory() as folder:
        problem = Problem(stream, order, folder)
        for setting in missing:
            record = {"stream": stream.name, "order": order, "player": player.name, "setting": setting,
                      "version": player.version, "trials": len(problem.labels)}
            record.update(player.measure(stream, problem, setting))
            results.add(record)
            print(json.dumps(record), file=sys.stderr, flush=True)


def play_orders(results, stream, orders, player):
    """A player that fails is left out of this stream, with a word: the others play."""
    if isinstance(player, Baseline) and not isinstance(stream, Clicks):
        return
    for order in range(orders):
        try:
            play_stream(results, stream, order, player)
        except subprocess.CalledProcessError as error:
            print(f"peers.py: {player.name} does not play {stream.name}: {error}", file=sys.stderr)
            return


def main():
    options = parse()
    place = os.path.join(BUILD, "venv")
    if not options.table and os.path.realpath(sys.prefix) != os.path.realpath(place):
        program = environment.prepare(place)
        # A second thread of BLAS costs time here and saves none.
        surroundings = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        os.execve(program, [program, os.path.abspath(__file__), *sys.argv[1:]], surroundings)
    results = Results(options.results)
    wanted = [Stream(options.data, *stream) for stream in STREAMS]
    if options.clicks:
        wanted.append(Clicks(os.path.join(options.clicks, "make_clicks.py"), os.path.join(BUILD, "clicks")))
    if options.stream:
        wanted = [stream for stream in wanted if stream.name in options.stream]
    if not options.table:
        playing = players(options)
        for stream in wanted:
            for player in playing:
                play_orders(results, stream, options.orders, player)
    print(table.HEAD)
    for line in table.lines(results, wanted, [*PEERS, Baseline.name], options.orders):
        print(line)


if __name__ == "__main__":
    main()
