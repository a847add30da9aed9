"""SPDX-License-Identifier: MIT

Executes the documents.  Usage: run_docs.py [--slow] [--write] [--times] [DOCUMENT...]

The first word after a fence says what a block is, the others how to treat it:

    sh            commands; every block is run by bash -e in the document's own directory and must end with 0
    sh exit=N     the same, but must end with N
    sh slow       a command that builds or takes minutes; it is listed, and run in the repository itself only with --slow
    sh long, console long   half a minute of processors: run where WEFT_LONG is yes, or with any argument
    sh slow figures   what it prints stands in the document behind it: tables, and lines word for word (figures.py)
    sh slow shown     what it prints is the next block, but for the times in the last column
    console       `$ command` lines, each with the output (of both kinds) that follows it; `...` stands for
                  any text within a line, and alone in a line for any lines; `[exit N]` for the status N
    c             a whole program: compiled without a warning against the built library, and run
    python        executed by tests/python, with its prompts as a doctest
    text output   what the program before it prints
    text tree     a map of the tree: every line begins with a path
    text, or nothing, is for reading only

The directory of a document looks like a fresh clone whose build/release is built: links to everything in the
repository, and the build under test in place of build/release; `weft` is on the PATH.  Blocks of one document
share it, in their order.

A comment `<!-- figures`, commands in lines of their own, `-->` is a hidden `sh` block (`<!-- figures slow`: `sh slow`)
for the figures of prose behind it.  With --slow the time of every slow command is told, and every `scripts/bench NAME` that
a document names for a time or a ratio, with the line that names it; --times runs them too, for a person to compare.
--write puts the figures that were made in place of those that differ.

Beside that, in every document: the paths and the names weft_*, weft__* and WEFT_* exist; the tables of
docs/NOTATION.md name words that occur in the files beside them; docs/command.md and the --help of all commands know
the same options; the first program of README.md is examples/first.c; lines are not wider than a screen, but for what
a command writes.

Every one of these checks is then shown to fail on a planted document.
"""

import glob
import os
import re
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import figures  # noqa: E402

ROOT = os.path.realpath(os.environ.get("WEFT_SOURCE_DIR") or os.path.join(os.path.dirname(__file__), "..", ".."))
BUILD = os.path.realpath(os.environ.get("WEFT_BUILD_DIR") or os.path.join(ROOT, "build", "release"))
COLUMNS = 120
LONG = os.environ.get("WEFT_LONG") == "yes" or len(sys.argv) > 1
SECONDS = 600
SLOW_SECONDS = 6 * 3600
FIRST_PROGRAM_LINES = 30

HIDDEN = re.compile(r"^<!-- figures((?: slow)?)\n(.*?)^-->$", re.M | re.S)
BENCH = re.compile(r"`(scripts/bench [a-z_]+(?: --[^`]*)?)`")
FENCE = re.compile(r"^(```+)[ \t]*([^\n`]*)\n(.*?)^\1[ \t]*$", re.M | re.S)
INLINE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
# A path: a name of a kind that only the tree has, or whatever begins with one of its folders.
FOLDERS = "|".join(re.escape(name) for name in os.listdir(ROOT) if os.path.isdir(os.path.join(ROOT, name)))
PATH = re.compile(rf"(?:\.\./)*(?:(?:[\w.*-]+/)*[\w*-]+\.(?:c|h|md|py|sh|cmake|map|txt|json)|(?:{FOLDERS})/[\w./*-]*|LICENSE)")
NAME = re.compile(r"\b(weft__?[a-z][a-z0-9_]*|WEFT__?[A-Z][A-Z0-9_]*)(\*|(?<=_)[A-Z]{2,}|)")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
PLACEHOLDER = re.compile(r"NAME|KIND|FOLDER|ROOM")
SOURCES = ["include", "src", "program", "lab", "cli", "bench", "fuzz", "examples", "tests", "python", "scripts", "cmake", "CMakeLists.txt"]


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def documents():
    names = [name for name in os.listdir(ROOT) if name.endswith(".md")]
    names += [os.path.join("docs", name) for name in os.listdir(os.path.join(ROOT, "docs")) if name.endswith(".md")]
    return sorted(names)


