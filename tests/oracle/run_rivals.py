#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every rival against a small implementation of its own, written from docs/rivals.md alone.

    WEFT_DRIVER=build/tests/driver_rivals tests/oracle/run_rivals.py

Random streams over all kinds of side information, two sides and one set of ids, ids appended on the way (some of
them alone), the state written and read back or copied in between, and events with a context, of which some rivals make
use.  Scores and probabilities agree to 1e-9, those
of hybrid factorisation, which has numbers of single precision, to 1e-4.
WEFT_SEEDS=FIRST:COUNT plays other problems.  Exit status 77 where numpy is missing.
"""
import math
import os
import random
import subprocess
import sys

try:
    import numpy
except ImportError:
    print("python3-numpy is missing")
    sys.exit(77)

PROBLEMS = 360 if os.environ.get("WEFT_LONG") == "yes" else 120
TOLERANCE, SINGLE = 1e-9, 1e-4
MASK = (1 << 64) - 1
START, DECAY = 0.1, 0.02  # of the factors
CONSTANT, ROW, COLUMN, BIAS, LOGISTIC, FACTORS, SUM, PRODUCT, SQUARE, HYBRID = range(10)
NAMES = ["constant", "row majority", "column majority", "bias", "logistic", "factors", "sum", "product", "square",
         "hybrid"]
KINDS = ["none", "classes", "kernel", "matrix", "graph", "linear", "gaussian", "min", "callback"]


# ---- side information: the kernel by its definition, and how it is told to the driver ----

class Side:
    """`listed` of `count` ids at first; `alone` of the others are similar to nothing but themselves."""

    def __init__(self, rng, kind, count, listed):
        self.kind, self.count, self.now, self.constant = kind, count, listed, 0.0
        can_join = kind not in ("matrix", "graph")
        self.alone = [i >= listed and (not can_join or rng.random() < 0.3) and kind != "none" for i in range(count)]
        self.head, self.items = getattr(self, "draw_" + (kind if kind in ("none", "classes", "matrix", "graph")
                                                         else "vectors" if kind in ("linear", "gaussian", "min")
                                                         else "square"))(rng, listed)
        self.radius = max(self.kernel[i, i] for i in range(count) if i < listed or not self.alone[i])
        told = 0.0 if kind == "graph" else self.radius * 1.5
        self.radius = told or self.radius
        for i in range(count):
            if self.alone[i]:
                self.kernel[i, :] = self.kernel[:, i] = 0
                self.kernel[i, i] = self.radius
        if kind == "kernel":
            self.items = [[float(v) for v in self.kernel[i, :i + 1]] for i in range(count)]
        code = {"linear": 5, "gaussian": 5, "min": 5, "callback": 6}.get(kind) or KINDS.index(kind)
        self.text = [code, told, listed] + self.head

    def draw_none(self, rng, listed):
        self.kernel = numpy.eye(self.count)
        return [], [[] for _ in range(self.count)]

    def draw_classes(self, rng, listed):
        epsilon, classes = rng.choice([0, 0.1]), rng.randrange(1, 5)
        self.label = [5 - 3 * rng.randrange(classes) for _ in range(self.count)]
        same = numpy.equal.outer(self.label, self.label)
        self.kernel = same * 1.0 + epsilon * numpy.eye(self.count)
        return [epsilon] + self.label[:listed], [[c] for c in self.label]

    def draw_square(self, rng, listed):
        style = rng.choice(["dense", "dense", "low rank", "zero row", "ties", "ties"])
        rank = 2 if style == "low rank" else self.count + 1
        factor = numpy.array([[rng.gauss(0, 1) for _ in range(rank)] for _ in range(self.count)])
        if style == "zero row":
            factor[listed - 1] = 0
        self.kernel = factor @ factor.T
        if style == "ties":  # dominated by its diagonal, and few values
            grid = numpy.array([[rng.choice([-1, 0, 1, 1, 1, 2, 2]) / 16 for _ in range(self.count)] for _ in range(self.count)])
            self.kernel = numpy.tril(grid, -1) + numpy.tril(grid, -1).T + 8 * numpy.eye(self.count)
        self.kernel = (self.kernel + self.kernel.T) / 2
        given = self.kernel[:listed, :listed].ravel() if self.kind == "kernel" else []
        return [float(v) for v in given], [[] for _ in range(self.count)]

    def draw_matrix(self, rng, listed):
        factor = numpy.array([[rng.gauss(0, 1) for _ in range(listed)] for _ in range(listed)])
        matrix = factor @ factor.T + 0.3 * numpy.eye(listed)
        matrix = (matrix + matrix.T) / 2
        self.kernel = numpy.zeros((self.count, self.count))
        self.kernel[:listed, :listed] = numpy.linalg.inv(matrix)
        return [float(v) for v in matrix.ravel()], [[] for _ in range(self.count)]

    def draw_graph(self, rng, listed):
        edges = [(k, rng.randrange(k), rng.uniform(0.3, 3)) for k in range(1, listed)]
        seen = {frozenset(e[:2]) for e in edges}
        for _ in range(listed):
            a, b = rng.randrange(listed), rng.randrange(listed)
            if a != b and frozenset((a, b)) not in seen:
                seen.add(frozenset((a, b)))
                edges.append((a, b, rng.uniform(0.3, 3)))
        laplacian = numpy.zeros((listed, listed))
        for a, b, weight in edges:
            laplacian[[a, b], [a, b]] += weight
            laplacian[[a, b], [b, a]] -= weight
        self.weights = numpy.diag(laplacian.diagonal()) - laplacian
        inverse = numpy.linalg.pinv(laplacian)
        self.constant = float(inverse.diagonal().max())
        self.kernel = numpy.zeros((self.count, self.count))
        self.kernel[:listed, :listed] = inverse + self.constant
        return [len(edges)] + [v for e in edges for v in e], [[] for _ in range(self.count)]

    def draw_vectors(self, rng, listed):
        dimension, parameter = rng.randrange(1, 4), rng.uniform(2, 3)
        bound = parameter if self.kind == "min" else 4
        shift = rng.choice([0, 0, 3, -3]) if self.kind != "min" else 0
        x = numpy.array([[min(bound, max(-bound, rng.choice([0, 1, rng.gauss(0, 2)]))) + shift
                          for _ in range(dimension)] for _ in range(self.count)])
        if self.kind != "min":
            x[listed:] *= rng.choice([1, 50])  # beyond what was there when the rival was made
        given = x
        if self.kind == "min":
            x = (parameter - 1) * x / (2 * parameter) + (parameter + 1) / 2
            self.kernel = numpy.prod(numpy.minimum(x[:, None, :], x[None, :, :]), axis=2)
        elif self.kind == "gaussian":
            self.kernel = numpy.exp(-((x[:, None, :] - x[None, :, :]) ** 2).sum(axis=2) / (2 * parameter ** 2))
        else:
            same = (x[:, None, :] == x[None, :, :]).all(axis=2)
            self.kernel = x @ x.T + parameter * same
        self.vectors = x
        code = ["linear", "gaussian", "min"].index(self.kind)
        return ([dimension, code, parameter] + [float(v) for v in given[:listed].ravel()],
                [[float(v) for v in line] for line in given])

    def finish(self):
        """A callback knows every id that is to come."""
        if self.kind == "callback":
            self.text += [self.count] + [float(v) for v in self.kernel.ravel()]
        return self.text

    def append(self, number):
        item = self.items[self.now]
        alone = self.alone[self.now]
        self.now += 1
        return [1, number, int(alone), len(item)] + item

    def unit(self, i, k):
        """u(i,k): the kernel without its constant part, to unit length."""
        if i == k:
            return 1.0
        root = (self.kernel[i, i] - self.constant, self.kernel[k, k] - self.constant)
        if self.kernel[i, k] == 0 or min(root) <= 0:
            return 0.0
        return max(-1.0, min(1.0, (self.kernel[i, k] - self.constant) / math.sqrt(root[0] * root[1])))


# ---- hashes ----

def mix(x):
    z = (x + 0x9e3779b97f4a7c15) & MASK
    z = ((z ^ (z >> 30)) * 0xbf58476d1ce4e5b9) & MASK
    z = ((z ^ (z >> 27)) * 0x94d049bb133111eb) & MASK
    return z ^ (z >> 31)


def sigma(f):
    return 1 / (1 + math.exp(-f)) if f > -700 else 0.0


# ---- the rivals ----

class Rival:
    def __init__(self, settings, rows, columns):
        self.kind, self.rate, self.factors, self.bits, self.seed, self.replay, self.window, self.shrink = settings
        self.rows, self.columns, self.one_set = rows, columns or rows, columns is None
        self.context = []

    def key(self, space, number):
        return mix(mix(mix(self.seed or 1) ^ space) ^ number)

    def ordered(self, i, j):
        return (j, i) if self.one_set and i > j else (i, j)

    def predict(self, i, j):
        score = self.score(*self.ordered(i, j))
        return score, self.probability(score)

    def probability(self, score):
        return sigma(score)

    def learn(self, i, j, y):
        self.update(*self.ordered(i, j), y)


class Majority(Rival):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.all, self.of = [0, 0], {}

    def ids(self, i, j):
        if self.kind == CONSTANT:
            return []
        return [i, j] if self.one_set else [i] if self.kind == ROW else [j]

    def score(self, i, j):
        plus, minus = self.all
        g = (plus + 1) / (plus + minus + 2)
        if self.kind != CONSTANT:
            p = sum(self.of.get(k, (0, 0))[0] for k in self.ids(i, j))
            q = sum(self.of.get(k, (0, 0))[1] for k in self.ids(i, j))
            g = (p + g) / (p + q + 1)
        return 2 * g - 1

    def probability(self, score):
        return (score + 1) / 2

    def update(self, i, j, y):
        self.all[y < 0] += 1
        for k in self.ids(i, j):
            self.of.setdefault(k, [0, 0])[y < 0] += 1


class Logistic(Rival):
    """The core, and with it row + column bias."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.w, self.s = {}, {}
        self.prepare()

    def prepare(self):
        pass

    def features(self, i, j):
        return [("constant", 1.0), (("row", i), 1.0), (("row" if self.one_set else "column", j), 1.0)]

    def score(self, i, j):
        return sum(self.w.get(index, 0.0) * x for index, x in self.features(i, j))

    def step(self, index, d):
        self.s[index] = self.s.get(index, 0.0) + d * d
        if self.s[index] > 0:
            self.w[index] = self.w.get(index, 0.0) + self.rate * d / math.sqrt(self.s[index])

    def update(self, i, j, y):
        g = y * sigma(-y * self.score(i, j))
        for index, x in self.features(i, j):
            self.step(index, g * x)


