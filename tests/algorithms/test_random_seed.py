"""Groups around random seeds, worked by hand with random streams that are written down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from plain import random_seed as plain

from refagg import exact_space, float_space, specification
from refagg.algorithms.centres.random_seed import beyond
from refagg.errors import StreamExhausted
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.language.random_stream import scripted, seeded

COLUMN = [0, 2, 4, 8, 14, 15, 60, 62]


def groups_of(
    size: str,
    draws: Sequence[int],
    k: int = 3,
    column: Sequence[int] = COLUMN,
    ratio: Fraction = Fraction(1),
) -> list[list[int]]:
    """The values in each group of a column, in both arithmetics."""
    spec, rows = specification("random-seed"), [[x] for x in column]
    found: list[Partition] = [
        spec.run(space(rows), k, Choices(stream=scripted(draws)), size=size, ratio=ratio)
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


@pytest.mark.parametrize(
    ("share", "others"),
    [(0, 2), (Fraction(9, 19), 2), (Fraction(10, 19), 3), (Fraction(18, 19), 4)],
)
def test_sizes_that_are_not_equally_likely(share: Fraction, others: int) -> None:
    """With ratio 2/3 the sizes 3, 4 and 5 have the shares 9, 6 and 4 of 19."""
    drawn = int(share * 2**53)
    column = [0, 2, 4, 8, 14, 15, 60, 62]
    (first, _) = groups_of("random", (0, drawn), column=column, ratio=Fraction(2, 3))
    assert first == column[: others + 1]


def test_sizes_prevail_as_the_ratio_says() -> None:
    """In 4000 draws with ratio 1/2 of 4, 5, 6 and 7, in shares of 8, 4, 2 and 1 of 15."""
    stream = seeded(3)
    drawn = Counter(beyond(stream, 4, Fraction(1, 2)) for _ in range(4000))
    for i, share in enumerate((8, 4, 2, 1)):
        expected = 4000 * share / 15
        assert abs(drawn[i] - expected) < 4 * expected**0.5


def test_minimum() -> None:
    """0 2 4, e = 8: 4^2 to the group, 6^2 to 14: it joins. e = 14: 6^2, but 1 to 15."""
    assert groups_of("minimum", (0,)) == [[0, 2, 4, 8], [14, 15, 60, 62]]


def test_mean() -> None:
    """The centroid is 2: e = 8 is at 6^2, and 14 is at 6^2 from 8, which is not less."""
    assert groups_of("mean", (0,)) == [[0, 2, 4], [8, 14, 15, 60, 62]]


def test_mean_with_a_centroid_that_moves() -> None:
    """e = 7: 5^2 to 2, 7^2 to 14: it joins. e = 14: (43/4)^2 to 13/4, but 1 to 15."""
    column = [0, 2, 4, 7, 14, 15, 60, 62]
    assert groups_of("mean", (0,), column=column) == [[0, 2, 4, 7], [14, 15, 60, 62]]


@pytest.mark.parametrize("space_of", [exact_space, float_space])
def test_the_mean_is_the_centroid_and_not_a_mean_of_distances(space_of: Any) -> None:
    """4 joins 0. The centroid is (83, 150.5), and e = 1 at 80^2 + 365.5^2 = 139990.25.

    From 5 it is 357^2 + 119^2 = 141610: it joins. From 0 and 4 it is 141911.5 on average.
    """
    rows = [[42, 166], [3, 516], [907, 277], [854, 998], [124, 135], [360, 635]]
    spec = specification("random-seed")
    found = spec.run(space_of(rows), 2, Choices(stream=scripted([0])), size="mean")
    assert found.groups == ((0, 1, 4), (2, 3, 5))


def test_each_record_of_the_group_counts() -> None:
    """The seed is 5, with 1 and 10. e = 16: 6^2 to 10, 9^2 to 25: it joins; three are left."""
    column = [10, 5, 1, 16, 25, 26, 27]
    assert groups_of("minimum", (1,), column=column) == [[10, 5, 1, 16], [25, 26, 27]]


def test_only_the_nearest_other_record_counts() -> None:
    """The centroid is 1; e = 5 is at 4^2 of it, and 3^2 from 8."""
    column = [0, 1, 2, 5, 8, 9, 20]
    assert groups_of("mean", (0,), column=column) == [[0, 1, 2], [5, 8, 9, 20]]


def test_none_joins_where_k_are_left() -> None:
    """3 is 1 from the group and 47 from the next."""
    assert groups_of("minimum", (0,), column=[0, 1, 2, 3, 50, 100]) == [[0, 1, 2], [3, 50, 100]]


def test_min_max() -> None:
    """e = 8: 8^2 to 0, 7^2 to 15: it does not join."""
    assert groups_of("min-max", (0,)) == [[0, 2, 4], [8, 14, 15, 60, 62]]


@pytest.mark.parametrize(
    ("size", "expected"),
    [("minimum", ((0, 1, 2), (3, 4, 5))), ("min-max", ((0, 1, 3), (2, 4, 5)))],
)
def test_min_max_takes_the_farthest_of_the_nearest(size: str, expected: object) -> None:
    """The record nearest to (0, 0) is 2, at 4^2; that nearest to (3, 0) is 3, at 5^2.

    With "min-max" e = 3, and 6^2 from 4: it joins. With "minimum" e = 2, and 12^2 from 3.
    """
    rows = [[0, 0], [3, 0], [-4, 0], [8, 0], [8, 6], [-30, 0]]
    spec = specification("random-seed")
    found = spec.run(exact_space(rows), 2, Choices(stream=scripted([0])), size=size)
    assert found.groups == expected


@pytest.mark.parametrize("size", ["minimum", "mean", "min-max"])
def test_the_rules_for_variable_sizes_are_those_of_the_text(size: str) -> None:
    random = Random(4)
    for _ in range(80):
        k, width, most = random.randrange(1, 6), random.randrange(1, 4), random.choice([3, 1000])
        n = random.randrange(k, 25)
        rows = [[random.randrange(most) for _ in range(width)] for _ in range(n)]
        found = specification("random-seed").run(
            exact_space(rows), k, Choices(stream=seeded(7)), size=size
        )
        assert found == Partition.of(plain.partition(rows, k, size)), (k, rows)


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
    with pytest.raises(StreamExhausted):
        groups_of("fixed", (7, 4), k=2)


def test_all_records_are_seeds_equally_often() -> None:
    """Of 1, 2, 4 .. 128 the last three are a group only if 128 is the seed.

    The two nearest of 64 are 32 and 16, of 32 16 and 8. One run in eight, within 5 deviations.
    """
    spec, space = specification("random-seed"), float_space([[2**x] for x in range(8)])
    number = 800
    alone = sum(
        (5, 6, 7) in spec.run(space, 3, Choices(stream=seeded(seed)), size="fixed").groups
        for seed in range(number)
    )
    assert abs(alone - number / 8) < 5 * (number * 7 / 64) ** 0.5