class Block:
    def __init__(self, match, text):
        words = match.group(2).split()
        self.kind = words[0] if words else ""
        self.flags = words[1:]
        self.body = match.group(3)
        self.line = text.count("\n", 0, match.start()) + 1
        self.start, self.inside, self.end = match.start(), match.start(3), match.end()

    def exit_status(self):
        return next((int(flag[5:]) for flag in self.flags if flag.startswith("exit=")), 0)


class Hidden(Block):
    """A comment with a command for the figures of the prose behind it."""

    def __init__(self, match, text):
        self.kind, self.flags, self.body = "sh", ["figures", *match.group(1).split()], match.group(2)
        self.line = text.count("\n", 0, match.start()) + 1
        self.start, self.inside, self.end = match.start(), match.start(2), match.end()


def blocks(text):
    """All of a document, in its order."""
    found = [Block(match, text) for match in FENCE.finditer(text)] + [Hidden(match, text) for match in HIDDEN.finditer(text)]
    return sorted(found, key=lambda block: block.start)


# ---- Execution ----


def make_clone(place):
    """A directory that looks like a clone with a finished build/release."""
    for name in os.listdir(ROOT):
        if name not in ("build", ".git"):
            os.symlink(os.path.join(ROOT, name), os.path.join(place, name))
    os.mkdir(os.path.join(place, "build"))
    os.symlink(BUILD, os.path.join(place, "build", "release"))


def environment():
    env = dict(os.environ, LC_ALL="C")
    env["PATH"] = BUILD + os.pathsep + env["PATH"]
    for name in ("COLUMNS", "ARGP_HELP_FMT"):
        env.pop(name, None)
    return env


def shell(command, place, seconds=SECONDS, only_output=False):
    """(exit status, everything written, or standard output alone where all is well)"""
    try:
        done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", command], cwd=place, env=environment(),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE if only_output else subprocess.STDOUT,
                              timeout=seconds, check=False)
        written = done.stdout + (done.stderr if only_output and done.returncode != 0 else b"")
        return done.returncode, written.decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        return -1, f"not finished after {seconds} seconds"


def matches(shown, written):
    """Whether `written` is what a document shows."""
    pattern = ""
    for line in shown.rstrip("\n").split("\n"):
        if line.strip() == "...":
            pattern += r"(?:[^\n]*\n)*?"
        else:
            pattern += ".*".join(re.escape(part.rstrip() if last else part) for part, last in pieces(line)) + r"[ ]*\n"
    return re.fullmatch(pattern, written.rstrip("\n") + "\n") is not None


def pieces(line):
    parts = line.split("...")
    return [(part, k == len(parts) - 1) for k, part in enumerate(parts)]


def run_shell(block, following, place, tell, findings, seconds=SECONDS):
    """Commands, and the figures that they make."""
    wanted = block.exit_status()
    status, written = shell(block.body, place, seconds, only_output="figures" in block.flags or "shown" in block.flags)
    if status != wanted:
        tell(block.line, f"the commands end with {status}, expected {wanted}:\n{block.body}{written}")
    elif "figures" in block.flags:
        figures.look_for(findings, block.end, written)
    elif "shown" in block.flags and following is not None and following.kind == "text":
        figures.look_for_text(findings, following.inside, following.inside + len(following.body), written)
    elif "shown" in block.flags:
        tell(block.line, "no text block follows that shows what the command prints")


def run_console(block, place, tell):
    steps = re.split(r"^\$ ", block.body, flags=re.M)
    if steps[0].strip() or len(steps) < 2:
        tell(block.line, "a console block begins with `$ command`")
        return
    for step in steps[1:]:
        command, shown = step.split("\n", 1)
        while command.endswith("\\"):
            more, shown = shown.split("\n", 1)
            command += "\n" + re.sub(r"^> ?", "", more)
        wanted = re.search(r"^\[exit (\d+)\]\n", shown, re.M)
        shown = re.sub(r"^\[exit \d+\]\n", "", shown, flags=re.M)
        status, written = shell(command, place)
        if status != (int(wanted.group(1)) if wanted else 0):
            tell(block.line, f"`{command}` ends with {status}:\n{written}")
        elif not matches(shown.strip("\n"), written):
            tell(block.line, f"`{command}` writes\n{written}but the document shows\n{shown}")


def compiler():
    return re.search(r"^CMAKE_C_COMPILER:\w*=(.*)$", read(os.path.join(BUILD, "CMakeCache.txt")), re.M).group(1)