class Hashed(Logistic):
    def prepare(self):
        self.scaling = {}
        for side in (self.rows, self.columns):
            if side.kind in ("linear", "gaussian", "min"):
                self.scaling[id(side)] = [self.scale(column) for column in side.vectors[:side.now].T]

    @staticmethod
    def scale(x):
        offset = x.min() if x.min() > 0 else x.max() if x.max() < 0 else 0.0
        return offset, float(abs(x - offset).max()) or 1.0

    def traits(self, side, i):
        if side.alone[i] or side.kind == "none":
            return []
        if side.kind == "classes":
            order = []
            for k in range(side.now):
                if not side.alone[k] and side.label[k] not in order:
                    order.append(side.label[k])
            return [(order.index(side.label[i]), 1.0)]
        if side.kind in ("linear", "gaussian", "min"):
            values = [(x - offset) / scale for x, (offset, scale) in zip(side.vectors[i], self.scaling[id(side)])]
            return [(d, max(-10.0, min(10.0, v))) for d, v in enumerate(values) if v != 0]
        if side.kind == "graph":
            return self.links(side, i)
        near = [(-round(side.unit(i, k) * 2**30), k) for k in range(side.now) if k != i]
        return [(k, side.unit(i, k)) for u, k in sorted(near)[:10] if u < 0]

    @staticmethod
    def links(side, i):
        """What a step along an edge, or one more at random, brings to the others, over the largest of it."""
        w = side.weights
        brings = w[i] + w[i] @ (w / w.sum(axis=1)[:, None])
        brings[i] = 0
        order = sorted(range(len(w)), key=lambda k: -brings[k])[:24]
        return [(k, float(numpy.float32(brings[k] / brings.max()))) for k in order if brings[k] > 0]

    def of_id(self, side, i, space):
        return [(self.key(space, i), 1.0)] + [(self.key(space + 1, n), v) for n, v in self.traits(side, i)]

    def features(self, i, j):
        left, right = self.of_id(self.rows, i, 1), self.of_id(self.columns, j, 1 if self.one_set else 3)
        both = [(mix((a + b) & MASK), x * z) for a, x in left for b, z in right]
        size = 1 << (self.bits or 20)
        return [(key % size, x) for key, x in [(self.key(0, 0), 1.0)] + left + right + both]


