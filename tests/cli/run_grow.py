"""SPDX-License-Identifier: MIT

A shop over ten days: users, items, follows and events are appended to, some users are missing from the table until
later.  `weft run dayK --resume m --model m`, day by day, ends in the digest of one process that was told the same
between the same events (driver_grow.c), and a model that has grown and is resumed goes on to the byte.
"""

import csv
import os
import random
import shutil
import subprocess
import sys
import tempfile

WEFT = os.path.abspath(os.environ["WEFT_BIN"])
DRIVER = os.path.abspath([d for d in os.environ["WEFT_DRIVER"].split(":") if d.endswith("grow")][0])
LONG = os.environ.get("WEFT_LONG") == "yes"
DAYS = 10
USERS, ITEMS, EVENTS = (300, 80, 4000) if LONG else (120, 40, 800)
GRAPH = "graph:follows.csv"
PLAYS = [
    ("table:users.csv", "table:items.csv"),
    (GRAPH, "classes:kinds.csv"),
    (GRAPH + ",kernel=none", "table:items.csv"),
    (GRAPH + ",kernel=diffusion,time=3,scale=unit", "none"),
    ("table:users.csv,+" + GRAPH, "table:items.csv,+classes:kinds.csv"),
    (GRAPH + ",+table:users.csv", "none", "--single", "--capacity", "400x100"),
]
checks = 0


def check(held, what):
    global checks
    checks += 1
    if not held:
        sys.exit(f"FAILED: {what}")


def run(*words, cwd=".", status=0):
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, timeout=600)
    if done.returncode != status:
        sys.exit(f"{' '.join(words)}\nstatus {done.returncode}, expected {status}\n{done.stderr}")
    return done.stdout, done.stderr


def user(i):
    return ["Müller, Jörg", 'O"Brien', "李 雷"][i] if i < 3 else f"u{i:04}"


def item(j):
    return f"item-{j:03}"


