"""Options of the search for an optimum, readable without PuLP."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from oracle.optima.clock import Report
from oracle.optima.problem import METHODS, OBJECTIVES
from refagg.language.partition import Partition
from refagg.options.fields import WHOLE, only, option, options_of
from refagg.options.grouping import Grouping
from refagg.options.layout import Layout
from refagg.options.readers import record_pairs

Pair = tuple[int, int]
Cost = Callable[[object], object]


def _pairs(what: str, flag: str) -> Any:
    return option(
        what,
        (),
        type="Iterable[tuple[int, int]]",
        metavar="A-B,...",
        value=partial(record_pairs, flag=flag),
        applies=(WHOLE,),
    )


@dataclass(frozen=True)
class Searching:
    """The allowed partitions, and the search for the cheapest one."""

    objective: str = option(
        "minimise squared differences from the mean (the default), or absolute differences "
        "from the median of each attribute, divided by its range or not",
        "sse",
        type='Literal["sse", "absolute"]',
        choices=OBJECTIVES,
    )
    cost: Cost | None = option(
        "instead, a function of the records of a group that gives a rational number",
        type="Callable[[Any], Any] | None",
    )
    method: str = option(
        "exhaustive: about ten records; subsets: about twenty; ilp: some tens; columns: "
        "more; semidefinite: a bound for large groups; univariate: one attribute",
        "auto",
        type='Literal["auto", "exhaustive", "subsets", "ilp", "columns", "semidefinite", '
        '"univariate"]',
        choices=METHODS,
    )
    largest: int | None = option("maximum group size", read=int, metavar="SIZE")
    together: Iterable[Pair] = _pairs("records that must share a group", "--together")
    apart: Iterable[Pair] = _pairs("records that must not share a group", "--apart")
    time_limit: float | None = option(
        "stop after SECONDS with the best bound", read=float, metavar="SECONDS"
    )
    solver: str | None = option(
        "solver of linear programs (default: highs if it is installed)",
        type='Literal["cbc", "highs"] | None',
        choices=("cbc", "highs"),
    )
    executor: Executor | None = option("where to compute")
    report: Report | None = option("called with progress")
    state: str | Path | None = option(
        "resume from this file, and save the state in it",
        read=Path,
        metavar="FILE",
        applies=(WHOLE,),
    )
    start: Partition | None = option(
        "groups to begin with (on the command line a file, JSON or CSV), such as the best that are "
        "known",
        read=Path,
        metavar="FILE",
        applies=(WHOLE,),
    )


OPTIONS = {
    **only(options_of(Layout), "quasi_identifiers", "kinds"),
    **only(options_of(Grouping), "standardise", "weights", "dissimilarity", "similarity"),
    **options_of(Searching),
}
"""The keywords of `optimum`."""

SEARCH = options_of(Searching, without=("method",))
"""The keywords of `solve`, beside the table and its scale."""