class Factors(Logistic):
    def prepare(self):
        self.k = self.factors or 10

    def of_id(self, which, i):
        """Bias first, then the factors; names of the numbers."""
        names = [(which, i, t) for t in range(-1, self.k)]
        for which_, i_, t in names[1:]:
            if (which_, i_, t) not in self.w:
                z = mix(self.key(5 if which_ == "row" else 6, i_) ^ t)
                self.w[which_, i_, t] = START * (2 * (((z >> 11) + 0.5) / 2 ** 53) - 1)
        return names

    def names(self, i, j):
        return self.of_id("row", i), self.of_id("row" if self.one_set else "column", j)

    def score(self, i, j):
        left, right = self.names(i, j)
        inner = sum(self.w[a] * self.w[b] for a, b in zip(left[1:], right[1:]))
        return self.w.get("a", 0.0) + self.w.get(left[0], 0.0) + self.w.get(right[0], 0.0) + inner

    def update(self, i, j, y):
        g = y * sigma(-y * self.score(i, j))
        left, right = self.names(i, j)
        p, q = [self.w[a] for a in left[1:]], [self.w[b] for b in right[1:]]
        self.step("a", g)
        for names, own, other in ((left, p, q), (right, q, p)):
            self.step(names[0], g)
            for name, mine, its in zip(names[1:], own, other):
                self.step(name, g * its - DECAY * mine)


