"""SPDX-License-Identifier: MIT

A run that is cut and resumed equals the whole run, to the byte of predictions and
model: for every kind of side information and every feature map, the three forms, both update rules, drawn
and deterministic thresholds, side files embedded or not, streams from files and
pipes; for committees, before and after members were put to rest; after Ctrl-C; and after kill -9 at random
moments.  Damaged models end with exit status 4 and a message, never with an answer.

Open answers are not part of a model: every run here is one with --open 0, where a label is that of its own line.
"""

import gzip
import itertools
import math
import os
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time

WEFT = os.path.abspath(os.environ["WEFT_BIN"])
LONG = os.environ.get("WEFT_LONG") == "yes"
ROWS, COLUMNS, EVENTS = 11, 8, 90
ALONE = ["--open", "0"]
checks = 0


def weft(*arguments, status=0, stdin=None):
    """Runs the program; its standard error."""
    alone = ALONE if arguments[0] == "run" else []
    done = subprocess.run([WEFT, *arguments, *alone], input=stdin, capture_output=True, text=True, timeout=600)
    if done.returncode != status:
        sys.exit(f"weft {' '.join(arguments)}\nstatus {done.returncode}, expected {status}\n{done.stderr}")
    return done.stderr


def check(held, what):
    global checks
    checks += 1
    if not held:
        sys.exit(f"FAILED: {what}")