def run_program(block, place, tell):
    """Compiles and runs; what it printed, or None."""
    if "int main(" not in block.body:
        tell(block.line, "a c block is a whole program; mark what is not as text")
        return None
    source, program = os.path.join(place, "program.c"), os.path.join(place, "program")
    with open(source, "w", encoding="utf-8") as file:
        file.write(block.body)
    flags = "-std=c11 -Wall -Wextra -Wshadow -Wconversion -Werror"
    status, written = shell(f"{compiler()} {flags} -I'{ROOT}/include' program.c -o program "
                            f"'{BUILD}/libweft.a' -llapacke -lopenblas -lcholmod -lz -lm -lpthread", place)
    if status == 0:
        status, written = shell(program, place)
    if status != 0:
        tell(block.line, f"the program does not compile or ends with {status}:\n{written}")
        return None
    return written


def run_slow(block, following, slow, tell, findings):
    command = block.body.strip()
    if not slow:
        print(f"    only with --slow: {command.splitlines()[0]}")
        return
    print(f"    running: {command}", flush=True)
    start = time.monotonic()
    run_shell(block, following, ROOT, tell, findings, SLOW_SECONDS)
    print(f"    {time.monotonic() - start:.0f} seconds", flush=True)


def tell_times(name, text, times):
    """The benchmarks that a document names, with the line; with `times` they are run too."""
    for number, line in enumerate(text.split("\n"), 1):
        for command in BENCH.findall(line):
            print(f"    {name}:{number}: measured by {command}:\n        {line.strip()}", flush=True)
            if times:
                print(shell(command, ROOT, SLOW_SECONDS)[1], flush=True)


def tree_files():
    """Every file of the repository, but for what is built."""
    found = set()
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in (".git", "build", "__pycache__")]
        found.update(os.path.join(folder, name) for name in files)
    return found


def execute(text, slow, tell, findings):
    """Runs the blocks of one document; how many ran.  What they leave in the tree, through a link, is removed."""
    before = tree_files()
    done = execute_apart(text, slow, tell, findings)
    for path in sorted(tree_files() - before):
        os.remove(path)
        tell(1, f"writes {os.path.relpath(path, ROOT)} into the tree")
    return done


def execute_apart(text, slow, tell, findings):
    done, printed, found = 0, None, blocks(text)
    with tempfile.TemporaryDirectory() as place:
        make_clone(place)
        for block, following in zip(found, found[1:] + [None]):
            if "slow" in block.flags:
                run_slow(block, following, slow, tell, findings)
                done += slow
                continue
            if "long" in block.flags and not LONG:
                print(f"    only with WEFT_LONG=yes: {block.body.splitlines()[0]}")
                continue
            if block.kind == "sh":
                run_shell(block, following, place, tell, findings)
            elif block.kind == "console":
                run_console(block, place, tell)
            elif block.kind == "c":
                printed = run_program(block, place, tell)
            elif block.kind == "text" and "output" in block.flags:
                if printed is not None and not matches(block.body, printed):
                    tell(block.line, f"the program prints\n{printed}but the document shows\n{block.body}")
            elif block.kind == "text" and "tree" in block.flags:
                check_tree(block, tell)
            elif block.kind == "text" and "walk" in block.flags:
                check_walk(block, tell)
            elif block.kind not in ("", "text", "python"):
                tell(block.line, f"a block of kind '{block.kind}', which nobody executes")
                continue
            else:
                continue
            done += 1
    return done


# ---- What documents say of the tree ----


def is_made(path):
    """A lone name of data, which the commands of the document make."""
    return path.endswith((".txt", ".json")) and "/" not in path and not path.startswith("CMake")


def exists(path, folder):
    """Whether a path of a document, placeholders and stars included, is there."""
    path = PLACEHOLDER.sub("*", path)
    if path.startswith(("build/", "../shared")):
        return True
    places = [ROOT, os.path.join(ROOT, folder), os.path.join(ROOT, "src")]
    if any(glob.glob(os.path.join(place, path)) for place in places):
        return True
    lone = "/" not in path
    return lone and bool(glob.glob(os.path.join(ROOT, "**", path), recursive=True))


def body_of(function, source):
    """The text of its definition, and of the tables of its file."""
    tables = "".join(re.findall(r"^static const [^;(]* = {\n.*?^};$", source, re.M | re.S))
    found = re.search(rf"^[a-z][^;]*?\b{re.escape(function)}\([^;{{]*\)\n{{\n.*?^}}$", source, re.M | re.S)
    return tables + (found.group(0).split("{", 1)[1] if found else "")