def make_shop(rng):
    """Lines of every file, in the order in which they come."""
    group = [rng.randrange(5) for _ in range(USERS)]
    kind = [rng.randrange(6) for _ in range(ITEMS)]
    taste = [[rng.gauss(0, 1.5) for _ in range(6)] for _ in range(5)]
    events = []
    for n in range(EVENTS):
        u = rng.randrange(10 + (USERS - 10) * n // EVENTS)
        i = rng.randrange(6 + (ITEMS - 6) * n // EVENTS)
        events.append([user(u), item(i), int(rng.gauss(taste[group[u]][kind[i]], 1) > 0), 1700000000 + n])
    users = []
    for u in range(USERS):
        age = "" if rng.random() < 0.1 else int(30 + 10 * group[u] + rng.gauss(0, 5) + (400 if u == USERS - 3 else 0))
        users.append([user(u), age, round(rng.gauss(0, 1), 3), ["DE", "FR", "US", "IT", "ES"][group[u]] + str(u * 4 // USERS)])
    late = [line for line in users if rng.random() < 0.2]
    users = [line for line in users if line not in late] + late
    items = [[item(j), f"cat{kind[j] if j < ITEMS // 2 else kind[j] + j % 2}", j % 7] for j in range(ITEMS)]
    follows = []
    for u in range(1, USERS):
        for _ in range(2):
            other = rng.randrange(u)
            follows.append([user(u), user(other)])
    return events, users, items, follows


def write(path, header, lines):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        if header:
            writer.writerow(header)
        writer.writerows(lines)


def part(lines, day):
    return lines[: len(lines) * day // DAYS]


def write_days(shop, rng):
    events, users, items, follows = shop
    for day in range(1, DAYS + 1):
        folder = f"day{day}"
        os.mkdir(folder)
        write(f"{folder}/events.csv", ["user_id", "item_id", "clicked", "ts"], part(events, day)[len(part(events, day - 1)) :])
        shuffled = part(users, day)
        if day % 3 == 0:
            rng.shuffle(shuffled)
        write(f"{folder}/users.csv", ["user_id", "age", "f1", "country"], shuffled)
        write(f"{folder}/items.csv", ["item_id", "category", "size"], part(items, day))
        write(f"{folder}/kinds.csv", None, [line[:2] for line in part(items, day)])
        write(f"{folder}/follows.csv", None, part(follows, day))


def options(name, specs):
    return [word for spec in specs.split(",+") for word in (name, spec)]


def resume_day(day, rows, columns, more):
    """The model of day - 1, moved to where the files of this day are."""
    words = options("--rows", rows) + options("--columns", columns) + more
    if day > 1:
        os.replace(f"day{day - 1}/m", f"day{day}/m")
        words = ["--resume", "m"]
    return run(WEFT, "run", "events.csv", *words, "--model", "m", "--open", "0", cwd=f"day{day}")[1]


def check_days(rows, columns, *more):
    told, clipped, single = "", False, "--single" in more
    for day in range(1, DAYS + 1):
        told = resume_day(day, rows, columns, list(more))
        if day == 1:
            shutil.copy("day1/m", "day1/first")
        check(day == 1 or rows == "none" or "grown: " in told, f"{rows}, day {day}: nothing has grown\n{told}")
        clipped = clipped or "cut off" in told
    check(not rows.startswith("table") or clipped, f"{rows}: nothing was cut off")
    digest = run(WEFT, "inspect", "m", "--digest", cwd=f"day{DAYS}")[0].strip()
    played = run(DRIVER, str(DAYS), rows, columns, *(["first"] if single else []))[0].strip()
    check(digest == played, f"{rows} and {columns}: digest {digest} day by day, {played} in one process")


def check_going_on(rows, columns):
    """Once it has grown, a day in two parts is the day."""
    last = f"day{DAYS}"
    lines = open(f"{last}/events.csv", encoding="utf-8").read().splitlines(keepends=True)
    for name, some in (("first.csv", lines[:20]), ("second.csv", lines[:1] + lines[20:])):
        with open(f"{last}/{name}", "w", encoding="utf-8") as file:
            file.writelines(some)
    run(WEFT, "run", "events.csv", "--resume", "m", "--model", "whole", "--quiet", "--open", "0", cwd=last)
    run(WEFT, "run", "first.csv", "--resume", "m", "--model", "half", "--quiet", "--open", "0", cwd=last)
    run(WEFT, "run", "second.csv", "--resume", "half", "--model", "parts", "--quiet", "--open", "0", cwd=last)
    with open(f"{last}/whole", "rb") as a, open(f"{last}/parts", "rb") as b:
        check(a.read() == b.read(), f"{rows} and {columns}: a day in two parts is another")


def check_refusal():
    """What was there must stay, and an error leaves the model."""
    last = f"day{DAYS}"
    with open(f"{last}/users.csv", encoding="utf-8") as file:
        lines = file.read().splitlines(keepends=True)
    whole = lines[5]
    lines[5] = lines[5].replace(",DE", ",XX").replace(",FR", ",XX").replace(",US", ",XX").replace(",IT", ",XX").replace(",ES", ",XX")
    with open(f"{last}/users.csv", "w", encoding="utf-8") as file:
        file.writelines(lines)
    before = open(f"{last}/m", "rb").read()
    told = run(WEFT, "run", "events.csv", "--resume", "m", "--model", "m", "--quiet", cwd=last, status=4)[1]
    check("users.csv:6: id '" in told and "XX" in told, told)
    check(open(f"{last}/m", "rb").read() == before, "the model has changed")
    lines[5] = whole
    with open(f"{last}/users.csv", "w", encoding="utf-8") as file:
        file.writelines(lines)


def main():
    rng = random.Random(11)
    shop = make_shop(rng)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write_days(shop, rng)
        for rows, columns, *more in PLAYS:
            check_days(rows, columns, *more)
            check_going_on(rows, columns)
        for play in PLAYS[0], PLAYS[4]:
            check_days(*play)
            check_refusal()
        os.chdir("/")
    print(f"{checks} checks")


main()