class Hybrid(Hashed):
    def prepare(self):
        super().prepare()
        self.k, self.replay, self.window = self.factors or 15, self.replay or 9, self.window or 16384
        self.lines, self.past, self.constant = {}, [], [0.0, 1.0]

    def line(self, space, number):
        """The numbers of an id or trait, and their squares."""
        if (space, number) not in self.lines:
            first = [(2 * (((mix(self.key(space, number) ^ t) >> 11) + 0.5) / 2 ** 53) - 1) / (self.k + 1)
                     for t in range(self.k + 1)]
            self.lines[space, number] = numpy.array([0.0] + first[1:]), numpy.ones(self.k + 1)
        return self.lines[space, number]

    def parts(self, which, i):
        side, shift = (self.rows, 0) if which == 0 or self.one_set else (self.columns, 1)
        traits = self.traits(side, i)
        own = 5 if side.kind in ("kernel", "matrix", "graph", "callback") else 7
        length = math.sqrt(1 + sum(x * x for _, x in traits))
        return ([(self.line(5 + shift, i), 1 / length)]
                + [(self.line(own + shift, n), x / length) for n, x in traits])

    def around(self, context):
        """Of the values that are known, and of all of them together where there are two or more."""
        known, joint = [v for v in context if v], 0
        for value in known:
            joint = mix(joint ^ value)
        values = known + ([joint] if len(known) > 1 else [])
        return [(self.line(11, mix(v) % (1 << 18)), 1 / math.sqrt(len(values))) for v in values]

    def all(self, i, j, context):
        parts = self.parts(0, i), self.parts(1, j), self.around(context)
        zero = numpy.zeros(self.k + 1)
        return parts, [sum((weight * line[0] for line, weight in some), zero) for some in parts]

    @staticmethod
    def value(constant, sums):
        pairs = [(sums[a], sums[b]) for a, b in ((0, 1), (0, 2), (1, 2))]
        return constant + sum(x[0] for x in sums) + sum(float(x[1:] @ y[1:]) for x, y in pairs)

    def score(self, i, j):
        return self.value(self.constant[0], self.all(i, j, self.context)[1])

    def once(self, i, j, y, context):
        parts, sums = self.all(i, j, context)
        g = y * sigma(-y * self.value(self.constant[0], sums))
        for own, some in enumerate(parts):
            others = sum(x for other, x in enumerate(sums) if other != own)
            gradient = g * numpy.concatenate([[1.0], others[1:]])
            for (value, squares), weight in some:
                d = weight * (gradient - self.shrink * value)
                squares += d * d
                value += self.rate * d / numpy.sqrt(squares)
        self.constant[1] += g * g
        self.constant[0] += self.rate * g / math.sqrt(self.constant[1])
        return sum(len(some) for some in parts)

    def update(self, i, j, y):
        learnt, kept = len(self.past), self.past[-self.window:]
        parts = self.once(i, j, y, self.context)
        for k in range(self.replay if kept else 0):
            if parts >= 1024:
                break
            place = (mix(self.key(9, learnt) ^ k) >> 32) * len(kept) >> 32
            if learnt > self.window:  # a ring: place p has the event whose number leaves p
                place = (place - learnt) % self.window
            parts += self.once(*kept[place])
        self.past.append((i, j, y, self.context))


