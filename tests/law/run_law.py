"""SPDX-License-Identifier: MIT

The dependency law, proved for every #include of the tree:

    base <- linalg <- side <- evidence <- spectral <- player <- learner <- rival <- committee <- theory <- io

Each folder of src/, with the rooms in it, may include itself and those to its left, always
by the path from src/ ("base/memory.h"), and the public header.  The room "committee/vote" knows
nothing of committees: of its own folder it includes itself alone.  Around it, by the path from the
root:

    figure    pictures: themselves and "program/output.h", for they become files; they know nothing of learners
    program   what programs share: themselves and the public header
    lab       the laboratory: itself, program, "figure/figure.h", the public header
    cli       its own folder (by the path from the root), program, "figure/figure.h", "lab/lab.h", the public header;
              its rooms stand in an order: command <- input, report <- model <- run, where input and report do not
              know each other, and beside model and run those of the other commands
    bench     its own folder (by the bare name), lab, the public header; and, for what no public function can time,
              "src/committee/members/sharing.h", "src/evidence/evidence.h", "src/linalg/cholesky.h" and
              "src/base/memory.h"
    examples  their own folder and the public header
    python/native, of the package for Python, the same

and program, lab, cli and bench "src/base/elementary.h", the functions that have the same bits
on every processor, for the numbers that they compute and write themselves; program and cli
"src/io/text/draft.h", for files that are written whole.

Other libraries are met only where the table says so.

The check is then shown to fail: every kind of violation is planted in a copy of
the tree and must be found.
"""

import contextlib
import functools
import os
import re
import shutil
import sys
import tempfile

LAYERS = ["base", "linalg", "side", "evidence", "spectral", "player", "learner", "rival", "committee", "theory", "io"]
PROGRAMS = ["cli", "bench", "examples", "python/native"]

# The tiers of the public interface: each may include those before it.
PUBLIC = ["weft.h", "weft_advanced.h", "weft_files.h", "weft_theory.h"]

# The one header of the library's inside that is for the programs too.
ELEMENTARY = "src/base/elementary.h"
# How the programs write files.
DRAFT = "src/io/text/draft.h"

# What each folder outside src/ may include by the path from the root, beside its own.
ROOMS = {
    "figure": ["program/output.h"],
    "program": [*PUBLIC, ELEMENTARY, DRAFT],
    "lab": [*PUBLIC, ELEMENTARY, "figure/figure.h", "program/*"],
}
# The same for the programs.
PROGRAMS_MAY = {
    "cli": [ELEMENTARY, DRAFT, "figure/figure.h", "lab/lab.h", "program/*"],
    "bench": [ELEMENTARY, "lab/*", "src/base/memory.h", "src/committee/members/sharing.h", "src/evidence/evidence.h",
              "src/linalg/cholesky.h"],
    "examples": [],
    "python/native": [],
}

# The rooms of cli/, and which others each may include; main.c meets all.
CLI_ROOMS = {
    "command": [],
    "input": ["command"],
    "report": ["command"],
    "model": ["command", "input", "report"],
    "run": ["command", "input", "report", "model"],
    "compare": ["command", "input", "report"],
    "side": ["command", "input"],
    "bound": ["command", "input"],
    "lab": ["command"],
}

# Rooms of src/ that include nothing of their own folder but themselves.
ALONE = ["committee/vote"]

STANDARD = set(
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg "
    "stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype".split()
)

# Which other headers may be met, and where: folders, or files of src/.
ELSEWHERE = [
    (r"Random123/.*\.h", ["base"]),
    (r"sanitizer/asan_interface\.h", ["base"]),
    (r"lapacke\.h", ["spectral/reference.c", "spectral/blas.c", "bench"]),
    (r"cblas\.h", ["spectral/reference.c", "bench"]),
    (r"sys/mman\.h", ["spectral/blas.c", "io", "program", "lab"] + PROGRAMS),
    (r"cholmod\.h", ["side"]),
    (r"jansson\.h", ["cli"]),
    (r"xxhash\.h", ["base"]),
    (r"zlib\.h", ["io"]),
    (r"(cairo(-svg)?|fontconfig/fontconfig)\.h", ["figure"]),
    (r"(sys/stat|unistd)\.h", ["io", "program", "lab"] + PROGRAMS),
    (r"sys/wait\.h", ["bench"]),
    (r"(sys/xattr|dirent)\.h", ["io"]),
    (r"sys/auxv\.h", ["program"]),
    (r"(sys/(types|time|resource|file)|fcntl|poll|strings)\.h", ["io", "program", "lab"] + PROGRAMS),
    (r"pthread\.h", ["base", "lab"] + PROGRAMS),
    (r"(argp|getopt|sched|cpuid)\.h", ["lab"] + PROGRAMS),
]

