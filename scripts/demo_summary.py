"""SPDX-License-Identifier: MIT

Reads the three JSON lines of scripts/demo and says what a person wants to know.
"""

import json
import os
import sys


def read_run(directory, name):
    with open(os.path.join(directory, name + ".json"), encoding="utf-8") as file:
        return json.load(file)


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


def main():
    runs = {name: read_run(sys.argv[1], name) for name in ("none", "classes", "graph")}
    print("\n== What it was worth ==")
    print(f"{'side information':<18}{'mistakes':>9}{'rate':>8}{'products a trial':>18}{'seconds':>9}")
    for name, run in runs.items():
        print(
            f"{name:<18}{run['mistakes']:>9}{run['mistake_rate']:>8.3f}"
            f"{run['products_per_trial']:>18.2f}{run['seconds']:>9.1f}"
        )
    print()
    print(f"mistakes with the graphs:          {runs['graph']['mistakes']}")
    print(f"mistakes without side information: {runs['none']['mistakes']}")
    print(f"bound on the expected mistakes:    {bound_text(runs['graph'])}")


if __name__ == "__main__":
    main()
