"""k-modes, by hand and step by step."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from refagg import exact_space, float_space, microaggregate, specification
from refagg.data.kinds import NOMINAL, NUMERIC, Kind, kind_of
from refagg.data.tables import table_of_kinds
from refagg.errors import InvalidParameter
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.language.random_stream import scripted, seeded
from refagg.spaces.mixed import MixedSpace
from tests.strategies import mixed_space

SPEC = specification("k-modes")
SIZE = kind_of("ordinal:xs<s<m<l<xl")


def k_modes(space: Any, k: int, draws: Sequence[int], **parameters: Any) -> Any:
    choices = Choices(stream=scripted(draws))
    return SPEC.run(space, k, choices, **SPEC.settings(parameters)).groups


def nominal(text: str) -> MixedSpace:
    return mixed_space(table_of_kinds([[c] for c in text], ["letter"], {"letter": NOMINAL}))


def ordinal(*values: str) -> MixedSpace:
    return mixed_space(table_of_kinds([[v] for v in values], ["size"], {"size": SIZE}))


def test_modes_that_are_drawn_well_stay() -> None:
    """0, 2 and 4 are drawn; every letter has its mode."""
    assert k_modes(nominal("ababccabc"), 3, (0, 0, 2)) == ((0, 2, 6), (1, 3, 7), (4, 5, 8))


def test_modes_move_to_medians() -> None:
    """xs xs l xl, and both xs are modes. l and xl are as far from either and go to the first.

    Its median is then l (of xs l xl), so record 0 changes to the other: {xs, xs} and {l, xl}.
    Without a second round {xs} would be dissolved and all four be divided.
    """
    space = ordinal("xs", "xs", "l", "xl")
    assert k_modes(space, 2, (0, 0)) == ((0, 1), (2, 3))


def test_the_smallest_group_is_dissolved_first() -> None:
    """With k = 3 the groups are {xs}, {l, l} and six xl: xs is nearer to l, and joins it.

    Were {l, l} dissolved first, its records would join xl, and xs would be alone again.
    """
    space = ordinal("xs", "l", "l", *["xl"] * 6)
    assert k_modes(space, 3, (0, 0, 1)) == ((0, 1, 2), (3, 4, 5), (6, 7, 8))


def test_a_group_that_is_too_large_is_divided_by_mdav() -> None:
    """Three modes xs; l and xl are as far from all and go to the first, where one round ends.

    Record 1 is dissolved and joins 2. The median of the other five is l, 0 the farthest from it,
    and 3 as near to 0 as 4.
    """
    space = ordinal("xs", "xs", "xs", "l", "l", "xl", "xl")
    assert k_modes(space, 2, (0, 0, 0), rounds=1) == ((0, 3), (1, 2), (4, 5, 6))


def test_fewer_than_2k_records_are_one_group() -> None:
    assert k_modes(ordinal("xs", "xs", "m", "xl", "xl"), 3, (2,)) == ((0, 1, 2, 3, 4),)


def test_rounds_are_limited() -> None:
    assert SPEC.settings({})["rounds"] == 100
    with pytest.raises(InvalidParameter, match="at least 1"):
        SPEC.settings({"rounds": 0})


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[tuple[Any, ...]], dict[str, Kind]]:
    cells = st.tuples(st.integers(0, 9), st.sampled_from("pqr"), st.sampled_from(SIZE.categories))
    rows = draw(st.lists(cells, min_size=1, max_size=16))
    return rows, {"age": NUMERIC, "letter": NOMINAL, "size": SIZE}


@given(tables(), st.integers(1, 4), st.integers(0, 10**6), st.integers(1, 5))
def test_groups_have_legal_sizes_on_mixed_records(
    table: tuple[list[tuple[Any, ...]], dict[str, Kind]], k: int, seed: int, rounds: int
) -> None:
    rows, kinds = table
    assume(k <= len(rows))
    space = mixed_space(table_of_kinds(rows, list(kinds), kinds))
    result = SPEC.run(space, k, Choices(stream=seeded(seed)), rounds=rounds)
    assert Partition.of(result.groups, len(rows)) == result
    assert k <= result.smallest()
    assert result.largest() < 2 * k


@given(tables(), st.integers(1, 4), st.integers(0, 10**6))
def test_the_steps_written_out(
    table: tuple[list[tuple[Any, ...]], dict[str, Kind]], k: int, seed: int
) -> None:
    rows, kinds = table
    assume(k <= len(rows))
    space = mixed_space(table_of_kinds(rows, list(kinds), kinds))
    drawn = seeded(seed).sample(range(len(rows)), len(rows) // k)
    expected = Partition.of(plainly(space, k, drawn))
    assert SPEC.run(space, k, Choices(stream=seeded(seed)), rounds=100) == expected


def plainly(space: MixedSpace, k: int, drawn: list[int]) -> list[list[int]]:
    """k-modes in plain loops over the distances of the space, ties to the first group."""
    groups = by_first_record(assigned(space, drawn))
    while min(map(len, groups)) < k:
        smallest = min(groups, key=len)
        groups = [g for g in groups if g is not smallest]
        centres = [space.centroid(g) for g in groups]
        for i in smallest:
            gaps = [space.squared(i, centre) for centre in centres]
            groups[gaps.index(min(gaps))].append(i)
    return [part for group in groups for part in by_mdav(space, k, sorted(group))]


def assigned(space: MixedSpace, drawn: list[int]) -> list[int]:
    """The number of each record's mode, -1 before it has one."""
    own = [drawn.index(i) if i in drawn else -1 for i in range(space.n)]
    modes: dict[int, Any] = dict(enumerate(drawn))
    for _ in range(100):
        before = list(own)
        for i in range(space.n):
            far = {m: space.squared(i, centre) for m, centre in modes.items()}
            if far.get(own[i]) != min(far.values()):
                own[i] = min(far, key=lambda m: (far[m], m))
        if own == before:
            break
        members = {m: [i for i in range(space.n) if own[i] == m] for m in modes}
        modes = {m: space.centroid(ids) for m, ids in members.items() if ids}
    return own