PUBLIC_HEADER_MAY = ["stdbool.h", "stddef.h", "stdint.h"]

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:(")([^"\n]*)"|(<)([^>\n]*)>|([^\s"<].*))', re.M)
COMMENT = re.compile(r"/\*.*?\*/", re.S)


def blank_comment(match):
    return re.sub(r"[^\n]", " ", match.group(0))


@functools.lru_cache(maxsize=None)
def includes_of_text(text):
    """What includes(path) gives for a file of this text; most files are the same for every plant."""
    text = COMMENT.sub(blank_comment, text)
    found = []
    for match in INCLUDE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        if match.group(1):
            found.append((line, '"', match.group(2)))
        elif match.group(3):
            found.append((line, "<", match.group(4)))
        else:
            found.append((line, None, match.group(5)))
    return found


def includes(path):
    """(line, kind, name) of every #include; kind is a quote, a bracket, or None for a macro."""
    with open(path, encoding="utf-8") as file:
        return includes_of_text(file.read())


def wrong_elsewhere(folder, file, name):
    """Why <name> may not be included from `file` of `folder`, or None."""
    if name.endswith(".h") and name[:-2] in STANDARD:
        return None
    for pattern, allowed in ELSEWHERE:
        if re.fullmatch(pattern, name):
            return None if folder in allowed or f"{folder}/{file}" in allowed else f"<{name}> is for {', '.join(allowed)} only"
    return f"<{name}> is not in the table of the law"


def wrong_in_library(root, folder, name):
    if name in PUBLIC:
        return None
    target = name.split("/")[0]
    if "/" not in name or target not in LAYERS:
        return f'"{name}" is not a path from src/ or a public header'
    if LAYERS.index(target) > LAYERS.index(folder):
        return f'{folder} may not include {target}: "{name}"'
    if not os.path.isfile(os.path.join(root, "src", name)):
        return f'"{name}" does not exist'
    return None if name.endswith(".h") else f'"{name}" is not a header'


def named(name, patterns):
    """Whether one of the patterns means `name`: a path, or FOLDER/* for all of a folder and its rooms."""
    return name in patterns or (".." not in name and name.split("/")[0] + "/*" in patterns)


def wrong_file(path, name):
    if not os.path.isfile(path):
        return f'"{name}" does not exist'
    return None if name.endswith(".h") else f'"{name}" is not a header'


def wrong_in_room(root, folder, name):
    if name in PUBLIC and named(name, ROOMS[folder]):
        return None
    if not named(name, [folder + "/*"] + ROOMS[folder]):
        may = ", ".join([folder + "/*"] + ROOMS[folder])
        return f'{folder} includes {may} alone, found "{name}"'
    return wrong_file(os.path.join(root, name), name)


def wrong_in_program(root, folder, name):
    if name in PUBLIC:
        return None
    if named(name, [folder + "/*"] + PROGRAMS_MAY[folder]):
        return wrong_file(os.path.join(root, name), name)
    if "/" in name or not os.path.isfile(os.path.join(root, folder, name)):
        return f'a program may include the public headers and its own folder, found "{name}"'
    return wrong_file(os.path.join(root, folder, name), name)


def wrong_room(root, path, name):
    """Why a file of a room of cli/ may not include another of cli/, or None."""
    room, parts = os.path.relpath(path, os.path.join(root, "cli")).split(os.sep)[0], name.split("/")
    if room == "main.c" or parts[0] != "cli":
        return None
    if room not in CLI_ROOMS:
        return f"cli/{room}: not a room of the law"
    allowed = parts[1] in [room, *CLI_ROOMS[room]]
    return None if allowed else f'cli/{room} may not include cli/{parts[1]}: "{name}"'


def wrong_out_of_room(root, path, name):
    """Why a file of a room that stands alone may not include another of its folder, or None."""
    room = os.path.relpath(os.path.dirname(path), os.path.join(root, "src"))
    if room in ALONE and name.startswith(room.split("/")[0] + "/") and not name.startswith(room + "/"):
        return f'{room} may not include "{name}"'
    return None


def sources(directory):
    if os.path.isdir(directory):
        for folder, _, names in sorted(os.walk(directory)):
            for name in sorted(names):
                if name.endswith((".c", ".h")):
                    yield os.path.join(folder, name)


