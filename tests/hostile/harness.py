"""SPDX-License-Identifier: MIT

What the parts of the hostile tier share: running the command with limits, complaints, and small data.
"""

import os
import random
import resource
import signal
import subprocess

SANITIZERS = (b"AddressSanitizer", b"LeakSanitizer", b"runtime error:", b"ThreadSanitizer")


class Ground:
    """The command under test, a folder to work in, a seeded generator, and what was found."""

    def __init__(self, weft, folder, seed, sanitized):
        self.weft = weft
        self.folder = folder
        self.rng = random.Random(seed)
        self.sanitized = sanitized
        self.checks = 0
        self.complaints = []
        self.statuses = {}

    def check(self, held, what):
        self.checks += 1
        if not held:
            self.complaints.append(what)
            print("FAILED:", what, flush=True)
        return held

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def environment(self):
        env = dict(os.environ, LC_ALL="C", OPENBLAS_NUM_THREADS="1")
        env["ASAN_OPTIONS"] = "allocator_may_return_null=1:hard_rss_limit_mb=4096:detect_leaks=1"
        return env

    def limit(self, file_size=None, memory=None):
        """What the child does before it becomes the command."""
        def prepare():
            if file_size is not None:
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))
            if memory is not None and not self.sanitized:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        return prepare

    def run(self, *arguments, stdin=None, stdout=subprocess.PIPE, seconds=120, file_size=None, memory=None):
        """(status, standard output, standard error); a hang is a complaint and status None."""
        try:
            done = subprocess.run([self.weft, *arguments], input=stdin, stdout=stdout, stderr=subprocess.PIPE,
                                  cwd=self.folder, env=self.environment(), timeout=seconds, check=False,
                                  preexec_fn=self.limit(file_size, memory))
        except subprocess.TimeoutExpired:
            self.check(False, f"not finished after {seconds} seconds: weft {arguments}")
            return None, b"", b""
        self.check(not any(word in done.stderr for word in SANITIZERS),
                   f"a sanitizer speaks: weft {arguments}\n{done.stderr[-3000:].decode('utf-8', 'replace')}")
        self.check(done.returncode >= 0, f"ended by signal {-done.returncode}: weft {arguments}")
        self.statuses[done.returncode] = self.statuses.get(done.returncode, 0) + 1
        return done.returncode, done.stdout or b"", done.stderr

    def must(self, *arguments, **keywords):
        """As run, and the status must be 0."""
        status, out, err = self.run(*arguments, **keywords)
        self.check(status == 0, f"status {status}, expected 0: weft {arguments}\n{err[-2000:].decode('utf-8', 'replace')}")
        return out


def content(path):
    """The bytes of a file, or None."""
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())


def make_data(ground, rows=12, columns=9, events=160, name="stream.csv"):
    """A stream of two kinds of rows, with noise, their classes, a graph and features."""
    rng = random.Random(7)
    lines = ["row,column,label"]
    for _ in range(events):
        row, column = rng.randrange(rows), rng.randrange(columns)
        label = 1 if (row + column) % 2 == 0 else -1
        lines.append(f"r{row},c{column},{label if rng.random() > 0.1 else -label}")
    write(ground.path(name), "\n".join(lines) + "\n")
    write(ground.path("classes.txt"), "".join(f"r{k} {k % 2}\n" for k in range(rows)))
    write(ground.path("graph.txt"), "".join(f"r{k} r{(k + 2) % rows}\n" for k in range(rows)))
    write(ground.path("features.csv"), "".join(f"r{k},{1 + k % 2},{k / rows}\n" for k in range(rows)))
    write(ground.path("set.csv"), "".join(f"r{rng.randrange(rows)},r{rng.randrange(rows)},{rng.choice((1, -1))}\n"
                                          for _ in range(events)))
    write(ground.path("pairs.csv"), "".join(f"r{k % rows},c{k % columns}\n" for k in range(30)))
