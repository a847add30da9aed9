"""SPDX-License-Identifier: MIT

The same bits as the command: predictions, digest, and the bytes of a model where SPECs are the same.
"""

import filecmp
import os
import subprocess

import numpy as np
import pytest

import weft
from conftest import ROOT, made_events, made_graph

pandas = pytest.importorskip("pandas")

COMMAND = os.environ.get("WEFT_BIN") or os.path.join(ROOT, "build", "release", "weft")
DATA = os.path.join(os.path.dirname(ROOT), "shared", "data")
if not os.path.isdir(DATA):
    DATA = os.path.join(ROOT, "..", "shared", "data")
LONG = os.environ.get("WEFT_LONG") == "yes"

SETS = {
    "cora": {"both": "graph:graph.txt"},
    "polblogs": {"both": "graph:graph.txt"},
    "football": {"both": "graph:graph.txt"},
    "senate116": {"rows": "graph:row-graph.txt", "columns": "features:column-features.csv"},
    "senate113": {"rows": "classes:row-classes.txt", "columns": "features:column-features.csv"},
    "dti_nr": {"rows": "kernel:row-kernel.tsv", "columns": "kernel:column-kernel.tsv,repair=clip"},
    "dti_gpcr": {"rows": "kernel:row-kernel.tsv", "columns": "kernel:column-kernel.tsv,repair=clip"},
    "votes84": {"rows": "classes:row-classes.txt", "columns": "none"},
}
# The graph of cora alone takes seconds to be made ready: fewer of them where every second counts.
EVENTS = {"cora": 60, "polblogs": 120} if not LONG else {}


def command(*arguments):
    return subprocess.run([COMMAND, *arguments], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE).stdout.decode()


def play(stream, spec, **more):
    """What the command makes of a stream: predictions, and where the model is."""
    sides = [word for side, text in spec.items() for word in ("--" + side, text)]
    # A label that comes after a line without one is an event of its own in Python.
    command("run", stream, *sides, "--quiet", "--open", "0", "--predictions", "out.csv", "--model", "command.weft",
            *[word for name, text in more.items() for word in ("--" + name, text)])
    return pandas.read_csv("out.csv", dtype={"row": str, "column": str}, float_precision="round_trip",
                           keep_default_na=False, na_values={"label": ""})


def same(frame, expected):
    assert list(frame.columns) == list(expected.columns)
    for name in expected.columns:
        ours, theirs = frame[name].to_numpy(), expected[name].to_numpy()
        if ours.dtype.kind == "f":
            assert np.array_equal(ours, theirs.astype(float), equal_nan=True), name
        else:
            assert (ours.astype(theirs.dtype) == theirs).all(), name


def digest(model="command.weft"):
    return command("inspect", model, "--digest").strip()


@pytest.mark.parametrize("name", SETS)
def test_real_data(name):
    folder = os.path.join(DATA, name)
    if not os.path.isdir(folder):
        pytest.skip("the real data sets are not here")
    for file in os.listdir(folder):
        if file != "stream.csv":
            os.symlink(os.path.join(folder, file), file)
    with open(os.path.join(folder, "stream.csv"), encoding="utf-8") as stream:
        lines = stream.readlines()
    with open("stream.csv", "w", encoding="utf-8") as stream:
        stream.writelines(lines[:1 + (5000 if LONG else EVENTS.get(name, 250))])
    expected = play("stream.csv", SETS[name])
    model = weft.Model(**SETS[name])
    same(model.run("stream.csv"), expected)
    assert model.digest == digest()
    model.save("python.weft")
    assert filecmp.cmp("command.weft", "python.weft", shallow=False)


