"""Three algorithms of other kinds, sketched against the protocol of the library.

They are not implementations: they test that an algorithm without centroids (KSHC on event
sequences), one with a matrix that changes (single-linkage agglomeration) and one with
memberships (constrained fuzzy c-means) can be written, traced, replayed and judged with
the same tie-breaker, run and spaces as the MDAV family. docs/protocol.md says what was learnt.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import exp, log, sqrt

from oracle.replay.explore import all_partitions
from oracle.replay.guided import ClaimedGroups, judge_claim
from refagg import FloatSpace, exact_space, table_of
from refagg.data.standardise import standardise
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.language.random_stream import seeded
from refagg.language.space import Coordinates, Dissimilarities
from refagg.language.specification import OpenChoice, Specification
from refagg.language.ties import Comparison, Number, Ranking, least

Cluster = tuple[int, ...]


class Sequences:
    """Event sequences that can be compared, and nothing else; implements `Dissimilarities`."""

    def __init__(self, rows: Sequence[str]) -> None:
        self._rows = rows

    @property
    def n(self) -> int:
        return len(self._rows)

    def records(self) -> list[int]:
        return list(range(self.n))

    def between(self, a: int, b: int) -> Fraction:
        """The share of positions that differ."""
        x, y = self._rows[a], self._rows[b]
        longest = max(len(x), len(y), 1)
        same = sum(p == q for p, q in zip(x, y, strict=False))
        return Fraction(longest - same, longest)

    def measured(self, items: Sequence[Cluster], values: Sequence[Number]) -> Ranking[Cluster]:
        return Ranking(items, values, lambda value: value)

    def less(self, left: Number, right: Number) -> Comparison:
        return Comparison(left, right, (left < right,))


def single(space: Dissimilarities, a: Cluster, b: Cluster) -> Number:
    """The distance of two clusters: that of their nearest records."""
    return min(space.between(x, y) for x in a for y in b)


def best_pair(
    space: Dissimilarities, choices: Choices, pairs: Sequence[tuple[Cluster, Cluster]]
) -> tuple[Cluster, Cluster]:
    return choices.choose(
        "pair", least(space.measured(pairs, [single(space, a, b) for a, b in pairs]))
    )


def kshc(space: Dissimilarities, k: int, choices: Choices) -> Partition:
    """Merge the nearest clusters; one that is too large to merge with gives its nearest record."""
    active: list[Cluster] = [(record,) for record in space.records()]
    reserved: list[Cluster] = []
    fewest = -(-space.n // (2 * k - 1))
    while len(reserved) < fewest and len(active) > 1:
        a, b = best_pair(space, choices, list(combinations(active, 2)))
        active = [c for c in active if c not in (a, b)]
        merged = tuple(sorted(a + b))
        (reserved if len(merged) >= k else active).append(merged)
    clusters = active + reserved
    while min(map(len, clusters)) < k:
        pairs = [p for p in combinations(clusters, 2) if min(map(len, p)) < k]
        small, large = sorted(best_pair(space, choices, pairs), key=len)
        clusters = [c for c in clusters if c not in (small, large)]
        if len(small) + len(large) < 2 * k:
            clusters.append(tuple(sorted(small + large)))
            continue
        near = space.measured([(e,) for e in large], [single(space, small, (e,)) for e in large])
        (moved,) = choices.choose("moved", least(near))
        clusters += [tuple(sorted((*small, moved))), tuple(e for e in large if e != moved)]
    return Partition.of(clusters, space.n)


def agglomerative(space: Dissimilarities, k: int, choices: Choices) -> Partition:
    """Single linkage, merging up to 2k-1; a matrix of cluster distances is kept and updated."""
    clusters: list[Cluster] = [(record,) for record in space.records()]
    distance: dict[frozenset[Cluster], Number] = {
        frozenset((a, b)): single(space, a, b) for a, b in combinations(clusters, 2)
    }
    while pairs := [p for p in combinations(clusters, 2) if len(p[0]) + len(p[1]) < 2 * k]:
        a, b = choices.choose(
            "pair", least(space.measured(pairs, [distance[frozenset(p)] for p in pairs]))
        )
        clusters = [c for c in clusters if c not in (a, b)]
        merged = tuple(sorted(a + b))
        for other in clusters:
            distance[frozenset((merged, other))] = min(
                distance[frozenset((a, other))], distance[frozenset((b, other))]
            )
        clusters.append(merged)
    while min(map(len, clusters)) < k:
        smallest = min(clusters, key=lambda c: (len(c), c))
        clusters.remove(smallest)
        for record in smallest:
            growing = [c for c in clusters if len(c) < 2 * k - 1]
            squared = [single(space, (record,), c) for c in growing]
            home = choices.choose("home", least(space.measured(growing, squared)))
            clusters[clusters.index(home)] = tuple(sorted((*home, record)))
    return Partition.of(clusters, space.n)


def constrained_fuzzy(
    space: Coordinates,
    choices: Choices,
    c: int,
    m: float,
    alpha: Sequence[float],
    a: float,
    steps: int,
) -> tuple[list[list[float]], list[int]]:
    """Centres on alpha v = a, and a centre drawn for each record: no partition is promised."""
    rows, n = space.rows, space.n
    centres = [list(rows[i]) for i in choices.stream.sample(range(n), c)]
    for _ in range(steps):
        weights = [_memberships(row, centres, m) for row in rows]
        for i in range(c):
            u = [w[i] ** m for w in weights]
            mean = [
                sum(x * y for x, y in zip(u, column, strict=True)) / sum(u)
                for column in zip(*rows, strict=True)
            ]
            off = sum(x * y for x, y in zip(alpha, mean, strict=True)) - a
            norm = sum(x * x for x in alpha)
            centres[i] = [v - x * off / norm for v, x in zip(mean, alpha, strict=True)]
    drawn = []
    for row in rows:
        share, number = choices.stream.uniform(), 0
        memberships = _memberships(row, centres, m)
        while number < c - 1 and share >= memberships[number]:
            share -= memberships[number]
            number += 1
        drawn.append(number)
    return centres, drawn


def _memberships(row: Sequence[float], centres: Sequence[Sequence[float]], m: float) -> list[float]:
    logs = [
        -log(max(sum((x - v) ** 2 for x, v in zip(row, centre, strict=True)), 1e-300)) / (m - 1)
        for centre in centres
    ]
    weights = [exp(value - max(logs)) for value in logs]
    return [weight / sum(weights) for weight in weights]


SKETCHES = {
    name: Specification(
        name=name,
        title=name,
        source="a sketch",
        run=run,
        largest_group=lambda k: 2 * k - 1,
        guarantees="groups of k to 2k-1 records",
        ties=(
            OpenChoice("pair", "1", "the nearest clusters", "pair"),
            OpenChoice("moved", "2", "the record that moves"),
            OpenChoice("home", "2", "the nearest cluster with free capacity"),
        ),
        decisions=(),
        cost="",
        needs="Dissimilarities",
        arithmetic=("exact",),
    )
    for name, run in (("kshc", kshc), ("agglomerative", agglomerative))
}


def test_kshc_on_sequences_is_enumerated_and_judged() -> None:
    """Two tight pairs and two tied others: "abcd", "abce" first, then "wxyz", "wxyy"."""
    space = Sequences(["abcd", "abce", "wxyz", "wxyy", "qqqq", "rrrr"])
    possible = all_partitions(lambda choices: kshc(space, 2, choices))
    assert Partition.of([[0, 1], [2, 3], [4, 5]]) in possible
    spec = SKETCHES["kshc"]
    for groups in ([[0, 1], [2, 3], [4, 5]], [[0, 2], [1, 3], [4, 5]]):
        claim = ClaimedGroups.of_partition(Partition.of(groups))
        verdict = judge_claim(spec, lambda choices: kshc(space, 2, choices), claim, limit=5000)
        assert (verdict.verdict == "admissible") == (Partition.of(groups) in possible)


def test_agglomeration_in_the_numeric_space() -> None:
    """0 1 | 10 11 | 20 22: the gaps 1, 1 and 2 are merged first, and then all are of size 2."""
    space = exact_space([[0], [1], [10], [11], [20], [22]])
    possible = all_partitions(lambda choices: agglomerative(space, 2, choices))
    assert Partition.of([[0, 1], [2, 3], [4, 5]]) in possible
    assert all(p.smallest() >= 2 and p.largest() <= 3 for p in possible)


def test_constrained_fuzzy_centres_are_on_the_constraint() -> None:
    rows = [[x, 2 * x + e] for x in range(12) for e in (0, 1)]
    space = FloatSpace(standardise(table_of(rows), "population"))
    # 2 v1 - v2 = 0.25 on values, carried over to coordinates.
    on_values = (2.0, -1.0)
    alpha = [x / sqrt(w) for x, w in zip(on_values, space.weights, strict=True)]
    a = 0.25 - float(sum(x * o for x, o in zip((2, -1), space.origin, strict=True)))
    centres, drawn = constrained_fuzzy(space, Choices(stream=seeded(5)), 3, 1.5, alpha, a, steps=20)
    for centre in centres:
        values = [
            v / sqrt(w) + float(o)
            for v, w, o in zip(centre, space.weights, space.origin, strict=True)
        ]
        assert abs(2 * values[0] - values[1] - 0.25) < 1e-9
    assert len(drawn) == len(rows)
    assert set(drawn) <= {0, 1, 2}
