"""Tours and the paths that they are opened to; MHM along them, and again and again."""

from __future__ import annotations

import os
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, pairwise
from random import Random
from typing import Any

import pytest

from oracle.conformance.vectors.optima import optima
from refagg import exact_space, float_space
from refagg.algorithms.trees.mhm import chained, cut_path, path_of
from refagg.algorithms.trees.tours import Tour, improved_tour, inserted, opened_tour
from refagg.catalogue import CATALOGUE
from refagg.cursors.groups import Groups
from refagg.cursors.sequence import RecordSequence
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from tests.algorithms.test_second_phase import cost, drawn, run_of

TABLES = int(os.environ.get("TABLES", "40"))
"""Random tables of each property; the long version has 2000."""

[PATH] = [p for p in CATALOGUE["mhm"].parameters if p.kind == "choice"]


def length(rows: Any, tour: list[int]) -> Fraction:
    """By its definition: the squared distances of neighbours, the last and the first too."""
    steps = zip(tour, [*tour[1:], tour[0]], strict=True)
    return sum(
        (Fraction(x - y) ** 2 for a, b in steps for x, y in zip(rows[a], rows[b], strict=True)),
        Fraction(0),
    )


@pytest.mark.parametrize("space_of", [exact_space, float_space])
def test_a_tour_knows_its_lengths(space_of: Callable[..., Any]) -> None:
    random = Random(1)
    for _ in range(TABLES):
        rows, _ = drawn(random)
        space, choices = space_of(rows), Choices()
        grown = inserted(space, choices, 0)
        turned = improved_tour(choices, Tour(space, random.sample(range(len(rows)), len(rows))))
        for tour in (grown, turned):
            assert sorted(tour.records) == list(range(len(rows)))
            assert float(space.shown(tour.length())) == pytest.approx(
                float(length(rows, tour.records)), rel=1e-9, abs=1e-9
            )


def test_2_opt_ends_where_no_exchange_of_two_edges_makes_the_tour_shorter() -> None:
    random, shorter = Random(2), 0
    for _ in range(TABLES):
        rows, _ = drawn(random, 16)
        space = exact_space(rows)
        nearest = chained(Groups(space, Choices(), {0: space.records()}))
        tour = improved_tour(Choices(), Tour(space, nearest)).records
        assert length(rows, tour) <= length(rows, nearest)
        shorter += length(rows, tour) < length(rows, nearest)
        for i, j in combinations(range(len(tour) + 1), 2):
            other = [*tour[:i], *tour[i:j][::-1], *tour[j:]]
            assert length(rows, tour) <= length(rows, other), (rows, i, j)
    assert shorter > TABLES // 3


def test_a_tour_is_opened_at_a_longest_edge() -> None:
    random = Random(3)
    for _ in range(TABLES):
        rows, _ = drawn(random)
        space = exact_space(rows)
        tour = inserted(space, Choices(), 0)
        path = opened_tour(Choices(), tour)
        assert sorted(path) == sorted(tour.records)
        lost = space.between(path[-1], path[0])
        assert all(space.between(a, b) <= lost for a, b in pairwise(path))
        assert length(rows, path) == length(rows, tour.records)


def test_insertion_by_hand() -> None:
    """From 0 on: 9 is the farthest, then 5, which is 4 away where 2 is 2 away, then 2.

    2 makes 25, from 0 to 5, into 4 + 9, or 81, from 9 to 0, into 49 + 4, which is 28 less.
    """
    space = exact_space([[0], [2], [5], [9]])
    assert inserted(space, Choices(), 0).records == [0, 2, 3, 1]
    assert opened_tour(Choices(), Tour(space, [0, 1, 2, 3])) == [0, 1, 2, 3]


def test_2_opt_by_hand() -> None:
    """A square whose tour crosses itself: both diagonals are exchanged for sides."""
    space = exact_space([[0, 0], [2, 0], [2, 1], [0, 1]])
    tour = improved_tour(Choices(), Tour(space, [0, 2, 1, 3]))
    assert tour.records == [0, 1, 2, 3]
    assert space.shown(tour.length()) == 4 + 1 + 4 + 1


@pytest.mark.parametrize("path", PATH.values)
def test_repeating_never_raises_the_sse_and_no_sse_is_below_the_optimum(path: str) -> None:
    random = Random(path)
    for _ in range(TABLES // 2):
        rows, k = drawn(random, 9)
        once, again = (run_of(name, rows, k, path=path) for name in ("mhm", "imhm"))
        least, _ = optima([tuple(map(Fraction, row)) for row in rows], k, "none")
        assert least <= cost(rows, again) <= cost(rows, once), (rows, k)
        for found in (once, again):
            assert k <= found.smallest() <= found.largest() < 2 * k


@pytest.mark.parametrize("space_of", [exact_space, float_space])
def test_a_path_through_groups_of_any_sizes_allowed_is_cut_at_no_greater_sse(
    space_of: Callable[..., Any],
) -> None:
    random, lower = Random(4), 0
    for _ in range(TABLES):
        rows, k = drawn(random)
        order = random.sample(range(len(rows)), len(rows))
        formed = [order[i : i + k] for i in range(0, len(rows) - k + 1, k)]
        formed[-1] += order[len(formed) * k :]
        space = space_of(rows)
        way = chained(Groups(space, Choices(), dict(enumerate(formed))))
        places = [way.index(record) for group in formed for record in group]
        assert sorted(places) == list(range(len(rows)))
        for group in formed:  # they stay together
            at = sorted(way.index(record) for record in group)
            assert at == list(range(at[0], at[0] + len(group)))
        found = Partition.of(cut_path(RecordSequence(space, Choices()), k, way))
        assert cost(rows, found) <= cost(rows, Partition.of(formed))
        lower += cost(rows, found) < cost(rows, Partition.of(formed))
    assert lower > TABLES // 4


def test_repeating_lowers_the_sse_of_some_tables() -> None:
    random, lower = Random(5), 0
    for _ in range(TABLES):
        rows, k = drawn(random)
        once, again = (cost(rows, run_of(name, rows, k, path="npn")) for name in ("mhm", "imhm"))
        assert again <= once
        lower += again < once
    assert lower > TABLES // 10


def test_all_paths_visit_every_record_once() -> None:
    random = Random(6)
    for _ in range(TABLES // 4):
        rows, k = drawn(random)
        for path in PATH.values:
            found = path_of(RecordSequence(exact_space(rows), Choices()), k, path)
            assert sorted(found) == list(range(len(rows)))
