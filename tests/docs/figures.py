"""SPDX-License-Identifier: MIT

Figures of documents that a command makes again: what it prints must stand in the document behind the command.

A table (lines that begin with `|`) is found by its first line, and compared line by line.  Every other line that is not
empty must stand there word for word, in whatever lines the document breaks it.  What is printed comes in the order of the
document.  Where only numbers differ, or lines of a table, an edit says what would make the document true.
"""

import re

NUMBER = re.compile(r"(?<![\w.])(?:\d[\d,]*(?:\.\d+)?|\.\d+)")
TIMES = re.compile(r" +\d+\.\d\d$", re.M)


class Findings:
    """What differs in a text, and the edits (start, end, new text) that would mend it."""

    def __init__(self, text):
        self.text = text
        self.differences = []
        self.edits = []

    def line_at(self, place):
        return self.text.count("\n", 0, place) + 1

    def differ(self, place, what):
        self.differences.append((self.line_at(place), what))

    def replace(self, start, end, made):
        shown = self.text[start:end]
        for old, new in pairs(shown.split("\n"), made.split("\n")):
            if old != new:
                self.differ(start, f"the document has\n    {old}\nbut what is made is\n    {new}")
        if shown != made:
            self.edits.append((start, end, made))


def pairs(old, new):
    """Lines side by side; those of a table that begin with the same cell belong together."""
    def first(line):
        return line.split("|")[1] if line.startswith("|") and line.count("|") > 1 else line
    if [first(line) for line in old] == [first(line) for line in new]:
        return list(zip(old, new))
    known = {first(line): line for line in new}
    met = [(line, known.get(first(line), "nothing")) for line in old]
    names = {first(line) for line in old}
    return met + [("nothing", line) for line in new if first(line) not in names]


def groups(written):
    """Tables and single lines of what was printed, in order."""
    table = []
    for line in written.split("\n") + [""]:
        line = line.rstrip()
        if line.startswith("|"):
            table.append(line)
            continue
        if table:
            yield "\n".join(table)
            table = []
        if line.strip():
            yield line.strip()


def find_table(text, start, head):
    """(first, behind last) of the table with this first line behind `start`, or None."""
    found = re.compile(r"^" + re.escape(head) + r"[ ]*\n(?:\|.*\n?)*", re.M).search(text, start)
    return found and (found.start(), found.end() - (found.group(0).endswith("\n")))


def pattern(line, strict):
    """The words of a line in any lines; without `strict` with any numbers."""
    def of(word):
        if strict:
            return re.escape(word)
        parts, numbers = NUMBER.split(word), len(NUMBER.findall(word))
        return "".join(re.escape(part) + (f"({NUMBER.pattern})" if k < numbers else "") for k, part in enumerate(parts))
    return re.compile(r"\s+".join(of(word) for word in line.split()))


def look_for_line(findings, start, line):
    """Where to go on, after the line was found or missed."""
    exact, alike = pattern(line, True).search(findings.text, start), pattern(line, False).search(findings.text, start)
    if exact and (alike is None or exact.start() <= alike.start()):
        return exact.end()
    if alike is None:
        findings.differ(start, f"what is made is\n    {line}\nand does not stand behind this line")
        return start
    shown, made, place = alike.group(0), iter(NUMBER.findall(line)), alike.start()
    findings.replace(place, alike.end(), NUMBER.sub(lambda _: next(made), shown))
    return alike.end()


def look_for(findings, start, written):
    """Compares what a command printed with the text behind `start`."""
    for group in groups(written):
        if not group.startswith("|"):
            start = look_for_line(findings, start, group)
            continue
        place = find_table(findings.text, start, group.split("\n")[0])
        if place is None:
            findings.differ(start, f"no table behind this line begins with\n    {group.splitlines()[0]}")
            continue
        findings.replace(*place, group)
        start = place[1]


def look_for_text(findings, start, end, written):
    """Compares all that a command printed with a block; the times in the last column may differ."""
    shown, made = findings.text[start:end].rstrip("\n"), written.rstrip("\n")
    if TIMES.sub("", shown) != TIMES.sub("", made):
        findings.replace(start, end, made + "\n")


def mended(findings):
    text = findings.text
    for start, end, made in sorted(findings.edits, reverse=True):
        text = text[:start] + made + text[end:]
    return text
