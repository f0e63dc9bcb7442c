"""What finds the cheapest pairs quickly, at every step against all pairs by definition."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from refagg import exact_space
from refagg.algorithms.hierarchical.hac_heights import metric_of
from refagg.engine.deltas import LINKAGES, Deltas
from refagg.engine.linkages import Criterion, MatrixPairs
from refagg.language.ties import LOWEST
from refagg.spaces.matrix import MatrixSpace

Cluster = Collection[int]
Rows = list[list[int]]


def rows_of(random: Random, least: int = 2, most: int = 9) -> Rows:
    """Few different values, so that many pairs are tied."""
    top = random.choice([2, 4, 30])
    n = random.randint(least, most)
    return [[random.randrange(top), random.randrange(3)] for _ in range(n)]


def squared(x: list[int], y: list[int]) -> int:
    return sum((a - b) ** 2 for a, b in zip(x, y, strict=True))


def mean_gap(rows: Rows, a: Cluster, b: Cluster) -> Fraction:
    """The mean squared distance of a record of a and one of b."""
    return Fraction(sum(squared(rows[i], rows[j]) for i in a for j in b), len(a) * len(b))


def scatter(rows: Rows, a: Cluster) -> Fraction:
    """The SSE of a cluster: half its mean squared distances, once for each record."""
    return mean_gap(rows, a, a) * len(a) / 2


def height(rows: Rows, linkage: str, a: Cluster, b: Cluster) -> Fraction:
    between = [Fraction(squared(rows[i], rows[j])) for i in a for j in b]
    increase = scatter(rows, [*a, *b]) - scatter(rows, a) - scatter(rows, b)
    return {
        "single": min(between),
        "complete": max(between),
        "average": mean_gap(rows, a, b),
        "ward": increase,
        "centroid": increase * (len(a) + len(b)) / (len(a) * len(b)),
        "energy": 2 * increase,
    }[linkage]


def least(
    clusters: Iterable[Cluster], cost: Callable[[Cluster, Cluster], Fraction | None]
) -> set[frozenset[frozenset[int]]]:
    """All pairs of least cost; those that cost None may not be merged."""
    costs = {
        frozenset([frozenset(a), frozenset(b)]): found
        for a, b in combinations(clusters, 2)
        if (found := cost(a, b)) is not None
    }
    return {pair for pair, found in costs.items() if found == min(costs.values())}


@pytest.mark.parametrize("priority", ["none", "size"])
@pytest.mark.parametrize("linkage", ["single", "complete", "average", "ward", "centroid", "energy"])
def test_all_cheapest_pairs_of_a_linkage_are_found(linkage: str, priority: str) -> None:
    random = Random(linkage + priority)
    for _ in range(12):
        rows, most = rows_of(random), random.randint(2, 6)
        metric = metric_of(exact_space(rows), "squared")
        criterion = Criterion(linkage, "squared", priority, most)
        pairs = MatrixPairs(metric, len(rows), criterion)

        def cost(a: Cluster, b: Cluster, rows: Rows = rows, most: int = most) -> Fraction | None:
            both = len(a) + len(b)
            if both > most:
                return None
            return height(rows, linkage, a, b) / (both if priority == "size" else 1)

        while (tie := pairs.cheapest_pairs()) is not None:
            named = [frozenset(frozenset(pairs.named(c)) for c in pair) for pair in tie.candidates]
            assert set(named) == least(pairs.clusters(), cost)
            assert len(named) == len(set(named))
            pairs.merge(*random.choice(tie.candidates))
        assert not least(pairs.clusters(), cost)


@pytest.mark.parametrize("linkage", ["single", "complete", "average"])
def test_pairs_that_nobody_has_listed_are_known(linkage: str) -> None:
    """The lowest one, whether there are several, and the next value, of dissimilarities."""
    random, alone = Random(linkage), 0
    for _ in range(30):
        rows, most = rows_of(random), random.randint(2, 6)
        space = MatrixSpace([[squared(x, y) for y in rows] for x in rows])
        metric = metric_of(space, "squared")
        criterion = Criterion(linkage, "squared", "none", most)
        pairs = MatrixPairs(metric, len(rows), criterion)
        while (tie := pairs.cheapest_pairs()) is not None:
            chosen, several = LOWEST.choose("merge", tie), tie.several
            heights = {
                (a, b): height(rows, linkage, pairs.named(a), pairs.named(b))
                for a, b in combinations(sorted(pairs.listed()), 2)
                if len(pairs.named(a)) + len(pairs.named(b)) <= most
            }
            least_height = min(heights.values())
            right = [pair for pair, found in heights.items() if found == least_height]
            assert chosen == min(right)
            assert several == (len(right) > 1)
            assert sorted(tie.candidates) == sorted(right)
            assert tie.value == least_height
            more = [found for found in heights.values() if found > least_height]
            assert tie.next_value() == min(more, default=None)
            alone += not several
            pairs.merge(*random.choice(tie.candidates))
    assert alone


@pytest.mark.parametrize("linkage", LINKAGES)
def test_all_clusters_of_least_delta_are_found(linkage: str) -> None:
    """Also after a record has moved."""
    random = Random(linkage)
    moved = 0
    for _ in range(12):
        rows, k = rows_of(random, 6, 13), random.randint(3, 4)
        matrix = [[squared(x, y) for y in rows] for x in rows]
        clusters = Deltas(MatrixSpace(matrix), k, linkage)
        clusters.release()

        def cost(a: Cluster, b: Cluster, rows: Rows = rows, k: int = k) -> Fraction | None:
            return height(rows, linkage, a, b) if len(a) < k or len(b) < k else None

        while clusters.small and len(clusters.members) > 1:
            tie = clusters.cheapest()
            found = [(a, b) for a in tie.candidates for b in clusters.partners(a, tie).candidates]
            named = {frozenset(map(clusters.named, pair)) for pair in found}
            assert named == least(clusters.clusters(), cost)
            a, b = random.choice(found)
            if len(clusters.named(a)) + len(clusters.named(b)) < 2 * k:
                clusters.merge(a, b)
            else:
                smaller, larger = (a, b) if a in clusters.small else (b, a)
                tied = clusters.nearest_record(smaller, larger).candidates
                near = {e: height(rows, linkage, [e], clusters.named(smaller)) for e in tied}
                others = [
                    height(rows, linkage, [e], clusters.named(smaller))
                    for e in clusters.named(larger)
                ]
                assert set(near.values()) == {min(others)}
                assert len(near) == others.count(min(others))
                clusters.move(random.choice(tied), larger, smaller)
                moved += 1
    assert moved > 5
