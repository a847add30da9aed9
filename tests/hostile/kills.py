"""SPDX-License-Identifier: MIT

kill -9 at random moments.  Whatever is replaced is then the old file or the new one, whole; a checkpoint opens, and the
run that goes on from it ends with the bytes of one that was never killed; the same command, given again, succeeds.
"""

import json
import os
import re
import shutil
import subprocess
import time

from harness import content, make_data, write

SIDES = ["--rows", "graph:graph.txt", "--columns", "none"]
EVENTS = 1200

# Name, arguments, what they write ({}: the folder of the victim).
VICTIMS = [
    ("run", ["run", "long.csv", *SIDES, "--model", "{}/model", "--predictions", "{}/predictions.csv"],
     ["model", "predictions.csv"]),
    ("run --single", ["run", "long.csv", *SIDES, "--single", "--model", "{}/model"], ["model"]),
    ("forget", ["forget", "old.weft", "--row", "r1", "--model", "{}/model"], ["model"]),
    ("merge", ["merge", "old.weft", "other.weft", "--model", "{}/model"], ["model"]),
    ("predict", ["predict", "old.weft", "many.csv", "--out", "{}/predictions.csv"], ["predictions.csv"]),
    ("evidence", ["evidence", "single.weft", "--import", "counts.csv", "--model", "{}/model"], ["model"]),
    ("top", ["top", "single.weft", "--row", "r1", "--out", "{}/predictions.csv"], ["predictions.csv"]),
]
EXPERIMENT = ["experiment", "table1", "--dimensions", "20,40", "--noise", "0", "--runs", "4", "--jobs", "1", "--quiet"]


def prepare(ground):
    make_data(ground, events=EVENTS, name="long.csv")
    make_data(ground)
    ground.must("run", "stream.csv", *SIDES, "--single", "--quiet", "--model", "single.weft")
    ground.must("run", "long.csv", *SIDES, "--single", "--quiet", "--model", "old.weft")
    ground.must("run", "stream.csv", *SIDES, "--single", "--quiet", "--resume", "single.weft", "--model", "other.weft")
    shutil.copy(ground.path("old.weft"), ground.path("other.weft"))
    write(ground.path("many.csv"), "".join(f"r{k % 12},c{k % 9}\n" for k in range(20000)))
    write(ground.path("counts.csv"), "row,column,count\nr1,c1,2\nr2,c2,-3\n")


def kill_after(ground, arguments, seconds):
    """Whether the command was still there to be killed."""
    victim = subprocess.Popen([ground.weft, *arguments], cwd=ground.folder, env=ground.environment(),
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        victim.wait(seconds)
        return False
    except subprocess.TimeoutExpired:
        victim.kill()
        victim.wait()
        return True


def left_behind(folder, outputs):
    """Files that are neither an output nor the temporary file of one."""
    allowed = re.compile("|".join(re.escape(name) + r"(\..{6})?" for name in outputs))
    return [name for name in os.listdir(folder) if not allowed.fullmatch(name)]


def replacement(ground, name, arguments, outputs, kills):
    folder = ground.path("victim")
    words = [word.replace("{}", "victim") for word in arguments]
    os.makedirs(folder, exist_ok=True)
    start = time.monotonic()
    ground.must(*words)
    took = time.monotonic() - start
    new = {output: content(os.path.join(folder, output)) for output in outputs}
    old = {output: b"the old file, " + output.encode() for output in outputs}
    old.update({"model": content(ground.path("single.weft"))} if "model" in outputs else {})
    killed = 0
    for _ in range(kills):
        shutil.rmtree(folder)
        os.makedirs(folder)
        for output in outputs:
            write(os.path.join(folder, output), old[output])
        killed += kill_after(ground, words, ground.rng.uniform(0, 1.1 * took))
        for output in outputs:
            found = content(os.path.join(folder, output))
            ground.check(found in (old[output], new[output]), f"{name}: after a kill {output} is neither old nor new")
        ground.check(not left_behind(folder, outputs), f"{name}: a kill leaves {left_behind(folder, outputs)}")
        ground.must(*words)
        ground.check(all(content(os.path.join(folder, output)) == new[output] for output in outputs),
                     f"{name}: given again after a kill it writes something else")
    print(f"  {name}: {killed} of {kills} were killed in time ({took:.2f} s)", flush=True)
    shutil.rmtree(folder)


def checkpoints(ground, kills, single):
    """The run that goes on after a kill equals one that was never killed."""
    options = [*SIDES, "--quiet"] + (["--single", "--horizon", str(EVENTS), "--capacity", "12x9"] if single else [])
    start = time.monotonic()
    ground.must("run", "long.csv", *options, "--model", "whole.weft", "--checkpoint", "50")
    took = time.monotonic() - start
    with open(ground.path("long.csv"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    resumed = 0
    for _ in range(kills):
        for name in os.listdir(ground.folder):
            if name.startswith("part.weft"):
                os.remove(ground.path(name))
        words = ["run", "long.csv", *options, "--model", "part.weft", "--checkpoint", "50"]
        kill_after(ground, words, ground.rng.uniform(0, took))
        if not os.path.exists(ground.path("part.weft")):
            continue
        told = ground.must("inspect", "part.weft", "--json")
        played = json.loads(told)["counters"]["trials"] if told else 0
        write(ground.path("rest.csv"), "\n".join(lines[:1] + lines[1 + played:]) + "\n")
        if played < EVENTS:
            ground.must("run", "rest.csv", "--resume", "part.weft", "--quiet", "--model", "part.weft")
        resumed += played < EVENTS
        ground.check(content(ground.path("part.weft")) == content(ground.path("whole.weft")),
                     f"resumed after {played} of {EVENTS} trials, the model is another")
    print(f"  checkpoints of {'one learner' if single else 'a committee'}: {resumed} of {kills} resumed", flush=True)


def table(path):
    """The table of an experiment without its last column, the seconds."""
    return [line.rsplit(b",", 1)[0] for line in content(path).splitlines()]


def experiments(ground, kills):
    start = time.monotonic()
    ground.must(*EXPERIMENT, "--out", "whole")
    took = time.monotonic() - start
    whole = table(ground.path("whole", "table1.csv"))
    for _ in range(kills):
        shutil.rmtree(ground.path("part"), ignore_errors=True)
        for _ in range(2):
            kill_after(ground, [*EXPERIMENT, "--out", "part"], ground.rng.uniform(0, 0.7 * took))
        ground.must(*EXPERIMENT, "--out", "part")
        ground.check(table(ground.path("part", "table1.csv")) == whole, "an experiment killed twice has another table")
    print(f"  experiment: {2 * kills} kills ({took:.2f} s)", flush=True)


def play(ground, kills):
    """`kills` in all, shared out over the victims."""
    prepare(ground)
    each = max(1, kills // (len(VICTIMS) + 4))
    for name, arguments, outputs in VICTIMS:
        replacement(ground, name, arguments, outputs, each)
    checkpoints(ground, each, single=True)
    checkpoints(ground, each, single=False)
    experiments(ground, max(1, each // 2))
