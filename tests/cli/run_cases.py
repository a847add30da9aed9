r"""SPDX-License-Identifier: MIT

Command tests as data.  Every file cases/TOPIC.txt has the cases of one topic, an empty line between two.  This is one:

    === explain-out
    $ weft run stream.csv --rows none --columns none --single --model m --quiet
    $ weft explain m a x --quiet --out why.csv && wc -l <why.csv
    $ weft explain m a x --quiet --out nowhere/why.csv
    < 18
    ! ^weft: nowhere/why.csv: cannot be written: No such file or directory$
    ? 1

What the marks say:

    === NAME   the name, which no other case has
    #          a comment; those above the first case are about the topic
    once:      why the case is left out where WEFT_ONCE is `no`, in builds that check every access; where it is
               `only` these are all, since the others are run in such a build
    $          a line of a bash script; `weft` is the program, the current folder is a copy of files/
    <          a line of standard output, exactly; the seconds of JSON count as 0.  Without any, it writes nothing
    !          a regular expression of Python, found in some line of standard error.  Without any, it writes nothing
    ?          the exit status.  Without it, 0

They stand in this order; a name and a script are all that a case needs.  A blank stands between a mark and its text.
What does not show, a control character or a blank at the end, is written as a string right behind the mark, up to the
last quote of the line: <"a tab\t, a blank \n".  Its escapes are \\ \n \t \xHH; a string of `<` ends a line of output
only where it says \n.

    run_cases.py [--accept] [NAME | TOPIC.txt]...    runs these cases, or all
    run_cases.py --list [TOPIC.txt]...               prints names

--accept writes standard output and status as they are now into the files: read the diff.
"""

import argparse
import concurrent.futures
import contextlib
import dataclasses
import difflib
import os
import queue
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading

sys.dont_write_bytecode = True
from case_files import (  # noqa: E402
    Case, Malformed, case_lines, check_names, decode, encode, parse_topic, read_topics, topic_text, write_topics)

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = os.path.join(HERE, "cases")
FILES = os.path.join(HERE, "files")
LIMIT = 300  # seconds that one case may take
OLD = 946684800 * 10**9  # the time of the files that are copied for the cases, in ns: the year 2000

SECONDS = re.compile(r'("seconds": )[0-9.e+-]+')


@dataclasses.dataclass
class Result:
    status: int
    stdout: str
    stderr: bytes
    late: bool


def read_files(folder):
    contents = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            contents[name] = file.read()
    return contents


def signature(status):
    """Differs once a file was written, replaced, linked or given another mode, also where the clock is coarse."""
    return status.st_ino, status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns


class Place:
    """Where cases are run, one after the other: a copy of files/, mended where a case has changed it."""

    def __init__(self, folder, environment):
        self.folder, self.environment = folder, environment
        self.files = os.path.join(folder, "files")
        self.contents = read_files(FILES)
        self.copied = {}  # the signatures of what was copied
        self.bash = shutil.which("bash")
        os.mkdir(folder)
        os.mkdir(self.files)
        self.mode = os.stat(self.files).st_mode
        self.mend()

    def found(self):
        """The signatures of what is there."""
        with os.scandir(self.files) as entries:
            return {entry.name: signature(entry.stat(follow_symlinks=False)) for entry in entries}

    def folder_kept(self):
        return os.path.isdir(self.files) and os.lstat(self.files).st_mode == self.mode

    def touched(self):
        return not self.folder_kept() or self.found() != self.copied

    def write(self, name):
        path = os.path.join(self.files, name)
        with open(path, "wb") as file:
            file.write(self.contents[name])
        # Old, so that whatever is written later differs, however soon.
        os.utime(path, ns=(OLD, OLD))
        self.copied[name] = signature(os.lstat(path))

    def mend(self):
        if not os.path.isdir(self.files):
            os.mkdir(self.files)
        os.chmod(self.files, stat.S_IMODE(self.mode))
        found = self.found()
        for name in found:
            if found[name] != self.copied.get(name):
                remove(os.path.join(self.files, name))
        for name in self.contents:
            if name not in found or found[name] != self.copied.get(name):
                self.write(name)

    def run(self, case, limit=LIMIT):
        if self.touched():
            self.mend()
        # Files, not pipes: a process that a script leaves behind is not waited for.
        paths = [os.path.join(self.folder, name) for name in ("stdout", "stderr")]
        with open(paths[0], "wb") as stdout, open(paths[1], "wb") as stderr:
            script = encode("".join(line + "\n" for line in case.script))
            process = subprocess.Popen([self.bash, "-c", script], cwd=self.files, env=self.environment,
                                       stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, start_new_session=True)
        late = threading.Event()
        timer = threading.Timer(limit, end_group, (process.pid, late))
        timer.start()
        status = process.wait()
        timer.cancel()
        with open(paths[0], "rb") as stdout, open(paths[1], "rb") as stderr:
            shown = SECONDS.sub(r"\g<1>0", decode(stdout.read()))
            return Result(status if status >= 0 else 128 - status, shown, stderr.read(), late.is_set())


