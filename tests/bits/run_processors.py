"""SPDX-License-Identifier: MIT

What is the same to the bit on which processor: plays every kind of side information with every command that
writes or prints numbers (scenes.py) in one setting after another (processors.py: BLAS kernels, glibc without
FMA, numbers of threads, other compilers, arm64 under qemu, another environment), and compares every file and
everything that is printed with what the first setting gives.  Prints a table of kinds and settings.

    python3 tests/bits/run_processors.py            a selection, in some seconds: what the ordinary suite runs
    python3 tests/bits/run_processors.py --all      everything that this machine can play: minutes
        --kinds REGEX                               only those, of all kinds
        --settings REGEX                            only those; the first one is always played
        --jobs N                                    at a time (one for every core)
        --keep DIR                                  leaves all files there

The exit status is 0 where everything that is promised to be the same is.  One number is changed in its last bit
first, and that must be noticed: the check can fail.
"""

import argparse
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True  # the tree stays as it is
import processors
import scenes

# What a clock says, and nothing else, is left out of a comparison: (the output, the text).
TIMES = [
    (r"", rb'"(?:micro)?seconds": [^,}]*'),
    (r"table1\.csv$", rb"[^,\n]*(?=\n)"),
    (r"table1\.html$", rb'<tr>(?:<td class="n">[^<]*</td>){5}<td class="n">[^<]* days</td></tr>'),
    (r"table1\.html$", rb"All runs of this protocol: [^<]*"),
    (r"table1\.html$|experiment table1.*printed$", rb"[0-9]+ s of processor time"),
    # The last two fields of a line are the time of the run and the digest of the line.
    (r"\.journal$", rb"\t[^\t\n]*\t[^\t\n]*(?=\n)"),
]

NUMBER = re.compile(rb"(?<![\w.])[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?")
LAST_DIGITS = 1e-6  # relative differences up to this are rounding that was carried along
SMALLEST = 1e-3     # a number below is compared with this instead of with itself


# ---- Playing ----

def without_times(name, content):
    for where, what in TIMES:
        if re.search(where, name):
            content = re.sub(what, b"", content)
    # With several jobs runs end in any order.
    return b"\n".join(sorted(content.split(b"\n"))) if name.endswith(".journal") else content


def is_elsewhere(setting):
    return setting.name.startswith("elsewhere")


def run(setting, command, folder):
    """What one command prints, and its exit status; nothing of it may depend on what standard input is."""
    leader, terminal = pty.openpty()
    elsewhere = is_elsewhere(setting)
    try:
        done = subprocess.run(processors.command_line(setting, command), cwd=folder, capture_output=True, check=False,
                              stdin=terminal if elsewhere else subprocess.DEVNULL, timeout=3600,
                              env=processors.environment(setting), umask=0o077 if elsewhere else 0o022)
    finally:
        os.close(leader)
        os.close(terminal)
    return done.returncode, b"status %d\n" % done.returncode + done.stdout + b"\n--\n" + done.stderr


def play(kind, setting, place, first):
    """Every output of a kind in a setting, by its name.  `first` is the folder of the first setting."""
    folder = os.path.join(place, *(["far", "away"] if is_elsewhere(setting) else []))
    os.makedirs(folder)
    scenes.write_files(folder)
    given = set(os.listdir(folder))
    outputs = {}
    for command in scenes.commands(kind):
        for word in command:
            if word[0] == "@":
                shutil.copy(os.path.join(first or folder, word[1:]), os.path.join(folder, "there-" + word[1:]))
                given.add("there-" + word[1:])
        command = ["there-" + word[1:] if word[0] == "@" else word for word in command]
        status, printed = run(setting, command, folder)
        if status != 0 and first is None:
            sys.exit(f"weft {' '.join(command)}\nstatus {status}\n{printed.decode(errors='replace')}")
        name = " ".join(command) + " printed"
        outputs[name] = without_times(name, printed)
    for base, _, names in os.walk(folder):
        for name in names:
            path = os.path.relpath(os.path.join(base, name), folder)
            if path not in given:
                with open(os.path.join(base, name), "rb") as file:
                    outputs[path] = without_times(path, file.read())
    return outputs, folder


# ---- Comparing ----

def distance(first, second):
    """0 for the same bytes; the largest relative difference where only numbers differ; else None."""
    if first == second:
        return 0
    if NUMBER.sub(b"#", first) != NUMBER.sub(b"#", second):
        return None
    worst = 0
    for a, b in zip(NUMBER.findall(first), NUMBER.findall(second)):
        a, b = float(a), float(b)
        worst = max(worst, abs(a - b) / max(abs(a), abs(b), SMALLEST))
    return worst if 0 < worst <= LAST_DIGITS else None


def is_text(content):
    return b"\0" not in content


def compare(first, second, setting=processors.PLAIN):
    """The word for the table, and what differs: (output, distance) of each."""
    differing = [(name, distance(first.get(name, b""), second.get(name, b"")))
                 for name in sorted(first.keys() | second.keys())
                 if first.get(name) != second.get(name) and not processors.is_excused(name, setting)]
    if not differing:
        return "same", []
    # What is not text differs whenever a digit does.
    texts = [found for name, found in differing if is_text(first.get(name, b"")) and is_text(second.get(name, b""))]
    if any(found is None for found in texts):
        return "differs", differing
    return (f"{max(texts):.0e}" if texts else "bytes"), differing


