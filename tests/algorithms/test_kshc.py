"""KSHC: its result by definition, that it ends, its examples, and loops that do not end."""

from __future__ import annotations

import doctest
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matrices import KINDS, Matrix, any_matrix, by_oss, constant, oss, symmetric, tie_free, tied
from places import ROOT
from plain.kshc import steps
from planted.kshc_loops import (
    Endless,
    first_step,
    until_the_matrix_is_empty,
    with_the_maximum,
)
from strategies import all_results, examples, few_values, some_choices, tables

from oracle.optima import solve
from oracle.replay.explore import Undecided, all_partitions
from oracle.replay.guided import ClaimedGroups, judge_claim
from refagg import exact_space, float_space, specification
from refagg.algorithms.hierarchical.kshc import kshc
from refagg.engine.deltas import LINKAGES
from refagg.errors import KTooLarge
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.release.masking import microaggregate
from refagg.release.trace import trace_lines
from refagg.spaces.matrix import MatrixSpace
from refagg.spaces.sequences import sequence_space
from tests.benchmarks.kshc_matrices import examined, operations
from tests.replay.test_admissible import k_partitions
from tests.suites import one_in

SPECIFICATION = specification("kshc")
DOCS = ROOT / "docs"

in_each_linkage = pytest.mark.parametrize("linkage", LINKAGES)


def groups_of(matrix: Matrix, k: int, linkage: str = "single") -> tuple[tuple[int, ...], ...]:
    return kshc(MatrixSpace(matrix), k, Choices(), linkage).groups


def line(*places: int) -> Matrix:
    """The distances of some places on a line."""
    return symmetric(len(places), lambda i, j: abs(places[i] - places[j]))


# By definition, and the bound


@pytest.mark.long
@examples(60)
@given(st.integers(0, 2**32))
def test_random_matrices_are_as_by_definition_and_end(seed: int) -> None:
    """Sizes in [k, 2k-1], at most n (k-1) operations, with every linkage."""
    examined(seed, compare=True)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@in_each_linkage
def test_larger_matrices_are_as_by_definition(kind: Any, linkage: str) -> None:
    for k in (2, 3, 7):
        matrix = kind(Random(k), 28)
        choices = Choices(trace=[])
        groups, number = steps(matrix, k, linkage)
        assert kshc(MatrixSpace(matrix), k, choices, linkage) == Partition.of(groups)
        assert operations(choices) == number <= 28 * (k - 1)


@in_each_linkage
def test_fractions_and_whole_numbers_give_the_same(linkage: str) -> None:
    for seed in range(60):
        matrix, k = any_matrix(Random(seed), 12)
        thirds = [[Fraction(value, 3) for value in row] for row in matrix]
        expected = groups_of(matrix, k, linkage)
        assert groups_of(thirds, k, linkage) == expected
        assert kshc(_Fractions(matrix), k, Choices(), linkage).groups == expected


class _Fractions(MatrixSpace):
    """A space whose raw dissimilarities are fractions."""

    def raw(self, a: int, others: Sequence[int]) -> list[Any]:
        return [Fraction(value, 7) for value in super().raw(a, others)]


# Order of the records


@in_each_linkage
@examples(5)
@given(st.integers(0, 2**32), st.randoms(use_true_random=False))
def test_the_order_of_the_records_gives_other_names_only(
    linkage: str, seed: int, shuffler: Any
) -> None:
    random = Random(seed)
    n = random.randrange(1, 15)
    matrix, k = tie_free(random, n), random.randrange(1, n + 1)
    order = list(range(n))
    shuffler.shuffle(order)
    turned = [[matrix[i][j] for j in order] for i in order]
    choices = Choices()
    found = kshc(MatrixSpace(turned), k, choices, linkage)
    renamed = Partition.of([[order[record] for record in group] for group in found.groups])
    assert choices.ties == 0
    assert renamed == kshc(MatrixSpace(matrix), k, Choices(), linkage)


@in_each_linkage
@given(st.integers(0, 2**32))
def test_tied_matrices_have_the_same_results_in_any_order(linkage: str, seed: int) -> None:
    random = Random(seed)
    n = random.randrange(2, 8)
    matrix, k = tied(random, n), random.randrange(2, 4)
    if k > n:
        return
    order = random.sample(range(n), n)
    turned = [[matrix[i][j] for j in order] for i in order]
    results = all_results(
        lambda tie_breaker: kshc(MatrixSpace(turned), k, some_choices(tie_breaker), linkage), 3000
    )
    renamed = {
        Partition.of([[order[record] for record in group] for group in found.groups])
        for found in results
    }
    again = all_results(
        lambda tie_breaker: kshc(MatrixSpace(matrix), k, some_choices(tie_breaker), linkage), 3000
    )
    assert renamed == set(again)


# Edges


