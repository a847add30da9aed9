"""SPDX-License-Identifier: MIT

No room for what is written: a limit on the size of files, a file system that is full (where one can be mounted), and
/dev/full as standard output.  Every command that writes ends with status 1 and a message; the old file is as it was, and
no temporary file is left.
"""

import os
import shutil
import subprocess

from harness import content, make_data, write

SIDES = ["--rows", "features:features.csv,kernel=linear,epsilon=1", "--columns", "none"]
OLD = b"the old file\n"

# Arguments; {} is what they write.
WRITERS = [
    ["run", "stream.csv", *SIDES, "--quiet", "--model", "{}"],
    ["run", "stream.csv", *SIDES, "--quiet", "--single", "--model", "{}"],
    ["run", "stream.csv", *SIDES, "--quiet", "--predictions", "{}"],
    ["run", "stream.csv", *SIDES, "--quiet", "--picture", "{}.svg"],
    ["run", "stream.csv", *SIDES, "--quiet", "--picture", "{}.png"],
    ["predict", "single.weft", "pairs.csv", "--out", "{}"],
    ["top", "single.weft", "--row", "r1", "--out", "{}"],
    ["explain", "single.weft", "r1", "c1", "--quiet", "--out", "{}"],
    ["explain", "single.weft", "r1", "c1", "--quiet", "--picture", "{}.svg"],
    ["forget", "single.weft", "--row", "r1", "--model", "{}"],
    ["merge", "single.weft", "single.weft", "--model", "{}"],
    ["evidence", "single.weft", "--out", "{}"],
    ["evidence", "single.weft", "--import", "counts.csv", "--model", "{}"],
    ["compare", "stream.csv", *SIDES, "--no-committee", "--quiet", "--picture", "{}.svg"],
    ["graph", "features.csv", "-k", "2", "--out", "{}"],
]
FOLDERS = [
    ["generate", "biclustered", "--out", "{}"],
    ["experiment", "tightness", "--quick", "--runs", "1", "--quiet", "--jobs", "1", "--out", "{}"],
]
TALKERS = [
    ["run", "stream.csv", *SIDES, "--quiet", "--json"],
    ["run", "stream.csv", *SIDES, "--quiet", "--predictions", "-"],
    ["predict", "single.weft", "pairs.csv"],
    ["top", "single.weft", "--row", "r1"],
    ["explain", "single.weft", "r1", "c1", "--quiet"],
    ["evidence", "single.weft"],
    ["inspect", "single.weft"],
    ["check", "stream.csv", *SIDES],
    ["compare", "stream.csv", *SIDES, "--no-committee", "--quiet"],
    ["graph", "features.csv", "-k", "2"],
    ["bound", "--rows", "none", "--columns", "none", "--capacity", "9x9", "--horizon", "100"],
    ["--version"],
    ["--help"],
]


def judge(ground, words, output, new, status, err):
    """What must hold after a command that had too little room."""
    found = content(ground.path(output))
    if status == 0:
        ground.check(found == new, f"status 0, but {output} is not what it should be: {words}")
    else:
        ground.check(status == 1 and err.strip(), f"status {status}, expected 1 and a message: {words}: {err!r}")
        ground.check(found == OLD, f"{output} is not the old file any more: {words}")
    folder, base = os.path.split(ground.path(output))
    left = [name for name in os.listdir(folder) if name.startswith(base + ".")]
    ground.check(not left, f"leaves {left}: {words}")


def limited(ground):
    """A limit on the size of a file, from nothing to one byte too little."""
    for arguments in WRITERS:
        words = [word.replace("{}", "written") for word in arguments]
        output = next(word for word in words if word.startswith("written"))
        ground.must(*words)
        new = content(ground.path(output))
        for size in sorted({0, 1, len(new) // 2, len(new) - 1, 4096}):
            write(ground.path(output), OLD)
            status, _, err = ground.run(*words, file_size=size)
            judge(ground, words, output, new, status, err)
            ground.check(size >= len(new) or status == 1, f"status {status} with room for {size} of {len(new)} bytes: {words}")
        os.remove(ground.path(output))
    for arguments in FOLDERS:
        words = [word.replace("{}", "made") for word in arguments]
        shutil.rmtree(ground.path("made"), ignore_errors=True)
        status, _, err = ground.run(*words, file_size=64)
        ground.check(status == 1 and err.strip(), f"status {status}, expected 1 and a message: {words}: {err!r}")
        shutil.rmtree(ground.path("made"), ignore_errors=True)
        ground.must(*words)


def talking(ground):
    with open("/dev/full", "wb") as full:
        for words in TALKERS:
            status, _, err = ground.run(*words, stdout=full)
            ground.check(status == 1 and err.strip(), f"into a full standard output: status {status}, expected 1: {words}: {err!r}")


def mounted(ground):
    """The same on a file system of 64 KB that is full but for some of it; False where none can be mounted."""
    place = ground.path("small")
    os.makedirs(place, exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "weft-hostile", place]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        return False
    try:
        for arguments in WRITERS:
            words = [word.replace("{}", "small/written") for word in arguments]
            output = next(word for word in words if word.startswith("small/"))
            reference = [word.replace("{}", "reference") for word in arguments]
            ground.must(*reference)
            new = content(ground.path(next(word for word in reference if word.startswith("reference"))))
            write(ground.path(output), OLD)
            fill(os.path.join(place, "filler"))
            status, _, err = ground.run(*words)
            judge(ground, words, output, new, status, err)
            ground.check(status == 1, f"status {status} on a full disk: {words}")
            os.remove(os.path.join(place, "filler"))
            os.remove(ground.path(output))
    finally:
        subprocess.run(["umount", place], check=True)
    return True


def held(ground):
    """A model whose name cannot be taken is refused before anything is learnt; False where nothing can be mounted."""
    model, predictions = ground.path("held.weft"), ground.path("held.csv")
    write(model, OLD)
    mount = ["mount", "--bind", model, model]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        return False
    try:
        status, _, err = ground.run("run", "stream.csv", *SIDES, "--quiet", "--model", "held.weft", "--predictions", "held.csv")
        ground.check(status == 1 and b"cannot be replaced" in err, f"a model that is a mount point: status {status}, {err!r}")
        ground.check(not os.path.exists(predictions), "a model that is a mount point is noticed after the run")
        ground.check(content(model) == OLD, "a model that is a mount point was changed")
    finally:
        subprocess.run(["umount", model], check=True)
    return True


def fill(path):
    with open(path, "wb", buffering=0) as file:
        try:
            while file.write(b"x" * 4096):
                pass
        except OSError:
            pass


def play(ground):
    make_data(ground)
    write(ground.path("counts.csv"), "row,column,count\nr1,c1,2\n")
    ground.must("run", "stream.csv", *SIDES, "--single", "--quiet", "--model", "single.weft")
    limited(ground)
    talking(ground)
    held(ground)
    full = "a full file system" if mounted(ground) else "no full file system (mounting one needs root)"
    print(f"  {len(WRITERS) + len(FOLDERS)} commands that write files, {len(TALKERS)} that write to /dev/full, {full}", flush=True)
