"""SPDX-License-Identifier: MIT

Reads and writes the files of command cases, cases/TOPIC.txt; run_cases.py says at its top how they look.
A file is accepted only as it would be written again, so that writing changes nothing but what is new.
"""

import dataclasses
import os
import re

LINE = re.compile(r'(?P<mark>===|#|once:|\$|<|!|\?)(?: (?P<text>.+)|(?P<string>".*")|)')
ESCAPE = re.compile(rb'\\(?:x([0-9a-f]{2})|([\\nt]))')
LETTERS = {"\\": "\\", "n": "\n", "t": "\t"}


class Malformed(Exception):
    """A file of cases that is not as run_cases.py says."""


@dataclasses.dataclass
class Case:
    place: str = dataclasses.field(compare=False)  # FILE:LINE
    name: str
    comments: list = dataclasses.field(default_factory=list)
    once: str = ""
    script: list = dataclasses.field(default_factory=list)
    stdout: str = ""
    patterns: list = dataclasses.field(default_factory=list)
    status: int = 0


@dataclasses.dataclass
class Topic:
    path: str
    comments: list
    cases: list


# Text of files and of programs.  Bytes that are not UTF-8 are kept as surrogates, so that all can be written again.
def decode(data):
    return data.decode("utf-8", "surrogateescape")


def encode(text):
    return text.encode("utf-8", "surrogateescape")


def shows(text):
    return text.isprintable() and not text.endswith(" ")


def quote(text):
    def escape(char):
        for letter, meaning in LETTERS.items():
            if char == meaning:
                return "\\" + letter
        return char if char.isprintable() else "".join(f"\\x{byte:02x}" for byte in encode(char))
    return '"' + "".join(map(escape, text)) + '"'


def unquote(string):
    def byte(match):
        return bytes.fromhex(match[1].decode()) if match[1] else LETTERS[match[2].decode()].encode()
    return decode(ESCAPE.sub(byte, encode(string[1:-1])))


def marked(mark, text):
    if not shows(text):
        return mark + quote(text)
    return f"{mark} {text}" if text else mark


def case_lines(case):
    yield f"=== {case.name}"
    yield from (marked("#", text) for text in case.comments)
    if case.once:
        yield marked("once:", case.once)
    yield from (marked("$", text) for text in case.script)
    for line in re.findall(r"[^\n]*\n|[^\n]+", case.stdout):
        whole = line.endswith("\n") and shows(line[:-1])
        yield marked("<", line[:-1]) if whole else "<" + quote(line)
    yield from (marked("!", text) for text in case.patterns)
    if case.status != 0:
        yield f"? {case.status}"


def topic_text(topic):
    head = [[marked("#", text) for text in topic.comments]] if topic.comments else []
    return "\n\n".join("\n".join(lines) for lines in head + [list(case_lines(case)) for case in topic.cases]) + "\n"


def add_line(case, mark, text, quoted):
    """Takes what a line says of a case."""
    if mark == "#":
        case.comments.append(text)
    elif mark == "once:":
        case.once = text
    elif mark == "$":
        case.script.append(text)
    elif mark == "<":
        case.stdout += text if quoted else text + "\n"
    elif mark == "!":
        try:
            re.compile(encode(text))
        except re.error as error:
            raise Malformed(f"no regular expression: {error}") from error
        case.patterns.append(text)
    else:
        if not text.isdecimal():
            raise Malformed(f"found '{text}', expected an exit status")
        case.status = int(text)


def parse_line(topic, number, line):
    match = LINE.fullmatch(line)
    if not match:
        raise Malformed(f"found '{line}', expected a mark: === # once: $ < ! ?")
    mark, text, quoted = match["mark"], match["text"] or "", match["string"] is not None
    if quoted:
        text = unquote(match["string"])
    if mark == "===":
        topic.cases.append(Case(f"{os.path.basename(topic.path)}:{number}", text))
    elif topic.cases:
        add_line(topic.cases[-1], mark, text, quoted)
    elif mark == "#":
        topic.comments.append(text)
    else:
        raise Malformed("stands before the first name")


def check_written_so(path, text, expected):
    """The text is as --accept would write it, so that it changes nothing else."""
    for number, (found, wanted) in enumerate(zip(text.split("\n"), expected.split("\n")), 1):
        if found != wanted:
            raise Malformed(f"{path}:{number}: found '{found}', expected '{wanted}'")
    if text != expected:
        raise Malformed(f"{path}: does not end with its last case")


def parse_topic(path, text):
    topic = Topic(path, [], [])
    for number, line in enumerate(text.split("\n"), 1):
        try:
            if line:
                parse_line(topic, number, line)
        except Malformed as error:
            raise Malformed(f"{path}:{number}: {error}") from error
    for case in topic.cases:
        if not any(case.script):
            raise Malformed(f"{case.place}: {case.name} has no command")
    check_written_so(path, text, topic_text(topic))
    return topic


def check_names(topics):
    places = {}
    for case in (case for topic in topics for case in topic.cases):
        if not re.fullmatch(r"[a-z0-9-]+", case.name):
            raise Malformed(f"{case.place}: found the name '{case.name}', expected small letters, digits and hyphens")
        if case.name in places:
            raise Malformed(f"{case.place}: {case.name} is also the name of {places[case.name]}")
        places[case.name] = case.place


def read_topics(folder):
    topics = []
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if not name.endswith(".txt"):
            raise Malformed(f"{path}: expected files TOPIC.txt alone")
        with open(path, "rb") as file:
            topics.append(parse_topic(path, decode(file.read())))
    check_names(topics)
    return topics


def write_topics(topics):
    for topic in topics:
        with open(topic.path, "rb") as file:
            before = file.read()
        if encode(topic_text(topic)) != before:
            with open(topic.path, "wb") as file:
                file.write(encode(topic_text(topic)))
