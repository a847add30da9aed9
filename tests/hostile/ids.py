"""SPDX-License-Identifier: MIT

Odd ids go through run, predict, top, explain, forget and evidence, out and in, and come back unchanged.
"""

import csv
import io
import json
import random

from harness import content, write

ODD = [
    b'a "quoted" word', b'"', b'""', b'"""', b"'", b"`", b"back\\slash", b"two\nlines", b"\nfirst", b"last\n", b"a\ttab",
    b"\tfirst", b"dos\r\nline", b"lone\rreturn", b" blank first", b"blank last ", b"comma,comma", b",", b";", b"-",
    b"--rows", b"-1", b"#comment", b"#", b"%", b"%s%n%p", b"$HOME", b"*", b"/dev/null", b"..", b"nan", b"0", b"1", b"row",
    b"column", b"\x1b[31mred\x1b[0m", b"\x07bell", b"\x7f", b"\x01", b"\xff\xfe", b"\xc3\x28 not UTF-8", b"\xed\xa0\x80",
    "é".encode(), "e\u0301".encode(), "\u202eright to left".encode(), "\u200bnothing".encode(), "\ufeffmark".encode(),
    "😀".encode(), "ﬁ".encode(), "fi".encode(), b"A", b"a", b"x" * 65536, b"x" * 65535 + b"y", b"id=1", b"a:b", b"a b",
]
COLUMNS = [b"plain", b'odd "column",\n']


def quoted(name):
    return b'"' + name.replace(b'"', b'""') + b'"'


def lines(data):
    """The records of a CSV of bytes."""
    csv.field_size_limit(1 << 20)
    reader = csv.reader(io.StringIO(data.decode("latin-1"), newline=""), strict=True)
    return [[field.encode("latin-1") for field in record] for record in reader]


def make_stream(ground):
    rng = random.Random(3)
    records = [b"row,column,label"]
    for _ in range(3):
        records += [b",".join((quoted(name), quoted(column), rng.choice((b"1", b"-1"))))
                    for name in ODD for column in COLUMNS]
    write(ground.path("odd.csv"), b"\n".join(records) + b"\n")
    write(ground.path("odd-pairs.csv"), b"\n".join(b",".join((quoted(name), quoted(COLUMNS[0]))) for name in ODD) + b"\n")
    write(ground.path("odd-classes.txt"), b"".join(b",".join((quoted(name), b"%d\n" % (len(name) % 3))) for name in ODD))


def ask(ground, model, committee):
    """predict, top and explain give the ids back."""
    found = [record[0] for record in lines(ground.must("predict", model, "odd-pairs.csv"))[1:]]
    ground.check(found == ODD, f"{model}: predict gives back {set(found) ^ set(ODD)}")
    ranked = {record[1] for record in lines(ground.must("top", model, "--column", COLUMNS[1], "-n", str(len(ODD))))[1:]}
    ground.check(ranked == set(ODD), f"{model}: top gives back {ranked ^ set(ODD)}")
    for name in ODD:
        records = lines(ground.must("top", model, b"--row=" + name))[1:]
        ground.check(records and all(record[1] == name for record in records), f"{model}: top of {name[:40]!r} is {records}"[:300])
        if not committee:
            records = lines(ground.must("explain", model, "--quiet", "--by", "pair", "-n", "0", "--", name, COLUMNS[1]))
            ground.check(any(record[1] == name for record in records), f"{model}: explain does not name {name[:40]!r}")
    status, out, _ = ground.run("inspect", model, "--json")
    ground.check(status == 0 and isinstance(json.loads(out.decode("utf-8")), dict), f"{model}: inspect --json is no JSON")


def carry(ground, model):
    """Evidence goes out and in unchanged, and forgetting takes out one id alone."""
    exported = ground.must("evidence", model)
    write(ground.path("odd-evidence.csv"), exported)
    known = {record[0] for record in lines(exported)[1:]}
    ground.check(known == set(ODD), f"evidence lacks {set(ODD) - known}, invents {known - set(ODD)}")
    ground.must("evidence", model, "--import", "odd-evidence.csv", "--model", "twice.weft")
    once, twice = ([(*record[:2], int(record[2]) * by) for record in lines(data)[1:]]
                   for data, by in ((exported, 2), (ground.must("evidence", "twice.weft"), 1)))
    ground.check(once == twice, "evidence that was exported and imported is not twice what it was")
    for name in ODD:
        ground.must("forget", model, b"--row=" + name, "--model", "without.weft")
        left = {record[0] for record in lines(ground.must("evidence", "without.weft"))[1:]}
        ground.check(left == known - {name}, f"forgetting {name[:40]!r} leaves {len(left)} of {len(known) - 1} ids")


def play(ground):
    make_stream(ground)
    for model, options in (("odd-none.weft", ["--rows", "none", "--single"]),
                           ("odd-classes.weft", ["--rows", "classes:odd-classes.txt", "--single"]),
                           ("odd-committee.weft", ["--rows", "none"])):
        ground.must("run", "odd.csv", *options, "--columns", "none", "--quiet", "--model", model, "--predictions", "odd-out.csv")
        rows = [record[1] for record in lines(content(ground.path("odd-out.csv")))[1:]]
        ground.check(rows == [name for _ in range(3) for name in ODD for _ in COLUMNS], f"{model}: predictions name other ids")
        ask(ground, model, "committee" in model)
    carry(ground, "odd-none.weft")
    print(f"  {len(ODD)} ids, three models", flush=True)
