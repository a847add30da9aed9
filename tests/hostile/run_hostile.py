"""SPDX-License-Identifier: MIT

Hostile tests, as a tier that can be run again.

    run_hostile.py [--parts PART,...] [--kills N] [--models N] [--seed N] [--full]

    kills    kill -9 at random moments of every command that replaces files (kills.py)
    models   models with changed fields and a mended checksum (models.py)
    ids      odd ids, in and out of every command (ids.py)
    disk     no room for what is written (disk.py)

Without options each part is played for some seconds, which is what ctest does; --full plays 150 kills and 3,000 models.
Sanitizers judge best: WEFT_BIN=build/checked/weft, which is what `scripts/test --hostile` takes.  The seed is printed,
and plays the same again, but for the moments of the kills.  Crafted models that something complains of are kept in
WEFT_BUILD_DIR/hostile.
"""

import argparse
import os
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import disk    # noqa: E402
import ids     # noqa: E402
import kills   # noqa: E402
import models  # noqa: E402
from harness import Ground  # noqa: E402

SHORT, FULL = {"kills": 11, "models": 30}, {"kills": 150, "models": 3000}


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[2])
    parser.add_argument("--parts", default="kills,models,ids,disk")
    parser.add_argument("--kills", type=int)
    parser.add_argument("--models", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--full", action="store_true")
    chosen = parser.parse_args()
    for name, count in (FULL if chosen.full else SHORT).items():
        if getattr(chosen, name) is None:
            setattr(chosen, name, count)
    return chosen


def main():
    chosen = parse()
    weft, build = os.path.abspath(os.environ["WEFT_BIN"]), os.path.abspath(os.environ["WEFT_BUILD_DIR"])
    keep, driver = os.path.join(build, "hostile"), os.path.join(build, "tests", "driver_mend")
    os.makedirs(keep, exist_ok=True)
    with open(weft, "rb") as file:
        sanitized = b"__asan_init" in file.read()
    parts = {"kills": lambda ground: kills.play(ground, chosen.kills),
             "models": lambda ground: models.play(ground, chosen.models, driver, keep),
             "ids": ids.play, "disk": disk.play}
    print(f"seed {chosen.seed}, {'with' if sanitized else 'without'} sanitizers", flush=True)
    failed = 0
    for name in chosen.parts.split(","):
        start = time.monotonic()
        print(name, flush=True)
        with tempfile.TemporaryDirectory() as folder:
            ground = Ground(weft, folder, chosen.seed, sanitized)
            parts[name](ground)
        failed += len(ground.complaints)
        print(f"  {ground.checks} checks, {len(ground.complaints)} complaints, {time.monotonic() - start:.0f} s", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