def check_walk(block, tell):
    """Every line: a function, the file that defines it (left out: that of the line before), words.  A function is
    named by one of those above it or a table of their files, or they call a table's function with its last word.  frames=N and files=N: as many at most
    before the file of the last line."""
    path, above, files = None, "", []
    for number, line in enumerate(block.body.rstrip("\n").split("\n"), block.line + 1):
        words = line.split()
        if len(words) > 1 and PATH.fullmatch(words[1]):
            path = words[1]
        file = os.path.join(ROOT, path or "")
        if not os.path.isfile(file):
            tell(number, f"the walk goes through {path}, which does not exist")
        elif not re.search(rf"^[a-z].*\b{re.escape(words[0])}\(", read(file), re.M):
            tell(number, f"the walk calls {words[0]}, which {path} does not define")
        elif above and not re.search(rf"\b{re.escape(words[0])}\b|->{words[0].split('_')[-1]}\(", above):
            tell(number, f"the walk calls {words[0]}, which no function above it names")
        else:
            above += body_of(words[0], read(file))
            files.append(path)
    before = files[: files.index(files[-1])] if files else []
    found = {"frames": len(before), "files": len(set(before))}
    for flag in block.flags:
        what, _, most = flag.partition("=")
        if what in found and found[what] > int(most):
            tell(block.line, f"the walk has {found[what]} {what} before {files[-1]}, expected at most {most}")


def check_tree(block, tell):
    mapped = set()
    for number, line in enumerate(block.body.split("\n"), block.line + 1):
        path = line.split(" ")[0]
        if path == "":
            continue
        mapped.add(path.split("/")[0])
        if not os.path.exists(os.path.join(ROOT, path)):
            tell(number, f"the map shows {path}, which does not exist")
    folders = {name for name in os.listdir(ROOT) if os.path.isdir(os.path.join(ROOT, name))}
    for name in sorted(folders - mapped - {"build", ".git", ".cache", "__pycache__"}):
        tell(block.line, f"the map lacks {name}/")


def check_paths(name, text, tell):
    prose = FENCE.sub(lambda match: "\n" * match.group(0).count("\n"), text)
    found = [(match.start(), match.group(1)) for pattern in (INLINE, LINK) for match in pattern.finditer(prose)]
    for start, token in found:
        for word in token.split():
            word = re.sub(r"^[`\"'(]+|[`\"'),;:]+$", "", word)
            if PATH.fullmatch(word) and not is_made(word) and not exists(word, os.path.dirname(name)):
                tell(prose.count("\n", 0, start) + 1, f"names {word}, which does not exist")


COMMENT = re.compile(r"/\*.*?\*/", re.S)
SOURCE = re.compile(r"(?<![\w./])([a-z_0-9]+(?:/[a-z_0-9]+)*\.[ch])\b")


def check_comments(sources):
    """Files that comments of C name and that do not exist; `sources` are pairs of a path and a text."""
    paths = [path for path, _ in sources]
    names = {os.path.basename(path) for path in paths}
    complaints = []
    for path, text in sources:
        for comment in COMMENT.finditer(text):
            for match in SOURCE.finditer(comment.group(0)):
                name = match.group(1)
                if name not in names and not any(other == name or other.endswith("/" + name) for other in paths):
                    line = text.count("\n", 0, comment.start() + match.start()) + 1
                    complaints.append(f"{path}:{line}: names {name}, which does not exist")
    return complaints


def check_tiers(headers):
    """Names in comments of the first header that only a later one declares; pairs of a path and a text."""
    declared = [set(re.findall(r"\w+", COMMENT.sub(" ", text))) for _, text in headers]
    later = set().union(*declared[1:]) - declared[0]
    path, text = headers[0]
    complaints = []
    for comment in COMMENT.finditer(text):
        for match in re.finditer(r"\b(?:weft|WEFT)_\w+\b(?!\.h\b)", comment.group(0)):
            if match.group(0) in later:
                line = text.count("\n", 0, comment.start() + match.start()) + 1
                complaints.append(f"{path}:{line}: names {match.group(0)}, which only a later header declares")
    return complaints


def public_headers():
    return [(path, read(os.path.join(ROOT, path))) for path in
            ("include/weft.h", "include/weft_advanced.h", "include/weft_files.h", "include/weft_theory.h")]


