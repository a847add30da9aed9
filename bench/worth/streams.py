"""Twenty streams to judge by what side information is worth: real ones, clicks that are made, and some whose side
information belongs to other ids."""
import csv
import os
import random
import subprocess


class Stream:
    """Lines of a stream and the SPECs of what is known; `other` is the side whose ids are exchanged, or ""."""

    def __init__(self, name, path, rows, columns, limit, other="", one_set=False):
        self.name, self.path, self.limit, self.other = name, path, limit, other
        self.rows, self.columns, self.one_set = rows, columns, one_set

    def lines(self, order):
        """The header and the events, of order 0 as they stand, of others shuffled."""
        with open(self.path, encoding="utf-8", newline="") as file:
            table = list(csv.reader(file))
        header, events = table[0], table[1:]
        if order > 0:
            random.Random(order).shuffle(events)
        events = events[:self.limit]
        for place in [["rows", "columns"].index(self.other)] if self.other else []:
            ids = sorted({event[place] for event in table[1:]})
            turned = dict(zip(ids, random.Random(7 + order).sample(ids, len(ids))))
            events = [event[:place] + [turned[event[place]]] + event[place + 1:] for event in events]
        return header, events

    def write(self, order, path):
        header, events = self.lines(order)
        with open(path, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([header] + events)

    def sides(self):
        """What can be left out: of one set of ids "both" alone."""
        if self.one_set:
            return ["both"]
        known = [side for side, spec in (("rows", self.rows), ("columns", self.columns)) if spec != "none"]
        return known + (["both"] if len(known) == 2 else [])

    def options(self, without=""):
        """Of weft run, without the side information of "rows", "columns" or "both"."""
        if self.one_set:
            return ["--both", "none" if without else self.rows]
        return ["--rows", "none" if without in ("rows", "both") else self.rows,
                "--columns", "none" if without in ("columns", "both") else self.columns]


def make_clicks(maker, folder, share, seed):
    if not os.path.exists(folder + "/events.csv"):
        subprocess.run(["python3", maker, folder, "--share", str(share), "--events", "8000", "--users", "600",
                        "--items", "200", "--seed", str(seed)], check=True, stdout=subprocess.DEVNULL)
    return folder


def all_streams(data, clicks, build, work):
    """data: the folder of real data; clicks: make_clicks.py; build: where example-make_demo is."""
    def real(name, rows, columns, limit, other="", tag=""):
        at = data + "/" + name + "/"
        put = lambda spec: spec.replace("@", at)
        return Stream(name + tag, at + "stream.csv", put(rows), put(columns), limit, other)

    def one_set(name, limit):
        at = data + "/" + name + "/"
        return Stream(name, at + "stream.csv", "graph:" + at + "graph.txt", None, limit, one_set=True)

    def made(share, seed, users="table:%s/users.csv"):
        at = make_clicks(clicks, "%s/clicks%g-%d" % (work, share, seed), share, seed)
        return Stream("clicks %g%s" % (share, "" if users.startswith("table") else " follows"), at + "/events.csv",
                      users % at, "table:%s/items.csv" % at, 8000)

    demo = work + "/demo"
    os.makedirs(demo, exist_ok=True)
    subprocess.run([build + "/example-make_demo", demo, "1"], check=True, stdout=subprocess.DEVNULL)
    liked = lambda limit, other, tag: Stream("demo" + tag, demo + "/stream.csv", "graph:" + demo + "/row-graph.txt",
                                             "graph:" + demo + "/column-graph.txt", limit, other)
    kernels = ("kernel:@row-kernel.tsv,repair=clip", "kernel:@column-kernel.tsv,repair=clip")
    return [
        real("senate116", "classes:@row-classes.txt", "features:@column-features.csv", 2000),
        real("senate116", "features:@row-features.csv", "features:@column-features.csv", 6000, tag=" features"),
        real("senate116", "classes:@row-classes.txt", "features:@column-features.csv", 4000, "rows", " other rows"),
        real("senate113", "graph:@row-graph.txt", "features:@column-features.csv", 6000),
        real("dti_nr", *kernels, 1404),
        real("dti_nr", *kernels, 1404, "rows", " other rows"),
        real("dti_nr", *kernels, 1404, "columns", " other columns"),
        real("dti_gpcr", *kernels, 6000),
        real("votes84", "classes:@row-classes.txt", "none", 6568),
        real("votes84", "classes:@row-classes.txt", "none", 3000, "rows", " other rows"),
        one_set("football", 4000),
        one_set("polblogs", 4000),
        one_set("cora", 4000),
        made(-0.3, 7),
        made(-2, 7),
        made(-4, 7),
        made(-4, 8, "graph:%s/follows.csv"),
        liked(2000, "", ""),
        liked(4000, "rows", " other rows"),
        liked(4000, "columns", " other columns"),
    ]