def write_files():
    with open("graph.txt", "w", encoding="utf-8") as file:
        file.writelines(" ".join(map(str, edge)) + "\n" for edge in made_graph())
    rows, columns, signs = made_events(120)
    with open("stream.csv", "w", encoding="utf-8") as file:
        file.write("row,column,label\n")
        for k, (row, column, sign) in enumerate(zip(rows, columns, signs)):
            file.write(f"{row},{column},{'' if k % 7 == 5 else sign}\n")
    return rows, columns, [None if k % 7 == 5 else int(sign) for k, sign in enumerate(signs)]


SPEC = {"rows": "graph:graph.txt", "columns": "none"}


def forms(rows, columns, labels):
    """The same events in every way that run() takes."""
    frame = pandas.DataFrame({"row": rows, "column": columns, "label": np.array(labels, dtype=float)})
    yield "file", "stream.csv"
    yield "list of files", ["stream.csv"]
    yield "tuples", list(zip(rows, columns, labels))
    yield "iterator", zip(rows, columns, labels)
    yield "frame", frame
    yield "dict", {"row": rows, "column": columns, "label": labels}
    yield "usual names", frame.rename(columns={"row": "user_id", "column": "Item", "label": "clicked"})
    yield "numbered", pandas.DataFrame(list(zip(rows, columns, labels)))
    yield "categories", frame.assign(row=frame["row"].astype("category"), column=frame["column"].astype("category"))
    yield "nullable", frame.assign(label=frame["label"].astype("Int8"), row=frame["row"].astype("string"))
    yield "arrays", (np.array(rows), np.array(columns), np.array(labels, dtype=float))
    yield "objects", np.array(list(zip(rows, columns, labels)), dtype=object)
    yield "records", np.array(list(zip(rows, columns, np.array(labels, dtype=float))),
                              dtype=[("row", "U8"), ("column", "U8"), ("label", "f8")])


def test_every_form_of_events():
    given = write_files()
    expected = play("stream.csv", SPEC)
    for name, events in forms(*given):
        model = weft.Model(**SPEC)
        frame = model.run(events)
        same(frame, expected)
        assert model.digest == digest(), name
        model.save("python.weft")
        assert filecmp.cmp("command.weft", "python.weft", shallow=False), name


def test_one_by_one():
    rows, columns, labels = write_files()
    expected = play("stream.csv", SPEC)
    model = weft.Model(**SPEC)
    answers = [model.learn_one(*event) for event in zip(rows, columns, labels)]
    assert [answer.probability for answer in answers] == expected["probability"].tolist()
    assert [answer.sign for answer in answers] == expected["prediction"].tolist()
    assert [answer.vote for answer in answers] == expected["vote"].tolist()
    assert [answer.t + 1 for answer in answers] == expected["t"].tolist()
    assert model.digest == digest()


def test_other_labels_teach_the_same():
    rows, columns, labels = write_files()
    play("stream.csv", SPEC)
    yes = [None if label is None else label == 1 for label in labels]
    words = pandas.Categorical([None if label is None else "like" if label == 1 else "hate" for label in labels],
                               categories=["hate", "like"])
    for told, answers in ((yes, [False, True]), ([None if v is None else int(v) for v in yes], None),
                          (words, ["hate", "like"])):
        model = weft.Model(**SPEC)
        frame = model.run({"row": rows, "column": columns, "label": told})
        assert model.digest == digest()
        if answers is None:
            assert "answer" not in frame
        else:
            assert frame["answer"].tolist() == [answers[sign > 0] for sign in frame["prediction"]]


def test_words_of_a_file():
    write_files()
    with open("stream.csv", encoding="utf-8") as file:
        text = file.read().replace(",-1\n", ",no\n").replace(",1\n", ",yes\n")
    with open("words.csv", "w", encoding="utf-8") as file:
        file.write(text)
    expected = play("words.csv", SPEC)
    model = weft.Model(**SPEC)
    same(model.run("words.csv"), expected)
    model.save("python.weft")
    assert filecmp.cmp("command.weft", "python.weft", shallow=False)