def check_comparing():
    """The comparison itself, on examples."""
    for first, second, expected in ((b"a 1 b", b"a 1 b", "same"), (b"a 1", b"a 1.0000000000000002", "2e-16"),
                                    (b"a 1", b"a 2", "differs"), (b"a 1", b"b 1", "differs"),
                                    (b"\0a", b"\0b", "bytes"), (b"-1e-20", b"1e-20", "2e-17"), (b"1", b"1\n", "differs")):
        found = compare({"x": first}, {"x": second})[0]
        if found != expected:
            sys.exit(f"FAILED: {first} and {second} compare as {found}, expected {expected}")
    if compare({"x": b"1"}, {})[0] != "differs":
        sys.exit("FAILED: an output that is missing went unnoticed")


def check_planted(place):
    """A learning rate that is off in its last bit must be noticed."""
    kind = scenes.Kind("planted", [], ("planted",), "", True)
    found = []
    for rate in ("0.5", "0.50000000000000011"):
        scenes.PLAYS["planted"] = lambda _, rate=rate: scenes.play_planted(rate)
        outputs = play(kind, processors.PLAIN, os.path.join(place, "planted " + rate), None)[0]
        found.append({"planted.csv": outputs["planted.csv"]})
    word = compare(*found)[0]
    if word == "same":
        sys.exit("FAILED: a learning rate that is off in its last bit went unnoticed")
    print(f"a learning rate that is off in its last bit is noticed: {word}")


# ---- The table ----

def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--kinds", metavar="REGEX")
    parser.add_argument("--settings", default="", metavar="REGEX")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", metavar="DIR")
    return parser.parse_args()


def play_kind(kind, settings, place):
    """(kind, setting, word, what differs) for every setting but the first."""
    folder = os.path.join(place, re.sub(r"\W+", "-", kind.name))
    expected, first = play(kind, settings[0], os.path.join(folder, "0"), None)
    found = []
    for number, setting in enumerate(settings[1:], 1):
        outputs = play(kind, setting, os.path.join(folder, str(number)), first)[0]
        word, differing = compare(expected, outputs, setting)
        found.append((kind, setting, word, differing))
    return len(expected), found


def print_row(count, found):
    """One kind: in brackets what is not promised."""
    kind = found[0][0]
    words = [f"({word})" if processors.reason_of(kind, setting) else word for _, setting, word, _ in found]
    print(f"{kind.name:<34} {count:>4}  " + " ".join(f"{word:>9}" for word in words), flush=True)


def print_differences(found):
    """The first outputs that differ, of every cell that does."""
    for kind, setting, word, differing in found:
        if word == "same":
            continue
        reason = processors.reason_of(kind, setting)
        print(f"\n{'not promised' if reason else 'FAILED'}: {kind.name}, {setting.name}: {word}"
              + (f" ({reason})" if reason else ""))
        for name, far in differing[:12]:
            print(f"    {name}: " + ("differs" if far is None else f"by {far:.1e}"))
        if len(differing) > 12:
            print(f"    and {len(differing) - 12} more")


def main():
    asked = arguments()
    place = asked.keep or tempfile.mkdtemp(prefix="weft-bits-")
    os.makedirs(place, exist_ok=True)
    try:
        check_comparing()
        check_planted(place)
        settings, skipped = processors.all_settings(place) if asked.all else (processors.two_settings(place), [])
        settings = settings[:1] + [setting for setting in settings[1:] if re.search(asked.settings, setting.name)]
        kinds = [kind for kind in scenes.kinds() if re.search(asked.kinds or "", kind.name)
                 and (kind.quick or asked.all or asked.kinds is not None)]
        print(f"\n{'kind':<34} outputs, compared with those of '{settings[0].name}':")
        for number, setting in enumerate(settings[1:], 1):
            print(f"    {number:>2} {setting.name}")
        print(f"{'':<40} " + " ".join(f"{number:>9}" for number in range(1, len(settings))))
        cells = []
        with ThreadPoolExecutor(max(1, asked.jobs)) as pool:
            for count, found in pool.map(lambda kind: play_kind(kind, settings, place), kinds):
                print_row(count, found)
                cells += found
        print_differences(cells)
        if any(setting.group == processors.PICTURES[1] for setting in settings):
            print(f"not compared: pictures and reports on arm64: {processors.PICTURES[2]}")
        for what in skipped:
            print(f"not compared: {what}")
        broken = [cell for cell in cells if cell[2] != "same" and not processors.reason_of(cell[0], cell[1])]
        print(f"\n{len(cells)} cells, {sum(cell[2] == 'same' for cell in cells)} the same, {len(broken)} differ "
              "that must not")
        return 1 if broken or not cells else 0
    finally:
        if not asked.keep:
            shutil.rmtree(place, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