class Perceptron(Rival):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.past = []

    def kernel(self, i, j, k, l):
        u, v = self.rows.unit, self.columns.unit
        if self.one_set:
            if self.kind == PRODUCT:
                return 0.01 + (u(i, k) * u(j, l) + u(i, l) * u(j, k)) / 2
            value = (u(i, k) + u(j, l) + u(i, l) + u(j, k)) / 4
        elif self.kind == PRODUCT:
            return 0.01 + u(i, k) * v(j, l)
        else:
            value = (u(i, k) + v(j, l)) / 2
        return 0.01 + (value ** 2 if self.kind == SQUARE else value)

    def score(self, i, j):
        f = sum(y * self.kernel(i, j, k, l) for k, l, y in self.past)
        return 0.0 if abs(f) < 1e-9 else f

    def update(self, i, j, y):
        if y * self.score(i, j) <= self.rate + 1e-9:
            self.past.append((i, j, y))


CLASSES = [Majority] * 3 + [Logistic, Hashed, Factors] + [Perceptron] * 3 + [Hybrid]


# ---- problems ----

class Problem:
    def __init__(self, seed):
        rng = random.Random(seed)
        self.kind = seed % 10
        self.one_set = rng.random() < 0.35
        self.sides = []
        for _ in range(1 if self.one_set else 2):
            count = rng.randrange(10, 20) if self.kind == LOGISTIC else rng.randrange(3, 20)
            listed = count if rng.random() < 0.4 else rng.randrange(2, count + 1)
            kind = rng.choice(KINDS)
            # Of two vertices K(0,1) is 0 but for rounding, and u follows that.
            self.sides.append(Side(rng, kind, count, max(listed, 3) if kind == "graph" else listed))
        rate = rng.choice([0.0, 0.3, 1.0, 2.5]) if SUM <= self.kind <= SQUARE else rng.choice([0.05, 0.3, 1.0, 2.0])
        if self.kind == HYBRID:  # with steps of 2 single precision is soon another stream
            rate = min(rate, 1.0)
        self.settings = (self.kind, rate, rng.choice([0, 1, 4, 12]), rng.choice([0, 4, 9, 20]),
                         rng.choice([0, 1, rng.randrange(1 << 62)]), rng.choice([-1, 0, 1, 12]),
                         rng.choice([0, 1, 8, 30]), rng.choice([0.0, 0.0, 0.05]))
        self.rival = CLASSES[self.kind](self.settings, self.sides[0], None if self.one_set else self.sides[1])
        self.head = [self.settings[0], rate if self.kind >= BIAS else 0.0, *self.settings[2:], len(self.sides)]
        self.head += [v for side in self.sides for v in side.finish()]
        self.rng, self.steps, self.expected = rng, [], []
        self.fields = rng.choice([0, 0, 1, 2, 5])

    def surround(self):
        """In half of the problems events have a context, which changes now and then."""
        if self.fields and self.rng.random() < 0.6:
            digests = [self.rng.choice([0, 5 + k, (1 << 61) + 77 * k]) for k in range(self.fields)]
            self.rival.context = digests
            self.steps.append([4, self.fields] + digests)

    def grow(self):
        for number, side in enumerate(self.sides):
            if side.now < side.count and self.rng.random() < 0.12:
                self.steps.append(side.append(number))

    def play(self):
        """The steps, and the scores that they must give."""
        rng, block = self.rng, {}
        for _ in range(rng.randrange(20, 90)):
            self.grow()
            if rng.random() < 0.04:
                self.steps.append([rng.choice([2, 3])])
                self.steps.append([4, len(self.rival.context)] + self.rival.context)
            self.surround()
            i, j = rng.randrange(self.sides[0].now), rng.randrange(self.sides[-1].now)
            y = block.setdefault((i % 3, j % 2), rng.choice([-1, 1])) * (-1 if rng.random() < 0.15 else 1)
            y = 0 if rng.random() < 0.1 else y
            self.steps.append([0, i, j, y])
            self.expected.append(self.rival.predict(i, j))
            if y:
                self.rival.learn(i, j, y)

    def text(self):
        lines = [self.head, [len(self.steps)]] + self.steps
        return "\n".join(" ".join(repr(v) for v in line) for line in lines) + "\n"

    def name(self):
        return (f"{NAMES[self.kind]}, {'one set' if self.one_set else 'two sides'}, "
                + ", ".join(side.kind for side in self.sides) + f", rate, factors, bits, seed, replay, window, shrink {self.settings[1:]}")


