"""SPDX-License-Identifier: MIT

weft run on a terminal (a pseudo-terminal): the progress line moves while a stream is played and leaves nothing
behind, so that the screen shows at the end what a file would; Ctrl-C, typed there, ends the run in order.

Everything that is written to the terminal is played back on a screen of lines, which knows \\r and \\n.
"""

import fcntl
import json
import os
import pty
import re
import subprocess
import sys
import tempfile
import termios
import threading
import time

WEFT = os.environ["WEFT_BIN"]
SIDE, TRIALS = 60, 1200
SLOW = ["--rows", "none", "--columns", "none", "--engine", "reference"]
KNOWN = re.compile(r"\d+ of (\d+) lines \((\d+) %\), [\d.e+]+ a second, [\d.]+ (s|min|h) left")
UNKNOWN = re.compile(r"^\d+ lines, [\d.e+]+ a second *$")
SECONDS = 600


def require(truth, what, *facts):
    if not truth:
        print("FAILED:", what)
        for fact in facts:
            print(repr(fact)[:2000])
        sys.exit(1)


def stream(count=TRIALS):
    lines = [f"r{t * 7 % SIDE},c{t * 11 % 59},{1 if (t * t) % 7 % 2 else -1}" for t in range(count)]
    return "row,column,label\n" + "\n".join(lines) + "\n"


def screen(written):
    """What the terminal shows at the end: one string a line."""
    lines, row, column = [[]], 0, 0
    for letter in written:
        if letter == "\n":
            row, column = row + 1, 0
            if row == len(lines):
                lines.append([])
        elif letter == "\r":
            column = 0
        else:
            line = lines[row]
            line.extend(" " * (column + 1 - len(line)))
            line[column] = letter
            column += 1
    return ["".join(line).rstrip() for line in lines]


class Terminal:
    """A program whose standard error is a terminal, and its output too if `whole`; the terminal controls it."""

    def __init__(self, arguments, folder, whole=False, feed=None):
        master, slave = pty.openpty()
        environment = dict(os.environ, LC_ALL="C", TERM="dumb")
        self.program = subprocess.Popen(
            [WEFT, "run", *arguments], cwd=folder, env=environment, stdin=subprocess.PIPE if feed else slave,
            stdout=slave if whole else subprocess.PIPE, stderr=slave, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(2, termios.TIOCSCTTY, 0))
        os.close(slave)
        self.master, self.written, self.output = master, "", b""
        self.readers = [threading.Thread(target=self.read)]
        if not whole:
            self.readers.append(threading.Thread(target=self.read_output))
        for reader in self.readers:
            reader.start()
        if feed:
            for text, pause in feed:
                self.program.stdin.write(text.encode())
                self.program.stdin.flush()
                time.sleep(pause)
            self.program.stdin.close()

    def read(self):
        while True:
            try:
                some = os.read(self.master, 65536)
            except OSError:
                return
            if not some:
                return
            self.written += some.decode()

    def read_output(self):
        self.output = self.program.stdout.read()

    def wait_for(self, pattern):
        end = time.monotonic() + SECONDS
        while time.monotonic() < end and self.program.poll() is None:
            if re.search(pattern, self.written):
                return
            time.sleep(0.02)
        require(False, f"{pattern} never came", self.written)

    def type(self, keys):
        os.write(self.master, keys)

    def end(self):
        """(exit status, what the terminal got, standard output)"""
        status = self.program.wait(SECONDS)
        for reader in self.readers:
            reader.join(SECONDS)
        os.close(self.master)
        return status, self.written.replace("\r\n", "\n"), self.output.decode()


