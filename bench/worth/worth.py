#!/usr/bin/env python3
"""How far what weft run says that side information is worth is from what second runs without it show.

usage: worth.py BUILD DATA MAKE_CLICKS [--orders N] [--streams NAME,...] [--work DIR]

BUILD has weft and example-make_demo; DATA are the real data sets and MAKE_CLICKS the program that makes clicks,
neither of which is part of weft.  Every stream of streams.py is played in N orders (5; drawn, so that they are alike),
with everything and without rows, columns, both.  The truth is the log loss of the second run less that of the first,
from the probabilities that they wrote: the mean over the orders, give or take 1.96 standard errors.  For every stream and side
one line: the truth and its spread, and of the orders how many reported intervals reach it, and the verdicts.  At the
end: the share that reaches it, verdicts `at most x` with x below half of the truth, and `helps` of exchanged ids."""
import argparse
import csv
import json
import math
import os
import statistics
import subprocess
import tempfile

from streams import all_streams


def play(weft, stream, order, without, folder):
    """Log losses of the trials, and what the run says of side information."""
    events, answers = folder + "/events.csv", folder + "/answers.csv"
    stream.write(order, events)
    told = subprocess.run([weft, "run", events, *stream.options(without), "--json", "--quiet", "--predictions", answers],
                          check=True, stdout=subprocess.PIPE, text=True).stdout
    losses = []
    with open(answers, encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            p = float(line["probability"])
            positive = line["label"] == "1" or line["label"] == "+1"
            losses.append(-math.log(p if positive else 1 - p))
    return losses, json.loads(told)["worth"]


def judge(weft, stream, orders, folder):
    """For every side the truths, and the reports of the runs with everything."""
    found = {side: ([], []) for side in stream.sides()}
    for order in range(1, orders + 1):
        losses, worth = play(weft, stream, order, "", folder)
        for side, (truths, reports) in found.items():
            report = worth["ids" if stream.one_set else side]
            told = report["trials"]  # of the first so many trials
            truths.append(sum(play(weft, stream, order, side, folder)[0][:told]) - sum(losses[:told]))
            reports.append(report)
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("data")
    parser.add_argument("clicks")
    parser.add_argument("--orders", type=int, default=5)
    parser.add_argument("--streams", default="")
    parser.add_argument("--work", default="")
    given = parser.parse_args()
    reached = told = low = helps = exchanged = 0
    with tempfile.TemporaryDirectory() as folder:
        work = given.work or folder
        for stream in all_streams(given.data, given.clicks, given.build, work):
            if given.streams and stream.name not in given.streams.split(","):
                continue
            for side, (truths, reports) in judge(given.build + "/weft", stream, given.orders, folder).items():
                truth = statistics.mean(truths)
                spread = 1.96 * (statistics.stdev(truths) / math.sqrt(len(truths)) if len(truths) > 1 else 0)
                inside = verdicts = ""
                for report in reports:
                    ends = [report["trials"] * report["log_loss"][end] for end in ("low", "high")]
                    reaches = ends[0] <= truth + spread and ends[1] >= truth - spread
                    inside += "+" if reaches else "-"
                    verdicts += report["verdict"][0]
                    low += report["verdict"] == "at_most" and max(ends[1], 0) < truth / 2
                    reached += reaches
                    told += 1
                    if stream.other == side:
                        exchanged += 1
                        helps += report["verdict"] == "helps"
                print("%-24s %-7s truth %8.1f +- %6.1f  reported %8.1f (%8.1f to %8.1f)  %s %s" %
                      (stream.name, side, truth, spread, reports[0]["trials"] * reports[0]["log_loss"]["saved"],
                       *(reports[0]["trials"] * reports[0]["log_loss"][end] for end in ("low", "high")), inside,
                       verdicts), flush=True)
    print("%d of %d reach the truth (%.3f); at most too little: %d; helps of exchanged ids: %d of %d" %
          (reached, told, reached / told, low, helps, exchanged))


if __name__ == "__main__":
    main()