@in_each_linkage
def test_edges(linkage: str) -> None:
    one: Matrix = [[0]]
    assert groups_of(one, 1, linkage) == ((0,),)
    for kind in KINDS:
        matrix = kind(Random(1), 6)
        assert groups_of(matrix, 1, linkage) == tuple((record,) for record in range(6))
        assert groups_of(matrix, 6, linkage) == (tuple(range(6)),)
        assert groups_of(matrix, 4, linkage) == (tuple(range(6)),)


@in_each_linkage
def test_all_records_equal(linkage: str) -> None:
    """The lowest records first: 0, 1 and 2 are reserved, then 3, 4, 5, and 6 joins 0."""
    assert groups_of(symmetric(7, lambda i, j: 0), 3, linkage) == ((0, 1, 2, 6), (3, 4, 5))


def test_fewer_records_than_k() -> None:
    """The caller checks k, as for every algorithm."""
    with pytest.raises(KTooLarge, match="k is 4"):
        microaggregate([[1], [2], [3]], 4, algorithm="kshc")


def test_many_equal_records_take_no_longer() -> None:
    """All pairs are tied; they must not be listed each time."""
    found = kshc(MatrixSpace(constant(Random(1), 300)), 3, Choices(), "average")
    assert 3 <= found.smallest() <= found.largest() <= 5


@given(tables(9, few_values))
def test_squared_distances_in_both_arithmetics(rows: list[tuple[int, ...]]) -> None:
    for linkage in LINKAGES:
        exact, floats = (
            kshc(space, 2, Choices(), linkage) for space in (exact_space(rows), float_space(rows))
        )
        assert exact == floats


# The trace


def events(matrix: Matrix, k: int, linkage: str = "single") -> list[tuple[str, tuple[Any, ...]]]:
    """What was noted in a run."""
    choices = Choices(trace=[])
    kshc(MatrixSpace(matrix), k, choices, linkage)
    found = []
    for event in choices.trace or ():
        if event.name == "merged":
            found.append(("merged", tuple(sorted(sum(event.items, ())))))
        elif event.name.startswith("note: "):
            found.append((event.name.removeprefix("note: "), event.items))
    return found


def test_the_trace_by_hand() -> None:
    """0 1, 3 5 and 8 12 are pairs; {0, 1} and {3, 5} are 2 apart, 8 is 3 from 5, 12 is 4 from 8.

    8 joins {3, 5}, and as 12 cannot join the three of them, 8 goes with 12.
    """
    assert events(line(0, 1, 3, 5, 8, 12), 2) == [
        ("merged", (0, 1)),
        ("reserved", (0, 1)),
        ("merged", (2, 3)),
        ("reserved", (2, 3)),
        ("skipped, as both are large although nearer: {0, 1} and {2, 3}", ()),
        ("merged", (2, 3, 4)),
        ("skipped, as both are large although nearer: {0, 1} and {2, 3, 4}", ()),
        ("moved from {2, 3, 4} to {5}", (4,)),
    ]


def test_the_average_in_the_trace_is_on_the_scale_of_the_data() -> None:
    choices = Choices(trace=[])
    halves = [[Fraction(value, 2) for value in row] for row in line(0, 1, 3)]
    kshc(MatrixSpace(halves), 3, choices, "average")
    values = [event.value for event in choices.trace or () if event.name.startswith("A of")]
    assert values == [Fraction(1, 2), Fraction(5, 4)]


@in_each_linkage
def test_nothing_depends_on_the_trace(linkage: str) -> None:
    for seed in range(100):
        matrix, k = any_matrix(Random(seed), 14)
        space = MatrixSpace(matrix)
        assert kshc(space, k, Choices(trace=[]), linkage) == kshc(space, k, Choices(), linkage)


def test_linkages_differ_by_hand() -> None:
    """k = 2 and minVC = 2. Reserved are {0, 1} at 4, then {3, 4} at 5; 2 is left, which is nearest
    to record 1 (6), but whose farthest of {0, 1} is 10 and of {3, 4} is 9: averages 8 and 8.25.
    """
    known = {(0, 1): 4, (3, 4): 5, (1, 2): 6, (0, 2): 10, (2, 3): Fraction(15, 2), (2, 4): 9}
    matrix = symmetric(5, lambda i, j: known.get((i, j), 20))
    assert groups_of(matrix, 2, "single") == groups_of(matrix, 2, "average")
    assert groups_of(matrix, 2, "single") == ((0, 1, 2), (3, 4))
    assert groups_of(matrix, 2, "complete") == ((0, 1), (2, 3, 4))


# The judge


