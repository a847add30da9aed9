"""SPDX-License-Identifier: MIT

Every numeric option of every command, and every number of a SPEC, with the extreme values that somebody could type:
the command plays or refuses with a message, in a bounded time, and never ends by a signal.  Under the sanitizers
(the preset checked) a sum or a product that overflows ends the program with their own words, which is found here too.

The options are taken from --help, so that a new one is tried as soon as it is there.
"""

import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

WEFT = os.environ["WEFT_BIN"]
SECONDS = 60
LARGE = 2**63 - 1
COUNTS = ["0", "1", "-1", "2", str(2**31), str(2**53), str(LARGE - 1), str(LARGE), str(LARGE + 1), str(-LARGE - 1),
          "1" * 400, "", " 1", "0x10", "1_000", "1e3", "1,5", "nan"]
REALS = ["0", "-0", "-1", "5e-324", "1e-300", "1", "1e300", "1.7976931348623157e308", "1e999", "inf", "nan", "0x1p-3",
         "", "1_000", "1,5", "none"]
SIZES = ["9223372036854775807", "999999999G", "8388607T", "8388608T", "1K", "1KB", "-1G", "G", "1GG"]
CAPACITIES = ["1x1", "3x1", "9223372036854775807x9223372036854775807", "9007199254740992x9007199254740992",
              "9007199254740992", "9223372036854775807", "1x", "x1", "0x0", "-1x-1", "1x1x1"]
# What is tried again with another command line: how it is written makes no difference there.
EXTREMES = {"0", str(2**53), str(LARGE), "5e-324", "1.7976931348623157e308", CAPACITIES[2], CAPACITIES[3]}
SANITIZER = re.compile(r"runtime error|AddressSanitizer|LeakSanitizer|UndefinedBehaviorSanitizer")
# What --help calls a number, by what is tried.
KINDS = {"N": COUNTS, "K": COUNTS, "L": COUNTS, "T": COUNTS, "D": COUNTS + REALS, "M": COUNTS, "EVERY": COUNTS,
         "TRIALS": COUNTS + REALS, "SECONDS": COUNTS + REALS, "X": REALS, "X|none": REALS, "P": REALS, "R": REALS,
         "E": REALS, "BYTES": COUNTS + SIZES, "ROWSxCOLUMNS": COUNTS + CAPACITIES, "BETA": REALS, "S": COUNTS, "N,N,...": COUNTS, "B,B,...": REALS}
# Those that take no number; any other word of --help must be in one of the two tables.
WORDS = {"SPEC", "FILE", "FILE.svg|FILE.png", "OUT", "IN", "OUT.csv", "FOLDER", "ID", "MODEL", "DIR", "PAIRS",
         "paper|balanced", "margin|mistakes", "mixed|double", "krylov|reference|compact", "error|auc|precision",
         "NAME", "NAME,NAME,...", "VALUE,...", "WORD", "pair|row|column|all", "cosine|euclidean", "text|authors"}
SPECS = ["classes:c,epsilon={}", "graph:g,kernel=regularised,sigma={}", "graph:g,kernel=diffusion,time={}",
         "graph:g,radius={}", "features:f,kernel=linear,epsilon={}", "features:f,kernel=gaussian,width={}",
         "features:f,kernel=min,range={}"]
MAPS = ["none,map=hash:{}", "none,map=hash:8,seed={}", "features:f,kernel=gaussian,width=1,map=fourier:{}",
        "features:f,kernel=gaussian,width=1,map=fourier:{0}+hash:{0}", "graph:g,map=eigen:{}",
        "graph:g,map=eigen:{0}+hash:{0}"]


def write(place, name, text):
    with open(os.path.join(place, name), "w", encoding="utf-8") as file:
        file.write(text)


def prepare(place):
    names = "abcdef"
    write(place, "s", "".join(f"{r},{c},{(-1) ** (i + j)}\n" for i, r in enumerate(names) for j, c in enumerate(names)))
    write(place, "c", "".join(f"{r},{i % 2}\n" for i, r in enumerate(names)))
    write(place, "g", "".join(f"{a},{b}\n" for a, b in zip(names, names[1:])))
    write(place, "f", "".join(f"{r},{i % 3},1\n" for i, r in enumerate(names)))
    subprocess.run([WEFT, "run", "s", "--rows", "none", "--columns", "none", "--single", "--quiet", "--model", "m"],
                   cwd=place, check=True)


