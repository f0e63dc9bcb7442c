"""Right groups, wrongly told: released values, SSE, record numbers and types that are wrong."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from statistics import fmean, median
from typing import Any

import numpy as np

from refagg.catalogue import CATALOGUE

from .implementation import Groups, Program, Rows

Combine = Callable[[list[float]], float]
Released = list[list[float]]


def exact_mean(values: list[float]) -> float:
    """The mean, rounded once."""
    return float(sum(map(Fraction, values), Fraction(0)) / len(values))


def released(rows: Rows, groups: Groups, combine: Combine = exact_mean) -> Released:
    """Each record with the aggregates of its group."""
    out: Released = [[] for _ in rows]
    for group in groups:
        values = [combine(list(column)) for column in zip(*(rows[r] for r in group), strict=True)]
        for record in group:
            out[record] = list(values)
    return out


def telling(program: Program, change: Callable[[Rows, Groups, int], Any]) -> Program:
    """A program that tells what `change` makes of its records, groups and k."""

    def wrong(records: Rows, k: int, **given: Any) -> Any:
        return change(records, program(records, k, **given), k)

    return wrong


def only_values(values: Callable[[Rows, Groups, int], Released]) -> Callable[..., Any]:
    return lambda rows, groups, k: {"released": values(rows, groups, k)}


def with_values(values: Callable[[Rows, Groups, int], Released]) -> Callable[..., Any]:
    return lambda rows, groups, k: {"groups": groups, "released": values(rows, groups, k)}


def with_sse(claimed: Callable[[Rows, Groups, int], float]) -> Callable[..., Any]:
    return lambda rows, groups, k: {"groups": groups, "sse": claimed(rows, groups, k)}


def exact_sse(rows: Rows, groups: Groups, k: int = 0) -> float:
    """The sum of squared distances to the means, rounded once."""
    total = Fraction(0)
    for group in groups:
        for column in zip(*(rows[r] for r in group), strict=True):
            values = list(map(Fraction, column))
            mean = sum(values) / len(values)
            total += sum((value - mean) ** 2 for value in values)
    return float(total)


def _cut_values(rows: Rows, groups: Groups, k: int) -> Released:
    return released(rows, groups, lambda values: float(int(sum(values) / len(values))))


def _divided_by_k(rows: Rows, groups: Groups, k: int) -> Released:
    return released(rows, groups, lambda values: sum(values) / k)


def _binary32(rows: Rows, groups: Groups, k: int) -> Released:
    return released(rows, groups, lambda v: float(np.mean(np.array(v, dtype=np.float32))))


def _off_in_one_group(rows: Rows, groups: Groups, k: int) -> Released:
    values = released(rows, groups)
    for record in groups[-1]:
        values[record][0] += 0.01 * (abs(values[record][0]) + 1)
    return values


def _rows_exchanged(rows: Rows, groups: Groups, k: int) -> Released:
    values = released(rows, groups)
    values[0], values[-1] = values[-1], values[0]
    return values


def _group_by_group(rows: Rows, groups: Groups, k: int) -> Released:
    values = released(rows, groups)
    return [values[record] for group in groups for record in group]


def _last_unmasked(rows: Rows, groups: Groups, k: int) -> Released:
    values = released(rows, groups)
    for record in groups[-1]:
        values[record] = list(rows[record])
    return values


def _first_attribute_unmasked(rows: Rows, groups: Groups, k: int) -> Released:
    values = released(rows, groups)
    return [[row[0], *value[1:]] for row, value in zip(rows, values, strict=True)]


def _without_last_row(rows: Rows, groups: Groups, k: int) -> Released:
    return released(rows, groups)[:-1]


def _without_duplicates(rows: Rows, groups: Groups, k: int) -> Released:
    """One row for each different record."""
    values = released(rows, groups)
    kept = {tuple(row): values[record] for record, row in enumerate(rows)}
    return list(kept.values())


def _columns_exchanged(rows: Rows, groups: Groups, k: int) -> Released:
    return [row[::-1] for row in released(rows, groups)]


def _rounded_to_tens(rows: Rows, groups: Groups, k: int) -> Released:
    return released(rows, groups, lambda values: round(fmean(values), -1))


def _trimmed(values: list[float]) -> float:
    inner = sorted(values)[1:-1] if len(values) > 3 else values
    return fmean(inner)


def _midrange(values: list[float]) -> float:
    return (min(values) + max(values)) / 2


def _running(values: list[float]) -> float:
    """An average that is updated with a step of 1/2 each time."""
    found = values[0]
    for value in values[1:]:
        found += (value - found) / 2
    return found


VALUES: tuple[tuple[str, Callable[[Rows, Groups, int], Released]], ...] = (
    ("the median is released for the mean", lambda r, g, k: released(r, g, median)),
    ("the mid-range is released for the mean", lambda r, g, k: released(r, g, _midrange)),
    ("means are trimmed in groups of 4 and more", lambda r, g, k: released(r, g, _trimmed)),
    ("the average is updated with the wrong step", lambda r, g, k: released(r, g, _running)),
    ("the first record stands for the mean", lambda r, g, k: released(r, g, lambda v: v[0])),
    ("means are truncated to whole numbers", _cut_values),
    ("means are rounded to tens", _rounded_to_tens),
    ("sums are divided by k, whatever the size", _divided_by_k),
    ("means are computed in binary32", _binary32),
    ("the values of one group are off by a hundredth", _off_in_one_group),
    ("the first and last released rows change places", _rows_exchanged),
    ("released rows are in the order of the groups", _group_by_group),
    ("released rows are sorted", lambda r, g, k: sorted(released(r, g))),
    ("the last group keeps its values", _last_unmasked),
    ("the first attribute passes unmasked", _first_attribute_unmasked),
    ("the last row is not released", _without_last_row),
    ("equal records are released once", _without_duplicates),
    ("attributes are released in reverse order", _columns_exchanged),
)
"""Wrong releases of right groups."""


def textbook_sse(rows: Rows, groups: Groups, k: int = 0) -> float:
    """Sum of squares minus squared sum over n, which cancels far from 0."""
    total = 0.0
    for group in groups:
        for column in zip(*(rows[r] for r in group), strict=True):
            total += sum(v * v for v in column) - sum(column) ** 2 / len(column)
    return total


def _first_attribute_sse(rows: Rows, groups: Groups, k: int) -> float:
    return exact_sse([row[:1] for row in rows], groups)


SSES: tuple[tuple[str, Callable[[Rows, Groups, int], float]], ...] = (
    ("the SSE is the sum of squares minus the square of the sum", textbook_sse),
    ("the SSE is negative", lambda r, g, k: -exact_sse(r, g) - 1),
    ("the SSE is that of the first attribute", _first_attribute_sse),
    ("the SSE is divided by n", lambda r, g, k: exact_sse(r, g) / len(r)),
    ("the SSE is that of one group of all", lambda r, g, k: exact_sse(r, [list(range(len(r)))])),
    ("the SSE lacks the last group", lambda r, g, k: exact_sse(r, g[:-1])),
    ("the SSE is half of it", lambda r, g, k: exact_sse(r, g) / 2),
    ("the SSE is its root", lambda r, g, k: exact_sse(r, g) ** 0.5),
    ("the SSE is no number", lambda r, g, k: float("nan")),
    ("the SSE is infinite", lambda r, g, k: float("inf")),
)
"""Wrong sums of squared errors beside right groups."""


def _labels(rows: Rows, groups: Groups) -> list[Any]:
    labels: list[Any] = [None] * len(rows)
    for number, group in enumerate(groups):
        for record in group:
            labels[record] = number
    return labels


def _with_nan(rows: Rows, groups: Groups, k: int) -> Any:
    values = released(rows, groups)
    for record in groups[0]:
        values[record][0] = float("nan")
    return {"groups": groups, "released": values}


def _loner(rows: Rows, groups: Groups, k: int) -> Any:
    labels = _labels(rows, groups)
    labels[-1] = len(groups)
    return labels


SHAPES: tuple[tuple[str, Callable[[Rows, Groups, int], Any]], ...] = (
    ("records are numbered from 1", lambda r, g, k: [[i + 1 for i in x] for x in g]),
    ("an empty group is listed too", lambda r, g, k: [*g, []]),
    ("nothing is returned", lambda r, g, k: None),
    ("a text is returned", lambda r, g, k: "0 1 2"),
    ("a number is returned", lambda r, g, k: len(g)),
    ("record numbers are fractions", lambda r, g, k: [[i + 0.5 for i in x] for x in g]),
    ("record numbers are texts", lambda r, g, k: [[f"r{i}" for i in x] for x in g]),
    ("groups are lists of rows, not of records", lambda r, g, k: [[r[i] for i in x] for x in g]),
    ("a label is missing", lambda r, g, k: {"labels": _labels(r, g)[:-1]}),
    ("there is one label too many", lambda r, g, k: {"labels": [*_labels(r, g), 0]}),
    ("the last record has a label of its own", lambda r, g, k: {"labels": _loner(r, g, k)}),
    ("the dictionary has none of the keys", lambda r, g, k: {"clusters": g}),
    ("groups are pairs of number and members", lambda r, g, k: list(enumerate(g))),
    ("a released value is no number", _with_nan),
    ("a group is listed twice", lambda r, g, k: [*g, g[0]]),
    ("a group is missing", lambda r, g, k: g[:-1]),
    ("a record number is negative", lambda r, g, k: [[i or -1 for i in x] for x in g]),
)
"""Answers that describe no partition, or not the right one."""


def by_attribute(claim: str, program: Program) -> Program:
    """Each attribute by itself, and the means of its groups, where the algorithm does so."""
    if claim not in CATALOGUE or CATALOGUE[claim].attributes != "each":
        return program

    def each(records: Rows, k: int, **given: Any) -> Any:
        if len(records[0]) == 1:
            return program(records, k, **given)
        columns = []
        for j in range(len(records[0])):
            values = [[row[j]] for row in records]
            groups = program(values, k, **given)
            columns.append([row[0] for row in released(values, groups)])
        return {"released": [list(row) for row in zip(*columns, strict=True)]}

    return each
