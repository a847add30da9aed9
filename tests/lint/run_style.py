"""SPDX-License-Identifier: MIT

What clang-format and clang-tidy do not see of the house style: sizes of files and
functions, the licence line, no printing, exiting or allocating of its own in the
library, no path of the machine it was written on, and in what computes or writes
numbers no function of the C library whose last bit depends on the processor.  Prints
the distribution of function lengths.  Each check is shown to fail on a planted example.
"""

import os
import re
import statistics
import sys

HEADER_LINES = {"include/weft.h": 700, "include/weft_advanced.h": 1000, "include/weft_files.h": 500}
FILE_LINES = 400
FUNCTION_LINES = 80
FUNCTION_MEDIAN = 14
FUNCTION_P90 = 40
PARAMETERS = 6  # beside the weft_error * that comes last
COLUMNS = 110

# A definition in house style: a head from column 0, a body from `{` to `}` in column 0.
FUNCTION = re.compile(r"^(?P<head>[ ]?[A-Za-z_][^;{}#]*?\b(?P<name>\w+)\((?P<parameters>[^;{}]*)\))\s*\n\{\n.*?^\}", re.M | re.S)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)")
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')

PRINTS = re.compile(r"\b(printf|fprintf|puts|fputs|putchar|perror|exit|abort|_Exit)\s*\(")
ALLOCATES = re.compile(r"\b(malloc|calloc|realloc|free|aligned_alloc|posix_memalign|strdup|getline)\s*\(")
# Not rounded exactly, so different where the C library finds another processor; src/base/elementary.h has its own.
INEXACT = re.compile(
    r"(?<![\w.>])(?:__builtin_)?(?:c?(?:exp|log|pow|sin|cos|tan|asin|acos|atan|sinh|cosh|tanh|asinh|acosh|atanh)|exp2|exp10|"
    r"pow10|expm1|log2|log10|log1p|atan2|sincos|erf|erfc|hypot|cabs|carg|cbrt|lgamma|lgamma_r|tgamma|gamma|"
    r"j[01n]|y[01n])[fl]?\s*\(")
# Of 64, 80 or 128 bits.
LONG_DOUBLE = re.compile(r"\blong\s+double\b|\b__float(?:80|128)\b|\b_Float128\b|#\s*include\s*<(?:tgmath|complex)\.h>")
SAME_BITS = ("src/", "program/", "lab/", "cli/", "examples/")  # figure/ makes pixels alone
EXCLUDED = re.compile(r"\b(?:GCOV|GCOVR|LCOV)_EXCL\w*(?P<reason>[^\n]*)")