def options_of(command):
    """{option: what it takes}, from --help."""
    text = subprocess.run([WEFT, command, "--help"], capture_output=True, text=True, check=True).stdout
    return dict(re.findall(r"^ +(?:-\w, )?--([a-z-]+)=(\S+)", text, re.M))


# A command line that works, to which one option is added.
BASES = {
    "run": [["s", "--rows", "none", "--columns", "none", "--quiet", player] for player in ("--single", "--committee")]
           + [["s", "--rows", "none,map=hash:8", "--columns", "none,map=hash:8", "--quiet", "--single"],
              ["s", "--both", "none", "--quiet"], ["s", "--resume", "m", "--quiet"]],
    "check": [["s", "--rows", "none", "--columns", "none"]],
    "compare": [["s", "--rows", "classes:c", "--columns", "none", "--quiet", "--limit", "9"]],
    "predict": [["m", "s"]],
    "top": [["m", "--row", "a"]],
    "explain": [["m", "a", "b"]],
    "inspect": [["m"]],
    "forget": [["m", "--row", "a", "--model", "/dev/null/no"]],
    "merge": [["m", "m", "--model", "/dev/null/no"]],
    "evidence": [["m"]],
    "graph": [["f"]],
    "generate": [[name, "--out", "/dev/null/no"] for name in ("biclustered", "boxes", "drift", "community", "growing",
                                                              "adversary", "positives", "context")],
    "experiment": [["table1", "--out", "/dev/null/no"]],
    "bound": [["--rows", "none", "--columns", "none", "--capacity", "5x5", "--horizon", "9"],
              ["--boxes", "--classes-rows", "2", "--classes-columns", "2", "--capacity", "9x9", "--horizon", "9",
               "--box-separation", "0.5"]],
}


def tried(values, first):
    """All of them with the first command line; where WEFT_ONCE is `no`, in builds that check every access, few."""
    return values if first and os.environ.get("WEFT_ONCE") != "no" else [v for v in values if v in EXTREMES]


def jobs():
    unknown = []
    for command, bases in BASES.items():
        for option, takes in options_of(command).items():
            if takes not in KINDS:
                if takes not in WORDS:
                    unknown.append(f"{command} --{option}={takes}")
                continue
            for base in bases:
                for value in tried(KINDS[takes], base is bases[0]):
                    yield [command, *base, f"--{option}={value}"]
    for spec in SPECS + MAPS:
        for value in tried(REALS if spec in SPECS else COUNTS, True):
            for command in ("run", "check"):
                yield [command, "s", "--both", spec.format(value), *(["--quiet"] if command == "run" else [])]
    if unknown:
        sys.exit("FAILED: neither a number nor a word that this test knows: " + ", ".join(unknown))


def complaint(line, place):
    """What is wrong with one command line, or None."""
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", ASAN_OPTIONS="allocator_may_return_null=1")
    try:
        ended = subprocess.run([WEFT, *line], cwd=place, capture_output=True,
                               timeout=SECONDS, stdin=subprocess.DEVNULL, env=environment, check=False)
    except subprocess.TimeoutExpired:
        return "took more than a minute"
    told = ended.stderr.decode("utf-8", "replace")
    if SANITIZER.search(told):
        return told[:800]
    if ended.returncode not in (0, 1, 2, 3, 4):
        return f"status {ended.returncode}"
    if ended.returncode != 0 and not told.startswith("weft"):
        return f"status {ended.returncode} and no message: {told[:200]!r}"
    return None


def main():
    with tempfile.TemporaryDirectory() as place:
        prepare(place)
        lines = list(jobs())
        with ThreadPoolExecutor(2) as pool:
            wrong = [(line, found) for line, found in zip(lines, pool.map(lambda l: complaint(l, place), lines)) if found]
    for line, found in wrong[:40]:
        print("FAILED: weft", " ".join(map(repr, line))[:300], "\n ", found)
    print(f"{len(lines)} command lines, {len(wrong)} failed")
    sys.exit(1 if wrong or len(lines) < 500 else 0)


if __name__ == "__main__":
    main()
