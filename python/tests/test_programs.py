"""SPDX-License-Identifier: MIT

Random programs of calls from several threads, against a plain model in Python: whatever the order in which threads
come, ids, counts and answers are those of one thread that makes the same calls in the order that the answers tell.
"""

import os
import pickle
import random
import threading

import pytest

import weft

PROGRAMS = 100 if os.environ.get("WEFT_LONG") == "yes" else 25
THREADS, CALLS = 3, 10


class Plain:
    """What a model knows, as simply as that can be said."""

    def __init__(self):
        self.rows, self.columns, self.events = [], [], []

    def learn(self, row, column, label):
        for ids, id in ((self.rows, row), (self.columns, column)):
            if id not in ids:
                ids.append(id)
        self.events.append((row, column, label))


def event(draw, names):
    return draw.choice(names), f"c{draw.randrange(5)}", draw.random() < 0.5


def work(model, seed, names, told, failures):
    """Calls of one thread; what was learnt stands in `told` by its trial, with the probability that was answered."""
    draw = random.Random(seed)
    try:
        for _ in range(CALLS):
            call = draw.randrange(9)
            if call < 4:
                one = event(draw, names)
                answer = model.learn_one(*one)
                told[answer.t] = (one, answer.probability)
            elif call < 6:
                some = [event(draw, names) for _ in range(draw.randrange(1, 4))]
                frame = model.run(some)
                for one, t, probability in zip(some, frame["t"], frame["probability"]):
                    told[int(t) - 1] = (one, float(probability))
            elif call == 6:
                model.predict_one(draw.choice(names), "nobody"), model.predict([event(draw, names)[:2]])
            elif call == 7:
                model.rank(draw.choice(names), 3, candidates=["c0", "c1", "other"]), repr(model), model.worth()
            else:
                assert pickle.loads(pickle.dumps(model)).trials <= model.trials
    except Exception as error:  # noqa: BLE001
        failures.append(error)


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_a_program(seed):
    draw = random.Random(seed)
    names = [k for k in range(6)] if seed % 2 else [f"r{k}" for k in range(6)]
    side = weft.classes({name: k % 2 for k, name in enumerate(names[:4])}) if seed % 3 else None
    model, told, failures = weft.Model(rows=side), {}, []
    threads = [threading.Thread(target=work, args=(model, draw.random(), names, told, failures))
               for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert sorted(told) == list(range(model.trials))
    plain, again = Plain(), weft.Model(rows=side)
    plain.rows = list(names[:4]) if side else []
    for t in range(model.trials):
        one, probability = told[t]
        plain.learn(*one)
        assert again.learn_one(*one).probability == probability
    assert model.rows == plain.rows and model.columns == plain.columns
    assert again.digest == model.digest and again.mistakes == model.mistakes
