#!/usr/bin/env python3
"""SPDX-License-Identifier: MIT

How well positives alone were learnt, where the truth is known.  Usage:

    positives_table.py STREAM.csv TRUTH.csv ANSWERS.csv [OTHERS COUNT]

STREAM and TRUTH are those of `weft generate positives`, ANSWERS what `weft predict` says of every pair of TRUTH.

AUC: the probability that the column of a row's next event scores above another one of the row, drawn uniformly of all
others, from the true probabilities and the same for every row; ties count half.  The popularity of a column is its
share of the events, and the truth itself is what whoever knows everything would answer.

Calibration: pairs in twenty groups of one size by their answers.  The error is the mean difference between the mean
answer and the mean truth of a group, over the mean truth of all; the sum over a row is 1 where answers are right.  With
OTHERS COUNT, how many columns are drawn from and how many are drawn, the same without the correction.
"""

import csv
import sys

GROUPS = 20


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def auc_of_row(scores, truth):
    """Sum over j of p(j) times the share of the others that score less."""
    order = sorted(range(len(scores)), key=lambda j: scores[j])
    below, total, start = 0, 0.0, 0
    while start < len(order):
        end = start
        while end < len(order) and scores[order[end]] == scores[order[start]]:
            end += 1
        for j in order[start:end]:
            total += truth[j] * (below + (end - start - 1) / 2) / (len(scores) - 1)
        below, start = end, end
    return total


def auc(scores, truth):
    return sum(auc_of_row(scores[row], truth[row]) for row in truth) / len(truth)


def calibration(answers, truth):
    pairs = sorted((p, q) for row in truth for p, q in zip(answers[row], truth[row]))
    size = len(pairs) / GROUPS
    error = 0.0
    for k in range(GROUPS):
        group = pairs[round(k * size):round((k + 1) * size)]
        error += abs(sum(p for p, _ in group) - sum(q for _, q in group))
    return error / len(truth), sum(p for p, _ in pairs) / len(truth)


def uncorrected(p, others, count):
    odds = p / (1 - p) * others / count if p < 1 else float("inf")
    return odds / (1 + odds) if p < 1 else 1.0


def main():
    stream, told, answered = (read(path) for path in sys.argv[1:4])
    share = {}
    for event in stream:
        share[event["column"]] = share.get(event["column"], 0) + 1 / len(stream)
    truth, answers, popular = {}, {}, {}
    for pair, answer in zip(told, answered):
        assert (pair["row"], pair["column"]) == (answer["row"], answer["column"])
        truth.setdefault(pair["row"], []).append(float(pair["probability"]))
        answers.setdefault(pair["row"], []).append(float(answer["probability"]))
        popular.setdefault(pair["row"], []).append(share.get(pair["column"], 0))
    print(f"AUC of the popularity       {auc(popular, truth):.4f}")
    print(f"AUC of the answers          {auc(answers, truth):.4f}")
    print(f"AUC of who knows all        {auc(truth, truth):.4f}")
    print("calibration error           {:.3f}, a row sums to {:.3f}".format(*calibration(answers, truth)))
    print("  of the popularity         {:.3f}, a row sums to {:.3f}".format(*calibration(popular, truth)))
    if len(sys.argv) > 5:
        others, count = float(sys.argv[4]), float(sys.argv[5])
        raw = {row: [uncorrected(p, others, count) for p in answers[row]] for row in answers}
        print("  without the correction    {:.3f}, a row sums to {:.3f}".format(*calibration(raw, truth)))


if __name__ == "__main__":
    main()
