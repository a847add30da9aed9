"""SPDX-License-Identifier: MIT

Crafted models: fields and bytes are changed at random, then size and checksum are mended, so that everything behind them
is reached.  Every command on such a model ends in time, with status 0, 3 or 4 and a message where it is not 0; nothing
crashes, no sanitizer speaks, and memory stays within bounds.
"""

import os
import struct
import subprocess

from harness import content, make_data, write

SECONDS = 300
MEMORY = 6 << 30
COMMITTEE, PAPER = [], ["--single"]

# Name, stream, options of the run.
KINDS = [
    ("none", "stream.csv", ["--rows", "none", "--columns", "none", *PAPER]),
    ("classes", "stream.csv", ["--rows", "classes:classes.txt", "--columns", "none", *PAPER, "--embed"]),
    ("graph", "stream.csv", ["--rows", "graph:graph.txt", "--columns", "none", *PAPER, "--embed"]),
    ("balanced", "stream.csv", ["--rows", "features:features.csv,kernel=linear,epsilon=1", "--columns", "none", "--form", "balanced"]),
    ("one set", "set.csv", ["--both", "graph:graph.txt", *PAPER]),
    ("eigen", "stream.csv", ["--rows", "graph:graph.txt,map=eigen:6+hash:4", "--columns", "none,map=hash:8"]),
    ("fourier", "stream.csv", ["--rows", "features:features.csv,kernel=gaussian,width=1,map=fourier:16",
                               "--columns", "none,map=hash:8", "--embed"]),
    ("committee", "stream.csv", ["--rows", "classes:classes.txt", "--columns", "none", *COMMITTEE]),
    ("committee of graphs", "stream.csv", ["--rows", "graph:graph.txt", "--columns", "none", *COMMITTEE, "--embed"]),
]

INTEGERS = [0, 1, 2, 3, 7, 8, 255, 1 << 16, 1 << 20, (1 << 31) - 1, 1 << 31, 1 << 32, 1 << 40, (1 << 63) - 1, -1, -2,
            -(1 << 31), -(1 << 63)]
DOUBLES = [0.0, -0.0, 1.0, -1.0, 1e-300, 5e-324, 1e300, 1.7976931348623157e308, float("inf"), float("-inf"), float("nan"), 0.5]

COMMANDS = [
    ["inspect", "{}"],
    ["inspect", "{}", "--json"],
    ["predict", "{}", "pairs.csv"],
    ["top", "{}", "--row", "r1"],
    ["top", "{}", "--row", "r1", "--keep"],
    ["explain", "{}", "r1", "c1"],
    ["evidence", "{}"],
    ["forget", "{}", "--row", "r1", "--model", "made.weft"],
    ["merge", "{}", "{}", "--model", "made.weft"],
    ["merge", "{}", "sound.weft", "--model", "made.weft"],
    ["run", "stream.csv", "--resume", "{}", "--quiet", "--model", "made.weft"],
]


def sizes_of(data):
    """Where a number stands that could be a size or a count: above 0 and not above the size of the file."""
    return [place for place in range(24, len(data) - 24)
            if 0 < struct.unpack_from("<q", data, place)[0] <= len(data)]


def change_size(rng, data, place):
    """A size or a count becomes another one, often one that is just too large."""
    value = struct.unpack_from("<q", data, place)[0]
    left = len(data) - place
    near = [value + step for step in (-8, -1, 1, 2, 8, 16, 64, 1000)] + [left - 24, left - 8, left, left + 8, 2 * value]
    struct.pack_into("<q", data, place, rng.choice(near + INTEGERS))


def change(rng, data):
    """One mutation of the bytes between head and checksum."""
    place = rng.randrange(24, len(data) - 16)
    field = 24 + 8 * rng.randrange((len(data) - 40) // 8)
    kind = rng.randrange(7)
    if kind == 0:
        data[place] = rng.randrange(256)
    elif kind == 1:
        data[place] ^= 1 << rng.randrange(8)
    elif kind == 2:
        data[field:field + 8] = struct.pack("<q", rng.choice(INTEGERS))
    elif kind == 3:
        data[place:place + 8] = struct.pack("<d", rng.choice(DOUBLES))[:len(data) - 16 - place]
    elif kind == 4:
        near = struct.unpack("<q", data[field:field + 8])[0] + rng.choice((-2, -1, 1, 2))
        data[field:field + 8] = struct.pack("<q", max(-(1 << 63), min((1 << 63) - 1, near)))
    elif kind == 5:
        del data[place:min(place + rng.choice((1, 8, 16, 64)), len(data) - 16)]
    else:
        source = rng.randrange(24, len(data) - 16)
        data[place:place] = data[source:min(source + rng.choice((1, 8, 16, 64)), len(data) - 16)]


def craft(rng, sound, sizes):
    """A changed model: in half of them one of its sizes, in the others anything."""
    data = bytearray(sound)
    if rng.random() < 0.5:
        change_size(rng, data, rng.choice(sizes))
        return bytes(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4, 16))):
        if len(data) <= 200:
            break
        change(rng, data)
    return bytes(data)


def mend(driver, path):
    driver.stdin.write(path + "\n")
    driver.stdin.flush()
    return driver.stdout.readline().strip() == "mended"


def make_models(ground):
    made = []
    for name, stream, options in KINDS:
        path = name.replace(" ", "-") + ".weft"
        ground.must("run", stream, *options, "--quiet", "--model", path)
        data = content(ground.path(path))
        made.append((name, data, sizes_of(data)))
    return made


def suffer(ground, name, number):
    """Three commands on crafted.weft; a crafted file that something complains of is kept."""
    before = len(ground.complaints)
    for command in ground.rng.sample(COMMANDS, 3):
        words = [word.replace("{}", "crafted.weft") for word in command]
        status, _, err = ground.run(*words, "--memory", "1G", seconds=SECONDS, memory=MEMORY)
        # 2: the question does not fit the model (no --row for one set, no --import), as for a sound one.
        ground.check(status in (0, 2, 3, 4), f"{name}, crafted model {number}: status {status}, expected 0, 3 or 4: {words}\n"
                     + err.decode("utf-8", "replace")[-1500:])
        ground.check(status == 0 or err.strip(), f"{name}, crafted model {number}: status {status} without a word: {words}")
    if len(ground.complaints) > before:
        write(os.path.join(ground.keep, f"crafted-{name.replace(' ', '-')}-{number}.weft"), content(ground.path("crafted.weft")))


def play(ground, models, driver_path, keep):
    """`models` crafted ones in all, shared out over the kinds; what fails is kept in the folder `keep`."""
    ground.keep = keep
    make_data(ground)
    sound = make_models(ground)
    write(ground.path("sound.weft"), sound[0][1])
    driver = subprocess.Popen([driver_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ground.folder)
    ground.statuses.clear()
    for number in range(models):
        name, data, sizes = sound[number % len(sound)]
        write(ground.path("crafted.weft"), craft(ground.rng, data, sizes))
        if os.path.exists(ground.path("crafted.weft.diagonal")):
            os.remove(ground.path("crafted.weft.diagonal"))
        ground.check(mend(driver, "crafted.weft"), "a crafted model could not be mended")
        suffer(ground, name, number)
    driver.stdin.close()
    driver.wait()
    print(f"  {models} models, three commands each; statuses {dict(sorted(ground.statuses.items()))}", flush=True)
    # The mending itself: some must get behind the checksum.
    ground.check(models < 20 or ground.statuses.get(0, 0) > 0, "no crafted model was ever read: the mending does nothing")
