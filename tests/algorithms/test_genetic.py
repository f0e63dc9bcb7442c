"""The genetic algorithm by hand, from scripted random streams; what partitioning in macrogroups
keeps."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain import two_step as plain_two_step
from strategies import Rows, any_table, examples

from oracle.optima.solving import solve
from refagg import exact_space, float_space, microaggregate, specification
from refagg.algorithms.centres.repair import Groups, repair
from refagg.algorithms.search.evolution import Chromosome, selected
from refagg.algorithms.search.two_step import GroupSpace
from refagg.catalogue import CATALOGUE
from refagg.cursors.subrun import subrun
from refagg.data.standardise import standardise
from refagg.data.tables import table_of
from refagg.datasets import load
from refagg.errors import InvalidParameter
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.language.random_stream import RandomStream, scripted, seeded
from refagg.language.ties import HIGHEST, LOWEST, TieBreaker
from refagg.literature import genetic as table
from refagg.release.measures import sse

TWO_PAIRS = [[0], [1], [10], [11]]

TO_02_13 = [0, 1, 0, 0]
"""Draws of a start: 0 of 0 1 2 3, then 2 of 1 2 3, then 1 and 3; labels 0 1 0 1, SSE 50 + 50."""

TO_12_03 = [1, 1, 0, 0]
"""1 of 0 1 2 3, 2 of 0 2 3, then 0 and 3; labels 1 0 0 1, SSE 81/2 + 121/2 = 101."""

HALF = 1 << 52
"""The draw that stops the wheel in the middle."""


def evolved(draws: list[int], **rates: Any) -> tuple[tuple[int, ...], ...]:
    """The result on two pairs; the random stream must be used to its end."""
    settings = specification("genetic").settings({"mutation": 0, "crossover": 1, **rates})
    stream = iter(draws)
    partition = specification("genetic").run(
        exact_space(TWO_PAIRS), 2, Choices(stream=scripted(stream)), **settings
    )
    assert list(stream) == []
    groups: tuple[tuple[int, ...], ...] = partition.groups
    return groups


def test_the_best_start_is_the_result_without_iterations() -> None:
    starts = [*TO_12_03, *TO_02_13]
    assert evolved(starts, population=2, iterations=0) == ((0, 2), (1, 3))


def test_leftover_records_get_labels_with_room() -> None:
    """Five records, k = 2: the fifth drawn, 4, joins the second label."""
    spec = specification("genetic")
    settings = spec.settings({"iterations": 0, "population": 2})
    start = [0, 0, 0, 0, 0]
    space, stream = exact_space([[0], [1], [10], [11], [12]]), scripted([*start, 1, *start, 0])
    assert spec.run(space, 2, Choices(stream=stream), **settings).groups == ((0, 1), (2, 3, 4))


def test_crossover_and_repair_by_hand() -> None:
    """The wheel has the pockets 102/101, 1, 102/101, so that its middle is in the second.

    Parents 0 1 0 1 and 1 0 0 1 are cut after the first gene: 0 0 0 1 leaves 11 alone, which
    10 joins; 1 1 0 1 leaves 10 alone, which 11 joins.
    """
    starts = [*TO_02_13, *TO_12_03, *TO_02_13]
    draws = [0, HALF, 0, 0, 0, 0]  # two parents, crossed, the place, two that do not mutate
    assert evolved(starts + draws, population=3, iterations=1) == ((0, 1), (2, 3))


def test_mutation_by_hand() -> None:
    """One parent has nobody to be crossed with. 0 1 0 1 becomes 0 1 0 0; 0 joins 1."""
    starts = [*TO_02_13, *TO_12_03]
    draws = [0, 0, 3, 0]  # the parent, it mutates, the gene, one label further
    result = evolved(starts + draws, population=2, iterations=1, mutation=1)
    assert result == ((0, 1), (2, 3))


def test_the_best_stays_in_the_population() -> None:
    """Both children of the second iteration can be worse: the result is that of the first."""
    starts = [*TO_02_13, *TO_12_03]
    first = [0, 0, 3, 0]
    again = [(1 << 53) - 1, 0, 1, 0]  # the last of the wheel, the child; record 1 joins 2 and 3
    result = evolved(starts + first + again, population=2, iterations=2, mutation=1)
    assert result == ((0, 1), (2, 3))


def test_the_wheel_stops_in_proportion_to_fitness() -> None:
    """Pockets 3, 1 and 4 of 8: three eighths stop at the first."""
    population = [Chromosome((number,), Fraction(0), p) for number, p in enumerate((3, 1, 4))]
    stops = [0, (3 << 50) - 1, 3 << 50, (4 << 50) - 1, 4 << 50, (8 << 50) - 1]
    drawn = selected(scripted(stops), population, len(stops))
    assert [one.labels[0] for one in drawn] == [0, 0, 1, 1, 2, 2]


def test_pockets_are_whole_and_in_proportion_to_one_over_sse_plus_one() -> None:
    """SSE 1 of two pairs, in all 101: (101 + 1) / (1 + 1) = 51 times that of one group."""
    from refagg.algorithms.search.evolution import Evolution

    for space in (exact_space(TWO_PAIRS), float_space(TWO_PAIRS)):
        evolution = Evolution(space, 2, Choices(), range(4))
        assert evolution.valued((0, 0, 1, 1)).pocket == 51 << 40
        assert evolution.valued((1, 0, 0, 1)).pocket == 1 << 40
        assert evolution.valued((0, 1, 0, 1)).pocket == (102 << 40) // 101


# Repair


def repaired(values: list[int], k: int, groups: Groups) -> Groups:
    repair(exact_space([[value] for value in values]), k, Choices(), groups)
    return [sorted(group) for group in groups]


def test_the_farthest_record_leaves_for_the_nearest_group_with_room() -> None:
    """0 1 2 9 have the centroid 3; 9 is nearer to 20 and 21 than to 40 and 41."""
    values = [0, 1, 2, 9, 20, 21, 40, 41]
    groups = [[0, 1, 2, 3], [6, 7], [4, 5], []]
    assert repaired(values, 2, groups) == [[0, 1, 2], [6, 7], [3, 4, 5], []]
    # 8 is nearest, but its group is full.
    values = [0, 1, 2, 9, 8, 8, 8, 41, 42]
    groups = [[0, 1, 2, 3], [4, 5, 6], [7, 8], []]
    assert repaired(values, 2, groups) == [[0, 1, 2], [4, 5, 6], [3, 7, 8], []]


def test_a_record_that_finds_no_room_founds_a_group() -> None:
    """9 leaves 0 1 2; then it needs another one, and 2 is the nearest."""
    assert repaired([0, 1, 2, 9], 2, [[0, 1, 2, 3], []]) == [[0, 1], [2, 3]]


def test_small_groups_are_filled_by_their_labels() -> None:
    """4 is filled from 0 5 6 first, by 5; the other small group, 9, then can have 13 only."""
    values = [0, 5, 6, 4, 9, 13, 14, 15]
    groups = [[0, 1, 2], [3], [4], [5, 6, 7]]
    assert repaired(values, 2, groups) == [[0, 2], [1, 3], [4, 5], [6, 7]]


# What is kept in every run


def settings_of(heuristic: str) -> dict[str, Any]:
    given = {"heuristic": heuristic, "macrogroup": 2, "iterations": 5}
    return specification("two-step").settings(given)


def some_choices(seed: int) -> Choices:
    return Choices(stream=seeded(seed))


HEURISTICS = ("mdav-2k", "mdav", "mdav-single")


@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize("space_of", [exact_space, float_space])
@given(data=st.data())
def test_two_step_partitioning_never_loses_more_than_its_heuristic(
    heuristic: str, space_of: Any, data: st.DataObject
) -> None:
    """Lemma 1 of the source, for every k, table and seed; both runs break ties alike."""
    k = data.draw(st.integers(1, 4))
    rows: Rows = data.draw(st.integers(k, 30).flatmap(any_table))
    tie_breaker: TieBreaker = data.draw(st.sampled_from([LOWEST, HIGHEST]))
    space, spec = space_of(rows), CATALOGUE[heuristic]
    stream = seeded(data.draw(st.integers(0, 2**64)))
    alone = spec.run(space, k, Choices(tie_breaker), **spec.settings({}))
    both = specification("two-step").run(
        space, k, Choices(tie_breaker, stream), **settings_of(heuristic)
    )
    scaled = standardise(table_of(rows), "none")
    assert sse(scaled, both) <= sse(scaled, alone)


@examples(2)
@given(data=st.data())
def test_more_iterations_never_lose_more(data: st.DataObject) -> None:
    rows: Rows = data.draw(st.integers(4, 14).flatmap(any_table))
    seed, scaled = data.draw(st.integers(0, 999)), standardise(table_of(rows), "none")
    losses = []
    for iterations in (0, 1, 2, 5, 20):
        settings = specification("genetic").settings({"iterations": iterations})
        choices = Choices(stream=seeded(seed))
        found = specification("genetic").run(exact_space(rows), 2, choices, **settings)
        losses.append(sse(scaled, found))
    assert losses == sorted(losses, reverse=True)


@pytest.mark.long
@pytest.mark.parametrize("name", ["genetic", "one-step", "two-step"])
def test_seeds_repeat_and_differ(name: str) -> None:
    options: dict[str, Any] = {"parameters": {"iterations": 3}, "arithmetic": "float"}

    def groups(seed: int) -> Partition:
        return microaggregate(load("synthetic-clustered"), 3, name, seed=seed, **options).partition

    drawn = [groups(seed) for seed in range(4)]
    assert [groups(seed) for seed in range(4)] == drawn
    assert len(set(drawn)) > 1


def test_small_data_sets_are_solved() -> None:
    """The source finds the optimum of almost all small data sets; enumeration says what it is."""
    rows = [(1, 5), (2, 3), (9, 9), (8, 7), (4, 4), (1, 0), (7, 2), (6, 6), (3, 8)]
    scaled = standardise(table_of(rows), "none")
    best = solve(scaled, 2, method="exhaustive").value
    solved = 0
    for seed in range(10):
        settings = specification("genetic").settings({"iterations": 500})
        found = specification("genetic").run(
            exact_space(rows), 2, Choices(stream=seeded(seed)), **settings
        )
        solved += sse(scaled, found) == best
    assert solved >= 8


# Macrogroups


def test_a_macrogroup_has_any_number_of_records() -> None:
    """The source's example: K = 20 and k = 3. No group crosses those of MDAV with k = 20."""
    rows = [[x * x % 101, x * 37 % 89] for x in range(65)]
    spec = specification("one-step")
    settings = spec.settings({"macrogroup_records": 20, "population": 4, "iterations": 20})
    space, mdav = exact_space(rows), specification("mdav-2k")
    found = spec.run(space, 3, Choices(stream=seeded(1)), **settings)
    parts = list(map(set, mdav.run(space, 20, Choices(), **mdav.settings({})).groups))
    assert sorted(map(len, parts)) == [20, 20, 25]
    assert all(any(part.issuperset(group) for part in parts) for group in found.groups)
    assert {len(group) for group in found.groups} <= {3, 4, 5}
    with pytest.raises(InvalidParameter, match="at least k, 3, or 0"):
        microaggregate(rows, 3, "one-step", seed=1, parameters={"macrogroup_records": 2})


