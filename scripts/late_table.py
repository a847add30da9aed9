"""SPDX-License-Identifier: MIT

The table of docs/committee.md about labels that come late: mistakes as answered of the committee, of one learner, and of
a committee that keeps no answer open and answers anew when the label comes.

    late_table.py BUILD DATA CLICKS [--jobs N]

BUILD has the programs weft and example-late, DATA the streams, CLICKS is the program that makes the clicks of a shop (the
first 10,000 events of 3,000 users and 800 items, of which the category is known).  Labels are 0, 10 and 1,000 lines late.
Deterministic predictions, but for the one learner, whose thresholds are drawn.
"""

import argparse
import concurrent.futures
import csv
import os
import re
import subprocess
import sys
import tempfile

from committee_table import PARTY, run, sides_of

DELAYS, EVENTS = (0, 10, 1000), 10000
REAL = [("senate116", "senate116", PARTY, "none"), ("votes84", "votes84", PARTY, "none")]


def make_clicks(program, folder):
    """The stream, and the classes of the items."""
    subprocess.run([sys.executable, program, folder, "--events", "60000"], check=True, stdout=subprocess.DEVNULL)
    stream, classes = os.path.join(folder, "stream.csv"), os.path.join(folder, "items.classes")
    with open(os.path.join(folder, "events.csv"), newline="", encoding="utf-8") as events:
        rows = list(csv.reader(events))[1:EVENTS + 1]
    with open(stream, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["row", "column", "label"], *(row[:3] for row in rows)])
    with open(os.path.join(folder, "items.csv"), newline="", encoding="utf-8") as items:
        rows = list(csv.reader(items))[1:]
    with open(classes, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    return stream, "none", f"classes:{classes}"


def answer_anew(build, path, specs, delay):
    """One open answer is as many as none, but where the delay is 0."""
    words = [os.path.join(build, "example-late"), path, *specs, str(delay), "1"]
    said = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout
    mistakes, _, anew = map(int, re.findall(r"\d+", said))
    assert (anew > 0) == (delay > 0), said
    return mistakes


def play(build, path, specs, delay):
    """Trials; mistakes of the committee, of one learner, anew; and what is guaranteed of the committee."""
    weft, late = os.path.join(build, "weft"), ["--delay", str(delay)]
    all_of = run(weft, path, sides_of(*specs), *late)
    one = run(weft, path, sides_of(*specs), *late, "--single")
    anew = answer_anew(build, path, specs, delay)
    assert delay > 0 or anew == all_of["mistakes"]
    return all_of["trials"], all_of["mistakes"], one["mistakes"], anew, all_of["guarantee"]


def line(name, delay, result):
    trials, committee, one, anew, promise = result
    drift = promise.get("drift", 0)
    bound = promise["best_mistakes"] + promise["term"] + drift
    said = "vacuous" if bound >= trials else "a coin's" if 2 * bound >= trials else f"{bound:.0f}"
    return (f"| {name} | {trials} | {delay} | {committee} | {one} | {anew} | {promise['expected_mistakes']:.0f} | "
            f"{promise['best_mistakes']} | {promise['term']:.1f} | {drift:+.1f} | {said} |")


HEAD = ("| stream | trials | delay | committee | one learner | anew | expected | best member | term | drift | guaranteed |\n|---|"
        + "--:|" * 10)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("data")
    parser.add_argument("clicks")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    for needed in (options.data, options.clicks):
        if not os.path.exists(needed):
            sys.exit(f"{needed} is missing")
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        streams = []
        for name, data, *specs in REAL:
            place = os.path.join(options.data, data)
            streams.append((name, os.path.join(place, "stream.csv"), *(spec.format(data=place) for spec in specs)))
        streams.append((f"clicks, first {EVENTS:,}", *make_clicks(options.clicks, folder)))
        games = [(name, delay, pool.submit(play, options.build, path, specs, delay))
                 for name, path, *specs in streams for delay in DELAYS]
        print(HEAD)
        for name, delay, game in games:
            print(line(name, delay, game.result()), flush=True)


if __name__ == "__main__":
    main()
