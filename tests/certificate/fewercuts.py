"""Bounds that a checker follows: with no cuts where its search takes longest.

REFAGG_DATA=FOLDER python -m tests.certificate.fewercuts OLD NEW SHARE SECONDS

OLD, DATA-K.json.gz, is a certificate of `columns` that is one leaf. A checker does not know of cuts
as it searches for groups, so that it meets groups that only cuts make dear enough. The records of
most steps for their price, which take SHARE of all steps, give up the cuts among them, for lower
prices. From there `columns` goes on for some SECONDS, without cuts among these records, and writes
NEW.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from oracle.certificate.kernel import Checker, Leaf
from oracle.executors import Here
from oracle.optima import columns
from oracle.optima.certify import certificate
from oracle.optima.clock import Clock
from oracle.optima.columns import KnownColumns, solver_for
from oracle.optima.cuts import Cut
from oracle.optima.master import Duals
from oracle.optima.problem import sse_problem
from oracle.optima.solver import default_solver
from oracle.optima.tree import Node
from refagg.data.standardise import Scaled, standardise
from refagg.datasets import DATASETS, data_folder, load
from refagg.language.partition import Partition, Record
from tests.certificate.dive import likely, prices_of
from tests.certificate.quicker import counter_of
from tests.certificate.shorter import rewriter_of, write_packed

EACH = 300_000
"""Steps from one first record and size, beyond which they are not counted."""


def busy_records(checker: Checker, prices: Sequence[int], each: int, share: float) -> set[Record]:
    """The records of most steps for their price, with a share of all steps."""
    spent = np.zeros(len(prices), np.int64)
    total = counter_of(checker, EACH, spent)(prices, each, -1, sys.maxsize)
    order = np.argsort(-spent / np.maximum(prices, 1), kind="stable")
    among = np.cumsum(spent[order]) <= share * spent.sum()
    print(
        f"{total} steps; {among.sum()} of {len(prices)} records are left without cuts", flush=True
    )
    return set(order[among].tolist())


def without_cuts(
    prices: Sequence[int], cuts: dict[Cut, int], busy: set[Record]
) -> tuple[list[int], dict[Cut, int]]:
    """Prices without cuts among the busy records: no group pays more than before.

    A cut of the price p, which is no more than 0, adds p floor(w / divisor) to what a group with
    the weight w pays. Its records add p w / divisor instead, or less.
    """
    records, kept = list(prices), dict[Cut, int]()
    for cut, price in cuts.items():
        if not busy.issuperset(cut.records):
            kept[cut] = price
            continue
        for record, weight in zip(cut.records, cut.weights, strict=True):
            records[record] += price * weight // cut.divisor
    return records, kept


def anew(scaled: Scaled, checker: Checker, share: float, seconds: float | None) -> Any:
    """The certificate of a run that goes on without cuts among busy records."""
    c, prices = checker.c, prices_of(checker.c)
    assert isinstance(c.proof, Leaf)
    given = c.proof.duals
    busy = busy_records(checker, prices.records, prices.group, share)
    records, kept = without_cuts(prices.records, dict(prices.cuts), busy)
    duals = Duals(records, given.unit * given.fewest, given.unit * given.most, kept)
    problem, start = sse_problem(scaled, c.k), Partition.of(c.partition, c.records)
    clock, solver = Clock(seconds), default_solver()
    work = solver_for(problem, solver, Here(), clock, lambda _: None, start, lambda _: None)
    pool = likely(c, work.geometry)
    work.resume(KnownColumns(start, pool, work.root.alone, 1, Node(duals)))
    every = columns.new_cuts

    def some(*asked: Any) -> list[Cut]:
        return [cut for cut in every(*asked) if not busy.issuperset(cut.records)]

    with patch.object(columns, "new_cuts", some):
        return certificate(problem, work.run())


def main() -> int:
    old, new, share = Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3])
    name = old.name.rsplit("-", 1)[0]
    checker = rewriter_of(data_folder() / DATASETS[name].file, old, 0).checker
    scaled = standardise(load(name).select(checker.c.attributes), checker.c.standardise)
    write_packed(new, anew(scaled, checker, share, float(sys.argv[4])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
