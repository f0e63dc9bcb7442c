"""Optimal univariate microaggregation with suppression, against all ways to suppress and group."""

from __future__ import annotations

import os
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from oracle.conformance.vectors.optima import optima
from refagg import hansen_mukherjee, with_suppression
from refagg.errors import InvalidParameter

TABLES = int(os.environ.get("TABLES", "40"))
"""Random tables; the long version has 2000."""


def least(values: list[int], k: int, most: int) -> Fraction:
    """The optimum of every way to leave out at most so many records."""
    n = len(values)
    return min(
        optima([(Fraction(values[i]),) for i in kept], k, "none")[0]
        for stay in range(max(k, n - most), n + 1)
        for kept in combinations(range(n), stay)
    )


def sse(values: list[int], group: tuple[int, ...]) -> Fraction:
    mean = Fraction(sum(values[i] for i in group), len(group))
    return sum(((values[i] - mean) ** 2 for i in group), Fraction(0))


def test_it_is_the_least_of_all() -> None:
    random, helped = Random(1), 0
    for _ in range(TABLES):
        k = random.choice((1, 2, 2, 3))
        n = random.randint(k, 7)
        most = random.randint(0, min(2, n - k))
        values = [random.randrange(random.choice((5, 100))) for _ in range(n)]
        found = with_suppression(values, k, most)
        assert found.sse == least(values, k, most)
        assert found.sse == sum(sse(values, group) for group in found.groups)
        assert len(found.suppressed) <= most
        assert all(k <= len(group) < 2 * k for group in found.groups)
        together = [*found.suppressed, *(i for group in found.groups for i in group)]
        assert sorted(together) == list(range(n))
        helped += bool(found.suppressed)
    assert helped > TABLES // 5


def test_without_suppression_it_is_hansen_and_mukherjee() -> None:
    random = Random(2)
    for _ in range(TABLES):
        k = random.choice((2, 3, 4))
        values = [random.randrange(1000) for _ in range(random.randint(k, 30))]
        other = hansen_mukherjee([[value] for value in values], k)
        assert with_suppression(values, k).sse == sum(sse(values, g) for g in other.groups)


@pytest.mark.parametrize("most", [-1, 3])
def test_what_cannot_be_suppressed_is_refused(most: int) -> None:
    with pytest.raises(InvalidParameter, match=f"most is {most}"):
        with_suppression([1, 2, 3, 4], 2, most)