def remove(path):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    else:
        os.remove(path)


def end_group(leader, late):
    late.set()
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


def complaints(case, result):
    """What is wrong with the result of a case."""
    found = []
    if result.late:
        found.append("it took too long and was ended")
    if result.status != case.status:
        found.append(f"status {result.status}, expected {case.status}")
    if result.stdout != case.stdout:
        # As in the file, where every difference shows.
        texts = [list(case_lines(Case("", "", stdout=text)))[1:] for text in (case.stdout, result.stdout)]
        diff = difflib.unified_diff(*texts, "expected", "found", lineterm="", n=1)
        found.append("\n".join(["stdout differs:", *diff]))
    lines = result.stderr.removesuffix(b"\n").split(b"\n") if result.stderr else []
    if lines and not case.patterns:
        found.append("nothing was expected on stderr")
    for pattern in case.patterns:
        search = re.compile(encode(pattern)).search
        if not any(map(search, lines)):
            found.append(f"stderr lacks: {pattern}")
    return found


def accept(case, result):
    if not result.late:
        case.stdout, case.status = result.stdout, result.status


# Files that are no files of cases, and what is said of them.
MALFORMED = [
    ("=== a\n% true\n", "expected a mark"),
    ("=== a\n$true\n", "expected a mark"),
    ("$ true\n\n=== a\n$ true\n", "before the first name"),
    ("=== a\n$ true\n\n=== a\n$ false\n", "also the name"),
    ("=== a b\n$ true\n", "found the name"),
    ("=== a\n< b\n", "no command"),
    ("=== a\n$ true\n! (b\n", "no regular expression"),
    ("=== a\n$ true\n? b\n", "expected an exit status"),
    ("=== a\n$ true\n? 0\n", "found '? 0'"),
    ("=== a\n$ true\n\n", "does not end"),
    ("=== a\n$ a\tb\n", "expected '$\"a\\tb\"'"),
    ("=== a\n$ true\n? 1\n< b\n", "expected '< b'"),
    ("=== a\n$ true\n< b \n", "expected '<\"b \\n\"'"),
    ("=== a\n$ true\n<\"\\q\"\n", "expected '<\"\\\\q\"'"),
    ("=== a\n$ true\n=== b\n$ true\n", "expected ''"),
]

# Cases that are wrong, and what must be said of them; whether they leave files/ as it was.
WRONG = [
    ("$ echo a; echo b >&2; : >new; exit 3\n", ["status 3", "stdout differs", "nothing was expected"], False),
    ("$ echo >>stream.csv; echo a; echo b >&2\n< c\n! ^c\n", ["stdout differs", "stderr lacks"], False),
    ("$ printf 'a'\n< a\n! a\n? 1\n", ["status 0", "stdout differs", "stderr lacks"], True),
    ("$ kill -TERM $$\n", ["status 143"], True),
    ("$ echo '{\"seconds\": 1.5e-3}'; printf 'b\\nca' >&2\n< {\"seconds\": 0}\n! a$\n", [], True),
]

# Scripts that leave something behind.
CHANGES = ["echo >>stream.csv", "sed -i s/a/b/ stream.csv", ": >stream.csv", "rm stream.csv", "mv rows.txt stream.csv",
           "cp -p rows.txt stream.csv", "ln -sf rows.txt stream.csv", "ln rows.txt hard", "chmod 400 stream.csv",
           "rm stream.csv; mkdir -p stream.csv/made", "mkdir -p made/new", ": >.new", "chmod 500 .", "rm -r ../files"]

# What a program may write.
ODD = "a\n\n b \nc\td\x1b[2K\r\n\"e\" \\ \\n\n< f\nJos\u00e9\n\u202e\udc9b\n\n g"


def faults_of_malformed():
    for text, words in MALFORMED:
        try:
            check_names([parse_topic("planted", text)])
            yield f"malformed text is not noticed: {text!r}"
        except Malformed as error:
            if words not in str(error):
                yield f"of malformed text {text!r} it is said: {error}"


def faults_of_wrong(place):
    for text, expected, kept in WRONG:
        case = parse_topic("planted", "=== a\n" + text).cases[0]
        found = complaints(case, place.run(case))
        if len(found) != len(expected) or not all(map(str.startswith, found, expected)):
            yield f"of a planted case it is said: {found}, expected {expected}"
        if place.touched() == kept:
            yield f"what a case leaves behind is not noticed, or what it does not: {text!r}"
    late = Case("planted", "a", script=["sleep 60"])
    if complaints(late, place.run(late, 0.02)) != ["it took too long and was ended", "status 137, expected 0"]:
        yield "a case that takes too long is not ended"


