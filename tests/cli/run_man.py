"""SPDX-License-Identifier: MIT

The man pages of the build directory: there is one for the program and one for every command; groff finds nothing to
warn of; a page and the help of its command know the same options, words of options included; every page has its
sections, and an example that begins with its command.  Each check is then shown to fail on a page with a mistake.
"""

import glob
import os
import re
import shutil
import subprocess
import sys

BUILD = os.environ["WEFT_BUILD_DIR"]
WEFT = os.environ["WEFT_BIN"]
SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "SEE ALSO"]
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def ask(*arguments):
    environment = dict(os.environ, LC_ALL="C", ARGP_HELP_FMT="rmargin=9000,opt-doc-col=70")
    return subprocess.run([WEFT, *arguments], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          check=True).stdout.decode()


def groff(page, *options):
    """(text, warnings)"""
    done = subprocess.run(["groff", "-ww", "-man", "-Tascii", "-P-bcu", "-rLL=400n", *options], input=page.encode(),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return done.stdout.decode(), done.stderr.decode()


def complaints(name, page):
    """What is wrong with the page `name`, weft or weft-COMMAND."""
    text, warnings = groff(page)
    found = [f"groff: {line}" for line in warnings.splitlines()]
    command = name.removeprefix("weft").removeprefix("-")
    helped = set(OPTION.findall(ask(*filter(None, [command]), "--help")))
    shown = set(OPTION.findall(text))
    found += [f"lacks {option}, which the help has" for option in sorted(helped - shown)]
    found += [f"has {option}, which the help lacks" for option in sorted(shown - helped)]
    headings = re.findall(r"^[A-Z][A-Z ]+$", text, re.M)
    found += [f"lacks the section {section}" for section in SECTIONS if section not in headings]
    if command and "EXAMPLES\n" not in text:
        found.append("has no example")
    if command and not re.search(rf"^EXAMPLES\n(.*\n)*? +weft {command} ", text, re.M):
        found.append(f"has no example that begins with weft {command}")
    for number in re.findall(r"^ +(\d+)  ", text.split("EXIT STATUS", 1)[-1], re.M):
        if number not in ("0", "1", "2", "3", "4", "130"):
            found.append(f"has the exit status {number}")
    return found


PLANTS = [
    (lambda page: page.replace(r"\-\-quiet", r"\-\-queit"), "lacks --quiet"),
    (lambda page: page.replace(r"\-\-quiet", r"\-\-queit"), "has --queit"),
    (lambda page: page + ".XX no such macro\n", "groff:"),
    (lambda page: page.replace(".SH EXIT STATUS", ".SH STATUS"), "lacks the section EXIT STATUS"),
    (lambda page: page.replace(".SH EXAMPLES", ".SH NOTES"), "has no example"),
]


def main():
    if shutil.which("groff") is None:
        print("groff is not installed")
        return 77
    expected = {"weft"} | {f"weft-{name}" for name in re.findall(r"^  weft ([a-z]+) ", ask("--help"), re.M)}
    pages = {os.path.basename(path)[:-2]: open(path, encoding="utf-8").read()
             for path in glob.glob(os.path.join(BUILD, "man", "*.1"))}
    failed = 0
    for name in sorted(expected ^ set(pages)):
        print(f"{name}.1: {'is not there' if name in expected else 'belongs to no command'}")
        failed += 1
    for name in sorted(expected & set(pages)):
        for complaint in complaints(name, pages[name]):
            print(f"{name}.1: {complaint}")
            failed += 1
    missed = [what for plant, what in PLANTS
              if not any(what in complaint for complaint in complaints("weft-run", plant(pages["weft-run"])))]
    for what in missed:
        print(f"not noticed: {what}")
    print(f"{len(pages)} pages, {failed} complaints; {len(PLANTS)} mistakes planted, {len(PLANTS) - len(missed)} found")
    return 1 if failed or missed else 0


if __name__ == "__main__":
    sys.exit(main())