def c_sources():
    folders = ["src", "include", "cli", "lab", "program", "figure", "bench", "fuzz", "examples", "tests"]
    files = [path for folder in folders for path in glob.glob(os.path.join(ROOT, folder, "**", "*.[ch]"), recursive=True)]
    return [(os.path.relpath(path, ROOT), read(path)) for path in sorted(files)]


def source_words():
    words = set()
    for entry in SOURCES:
        top = os.path.join(ROOT, entry)
        files = [top] if os.path.isfile(top) else glob.glob(os.path.join(top, "**", "*"), recursive=True)
        for path in files:
            if os.path.isfile(path) and os.path.realpath(path) != os.path.realpath(__file__):
                words.update(re.findall(r"\w+", read(path)))
    return words


def check_benchmarks(text, tell):
    for match in BENCH.finditer(text):
        name = match.group(1).split()[1]
        if not any(os.path.isfile(os.path.join(ROOT, "bench", name + kind)) for kind in (".c", ".py")):
            tell(text.count("\n", 0, match.start()) + 1, f"names the benchmark {name}, which does not exist")


def check_names(text, words, tell):
    headers = sorted(glob.glob(os.path.join(ROOT, "include", "*.h")))
    header = set(word for path in headers for word in re.findall(r"\w+", read(path)))
    for match in NAME.finditer(text):
        name, star = match.groups()
        known = header if name.startswith("weft_") and not name.startswith("weft__") else words
        if name not in known and name not in words - header and not (star and any(w.startswith(name) for w in known)):
            tell(text.count("\n", 0, match.start()) + 1, f"names {name}, which does not exist")


def check_notation(text, tell):
    """Rows `| paper | design | code | file | ... |`: the words of the code cell occur in the files."""
    rows = 0
    for number, line in enumerate(text.split("\n"), 1):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) < 4 or not INLINE.search(cells[2]) or not INLINE.search(cells[3]):
            continue
        rows += 1
        paths = INLINE.findall(cells[3])
        content = "".join(read(os.path.join(ROOT, path)) for path in paths if os.path.isfile(os.path.join(ROOT, path)))
        for code in INLINE.findall(cells[2]):
            for word in re.findall(r"[A-Za-z_]\w*", code):
                if not re.search(rf"\b{word}\b", content):
                    tell(number, f"says that {word} is in {', '.join(paths)}, which is not so")
    if rows == 0:
        tell(1, "has no table of notation")


def check_options(text, tell):
    status, written = shell("weft --help", ROOT)
    commands = re.findall(r"^  weft ([a-z]+) ", written, re.M)
    for command in commands:
        ended, more = shell(f"weft {command} --help", ROOT)
        status, written = status or ended, written + more
    helped = set(OPTION.findall(written))
    if status != 0 or not commands:
        tell(1, f"weft --help, or that of a command, ends with {status}")
    for option in sorted(helped - set(OPTION.findall(text))):
        tell(1, f"lacks {option}, which a --help has")
    for option in sorted(set(OPTION.findall(text)) - helped):
        tell(1, f"has {option}, which no --help has")


def check_first_program(text, tell):
    programs = [block for block in (Block(match, text) for match in FENCE.finditer(text)) if block.kind == "c"]
    example = read(os.path.join(ROOT, "examples", "first.c"))
    if not programs or programs[0].body != example:
        tell(programs[0].line if programs else 1, "the first program is not examples/first.c word for word")
    elif example.count("\n") >= FIRST_PROGRAM_LINES:
        tell(programs[0].line, f"the first program has {example.count(chr(10))} lines, expected under 30")


def check_width(text, tell):
    """What a command writes is as wide as it is."""
    text = FENCE.sub(lambda match: re.sub("(?m)^(?!\\$ ).*$", "", match.group(0))
                     if match.group(2).startswith("console") else match.group(0), text)
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > COLUMNS and not line.startswith("|"):
            tell(number, f"{len(line)} columns, at most {COLUMNS}")


def check(name, text, words, slow=False):
    """(complaints, executed blocks, figures that differ) of one document."""
    complaints, findings = [], figures.Findings(text)

    def tell(line, what):
        complaints.append(f"{name}:{line}: {what}")

    check_width(text, tell)
    check_paths(name, text, tell)
    check_benchmarks(text, tell)
    check_names(text, words, tell)
    if name == "docs/NOTATION.md":
        check_notation(text, tell)
    if name == "docs/command.md":
        check_options(text, tell)
    if name == "README.md":
        check_first_program(text, tell)
    done = execute(text, slow, tell, findings)
    for line, what in findings.differences:
        tell(line, what)
    return complaints, done, findings