def test_macrogroups_are_not_crossed() -> None:
    """K = 4: MDAV divides 0..3 from 10..13. Groups never hold records of both."""
    rows = [[value] for value in (0, 10, 1, 11, 2, 12, 3, 13)]
    for seed in range(10):
        for name in ("one-step", "two-step"):
            settings = specification(name).settings({"macrogroup": 2, "iterations": 2})
            found = specification(name).run(
                exact_space(rows), 2, Choices(stream=seeded(seed)), **settings
            )
            for group in found.groups:
                assert len({record % 2 for record in group}) == 1


def test_without_iterations_two_step_partitioning_has_no_worse_start_than_the_heuristic() -> None:
    """All of a macrogroup's chromosomes but the known one are drawn; here that is the best."""
    rows = [[value] for value in (0, 1, 10, 11, 20, 21, 30, 31, 40, 41, 50, 51)]
    settings = specification("two-step").settings({"macrogroup": 3, "iterations": 0})
    found = specification("two-step").run(
        exact_space(rows), 2, Choices(stream=seeded(3)), **settings
    )
    assert found.groups == tuple((r, r + 1) for r in range(0, 12, 2))


@pytest.mark.parametrize("space_of", [exact_space, float_space])
def test_groups_as_records(space_of: Any) -> None:
    """Groups 0 2, 10 and 30 32 33 37: the averages 1, 10, 33. That of the last two is 43/2."""
    space = space_of([[0], [2], [10], [30], [32], [33], [37]])
    groups = GroupSpace(space, [[0, 1], [2], [3, 4, 5, 6]])
    assert (groups.n, groups.records(), groups.members([2, 0])) == (
        3,
        [0, 1, 2],
        [3, 4, 5, 6, 0, 1],
    )
    assert float(groups.squared(0, 2)) == pytest.approx(32**2)
    assert float(groups.between(1, 2)) == pytest.approx(23**2)
    both = groups.centroid([1, 2])
    assert float(groups.squared(both, 0)) == pytest.approx(float((Fraction(43, 2) - 1) ** 2))
    from_first = groups.distances(0, [0, 1, 2])
    assert groups.farthest(from_first).candidates == (2,)
    assert groups.closest(from_first, without={0}).candidates == (1,)
    assert groups.nearest(2, from_first).tied == (1,)
    assert groups.distances_to_any([0, 2], [1]).of(1) == groups.between(0, 1)
    assert float(groups.shown(groups.sse([0]))) == pytest.approx(0)
    assert float(groups.shown(groups.sse([0, 1]))) == pytest.approx(81 / 2)


