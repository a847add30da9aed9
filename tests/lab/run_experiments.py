#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every experiment of `weft experiment`, in its quick version, seen from outside.

    WEFT_BIN=build/weft tests/lab/run_experiments.py [NAME ...]

Each ends with status 0 and leaves a CSV that is one, figures that are pictures, and a report that needs nothing
else and tells the command that made it; what was measured keeps to what was promised; a second call plays nothing
and changes nothing; another number of jobs changes nothing either.  Wrong usage, places that cannot be written,
damaged journals and Ctrl-C end as the help says.
"""
import base64
import csv
import html.parser
import io
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree
import zlib

WEFT = os.path.abspath(os.environ["WEFT_BIN"])
# Larger ones are made smaller; cheap ones are also played with another number of jobs.
SMALLER = {"table1": ["--dimensions", "20,40", "--noise", "0,0.3", "--runs", "1", "--protocol", "text,authors"],
           "variants": ["--dimensions", "20", "--noise", "0.5,0", "--runs", "1"]}
CHEAP = ["sidehelp", "tightness", "variants"]
checks = 0


def check(held, what):
    global checks
    checks += 1
    if not held:
        sys.exit(f"FAILED: {what}")


def weft(*arguments, status=0, cwd=None):
    done = subprocess.run([WEFT, "experiment", *arguments], capture_output=True, text=True, timeout=900, cwd=cwd)
    check(done.returncode == status,
          f"weft experiment {' '.join(arguments)}: status {done.returncode}, expected {status}: {done.stderr}")
    return done


def content(*parts):
    with open(os.path.join(*parts), "rb") as file:
        return file.read()


# ---- Files ----

def read_table(text, name):
    """Lines as dictionaries; numbers, and nothing that is not finite."""
    table = list(csv.reader(io.StringIO(text)))
    head = table[0]
    check(len(head) >= 3 and len(set(head)) == len(head), f"{name}: names of columns, found {head}")
    check(len(table) > 2 and text.endswith("\n"), f"{name}: a table")
    for line in table[1:]:
        check(len(line) == len(head), f"{name}: {len(head)} fields in every line, found {line}")
        check(not any(re.search(r"\b(nan|inf)", field) for field in line), f"{name}: finite numbers, found {line}")
    check("seconds" not in head or name in ("table1", "scaling"), f"{name}: only times are called seconds")
    return [dict(zip(head, line)) for line in table[1:]]


def is_png(whole):
    """Every chunk of it is right, and its lines are all there."""
    check(whole[:8] == b"\x89PNG\r\n\x1a\n", "the signature of a PNG")
    at, names, data = 8, [], b""
    while at < len(whole):
        size, name = int.from_bytes(whole[at:at + 4], "big"), whole[at + 4:at + 8]
        body = whole[at + 8:at + 8 + size]
        check(zlib.crc32(name + body) == int.from_bytes(whole[at + 8 + size:at + 12 + size], "big"), f"chunk {name}")
        names.append(name)
        data += body if name == b"IDAT" else b""
        at += 12 + size
    width, height = (int.from_bytes(whole[k:k + 4], "big") for k in (16, 20))
    check(names[0] == b"IHDR" and names[-1] == b"IEND" and min(width, height) > 100, f"a PNG: {width} x {height}")
    check(len(zlib.decompress(data)) > width * height, "a PNG with all its lines")


class Page(html.parser.HTMLParser):
    """Tags balance, and nothing is fetched."""
    EMPTY = {"meta", "img", "br", "hr", "col", "wbr"}
    WRONG = {"script", "link", "iframe", "object", "embed", "base", "form", "video", "audio", "source"}

    def __init__(self, text, name):
        super().__init__(convert_charrefs=True)
        self.name, self.open, self.images, self.words, self.code, self.tables = name, [], [], [], [], 0
        self.feed(text)
        self.close()
        check(self.open == [], f"{name}: {self.open} are not closed")

    def handle_starttag(self, tag, attrs):
        check(tag not in self.WRONG, f"{self.name}: <{tag}>")
        for key, value in attrs:
            check(not key.startswith("on"), f"{self.name}: {key} of <{tag}>")
            if key in ("src", "href", "srcset", "action", "background", "poster", "data"):
                check(value.startswith(("data:", "#")), f"{self.name}: <{tag} {key}={value[:60]}>")
            if key == "style":
                check("url(" not in value, f"{self.name}: a style that fetches")
        if tag == "img":
            image = dict(attrs)
            check(len(image.get("alt", "")) > 20, f"{self.name}: an image says what it shows")
            self.images.append(image["src"])
        self.tables += tag == "table"
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        check(tag in self.EMPTY, f"{self.name}: <{tag}/>")
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag):
        check(self.open and self.open[-1] == tag, f"{self.name}: </{tag}> closes {self.open[-3:]}")
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "style":
            check("url(" not in data and "@import" not in data, f"{self.name}: a style that fetches")
        elif "code" in self.open:
            self.code.append(data)
        else:
            self.words.append(data)


def check_report(folder, name, options):
    text = content(folder, "out", f"{name}.html").decode()
    page = Page(text, name)
    check(text.startswith("<!DOCTYPE html>"), f"{name}: the report is HTML")
    for src in page.images:
        check(src.startswith("data:image/svg+xml;base64,"), f"{name}: images are SVG in the page")
    shown = {base64.b64decode(src.partition(",")[2]) for src in page.images}
    drawn = {content(folder, "out", f) for f in os.listdir(os.path.join(folder, "out")) if f.endswith(".svg")}
    check(shown and shown <= drawn, f"{name}: the report shows the figures beside it")
    words = re.sub(r"\s+", " ", " ".join(page.words))
    check(page.tables >= 1 and len(words) > 1500, f"{name}: the report has a table and says what it means")
    check("aper" in words, f"{name}: the report speaks of the paper")
    commands = [code for code in page.code if f"weft experiment {name}" in code]
    check(commands, f"{name}: the report has the command that made it")
    for option, value in options:
        said = f"{option} {value}".strip()
        check(any(said in command for command in commands),
              f"{name}: the command of the report repeats the run: '{said}' is missing from {commands}")


def check_files(folder, name, options):
    out = os.path.join(folder, "out")
    names = sorted(os.listdir(out))
    svg, png = ({f[:-4] for f in names if f.endswith(ending)} for ending in (".svg", ".png"))
    check(svg == png and svg, f"{name}: every figure as SVG and PNG, found {names}")
    rest = [f for f in names if f[-4:] not in (".svg", ".png")]
    check(rest == [f"{name}.{e}" for e in ("csv", "html", "journal")], f"{name}: nothing else, found {rest}")
    for stem in svg:
        check(stem == name or stem.startswith(name + "-"), f"{name}: a figure called {stem}")
        root = xml.etree.ElementTree.fromstring(content(out, stem + ".svg"))
        check(root.tag.endswith("svg") and len(list(root.iter())) > 20, f"{name}: {stem}.svg is a picture")
        is_png(content(out, stem + ".png"))
    check_report(folder, name, options)
    return read_table(content(out, f"{name}.csv").decode(), name)


# ---- What is measured and what is promised ----

def check_promise(name, line):
    """Whatever an experiment prints a bound for is below it."""
    what = f"{name}: {line}"
    number = {key: float(value) for key, value in line.items() if re.fullmatch(r"-?[\d.]+(e[-+]?\d+)?", value)}
    trials = number.get("trials", number.get("n", 0) ** 2 if name == "table1" else None)
    if "bound" in number and name != "table1":
        check(number.get("mistakes", number.get("total", 0)) <= number["bound"], f"above the bound, {what}")
    if "bound" in number and "vacuous" in number:
        check(number["vacuous"] == (number["bound"] >= trials), f"vacuous iff the bound is at least T, {what}")
    if "coin" in number:
        check(number["coin"] == (number["bound"] >= trials / 2), f"no better than a coin above T/2, {what}")
    for key in ("violated", "escaped", "predictions_different", "different"):
        if line.get("tie", "0") == "0":
            check(number.get(key, 0) == 0, f"{key}, {what}")
    if "trace_promise" in number:
        check(0 < number["trace"] <= number["trace_promise"], f"tr(R'K^-1R), {what}")
    if name == "tightness":
        check(number["forced"] == number["k"] * number["l"] == number["blocks"], f"k l mistakes are forced, {what}")
        check(number["total"] >= number["forced"], f"and others follow, {what}")
    if "sd" in number:
        check(number["sd"] >= 0, what)


def check_bounds(table):
    """The statements of the paper, from D, gamma, T and the errors that the table prints."""
    for line in table:
        d, gamma, t, errors, bound = (float(line[k]) for k in ("dimension", "gamma", "trials", "errors", "bound"))
        size = float(line["n"]) * (1 if line["part"] == "one set" else 2)
        cost = d * math.log(size)
        regret = 4 / gamma * math.sqrt(2 * cost * t)
        sharp = 2 / gamma * math.sqrt(2 * cost * t) + 2 / gamma * cost if t >= 2 * cost else math.inf
        expected = {"regret": errors + min(regret, sharp), "hinge": 2 * errors + 2 * sharp,
                    "realizable": 3.6 / gamma ** 2 * cost,
                    # dim (log(size) + log(dim)) + 1 - dim with D = 1: at dim = 1, or at its largest
                    "estimate": 3.6 / gamma ** 2 * max(math.log(size), d * math.log(size * d) + 1 - d)}
        check(abs(bound / expected[line["statement"]] - 1) < 1e-4, f"{line['statement']}: {expected}, {line}")
        if line["statement"] == "regret":
            check(abs(float(line["plain_bound"]) / (errors + regret) - 1) < 1e-4, f"thm:base as printed: {line}")


# ---- Experiments ----

def without_times(folder, name):
    """All files; of table1 without what its report says of time, which is measured anew."""
    out = os.path.join(folder, "out")
    files = {f: content(out, f) for f in os.listdir(out)}
    if name == "table1":
        files["table1.html"] = re.sub(rb"<h2>Time.*?(?=<h2>|</main>)", b"", files["table1.html"], flags=re.S)
    return files


def try_experiment(work, name):
    folder = os.path.join(work, name)
    os.makedirs(folder)
    chosen = ["--quick", "--seed", "7", *SMALLER.get(name, [])]
    call = [name, "--out", "out", "--quiet", *chosen]
    first = weft(*call, "--jobs", "2", cwd=folder)
    check(len(first.stdout.strip()) > 60 and first.stderr == "", f"{name}: a sentence, and nothing else, {first.stderr}")
    given = [("--quick", ""), ("--seed", "7"), *zip(SMALLER.get(name, [])[::2], SMALLER.get(name, [])[1::2])]
    if name in SMALLER:
        given = [pair for pair in given if pair[0] not in ("--quick", "--protocol")]  # lists say it all
    table = check_files(folder, name, given)
    for line in table:
        check_promise(name, line)
    if name == "bounds":
        check_bounds(table)
    before = without_times(folder, name)
    second = weft(*call, "--jobs", "1", cwd=folder)
    check(second.stdout == first.stdout, f"{name}: a second call says the same")
    check(without_times(folder, name) == before, f"{name}: a second call changes nothing, and plays nothing")
    if name in CHEAP:
        other = os.path.join(work, name + "-alone")
        os.makedirs(other)
        weft(*call, "--jobs", "1", cwd=other)
        after = without_times(other, name)
        for file in before:
            check(file.endswith(".journal") or before[file] == after[file], f"{name}: {file} with one job")


# ---- What cannot be ----

def names_of_experiments():
    said = weft("nonsense", "--out", "out", status=2).stderr
    names = re.search(r"found 'nonsense', expected ([\w, ]+) or all", said)
    check(names is not None, f"a wrong name is told the right ones: {said}")
    return [name for name in names.group(1).replace(" ", "").split(",") if name]


def wrong_usage(work, names):
    out = ["--out", os.path.join(work, "never")]
    for arguments, words in (
            (["tightness"], "--out"), (out, "experiment"), (["table1", "tightness", *out], "tightness"),
            (["table1", "--dimensions", "20,,40", *out], "dimensions"), (["table1", "--dimensions", "20,x", *out], "x"),
            (["table1", "--dimensions", "8", *out], "8"), (["table1", "--dimensions", "20,20", *out], "twice"),
            (["table1", "--dimensions", "1000000", *out], "1000000"), (["table1", "--dimensions", "", *out], "dimensions"),
            (["table1", "--dimensions", ",".join(map(str, range(10, 100))), *out], "64"),
            (["table1", "--noise", "0,1.5", *out], "1.5"), (["table1", "--noise", "-0.1", *out], "-0.1"),
            (["table1", "--noise", "nan", *out], "nan"), (["table1", "--noise", "0,0.0", *out], "twice"),
            (["table1", "--noise", "0.1x", *out], "0.1x"), (["table1", "--protocol", "paper", *out], "paper"),
            (["table1", "--runs", "0", *out], "0"), (["table1", "--jobs", "0", *out], "0"),
            (["table1", "--jobs", "257", *out], "257"), (["table1", "--seed", "-1", *out], "-1"),
            (["table1", "--unknown", *out], "unknown")):
        said = weft(*arguments, status=2).stderr
        check(words in said, f"weft experiment {' '.join(arguments)} names '{words}': {said}")
    for name in names:
        if name != "table1":
            check("--protocol" in weft(name, "--protocol", "text", *out, status=2).stderr, f"{name} takes no protocol")
        if name not in ("table1", "variants"):
            check("--dimensions" in weft(name, "--dimensions", "20", *out, status=2).stderr, f"{name} takes no sizes")
            check("--noise" in weft(name, "--noise", "0", *out, status=2).stderr, f"{name} takes no noise")
    check(not os.path.exists(out[1]), "wrong usage makes no directory")
    weft("--help")


def places_and_damage(work):
    file = os.path.join(work, "file")
    with open(file, "w") as opened:
        opened.write("not a directory\n")
    said = weft("tightness", "--quick", "--quiet", "--out", os.path.join(file, "out"), status=1).stderr
    check(file in said, f"a place that cannot be is named: {said}")
    out = os.path.join(work, "deep", "er", "out")
    weft("tightness", "--quick", "--quiet", "--runs", "1", "--out", out)
    journal = os.path.join(out, "tightness.journal")
    whole = content(journal)
    for wrong, words in ((whole.replace(b"run=0", b"run=5", 1), "tightness.journal:"),
                         (b"weft journal\t" + whole, "tightness.journal:1:"), (b"\n", "tightness.journal:1:")):
        with open(journal, "wb") as opened:
            opened.write(wrong)
        said = weft("tightness", "--quick", "--quiet", "--out", out, status=4).stderr
        check(words in said and content(journal) == wrong, f"damage is named and left alone: {said}")
    with open(os.path.join(out, "sidehelp.journal"), "wb") as opened:
        opened.write(whole)
    weft("sidehelp", "--quick", "--quiet", "--out", out, status=4)
    with open(journal, "wb") as opened:
        opened.write(whole[:-9])                        # what a dying program leaves
    weft("tightness", "--quick", "--quiet", "--runs", "1", "--out", out)
    check(sorted(content(journal).split(b"\n")) == sorted(whole.split(b"\n")), "a torn line is made again")


def interruption(work):
    out = os.path.join(work, "interrupted")
    grid = ["--dimensions", "60,100", "--noise", "0"]
    command = [WEFT, "experiment", "table1", "--out", out, *grid, "--runs", "30", "--jobs", "2"]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    journal = os.path.join(out, "table1.journal")
    while not os.path.exists(journal) or content(journal).count(b"\n") < 2:
        check(program.poll() is None, "it goes on")
        time.sleep(0.002)
    second = subprocess.run([WEFT, "experiment", "table1", "--quick", "--out", out], capture_output=True, text=True)
    check(second.returncode in (1, 3) and "table1.journal" in second.stderr, f"one at a time: {second.stderr}")
    program.send_signal(signal.SIGINT)
    _, said = program.communicate(timeout=600)
    check(program.returncode == 130 and "interrupted" in said, f"Ctrl-C: {program.returncode}, {said}")
    kept = content(journal)
    check(not os.path.exists(os.path.join(out, "table1.csv")), "no table of half of the runs")
    played = kept.count(b"n=100") + kept.count(b"n=60")
    check(played == kept.count(b"\n") - 1 < 60, "whole lines")
    weft("table1", "--out", out, "--dimensions", "60", "--noise", "0", "--runs", "2", "--quiet")
    check(content(journal).startswith(kept), "what was played is kept")
    check(os.path.exists(os.path.join(out, "table1.csv")), "and it goes on")


def main():
    names = names_of_experiments()
    check({"table1", "community", "boxes", "sidehelp", "equivalence", "tightness", "scaling", "bounds"} <= set(names),
          f"every experiment is there: {names}")
    # In memory where that can be: a journal is brought to the disk with every line.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as work:
        for name in sys.argv[1:] or names:
            try_experiment(work, name)
        if not sys.argv[1:]:
            wrong_usage(work, names)
            places_and_damage(work)
            interruption(work)
    print(f"{checks} checks of {', '.join(names)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
