"""What each idea of `columns` gains: `python -m tests.benchmarks.ideas [DATA K RECORDS [ROUNDS]]`.

Solves the first records of a data set (census 3 200) with everything, and with one idea left out
at a time, one after the other and so many times (1). Prints seconds of the processor, the median of
the rounds, and the ratio to everything. Reference data are read from REFAGG_DATA.
"""

from __future__ import annotations

import sys
import time
from contextlib import AbstractContextManager, nullcontext
from statistics import median
from typing import Any
from unittest.mock import patch

from oracle.optima import columns, root, separation, solve, start, tree
from oracle.optima.pricing import Found
from oracle.optima.root import Generator
from oracle.optima.work import Searcher
from refagg.data.standardise import Scaled, standardise
from refagg.datasets import load

searched = Searcher.__call__


def once(search: Searcher, *of: Any, **options: Any) -> list[Found] | None:
    """Search, but not around some anchors."""
    return None if of[5:] else searched(search, *of, **options)


IDEAS: dict[str, list[tuple[Any, str, Any]]] = {
    "everything": [],
    "no smoothing of prices": [(root, "STEADY", 0.0)],
    "no search among near records first": [(Generator, "_near", lambda *_: 0)],
    "no second search, around anchors": [(Searcher, "__call__", once)],
    "linear programs made anew, by PuLP": [(columns, "kept_by", lambda *_: None)],
    "no rank-1 cuts": [(columns, "new_cuts", lambda *_: []), (tree, "new_cuts", lambda *_: [])],
    "no cuts but of triples": [(separation, "numba_installed", lambda: False)],
    "no integer programs": [(columns, "by_program", lambda *_: None)],
    "no local search": [(start, "improved", lambda problem, rows, start, **_: start)],
}
LIMIT = 300.0
"""Seconds on the clock for one run."""


def taken(scaled: Scaled, k: int, idea: str) -> tuple[float, str]:
    """The seconds of the processor without an idea, and how it ended."""
    patches: list[AbstractContextManager[Any]] = [patch.object(*spot) for spot in IDEAS[idea]]
    began = time.process_time()
    with patches[0] if patches else nullcontext(), patches[1] if patches[1:] else nullcontext():
        found = solve(scaled, k, "columns", time_limit=LIMIT)
    gap = "" if found.gap is None or not found.gap else f", gap {100 * float(found.gap):.3g} %"
    return time.process_time() - began, found.status + gap


def main() -> None:
    name, k, first, rounds = [*sys.argv[1:], *("census", "3", "200", "1")[len(sys.argv) - 1 :]]
    table = load(name)
    scaled = standardise(table.take(range(min(int(first), table.n))))
    runs = {idea: [taken(scaled, int(k), idea) for _ in range(int(rounds))] for idea in IDEAS}
    whole = median(seconds for seconds, _ in runs["everything"])
    for idea, results in runs.items():
        seconds = median(seconds for seconds, _ in results)
        print(f"{idea:<36}{seconds:>8.1f} s{seconds / whole:>7.2f}  {results[0][1]}")


if __name__ == "__main__":
    main()