@pytest.mark.parametrize("space_of", [exact_space, float_space])
def test_two_step_takes_average_vectors_as_records(space_of: Any) -> None:
    """11 values in pairs leave a group of three: its average counts once, not three times."""
    rows = [[x] for x in (31, 35, 14, 22, 14, 14, 29, 18, 1, 26, 35)]
    given = {"heuristic": "mdav-single", "macrogroup": 2, "population": 2, "iterations": 0}
    settings = specification("two-step").settings(given)
    found = specification("two-step").run(space_of(rows), 2, Choices(stream=seeded(7)), **settings)
    assert found == Partition.of(plain_two_step.partition(rows, 2, **settings))


def test_what_is_chosen_within_a_step_has_its_name() -> None:
    """Six equal records: which two join the last is a choice of the step's own."""
    outer = Choices(HIGHEST, trace=[])
    inner = subrun(outer, "first")
    found = specification("mdav").run(exact_space([[1]] * 6), 3, inner)
    assert found.groups == ((0, 1, 2), (3, 4, 5))
    names = [event.name for event in outer.trace or ()]
    assert names == ["first: last x_r", "first: near last x_r", *["group of first"] * 2]
    assert outer.ties == 2


def test_a_test_within_a_step_is_answered_by_the_tie_breaker_of_the_whole() -> None:
    outer = Choices(HIGHEST, trace=[])
    spec = specification("v-mdav")
    space = exact_space([[0], [1], [2], [3], [10]])
    alone = spec.run(space, 2, Choices(HIGHEST), **spec.settings({}))
    assert spec.run(space, 2, subrun(outer, "first"), **spec.settings({})) == alone
    assert "first: extend" in {event.name for event in outer.trace or ()}