def violations(root):
    found, files, count = [], 0, 0

    def look(path, folder, wrong_quoted):
        nonlocal files, count
        files += 1
        for line, kind, name in includes(path):
            count += 1
            if kind is None:
                why = f"an include that is a macro: {name}"
            elif kind == "<":
                why = wrong_elsewhere(folder, os.path.basename(path), name)
            else:
                why = wrong_quoted(root, folder, name) or wrong_out_of_room(root, path, name)
                why = why or (wrong_room(root, path, name) if folder == "cli" else None)
            if why:
                found.append(f"{os.path.relpath(path, root)}:{line}: {why}")

    for folder in sorted(os.listdir(os.path.join(root, "src"))):
        directory = os.path.join(root, "src", folder)
        if folder not in LAYERS:
            found.append(f"src/{folder}: not a folder of the law")
            continue
        for path in sources(directory):
            look(path, folder, wrong_in_library)
    for folder in PROGRAMS:
        for path in sources(os.path.join(root, folder)):
            look(path, folder, wrong_in_program)
    for folder in ROOMS:
        for path in sources(os.path.join(root, folder)):
            look(path, folder, wrong_in_room)
    for k, header in enumerate(PUBLIC):
        for line, kind, name in includes(os.path.join(root, "include", header)):
            if not (kind == "<" and name in PUBLIC_HEADER_MAY) and not (kind == '"' and name in PUBLIC[:k]):
                found.append(f"include/{header}:{line}: the public header may not include {name}")
    return found, files, count


# (file, line added to it, what the report must say)
PLANTS = [
    ("src/base/planted.c", '#include "side/side.h"', "base may not include side"),
    ("src/linalg/planted.c", '#include "side/side.h"', "linalg may not include side"),
    ("src/side/planted.h", '#  include "learner/planted.h"', "side may not include learner"),
    ("src/side/room/planted.c", '#include "learner/learner.h"', "side may not include learner"),
    ("src/committee/vote/planted.c", '#include "committee/committee.h"', "committee/vote may not include"),
    ("lab/room/planted.c", '#include "figure/canvas.h"', "lab includes"),
    ("cli/run/planted.c", '#include "src/base/pair.h"', "a program may include"),
    ("cli/command/planted.h", '#include "cli/report/facts.h"', "cli/command may not include cli/report"),
    ("cli/report/planted.h", '#include "cli/input/spec.h"', "cli/report may not include cli/input"),
    ("cli/report/planted.c", '#include "cli/run/state.h"', "cli/report may not include cli/run"),
    ("cli/model/planted.c", '#include "cli/run/state.h"', "cli/model may not include cli/run"),
    ("cli/compare/planted.c", '#include "cli/run/state.h"', "cli/compare may not include cli/run"),
    ("cli/bound/planted.c", '#include "cli/report/facts.h"', "cli/bound may not include cli/report"),
    ("cli/room/planted.c", '#include "cli/command/words.h"', "not a room of the law"),
    ("cli/planted.c", '#include "cli/command/words.h"', "not a room of the law"),
    ("src/spectral/planted.c", '#include "theory/planted.h"', "spectral may not include theory"),
    ("src/theory/planted.c", '#include "../io/planted.h"', "not a path from src/"),
    ("src/evidence/planted.c", '#include "memory.h"', "not a path from src/"),
    ("src/side/planted.c", '#include "base/no_such_file.h"', "does not exist"),
    ("src/side/planted.c", '#include "base/memory.c"', "is not a header"),
    ("src/learner/planted.c", "#include <lapacke.h>", "is for spectral/reference.c, spectral/blas.c, bench only"),
    ("src/spectral/planted.c", "#include <lapacke.h>", "is for spectral/reference.c, spectral/blas.c, bench only"),
    ("src/linalg/reference.c", "#include <cblas.h>", "is for spectral/reference.c, bench only"),
    ("src/spectral/blas.c", "#include <cblas.h>", "is for spectral/reference.c, bench only"),
    ("lab/planted.c", "#include <cblas.h>", "is for spectral/reference.c, bench only"),
    ("src/spectral/reference.c", "#include <sys/mman.h>", "is for spectral/blas.c"),
    ("src/learner/planted.c", "#include <cholmod.h>", "is for side only"),
    ("src/io/planted.c", "#include <jansson.h>", "is for cli only"),
    ("src/base/planted.c", "#include <bzlib.h>", "not in the table"),
    ("cli/planted.c", "#include <zlib.h>", "is for io only"),
    ("src/base/planted.c", "#include PLANTED", "a macro"),
    ("src/elsewhere/planted.c", '#include "weft.h"', "not a folder of the law"),
    ("cli/planted.c", '#include "base/status.h"', "a program may include"),
    ("bench/planted.c", '#include "../src/base/status.h"', "a program may include"),
    ("examples/planted.c", "#include <jansson.h>", "is for cli only"),
    ("figure/planted.c", '#include "weft.h"', "figure includes figure/*, program/output.h alone"),
    ("figure/planted.c", '#include "program/paths.h"', "figure includes figure/*, program/output.h alone"),
    ("figure/planted.c", '#include "base/memory.h"', "figure includes figure/*, program/output.h alone"),
    ("figure/planted.c", '#include "figure/no_such_file.h"', "does not exist"),
    ("figure/planted.c", '#include "figure/canvas.c"', "is not a header"),
    ("figure/planted.c", "#include <jansson.h>", "is for cli only"),
    ("cli/planted.c", '#include "figure/canvas.h"', "a program may include"),
    ("bench/planted.c", '#include "figure/figure.h"', "a program may include"),
    ("src/io/planted.c", '#include "figure/figure.h"', "not a path from src/"),
    ("cli/planted.c", "#include <cairo.h>", "is for figure only"),
    ("cli/planted.c", '#include "lab/planted.h"', "a program may include"),
    ("bench/planted.c", '#include "program/fail.h"', "a program may include"),
    ("program/planted.c", '#include "lab/lab.h"', "program includes"),
    ("program/planted.c", '#include "cli/run/options.h"', "program includes"),
    ("lab/planted.c", '#include "cli/run/options.h"', "lab includes"),
    ("lab/planted.c", '#include "base/memory.h"', "lab includes"),
    ("lab/planted.c", '#include "figure/canvas.h"', "lab includes"),
    ("lab/planted.c", "#include <cairo.h>", "is for figure only"),
    ("lab/planted.c", "#include <jansson.h>", "is for cli only"),
    ("cli/planted.c", '#include "src/base/elementary_tables.h"', "a program may include"),
    ("cli/planted.c", '#include "base/elementary.h"', "a program may include"),
    ("lab/planted.c", '#include "src/base/pair.h"', "lab includes"),
    ("program/planted.c", '#include "src/base/random.h"', "program includes"),
    ("examples/planted.c", '#include "src/base/elementary.h"', "a program may include"),
    ("figure/planted.c", '#include "src/base/elementary.h"', "figure includes figure/*, program/output.h alone"),
    ("include/weft.h", "#include <stdio.h>", "the public header may not include"),
    ("include/weft.h", '#include "weft_advanced.h"', "the public header may not include"),
    ("include/weft_advanced.h", '#include "weft_theory.h"', "the public header may not include"),
    ("include/weft_theory.h", "#include <cblas.h>", "the public header may not include"),
]


