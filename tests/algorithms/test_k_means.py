"""k-means and division by 2-means, by hand and against the plain ones on tables of some size."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from random import Random
from shutil import which
from subprocess import run
from typing import Any

import pytest
from plain import k_means_split as plain_split
from plain import k_means_spread as plain_spread

from refagg import exact_space, float_space, microaggregate, specification
from refagg.algorithms.centres.hartigan_wong import hartigan_wong
from refagg.cursors.points import Points
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


# Transfers of single records

HARTIGAN_WONG = {"method": "hartigan-wong", "repair": "none"}


def test_a_record_between_two_clusters_is_transferred() -> None:
    """The example of the steps: 2 leaves 10, 11, 12, as with Lloyd's steps.

    Lloyd's end is not always an end of transfers: of 0, 2, 3 and 5 from 3 and 5, with the
    centroid 5/3, 3 is as far as 4/3 there and 2 from 5, so it stays; but it costs 3/2 (4/3)^2 = 8/3
    there, and 1/2 2^2 = 2 with 5.
    """
    found = run_of("k-means", exact_space(LINE), 2, (0, 0, 0), **HARTIGAN_WONG)
    assert found.groups == ((0,), (1, 2), (3, 4, 5))
    four = exact_space([[0], [2], [3], [5]])
    assert run_of("k-means", four, 2, (2, 2), repair="none").groups == ((0, 1, 2), (3,))
    assert run_of("k-means", four, 2, (2, 2), **HARTIGAN_WONG).groups == ((0, 1), (2, 3))


def test_a_record_that_costs_as_much_elsewhere_stays() -> None:
    """Of 0, 2 and 4 from 0 and 4, 2 is with 0: it costs 2 * 1 there, and 1/2 * 4 with 4."""
    three = exact_space([[0], [2], [4]])
    choices = Choices(stream=scripted((0, 1)), trace=[])
    points = Points(three, choices)
    points.begin([0, 2])
    hartigan_wong(points, 10)
    assert points.members() == {0: [0, 1], 1: [2]}
    asked = [event for event in choices.trace or () if event.name == "optimal transfer"]
    assert [(event.of, event.value, event.next, event.items) for event in asked] == [
        (0, 8, 2, (False,)),
        (1, 2, 2, (False,)),
    ]


def test_centres_are_records_that_differ() -> None:
    """Of 5, 5, 5, 7, 9 with the draws 1 and 0 the centres are a 5 and, as the first of what is
    left, 7; where all are equal there is one centre."""
    rows = [[5], [5], [5], [7], [9]]
    found = run_of("k-means", exact_space(rows), 2, (1, 0), **HARTIGAN_WONG)
    assert found.groups == ((0, 1, 2), (3, 4))
    alike = run_of("k-means", exact_space([[5]] * 5), 2, (1,), **HARTIGAN_WONG)
    assert alike.groups == ((0, 1, 2, 3, 4),)


KMEANS = """
for (given in jsonlite::fromJSON("cases.json", simplifyVector = FALSE)) {
  rows <- matrix(unlist(given[[1]]), nrow = length(given[[1]]), byrow = TRUE)
  chosen <- unlist(given[[2]]) + 1
  cat(kmeans(rows, rows[chosen, , drop = FALSE], iter.max = 100)$cluster, "\\n")
}
"""


@pytest.mark.parametrize("cases", [40, pytest.param(2000, marks=pytest.mark.long)])
def test_transfers_are_those_of_r(cases: int, tmp_path: Path) -> None:
    """On records without ties, from the same centres: the groups of `kmeans` in R."""
    program = which("Rscript")
    if not program or run([program, "-e", "library(jsonlite)"], capture_output=True).returncode:
        pytest.skip("R: Rscript with the package jsonlite is not installed here")
    random = Random(cases)
    given = []
    for _ in range(cases):
        n, width, k = random.randrange(8, 60), random.randrange(1, 4), random.randrange(2, 5)
        rows = [[random.randrange(10**9) for _ in range(width)] for _ in range(n)]
        draws = [random.randrange(n - i) for i in range(n // k)]
        given.append((rows, scripted(draws).sample(range(n), n // k), draws, k))
    (tmp_path / "cases.json").write_text(json.dumps(given))
    asked = [program, "-e", KMEANS]
    lines = run(asked, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(lines) == cases
    for (rows, _, draws, k), line in zip(given, lines, strict=True):
        clusters: dict[str, list[int]] = {}
        for record, cluster in enumerate(line.split()):
            clusters.setdefault(cluster, []).append(record)
        theirs = Partition.of(list(clusters.values()))
        for space in (exact_space(rows), float_space(rows)):
            assert run_of("k-means", space, k, draws, **HARTIGAN_WONG) == theirs