def test_a_share_of_which_nothing_can_be_drawn() -> None:
    with pytest.raises(InvalidParameter, match="crossover is a fraction over more than 2"):
        specification("two-step").settings({"crossover": Fraction(1, 2**64 + 1)})


# The table


@pytest.mark.long
@pytest.mark.reference_data
def test_the_table_has_the_order_of_the_source(
    data_folder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fewer iterations than in the table, and Census only, which takes some seconds."""
    monkeypatch.setattr(table, "ITERATIONS", 100)
    monkeypatch.setattr(table, "SHOWN", {"census": table.SHOWN["census"]})
    found = list(table.genetic_rows())
    assert [(row.algorithm, row.macrogroup) for row in found] == [
        (name, macrogroup) for macrogroup in (4, 6, 9) for name in ("two-step", "one-step")
    ]
    for row in found:
        assert (row.sse <= row.mdav) == (row.algorithm == "two-step")
        assert row.verdict.endswith(" MDAV's, as in the source")
        assert row.as_data()["iterations"] == 100
        assert float(row.mdav) == pytest.approx(799.183, abs=1e-3)
        if row.algorithm == "two-step":
            assert abs(float(row.sse) / float(row.printed) - 1) < 0.05


def test_without_data_the_table_is_empty(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("REFAGG_DATA", str(tmp_path))
    assert list(table.genetic_rows()) == []


def test_streams_are_used_by_nothing_but_draws() -> None:
    """k = 1, and fewer than 2k records, leave nothing to draw."""
    empty: RandomStream = scripted(())
    for name in ("genetic", "one-step", "two-step"):
        spec = specification(name)
        for k in (1, 3, 4, 5):
            found = spec.run(
                exact_space([[x] for x in range(5)]), k, Choices(stream=empty), **spec.settings({})
            )
            assert len(found.groups) == (5 if k == 1 else 1)
