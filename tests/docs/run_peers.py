"""SPDX-License-Identifier: MIT

What makes the table of docs/peers.md (bench/peers), judged without the peers themselves: what ids are said to be like, the
orders, which games are played and played again, the verdicts, and that all that is installed is pinned by hash.
"""

import contextlib
import glob
import io
import math
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = os.path.realpath(os.environ.get("WEFT_SOURCE_DIR") or os.path.join(os.path.dirname(__file__), "..", ".."))
PEERS = os.path.join(ROOT, "bench", "peers")
sys.path.insert(0, PEERS)

import peers  # noqa: E402
import streams  # noqa: E402
import table  # noqa: E402
from results import Results  # noqa: E402

FAILED = []


def expect(what, found, wanted):
    if found != wanted:
        FAILED.append(f"{what}: found {found!r}, expected {wanted!r}")


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def check_traits(folder):
    classes = write(folder, "classes.txt", "# a comment\na red\nb blue\n")
    expect("classes", streams.traits(f"classes:{classes},epsilon=1"), {"a": [("red", 1.0)], "b": [("blue", 1.0)]})
    graph = write(folder, "graph.txt", "a b\na c\n")
    expect("neighbours", streams.traits(f"graph:{graph}"), {
        "a": [("a", 1.0), ("b", 1.0), ("c", 1.0)], "b": [("b", 1.0), ("a", 1.0)], "c": [("c", 1.0), ("a", 1.0)]})
    kernel = write(folder, "kernel.tsv", "\ta\tb\tc\na\t1\t.5\t.2\nb\t.7\t1\t0\nc\t.8\t0\t1\n")
    found = streams.traits(f"kernel:{kernel},repair=clip")
    rounded = {name: [(other, round(x, 9)) for other, x in near] for name, near in found.items()}
    expect("nearest by the mean of kernel and mirror", rounded,
           {"a": [("a", 1.0), ("b", 0.6), ("c", 0.5)], "b": [("b", 1.0), ("a", 0.6)], "c": [("c", 1.0), ("a", 0.5)]})
    names = "abcdefghijklmnop"
    matrix = "\n".join(f"{x}\t" + "\t".join(str(1 / (1 + abs(i - j))) for j in range(16)) for i, x in enumerate(names))
    wide = streams.traits("kernel:" + write(folder, "wide.tsv", "\t" + "\t".join(names) + "\n" + matrix + "\n"))
    expect("as many as ten nearest, and the id itself", [name for name, _ in wide["a"]], list("abcdefghijk"))
    written = 'id,age,town\n"a, b",10,X\nc,30,Y\nd,,X\n'
    found = streams.traits("table:" + write(folder, "table.csv", written))
    rounded = {name: [(trait, round(x * 2 ** 0.5, 9)) for trait, x in known] for name, known in found.items()}
    expect("columns of a table", rounded, {"a, b": [("age", -1.0), ("town=X", 1.0)], "c": [("age", 1.0), ("town=Y", 1.0)],
                                           "d": [("town=X", 1.0)]})
    expect("nothing known", streams.traits("none"), {})
    expect("of length 1", streams.at_most_one([("a", 3.0), ("b", 4.0)]), [("a", 0.6), ("b", 0.8)])
    expect("shorter, left alone", streams.at_most_one([("a", 0.5)]), [("a", 0.5)])


def check_orders(folder):
    events = [(f"r{k}", f"c{k % 7}", 1 if k % 3 else -1) for k in range(50)]
    write(folder, "stream.csv", "row,column,label\n" + "".join(f"{r},{c},{y}\n" for r, c, y in events))
    whole = streams.Stream(folder, "whole", ".", 0, "none", "none", ["mistakes"])
    part = streams.Stream(folder, "part", ".", 20, "none", "none", ["mistakes"])
    orders = [streams.Problem(whole, order, folder).events for order in range(5)]
    expect("the order of the file", orders[0], events)
    expect("different orders", len({tuple(order) for order in orders}), 5)
    expect("the same events", [sorted(order) for order in orders], [sorted(events)] * 5)
    expect("the first of each order", [streams.Problem(part, order, folder).events for order in range(5)],
           [order[:20] for order in orders])
    with open(streams.Problem(part, 1, folder).write_csv(), newline="", encoding="utf-8") as file:
        expect("as a file", file.read().split(), ["row,column,label"] + [",".join(map(str, e)) for e in orders[1][:20]])
    return part


