"""SPDX-License-Identifier: MIT

Reads the JSON lines of scripts/demo, and what its data are made of, and says what a person wants to know.
"""

import json
import os
import re
import sys

RUNS = [("none", "committee", "nothing"), ("classes", "committee", "groups"), ("graph", "committee", "two graphs"),
        ("none-single", "one learner", "nothing"), ("graph-single", "one learner", "two graphs")]


def read_run(directory, name):
    with open(os.path.join(directory, name + ".json"), encoding="utf-8") as file:
        return json.load(file)


def read_turned(directory):
    """How many labels were turned over by chance, which nobody can foresee."""
    with open(os.path.join(directory, "facts.txt"), encoding="utf-8") as file:
        return int(re.search(r"(\d+) labels turned over", file.read()).group(1))


def bound_text(run):
    bound = run["bound"]
    if bound is None:
        return "none is claimed"
    if bound["value"] is None:
        return "infinite: VACUOUS"
    trials = run["trials"]
    if bound["vacuous"]:
        verdict = f"VACUOUS: not below the {trials} trials"
    elif bound["value"] > trials / 2:
        verdict = "not vacuous, but no better than a coin"
    else:
        verdict = f"not vacuous: {bound['value'] / trials:.0%} of the trials"
    return f"{bound['value']:.0f} ({verdict})"


def worth_text(worth):
    lost, wrong = worth["log_loss"], worth["mistakes"]
    words = {"helps": "they help, by", "at_most": "at most", "unclear": "cannot tell yet,"}[worth["verdict"]]
    return f"{words} {lost['low']:.3f} to {lost['high']:.3f} of log loss a trial; {wrong['saved']:.0f} mistakes saved"


def main():
    runs = {name: read_run(sys.argv[1], name) for name, _, _ in RUNS}
    graph, single = runs["graph"], runs["graph-single"]
    promise = graph["guarantee"]
    print("\n== What it was worth ==")
    print(f"{'who plays':<14}{'what is known':<16}{'mistakes':>9}{'rate':>8}{'seconds':>9}")
    for name, player, known in RUNS:
        run = runs[name]
        print(f"{player:<14}{known:<16}{run['mistakes']:>9}{run['mistake_rate']:>8.3f}{run['seconds']:>9.1f}")
    print()
    print(f"labels turned over by chance:      {read_turned(sys.argv[1])}, which nobody can foresee")
    print(f"mistakes with the graphs:          {graph['mistakes']}, nothing was chosen")
    print(f"mistakes without side information: {runs['none']['mistakes']}")
    print(f"what the graphs are worth:         {worth_text(graph['worth']['both'])}")
    print(f"guarantee, whatever the labels:    {promise['expected_mistakes']:.0f} expected mistakes <= "
          f"{promise['best_mistakes']} of the best member + {promise['term']:.1f}")
    print(f"calibration error:                 {graph['calibration_error']:.4f}")
    print(f"one learner with the graphs:       {single['mistakes']} mistakes, as theory tunes it")
    print(f"bound on its expected mistakes:    {bound_text(single)}")


if __name__ == "__main__":
    main()
