"""Groups around random seeds, worked by hand with tapes that are written down."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from refagg import exact_space, float_space, specification
from refagg.errors import TapeExhausted
from refagg.model import Partition
from refagg.run import Run
from refagg.tape import scripted, seeded

COLUMN = [0, 2, 4, 8, 14, 15, 60, 62]


def groups_of(
    size: str, draws: Sequence[int], k: int = 3, column: Sequence[int] = COLUMN
) -> list[list[int]]:
    """The values in each group of a column, in both arithmetics."""
    spec, rows = specification("random-seed"), [[x] for x in column]
    found: list[Partition] = [
        spec.run(space(rows), k, Run(tape=scripted(draws)), size=size)
        for space in (exact_space, float_space)
    ]
    assert found[0] == found[1]
    return [[column[record] for record in group] for group in found[0].groups]


def test_fixed_size() -> None:
    """The fourth record is 8; 4 is at 4^2, 2 and 14 at 6^2: the lower one. Five are left."""
    assert groups_of("fixed", (3,)) == [[0, 14, 15, 60, 62], [2, 4, 8]]


def test_seeds_are_drawn_among_those_left() -> None:
    """62 and 60; of 0, 2, 4, 8, 14, 15 the fifth is 14, with 15; of 0, 2, 4, 8 the last, with 4."""
    assert groups_of("fixed", (7, 4, 3), k=2) == [[0, 2], [4, 8], [14, 15], [60, 62]]


def test_the_last_2k_less_one_are_not_divided() -> None:
    assert groups_of("fixed", (0,)) == [[0, 2, 4], [8, 14, 15, 60, 62]]


def test_minimum() -> None:
    """0 2 4, e = 8: 4^2 to the group, 6^2 to 14: it joins. e = 14: 6^2, but 1 to 15."""
    assert groups_of("minimum", (0,)) == [[0, 2, 4, 8], [14, 15, 60, 62]]


def test_mean() -> None:
    """e = 8: (64 + 36 + 16) / 3 to the group, (36 + 49) / 2 to 14 and 15: it joins.

    e = 14: 476 / 4, less than (1 + 46^2) / 2 to 15 and 60: it joins. The group is full.
    """
    assert groups_of("mean", (0,)) == [[0, 2, 4, 8, 14], [15, 60, 62]]


def test_each_record_of_the_group_counts() -> None:
    """The seed is 5, with 1 and 10. e = 16: 6^2 to 10, 9^2 to 25: it joins; three are left."""
    column = [10, 5, 1, 16, 25, 26, 27]
    assert groups_of("minimum", (1,), column=column) == [[10, 5, 1, 16], [25, 26, 27]]


def test_means_are_of_as_many_as_there_are() -> None:
    """e = 5: (25 + 16 + 9) / 3 to the group, (9 + 16) / 2 to 8 and 9: it does not join."""
    column = [0, 1, 2, 5, 8, 9, 20]
    assert groups_of("mean", (0,), column=column) == [[0, 1, 2], [5, 8, 9, 20]]


def test_none_joins_where_k_are_left() -> None:
    """3 is 1 from the group and 47 from the next."""
    assert groups_of("minimum", (0,), column=[0, 1, 2, 3, 50, 100]) == [[0, 1, 2], [3, 50, 100]]


def test_min_max() -> None:
    """e = 8: 8^2 to 0, 7^2 to 15: it does not join."""
    assert groups_of("min-max", (0,)) == [[0, 2, 4], [8, 14, 15, 60, 62]]


@pytest.mark.parametrize(
    ("drawn", "expected"),
    [
        (0, [[0, 2, 4], [8, 14, 15, 60, 62]]),
        (1, [[0, 2, 4, 8], [14, 15, 60, 62]]),
        (2, [[0, 2, 4, 8, 14], [15, 60, 62]]),
    ],
)
def test_random_size(drawn: int, expected: list[list[int]]) -> None:
    """The seed is 0, the size 3 and what is drawn."""
    assert groups_of("random", (0, drawn)) == expected


def test_k_stay_unassigned() -> None:
    """With k = 4 a group of 7 would leave one record; a group of 4 leaves four."""
    assert groups_of("random", (0, 3), k=4) == [[0, 2, 4, 8], [14, 15, 60, 62]]
    assert groups_of("minimum", (0,), k=4) == [[0, 2, 4, 8], [14, 15, 60, 62]]


def test_each_group_but_the_last_takes_a_draw() -> None:
    with pytest.raises(TapeExhausted):
        groups_of("fixed", (7, 4), k=2)


def test_all_records_are_seeds_equally_often() -> None:
    """Of 1, 2, 4 .. 128 the last three are a group only if 128 is the seed.

    The two nearest of 64 are 32 and 16, of 32 16 and 8. One run in eight, within 5 deviations.
    """
    spec, space = specification("random-seed"), float_space([[2**x] for x in range(8)])
    number = 800
    alone = sum(
        (5, 6, 7) in spec.run(space, 3, Run(tape=seeded(seed)), size="fixed").groups
        for seed in range(number)
    )
    assert abs(alone - number / 8) < 5 * (number * 7 / 64) ** 0.5
