"""MSTP, M-d and M-c: hand-made tables, bounds that always hold, and values from elsewhere."""

from __future__ import annotations

import os
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from suites import only

import refagg
from oracle.conformance.vectors.optima import optima
from oracle.replay.explore import all_partitions
from refagg import exact_space, float_space, specification
from refagg.algorithms.trees.mstp import cut_trees
from refagg.cursors.trees import Trees
from refagg.data.standardise import standardise
from refagg.datasets import load
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.language.ties import HIGHEST, LOWEST
from refagg.literature.claims import sources
from refagg.release.measures import information_loss, sse, sst
from refagg.spaces.binary64 import FloatSpace
from tests.algorithms.test_second_phase import cost, drawn, run_of

TABLES = int(os.environ.get("TABLES", "60"))
"""Random tables of each property; the long version has 2000."""

NAMES = ("mstp", "m-d", "m-c")


def lightest(rows: Any) -> Fraction:
    """The length of a minimum spanning tree, by Kruskal's rule."""
    n = len(rows)
    home, total = list(range(n)), Fraction(0)
    squares = [
        (sum((x - y) ** 2 for x, y in zip(rows[a], rows[b], strict=True)), a, b)
        for a in range(n)
        for b in range(a)
    ]
    for square, a, b in sorted(squares):
        if home[a] != home[b]:
            total += square
            home = [home[a] if h == home[b] else h for h in home]
    return total


@pytest.mark.parametrize("space_of", [exact_space, float_space])
@pytest.mark.parametrize("tie_breaker", [LOWEST, HIGHEST], ids=lambda tie_breaker: tie_breaker.name)
def test_the_tree_spans_all_records_and_is_the_lightest(
    space_of: Callable[..., Any], tie_breaker: Any
) -> None:
    random = Random(1)
    for _ in range(TABLES):
        rows, _ = drawn(random)
        space = space_of(rows)
        trees = Trees(space, Choices(tie_breaker))
        next(cut_trees(trees, 1))
        edges = trees.lengths
        assert len(edges) == len(rows) - 1
        reached = {0}
        while more := {r for edge in edges if reached & {*edge} for r in edge} - reached:
            reached |= more
        assert reached == set(range(len(rows)))
        assert sum(exact_space(rows).between(a, b) for a, b in edges) == lightest(rows)
        lengths = [space.shown(raw) for raw in edges.values()]
        assert float(sum(lengths)) == pytest.approx(float(lightest(rows)), rel=1e-9)


def test_dividing_parts_never_raises_the_sse_and_no_sse_is_below_the_optimum() -> None:
    random, lower = Random(2), 0
    for _ in range(TABLES):
        rows, k = drawn(random, 9)
        found = {name: run_of(name, rows, k) for name in NAMES}
        losses = {name: cost(rows, partition) for name, partition in found.items()}
        least, _ = optima([tuple(map(Fraction, row)) for row in rows], k, "none")
        assert least <= losses["m-d"] <= losses["mstp"], (rows, k)
        assert least <= losses["m-c"] <= losses["mstp"], (rows, k)
        assert found["mstp"].smallest() >= k
        for name in ("m-d", "m-c"):
            assert k <= found[name].smallest() <= found[name].largest() < 2 * k
        lower += losses["m-d"] < losses["mstp"]
    assert lower > TABLES // 20


def test_no_edge_of_a_group_of_mstp_can_be_cut() -> None:
    """In a group of 2k records or more, the tree has no edge with k records on each side."""
    random, large = Random(3), 0
    for _ in range(TABLES):
        rows, k = drawn(random, 30)
        for group in run_of("mstp", rows, k).groups:
            own = [rows[record] for record in group]
            assert run_of("mstp", own, k).groups == (tuple(range(len(own))),)
            large += len(group) >= 2 * k
    assert large > TABLES // 10


