"""SPDX-License-Identifier: MIT

Vowpal Wabbit reads a file of its own and writes its answers.  An event of one set of ids is two lines, (i, j) and (j, i),
asked before either is learnt; the score is their mean.
"""

import os

import vowpalwabbit

from streams import at_most_one

VERSION = vowpalwabbit.__version__


def settings():
    """Name to the words of the command line: about forty that people try."""
    found = {}

    def add(words, flag, values):
        for value in values:
            text = f"{words} {flag} {value}".strip()
            found[text] = text

    add("-q rc", "-l", [0.05, 0.1, 0.2, 0.5, 1, 2, 4])
    add("-q rc --power_t 0", "-l", [0.1, 0.5])
    add("-q rc --adaptive --invariant", "-l", [0.1, 0.5])
    add("-q rc --sgd --power_t 0", "-l", [0.05, 0.2])
    add("-q rc --loss_function hinge", "-l", [0.2, 0.5, 2])
    add("-q rc --ftrl", "--ftrl_alpha", [0.005, 0.05, 0.2, 0.5])
    add("-q rc --coin", "", [""])
    add("-q rc --nn 8 --inpass", "-l", [0.2, 0.5])
    add("--ftrl", "--ftrl_alpha", [0.1])
    for rank in (4, 8, 16):
        add(f"--lrq rc{rank}", "-l", [0.1, 0.2, 0.5])
    add("--lrq rc16 --lrqdropout", "-l", [0.2, 0.5])
    add("--lrqfa rc4", "-l", [0.2])
    add("--lrqfa rc8", "-l", [0.05, 0.1, 0.2, 0.5])
    add("--lrqfa rc16", "-l", [0.1, 0.2, 0.5])
    add("--lrqfa rc30", "-l", [0.2])
    return found


SETTINGS = settings()


def namespace(letter, name, traits):
    """What is known of one id; names are kept apart from what the format gives a meaning."""
    parts = [f"i_{safe(name)}"] + [f"t_{safe(trait)}:{value:.6g}" for trait, value in at_most_one(traits)]
    return f"|{letter} " + " ".join(parts)


def safe(name):
    return "".join(c if c.isalnum() else f"_{ord(c):x}_" for c in name)


def write(problem):
    """The file, and how many of its lines make an event."""
    path = os.path.join(problem.folder, f"order-{problem.order}.vw")
    with open(path, "w", encoding="utf-8") as file:
        for row, column, label in problem.events:
            there = pair(problem, row, column)
            if problem.one_set:
                back = pair(problem, column, row)
                file.write(f"{there}\n{back}\n{label} {there}\n{label} {back}\n")
            else:
                file.write(f"{label} {there}\n")
    return path, 4 if problem.one_set else 1


def pair(problem, row, column):
    return " ".join([namespace("r", row, problem.row_traits.get(row, [])),
                     namespace("c", column, problem.column_traits.get(column, []))])


def play(words, problem):
    """The score of every event before its label."""
    path, lines = problem.make("vw", write)
    answers = os.path.join(problem.folder, "answers")
    loss = "" if "--loss_function" in words else "--loss_function logistic"
    vowpalwabbit.Workspace(f"-d {path} -p {answers} --quiet -b 22 --random_seed {problem.order + 1} {loss} {words}").finish()
    with open(answers, encoding="utf-8") as file:
        scores = [float(line.split()[0]) for line in file if line.strip()]
    os.remove(answers)
    if lines == 4:
        scores = [(a + b) / 2 for a, b in zip(scores[0::4], scores[1::4])]
    return scores