def by_first_record(own: list[int]) -> list[list[int]]:
    return [[i for i, m in enumerate(own) if m == number] for number in dict.fromkeys(own)]


def by_mdav(space: MixedSpace, k: int, group: list[int]) -> list[list[int]]:
    done: list[list[int]] = []
    while len(group) >= 2 * k:
        centre = space.centroid(group)
        r = max(group, key=lambda i: (space.squared(i, centre), -i))
        s = max((i for i in group if i != r), key=lambda i: (space.squared(i, r), -i))
        for seed in (r, s) if len(group) >= 3 * k else (r,):
            out = {seed, s} if len(group) >= 3 * k and seed == r else {seed}
            near = sorted(
                (i for i in group if i not in out), key=lambda i: (space.squared(i, seed), i)
            )
            done.append([seed, *near[: k - 1]])
            group = [i for i in group if i not in done[-1]]
    return [*done, group]


def test_numbers_in_both_arithmetics() -> None:
    rows = [[0], [1], [2], [10], [11], [12]]
    for space in (exact_space(rows), float_space(rows)):
        # 0, 1, 2 are drawn; as in k-means {0}, {1, 2}, {10, 11, 12}; 0 joins 3/2.
        assert k_modes(space, 2, (0, 0, 0)) == ((0, 1, 2), (3, 4, 5))


def test_a_release() -> None:
    rows = [[0], [1], [2], [10], [11], [12]]
    release = microaggregate(rows, k=3, algorithm="k-modes", seed=1)
    assert release.partition.groups == ((0, 1, 2), (3, 4, 5))
    assert release.released.columns[0].values([0, 5]) == [Fraction(1), Fraction(11)]
