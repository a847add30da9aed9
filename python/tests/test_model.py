"""SPDX-License-Identifier: MIT

weft.Model beside itself: ids, labels, copies, questions, errors.
"""

import copy
import pickle

import numpy as np
import pytest

import weft
from conftest import made_events, made_graph

EVENTS = list(zip(*made_events(150)))


def taught(**sides):
    return weft.Model(**sides).learn(EVENTS)


# ---- Ids ----


def test_ids_keep_their_types():
    model = weft.Model()
    model.learn([(1, "a", 1), (np.int64(2), "b", -1), (3.0, np.str_("c"), 1)])
    assert model.rows == [1, 2, 3] and model.columns == ["a", "b", "c"]
    assert [type(id) for id in model.rows] == [int] * 3 and type(model.columns[2]) is str
    assert model.predict_one(np.int64(2), "b") == model.predict_one(2, "b") == model.predict_one(2.0, "b")
    assert {best.id for best in model.rank(column="a")} == {1, 2, 3}


@pytest.mark.parametrize("first,second", [(1, "1"), ("1", 1), (-5, "-5"), ("0", 0)])
def test_ids_do_not_mix(first, second):
    model = weft.Model()
    model.learn_one(first, "a", 1)
    for call in (lambda: model.learn_one(second, "a", 1), lambda: model.predict_one(second, "a"),
                 lambda: model.learn([(second, "a", 1)]), lambda: model.predict([(second, "b")]),
                 lambda: weft.Model().run([(first, "a", 1), (second, "a", 1)]),
                 lambda: model.forget(row=second)):
        with pytest.raises(ValueError, match="mix"):
            call()
    assert model.rows == [first] and model.trials == 1
    model.learn_one("01", "a", 1)
    assert model.rows == [first, "01"]


def test_one_set_does_not_mix_either():
    model = weft.Model(both="none")
    with pytest.raises(weft.InputError):
        model.learn([(1, "1", 1)])
    assert model.learn([(1, 2, 1), (2, 3, 0)]).rows == [1, 2, 3]


@pytest.mark.parametrize("id", [None, float("nan"), "", "a\0b", [1], {}])
def test_what_is_no_id(id):
    model = weft.Model()
    for call in (lambda: model.predict_one(id, "a"), lambda: model.learn_one("a", id, 1),
                 lambda: model.run([(id, "a", 1)]), lambda: model.predict([("a", id)])):
        with pytest.raises(ValueError):
            call()
    assert model.trials == 0 and model.rows == []


def test_other_ids_work_and_are_not_saved():
    model = weft.Model()
    model.learn([((1, 2), "a", 1), (frozenset("x"), "a", 0), (0.5, "b", 1)])
    assert model.rows == [(1, 2), frozenset("x"), 0.5]
    assert model.predict_one((1, 2), "a").probability == model.predict_proba([((1, 2), "a")])[0, 1]
    with pytest.raises(weft.ArgumentError, match="tuple"):
        model.save("m.weft")
    other = pickle.loads(pickle.dumps(model))
    assert other.rows == model.rows and other.predict_one((1, 2), "a") == model.predict_one((1, 2), "a")
    other.learn_one((3,), "b", 1)
    assert other.rows[-1] == (3,)


def test_names_of_files_have_the_type_of_the_first_id():
    with open("classes.txt", "w", encoding="utf-8") as file:
        file.write("1 x\n2 x\n03 y\n")
    assert weft.Model(rows="classes:classes.txt").rows == ["1", "2", "03"]
    model = weft.Model(rows="classes:classes.txt")
    model.learn_one(2, "a", 1)
    assert model.rows == [1, 2, "03"]
    model = weft.Model(rows="classes:classes.txt")
    model.learn_one("2", "a", 1)
    assert model.rows == ["1", "2", "03"]
    with pytest.raises(ValueError, match="mix"):
        model.predict_one(1, "a")


def test_any_text_is_an_id():
    odd = ["a,b", 'say "hi"', "two\nlines", "\x1b[31m", "ünï", "\udcff", " blank ", "#x", "-", "(tuple 0)"]
    model = weft.Model(rows=weft.classes({id: k % 2 for k, id in enumerate(odd)}))
    model.learn([(id, id, k % 2) for k, id in enumerate(odd * 3)])
    model.save("m.weft")
    assert model.columns == odd and weft.load("m.weft").columns == odd
    assert weft.load("m.weft").digest == model.digest