def test_every_tree_of_equal_edges_is_possible() -> None:
    """A square of side 1 with k = 2: without one of its four sides it is a line.

    The middle edge of the line is cut: either both vertical sides remain, or both horizontal ones.
    """
    space = exact_space([[0, 0], [1, 0], [0, 1], [1, 1]])
    possible = all_partitions(lambda choices: specification("mstp").run(space, 2, choices))
    assert {found.groups for found in possible} == {((0, 1), (2, 3)), ((0, 2), (1, 3))}


def test_it_groups_sequences() -> None:
    """It needs dissimilarities alone. abc and abd differ in one symbol, abd and xyz in all."""
    words = ["abc", "xyz", "abd", "xyw"]
    assert refagg.mstp(words, 2, dissimilarity="levenshtein").groups == ((0, 2), (1, 3))


ELEVEN_FIRMS = ((0, 1, 9), (2, 3, 4), (5, 6, 7, 8, 10))
"""The value of an independent program, k = 3; its SSE on z-scores is 8.682576."""


def test_the_eleven_firms() -> None:
    scaled = standardise(load("eleven-firms"))
    found = specification("mstp").run(FloatSpace(scaled), 3, Choices())
    assert found.groups == ELEVEN_FIRMS
    assert round(float(sse(scaled, found)), 6) == 8.682576


def test_the_examples_of_the_literature() -> None:
    """The values of an independent program: the optimum of one table, and groups of another."""
    raw = standardise(load("smb06-example1"), "none")
    found = specification("mstp").run(FloatSpace(raw), 3, Choices())
    assert round(float(sse(raw, found)), 6) == 30.608233
    toy = standardise(load("ala18-toy"), "sample")
    groups = specification("mstp").run(FloatSpace(toy), 4, Choices())
    assert round(float(sse(toy, groups)), 6) == 10.060033
    numbered = ["1 3 4 13", "2 10 16 17", "5 6 14 18", "7 8 9 11 12 15 19"]
    assert groups == Partition.of([[int(r) - 1 for r in group.split()] for group in numbered])


ELSEWHERE = {
    ("mstp", "tarragona"): "17.1431 20.9220 24.5741 38.8264",
    ("mstp", "census"): "6.5122 8.7773 10.6955 17.5776",
    ("m-d", "tarragona"): "16.6312 19.6599 24.5138 38.4587",
    ("m-d", "census"): "6.1283 8.2511 10.3076 17.1699",
    ("m-c", "tarragona"): "16.6850 19.6862 24.5033 38.4222",
    ("m-c", "census"): "6.1390 8.2380 10.2881 17.1200",
}
"""The IL in percent for k = 3, 4, 5, 10 of an independent program, with the same reading."""


@pytest.mark.reference_data
@pytest.mark.parametrize("case", only(ELSEWHERE, []), ids="-".join)
def test_reference_data(case: tuple[str, str], data_folder: Path) -> None:
    name, dataset = case
    scaled = standardise(load(dataset))
    for k, expected in zip((3, 4, 5, 10), ELSEWHERE[case].split(), strict=True):
        found = specification(name).run(FloatSpace(scaled), k, Choices())
        assert f"{float(information_loss(sse(scaled, found), sst(scaled))):.4f}" == expected


def test_what_is_recollected_of_m_d_is_within_half_a_percent() -> None:
    for claim in sources()["LM05"].claims:
        assert claim.recipe
        ours = ELSEWHERE["m-d", claim.recipe.dataset].split()[(3, 4, 5, 10).index(claim.recipe.k)]
        assert abs(float(ours) / float(claim.printed) - 1) < 0.005


@pytest.mark.parametrize("function", [refagg.mstp, refagg.m_d, refagg.m_c])
def test_far_apart_clusters_are_found(function: Callable[..., Any]) -> None:
    rows = [[x + step, y] for x, y in ((0, 0), (100, 0), (0, 100)) for step in (0, 1, 3)]
    assert function(rows, 3).groups == ((0, 1, 2), (3, 4, 5), (6, 7, 8))
