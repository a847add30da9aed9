"""SPDX-License-Identifier: MIT

bench/python.py [--quick]

What Python costs over C, in one process and by turns: the library's own loops are called beside the package.

run         Model.run over arrays, against weft_player_learn_many over numbers: the share of the speed of C that is
            left, 30,000 events of 300 readers and 200 articles, nothing known.
predict     predict_one of known ids, against weft_player_learn_many without labels, which is a loop of predictions:
            what a call of Python adds, in microseconds.
read        a DataFrame of 10^6 events (10,000 readers and 1,000 articles, whose ids are words, numbers or a
            Categorical) in the terms of a model, before the first is played: microseconds an event.
stop        a run of many events that SIGINT stops: seconds from the signal to the exception, the middle of 5.
threads     two models on two threads, against one after the other: by the clock, and in processor time (what two free
            processors would show).

A time is the least of its repetitions, by the processor time of the thread where nothing else is said: other programs
do not count.  Fails where run is below .95, predict above 2 or read above 1 (not with --quick), and, where the load of
the machine is below 0.5, threads below 1.8 by the clock or stop above 0.1.  Standard error: a table.  Standard output:
one JSON object.
"""

import json
import os
import signal
import sys
import threading
import time

import numpy as np
import pandas

import weft
from weft._weft import ffi, lib

QUICK = "--quick" in sys.argv
LIMITS = {"run": 0.95, "predict": 2.0, "read": 1.0, "stop": 0.1, "threads": 1.8}


def made(count, rows, columns, seed=1):
    draw = np.random.default_rng(seed)
    r, c = draw.integers(rows, size=count), draw.integers(columns, size=count)
    return r, c, np.where((r + c) % 2 == 0, 1, -1).astype(np.int8)


def spent(call, *arguments):
    start = time.thread_time()
    call(*arguments)
    return time.thread_time() - start


def numbered(rows, columns):
    """A model that knows all ids by their numbers, and has learnt nothing."""
    return weft.Model(rows=weft.none(range(rows)), columns=weft.none(range(columns)))


def in_c(model, pairs, labels):
    error = ffi.new("weft_error *")
    status = lib.weft_player_learn_many(model._player, len(labels), ffi.from_buffer("int64_t[]", pairs),
                                        ffi.from_buffer("int[]", labels), ffi.NULL, ffi.NULL, error)
    assert status == 0, ffi.string(error.message)


def run(count, repetitions):
    r, c, labels = made(count, 300, 200)
    pairs, signs = np.column_stack((r, c)).astype(np.int64), labels.astype(np.int32)
    times = [[], []]
    for _ in range(repetitions):
        one, other = numbered(300, 200), numbered(300, 200)
        times[0].append(spent(in_c, one, pairs, signs))
        times[1].append(spent(other.run, (r, c, labels)))
        assert one.digest == other.digest
    best = [min(part) for part in times]
    return {"c_microseconds": best[0] / count * 1e6, "python_microseconds": best[1] / count * 1e6,
            "run": best[0] / best[1]}


def predict(count, repetitions):
    r, c, labels = made(2000, 300, 200)
    model = numbered(300, 200)
    # Few labels: a prediction is short, and what is added to it stands out.
    model.learn((r[:20], c[:20], labels[:20]))
    pairs = np.column_stack((r, c)).astype(np.int64)[:count]
    none = np.zeros(count, dtype=np.int32)
    asked = list(zip(r[:count].tolist(), c[:count].tolist()))

    def ask():
        predict_one = model.predict_one
        for row, column in asked:
            predict_one(row, column)

    times = [[], []]
    for _ in range(repetitions):
        times[0].append(spent(in_c, model, pairs, none))
        times[1].append(spent(ask))
    best = [min(part) / count * 1e6 for part in times]
    return {"c_microseconds": best[0], "python_microseconds": best[1], "predict": best[1] - best[0]}


def read(count, repetitions):
    r, c, labels = made(count, 10000, 1000)
    numbers = pandas.DataFrame({"row": r, "column": c, "label": labels})
    words = pandas.DataFrame({"row": [f"reader {k}" for k in r], "column": [f"article {k}" for k in c],
                              "label": labels})
    kinds = {"words": words, "numbers": numbers,
             "categories": words.assign(row=words["row"].astype("category"), column=words["column"].astype("category"))}
    found = {}
    for name, frame in kinds.items():
        found[f"{name}_microseconds"] = min(spent(weft.Model()._meet, frame) for _ in range(repetitions)) / count * 1e6
    return {**found, "read": max(found.values())}


def stop(count, repetitions):
    events = made(count, 300, 200)
    seconds = []
    for _ in range(repetitions):
        sent = []

        def send():
            time.sleep(0.2)
            sent.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)

        sender = threading.Thread(target=send)
        sender.start()
        try:
            numbered(300, 200).learn(events)
        except KeyboardInterrupt:
            seconds.append(time.perf_counter() - sent[0])
        sender.join()
    return {"stop": sorted(seconds)[len(seconds) // 2], "longest_seconds": max(seconds)}


def threads(count, repetitions):
    events = made(count, 300, 200)
    alone, clock, busy = [], [], []
    for _ in range(repetitions):
        models = [numbered(300, 200) for _ in range(4)]
        start, before = time.perf_counter(), time.process_time()
        for model in models[:2]:
            model.learn(events)
        alone.append((time.perf_counter() - start, time.process_time() - before))
        took = [0.0, 0.0]

        def work(k, model):
            took[k] = spent(model.learn, events)

        workers = [threading.Thread(target=work, args=(k, models[2 + k])) for k in range(2)]
        start = time.perf_counter()
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        clock.append(time.perf_counter() - start)
        busy.append(max(took))
    return {"threads": min(a for a, _ in alone) / min(clock), "processor_time": min(b for _, b in alone) / min(busy)}


def main():
    scale, repetitions = (20, 1) if QUICK else (1, 5)
    load = os.getloadavg()[0]
    found = {"run": run(30000 // scale, repetitions), "predict": predict(2000 // scale, 4 * repetitions),
             "read": read(1000000 // scale, repetitions), "stop": stop(300000, 5),
             "threads": threads(15000 // scale, repetitions)}
    wrong = []
    for name, part in found.items():
        value, limit = part[name], LIMITS[name]
        least = name in ("run", "threads")
        judged = not QUICK and (name not in ("threads", "stop") or load < 0.5)
        if judged and (value < limit if least else value > limit):
            wrong.append(name)
        facts = ", ".join(f"{key} {number:.3g}" for key, number in part.items() if key != name)
        print(f"{name:8} {value:8.3f}   {'at least' if least else 'at most '} {limit:4.2f}   {facts}", file=sys.stderr)
    print(f"load of the machine before: {load:.2f}", file=sys.stderr)
    print(json.dumps({**found, "load": load}))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