def test_in_memory_as_in_files():
    """A graph in the order of its file gives the same bits, also where numbers are its ids."""
    given = write_files()
    play("stream.csv", SPEC)
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph()
    graph.add_weighted_edges_from([(*edge, 1.0)[:3] if len(edge) == 2 else edge for edge in made_graph()])
    frame = pandas.DataFrame([(*edge, 1.0)[:3] for edge in made_graph()])
    for side in (weft.graph(made_graph()), weft.graph(frame), weft.graph(graph)):
        model = weft.Model(rows=side)
        model.run(list(zip(*given)))
        assert model.digest == digest()


def test_the_command_takes_a_model_of_python():
    rows, columns, labels = write_files()
    model = weft.Model(rows=weft.graph(made_graph()))
    model.learn(zip(rows, columns, labels))
    model.save("python.weft")
    assert digest("python.weft") == model.digest
    with open("pairs.csv", "w", encoding="utf-8") as file:
        file.write("r1,c1\nr2,new\n")
    asked = command("predict", "python.weft", "pairs.csv").splitlines()
    told = [float(line.split(",")[dict(zip(asked[0].split(","), range(9)))["probability"]]) for line in asked[1:]]
    assert told == model.predict_proba([("r1", "c1"), ("r2", "new")])[:, 1].tolist()
    assert told == model.predict_proba("pairs.csv")[:, 1].tolist()
    back = weft.load("python.weft")
    assert back.digest == model.digest
    assert back.predict_one("r1", "c1") == model.predict_one("r1", "c1")


def test_kernels_and_features_of_memory():
    draw = np.random.default_rng(3)
    vectors = draw.normal(size=(12, 3))
    ids = [f"r{k}" for k in range(12)]
    kernel = np.exp(-((vectors[:, None] - vectors[None]) ** 2).sum(2))
    with open("kernel.csv", "w", encoding="utf-8") as file:
        file.write("," + ",".join(ids) + "\n")
        file.writelines(f"{id}," + ",".join(map(repr, row.tolist())) + "\n" for id, row in zip(ids, kernel))
    with open("vectors.csv", "w", encoding="utf-8") as file:
        file.writelines(f"{id}," + ",".join(map(repr, row.tolist())) + "\n" for id, row in zip(ids, vectors))
    with open("table.csv", "w", encoding="utf-8") as file:
        file.write("id,size,town\n")
        file.writelines(f"{id},{row[0]!r},{'abc'[k % 3]}\n" for k, (id, row) in enumerate(zip(ids, vectors.tolist())))
    table = pandas.DataFrame({"size": vectors[:, 0], "town": list("abc" * 4)}, index=ids)
    where = dict(zip(ids, range(12)))
    cases = [("kernel:kernel.csv", weft.kernel(kernel, ids)),
             ("kernel:kernel.csv", weft.kernel(pandas.DataFrame(kernel, index=ids, columns=ids))),
             ("kernel:kernel.csv", weft.kernel(lambda a, b: kernel[where[a], where[b]], ids)),
             ("features:vectors.csv,kernel=gaussian,width=0.7",
              weft.features(vectors, ids, kernel="gaussian", width=0.7)),
             ("features:vectors.csv,kernel=linear,epsilon=0.2",
              weft.features(dict(zip(ids, vectors)), kernel="linear", epsilon=0.2)),
             ("features:vectors.csv", weft.features(pandas.DataFrame(vectors, index=ids))),
             ("table:table.csv", weft.table(table)),
             ("table:table.csv", weft.table(table.reset_index(), ids="index")),
             ("table:table.csv,+kernel:kernel.csv", [weft.table(table), weft.kernel(kernel, ids)])]
    rows, columns, signs = made_events(80)
    for spec, side in cases:
        named, made = weft.Model(rows=spec), weft.Model(rows=side)
        a, b = named.run((np.array(rows), np.array(columns), signs)), made.run((np.array(rows), np.array(columns), signs))
        assert (a["probability"] == b["probability"]).all(), spec
        assert named.digest == made.digest, spec