def plain(arguments, folder):
    environment = dict(os.environ, LC_ALL="C")
    return subprocess.run([WEFT, "run", *arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS, check=False)


def drawn(written):
    """The states of the progress line, in order."""
    return [piece for piece in re.split(r"[\r\n]", written) if " a second" in piece]


def test_screen():
    require(screen("ab\rc\nd") == ["cb", "d"], "the screen of this test overwrites")
    require(screen("12 lines\r        \rrow\n")[0] == "row", "the screen of this test blanks")


def test_progress_line(folder):
    arguments = ["s.csv", *SLOW, "--json"]
    status, written, output = Terminal(arguments, folder).end()
    require(status == 0, "exit status", status, written)
    states = drawn(written)
    require(len(states) >= 2, "the line was drawn", written)
    for state in states:
        require(KNOWN.fullmatch(state.strip()), "the line has its form", state)
    require(all(KNOWN.search(state).group(1) == str(TRIALS) for state in states), "the total", states)
    shares = [int(KNOWN.search(state).group(2)) for state in states]
    require(shares == sorted(shares) and shares[0] < shares[-1], "it goes on", shares)
    reference = plain(arguments, folder)
    require(screen(written) == reference.stderr.decode().split("\n"), "the screen shows what a file would", written)
    require("\r" not in reference.stderr.decode(), "no such line in a file")
    require(output.count("\n") == 1 and json.loads(output)["trials"] == TRIALS, "only data on standard output", output)
    require(max(len(state) for state in states) < 80, "it fits 80 columns", states)


def test_quiet(folder):
    status, written, output = Terminal(["s.csv", *SLOW, "--quiet", "--json"], folder).end()
    require(status == 0 and written == "", "--quiet writes nothing to the terminal", written)
    require(json.loads(output)["trials"] == TRIALS, "but the data", output)


def test_unknown_total(folder):
    lines = stream(6).split("\n")[1:-1]
    feed = [(line + "\n", 0.4) for line in lines]
    arguments = ["-", "--rows", "none", "--columns", "none", "--capacity", "9x9", "--eta", "1"]
    status, written, _ = Terminal(arguments, folder, feed=feed).end()
    require(status == 0, "exit status of a pipe", status, written)
    states = drawn(written)
    require(states and all(UNKNOWN.match(state) for state in states), "a pipe has no end that is known", written)
    require(not any(" a second" in line for line in screen(written)), "nothing is left behind", written)


def test_shared_terminal(folder):
    status, written, _ = Terminal(["s.csv", *SLOW, "--predictions", "-"], folder, whole=True).end()
    require(status == 0 and drawn(written) == [], "no line among predictions on the same terminal", written[-500:])
    require(sum(1 for line in written.split("\n") if line.count(",") == 10) == TRIALS + 1, "all predictions are there")


def test_interrupt(folder, extra, least):
    terminal = Terminal(["s.csv", *SLOW, "--predictions", "out.csv", "--json", *extra], folder)
    terminal.wait_for(r" lines \(\d+ %\)")
    terminal.type(b"\x03")
    status, written, output = terminal.end()
    require(status == 130, "Ctrl-C ends with 130", status, written)
    shown = screen(written)
    summary = re.compile(r"error .*: (\d+) mistakes? in (\d+) trials? .*, interrupted$")
    told = [match for match in map(summary.match, shown) if match]
    require(len(told) == 1, "the summary says that it was interrupted", written)
    trials = int(told[0].group(2))
    require(least <= trials < TRIALS, "some trials were played, not all", trials)
    with open(os.path.join(folder, "out.csv"), encoding="utf-8") as file:
        lines = file.read().split("\n")
    require(len(lines) == trials + 2 and lines[-1] == "", "every trial has its line", len(lines), trials)
    result = json.loads(output)
    require(result["trials"] == trials and result["mistakes"] == int(told[0].group(1)), "and so says the JSON", output)
    whole = plain(["s.csv", *SLOW, "--predictions", "-", "--quiet", *extra], folder).stdout.decode().split("\n")
    if not extra:
        require(lines[:-1] == whole[:trials + 1], "an interrupted run is the beginning of the whole one")
    require([name for name in os.listdir(folder) if name not in ("s.csv", "out.csv")] == [], "nothing else is left",
            os.listdir(folder))
    os.remove(os.path.join(folder, "out.csv"))


def has_terminals():
    try:
        for end in pty.openpty():
            os.close(end)
        return True
    except OSError:
        return False


def main():
    test_screen()
    if not has_terminals():
        print("there are no pseudo-terminals here (is devpts mounted?)")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "s.csv"), "w", encoding="utf-8") as file:
            file.write(stream())
        test_progress_line(folder)
        test_quiet(folder)
        test_unknown_total(folder)
        test_shared_terminal(folder)
        test_interrupt(folder, [], 1)
        test_interrupt(folder, ["--delay", "20"], 21)
    print("the progress line, quiet, a pipe, a shared terminal, Ctrl-C: all as they should be")
    return 0


if __name__ == "__main__":
    sys.exit(main())