def test_new_ids_are_asked_about_as_one_by_one():
    for sides in ({}, {"both": "none"}):
        model = weft.Model(**sides).learn(EVENTS)
        pairs = [("r1", "c2"), ("r1", "new"), ("new", "c2"), ("new", "new"), ("new", "newer"), ("newer", "new")]
        assert model.predict_proba(pairs)[:, 1].tolist() == [model.predict_one(*pair).probability for pair in pairs]
        assert "new" not in model.rows


# ---- Labels ----


@pytest.mark.parametrize("labels,answers,kind", [
    ((True, False), {True, False}, np.bool_), ((1, 0), {1, 0}, np.int8), ((1, -1), {1, -1}, np.int8),
    ((np.float64(1), np.float64(0)), {1, 0}, np.int8), ((np.bool_(True), np.bool_(False)), {True, False}, np.bool_)])
def test_labels_are_answered_in_their_language(labels, answers, kind):
    events = [(row, column, labels[0] if sign > 0 else labels[1]) for row, column, sign in EVENTS]
    model = weft.Model().learn(events)
    found = model.predict(event[:2] for event in events)
    assert set(found.tolist()) == answers and found.dtype == kind
    assert model.predict_one("r0", "c0").label in answers
    assert model.digest == taught().digest


@pytest.mark.parametrize("labels", [[1, 0, -1], [1, 2], [0.5], ["yes"], [None, "x"], [3]])
def test_what_is_no_label(labels):
    model = weft.Model()
    events = [("a", "b", label) for label in labels]
    with pytest.raises(ValueError, match="label"):
        model.learn(events)
    with pytest.raises(ValueError, match="label"):
        for event in events:
            model.learn_one(*event)


def test_words_of_labels_are_kept():
    pandas = pytest.importorskip("pandas")
    told = pandas.Categorical(["skip", "buy"], categories=["skip", "buy"])
    model = weft.Model()
    model.run({"row": ["a", "b"], "column": ["x", "x"], "label": told})
    model.save("m.weft")
    opened = weft.load("m.weft")
    assert set(opened.predict([("a", "x"), ("b", "x")])) <= {"skip", "buy"}
    with pytest.raises(ValueError, match="'skip' and 'buy'"):
        opened.learn({"row": ["a"], "column": ["x"],
                      "label": pandas.Categorical(["buy"], categories=["buy", "skip"])})
    with open("words.csv", "w", encoding="utf-8") as file:
        file.write("a,x,Buy\nb,x,skip\n")
    opened.run("words.csv")
    assert opened.trials == 4
    other = weft.Model()
    other.run({"row": ["a", "b"], "column": ["x", "x"],
               "label": pandas.Categorical(["skip", "buy"], categories=["buy", "skip"])})
    with pytest.raises(ValueError, match="'skip'"):
        opened.merge(other)
    assert opened.trials == 4


def test_one_language_a_model():
    model = weft.Model().learn([("a", "b", -1)])
    for call in (lambda: model.learn_one("a", "b", 0), lambda: model.learn([("a", "b", 0)]),
                 lambda: model.run({"row": ["a"], "column": ["b"], "label": np.array([0])})):
        with pytest.raises(ValueError, match="-1 and 1"):
            call()
    model.save("m.weft")
    with pytest.raises(ValueError, match="-1 and 1"):
        weft.load("m.weft").learn_one("a", "b", 0)
    with open("bits.csv", "w", encoding="utf-8") as file:
        file.write("a,b,0\na,b,1\n")
    with pytest.raises(ValueError):
        model.run("bits.csv")
    assert model.trials == 1


def test_no_label_predicts_only():
    model = taught()
    before = model.digest
    for label in (None, float("nan"), np.nan):
        answer = model.learn_one("r1", "brand new", label)
        assert answer.mistake is None
    frame = model.run([("r1", "c1", None), ("r2", "c9", float("nan"))])
    assert model.digest == before and np.isnan(np.asarray(frame["label"], dtype=float)).all()


# ---- Copies, pickles, files ----


