#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Merged evidence with very large eigenvalues, judged in multiprecision arithmetic.

    WEFT_DRIVER=build/tests/driver_evidence tests/oracle/run_multiprecision.py

Counts of 10^3 to 10^5 and learning rates up to 10 make exponents of a million, where an eigendecomposition in
double precision says nothing.  The judge works out kappa e'K exp(CK) e from sqrt(K) C sqrt(K) with mpmath,
with more digits until its own error is below the answer's.  Checked for every query: the margin, cut at
WEFT_MARGIN_LIMIT, is in its bracket; certified decisions are right; updates follow the rule; lambda_max <= b.
WEFT_SEEDS=FIRST:COUNT plays other problems.  Exit status 77 where mpmath is missing.
"""
import os
import random
import subprocess
import sys

PROBLEMS = 150 if os.environ.get("WEFT_LONG") == "yes" else 50
SLACK = 1e-9
LIMIT = 1e300
MOST_DIGITS = 2000

try:
    from mpmath import mp, mpf
except ImportError:
    print("python3-mpmath is missing")
    sys.exit(77)

PAPER, BALANCED, ONE_SET = range(3)


# ---- problems ----

def draw_kernel(rng, count):
    kind = rng.choice(["identity", "classes", "dense", "rank one", "scaled"])
    if kind == "identity":
        return [[float(i == j) for j in range(count)] for i in range(count)]
    if kind == "classes":
        label = [rng.randrange(2) for _ in range(count)]
        return [[float(label[i] == label[j]) + 0.125 * (i == j) for j in range(count)] for i in range(count)]
    rank = 1 if kind == "rank one" else count + 1
    scale = 10 ** rng.uniform(-6, 6) if kind == "scaled" else 1
    factor = [[scale * rng.gauss(0, 1) for _ in range(rank)] for _ in range(count)]
    return [[sum(a * b for a, b in zip(factor[min(i, j)], factor[max(i, j)])) for j in range(count)]
            for i in range(count)]


def draw_counts(rng, m, n):
    style = rng.choice(["mixed", "minus", "plus", "single", "opposed", "small"])
    sign = {"minus": [-1], "plus": [1]}.get(style, [-1, 1])
    entries = {}
    for _ in range(1 if style == "single" else rng.randrange(2, 9)):
        size = int(10 ** rng.uniform(0, 2)) if style == "small" else int(10 ** rng.uniform(3, 5))
        entries[rng.randrange(m), rng.randrange(n)] = rng.choice(sign) * size
    if style == "opposed":
        first = next(iter(entries))
        entries = {pair: (1 if pair == first else -1) * 10 ** 5 for pair in entries}
    return [(i, j, count) for (i, j), count in entries.items()]


class Problem:
    def __init__(self, seed):
        rng = random.Random(seed)
        self.seed, self.form = seed, rng.randrange(3)
        self.m, self.n = rng.randrange(2, 6), rng.randrange(1, 6)
        if self.form == ONE_SET:
            self.m, self.n = rng.randrange(3, 8), 0
        self.m += self.m + self.n < 3
        self.updates, self.precision = rng.randrange(2), rng.randrange(2)
        self.eta, self.gamma = 10 ** rng.uniform(-5, 1), rng.choice([1.0, rng.uniform(0.05, 1)])
        self.dimension = rng.choice([1.0, float(self.m + self.n), rng.uniform(1, 4 * (self.m + self.n))])
        self.tolerance = rng.choice([0, 0.02])
        self.rows = draw_kernel(rng, self.m)
        self.columns = draw_kernel(rng, self.n)
        other = self.n or self.m
        self.evidence = draw_counts(rng, self.m, other)
        if self.form == ONE_SET:
            self.evidence = list({frozenset(e[:2]): e for e in self.evidence}.values())
        self.queries = [(i, j, 0) for i, j, _ in self.evidence[:3]]
        self.queries += [(rng.randrange(self.m), rng.randrange(other), rng.choice([0, 0, -1, 1])) for _ in range(4)]

    def text(self):
        head = [self.form, self.updates, 0, self.precision, self.eta, self.gamma, self.dimension, self.tolerance,
                self.m, self.n]
        lines = [head] + self.rows + self.columns + [[len(self.evidence)]] + self.evidence
        return "\n".join(" ".join(repr(v) for v in line) for line in lines + [[len(self.queries)]] + self.queries) + "\n"


# ---- the judge ----

def root(kernel, scale):
    """sqrt(K / scale) by an eigendecomposition, negative rounding cut off."""
    count = len(kernel)
    matrix = mp.matrix([[mpf(v) / scale for v in line] for line in kernel])
    value, vector = mp.eigsy(matrix)
    half = mp.matrix(count)
    for k in range(count):
        if value[k] > 0:
            column = vector[:, k]
            half += mp.sqrt(value[k]) * column * column.T
    return half


class Judge:
    """The exponent of the given evidence, decomposed, with `digits` digits."""

    def __init__(self, problem, evidence, digits):
        mp.dps = digits
        self.problem, self.order = problem, problem.m + problem.n
        factor = 4 if problem.form == ONE_SET else 2
        self.left = root(problem.rows, factor * mpf(max(problem.rows[i][i] for i in range(problem.m))))
        if problem.n:
            self.right = root(problem.columns, factor * mpf(max(problem.columns[j][j] for j in range(problem.n))))
        exponent = mp.matrix(self.order)
        for i, j, count in evidence:
            phi, psi = self.embed(i, j)
            weight = mpf(problem.eta) * count
            if problem.form == BALANCED:
                exponent += weight * (phi * psi.T + psi * phi.T)
            else:
                exponent += (-weight if problem.form == ONE_SET else weight) * (phi + psi) * (phi + psi).T
        self.value, self.vector = mp.eigsy(exponent)
        self.top = max(self.value)
        self.norm = max(abs(v) for v in self.value) + 1

    def embed(self, i, j):
        """phi and psi with x = phi + psi."""
        phi, psi = mp.matrix(self.order, 1), mp.matrix(self.order, 1)
        for k in range(self.problem.m):
            phi[k] = self.left[k, i]
            if self.problem.form == ONE_SET:
                psi[k] = -self.left[k, j]
        for k in range(self.problem.n):
            psi[self.problem.m + k] = self.right[k, j]
        return phi, psi

    def quadratic(self, u, v):
        """kappa u'exp(exponent)v and a bound of its error: every component is wrong by a few last digits."""
        kappa = mpf(self.problem.dimension) / self.order
        last = mpf(10) ** (8 - mp.dps) * self.norm
        total = error = mpf(0)
        for k in range(self.order):
            along_u, along_v = (sum(w[l] * self.vector[l, k] for l in range(self.order)) for w in (u, v))
            grown = mp.exp(self.value[k])
            total += grown * along_u * along_v
            error += grown * last * (abs(along_u) + abs(along_v) + last)
        return kappa * total, kappa * error

    def margin(self, i, j):
        phi, psi = self.embed(i, j)
        if self.problem.form == BALANCED:
            value, error = self.quadratic(phi, psi)
            return 2 * value, 2 * error
        value, error = self.quadratic(phi + psi, phi + psi)
        return (1 - value, error) if self.problem.form == ONE_SET else (value - 1, error)


