"""SPDX-License-Identifier: MIT

What daemons, supervisors and impatient people do to a program: standard descriptors that are closed, signals of every
kind at every moment, files that others must not read.  Nothing may be written into the wrong file, nothing that was
learnt may be lost where there was time to write it, nothing half written may be left.
"""

import json
import os
import resource
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import time

WEFT = os.environ["WEFT_BIN"]
SECONDS = 120
SIDES = ["--rows", "none", "--columns", "none"]
PIPE = [*SIDES, "--single", "--capacity", "20x20", "--eta", "1"]
LINES = [f"r{t * 7 % 13},c{t * 11 % 17},{1 if t * t % 7 % 2 else -1}\n" for t in range(40)]
failures = []


def check(truth, *what):
    if not truth:
        failures.append(what)
        print("FAILED:", *(repr(fact)[:600] for fact in what))


def content(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def weft(*arguments, closed=(), setup=None):
    """Status, standard output and error; the descriptors of `closed` are closed."""
    def prepare():
        for descriptor in closed:
            os.close(descriptor)
        if setup:
            setup()
    done = subprocess.run([WEFT, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=SECONDS, check=False, preexec_fn=prepare)
    return done.returncode, done.stdout, done.stderr.decode()


def left(*expected):
    """What is in the folder beside the files of `expected`."""
    return sorted(set(os.listdir(".")) - set(expected))


# ---- Descriptors ----

def closed_descriptors():
    write("s.csv", "row,column,label\n" + "".join(LINES))
    run = ["run", "s.csv", *SIDES, "--single"]
    status, summary, _ = weft(*run, "--json", "--predictions", "p.csv", "--model", "m.weft")
    predictions, model = content("p.csv"), content("m.weft")
    check(status == 0 and predictions.startswith(b"t,row"), "a run", status)
    for closed in [(2,), (1,), (0,), (1, 2), (0, 1), (0, 2), (0, 1, 2)]:
        status, _, told = weft(*run, "--predictions", "p.csv", "--model", "m.weft", closed=closed)
        check(status == 0, "a run that says nothing on standard output", closed, status, told)
        check(content("p.csv") == predictions and content("m.weft") == model, "files with closed descriptors", closed)
    status, found, _ = weft(*run, "--json", closed=(2,))
    check(status == 0 and json.loads(found)["trials"] == json.loads(summary)["trials"], "JSON without stderr", found)
    for arguments in [[*run, "--json"], [*run, "--predictions", "-"], ["inspect", "m.weft"], ["evidence", "m.weft"],
                      ["--version"], ["run", "--help"]]:
        status, _, told = weft(*arguments, closed=(1,))
        check(status == 1 and "standard output: cannot be written" in told, "nowhere to write to", arguments, status, told)
    status, _, told = weft("run", "-", *PIPE, closed=(0,))
    check(status == 3 and "standard input" in told, "nowhere to read from", status, told)
    weft("generate", "boxes", "--out", "g")
    expected = content("g/stream.csv")
    for closed in [(2,), (1, 2), (0, 1, 2)]:
        status, _, _ = weft("generate", "boxes", "--out", "g", closed=closed)
        check(status == 0 and content("g/stream.csv") == expected, "weft generate with closed descriptors", closed)


def closed_experiment():
    arguments = ["experiment", "table1", "--dimensions", "9", "--noise", "0", "--runs", "1", "--out", "e", "--jobs", "1"]
    check(weft(*arguments)[0] == 0, "an experiment")
    expected = content("e/table1.journal").split(b"\n")[0]
    for closed in [(2,), (0, 1, 2), (0, 2)]:
        os.remove("e/table1.journal")
        weft(*arguments, closed=closed)
        check(content("e/table1.journal").split(b"\n")[0] == expected, "the journal", closed)
        status, _, told = weft(*arguments)
        check(status == 0, "the journal is whole", closed, told)


# ---- Who may read ----

def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


def modes():
    write("s.csv", "row,column,label\n" + "".join(LINES))
    run = ["run", "s.csv", *SIDES, "--single", "--quiet", "--model", "m.weft", "--predictions", "p.csv"]
    check(weft(*run, setup=lambda: os.umask(0o022))[0] == 0, "a run")
    check(mode("m.weft") == 0o600 and mode("p.csv") == 0o644, "new files", oct(mode("m.weft")), oct(mode("p.csv")))
    for bits in (0o600, 0o640, 0o664):
        for path in ("m.weft", "p.csv"):
            os.chmod(path, bits)
        weft(*run, setup=lambda: os.umask(0o022))
        check(mode("m.weft") == bits and mode("p.csv") == bits, "a run keeps the mode", oct(bits), oct(mode("p.csv")))
        weft("forget", "m.weft", "--row", "r1", "--model", "m.weft")
        check(mode("m.weft") == bits, "forget keeps the mode", oct(bits), oct(mode("m.weft")))
        weft("evidence", "m.weft", "--out", "p.csv")
        check(mode("p.csv") == bits, "evidence keeps the mode", oct(bits), oct(mode("p.csv")))
    weft("run", "s.csv", *SIDES, "--quiet", "--picture", "r.svg")
    os.chmod("r.svg", 0o600)
    weft("run", "s.csv", *SIDES, "--quiet", "--picture", "r.svg")
    check(mode("r.svg") == 0o600, "a picture keeps the mode", oct(mode("r.svg")))
    access_list()
    if os.geteuid() == 0:
        os.chown("m.weft", 1234, 5678)
        weft("forget", "m.weft", "--row", "r2", "--model", "m.weft")
        facts = os.stat("m.weft")
        check((facts.st_uid, facts.st_gid) == (1234, 5678), "root keeps owner and group", facts.st_uid, facts.st_gid)


def access_list():
    """An owner, one user more, a group that may do nothing, the mask of both, nobody else: shown as 0660."""
    name = "system.posix_acl_access"
    entries = [(1, 6, -1), (2, 6, 1234), (4, 0, -1), (16, 6, -1), (32, 0, -1)]
    given = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries)
    try:
        os.setxattr("m.weft", name, given)
    except OSError:
        print("not checked: access lists, which this file system does not have")
        return
    weft("forget", "m.weft", "--row", "r3", "--model", "m.weft")
    check(mode("m.weft") == 0o660 and name in os.listxattr("m.weft") and os.getxattr("m.weft", name) == given,
          "forget keeps the access list", oct(mode("m.weft")), os.listxattr("m.weft"))


# ---- Signals ----

def trials_of(model):
    done = subprocess.run([WEFT, "inspect", model, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return json.loads(done.stdout)["counters"]["trials"] if done.returncode == 0 else 0


class Run:
    """A run in the middle: all lines are learnt, and it waits for more."""

    def __init__(self, setup=None):
        for name in ("cut", "p.csv"):
            if os.path.exists(name):
                os.remove(name)
        self.process = subprocess.Popen(
            [WEFT, "run", "-", *PIPE, "--model", "cut", "--predictions", "p.csv", "--checkpoint", str(len(LINES))],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=setup)
        self.process.stdin.write("".join(LINES).encode())
        self.process.stdin.flush()
        end = time.monotonic() + SECONDS
        while not os.path.exists("cut") and time.monotonic() < end:
            time.sleep(0.01)
        os.remove("cut") # what comes now is written because of the signal
        time.sleep(0.05)

    def end(self):
        told = self.process.stderr.read().decode()
        self.process.stdin.close()
        return self.process.wait(SECONDS), told


def asks_to_end():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        for times in (1, 2):
            run = Run()
            for _ in range(times): # GNU timeout sends two
                run.process.send_signal(number)
            status, told = run.end()
            check(status == 130 and "interrupted" in told, "asked to end", number, times, status, told)
            check(os.path.exists("cut") and trials_of("cut") == len(LINES), "the model is written", number, times)
            check(os.path.exists("p.csv") and content("p.csv").count(b"\n") == len(LINES) + 1, "and the predictions")
            check(left("cut", "p.csv") == [], "nothing else is left", number, left("cut", "p.csv"))


def nohup():
    run = Run(lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    run.process.send_signal(signal.SIGHUP)
    run.process.stdin.write(b"r0,c0,1\n")
    run.process.stdin.close()
    told = run.process.stderr.read().decode()
    check(run.process.wait(SECONDS) == 0 and "interrupted" not in told, "nohup", run.process.returncode, told)
    check(trials_of("cut") == len(LINES) + 1, "nohup: all is learnt")


def has_nameless_files():
    try:
        os.close(os.open(".", os.O_TMPFILE | os.O_WRONLY, 0o600))
    except OSError:
        return False
    return True


def deadly():
    names = ["QUIT", "ALRM", "USR1", "USR2", "XCPU", "ABRT", "SEGV", "BUS", "FPE", "ILL", "SYS", "TRAP", "VTALRM", "KILL"]
    if not has_nameless_files():
        print("not checked: what deadly signals leave, for this file system has no files without a name")
        return
    for name in names:
        run = Run(lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
        run.process.send_signal(getattr(signal, "SIG" + name))
        status, _ = run.end()
        check(status != 0 and left("cut") == [], "nothing is left", name, status, left("cut"))


def left_by_the_killed():
    """What killed programs leave elsewhere is recognised, and nothing else is."""
    write("s.csv", "row,column,label\n" + "".join(LINES))
    mine = ["p.csv.AbCdEf", ".p.csv.weft-notes.txt", ".q.csv.weft-AbCdEf"]
    for name in [".p.csv.weft-AbCdEf", ".m.weft.weft-012345", *mine]:
        write(name, "half")
    weft("run", "s.csv", *SIDES, "--single", "--predictions", "p.csv", "--model", "m.weft")
    check(left("s.csv", "p.csv", "m.weft") == sorted(mine), "the folder", left("s.csv", "p.csv", "m.weft"))


def ends_within(process, seconds):
    try:
        process.wait(seconds)
        return True
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return False


def is_watching(process, number):
    """Whether the program catches the signal, as the system tells."""
    with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
        caught = next(int(line.split()[1], 16) for line in file if line.startswith("SigCgt"))
    return caught >> (number - 1) & 1 == 1


def is_pending(process, number):
    with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
        pending = [int(line.split()[1], 16) for line in file if line.startswith(("SigPnd", "ShdPnd"))]
    return any(mask >> (number - 1) & 1 for mask in pending)


def busy_program():
    """A program that makes a graph, and does not look up for longer than a first signal takes to reach it."""
    process = subprocess.Popen([WEFT, "generate", "biclustered", "--rows", "6000", "--columns", "3000", "--trials", "9",
                                "--graph-noise", "0.5", "--out", "g"], stderr=subprocess.DEVNULL)
    while process.poll() is None and not is_watching(process, signal.SIGTERM):
        time.sleep(0.001)
    return process


def second_signal():
    """Work without a look at whether a signal came: the first one waits, a second one of any kind does not.

    The program is stopped for the time between the two, so that nothing here depends on how fast graphs are made.
    """
    process = busy_program()
    process.send_signal(signal.SIGTERM)
    while process.poll() is None and is_pending(process, signal.SIGTERM):
        time.sleep(0.001)
    process.send_signal(signal.SIGSTOP)
    time.sleep(0.4)
    check(process.poll() is None, "the first signal waits for the end of a file", process.returncode)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGCONT)
    check(ends_within(process, 10) and process.returncode == -signal.SIGINT, "a second signal ends it",
          process.returncode)
    check(not os.path.exists("g") or os.listdir("g") == [] or not has_nameless_files(), "and nothing is left")


def signal_in_setup():
    """There is nothing to save before the first trial: a signal ends the program there, in order and at once, also
    while a graph of more than 4,000 vertices is set up, which takes minutes."""
    for name, n in (("g", 3500), ("h", 20000)):
        write(f"{name}.txt",
              "".join(f"v{i} v{(i * 7919 + k * 104729 + 1) % n}\n" for i in range(n) for k in range(30)))
    write("s.csv", "".join(f"v{i},c{i % 5},1\n" for i in range(20)))
    commands = [["run", "s.csv", "--rows", "graph:g.txt", "--columns", "none", "--single", "--model", "m"],
                ["compare", "s.csv", "--rows", "graph:g.txt", "--columns", "none"],
                ["run", "s.csv", "--rows", "graph:h.txt", "--columns", "none"],
                ["check", "s.csv", "--rows", "graph:h.txt,kernel=diffusion,time=3", "--columns", "none"],
                ["bound", "--rows", "graph:g.txt", "--columns", "none", "--horizon", "10"]]
    for command in commands:
        environment = dict(os.environ, OPENBLAS_NUM_THREADS="1")
        process = subprocess.Popen([WEFT, *command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True, env=environment)
        time.sleep(0.3)
        check(process.poll() is None, "the set-up takes longer than this test thinks", command, process.returncode)
        process.send_signal(signal.SIGTERM)
        ended = ends_within(process, 60)
        told = process.stderr.read()
        check(ended and process.returncode == 130 and "interrupted" in told, "a signal in the set-up", command,
              process.returncode, told)
        check(sorted(os.listdir(".")) == ["g.txt", "h.txt", "s.csv"], "and nothing is left", command)


def main():
    for test in (closed_descriptors, closed_experiment, modes, asks_to_end, nohup, deadly, left_by_the_killed,
                 second_signal, signal_in_setup):
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            before = len(failures)
            test()
            print(f"{test.__name__}: {'failed' if len(failures) > before else 'passed'}")
            os.chdir("/")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
