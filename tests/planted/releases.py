"""Whole implementations, from table to released table: wrong ones and right ones.

They do not use the library's spaces or algorithms but where they name them; each has its
own way of computing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from random import Random
from statistics import fmean, pstdev, stdev

import numpy as np

from refagg.data.aggregate import aggregated, median
from refagg.data.tables import Table, table_of
from refagg.language.partition import Partition
from refagg.release.masking import microaggregate

Rows = list[list[int]]
Groups = list[list[int]]


@dataclass(frozen=True, slots=True)
class Implementation:
    """A program that claims to be MDAV on z-scores; `flaw` is empty for a right one."""

    name: str
    flaw: str
    release: Callable[[Rows, int], Table]


def z_scores(rows: Rows, spread: Callable[[list[float]], float] = pstdev) -> list[list[float]]:
    columns = []
    for column in zip(*rows, strict=True):
        values = [float(v) for v in column]
        mean, width = fmean(values), spread(values)
        columns.append([(v - mean) / width if width else 0.0 for v in values])
    return [list(row) for row in zip(*columns, strict=True)]


def squared(a: list[float], b: list[float]) -> float:
    return sum((x - y) * (x - y) for x, y in zip(a, b, strict=True))


def float_mdav(points: list[list[float]], k: int) -> Groups:
    """MDAV as most programs write it: floats, the first maximum, a stable sort."""
    left = list(range(len(points)))
    groups: Groups = []

    def far(center: list[float]) -> int:
        return max(left, key=lambda i: squared(points[i], center))

    def average() -> list[float]:
        return [sum(points[i][j] for i in left) / len(left) for j in range(len(points[0]))]

    def take(seed: int, but: int | None = None) -> None:
        others = [i for i in left if i not in (seed, but)]
        others.sort(key=lambda i: squared(points[i], points[seed]))
        groups.append([seed, *others[: k - 1]])
        left[:] = [i for i in left if i not in groups[-1]]

    while len(left) >= 3 * k:
        r = far(average())
        distances = {i: squared(points[i], points[r]) for i in left if i != r}
        s = max(distances, key=distances.__getitem__)
        take(r, but=s)
        take(s)
    if len(left) >= 2 * k:
        take(far(average()))
    groups.append(left)
    return groups


def means(rows: Rows, groups: Groups) -> Table:
    return aggregated(table_of(rows), Partition.of(groups))


def _numpy32(rows: Rows, k: int) -> Table:
    """Binary32 throughout, distances by the expanded square."""
    data = np.array(rows, dtype=np.float32)
    width = data.std(axis=0)
    data = (data - data.mean(axis=0)) / np.where(width == 0, 1, width)
    left = np.arange(len(rows))
    groups: Groups = []
    while len(left) >= 3 * k:
        ends = [left[((data[left] - data[left].mean(axis=0)) ** 2).sum(axis=1).argmax()]]
        order = ((data[left] - data[ends[0]]) ** 2).sum(axis=1)
        order[left == ends[0]] = -1
        ends.append(left[order.argmax()])
        for end, other in (ends, ends[::-1]):
            distance = ((data[left] - data[end]) ** 2).sum(axis=1)
            distance[left == end] = -1
            distance[left == other] = np.inf
            nearest = left[np.argsort(distance, kind="stable")[:k]]
            groups.append(nearest.tolist())
            left = np.setdiff1d(left, nearest)
    if len(left) >= 2 * k:
        end = left[((data[left] - data[left].mean(axis=0)) ** 2).sum(axis=1).argmax()]
        nearest = left[np.argsort(((data[left] - data[end]) ** 2).sum(axis=1), kind="stable")[:k]]
        groups.append(nearest.tolist())
        left = np.setdiff1d(left, nearest)
    groups.append(left.tolist())
    return means(rows, groups)


def _reversed(rows: Rows, k: int) -> Table:
    """Works through the records from the last to the first, so that ties fall otherwise."""
    n = len(rows)
    groups = float_mdav(z_scores(rows[::-1]), k)
    return means(rows, [[n - 1 - i for i in group] for group in groups])


def _shuffled(rows: Rows, k: int) -> Table:
    order = list(range(len(rows)))
    Random(len(rows)).shuffle(order)
    groups = float_mdav(z_scores([rows[i] for i in order]), k)
    return means(rows, [[order[i] for i in group] for group in groups])


def _rounded(rows: Rows, k: int) -> Table:
    exact = microaggregate(rows, k).released
    return table_of([[round(v, 6) for v in exact.row(r)] for r in range(exact.n)])


def _as_floats(rows: Rows, k: int) -> Table:
    exact = microaggregate(rows, k).released
    return table_of([[float(v) for v in exact.row(r)] for r in range(exact.n)])


RIGHT = (
    Implementation("floats, first maximum", "", lambda r, k: means(r, float_mdav(z_scores(r), k))),
    Implementation(
        "sample standard deviation", "", lambda r, k: means(r, float_mdav(z_scores(r, stdev), k))
    ),
    Implementation("from the last record to the first", "", _reversed),
    Implementation("records in a shuffled order", "", _shuffled),
    Implementation(
        "ties to the highest number", "", lambda r, k: microaggregate(r, k, ties="highest").released
    ),
    Implementation(
        "ties drawn", "", lambda r, k: microaggregate(r, k, ties="random", seed=7).released
    ),
    Implementation("binary32 with NumPy", "", _numpy32),
    Implementation("released with six decimals", "", _rounded),
    Implementation("released in binary64", "", _as_floats),
)


def _divided_by_k(rows: Rows, k: int) -> Table:
    groups = float_mdav(z_scores(rows), k)
    return _filled(rows, groups, lambda values: Fraction(sum(values), k))


def _filled(rows: Rows, groups: Groups, combine: Callable[[list[int]], Fraction]) -> Table:
    released: list[list[Fraction]] = [[] for _ in rows]
    for group in groups:
        center = [combine([rows[i][j] for i in group]) for j in range(len(rows[0]))]
        for i in group:
            released[i] = center
    return table_of(released)


def _last_unmasked(rows: Rows, k: int) -> Table:
    groups = float_mdav(z_scores(rows), k)
    masked = means(rows, groups)
    last = groups[-1]
    return table_of([rows[i] if i in last else masked.row(i) for i in range(len(rows))])


def _one_attribute_unmasked(rows: Rows, k: int) -> Table:
    masked = means(rows, float_mdav(z_scores(rows), k))
    return table_of([[*masked.row(i)[:-1], rows[i][-1]] for i in range(len(rows))])


def _sorted_rows(rows: Rows, k: int) -> Table:
    masked = means(rows, float_mdav(z_scores(rows), k))
    return table_of(sorted(masked.row(i) for i in range(len(rows))))


def _overflowing(rows: Rows, k: int) -> Table:
    """Variances from squares as they come: infinite for large values, which then count as 0."""

    def spread(values: list[float]) -> float:
        mean = sum(values) / len(values)
        return sqrt(sum((v - mean) * (v - mean) for v in values) / len(values))

    return means(rows, float_mdav(z_scores(rows, spread), k))


def _integer_means(rows: Rows, k: int) -> Table:
    return _filled(rows, float_mdav(z_scores(rows), k), lambda v: Fraction(int(sum(v) / len(v))))


def _seed_values(rows: Rows, k: int) -> Table:
    return _filled(rows, float_mdav(z_scores(rows), k), lambda values: Fraction(values[0]))


def _manhattan(rows: Rows, k: int) -> Table:
    points = z_scores(rows)
    spread = [[sqrt(abs(v)) * (1 if v > 0 else -1) for v in row] for row in points]
    return means(rows, float_mdav(spread, k))


WRONG = (
    Implementation(
        "standardisation ignored",
        "distances on raw values",
        lambda r, k: means(r, float_mdav([[float(v) for v in row] for row in r], k)),
    ),
    Implementation("last group divided by k", "means of larger groups too large", _divided_by_k),
    Implementation(
        "medians for means",
        "the median of each group is released",
        lambda r, k: aggregated(table_of(r), Partition.of(float_mdav(z_scores(r), k)), median),
    ),
    Implementation("last group unmasked", "the last group keeps its values", _last_unmasked),
    Implementation(
        "last attribute unmasked", "one attribute passes through", _one_attribute_unmasked
    ),
    Implementation(
        "rows sorted", "released rows are not in the order of the records", _sorted_rows
    ),
    Implementation("overflow", "squares overflow, and large values count as equal", _overflowing),
    Implementation("whole-number means", "means are truncated", _integer_means),
    Implementation("seeds for means", "the first record of each group is released", _seed_values),
    Implementation("distorted distances", "roots of z-scores are compared", _manhattan),
    Implementation(
        "k-1 for k", "groups of k-1", lambda r, k: means(r, float_mdav(z_scores(r), max(k - 1, 1)))
    ),
)