@pytest.mark.parametrize("sides", [{}, {"rows": weft.graph(made_graph())}, {"both": weft.graph(made_graph())},
                                   {"rows": weft.classes({f"r{k}": k % 2 for k in range(12)}),
                                    "columns": weft.features(np.arange(18.0).reshape(9, 2), range(9))}])
def test_copies_go_on_to_the_bit(sides):
    ids = {"columns": 1} if "columns" in sides else {}
    events = [(row, int(column[1:]), sign) if ids else (row, column, sign) for row, column, sign in EVENTS]
    model = weft.Model(**sides).learn(events[:100])
    model.save("m.weft")
    others = [model.copy(), copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(model)),
              weft.load("m.weft")]
    wanted = model.run(events[100:])
    for other in others:
        found = other.run(events[100:])
        assert np.array_equal(found["probability"], wanted["probability"]) and other.digest == model.digest
        assert other.rows == model.rows and other.columns == model.columns
        assert repr(other) == repr(model)


def test_a_copy_is_independent():
    model = taught()
    other = model.copy()
    other.learn_one("new", "newer", 1)
    assert "new" in other.rows and "new" not in model.rows and other.trials == model.trials + 1


def test_pickles_need_no_files(tmp_path):
    with open("graph.txt", "w", encoding="utf-8") as file:
        file.writelines(" ".join(map(str, edge)) + "\n" for edge in made_graph())
    model = taught(rows="graph:graph.txt")
    model.save("m.weft")
    content = pickle.dumps(model)
    (tmp_path / "graph.txt").rename(tmp_path / "elsewhere.txt")
    assert pickle.loads(content).digest == model.digest
    with pytest.raises(OSError):
        weft.load("m.weft")
    assert weft.load("m.weft", rows="graph:elsewhere.txt").digest == model.digest


def test_merge():
    half = len(EVENTS) // 2
    a, b = weft.Model().learn(EVENTS[:half]), weft.Model().learn([*EVENTS[half:], ("only b", "c0", 1)])
    trials = b.trials
    assert a.merge(b) is a
    assert a.trials == half + trials and "only b" in a.rows and b.trials == trials
    assert a.predict_one("only b", "c0").asked > 0
    with pytest.raises(weft.ArgumentError):
        a.merge(weft.Model(rows=weft.classes({"r1": 1, "r2": 2})))
    with pytest.raises(weft.ArgumentError):
        a.merge(a)
    with pytest.raises(weft.ArgumentError):
        a.merge("b")
    with pytest.raises(ValueError, match="mix"):
        weft.Model().learn([(1, "a", 1)]).merge(weft.Model().learn([("1", "a", 1)]))


def test_forget():
    model = taught()
    model.forget(row="r1")
    model.forget(column="c1")
    assert not any(i.row == "r1" or i.column == "c1" for i in model.explain("r2", "c2").influences if i.count)
    for wrong in ({}, {"id": "r1"}, {"row": "r1", "column": "c1"}):
        with pytest.raises(weft.ArgumentError):
            model.forget(**wrong)
    with pytest.raises(KeyError, match="nobody"):
        model.forget(row="nobody")
    one = weft.Model(both="none").learn(EVENTS)
    one.forget("r1")
    assert not any("r1" in i[:2] for i in one.explain("r2", "c2").influences if i.count)


# ---- Questions ----


def test_rank_is_what_predictions_say():
    model = taught(rows=weft.graph(made_graph()))
    best = model.rank("r1", 4)
    everyone = model.columns
    probabilities = model.scores([("r1", id) for id in everyone])
    order = sorted(range(len(everyone)), key=lambda k: (-probabilities[k], k))[:4]
    assert [one.id for one in best] == [everyone[k] for k in order]
    assert [one.score for one in best] == [probabilities[k] for k in order]
    assert best[0].id not in [one.id for one in model.rank("r1", 99, exclude=[best[0].id])]
    assert [one.id for one in model.rank("r1", candidates=["c1", "c1", "brand new"])].count("c1") == 1
    assert {one.id for one in model.rank(column="c1", n=99)} == set(model.rows)
    assert model.rank("nobody", 3) and model.rank("r1", exclude=everyone) == []
    for wrong in ({}, {"row": "r1", "column": "c1"}, {"row": "r1", "n": 0}):
        with pytest.raises(weft.ArgumentError):
            model.rank(**wrong)


