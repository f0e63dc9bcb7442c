"""hac where only dissimilarities are known, beside heights from their definitions."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from plain import dissimilarities
from plain import hac as plain

import refagg
from refagg.errors import NoCentroid, UnsupportedArithmetic

SETTINGS = [
    {"linkage": linkage, "metric": metric, "cap": cap, "priority": priority}
    for linkage, metric in (
        ("single", "euclidean"),
        ("complete", "euclidean"),
        ("single", "squared"),
        ("average", "squared"),
    )
    for cap in ("k", "2k-1")
    for priority in ("none", "size")
]


def words(random: Random) -> list[tuple[str, ...]]:
    n = random.randint(4, 11)
    return [tuple(random.choice("abc") for _ in range(random.randint(1, 5))) for _ in range(n)]


def by_definition(
    matrix: list[list[Fraction]], k: int, settings: dict[str, str], patch: pytest.MonkeyPatch
) -> list[list[int]]:
    """The plain twin, with these dissimilarities for its squared distances."""

    def table(points: Any, metric: str) -> list[list[Decimal]]:
        exact = [[Decimal(x.numerator) / Decimal(x.denominator) for x in row] for row in matrix]
        return exact if metric == "squared" else [[x.sqrt() for x in row] for row in exact]

    def filled(_: Any, k: int, small: list[int], others: list[list[int]]) -> list[list[int]]:
        """Take in the record of the least sum of dissimilarities, until there are k."""
        while len(small) < k:
            there = [i for c in others if len(c) != k for i in c]
            best = min(there, key=lambda i: (sum(matrix[i][j] for j in small), i))
            [donor] = [c for c in others if best in c]
            rest = [[i for i in donor if i != best]] if len(donor) > 1 else []
            others = [c for c in others if c is not donor] + rest
            small = sorted([*small, best])
        return [*others, small]

    patch.setattr(plain, "table", table)
    patch.setattr(plain, "filled", filled)
    return plain.partition(range(len(matrix)), k, leftovers="free-capacity", **settings)


@pytest.mark.parametrize("settings", SETTINGS)
def test_sequences_functions_and_matrices_give_the_groups_of_the_definition(
    settings: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(12):
        random = Random(seed)
        items, k = words(random), random.randint(2, 3)
        name = random.choice(["levenshtein", "hamming", "lcs", "oss"])
        measure = dissimilarities.PLAIN[name]
        matrix = [[Fraction(measure(a, b)) for b in items] for a in items]
        expected = tuple(
            sorted(map(tuple, map(sorted, by_definition(matrix, k, settings, monkeypatch))))
        )
        given: dict[str, Any] = {**settings, "leftovers": "free-capacity"}
        assert refagg.hac(items, k, dissimilarity=name, **given).groups == expected
        assert refagg.hac(items, k, dissimilarity=measure, **given).groups == expected
        assert refagg.hac(items, k, dissimilarity=matrix, **given).groups == expected
        frame = {"word": [">".join(events) for events in items]}
        kinds = {"kinds": {"word": "sequence:>"}, "dissimilarity": name}
        assert refagg.hac(frame, k, **kinds, **given).groups == expected
        if name != "levenshtein":
            similar = [[1 - value for value in row] for row in matrix]
            assert refagg.hac(items, k, similarity=similar, **given).groups == expected


def test_by_hand() -> None:
    """ab and ac share one of two events, xyz and xyw two of three, all others none."""
    items = ["ab", "xyz", "ac", "xyw"]
    found = refagg.hac(items, 2, linkage="single", leftovers="free-capacity", dissimilarity="lcs")
    assert found.groups == ((0, 2), (1, 3))


def test_what_needs_averages_says_with_which_parameters_it_does_not() -> None:
    with pytest.raises(NoCentroid, match="linkage single or complete or average, metric") as raised:
        refagg.hac(["ab", "ac", "x", "y"], 2, dissimilarity="levenshtein")
    assert "leftovers free-capacity" in str(raised.value)
    with pytest.raises(NoCentroid, match=r"mdav needs averages, but a dissimilarity gives none$"):
        refagg.mdav(["ab", "ac", "x", "y"], 2, dissimilarity="levenshtein")
    with pytest.raises(UnsupportedArithmetic, match="roots unless the metric is squared"):
        refagg.hac(["a", "b"], 2, linkage="average", leftovers="free-capacity", dissimilarity="oss")


def test_a_mixed_table_is_merged_by_its_distances() -> None:
    """Numbers and categories have averages too: every linkage of squared distances applies."""
    table = {"age": [30, 31, 60, 61], "job": ["cook", "cook", "clerk", "clerk"]}
    found = refagg.hac(table, 2, kinds={"age": "numeric", "job": "nominal"})
    assert found.groups == ((0, 1), (2, 3))