# ---- The checks themselves ----

PLANTS = [
    ("a.md", "`scripts/bench planted --quick`\n", "names the benchmark planted"),
    ("a.md", "```text walk\nmain cli/main.c words\nplanted_frame\n```\n", "which cli/main.c does not define"),
    ("a.md", "```text walk\nmain cli/planted.c words\n```\n", "which does not exist"),
    ("a.md", "```text walk\nmain cli/main.c words\nrun_play cli/run/play.c\n```\n", "which no function above it names"),
    ("a.md", "```text walk frames=0\nmain cli/main.c\nrun_command cli/run/run.c\n```\n", "has 1 frames before"),
    ("a.md", "```sh\nweft run no-such-file.csv --rows none --columns none\n```\n", "end with 3, expected 0"),
    ("a.md", "```sh exit=3\nweft --version\n```\n", "end with 0, expected 3"),
    ("a.md", "```sh\nfalse | cat\n```\n", "end with 1"),
    ("a.md", "```sh\necho >docs/planted\n```\n", "writes docs/planted into the tree"),
    ("a.md", "```console\n$ weft --version\nweft 9.9.9\n```\n", "but the document shows"),
    ("a.md", "```console\n$ weft --version\n```\n", "but the document shows"),
    ("a.md", "```console\n$ weft nonsense\n...\n```\n", "ends with 2"),
    ("a.md", "```c\nint main(void)\n{\n    return weft_no_such_thing();\n}\n```\n", "does not compile"),
    ("a.md", "```c\nint main(void)\n{\n    return 3;\n}\n```\n", "ends with 3"),
    ("a.md", '```c\n#include <stdio.h>\nint main(void)\n{\n    puts("a");\n}\n```\n```text output\nb\n```\n', "prints"),
    ("a.md", "```c\nint x;\n```\n", "whole program"),
    ("a.md", "```ruby\n1\n```\n", "nobody executes"),
    ("a.md", "See `src/side/no_such_file.c`.\n", "names src/side/no_such_file.c"),
    ("a.md", "See `no_such_file.c`.\n", "names no_such_file.c"),
    ("a.md", "See [this](docs/no-such-page.md) .\n", "names docs/no-such-page.md"),
    ("a.md", "See [that](NOSUCH.md).\n", "names NOSUCH.md"),
    ("a.md", "Call `weft_side_from_nothing` first.\n", "names weft_side_from_nothing"),
    ("a.md", "Call `weft__no_such_internal` first.\n", "names weft__no_such_internal"),
    ("a.md", "Then `WEFT_NO_SUCH_STATUS`.\n", "names WEFT_NO_SUCH_STATUS"),
    ("a.md", "```text tree\nsrc/no-such-folder/   nothing\n```\n", "the map shows src/no-such-folder/"),
    ("a.md", "```text tree\nsrc/                  sources\n```\n", "the map lacks include/"),
    ("a.md", "<!-- figures\necho 12 mistakes\n-->\nIt makes 13\nmistakes.\n", "    12"),
    ("a.md", "<!-- figures\necho 12 mistakes\n-->\nIt makes some.\n", "does not stand behind"),
    ("a.md", "```sh figures\nprintf '| a | b |\\n|---|\\n| x | 1 |\\n'\n```\n\n| a | b |\n|---|\n| x | 2 |\n", "| x | 1 |"),
    ("a.md", "```sh figures\nprintf '| a | b |\\n|---|\\n| x | 1 |\\n'\n```\n\n| a | c |\n|---|\n", "no table behind"),
    ("a.md", "```sh shown\necho 1.2345\n```\n\n```text\n1.2346\n```\n", "    1.2345"),
    ("a.md", "x" * (COLUMNS + 1) + "\n", "columns, at most"),
    ("a.md", "```console\n$ true " + "x" * COLUMNS + "\n```\n", "columns, at most"),
    ("docs/NOTATION.md", "| a | b | `no_such_word` | `src/learner/form.h` |\n", "says that no_such_word"),
    ("docs/command.md", "Use `--no-such-option`.\n", "has --no-such-option"),
    ("docs/command.md", "Nothing.\n", "lacks --both"),
    ("README.md", "```c\nint main(void)\n{\n    return 0;\n}\n```\n", "word for word"),
]