def test_questions_change_nothing():
    model = taught(rows=weft.graph(made_graph()))
    before = model.digest
    model.rank("r1")
    model.explain("r1", "c1")
    model.worth(), model.members(), model.guarantee(), repr(model)
    model.predict([("r1", "c1"), ("x", "y")], threads=2)
    assert model.digest == before


def test_worth_and_guarantee():
    model = taught(rows=weft.graph(made_graph()))
    worth = model.worth()
    assert list(worth) == ["rows", "columns", "both"] and worth["columns"] is None
    assert worth["rows"]["verdict"] in ("helps", "at_most", "unclear") and worth["rows"]["trials"] == model.trials
    for lost in (worth["rows"]["log_loss"], worth["rows"]["mistakes"]):
        assert lost["low"] <= lost["saved"] <= lost["high"]
        assert abs(lost["without"] - lost["with"] - lost["saved"]) < 1e-9
    assert list(weft.Model(both=weft.graph(made_graph())).worth()) == ["ids"]
    found = model.guarantee()
    assert found["expected_mistakes"] <= found["bound"] and found["mistakes"] == model.mistakes
    members = model.members()
    assert len(members["name"]) > 10 and abs(float(np.sum(members["weight"])) - 1) < 1


def test_threads_change_no_bit():
    pairs = [event[:2] for event in EVENTS]
    a, b = taught(), weft.Model(threads=2).learn(EVENTS)
    assert a.digest == b.digest
    assert np.array_equal(a.predict_proba(pairs), b.predict_proba(pairs, threads=2))


def test_settings():
    assert weft.Model(seed=7, randomised=True).learn(EVENTS).digest != taught().digest
    assert weft.Model(randomised=True).learn(EVENTS).digest == weft.Model(randomised=True).learn(EVENTS).digest
    for wrong in ({"seed": -1}, {"seed": 2**64}, {"both": "none", "rows": "none"}, {"threads": 9999}):
        with pytest.raises(ValueError):
            weft.Model(**wrong)


# ---- Side information ----


def test_none_lists_ids():
    assert weft.Model(rows=weft.none(["b", "a"])).rows == ["b", "a"]


def test_classes():
    pandas = pytest.importorskip("pandas")
    wanted = taught(rows=weft.classes({f"r{k}": k % 2 for k in range(12)})).digest
    series = pandas.Series([k % 2 for k in range(12)], index=[f"r{k}" for k in range(12)])
    assert taught(rows=weft.classes(series)).digest == wanted
    assert taught(rows=weft.classes(series.astype("category"))).digest == wanted
    assert taught(rows=weft.classes(["even", "odd"] * 6, series.index)).digest == wanted
    assert weft.Model(rows=weft.classes({"a": 1, "b": None, "c": float("nan")})).rows == ["a"]


def test_graphs_agree():
    scipy_sparse = pytest.importorskip("scipy.sparse")
    ids = [f"r{k}" for k in range(12)]
    dense = np.zeros((12, 12))
    for a, b, *w in made_graph():
        i, j = ids.index(a), ids.index(b)
        dense[i, j] = dense[j, i] = w[0] if w else 1
    for kernel in ({}, {"kernel": "regularised", "sigma": 2}, {"kernel": "diffusion", "time": 3, "scale": "unit"},
                   {"kernel": "none"}, {"laplacian": "normalised"}):
        models = [taught(rows=weft.graph(made_graph(), ids, **kernel)),
                  taught(rows=weft.graph(dense, ids, **kernel)),
                  taught(rows=weft.graph(scipy_sparse.csr_matrix(dense), ids, **kernel)),
                  taught(rows=weft.graph(scipy_sparse.coo_array(np.triu(dense)), ids, **kernel))]
        asked = [model.predict_proba([("r1", "c1"), ("r2", "c3")]) for model in models]
        for other in asked[1:]:
            assert np.allclose(other, asked[0], rtol=1e-6, atol=1e-9)
    numbers = weft.Model(both=weft.graph(scipy_sparse.csr_array(dense)))
    assert numbers.rows == list(range(12))