def faults_of_mending(place):
    if read_files(place.files) != place.contents:
        yield "files/ is not copied"
    for script in CHANGES:
        place.run(Case("planted", "a", script=[script]))
        if not place.touched():
            yield f"what a case leaves behind is not noticed: {script}"
        place.mend()
        if place.touched() or read_files(place.files) != place.contents:
            yield f"what a case leaves behind is not mended: {script}"


def faults_of_accept():
    topic = parse_topic("planted", "# a\n\n=== b\n# c\nonce: d\n$ e\n$\n$ f\n< g\n!\"h \"\n? 1\n\n=== i\n$ j\n")
    before, result = topic_text(topic), Result(4, ODD, b"h \n", False)
    if len(complaints(topic.cases[0], result)) != 2:
        yield "odd output is not noticed"
    accept(topic.cases[0], result)
    again = parse_topic("planted", topic_text(topic))
    if again != topic or complaints(again.cases[0], result):
        yield "what --accept writes is not what is read again"
    again.cases[0].stdout, again.cases[0].status = "g\n", 1
    if topic_text(again) != before:
        yield "--accept changes more than standard output and status"
    accept(again.cases[0], Result(137, "", b"", True))
    if topic_text(again) != before:
        yield "--accept takes the output of a case that was ended"


def check_itself(place):
    """The runner notices what is planted for it."""
    faults = [*faults_of_malformed(), *faults_of_mending(place), *faults_of_wrong(place), *faults_of_accept()]
    if faults:
        sys.exit("the runner itself is wrong:\n" + "\n".join(faults))


def choose(topics, names):
    """The cases of these names and files; without any, all that this build is for."""
    cases = {case.name: [case] for topic in topics for case in topic.cases}
    cases.update((os.path.basename(topic.path), topic.cases) for topic in topics)
    unknown = [name for name in names if name not in cases]
    if unknown:
        sys.exit(f"no case and no file has the name {', '.join(unknown)}")
    if names:
        return list({case.name: case for name in names for case in cases[name]}.values())
    wanted = {"no": lambda case: not case.once, "only": lambda case: case.once}.get(os.environ.get("WEFT_ONCE"))
    return [case for topic in topics for case in topic.cases if wanted is None or wanted(case)]


def environment_of(work):
    weft = os.path.realpath(os.environ.get("WEFT_BIN") or sys.exit("WEFT_BIN: expected the path of the program"))
    if not os.access(weft, os.X_OK):
        sys.exit(f"{weft}: no program")
    os.mkdir(os.path.join(work, "bin"))
    os.symlink(weft, os.path.join(work, "bin", "weft"))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "ARGP_HELP_FMT")}
    return environment | {"PATH": os.path.join(work, "bin") + os.pathsep + os.environ["PATH"], "LC_ALL": "C"}


def run_all(cases, places, accepting):
    """Runs as many cases at a time as there are places; the number of those that failed."""
    free = queue.SimpleQueue()
    for place in places:
        free.put(place)

    def run(case):
        place = free.get()
        try:
            result = place.run(case)
        finally:
            free.put(place)
        if accepting:
            accept(case, result)
        return case, complaints(case, result), result

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(len(places)) as pool:
        try:
            for case, found, result in pool.map(run, cases):
                if found:
                    failed += 1
                    stderr = "\n".join(result.stderr.decode("utf-8", "backslashreplace").split("\n")[:20])
                    print("\n".join([f"FAILED {case.name} ({case.place})", *found, "--- stderr was", stderr]))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return failed


def main():
    parser = argparse.ArgumentParser(description="Runs the command tests of tests/cli/cases.")
    parser.add_argument("--accept", action="store_true", help="write standard output and status as they are now")
    parser.add_argument("--list", action="store_true", help="print the names")
    parser.add_argument("names", nargs="*", metavar="NAME", help="a case, or a file TOPIC.txt; all without any")
    options = parser.parse_args()
    try:
        topics = read_topics(CASES)
    except Malformed as error:
        sys.exit(str(error))
    cases = choose(topics, options.names)
    if options.list:
        print("\n".join(case.name for case in cases))
        return 0
    with tempfile.TemporaryDirectory() as work:
        environment = environment_of(work)
        places = [Place(os.path.join(work, name), environment) for name in "01"]
        check_itself(Place(os.path.join(work, "planted"), environment))
        failed = run_all(cases, places, options.accept)
        if options.accept:
            write_topics(topics)
    print(f"{len(cases)} cases, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