def exact(problem, evidence, i, j):
    """The margin, lambda_max; None where even MOST_DIGITS digits do not settle the margin."""
    digits = 40
    while digits <= MOST_DIGITS:
        judge = Judge(problem, evidence, digits)
        margin, error = judge.margin(i, j)
        if error <= mpf(10) ** -15 * max(1, abs(margin)):
            return margin, judge.top
        digits = max(2 * digits, min(MOST_DIGITS, int(judge.top / mp.log(10)) + 40))
    return None, judge.top


# ---- comparison ----

def check(problem, evidence, query, line):
    """A list of complaints about one answer, and whether the margin was judged."""
    i, j, label = query
    low, middle, high, prediction, certified, updated, bound = (float(v) for v in line.split())
    margin, top = exact(problem, evidence, i, j)
    wrong = []
    if not top <= bound + SLACK * max(1, abs(top)):
        wrong.append(f"lambda_max {mp.nstr(top, 17)} above b {bound!r}")
    if not (-LIMIT <= low <= middle <= high <= LIMIT):
        wrong.append(f"bracket not finite and ordered: {low!r} {middle!r} {high!r}")
    if margin is None:
        return wrong, False
    cut = max(-LIMIT, min(LIMIT, margin))
    slack = SLACK * max(1, abs(cut))
    said = mp.nstr(margin, 17)
    if not low - slack <= cut <= high + slack:
        wrong.append(f"margin {said} outside [{low!r}, {high!r}]")
    if certified and prediction != (1 if margin >= 0 else -1) and abs(margin) > SLACK:
        wrong.append(f"prediction {prediction} for margin {said}")
    rule = label * margin < problem.gamma if problem.updates == 0 else prediction != label
    close = problem.updates == 0 and abs(label * margin - problem.gamma) < SLACK
    if label and updated != rule and not close:
        wrong.append(f"label {label} updated {updated} for margin {said}, gamma {problem.gamma}")
    return wrong, True


def play(driver, problem):
    ran = subprocess.run([driver], input=problem.text(), capture_output=True, text=True, timeout=600)
    lines = ran.stdout.strip().split("\n")
    if ran.returncode != 0 or len(lines) != len(problem.queries):
        return [f"the driver ended with {ran.returncode}: {ran.stderr.strip()}"], 0, 0
    evidence, complaints, judged, saturated = list(problem.evidence), [], 0, 0
    for query, line in zip(problem.queries, lines):
        wrong, settled = check(problem, evidence, query, line)
        complaints += [f"query {query}: {text}" for text in wrong]
        judged += settled
        saturated += abs(float(line.split()[1])) >= LIMIT / 10
        if int(line.split()[5]):
            evidence.append(query)
    return complaints, judged, saturated


def main():
    paths = os.environ.get("WEFT_DRIVER", "").split(":")
    driver = next((path for path in paths if os.path.basename(path) == "driver_evidence"), None)
    if not driver:
        sys.exit("WEFT_DRIVER does not name driver_evidence")
    first, count = (int(v) for v in os.environ.get("WEFT_SEEDS", f"1:{PROBLEMS}").split(":"))
    failed = judged = asked = saturated = 0
    for seed in range(first, first + count):
        problem = Problem(seed)
        complaints, settled, full = play(driver, problem)
        asked, judged, saturated = asked + len(problem.queries), judged + settled, saturated + full
        if complaints:
            failed += 1
            print(f"problem {seed}: form {problem.form} updates {problem.updates} precision {problem.precision} eta "
                  f"{problem.eta:.4g} evidence {problem.evidence}\n  " + "\n  ".join(complaints[:4]))
    print(f"problems {count}, failed {failed}; queries {asked}, settled by the judge {judged}, saturated {saturated}")
    return 1 if failed or judged < asked / 2 else 0


if __name__ == "__main__":
    sys.exit(main())
