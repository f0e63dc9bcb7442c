"""TFRP by hand, against the plain one on tables of some size, and under changes of the data."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from plain import tfrp_1 as plain_1
from plain import tfrp_2 as plain_2

from refagg import exact_space, float_space, specification
from refagg.catalogue import CATALOGUE
from refagg.errors import UnsupportedArithmetic
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.language.random_stream import seeded

PHASES = ("tfrp-1", "tfrp-2")


def groups_of(name: str, rows: Sequence[Any], k: int, how: str = "none") -> Partition:
    result: Partition = specification(name).run(float_space(rows, how), k, Choices())
    return result


def values(partition: Partition, column: Sequence[int]) -> list[list[int]]:
    return sorted(sorted(column[record] for record in group) for group in partition.groups)


def table(random: Random, n: int, width: int) -> list[list[int]]:
    return [[random.randrange(1000) for _ in range(width)] for _ in range(n)]


def test_a_group_in_between_is_dissolved() -> None:
    """From 0: {10, 11}; from 11: {0, 1}; {3, 8} with the SSE 12.5 is left.

    Dissolved: {0, 1, 3} and {8, 10, 11} have 14/3 each, less than 13.5 together. Either of them
    dissolved would cost more.
    """
    column = [0, 1, 3, 8, 10, 11]
    rows = [[x] for x in column]
    assert values(groups_of("tfrp-1", rows, 2), column) == [[0, 1], [3, 8], [10, 11]]
    assert values(groups_of("tfrp-2", rows, 2), column) == [[0, 1, 3], [8, 10, 11]]


def test_a_group_that_has_grown_to_2k_is_divided() -> None:
    """From 0: {20, 21}; from 21: {0, 1}; from 0: {13, 18}; from 21: {3, 9}; {10, 11}.

    {3, 9} (SSE 18) is dissolved into {0, 1, 3} and {9, 10, 11} (14/3 + 2 < 19). {13, 18} (12.5)
    is dissolved into {18, 20, 21} and {9, 10, 11, 13} (14/3 + 8.75 < 15). No other group is, as
    all its records would join one. The group of four is divided: from 0 {11, 13}, the rest.
    """
    column = [0, 1, 3, 9, 10, 11, 13, 18, 20, 21]
    expected = [[0, 1, 3], [9, 10], [11, 13], [18, 20, 21]]
    assert values(groups_of("tfrp-2", [[x] for x in column], 2), column) == expected


def test_the_reference_points_are_made_of_the_extremes_of_the_whole_table() -> None:
    """The averages are 50 and 0, the greatest deviations 50 and 3: R1 is (0, -50).

    (98, 3) is farther from it (98^2 + 53^2) than (100, -1) (100^2 + 49^2), its nearest record.
    From (0, -3) it would be nearer, and (100, -1) would be with (98, -3). R2 mirrors that.
    """
    rows = [(98, 3), (100, -1), (98, -3), (2, -3), (0, 1), (2, 3)]
    assert groups_of("tfrp-1", rows, 2).groups == ((0, 1), (2, 5), (3, 4))


@pytest.mark.long
@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("width", [1, 2, 4])
def test_larger_tables_are_as_the_plain_one_has_them(k: int, width: int) -> None:
    random = Random(k * width)
    for n in (31, 150):
        rows = table(random, n, width)
        exact = [[Fraction(x) for x in row] for row in rows]
        assert groups_of("tfrp-1", rows, k) == Partition.of(plain_1.partition(exact, k))
        assert groups_of("tfrp-2", rows, k) == Partition.of(plain_2.partition(exact, k))


@pytest.mark.parametrize("name", PHASES)
def test_neither_place_nor_unit_nor_order_matters(name: str) -> None:
    random = Random(2007)
    for how in ("none", "population", "sample"):
        rows = table(random, 40, 3)
        expected = groups_of(name, rows, 3, how)
        moved = [[x + 10**12, y - 7, z + 10**6] for x, y, z in rows]
        assert groups_of(name, moved, 3, how) == expected
        assert (
            groups_of(name, [[Fraction(x, 1024) for x in row] for row in rows], 3, how) == expected
        )
        assert groups_of(name, [row[::-1] for row in rows], 3, how) == expected
        order = random.sample(range(40), 40)
        turned = groups_of(name, [rows[record] for record in order], 3, how)
        renamed = Partition.of([[order[r] for r in group] for group in turned.groups])
        assert renamed == expected
        if how != "none":
            scaled = [[3 * x, 1000 * y, Fraction(z, 7)] for x, y, z in rows]
            assert groups_of(name, scaled, 3, how) == expected


def test_the_second_phase_never_costs_more_where_it_divides_nothing() -> None:
    random = Random(80)
    compared = 0
    for _ in range(30):
        rows = table(random, 24, 2)
        space = float_space(rows)
        first, second = (groups_of(name, rows, 3) for name in PHASES)
        if second.largest() < 6 and len(second.groups) < len(first.groups):
            compared += 1
            assert sum(map(space.sse, second.groups)) < sum(map(space.sse, first.groups))
    assert compared > 5


NEED_FLOATS = [name for name, spec in CATALOGUE.items() if "exact" not in spec.arithmetic]
NEED_FLOATS.remove("clustpppca")  # of the clusters alone, which any space may tell


@pytest.mark.parametrize("name", NEED_FLOATS)
def test_an_exact_space_is_refused_by_name_where_coordinates_in_binary64_are_needed(
    name: str,
) -> None:
    spec, space = specification(name), exact_space([[x * x % 31, x] for x in range(60)])
    with pytest.raises(UnsupportedArithmetic, match="run it in a float_space"):
        spec.run(space, 2, Choices(stream=seeded(1)), **spec.settings({}))