def copy_tree(root, copy):
    for folder in ["src", "include", *ROOMS] + PROGRAMS:
        if os.path.isdir(os.path.join(root, folder)):
            shutil.copytree(os.path.join(root, folder), os.path.join(copy, folder))


@contextlib.contextmanager
def planted(path, line):
    """The file with one line more, and afterwards as it was, or gone with its folder."""
    folder_is_new = not os.path.isdir(os.path.dirname(path))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    before = None
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            before = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{before or ''}\n{line}\n")
    yield
    if before is None:
        os.remove(path)
        if folder_is_new:
            os.rmdir(os.path.dirname(path))
        return
    with open(path, "w", encoding="utf-8") as file:
        file.write(before)


def unnoticed(root):
    """The plants that the check does not report."""
    missed = []
    with tempfile.TemporaryDirectory() as directory:
        copy = os.path.join(directory, "tree")
        copy_tree(root, copy)
        for path, line, expected in PLANTS:
            with planted(os.path.join(copy, path), line):
                where = os.path.dirname(path) if "elsewhere" in path else path
                reports = [report for report in violations(copy)[0] if report.startswith(where)]
            if not any(expected in report for report in reports):
                missed.append(f"{path}: planted {line}, expected '{expected}', reported {reports}")
    return missed


def main():
    root = os.environ.get("WEFT_SOURCE_DIR", os.path.join(os.path.dirname(__file__), "..", ".."))
    found, files, count = violations(root)
    for report in found:
        print(report)
    print(f"{files} files, {count} includes, {len(found)} against the law")
    missed = unnoticed(root)
    for report in missed:
        print("not noticed:", report)
    print(f"{len(PLANTS)} violations planted, {len(PLANTS) - len(missed)} found")
    return 1 if found or missed or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