def code_only(text):
    """The text with comments and strings blanked, line for line."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    return STRING.sub(blank, COMMENT.sub(blank, text))


def functions(text):
    """(line, name, lines, parameters) of every function definition."""
    code = ATTRIBUTE.sub(lambda match: "\n" * match.group(0).count("\n"), code_only(text))
    for match in FUNCTION.finditer(code):
        parameters = match.group("parameters").strip()
        # Commas inside a function pointer's own list do not count.
        flat = re.sub(r"\([^()]*\)", "", parameters)
        count = 0 if parameters in ("", "void") else flat.count(",") + 1
        count -= re.search(r"\bweft_error \*\w+$", parameters) is not None
        line = code.count("\n", 0, match.start()) + 1
        yield line, match.group("name"), match.group(0).count("\n") + 1, count


def check_any(path, text, found):
    if "SPDX-License-Identifier: MIT" not in "\n".join(text.split("\n")[:4]):
        found.append(f"{path}:1: no SPDX line")
    for number, line in enumerate(text.split("\n"), 1):
        if "\t" in line or line != line.rstrip():
            found.append(f"{path}:{number}: a tab or a trailing blank")
        if len(line) > COLUMNS:
            found.append(f"{path}:{number}: {len(line)} columns, at most {COLUMNS}")


def check_code(path, text, found):
    """Sizes; returns the lengths of the functions."""
    lengths = []
    lines = text.count("\n")
    most = HEADER_LINES.get(path, FILE_LINES)
    if lines > most:
        found.append(f"{path}: {lines} lines, at most {most}")
    for line, name, length, parameters in functions(text):
        lengths.append(length)
        if length > FUNCTION_LINES:
            found.append(f"{path}:{line}: {name} has {length} lines, at most {FUNCTION_LINES}")
        if parameters > PARAMETERS:
            found.append(f"{path}:{line}: {name} has {parameters} parameters, at most {PARAMETERS}")
    return lengths


def check_library(path, text, found):
    code = code_only(text)
    for number, line in enumerate(code.split("\n"), 1):
        if PRINTS.search(line):
            found.append(f"{path}:{number}: the library prints or exits: {line.strip()}")
        if ALLOCATES.search(line) and path != "src/base/memory.c":
            found.append(f"{path}:{number}: memory that does not come from the hook: {line.strip()}")
    for number, line in enumerate(text.split("\n"), 1):
        mark = EXCLUDED.search(line)
        if mark and "STOP" not in mark.group(0) and len(re.sub(r"\W", "", mark.group("reason"))) < 10:
            found.append(f"{path}:{number}: excluded from coverage without a reason")


def check_same_bits(path, text, found):
    for number, line in enumerate(code_only(text).split("\n"), 1):
        if INEXACT.search(line):
            found.append(f"{path}:{number}: differs between processors, src/base/elementary.h has its own: {line.strip()}")
        if LONG_DOUBLE.search(line):
            found.append(f"{path}:{number}: a type that differs between processors: {line.strip()}")


def read_tree(root, folders, suffixes):
    for folder in folders:
        for directory, _, names in sorted(os.walk(os.path.join(root, folder))):
            for name in sorted(names):
                path = os.path.join(directory, name)
                if name.endswith(suffixes) and "__pycache__" not in path:
                    with open(path, encoding="utf-8", errors="replace") as file:
                        yield os.path.relpath(path, root), file.read()


def check_paths(root, found):
    """No file names the place where this tree, or its parent, happens to lie."""
    place = os.path.realpath(root)
    places = [p for p in (place, os.path.dirname(place)) if p.count("/") > 1]
    everything = ["include", "src", "figure", "program", "lab", "cli", "bench", "fuzz", "examples", "tests", "python/native", "python/weft", "python/tests", "docs", "scripts", "cmake", ".ci"]
    tree = list(read_tree(root, everything, ("",)))
    for name in sorted(os.listdir(root)):
        path = os.path.join(root, name)
        if os.path.isfile(path):
            with open(path, encoding="utf-8", errors="replace") as file:
                tree.append((name, file.read()))
    for path, text in tree:
        for p in places:
            if p + "/" in text:
                found.append(f"{path}: names a path of this machine, {p}")


def planted_unnoticed():
    """The checks that miss what is planted for them."""
    licence = "/* SPDX-License-Identifier: MIT */\n"
    body = "    x = 1;\n"
    parameters = ", ".join(f"int p{k}" for k in range(PARAMETERS + 1))
    plants = [
        (check_any, "src/base/p.c", "int x;\n", "no SPDX"),
        (check_any, "src/base/p.c", licence + "int x;  \n", "trailing blank"),
        (check_any, "src/base/p.c", licence + "/* " + "x" * COLUMNS + " */\n", "columns"),
        (check_code, "src/base/p.c", "static void f(void)\n{\n" + body * FUNCTION_LINES + "}\n", "f has 83 lines"),
        (check_code, "src/base/p.c", f"int f({parameters})\n{{\n{body}}}\n", "parameters"),
        (check_code, "src/base/p.c", "\n" * (FILE_LINES + 1), "lines, at most"),
        (check_code, "include/weft.h", "\n" * (HEADER_LINES["include/weft.h"] + 1), "lines, at most"),
        (check_library, "src/base/p.c", 'static void f(void)\n{\n    printf("x");\n}\n', "prints"),
        (check_library, "src/base/p.c", "static void f(void)\n{\n    free(x);\n}\n", "hook"),
        (check_same_bits, "cli/p.c", "    x = exp(y);\n", "differs between processors"),
        (check_same_bits, "lab/p.c", "    x = 1 + powf (y, 2);\n", "differs between processors"),
        (check_same_bits, "src/side/p.c", "    x = __builtin_cos(y);\n", "differs between processors"),
        (check_same_bits, "program/p.c", "static long double x;\n", "a type that differs"),
        (check_library, "src/base/p.c", "    return; /* GCOVR_EXCL_LINE */\n", "without a reason"),
    ]
    missed = []
    for check, path, text, expected in plants:
        found = []
        check(path, text, found)
        if not any(expected in report for report in found):
            missed.append(f"{check.__name__} did not notice: {expected}")
    return missed, len(plants)


def main():
    root = os.environ.get("WEFT_SOURCE_DIR", os.path.join(os.path.dirname(__file__), "..", ".."))
    found, lengths = [], []
    for path, text in read_tree(root, ["include", "src", "figure", "program", "lab", "cli", "bench", "fuzz", "examples", "tests", "python/native"], (".c", ".h")):
        check_any(path, text, found)
        if not path.startswith("tests/"):
            lengths += check_code(path, text, found)
        if path.startswith("src/"):
            check_library(path, text, found)
        if path.startswith(SAME_BITS):
            check_same_bits(path, text, found)
    check_paths(root, found)
    if len(lengths) < 2:
        print("no functions were found")
        return 1
    median = statistics.median(lengths)
    p90 = statistics.quantiles(lengths, n=10)[8]
    print(f"{len(lengths)} functions: median {median:g} lines, p90 {p90:.0f}, longest {max(lengths)}")
    if median > FUNCTION_MEDIAN or p90 > FUNCTION_P90:
        found.append(f"functions are too long: wanted median {FUNCTION_MEDIAN}, p90 {FUNCTION_P90}")
    missed, plants = planted_unnoticed()
    for report in found + missed:
        print(report)
    print(f"{len(found)} against the style; {plants} planted, {plants - len(missed)} found")
    return 1 if found or missed else 0


if __name__ == "__main__":
    sys.exit(main())