def test_repair():
    matrix = np.array([[1.0, 2.0], [2.0, 1.0]])
    with pytest.raises(weft.InputError, match="repair"):
        weft.Model(rows=weft.kernel(matrix, ["a", "b"]))
    assert weft.Model(rows=weft.kernel(matrix, ["a", "b"], repair="clip")).rows == ["a", "b"]


@pytest.mark.parametrize("make", [
    lambda: weft.graph([("a", "b")], kernel="cubic"), lambda: weft.graph([("a", "b")], kernel="regularised"),
    lambda: weft.graph([("a", "b")], time=3), lambda: weft.graph([("a",)]), lambda: weft.graph(["ab"]),
    lambda: weft.graph(np.zeros((2, 3))), lambda: weft.graph([("a", "b")], ids=["a"]),
    lambda: weft.Model(rows=weft.graph([("a", "b", -1)])), lambda: weft.Model(rows=weft.graph([("a", "b", np.nan)])),
    lambda: weft.graph([(1, "1")]), lambda: weft.classes([1, 2], ["a"]), lambda: weft.classes({"a": 1, 1: 2, "1": 3}),
    lambda: weft.kernel(np.zeros((2, 3))), lambda: weft.kernel(lambda a, b: 1.0), lambda: weft.kernel(np.eye(2), ["a"]),
    lambda: weft.kernel(np.eye(2), ["a", "a"]), lambda: weft.kernel([["x"]]), lambda: weft.kernel(np.eye(2), repair="x"),
    lambda: weft.Model(rows=weft.kernel(np.array([[1, np.inf], [np.inf, 1]]))),
    lambda: weft.features([1.0, 2.0]), lambda: weft.features([[1.0]], width=2.0),
    lambda: weft.features([[1.0]], kernel="gaussian"), lambda: weft.features([[1.0]], kernel="rbf"),
    lambda: weft.features([[1.0]], kernel="linear", epsilon=0.1, width=2.0),
    lambda: weft.Model(rows=weft.features([[np.nan]], kernel="gaussian", width=1)),
    lambda: weft.table({"a": [1], "b": [1, 2]}), lambda: weft.table({"a": [1]}, ids="b"),
    lambda: weft.Model(rows="graph"), lambda: weft.Model(rows="nothing:x"), lambda: weft.Model(rows=[]),
    lambda: weft.Model(rows={"a": 1}), lambda: weft.Model(rows=[("a", "b")]), lambda: weft.Model(rows=np.eye(3)),
    lambda: weft.Model(rows=[weft.classes({1: 1}), weft.classes({"1": 1})]),
    lambda: weft.Model(rows=[weft.none(["a"]), weft.classes({"a": 1})]),
])
def test_what_is_no_side_information(make):
    with pytest.raises(ValueError) as caught:
        make()
    assert isinstance(caught.value, weft.Error) and caught.value.status.startswith("WEFT_")


def test_a_side_can_be_used_again():
    side = weft.graph(made_graph())
    assert taught(rows=side).digest == taught(rows=side).digest
    several = [side, weft.classes({"r1": 1, "r2": 1, "x": 2})]
    assert taught(both=several).digest == taught(both=several[::-1]).digest
    assert {"r0", "r1", "x"} < set(taught(both=several).rows)


# ---- Errors ----


def test_errors_are_what_python_calls_them():
    with pytest.raises(OSError) as caught:
        weft.Model(rows="graph:no-such-file")
    assert caught.value.status == "WEFT_FILE" and "no-such-file" in str(caught.value)
    with pytest.raises(OSError) as caught:
        weft.Model().save("no/such/folder/m.weft")
    assert caught.value.status == "WEFT_WRITE"
    with open("damaged.weft", "wb") as file:
        file.write(weft.Model().to_bytes()[:-1])
    with pytest.raises(weft.ModelError):
        weft.load("damaged.weft")
    with open("classes.txt", "w", encoding="utf-8") as file:
        file.write("a x\nb y\n")
    model = weft.Model(rows="classes:classes.txt,missing=error")
    for call in (lambda: model.predict_one("c", "x"), lambda: model.learn_one("c", "x", 1),
                 lambda: model.learn([("a", "x", 1), ("c", "x", 1)]), lambda: model.predict([("c", "x")])):
        with pytest.raises(KeyError) as caught:
            call()
        assert caught.value.status == "WEFT_UNKNOWN_ID" and str(caught.value).startswith("found id 'c'")
    assert model.trials == 1 and model.columns == ["x"]
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is weft.UnknownIdError and again.status == "WEFT_UNKNOWN_ID" and str(again) == str(caught.value)
    with open("bad.csv", "w", encoding="utf-8") as file:
        file.write("row,column,label\na,x,1\na,x,maybe\n")
    with pytest.raises(weft.InputError, match="bad.csv:3"):
        model.run("bad.csv")
    assert model.trials == 1


