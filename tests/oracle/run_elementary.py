#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The elementary functions of src/base, judged in multiprecision arithmetic.

    WEFT_DRIVER=build/tests/driver_elementary tests/oracle/run_elementary.py [--tables]

Every bound that src/base/elementary.h states is read from it and must hold for random arguments over the whole
range of each function and for hard ones: the edges of the intervals that the reductions make, thresholds of
over- and underflow, subnormal numbers, for the sine and cosine the doubles that are closest to multiples of
pi/2 (by continued fractions, for every exponent).  Prints the largest error found, and where.  The tables
and constants are computed anew; --tables prints the lists of src/base/elementary_tables.h.
WEFT_SEEDS=FIRST:COUNT draws other arguments.  Exit status 77 where mpmath is missing.
"""
import math
import os
import random
import re
import struct
import subprocess
import sys

try:
    from mpmath import mp, mpf
except ImportError:
    print("skipped: python3-mpmath is missing")
    sys.exit(77)

ROOT = os.environ.get("WEFT_SOURCE_DIR", os.path.join(os.path.dirname(__file__), "..", ".."))
# Random ones of each kind, of each function.
ARGUMENTS = 1500 if os.environ.get("WEFT_LONG") == "yes" else 500
PRECISION = 200
LEAST, LARGEST = 5e-324, sys.float_info.max
ROUNDED_TWICE = {"exp", "exp2", "pow", "erfc"}


def read(name):
    with open(os.path.join(ROOT, "src", "base", name), encoding="utf-8") as file:
        return file.read()


def bounds():
    """The bound of each function, as the header states it."""
    text = read("elementary.h")
    found = {name: float(ulp) for name, ulp in
             re.findall(r"^double weft__(\w+)\([^)]*\);\s*/\* ([\d.]+) ulp \*/", text, re.M)}
    both = re.search(r": ([\d.]+) ulp each \*/\nvoid weft__sin_cos", text)
    found["sin"] = found["cos"] = float(both.group(1))
    return found


# ---- arguments ----

def neighbours(x, reach=2):
    """x and the doubles next to it."""
    around = [x]
    for direction in (-math.inf, math.inf):
        y = x
        for _ in range(reach):
            y = math.nextafter(y, direction)
            around.append(y)
    return [y for y in around if math.isfinite(y)]


def any_double(rng):
    return struct.unpack("<d", struct.pack("<Q", rng.getrandbits(64)))[0]


def of_magnitude(rng, low, high):
    """A random double with an exponent in [low, high), of either sign."""
    return rng.choice([-1, 1]) * math.ldexp(rng.uniform(0.5, 1), rng.randrange(low, high) + 1)


def edges_of_exp(rng, step):
    """Around the middles between two multiples of log 2 / 64, where the entry of the table changes."""
    for _ in range(ARGUMENTS):
        m = rng.choice([rng.randrange(-100, 100), rng.randrange(-69000, 66000)])
        yield from neighbours(float((m + mpf(rng.choice([0, 1])) / 2) * step), 1)


def arguments_of_exp(rng, step):
    unit = float(64 * step)
    xs = [rng.uniform(-1076, 1025) * unit for _ in range(ARGUMENTS)]
    xs += [rng.uniform(-2, 2) for _ in range(ARGUMENTS)]
    xs += [rng.uniform(-1076, -1021) * unit for _ in range(ARGUMENTS)]
    xs += [of_magnitude(rng, -1074, 9) for _ in range(ARGUMENTS)]
    xs += edges_of_exp(rng, step)
    for place in (1024, -1022, -1074, -1075, 1023, -1021, 1021):
        xs += neighbours(place * unit, 20)
    for place in (0.125, -0.125, 708, -708, 40, -40, 710, -746, 2 ** -54, 1024, -1080):
        xs += neighbours(place)
    return xs


def arguments_of_log(rng):
    xs = [math.ldexp(rng.uniform(0.5, 1), rng.randrange(-1073, 1025)) for _ in range(ARGUMENTS)]
    xs += [rng.uniform(0.7, 1.42) for _ in range(2 * ARGUMENTS)]
    xs += [1 + of_magnitude(rng, -53, -3) for _ in range(ARGUMENTS)]
    for j in range(90, 183):
        for k in (0, rng.randrange(-1000, 1000)):
            xs += neighbours(math.ldexp((j + 0.5) / 128, k)) + neighbours(math.ldexp(j / 128, k), 1)
    for x in (math.sqrt(0.5), math.sqrt(2), 1, 1 + 2 ** -8, 1 - 2 ** -8, 2.0 ** -1022, 1e-310):
        xs += neighbours(x, 10)
    xs += [LEAST, 2 * LEAST, LARGEST] + [10.0 ** k for k in range(23)] + [2.0 ** k for k in range(-1074, 1024, 7)]
    return xs


def arguments_of_log1p(rng):
    xs = [x - 1 for x in arguments_of_log(rng) if x > 2 ** -53]
    xs += [abs(of_magnitude(rng, -1074, 1024)) for _ in range(ARGUMENTS)]
    xs += [-math.ldexp(rng.uniform(0.5, 1), -rng.randrange(0, 1000)) for _ in range(ARGUMENTS)]
    xs += neighbours(2.0 ** 60) + neighbours(2.0 ** -54) + neighbours(2.0 ** 53, 5)
    return [x for x in xs if x > -1]


def arguments_of_asinh(rng):
    xs = [of_magnitude(rng, -1074, 1024) for _ in range(ARGUMENTS)]
    xs += [of_magnitude(rng, -30, 30) for _ in range(2 * ARGUMENTS)]
    return xs + neighbours(2.0 ** 28) + neighbours(2.0 ** -28) + [LARGEST, -LARGEST, LEAST]


def arguments_of_erfc(rng):
    xs = [rng.uniform(-6, 27.3) for _ in range(ARGUMENTS)] + [rng.uniform(-1, 1) for _ in range(ARGUMENTS)]
    xs += [of_magnitude(rng, -300, 3) for _ in range(ARGUMENTS // 4)]
    return xs + [y for x in (0.5, -0.5, 6, 26.5, 27.2, 28, -28, 0) for y in neighbours(x)]


def closest_to_quarter_turns(exponent):
    """Integers m < 2^53 for which m 2^exponent is closest to a multiple of pi/2."""
    with mp.workprec(1400):
        ratio = mpf(2) ** exponent / (mp.pi / 2)
        before, m = 0, 1
        ratio -= mp.floor(ratio)
        while ratio > 0:
            ratio = 1 / ratio
            whole = int(mp.floor(ratio))
            ratio -= whole
            before, m = m, whole * m + before
            if m >= 2 ** 53:
                return
            if m >= 2 ** 44:
                yield m


def arguments_of_sine(rng):
    xs = [of_magnitude(rng, -60, 1024) for _ in range(2 * ARGUMENTS)]
    xs += [rng.uniform(-100, 100) for _ in range(2 * ARGUMENTS)]
    xs += [rng.uniform(-1.1e6, 1.1e6) for _ in range(ARGUMENTS)]
    for _ in range(ARGUMENTS):
        n = rng.choice([rng.randrange(1, 64), rng.randrange(1, 2 ** 20)])
        xs += neighbours(float(n * mp.pi / 4), 1)
    for exponent in rng.sample(range(-53, 971), 120) + list(range(-53, -30)):
        xs += [math.ldexp(m, exponent) for m in closest_to_quarter_turns(exponent)]
    xs += neighbours(2.0 ** 20, 5) + neighbours(2.0 ** -27) + [LARGEST, -LARGEST, LEAST, 0.0]
    return xs


def arguments_of_pow(rng):
    pairs = []
    for _ in range(3 * ARGUMENTS):
        x = rng.choice([rng.uniform(0.5, 2), 1 + of_magnitude(rng, -52, -2), abs(any_double(rng)),
                        math.ldexp(rng.randrange(1, 256), rng.randrange(-4, 4)), rng.uniform(0, LEAST * 2 ** 52)])
        if not math.isfinite(x) or x == 0 or x == 1:
            continue
        most = 746 / abs(math.log(x))
        y = rng.choice([rng.uniform(-most, most), rng.uniform(-2, 2), float(rng.randrange(-40, 40))])
        pairs.append((x, y))
    pairs += [(float(a), float(b)) for a in (2, 3, 5, 7, 10) for b in range(-30, 30)]
    pairs += [(-x, float(rng.randrange(-9, 9))) for x, _ in pairs[:300]]
    return pairs


# ---- the judge ----

def exact_functions():
    two = mpf(2)
    return {
        "exp": mp.exp, "exp2": lambda x: two ** x, "expm1": mp.expm1, "log": mp.log, "log1p": precise_log1p,
        "log2": lambda x: mp.log(x) / mp.log(2), "log10": lambda x: mp.log(x) / mp.log(10), "asinh": mp.asinh,
        "erfc": mp.erfc, "sin": mp.sin, "cos": mp.cos, "pow": lambda x, y: mp.power(x, y),
    }


def precise_log1p(x):
    with mp.workprec(PRECISION + 1100 if abs(x) < 1e-20 else PRECISION + 80):
        return mp.log(1 + x)


def bits_of(x):
    return struct.pack(">d", x).hex()


def error_in_ulp(got, exact):
    """|got - exact| in ulp of exact, and whether exact is subnormal."""
    if abs(exact) >= mpf(LARGEST) * (1 + mpf(2) ** -54):
        return (0 if math.isinf(got) and (got > 0) == (exact > 0) else math.inf), False
    if math.isinf(got):
        # Within an ulp of the largest double, infinity is 2^1024.
        got = math.copysign(1, got) * mpf(2) ** 1024
    if exact == 0:
        return (0 if got == 0 else math.inf), False
    exponent = mp.frexp(exact)[1] - 53
    return abs(mpf(got) - exact) / mpf(2) ** max(exponent, -1074), exponent < -1074


def ask(driver, lines):
    done = subprocess.run([driver], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    return [[struct.unpack(">d", bytes.fromhex(word))[0] for word in line.split()] for line in done.stdout.splitlines()]


def judge(driver, name, arguments, bound, results):
    """Compares one function over its arguments; `results` chooses the numbers of a line."""
    exact = exact_functions()
    asked = "sin_cos" if name in ("sin", "cos") else name
    lines = [f"{asked} {' '.join(bits_of(x) for x in a)}" for a in arguments]
    answers = ask(driver, lines)
    if len(answers) != len(arguments):
        print(f"{name}: {len(arguments)} arguments, {len(answers)} answers")
        return 1
    worst, failures = {False: (0, None), True: (0, None)}, 0
    for a, answer in zip(arguments, answers):
        error, subnormal = error_in_ulp(answer[results], exact[name](*(mpf(x) for x in a)))
        if not error <= worst[subnormal][0]:
            worst[subnormal] = error, a
        if not error <= bound + (0.26 if subnormal and name in ROUNDED_TWICE else 0):
            failures += 1
            if failures <= 3:
                print(f"FAILED: {name}({', '.join(x.hex() for x in a)}) = {answer[results].hex()}, {float(error):.3f} ulp off")
    told = "; ".join(f"{'subnormal ' if s else ''}{float(e):.4f} at {', '.join(f'{x!r}' for x in a)}"
                     for s, (e, a) in worst.items() if a)
    print(f"{name}: {len(arguments)} arguments, bound {bound} ulp, largest error {told}")
    return failures


def draw(seed):
    """(function, arguments, which number of the answer) of every function."""
    rng = random.Random(seed)
    step = mp.log(2) / 64
    singles = {
        "exp": arguments_of_exp(rng, step), "exp2": arguments_of_exp(rng, mpf(1) / 64),
        "expm1": arguments_of_exp(rng, step), "log": arguments_of_log(rng), "log1p": arguments_of_log1p(rng),
        "log2": arguments_of_log(rng), "log10": arguments_of_log(rng), "asinh": arguments_of_asinh(rng),
        "erfc": arguments_of_erfc(rng),
    }
    for name, xs in singles.items():
        yield name, [(x,) for x in xs], 0
    turns = [(x,) for x in arguments_of_sine(rng)]
    yield "sin", turns, 0
    yield "cos", turns, 1
    yield "pow", arguments_of_pow(rng), 0


# ---- tables and constants ----

def multiple(x, bits):
    return mp.nint(x * mpf(2) ** bits) / mpf(2) ** bits


def table_rows():
    powers, logs = [], []
    for j in range(64):
        power = mpf(2) ** (mpf(j) / 64)
        value = mpf(float(power))
        powers.append((float(value), float(power / value - 1)))
    for j in range(91, 182):
        inverse = multiple(mpf(128) / j, 12)
        high = multiple(-mp.log(inverse), 42)
        logs.append((float(inverse), float(high), float(-mp.log(inverse) - high)))
    return powers, logs


def print_tables():
    for rows in table_rows():
        print("\n".join("    {" + ", ".join(x.hex() for x in row) + "}," for row in rows) + "\n")


def check_tables():
    text = read("elementary_tables.h")
    found = [tuple(float.fromhex(x) for x in row.split(",")) for row in re.findall(r"^    \{([^}]*)\}", text, re.M)]
    powers, logs = table_rows()
    wrong = [f"elementary_tables.h: {f} is not {w}" for f, w in zip(found, powers + logs) if f != w]
    if len(found) != len(powers + logs):
        wrong.append(f"elementary_tables.h has {len(found)} rows, expected {len(powers + logs)}")
    digits = re.search(r"two_over_pi\[[^]]*\] = \{([^}]*)\}", read("trigonometric.c")).group(1)
    with mp.workprec(1500):
        words = [int(word, 16) for word in re.findall(r"0x[0-9a-f]{8}", digits)]
        whole = int(mp.floor(2 / mp.pi * mpf(2) ** (32 * len(words))))
    expected = [whole >> 32 * k & 0xffffffff for k in reversed(range(len(words)))]
    if words != expected or len(words) != 42:
        wrong.append("trigonometric.c: two_over_pi does not hold the digits of 2/pi")
    print("\n".join(wrong) or f"{len(found)} rows of tables and {len(words)} words of 2/pi are as computed")
    return len(wrong)


def main():
    mp.prec = PRECISION
    if "--tables" in sys.argv[1:]:
        print_tables()
        return 0
    drivers = [path for path in os.environ.get("WEFT_DRIVER", "").split(":") if path.endswith("driver_elementary")]
    if not drivers:
        print("WEFT_DRIVER does not name driver_elementary")
        return 1
    first, count = (int(part) for part in os.environ.get("WEFT_SEEDS", "1:1").split(":"))
    stated, failures, judged = bounds(), check_tables(), set()
    for seed in range(first, first + count):
        for name, arguments, result in draw(seed):
            failures += judge(drivers[0], name, arguments, stated[name], result)
            judged.add(name)
    if judged != set(stated):
        print(f"stated and not judged: {sorted(set(stated) ^ judged)}")
        failures += 1
    print(f"{len(judged)} functions, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