@pytest.mark.parametrize(
    "kind", one_in(3, [tied, by_oss, constant]), ids=lambda kind: kind.__name__
)
@in_each_linkage
def test_guided_admissibility_is_that_of_enumeration(kind: Any, linkage: str) -> None:
    decided = 0
    for seed in range(25):
        random = Random(seed)
        n, k = random.choice(((4, 2), (5, 2), (6, 3), (5, 3)))
        space = MatrixSpace(kind(random, n))

        def algorithm(choices: Choices, space: MatrixSpace = space, k: int = k) -> Partition:
            return kshc(space, k, choices, linkage)

        try:
            possible = all_partitions(algorithm, 400)
        except Undecided:
            continue
        decided += 1
        every = [Partition.of(groups) for groups in k_partitions(tuple(range(n)), k)]
        for partition in random.sample(every, min(8, len(every))) + list(possible)[:4]:
            verdict = judge_claim(
                SPECIFICATION, algorithm, ClaimedGroups.of_partition(partition), 2000
            )
            assert (verdict.verdict == "admissible") == (partition in possible)
    assert decided > 10


# Examples


def test_the_page() -> None:
    failed, tried = doctest.testfile(str(DOCS / "kshc.md"), module_relative=False)
    assert tried > 10
    assert failed == 0


NINE = ["pqoy", "qpbr", "bax", "abc", "pqbr", "acb", "abx", "bac", "abxy"]


def test_the_nine_sequences_have_what_is_known_of_the_paper() -> None:
    matrix = symmetric(9, lambda i, j: oss(NINE[i], NINE[j]))
    known = {(8, 0): "3/4", (4, 2): "11/14", (2, 7): "1/3", (3, 6): "1/3"}
    assert all(matrix[i][j] == Fraction(value) for (i, j), value in known.items())
    assert [items for name, items in events(matrix, 3) if name == "reserved"] == [
        (3, 5, 7),
        (2, 6, 8),
    ]
    assert groups_of(matrix, 3) == ((0, 1, 4), (2, 6, 8), (3, 5, 7))
    assert sequence_space([tuple(row) for row in NINE], "oss").between(8, 0) == Fraction(3, 4)


def test_a_line_of_the_trace() -> None:
    choices = Choices(trace=[])
    kshc(MatrixSpace(line(0, 1, 5)), 2, choices, "single")
    assert trace_lines(SPECIFICATION, choices.trace or [])[1] == (
        "Step 1: cluster {1} is the cluster closest to cluster {0} (delta 1; next 5): it becomes B."
    )


# Loops that do not end

BOUND = 1000
"""More operations than n (k-1) by far, for all matrices below."""


def test_a_matrix_is_never_empty() -> None:
    with pytest.raises(Endless):
        until_the_matrix_is_empty([[0]], 1, BOUND)
    with pytest.raises(Endless):
        until_the_matrix_is_empty(line(0, 1), 2, BOUND)
    assert groups_of(line(0, 1), 2) == ((0, 1),)


FAR = symmetric(5, lambda i, j: Fraction(1, 2) if (i, j) in ((0, 1), (2, 3)) else Fraction(1))
"""{0, 1} and {2, 3} are reserved with k = 2; 4 is 1 apart from everything, and they from another.

No fewer records will do: there must be two large clusters and a small one.
"""


def test_a_finite_maximum_is_the_least_again() -> None:
    with pytest.raises(Endless):
        with_the_maximum(FAR, 2, 1, BOUND)
    ended = with_the_maximum(FAR, 2, float("inf"), BOUND)
    assert ended == {frozenset([0, 1, 4]), frozenset([2, 3])}
    assert groups_of(FAR, 2) == ((0, 1, 4), (2, 3))


def test_as_many_clusters_as_min_vc_may_never_come() -> None:
    """The example with a move of docs/kshc.md: one cluster of four, one of two, minVC is 2."""
    six = line(0, 1, 4, 6, 10, 15)
    with pytest.raises(Endless):
        first_step(six, 3, BOUND)
    assert groups_of(six, 3) == ((0, 1, 2), (3, 4, 5))
    for n in (3, 4, 5):
        for places in combinations(range(6), n):
            first_step(line(*places), 3, BOUND)


# The optimum


def within(matrix: Matrix, group: Sequence[int]) -> Fraction:
    """The sum of all dissimilarities in a group, each pair once, over its size.

    For squared Euclidean distances it is the SSE of the group.
    """
    return Fraction(sum(matrix[i][j] for i, j in combinations(group, 2)), len(group))


def test_the_cost_is_the_sse_where_there_is_one() -> None:
    rows = [[1, 2], [4, 4], [0, 7]]
    matrix = symmetric(
        3, lambda i, j: sum((x - y) ** 2 for x, y in zip(rows[i], rows[j], strict=True))
    )
    space = exact_space(rows)
    assert within(matrix, range(3)) == space.shown(space.sse(range(3)))


@in_each_linkage
@given(st.integers(0, 2**32))
def test_nothing_is_better_than_the_optimum(linkage: str, seed: int) -> None:
    matrix, k = any_matrix(Random(seed), 9)
    best = solve(range(len(matrix)), k, cost=lambda group: within(matrix, group)).value
    found = kshc(MatrixSpace(matrix), k, Choices(), linkage)
    assert sum(within(matrix, group) for group in found.groups) >= best
