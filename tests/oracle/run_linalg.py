#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The eigensolver and the inverse of src/linalg, judged by numpy and by exact numbers.

    WEFT_DRIVER=build/tests/driver_linalg tests/oracle/run_linalg.py

Matrices that are hard for such methods: Hilbert's, Wilkinson's and many of them glued together, Laplacians whose
eigenvalues repeat, graded ones, arrows, tridiagonal ones with tiny couplings, low ranks, entries near both ends of
the range.  A decomposition must be that of A + E with orthogonal vectors: the bound of E is read from
src/linalg/eigen.h.  Eigenvalues are compared with those that are known, or with LAPACK's.  Inverses are compared with
the exact one where that is known, and multiplied out.  Prints the worst of each kind.  Exit status 77 where numpy
is missing.
"""
import math
import os
import re
import subprocess
import sys

try:
    import numpy
except ImportError:
    print("skipped: python3-numpy is missing")
    sys.exit(77)

ROOT = os.environ.get("WEFT_SOURCE_DIR", os.path.join(os.path.dirname(__file__), "..", ".."))
EPS = numpy.finfo(float).eps
WIDE = numpy.longdouble
LARGEST_OF_WILKINSON = 10.746194182903393  # of W21+, twice up to 7e-14
failures = 0


def check(good, words):
    global failures
    if not good:
        failures += 1
        print(f"FAILED: {words}")


def bound():
    """|E| in units of n eps |A|, as the header states it."""
    with open(os.path.join(ROOT, "src", "linalg", "eigen.h"), encoding="utf-8") as file:
        return float(re.search(r"WEFT__EIGEN_ERROR = (\d+)", file.read()).group(1))


# ---- matrices ----

def tridiagonal(diagonal, off):
    return numpy.diag(diagonal) + numpy.diag(off, 1) + numpy.diag(off, -1)


def hilbert(n):
    return 1 / (numpy.arange(n)[:, None] + numpy.arange(n) + 1.0)


def wilkinson():
    return tridiagonal(abs(numpy.arange(-10.0, 11)), numpy.ones(20))


def glued(coupling, copies=8):
    size = len(wilkinson())
    matrix = numpy.kron(numpy.eye(copies), wilkinson())
    for k in range(size, size * copies, size):
        matrix[k - 1, k] = matrix[k, k - 1] = coupling
    return matrix


def path(n):
    """The Laplacian of a path."""
    return tridiagonal(numpy.r_[1, 2 * numpy.ones(n - 2), 1], -numpy.ones(n - 1))


def path_values(n):
    return numpy.array([4 * math.sin(math.pi * k / (2 * n)) ** 2 for k in range(n)])


def grid(n):
    return numpy.kron(path(n), numpy.eye(n)) + numpy.kron(numpy.eye(n), path(n))


def hypercube(d):
    vertices = numpy.arange(2 ** d)
    apart = vertices[:, None] ^ vertices
    return d * numpy.eye(2 ** d) - numpy.isin(apart, 2 ** numpy.arange(d))


def known():
    """(name, matrix, eigenvalues that are known, rising)"""
    yield "clique of 60", 60 * numpy.eye(60) - 1, numpy.r_[0, numpy.full(59, 60)]
    yield "15 cliques of 8", numpy.kron(numpy.eye(15), 8 * numpy.eye(8) - 1), numpy.repeat([0, 8], [15, 105])
    yield "path of 90", path(90), path_values(90)
    yield "grid of 12 x 12", grid(12), numpy.sort(numpy.add.outer(path_values(12), path_values(12)).ravel())
    yield "hypercube of 7 dimensions", hypercube(7), numpy.repeat(
        2 * numpy.arange(8), [math.comb(7, k) for k in range(8)])
    for n in (1, 2, 3, 17, 64):
        yield f"ones of {n}", numpy.ones((n, n)), numpy.r_[numpy.zeros(n - 1), n]
        yield f"exchange of {n}", numpy.eye(n)[::-1], numpy.repeat([-1, 1], [n // 2, n - n // 2])


def symmetric(rng, n):
    matrix = rng.standard_normal((n, n))
    return matrix + matrix.T


def with_spectrum(rng, values):
    q = numpy.linalg.qr(rng.standard_normal((len(values), len(values))))[0]
    matrix = (q * values) @ q.T
    return (matrix + matrix.T) / 2


def graded(rng, n):
    """Falling, rising and in no order."""
    d = numpy.exp(-60 * numpy.arange(n) / n)
    for order in (numpy.arange(n), numpy.arange(n)[::-1], rng.permutation(n)):
        yield symmetric(rng, n) * numpy.outer(d[order], d[order])


def arrow(diagonal, tip):
    matrix = numpy.diag(numpy.asarray(diagonal, float))
    matrix[0, 1:] = matrix[1:, 0] = tip
    return matrix


def drawn(rng):
    for n in (1, 2, 3, 4, 5, 9, 16, 33, 100):
        yield f"graded of {n}", list(graded(rng, n))
        yield f"arrows of {n}", [arrow(rng.standard_normal(n), 1), arrow(range(n), 1e-9), arrow(range(n), 1e9),
                                 arrow(range(n), 1)[::-1, ::-1]]
        factor = rng.standard_normal((n, max(1, n // 4)))
        yield f"rank {max(1, n // 4)} of {n}", [factor @ factor.T]
        yield f"tiny couplings of {n}", [
            tridiagonal(numpy.full(n, d), numpy.full(n - 1, c)) for d in (0.0, 1.0)
            for c in (1e-8, 1e-15, 1e-16, 1e-17, 1e-30, 1e-160, 1e-200)]
        yield f"wild couplings of {n}", [
            tridiagonal(numpy.zeros(n), 10.0 ** rng.integers(-16, 1, n - 1)) for _ in range(8)]
        yield f"two clusters of {n}", [with_spectrum(rng, numpy.where(numpy.arange(n) % 2, 1, -1))]
        yield f"falling spectrum of {n}", [with_spectrum(rng, 10.0 ** -numpy.linspace(0, 16, n))]
        for scale in (1, 1e-300, 1e-310, 1e-317, 1e300):
            yield f"random of {n}, times {scale:g}", [scale * symmetric(rng, n)]
    # Where n eps is small, its share of the error is large.
    for n in (2, 3, 4, 5, 6):
        yield f"many of {n}", [tridiagonal(rng.standard_normal(n), 10.0 ** -rng.uniform(0, 16, n - 1))
                               for _ in range(150)]
        yield f"many scaled of {n}", [symmetric(rng, n) * numpy.outer(d, d)
                                      for d in 10.0 ** -rng.uniform(0, 8, (150, n))]
        yield f"many spectra of {n}", [with_spectrum(rng, rng.choice([1, -1, 0.5, 1e-9], n)) for _ in range(150)]


def problems_of_eigen(rng):
    """(name, matrix, eigenvalues or None)"""
    yield from known()
    for n in (5, 12, 30):
        yield f"Hilbert's of {n}", hilbert(n), None
    yield "Wilkinson's", wilkinson(), None
    for coupling in (1e-14, 1e-8, 1e-3):
        yield f"Wilkinson's glued by {coupling:g}", glued(coupling), None
    for name, matrices in drawn(rng):
        for matrix in matrices:
            yield name, matrix, None


def inverse_of_hilbert(n):
    """Its entries are integers."""
    c = math.comb
    return numpy.array([[(-1) ** (i + j) * (i + j + 1) * c(n + i, n - j - 1) * c(n + j, n - i - 1) * c(i + j, i) ** 2
                         for j in range(n)] for i in range(n)], WIDE)


def problems_of_inverse(rng):
    """(name, matrix, inverse or None)"""
    for n in range(1, 10):
        yield f"Hilbert's of {n}", hilbert(n), inverse_of_hilbert(n)
    for n in (1, 2, 31, 32, 33, 64, 65, 130):
        i = numpy.arange(n, dtype=WIDE)
        inverse = numpy.minimum(i[:, None], i) + 1
        matrix = path(n + 1)[1:, 1:] if n > 1 else numpy.ones((1, 1))
        yield f"path of {n}, grounded", matrix, inverse
        for scale in (1e-300, 1e300):
            yield f"path of {n}, grounded, times {scale:g}", scale * matrix, inverse / WIDE(scale)
        d = 2.0 ** rng.integers(-400, 400, n)
        yield f"path of {n}, grounded, scaled", matrix * numpy.outer(d, d), inverse / numpy.outer(d, d).astype(WIDE)
        yield f"random of {n}", with_spectrum(rng, numpy.linspace(1, 50, n)), None
        yield f"ill-conditioned of {n}", with_spectrum(rng, 10.0 ** -numpy.linspace(0, 9, n)), None


def singular(rng):
    """(name, matrix, number of the pivot that is 0, or None for any)"""
    for n in (2, 5, 33, 80):
        for rank in {1, n // 2, n - 1}:
            factor = rng.integers(1, 4, (n, rank)).astype(float)
            factor[:rank] = numpy.tril(factor[:rank], -1) + numpy.eye(rank)
            yield f"rank {rank} of {n}", factor @ factor.T + 0.0, rank
    for n in (20, 74, 152, 182):
        across = numpy.kron([[0, 1], [1, 0]], numpy.ones((n // 2, n // 2)))
        yield f"a bipartite graph of {n}", n // 2 * numpy.eye(n) - across, n - 1
    for n in (20, 120, 300):
        yield f"a clique of {n}", n * numpy.eye(n) - 1, n - 1
        yield f"a star of {n}", arrow(numpy.r_[n - 1, numpy.ones(n - 1)], -1), n - 1
        weights = 2.0 ** rng.integers(0, 30, n - 1)
        yield f"a path of {n} with weights", tridiagonal(numpy.r_[weights, 0] + numpy.r_[0, weights], -weights), None
    yield "an indefinite one", numpy.array([[1.0, 2], [2, 1]]), 1
    yield "a zero on the diagonal", numpy.diag([1.0, 0, 1]), 1
    yield "no number", numpy.array([[1.0, math.nan], [math.nan, 1]]), 1


# ---- the driver ----

def driver():
    paths = os.environ.get("WEFT_DRIVER", "").split(":")
    named = [path for path in paths if path.endswith("driver_linalg")]
    if not named:
        sys.exit("WEFT_DRIVER does not name driver_linalg")
    return named[0]


def ask(verb, matrices):
    """The answers: each a number and an array."""
    text = b"".join(b"%s %d\n" % (verb.encode(), len(m)) + numpy.ascontiguousarray(m, float).tobytes()
                    for m in matrices)
    out = subprocess.run([driver()], input=text, stdout=subprocess.PIPE, check=True).stdout
    at, answers = 0, []
    for m in matrices:
        n, end = len(m), out.index(b"\n", at)
        count = n * n + (2 * n if verb == "eigen" else 0)
        answers.append((int(out[at:end]), numpy.frombuffer(out, float, count, end + 1)))
        at = end + 1 + 8 * count
    check(at == len(out), f"{verb}: the driver wrote more than was asked for")
    return answers


# ---- eigenvectors ----

def norm(matrix):
    return float(numpy.linalg.norm(matrix.astype(float), 2))


def judge_eigen(name, matrix, exact, values, vectors):
    """|E|, the angles and the values, in units of n eps |A|."""
    n, scale = len(matrix), float(abs(matrix).max()) or 1.0
    a, v, q = (matrix / scale).astype(WIDE), (values / scale).astype(WIDE), vectors.astype(WIDE)
    gram = q @ q.T - numpy.eye(n)
    near = q - gram @ q / 2 + 3 * (gram @ gram @ q) / 8  # the orthogonal matrix next to q
    unit = n * EPS * float(abs(v).max() or 1) + 5e-324 / scale  # subnormal values have fewer digits
    expected = numpy.linalg.eigvalsh(matrix / scale) if exact is None else exact / scale
    return {"E": norm((near.T * v) @ near - a) / unit, "angles": norm(gram) / (n * EPS),
            "values": float(abs(v - expected).max()) / unit}


def judge_all_eigen(rng):
    limit, worst = bound(), {}
    problems = list(problems_of_eigen(rng))
    for (name, matrix, exact), (status, numbers) in zip(problems, ask("eigen", [p[1] for p in problems])):
        n = len(matrix)
        values, alone, vectors = numbers[:n], numbers[n:2 * n], numbers[2 * n:].reshape(n, n)
        check(status == 0, f"{name}: status {status}")
        check((values == alone).all(), f"{name}: values depend on whether vectors are wanted")
        check((numpy.diff(values) >= 0).all(), f"{name}: values do not rise")
        for what, size in judge_eigen(name, matrix, exact, values, vectors).items():
            check(size <= limit, f"{name}: {what} {size:.3g} n eps, at most {limit:g} was promised")
            worst[what] = max(worst.get(what, (0, "")), (size, name))
        if name == "Wilkinson's":
            check(abs(values[-2:] - LARGEST_OF_WILKINSON).max() < 1e-13, f"{name}: {values[-2:]}")
    for what, (size, name) in worst.items():
        print(f"eigen: {what}: at most {size:.3g} n eps |A| ({name})")


# ---- inverses ----

def judge_inverse(matrix, exact, inverse):
    """The error relative to what the condition of the matrix allows; diagonals are scaled to 1, as exactly as
    the inverse does."""
    d = 2.0 ** -numpy.floor(numpy.log2(matrix.diagonal()) / 2)
    a = (matrix * d[:, None] * d).astype(WIDE)
    x = inverse.astype(WIDE) / d[:, None] / d
    unit = len(matrix) * EPS * norm(a) * norm(x)
    if exact is None:
        return norm(a @ x - numpy.eye(len(matrix))) / unit
    return norm(x - exact / d[:, None] / d) / unit / norm(x)


def judge_all_inverses(rng):
    worst = (0, "")
    problems = list(problems_of_inverse(rng))
    for (name, matrix, exact), (pivot, numbers) in zip(problems, ask("invert", [p[1] for p in problems])):
        inverse = numbers.reshape(matrix.shape)
        check(pivot == -1, f"{name}: pivot {pivot} is taken for 0")
        check((inverse == inverse.T).all(), f"{name}: the inverse is not symmetric")
        size = judge_inverse(matrix, exact, inverse)
        check(size <= 2, f"{name}: the inverse errs by {size:.3g} n eps |A| |A^-1|")
        worst = max(worst, (size, name))
    print(f"inverse: at most {worst[0]:.3g} n eps |A| |A^-1| ({worst[1]})")
    problems = list(singular(rng))
    for (name, _, expected), (pivot, _) in zip(problems, ask("invert", [p[1] for p in problems])):
        check(pivot >= 0 if expected is None else pivot == expected,
              f"{name}: the pivot that is 0 is {pivot}, expected {expected}")


def main():
    judge_all_eigen(numpy.random.default_rng(1))
    judge_all_inverses(numpy.random.default_rng(2))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