def compare(problem, lines):
    """None, or what is wrong."""
    if len(lines) != len(problem.expected):
        return f"{len(lines)} answers, expected {len(problem.expected)}"
    tolerance = SINGLE if problem.kind == HYBRID else TOLERANCE
    for t, (line, (score, probability)) in enumerate(zip(lines, problem.expected)):
        got, chance, label = (float(v) for v in line.split())
        if not abs(got - score) <= tolerance * max(1, abs(score)):
            return f"trial {t}: score {got!r}, expected {score!r}"
        if not abs(chance - probability) <= tolerance:
            return f"trial {t}: probability {chance!r}, expected {probability!r}"
        if label != (1 if got >= 0 else -1):
            return f"trial {t}: label {label} for score {got!r}"
    return None


def driver():
    paths = os.environ.get("WEFT_DRIVER", "").split(":")
    found = [path for path in paths if os.path.basename(path) == "driver_rivals"]
    return found[0] if found else sys.exit("WEFT_DRIVER does not name driver_rivals")


def main():
    program = driver()
    first, count = (int(v) for v in os.environ.get("WEFT_SEEDS", f"1:{PROBLEMS}").split(":"))
    failed, trials, kinds = 0, 0, {}
    for seed in range(first, first + count):
        problem = Problem(seed)
        problem.play()
        ran = subprocess.run([program], input=problem.text(), capture_output=True, text=True, timeout=600)
        wrong = (f"the driver ended with {ran.returncode}: {ran.stderr.strip()}" if ran.returncode
                 else compare(problem, ran.stdout.split("\n")[:-1]))
        trials += len(problem.expected)
        for name in [NAMES[problem.kind]] + [side.kind for side in problem.sides]:
            kinds[name] = kinds.get(name, 0) + 1
        if wrong:
            failed += 1
            print(f"problem {seed}: {problem.name()}\n  {wrong}")
    print(f"problems {count}, failed {failed}, trials {trials}; " +
          ", ".join(f"{name} {times}" for name, times in sorted(kinds.items())))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
