"""Blocks of attributes by their correlations."""

from __future__ import annotations

from itertools import combinations
from random import Random
from statistics import correlation

import pytest

from refagg import correlated_blocks, microaggregate
from refagg.errors import InvalidParameter

ROWS = [[1, 5, 2], [2, 1, 4], [3, 4, 6], [4, 2, 9]]
"""Squared correlations by hand: x1, x2 9/50; x2, x3 49/267.5; x1, x3 121/133.75."""


def test_blocks_by_hand() -> None:
    assert correlated_blocks(ROWS, 2) == [["x1", "x3"], ["x2"]]
    assert correlated_blocks(ROWS, 2, least=True) == [["x1", "x2"], ["x3"]]
    assert correlated_blocks(ROWS, 1) == [["x1"], ["x2"], ["x3"]]
    assert correlated_blocks(ROWS, 9) == [["x1", "x2", "x3"]]


@pytest.mark.parametrize("least", [False, True])
def test_the_first_pair_is_that_of_the_extreme_correlation(least: bool) -> None:
    random = Random(1)
    for _ in range(40):
        rows = [[random.randrange(1000) for _ in range(5)] for _ in range(12)]
        columns = {f"x{j + 1}": [float(row[j]) for row in rows] for j in range(5)}
        size = random.choice((2, 3))
        blocks = correlated_blocks(rows, size, least)
        assert sorted(name for block in blocks for name in block) == sorted(columns)
        assert [len(block) for block in blocks] == [size] * (5 // size) + [5 % size]
        alike = {
            pair: abs(correlation(*map(columns.__getitem__, pair)))
            for pair in combinations(columns, 2)
        }
        best = (min if least else max)(alike, key=lambda pair: alike[pair])
        assert set(best) <= set(blocks[0])


def test_blocks_are_what_a_release_takes_and_hold_k_each() -> None:
    rows = [[i, i * i % 17, 2 * i + i % 3, i * 7 % 13] for i in range(20)]
    release = microaggregate(rows, 3, blocks=correlated_blocks(rows, 2))
    assert all(block.partition.smallest() >= 3 for block in release.blocks)
    assert release.k_reached <= 3


def test_a_block_has_an_attribute() -> None:
    with pytest.raises(InvalidParameter, match="size is 0"):
        correlated_blocks(ROWS, 0)
