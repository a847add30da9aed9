"""SPDX-License-Identifier: MIT

Threads, forks, and Ctrl-C.
"""

import os
import signal
import threading
import time

import numpy as np
import pytest

import weft
from conftest import made_events, made_graph


def many(count, seed):
    rows, columns, signs = made_events(count, 40, 30, seed)
    return np.array(rows), np.array(columns), signs


def test_a_model_a_thread():
    models = [weft.Model() for _ in range(4)]
    frames = [None] * 4

    def work(k):
        frames[k] = models[k].run(many(150, k))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k in range(4):
        alone = weft.Model()
        assert np.array_equal(alone.run(many(150, k))["probability"], frames[k]["probability"])
        assert alone.digest == models[k].digest


def test_one_model_for_all_threads():
    """Every call is whole: labels of several threads are learnt one after the other."""
    model = weft.Model(rows=weft.graph(made_graph()))
    failures = []

    def work(k):
        try:
            for step in range(25):
                model.learn_one(f"r{(k * 7 + step) % 12}", f"c{step % 9}", bool((k + step) % 2))
                model.predict_one(f"r{step % 12}", f"new{k}")
                if step % 8 == k:
                    model.rank(f"r{k}", 3), model.predict([("r1", "c1")]), repr(model), model.members()
        except Exception as error:  # noqa: BLE001
            failures.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and model.trials == 100


def test_the_lock_of_python_is_free_meanwhile():
    model = weft.Model()
    count = [0]
    done = threading.Event()

    def tick():
        while not done.is_set():
            count[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.perf_counter()
    model.learn(many(400, 1))
    seconds = time.perf_counter() - start
    done.set()
    thread.join()
    assert count[0] > 20 * seconds


@pytest.mark.parametrize("call", ["learn", "run", "predict"])
def test_ctrl_c_stops_and_leaves_the_model(call):
    model = weft.Model().learn(many(400, 2))
    trials = model.trials
    events = many(60000, 1)
    pairs = tuple(np.tile(part, 20) for part in events[:2])
    sent = []

    def send():
        time.sleep(0.3)
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=send)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        getattr(model, call)(pairs if call == "predict" else events)
    late = time.perf_counter() - sent[0]
    thread.join()
    # A tenth of a second where nothing else runs (scripts/bench python); all of it takes a minute.
    assert late < 10
    if call == "predict":
        assert model.trials == trials
    else:
        learnt = model.trials - trials
        assert 0 < learnt < 60000
        other = weft.Model().learn(many(400, 2)).learn(tuple(part[:learnt] for part in events))
        assert other.digest == model.digest and other.rows == model.rows
    assert model.learn_one("r1", "c1", 1).mistake is not None


def in_a_fork(work):
    """What work() says in a child."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            said = work()
        except BaseException as error:  # noqa: BLE001
            said = f"{type(error).__name__}: {error}"
        os.write(write, str(said).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        said = pipe.read()
    assert os.waitpid(child, 0)[1] == 0
    return said


def test_a_fork_has_its_own():
    model = weft.Model(rows=weft.graph(made_graph())).learn(many(100, 1))
    twin = model.copy()
    said = in_a_fork(lambda: model.learn(many(50, 2)).digest)
    assert said == twin.learn(many(50, 2)).digest and model.trials == 100


def test_a_fork_of_threads_is_refused():
    model = weft.Model(threads=2).learn(many(100, 1))
    assert "a fork does not copy" in in_a_fork(lambda: model.predict_one("r1", "c1"))
    assert "a fork does not copy" in in_a_fork(lambda: model.learn(many(5, 2)))
    assert "a fork does not copy" in in_a_fork(lambda: repr(model))
    assert in_a_fork(lambda: weft.Model().learn(many(20, 1)).trials) == "20"
    assert model.learn_one("r1", "c1", 1).mistake is not None


def test_a_fork_while_another_thread_learns_is_refused():
    model = weft.Model()
    thread = threading.Thread(target=lambda: model.learn(many(1500, 1)))
    thread.start()
    while model._stop is None and thread.is_alive():
        time.sleep(0.001)
    said = in_a_fork(lambda: model.predict_one("r1", "c1"))
    assert "was in use by another thread" in said
    thread.join()
    assert model.trials == 1500


def test_beside_numpy_and_scipy():
    """Each has an OpenBLAS of its own: they do not meet."""
    linalg = pytest.importorskip("scipy.linalg")
    draw = np.random.default_rng(1)
    square = draw.normal(size=(150, 150))
    square = square @ square.T + np.eye(150)
    before = np.linalg.eigvalsh(square), linalg.cholesky(square)
    model = weft.Model(rows=weft.kernel(square, [f"r{k}" for k in range(150)])).learn(many(60, 1))
    results = []
    thread = threading.Thread(target=lambda: results.append(np.linalg.eigvalsh(square)))
    thread.start()
    other = weft.Model(rows=weft.kernel(square, [f"r{k}" for k in range(150)])).learn(many(60, 1))
    thread.join()
    assert other.digest == model.digest
    assert np.allclose(results[0], before[0]) and np.allclose(linalg.cholesky(square), before[1])
