"""Writes a certificate anew whose searches take fewer steps.

python -m tests.certificate.quicker DATA.csv OLD.json.gz NEW.json.gz

Of records that a node holds together a group has all or none, so that only the sum of their prices
counts. But a search does not know of pairs: where one of these prices is too high, it finds many
groups that hold this record alone. So prices are shifted between such records, each time by half as
much, as long as steps are saved. What is proved stays as it is. `oracle verify` checks it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numba
import numpy as np

from oracle.certificate import kernel
from oracle.certificate.kernel import Checker, Duals, Prices
from refagg.algorithms.search.moves.constraints import Pair, blocks
from tests.certificate.shorter import rewriter_of, write_packed

WORTH = 0.99
"""A shift is made if no more than this share of the steps is left."""

FIRST, LAST = 0.25, 0.01
"""The first and the last shift tried, in average prices."""

DEEP = 64
"""More than a group has records."""

LARGE = 2**60
"""Sums of numbers below this one fit into 64 bits."""


@numba.njit
def steps_of(
    keys: Any, near: Any, least: Any, share: int, size: int, slack: int,
    most: int, each: int, spent: Any,
) -> int:  # fmt: skip
    """The steps of a search for groups of one size, or more than `most`.

    The same steps as those of `Checker.completed`, but where bounds are equal. No more than about
    `each` are taken from one first record. They are added to `spent` for each record of the part.
    """
    total, depth, begun = 0, 0, 0
    rows, bounds = np.zeros((DEEP, len(keys)), np.int64), np.zeros((DEEP, len(keys)), np.int64)
    own, counts = np.zeros((DEEP, len(keys)), np.int64), np.zeros(DEEP, np.int64)
    places, slacks = np.full(DEEP, -1), np.zeros(DEEP, np.int64)
    counts[0], slacks[0] = len(keys), slack
    rows[0], own[0] = np.arange(len(keys)), keys
    while depth >= 0:
        count, missing = counts[depth], size - depth
        if places[depth] < 0:  # its candidates are not sorted yet
            total += count
            if total > most:
                return total
            for above in range(depth):
                spent[rows[above, places[above] - 1]] += count
            bound = own[depth, :count] + share * least[rows[depth, :count], missing - 1] // 2
            order = np.argsort(bound, kind="mergesort")
            room = slacks[depth] - bound[order[: missing - 1]].sum()
            order = order[bound[order] <= room]
            count = counts[depth] = len(order)
            rows[depth, :count], own[depth, :count] = rows[depth][order], own[depth][order]
            bounds[depth, :count], places[depth] = bound[order], 0
        if depth and total - begun > each:
            depth = 0
            count, missing = counts[0], size
        place = places[depth]
        fits = place + missing <= count
        if not fits or bounds[depth, place : place + missing].sum() > slacks[depth]:
            depth -= 1
            continue
        places[depth] += 1
        begun = begun if depth else total
        if missing > 1:
            j, after = rows[depth, place], count - place - 1
            others = rows[depth, place + 1 : count]
            rows[depth + 1, :after] = others
            for i in range(after):
                own[depth + 1, i] = own[depth, place + 1 + i] + share * near[j, others[i]]
            counts[depth + 1], places[depth + 1] = after, -1
            slacks[depth + 1] = slacks[depth] - own[depth, place]
            depth += 1
    return total


def counter_of(
    checker: Checker, each: int = sys.maxsize, spent: Any = None
) -> Callable[[Sequence[int], int, int, int], int]:
    """The function from prices, that of any group, the limit and the most steps to the steps."""
    spent = np.zeros(checker.c.records, np.int64) if spent is None else spent
    near, least = np.array(checker.near), np.array(checker.least)
    assert max(checker.share.values()) * int(near.max()) * checker.c.largest < LARGE

    def steps(prices: Sequence[int], price: int, limit: int, most: int) -> int:
        total = 0
        for size, share in checker.share.items():
            left, keys = most - total, -np.array(prices)
            total += steps_of(keys, near, least, share, size, limit + price, left, each, spent)
        return total

    return steps


def searches(node: dict[str, Any], held: list[Pair]) -> Iterator[tuple[Any, list[Pair], bool]]:
    """The duals for groups that are not listed yet, the pairs together, and whether they list."""
    if duals := [*node["filters"][:1], *filter(None, [node.get("duals")])]:
        yield duals[0], held, bool(node["filters"])
    elif "pair" in node:
        a, b = node["pair"]
        yield from searches(node["together"], [*held, (a, b)])
        yield from searches(node["apart"], held)


def quickened(whole: dict[str, Any], checker: Checker) -> dict[str, Any]:
    """The certificate, in place, with prices shifted."""
    n, target, count = whole["records"], checker.target, counter_of(checker)
    for duals, held, lists in searches(whole["proof"], [(a, b) for a, b in whole["together"]]):
        prices, unit = Prices(checker.c, Duals(**duals), ""), duals["unit"]
        limit = max(target - prices.bound, -1) if lists else -1
        y = prices.records
        before = fewest = count(y, prices.each, limit, sys.maxsize)
        share = FIRST
        while share > LAST:
            gained = False
            step = int(share * target / n) // unit * unit
            for block in blocks(n, held):
                for b, by in product(block[1:], (step, -step)):
                    tried = list(y)
                    tried[block[0]], tried[b] = tried[block[0]] + by, tried[b] - by
                    steps = count(tried, prices.each, limit, fewest)
                    if steps < WORTH * fewest:
                        y, fewest, gained = tried, steps, True
            share = share if gained else share / 2
        duals["records"] = [price // unit for price in y]
        print(f"{before} steps before, {fewest} now", flush=True)
    return {**whole, "seal": kernel.seal(whole)}


def main() -> int:
    data, old, new = map(Path, sys.argv[1:])
    checker = rewriter_of(data, old, 0).checker
    whole = quickened(json.loads(kernel.read_content(old)), checker)
    write_packed(new, whole)
    return 0


if __name__ == "__main__":
    sys.exit(main())
