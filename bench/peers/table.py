"""SPDX-License-Identifier: MIT

The table: weft with nothing chosen beside the best setting of every peer in hindsight.
"""

import math
import statistics

from streams import MISTAKES

HEAD = ("| stream | measure | peer | orders | best setting in hindsight | peer | weft | weft - peer | standard error | weft is |\n"
        "|---|---|---|--:|---|" + "--:|" * 4 + "---|")


def best_setting(games, measure, orders):
    """(setting, its values by order) of the best mean over all these orders, or None."""
    whole = {setting: [by_order[order][measure] for order in orders] for setting, by_order in games.items()
             if all(order in by_order for order in orders)}
    if not whole:
        return None
    sign = 1 if measure == MISTAKES else -1
    return min(whole.items(), key=lambda item: sign * statistics.mean(item[1]))


def judge(measure, weft, peer):
    """Mean difference, standard error of it (None of one order), and a word."""
    differences = [a - b for a, b in zip(weft, peer)]
    mean, worse = statistics.mean(differences), 1 if measure == MISTAKES else -1
    error = statistics.stdev(differences) / math.sqrt(len(differences)) if len(differences) > 1 else None
    if worse * mean <= 0:
        return mean, error, "better" if mean else "equal"
    return mean, error, "within two" if error is not None and abs(mean) <= 2 * error else "**worse**"


def lines(results, streams, peers, orders):
    """Of the orders that weft and the peer have both played."""
    weft_version = results.last_version("weft")
    for stream in streams:
        weft = results.of(stream.name, "weft", weft_version).get("", {})
        for measure in stream.measures:
            for peer in peers:
                games = results.of(stream.name, peer, results.last_version(peer))
                common = [k for k in range(orders) if k in weft and any(k in by_order for by_order in games.values())]
                best = best_setting(games, measure, common) if common else None
                if best:
                    yield line(stream.name, measure, peer, best, [weft[k][measure] for k in common])


def line(name, measure, peer, best, weft):
    setting, values = best
    mean, error, word = judge(measure, weft, values)
    digits = ".1f" if measure == MISTAKES else ".3f"
    said = "-" if error is None else f"{error:{digits}}"
    return (f"| {name} | {measure.replace('_', ' ')} | {peer} | {len(weft)} | {setting} | {statistics.mean(values):{digits}} | "
            f"{statistics.mean(weft):{digits}} | {mean:+{digits}} | {said} | {word} |")