class Pretender:
    """Eight settings; the larger its number the fewer its mistakes, and the lower its average precision."""

    name, settings = "pretender", {str(k): None for k in range(8)}

    def __init__(self, version):
        self.version, self.played = version, []

    def measure(self, stream, problem, setting):
        self.played.append((problem.order, setting))
        return {"mistakes": 10 - int(setting), "average_precision": 0.9 - int(setting) / 10, "seconds": 0}


def play_both(results, stream, player):
    with contextlib.redirect_stderr(io.StringIO()):
        for order in (0, 1):
            peers.play_stream(results, stream, order, player)
    return player.played


def check_games(folder, stream):
    path = os.path.join(folder, "results.jsonl")
    stream.measures = ["mistakes"]
    best = [(0, str(k)) for k in range(8)] + [(1, str(k)) for k in range(3, 8)]
    expect("all settings, then the best five", play_both(Results(path), stream, Pretender("1")), best)
    with open(path, "a", encoding="utf-8") as file:
        file.write('{"stream": "part", "ord')
    results = Results(path)
    expect("a torn line", len(results.records), 13)
    expect("nothing is played twice", play_both(results, stream, Pretender("1")), [])
    expect("another version", play_both(results, stream, Pretender("2")), best)
    expect("the first version is kept", len(Results(path).of("part", "pretender", "1")), 8)
    expect("the last version", Results(path).last_version("pretender"), "2")
    stream.measures = ["mistakes", "average_precision"]
    expect("the best five of each measure", play_both(results, stream, Pretender("1")), [(1, str(k)) for k in range(3)])


def check_verdicts():
    expect("best in hindsight", table.best_setting(
        {"a": {0: {"mistakes": 5}, 1: {"mistakes": 9}}, "b": {0: {"mistakes": 6}, 1: {"mistakes": 6}},
         "c": {0: {"mistakes": 1}}}, "mistakes", [0, 1]), ("b", [6, 6]))
    games = {"a": {0: {"average_precision": 0.2}}, "b": {0: {"average_precision": 0.3}}}
    expect("the highest precision", table.best_setting(games, "average_precision", [0]), ("b", [0.3]))
    expect("nobody has played", table.best_setting({}, "mistakes", [0]), None)
    mean, error, word = table.judge("mistakes", [12, 10, 11, 14, 10], [10, 10, 10, 10, 10])
    expect("the mean difference", mean, 1.4)
    expect("its standard error", round(error, 12), round(math.sqrt(((.6**2 + 1.4**2 + .4**2 + 2.6**2 + 1.4**2) / 4) / 5), 12))
    expect("within two", word, "within two")
    expect("worse", table.judge("mistakes", [12, 13, 12], [10, 11, 10.5])[2], "**worse**")
    expect("better", table.judge("mistakes", [9, 13, 9], [10, 11, 12])[2], "better")
    expect("equal", table.judge("mistakes", [1, 2], [2, 1])[2], "equal")
    expect("more precision is better", table.judge("average_precision", [.5, .6], [.4, .5])[2], "better")
    expect("less is worse", table.judge("average_precision", [.40, .501], [.5, .6])[2], "**worse**")
    expect("one order proves no more than it shows", table.judge("mistakes", [12], [10])[1:], (None, "**worse**"))


def check_pins():
    files = glob.glob(os.path.join(PEERS, "requirements", "*.txt"))
    expect("requirements", sorted(map(os.path.basename, files)), sorted(name for name, _ in peers.environment.FILES))
    for path in files:
        with open(path, encoding="utf-8") as file:
            lines = [line for line in file.read().replace("\\\n", " ").split("\n") if line and not line.startswith("#")]
        for line in lines:
            if not re.fullmatch(r"[a-z0-9-]+==[0-9.]+(\s+--hash=sha256:[0-9a-f]{64})+", line.rstrip()):
                FAILED.append(f"{os.path.basename(path)} does not pin: {line[:60]}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_traits(folder)
        check_games(folder, check_orders(folder))
    check_verdicts()
    check_pins()
    for what in FAILED:
        print(what)
    print(f"peers: {len(FAILED)} findings")
    return 1 if FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
