"""k-means and division by 2-means, by hand and against the plain ones on tables of some size."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from plain import k_means_split as plain_split
from plain import k_means_spread as plain_spread

from refagg import exact_space, float_space, microaggregate, specification
from refagg.errors import InvalidParameter
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.language.random_stream import scripted, seeded


def run_of(
    name: str, space: Any, k: int, draws: Sequence[int] = (), **parameters: Any
) -> Partition:
    spec = specification(name)
    result: Partition = spec.run(
        space, k, Choices(stream=scripted(draws)), **spec.settings(parameters)
    )
    return result


LINE = [[0], [1], [2], [10], [11], [12]]


def test_three_centres_drawn_among_the_first_records() -> None:
    """0, 1, 2 are the centres, and 10, 11, 12 have the centre 2, which moves to 35/4.

    2 is nearer to 1 then. The centres are 0, 3/2 and 11, and 1 stays with 3/2.
    """
    space = exact_space(LINE)
    found = run_of("k-means", space, 2, (0, 0, 0), repair="none")
    assert found.groups == ((0,), (1, 2), (3, 4, 5))
    assert run_of("k-means", space, 2, (0, 0, 0), repair="none", rounds=1).groups == (
        (0,),
        (1,),
        (2, 3, 4, 5),
    )


def test_a_group_that_is_too_small_is_dissolved() -> None:
    """Of the groups above, {0} is; 0 is nearer to 3/2 than to 11."""
    space = exact_space(LINE)
    assert run_of("k-means", space, 2, (0, 0, 0)).groups == ((0, 1, 2), (3, 4, 5))


def test_a_group_that_is_too_large_is_divided() -> None:
    """After one round {0}, {1}, {2, 10, 11, 12}: both small groups join the third, at 35/4.

    The six have the centroid 6; 0 and 12 are equally far, and the sides are {0, 1, 2} and the
    others whichever is a.
    """
    space = exact_space(LINE)
    found = run_of("k-means", space, 2, (0, 0, 0), rounds=1)
    assert found.groups == ((0, 1, 2), (3, 4, 5))


def test_a_record_that_is_as_near_to_its_centre_as_to_another_one_stays() -> None:
    """0 and 3 are drawn; 2 and 7 are nearer to 3. Then 2 is in the middle of 0 and (2+3+7)/3."""
    rows = [[0], [0], [2], [3], [7]]
    found = run_of("k-means", exact_space(rows), 2, (0, 2), repair="none")
    assert found.groups == ((0, 1), (2, 3, 4))


def test_without_repair_it_is_said_not_to_be_k_anonymous() -> None:
    for name in ("k-means", "k-means-spread"):
        spec = specification(name)
        settings = spec.settings({"repair": "none"})
        assert (spec.smallest_group(5, **settings), spec.largest_group(5, **settings)) == (1, None)
        assert "NOT k-anonymous" in spec.guarantees


def test_the_start_is_the_seeds() -> None:
    random = Random(1)
    rows = [[random.randrange(100), random.randrange(100)] for _ in range(30)]
    spec = specification("k-means")
    settings = spec.settings({})
    space = float_space(rows)
    found = {spec.run(space, 3, Choices(stream=seeded(seed)), **settings) for seed in (1, 1, 2, 3)}
    assert len(found) == 3
    with pytest.raises(InvalidParameter, match="give a seed"):
        microaggregate(rows, 3, "k-means")
    with pytest.raises(InvalidParameter, match="draws nothing"):
        microaggregate(rows, 3, "k-means-spread", seed=1)


def test_sides_are_never_smaller_than_k() -> None:
    """The average is 104/8; a = 100 is alone beyond the middle of 0 and 100, but is given 4, 3."""
    column = [0, 0, 0, 1, 1, 2, 3, 4, 100]
    found = run_of("k-means-split", exact_space([[x] for x in column]), 3)
    assert [[column[r] for r in group] for group in found.groups] == [
        [0, 0, 0],
        [1, 1, 2],
        [3, 4, 100],
    ]


@pytest.mark.long
@pytest.mark.parametrize("rounds", [1, 2, 100])
@pytest.mark.parametrize("k", [2, 3, 5])
def test_larger_tables_are_as_the_plain_ones_have_them(k: int, rounds: int) -> None:
    random = Random(k)
    for width in (1, 2, 3):
        rows = [[random.randrange(1000) for _ in range(width)] for _ in range(50)]
        exact = [[Fraction(x) for x in row] for row in rows]
        split = Partition.of(plain_split.partition(exact, k, rounds))
        for space in (exact_space(rows), float_space(rows)):
            assert run_of("k-means-split", space, k, rounds=rounds) == split
            for repair in ("none", "yes"):
                spread = Partition.of(plain_spread.partition(exact, k, repair, rounds))
                found = run_of("k-means-spread", space, k, repair=repair, rounds=rounds)
                assert found == spread


def test_more_rounds_never_cost_more_without_repair() -> None:
    random = Random(3)
    space = float_space([[random.randrange(1000), random.randrange(1000)] for _ in range(80)])
    losses = [
        sum(map(space.sse, run_of("k-means-spread", space, 4, repair="none", rounds=r).groups))
        for r in range(1, 9)
    ]
    assert losses == sorted(losses, reverse=True)
    assert losses[0] > losses[-1]