def content(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def positive_definite(n, rng):
    points = [[rng.gauss(0, 1) for _ in range(3)] for _ in range(n)]
    return [
        [math.exp(-sum((a - b) ** 2 for a, b in zip(x, y)) / 4) + (0.5 if x is y else 0) for y in points]
        for x in points
    ]


def square(names, matrix):
    lines = ["," + ",".join(names)] + [f"{n}," + ",".join(map(repr, row)) for n, row in zip(names, matrix)]
    return "\n".join(lines) + "\n"


def make_sides(prefix, n, rng):
    """Side files for ids prefix0, prefix1, ...; the SPEC of every kind."""
    names = [f"{prefix}{k}" for k in range(n)]
    write(f"{prefix}.classes", "".join(f"{x} k{k % 3}\n" for k, x in enumerate(names)))
    write(f"{prefix}.few", "".join(f"{x} k{k % 2}\n" for k, x in enumerate(names[: n - 3])))
    write(f"{prefix}.graph", "".join(f"{x} {names[(k + 2) % n]} {1 + k % 2}\n" for k, x in enumerate(names)))
    write(f"{prefix}.kernel", square(names, positive_definite(n, rng)))
    features = "".join(f"{x}," + ",".join(f"{rng.uniform(-1, 1):.6f}" for _ in range(3)) + "\n" for x in names)
    write(f"{prefix}.features", features)
    with gzip.open(f"{prefix}.gz", "wt") as file:
        file.write(features)
    return {
        "none": "none",
        "classes": f"classes:{prefix}.classes,epsilon=0.2",
        "alone": f"classes:{prefix}.few,missing=alone",
        "graph": f"graph:{prefix}.graph",
        "lonely": f"graph:{prefix}.graph,missing=alone",
        "kernel": f"kernel:{prefix}.kernel",
        "shifted": f"kernel:{prefix}.kernel,repair=shift",
        "matrix": f"matrix:{prefix}.kernel",
        "linear": f"features:{prefix}.features,kernel=linear,epsilon=0.1",
        "gaussian": f"features:{prefix}.features,kernel=gaussian,width=1.5",
        "min": f"features:{prefix}.features,kernel=min,range=2,radius=9",
        "gzip": f"features:{prefix}.gz,kernel=gaussian,width=0.7",
    }


def make_maps(prefix):
    """SPECs over the same files for the compact engine."""
    return {
        "hash": "none,map=hash:12",
        "nameless": "none,map=hash:9,seed=4,names=hashed",
        "classes": f"classes:{prefix}.classes,epsilon=0",
        "alone": f"classes:{prefix}.few,missing=alone,map=hash:7",
        "linear": f"features:{prefix}.features,kernel=linear,epsilon=0.1,map=hash:5",
        "fourier": f"features:{prefix}.gz,kernel=gaussian,width=1.5,map=fourier:8+hash:4",
        "eigen": f"graph:{prefix}.graph,map=eigen:3",
        "both": f"graph:{prefix}.graph,kernel=diffusion,time=1,map=eigen:3+hash:6,missing=alone",
        "kernel": f"kernel:{prefix}.kernel,map=eigen:4+hash:3",
    }


def make_events(count, columns, rng, bits=False):
    """Lines of a stream; some have no label."""
    lines = []
    for _ in range(count):
        i, j = rng.randrange(ROWS), rng.randrange(COLUMNS)
        label = 1 if (i % 3 == j % 3) != (rng.random() < 0.1) else (0 if bits else -1)
        shown = "" if rng.random() < 0.05 else label
        lines.append(f"r{i},{columns}{j},{shown}\n")
    return lines


def write_events(path, lines):
    write(path, "row,column,label\n" + "".join(lines))


def compare_halves(what, lines, options, sides, pipe=False):
    """Whole run against two halves; the second half is told nothing but the model."""
    half = len(lines) // 2
    write_events("whole.csv", lines)
    write_events("first.csv", lines[:half])
    write_events("second.csv", lines[half:])
    weft("run", "whole.csv", *sides, *options, "--predictions", "p.csv", "--model", "m", "--quiet")
    weft("run", "first.csv", *sides, *options, "--predictions", "p1.csv", "--model", "m1", "--quiet")
    stream, stdin = ("-", "".join(lines[half:])) if pipe else ("second.csv", None)
    weft("run", stream, "--resume", "m1", "--predictions", "p2.csv", "--model", "m2", "--quiet", stdin=stdin)
    joined = content("p1.csv") + content("p2.csv").split(b"\n", 1)[1]
    check(joined == content("p.csv"), f"{what}: the predictions differ")
    check(content("m2") == content("m"), f"{what}: the models differ")
    # The same options again contradict nothing.
    weft("run", "second.csv", "--resume", "m1", *sides, *options, "--model", "m3", "--quiet")
    check(content("m3") == content("m"), f"{what}: the models differ with the options given again")


def ways(k):
    """Forms and rules of updating, which know nothing of kinds: two of the four for each kind, all in the long form."""
    every = list(itertools.product(["paper", "balanced"], ["margin", "mistakes"]))
    return every if LONG else [every[k % 4], every[3 - k % 4]]


def all_kinds(rng):
    rows, columns = make_sides("r", ROWS, rng), make_sides("c", COLUMNS, rng)
    kinds = list(rows)
    room = ["--horizon", str(EVENTS)]
    lines = make_events(EVENTS, "c", rng)
    for k, kind in enumerate(kinds):
        other = kinds[(k + 5) % len(kinds)]
        sides = ["--rows", rows[kind], "--columns", columns[other], "--capacity", f"{ROWS + 3}x{COLUMNS + 2}"]
        for form, updates in ways(k):
            options = [*room, "--form", form, "--updates", updates, "--seed", str(k)]
            if k % 2 == 0:
                options.append("--embed")
            compare_halves(f"{kind} and {other}, {form}, {updates}", lines, options, sides, pipe=k % 3 == 0)
    pairs = [line.replace("c", "r") for line in make_events(EVENTS, "c", rng, bits=True)]
    for k, kind in enumerate(kinds):
        sides = ["--both", rows[kind], "--capacity", str(ROWS + 4)]
        for updates in ["margin", "mistakes"] if LONG else [["margin", "mistakes"][k % 2]]:
            options = [*room, "--updates", updates] + (["--deterministic"] if k % 2 else ["--embed"])
            compare_halves(f"both {kind}, {updates}", pairs, options, sides, pipe=k % 3 == 1)
    return rows, columns, lines


def all_maps(lines, rng):
    rows, columns = make_maps("r"), make_maps("c")
    kinds = list(rows)
    room = ["--horizon", str(EVENTS), "--engine", "compact"]
    for k, kind in enumerate(kinds):
        other = kinds[(k + 4) % len(kinds)]
        sides = ["--rows", rows[kind], "--columns", columns[other], "--capacity", f"{ROWS + 3}x{COLUMNS + 2}"]
        decay = ["--half-life", "20"] if k % 2 else []
        for form, updates in ways(k):
            options = [*room, *decay, "--form", form, "--updates", updates] + (["--embed"] if k % 3 else [])
            what = f"compact {kind} and {other}, {form}, {updates}"
            compare_halves(what, lines, options, sides, pipe=k % 3 == 0)
    pairs = [line.replace("c", "r") for line in make_events(EVENTS, "c", rng, bits=True)]
    for k, kind in enumerate(kinds):
        sides = ["--both", rows[kind], "--capacity", str(ROWS + 4)]
        compare_halves(f"compact both {kind}", pairs, room, sides, pipe=k % 2 == 0)
    across_holds(rng)
    return rows, columns


def across_holds(rng):
    """A margin that cannot be met: eigenvalues are held at the floor in both halves."""
    lines = []
    for _ in range(4 * EVENTS):
        label = 1 if rng.random() < 0.4 else -1
        lines.append(f"r{rng.randrange(ROWS)},c{rng.randrange(COLUMNS)},{label}\n")
    sides = ["--rows", "none,map=hash:2", "--columns", "none,map=hash:3"]
    room = ["--capacity", f"{ROWS}x{COLUMNS}", "--horizon", str(len(lines)), "--gamma", "1"]
    for form, decay in itertools.product(["paper", "balanced"], [[], ["--half-life", "500"]]):
        models = set()
        for floor in ["2", "12.5", "none"]:
            rate = ["--eta", "40" if form == "balanced" else "5", "--form", form]
            what = f"compact {form}, floor {floor} {' '.join(decay)}"
            compare_halves(what, lines, [*room, *decay, *rate, "--floor", floor], sides, pipe=floor == "2")
            models.add(tuple(matrix_of(name) for name in ["m1", "m"]))
        firsts, ends = map(set, zip(*models))
        check(len(firsts) == 3 and len(ends) == 3, f"compact {form} {decay}: a floor holds nothing")


def matrix_of(model):
    """What ends a model of the compact engine over 5 coordinates, up to the checksum."""
    return content(model)[-16 - 8 * 15 : -16]


def embedded_without_files(rows, columns, lines):
    """What is embedded needs no files, also when they are gone, or others."""
    write_events("first.csv", lines[:30])
    write_events("second.csv", lines[30:])
    sides = ["--rows", rows["gzip"], "--columns", columns["graph"], "--single"]
    weft("run", "first.csv", *sides, "--model", "with", "--embed", "--quiet")
    weft("run", "first.csv", *sides, "--model", "without", "--quiet")
    os.rename("r.gz", "elsewhere.gz")
    weft("run", "second.csv", "--resume", "with", "--model", "with2", "--quiet")
    told = weft("run", "second.csv", "--resume", "without", status=3)
    check("r.gz: cannot be opened" in told, told)
    place = rows["gzip"].replace("r.gz", "elsewhere.gz")
    weft("run", "second.csv", "--resume", "without", "--rows", place, "--model", "x", "--embed", "--quiet")
    # The same content unpacked has the same digest.
    with gzip.open("elsewhere.gz", "rt") as file:
        write("unpacked", file.read())
    place = rows["gzip"].replace("r.gz", "unpacked")
    weft("run", "second.csv", "--resume", "without", "--rows", place, "--quiet")
    text = content("unpacked").decode()
    write("unpacked", text[:-2] + str((int(text[-2]) + 1) % 10) + "\n")
    told = weft("run", "second.csv", "--resume", "without", "--rows", place, status=4)
    check("does not fit: unpacked:" in told and "must stay" in told and "expected" in told, told)
    os.rename("elsewhere.gz", "r.gz")


def trials_of(model):
    """t, where docs/model-format.md says that it is."""
    # One look: between two a running command may have put another model there.
    whole = content(model)
    state = whole.find(b"weftcomm")
    if state >= 0:
        version = struct.unpack_from("<q", whole, state + 8)[0]
        return struct.unpack_from("<q", whole, state + 8 * (6 if version == 1 else 7))[0]
    state = whole.index(b"weftstat")
    version = struct.unpack_from("<q", whole, state + 8)[0]
    return struct.unpack_from("<q", whole, state + 8 * (14 if version == 1 else 16))[0]


def labels_in(lines):
    return sum(not line.endswith(",\n") for line in lines)


def lines_up_to(lines, labels):
    """How many lines there are up to that label: those without one change no model."""
    return next((k for k in range(labels, len(lines) + 1) if labels_in(lines[:k]) == labels), len(lines))


def after_interrupt(rows, columns, lines, player):
    """Ctrl-C finishes the trial, writes the model and ends with 130."""
    options = ["--rows", rows["classes"], "--columns", columns["none"], *player]
    if os.path.exists("cut"):
        os.remove("cut")
    write_events("whole.csv", lines)
    weft("run", "whole.csv", *options, "--predictions", "p.csv", "--model", "m", "--quiet")
    command = [WEFT, "run", "-", *options, *ALONE, "--model", "cut", "--predictions", "p1.csv", "--checkpoint", "1"]
    read = lines_up_to(lines, 40)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stdin.write("".join(lines[:read]))
        process.stdin.flush()
        while not os.path.exists("cut") or trials_of("cut") < 40:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        told = process.stderr.read()
        check(process.wait() == 130 and "interrupted" in told, f"Ctrl-C: {process.returncode} {told}")
    check(trials_of("cut") == 40, "Ctrl-C: the model has all trials")
    write_events("rest.csv", lines[read:])
    weft("run", "rest.csv", "--resume", "cut", "--model", "m2", "--predictions", "p2.csv", "--quiet")
    joined = content("p1.csv") + content("p2.csv").split(b"\n", 1)[1]
    check(content("m") == content("m2") and joined == content("p.csv"), "Ctrl-C: the rest differs")


def after_kill(sides, kills, rng, player=(), events=1500):
    """At every moment the file under the name is a whole model."""
    lines = make_events(events, "c", rng)
    options = ["--rows", sides[0], "--columns", sides[1], *player, "--quiet"]
    write_events("whole.csv", lines)
    weft("run", "whole.csv", *options, "--checkpoint", "3", "--model", "slow")
    weft("run", "whole.csv", *options, "--predictions", "p.csv", "--model", "m")
    check(content("slow") == content("m"), "checkpoints change nothing")
    expected = content("p.csv").split(b"\n")
    found = set()
    for _ in range(kills):
        if os.path.exists("cut"):
            os.remove("cut")
        with subprocess.Popen([WEFT, "run", "whole.csv", *options, *ALONE, "--checkpoint", "3", "--model", "cut"]) as process:
            target = rng.randrange(3, labels_in(lines) * 4 // 5)
            while process.poll() is None and (not os.path.exists("cut") or trials_of("cut") < target):
                time.sleep(0.001)
            time.sleep(rng.uniform(0, 0.003))
            process.kill()
        t = trials_of("cut")
        found.add(t)
        check(t % 3 == 0 or t == labels_in(lines), f"kill -9: t is {t}")
        if t == labels_in(lines):
            check(content("cut") == content("m"), "kill -9: the finished model differs")
            continue
        read = lines_up_to(lines, t)
        write_events("rest.csv", lines[read:])
        weft("run", "rest.csv", "--resume", "cut", "--model", "m2", "--predictions", "p2.csv", "--quiet")
        check(content("p2.csv").split(b"\n")[1:] == expected[read + 1 :], f"kill -9 at {t}: predictions differ")
        check(content("m2") == content("m"), f"kill -9 at {t}: the models differ")
    check(len(found) >= kills // 3, f"kill -9 came at {sorted(found)} only")


def committees(rows, columns, lines, rng):
    """Side information as before, then a stream that is long enough for rest."""
    plain, drawn = [], ["--committee", "--randomised", "--seed", "5"]
    pairs = [line.replace("c", "r") for line in make_events(EVENTS, "c", rng, bits=True)]
    for k, (kind, other) in enumerate([("classes", "classes"), ("none", "alone"), ("gzip", "graph"), ("lonely", "none")]):
        sides = ["--rows", rows[kind], "--columns", columns[other]]
        options = [*(drawn if k % 2 else plain), *(["--embed"] if k % 3 == 0 else ["--restless"])]
        compare_halves(f"committee {kind} and {other}", lines, options, sides, pipe=k % 2 == 0)
    for kind, player in [("graph", drawn), ("none", plain), ("kernel", [*plain, "--threads", "2"])]:
        sides = ["--both", rows[kind]]
        compare_halves(f"committee both {kind}", pairs, player, sides, pipe=kind == "none")
    long = make_events(3200, "c", rng)
    sides = ["--rows", rows["classes"], "--columns", columns["classes"]]
    cut_anywhere("committee classes", long, plain, sides, [1, 700, 1290, 1291, 2048, 2700, 3199], rng)
    together = [line.replace("c", "r") for line in make_events(3200, "c", rng)]
    cut_anywhere("committee one graph", together, drawn, ["--both", rows["graph"]], [1024, 1500, 2300, 3000], rng)


def cut_anywhere(what, lines, player, sides, cuts, rng):
    """One model after the other, at these trials and two more; somebody rests in the meantime."""
    write_events("whole.csv", lines)
    weft("run", "whole.csv", *sides, *player, "--predictions", "p.csv", "--model", "m", "--quiet")
    awake = {line.rsplit(b",", 1)[1] for line in content("p.csv").splitlines()[1:]}
    check(len(awake) > 1, f"{what}: nobody was put to rest")
    known, joined = [*sides, *player], b""
    places = sorted({0, *cuts, rng.randrange(1, len(lines)), rng.randrange(1, len(lines)), len(lines)})
    for begin, end in zip(places, places[1:]):
        write_events("part.csv", lines[begin:end])
        weft("run", "part.csv", *known, "--predictions", "part.out", "--model", "part", "--quiet")
        known = ["--resume", "part"]
        joined += content("part.out").split(b"\n", 1)[1]
    check(joined == content("p.csv").split(b"\n", 1)[1], f"{what}: the predictions differ, cut at {places}")
    check(content("part") == content("m"), f"{what}: the models differ, cut at {places}")


def damaged_models(sides, lines, player=(), step=53 if LONG else 211):
    """A sample on the command line; tests/unit tries every byte."""
    write_events("first.csv", lines[:30])
    write_events("second.csv", lines[30:])
    weft("run", "first.csv", "--rows", sides[0], "--columns", sides[1], *player, "--model", "m", "--quiet")
    whole = content("m")
    for at in range(0, len(whole), step):
        with open("bad", "wb") as file:
            file.write(whole[:at])
        told = weft("run", "second.csv", "--resume", "bad", "--predictions", "none.csv", status=4)
        check(told.startswith("weft: bad: ") and not os.path.exists("none.csv"), told)
        with open("bad", "wb") as file:
            file.write(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        told = weft("run", "second.csv", "--resume", "bad", "--predictions", "none.csv", status=4)
        check(told.startswith("weft: bad: ") and not os.path.exists("none.csv"), told)


def main():
    rng = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        rows, columns, lines = all_kinds(rng)
        row_maps, column_maps = all_maps(lines, rng)
        embedded_without_files(rows, columns, lines)
        committees(rows, columns, lines, rng)
        after_interrupt(rows, columns, lines, ["--horizon", "99", "--capacity", "20x20"])
        after_interrupt(rows, columns, lines, [])
        after_interrupt(rows, columns, lines, ["--committee", "--randomised"])
        damaged_models([rows["classes"], columns["none"]], lines, ["--single"])
        damaged_models([row_maps["classes"], column_maps["nameless"]], lines)
        damaged_models([rows["classes"], columns["none"]], lines, [], 997 if LONG else 3989)
        after_kill([rows["gaussian"], columns["graph"]], 12 if LONG else 5, rng, ["--single"])
        after_kill([row_maps["both"], column_maps["nameless"]], 6 if LONG else 3, rng)
        after_kill([rows["classes"], columns["graph"]], 4, rng, [], 300)
        left = [name for name in os.listdir(".") if name.startswith("m.")]
        check(not left, f"left behind: {left}")
        os.chdir("/")
    print(f"{checks} checks")


if __name__ == "__main__":
    main()
