"""Heuristics and groups of one's own, beside the algorithms of the catalogue."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from math import sqrt
from typing import Any

from refagg.comparison.compare import Contender
from refagg.data.standardise import Scaled
from refagg.errors import InvalidParameter
from refagg.language.partition import Partition
from refagg.language.specification import Specification
from refagg.release.evaluation import Groups, partition_of

Heuristic = Callable[..., Any]
"""A function of rows and k that returns groups of record numbers, or a label for each record."""


def rows_for(scaled: Scaled) -> list[list[Any]]:
    """The records as a heuristic gets them: floats on the scale on which losses are measured.

    They are divided by what standardises them, not moved. What is no number is as it is.
    """
    table, weights = scaled.table, scaled.weights
    columns: dict[str, list[Any]] = {a.name: list(a.cells) for a in table.others}
    for column, weight in zip(table.columns, weights, strict=True):
        factor = sqrt(weight)
        columns[column.name] = [float(column[i]) * factor for i in range(scaled.n)]
    return [list(row) for row in zip(*(columns[name] for name in table.names), strict=True)]


def own_contenders(
    scaled: Scaled,
    heuristics: Mapping[str, Heuristic],
    groups: Mapping[str, Groups],
) -> list[Contender]:
    """Return the caller's own contenders by their names.

    Raises InvalidParameter for what is no function, InvalidPartition for what are no groups.
    """
    made = []
    for name, heuristic in heuristics.items():
        if not callable(heuristic):
            raise InvalidParameter(f"the heuristic {name} is not a function of rows and k")
        made.append(_contender(name, _asked(heuristic, rows_for(scaled))))
    for name, given in groups.items():
        made.append(_contender(name, _given(partition_of(given, scaled.n))))
    return made


def _asked(heuristic: Heuristic, rows: Sequence[Sequence[Any]]) -> Callable[..., Partition]:
    def run(space: Any, k: int, choices: Any) -> Partition:
        with redirect_stdout(sys.stderr):
            return partition_of(heuristic([list(row) for row in rows], k), len(rows))

    return run


def _given(partition: Partition) -> Callable[..., Partition]:
    def run(space: Any, k: int, choices: Any) -> Partition:
        return partition

    return run


def _contender(name: str, run: Callable[..., Partition]) -> Contender:
    spec = Specification(
        name=name,
        title=name,
        source="not stated",
        run=run,
        largest_group=lambda k: None,
        guarantees="not stated",
        ties=(),
        decisions=(),
        cost="not stated",
        needs="Dissimilarities",
    )
    return Contender(name, spec, {})