# What must pass: the wildcard, the statuses, files shared between blocks.
SOUND = ("```sh\nprintf 'row,column,label\\na,b,1\\nc,d,-1\\n' >s.csv\n```\n"
         "```console\n$ weft --version\nweft ...\n$ weft run s.csv --rows none --columns none\n...\n"
         "error ...\n...\n$ weft nonsense\n...\n[exit 2]\n```\n"
         "<!-- figures\nprintf '1,234 of 2\\n\\n| a |\\n|---|\\n| 1 |\\n'\n-->\nIt is 1,234\nof 2.\n\n| a |\n|---|\n| 1 |\n"
         "```sh shown\necho 'a 1.2345    3.21'\n```\n```text\na 1.2345   99.99\n```\n"
         "`src/side/side.h`, `tests/unit/ROOM/test_NAME.c`, `weft_side_from_graph`, `weft_learner_*`\n")


def plants_unnoticed(words):
    missed = []
    for name, text, expected in PLANTS:
        complaints = check(name, text, words)[0]
        if not any(expected in complaint for complaint in complaints):
            missed.append(f"planted {text!r}: expected '{expected}', found {complaints}")
    wrong = "<!-- figures\nprintf 'in all 1,234 of .5\\n| a |\\n|---|\\n| 1 |\\n'\n-->\nIn all: in all 7 of\n.75.\n\n| a |\n|---|\n| 2 |\n\nx\n"
    right = figures.mended(check("a.md", wrong, words)[2])
    if right != wrong.replace("7 of\n.75", "1,234 of\n.5").replace("| 2 |", "| 1 |"):
        missed.append(f"--write makes {right!r}")
    complaints = check("a.md", SOUND, words)[0]
    return missed + [f"a sound document is refused: {complaint}" for complaint in complaints]


def rewrite(name, findings, words):
    """Puts the figures that were made into a document, then those that follow from them."""
    while findings.edits:
        text = figures.mended(findings)
        with open(os.path.join(ROOT, name), "w", encoding="utf-8") as file:
            file.write(text)
        print(f"    {len(findings.edits)} places of {name} rewritten", flush=True)
        again = check(name, text, words)[2]
        findings = again if again.edits != findings.edits else figures.Findings(text)


def instrumented():
    return re.search(r"^WEFT_(SANITIZE:STRING=.+|COVERAGE:BOOL=ON)$", read(os.path.join(BUILD, "CMakeCache.txt")), re.M)


def main():
    arguments = sys.argv[1:]
    slow, write, times = (option in arguments for option in ("--slow", "--write", "--times"))
    named = [argument for argument in arguments if not argument.startswith("--")]
    if instrumented():
        print("what the documents show is what a plain build does; this one is instrumented")
        return 77
    words = source_words()
    failed = executed = 0
    for name in named or documents():
        print(name, flush=True)
        text, start = read(os.path.join(ROOT, name)), time.monotonic()
        complaints, done, findings = check(name, text, words, slow)
        for complaint in complaints:
            print(complaint)
        if write:
            rewrite(name, findings, words)
        if slow:
            tell_times(name, text, times)
            print(f"    {time.monotonic() - start:.0f} seconds for {name}", flush=True)
        failed += len(complaints)
        executed += done
    if not named:
        stale = check_comments(c_sources()) + check_tiers(public_headers())
        print("\n".join(["comments of C"] + stale))
        failed += len(stale)
    missed = plants_unnoticed(words)
    planted = check_comments([("src/a.c", "/* as in src/b.c and gone.c\n * or room/gone.h */\n"), ("src/b.c", "")])
    if [complaint.split(" names ")[1].split(",")[0] for complaint in planted] != ["gone.c", "room/gone.h"]:
        missed.append(f"files that comments name: {planted}")
    planted = check_tiers([("a.h", "/* weft_b.h, weft_a\n * and weft_b */ int weft_a;"), ("b.h", "int weft_b;")])
    if planted != ["a.h:2: names weft_b, which only a later header declares"]:
        missed.append(f"names of later headers: {planted}")
    for report in missed:
        print("not noticed:", report)
    print(f"{executed} blocks executed, {failed} complaints; {len(PLANTS)} mistakes planted, "
          f"{len(PLANTS) - len(missed)} found")
    return 1 if failed or missed or executed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
