"""SPDX-License-Identifier: MIT

A virtual environment of its own for the peers, below build/: nothing of it is installed elsewhere, and everything in it has
the version and the hash that requirements/ names.
"""

import hashlib
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = (3, 11)  # the one that the hashes are of

# LightFM 1.17 builds in its own environment alone: elsewhere its setup.py does not find what it expects of builtins.
FILES = [
    ("scikit-learn.txt", ["--only-binary", ":all:"]),
    ("vowpal-wabbit.txt", ["--only-binary", ":all:"]),
    ("lightfm.txt", ["--no-use-pep517", "--no-build-isolation"]),
]


def find_python():
    """A Python of the version wanted: this one, or the one of that name."""
    if sys.version_info[:2] == PYTHON:
        return sys.executable
    name = "python" + ".".join(map(str, PYTHON))
    found = shutil.which(name)
    if found is None:
        sys.exit(f"peers.py needs {name}, found {sys.version.split()[0]} and no {name} on the PATH")
    return found


def digest():
    """Of what is to be installed."""
    whole = hashlib.sha256()
    for name, options in FILES:
        with open(os.path.join(HERE, "requirements", name), "rb") as file:
            whole.update(file.read() + " ".join(options).encode())
    return whole.hexdigest()


def prepare(place):
    """The Python of the environment at `place`, which is made where it is missing or of other versions.  A peer that cannot
    be had is left out, with a word."""
    program, stamp = os.path.join(place, "bin", "python"), os.path.join(place, "requirements.sha256")
    if os.path.isfile(stamp):
        with open(stamp, encoding="utf-8") as file:
            if file.read() == digest():
                return program
    subprocess.run([find_python(), "-m", "venv", "--clear", place], check=True)
    complete = True
    for name, options in FILES:
        words = [program, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", *options]
        if subprocess.run([*words, "-r", os.path.join(HERE, "requirements", name)], check=False).returncode != 0:
            complete = False
            if name == FILES[0][0]:
                sys.exit(f"peers.py: {name} could not be installed, and all peers need it")
            print(f"peers.py: {name} could not be installed; who needs it is left out", file=sys.stderr)
    if complete:
        with open(stamp, "w", encoding="utf-8") as file:
            file.write(digest())
    return program