@pytest.mark.parametrize("events", [5, [("a", "b")], [b"abc"], np.zeros(3), {"a": [1]}, {"row": ["a"], "column": ["b"]},
                                    {"row": ["a"], "column": ["b", "c"], "label": [1]},
                                    {"row": ["a"], "column": ["b"], "label": [1, 0]},
                                    {"user": ["a"], "reader": ["a"], "item": ["b"], "label": [1]},
                                    (np.array(["a"]), np.array(["b"]))])
def test_what_are_no_events(events):
    with pytest.raises(ValueError):
        weft.Model().run(events)


def test_nothing_at_all():
    model = weft.Model()
    assert len(model.run([])["t"]) == 0 and len(model.predict([])) == 0 and model.learn([]).trials == 0
    assert model.rank("a") == [] and model.explain("a", "b").influences == []


def test_no_memory_is_lost():
    resource = pytest.importorskip("resource")

    def cycle(times):
        for _ in range(times):
            model = weft.Model(rows=weft.graph([("a", "b"), ("b", "c")])).learn([("a", "x", 1), ("b", "y", 0)])
            pickle.loads(pickle.dumps(model)).predict_one("a", "y")
            with pytest.raises(weft.Error):
                weft.Model(rows=weft.graph([("a", "b", -1.0)]))

    cycle(30)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    cycle(60)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4096


# ---- Context ----

HOURS = ["6", "12", None]
TIMED = [(row, column, sign if k % 2 else -sign, "phone" if k % 2 else "desk", HOURS[k % 3])
         for k, (row, column, sign) in enumerate(EVENTS)]


def test_context():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(TIMED, columns=["row", "column", "label", "device", "hour"])
    model = weft.Model(context=["device", "hour"])
    out = model.run(frame)
    one = weft.Model(context=["device", "hour"])
    answers = [one.learn_one(*event[:3], {"device": event[3], "hour": event[4]}) for event in TIMED]
    assert [answer.probability for answer in answers] == out["probability"].tolist()
    assert weft.Model(context=["device", "hour"]).learn(TIMED).digest == one.digest == model.digest != taught().digest
    with open("stream.csv", "w", encoding="utf-8") as file:
        frame.to_csv(file, index=False)
    other = weft.Model(context=["device", "hour"])
    assert np.array_equal(other.run("stream.csv")["probability"], out["probability"])
    model.save("m.weft")
    for again in (weft.load("m.weft"), pickle.loads(pickle.dumps(model)), model.copy()):
        pairs = [(*event[:2], *event[3:]) for event in TIMED[:30]]
        asked = [again.predict_one(*pair[:2], pair[2:]).probability for pair in pairs]
        assert again.predict_proba(pairs)[:, 1].tolist() == asked
        assert asked[0] != again.predict_one(*pairs[0][:2]).probability
        assert [one.score for one in again.rank("r1", 3, context={"device": "desk"})]
    frame["hour"] = [6.0, 12, np.nan] * 50
    assert weft.Model(context=["device", "hour"]).learn(frame).digest == model.digest


def test_what_is_no_context():
    model = weft.Model(context=["device"])
    for call in (lambda: model.learn_one("a", "b", 1, {"colour": 1}), lambda: model.learn_one("a", "b", 1, (1, 2)),
                 lambda: model.learn([("a", "b", 1)]), lambda: weft.Model(context="device"),
                 lambda: model.learn({"row": ["a"], "column": ["b"], "label": [1]}),
                 lambda: weft.Model().predict_one("a", "b", {"device": 1}), lambda: weft.Model(context=["a", "a"]),
                 lambda: weft.Model(context=[""]), lambda: weft.Model(context=["x" * 64]),
                 lambda: weft.Model(context=list("abcdefghi"))):
        with pytest.raises(ValueError):
            call()
    assert model.trials == 0
