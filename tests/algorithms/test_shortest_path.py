"""Hansen-Mukherjee against enumeration and the optimum; MHM against its heuristics."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import inf, lcm
from pathlib import Path
from random import Random
from typing import Any

import pytest
from strategies import some_choices
from suites import only

from oracle.optima import solve
from oracle.optima.univariate import optimal_univariate
from oracle.replay.explore import all_partitions, explored_runs
from oracle.replay.guided import ClaimedGroups, judge_claim
from refagg import exact_space, float_space, specification
from refagg.algorithms.trees.mhm import HEURISTICS
from refagg.cursors import sequence
from refagg.cursors.subrun import subrun
from refagg.data.standardise import standardise
from refagg.data.tables import Table, table_of
from refagg.datasets import load
from refagg.engine import shortest
from refagg.engine.runs import in_binary64, of_whole_numbers, runs_along
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.language.ties import HIGHEST, LOWEST, TieRule
from refagg.release.measures import sse
from refagg.spaces.binary64 import FloatSpace
from tests.optima.test_univariate import naive_optima, naive_sse

HM = specification("hansen-mukherjee")


hansen_mukherjee = HM.run


def mhm(space: Any, k: int, choices: Choices, path: str) -> Partition:
    found: Partition = specification("mhm").run(space, k, choices, path=path)
    return found


def drawn_values(random: Random, most: int) -> tuple[list[int], int]:
    k = random.randrange(1, 5)
    top = random.choice([2, 5, 1000])
    return [random.randrange(top) for _ in range(random.randrange(k, most))], k


# Hansen-Mukherjee


@pytest.mark.long
def test_it_is_the_optimum_of_thousands_of_tables() -> None:
    random = Random(1)
    for _ in range(2000):
        values, k = drawn_values(random, 9)
        found = hansen_mukherjee(exact_space([[v] for v in values]), k, Choices())
        best = solve([[v] for v in values], k, "subsets").value
        assert naive_sse(values, found.groups) == best, (values, k)


def test_its_runs_are_all_optima_with_groups_of_k_to_2k_less_1() -> None:
    random = Random(2)
    for _ in range(150):
        values, k = drawn_values(random, 9)
        space = exact_space([[v] for v in values])
        _, best = naive_optima(values, k, 2 * k - 1)
        found_by_runs = all_partitions(
            lambda choices, space=space, k=k: hansen_mukherjee(space, k, choices)
        )
        assert {found.groups for found in found_by_runs} == set(best), (values, k)


def test_every_optimum_is_admissible_and_nothing_else() -> None:
    """1, 2, 3, 4, 5 with k = 2 has the optima {1, 2} {3, 4, 5} and {1, 2, 3} {4, 5}."""
    space = exact_space([[value] for value in (1, 2, 3, 4, 5)])

    def verdict(*groups: tuple[int, ...]) -> str:
        claim = ClaimedGroups.of_partition(Partition.of(groups))
        return judge_claim(HM, lambda choices: hansen_mukherjee(space, 2, choices), claim).verdict

    assert verdict((0, 1), (2, 3, 4)) == "admissible"
    assert verdict((0, 1, 2), (3, 4)) == "admissible"
    assert verdict((0, 1), (2, 4), (3,)) == "not admissible"
    assert verdict((0, 2), (1, 3, 4)) == "not admissible"
    assert verdict((0, 1, 2, 3, 4)) == "not admissible"


def test_the_published_example() -> None:
    """6, 2, 0.7, 1.1, 5, 1, 5.1: {0.7, 1, 1.1, 2} and {5, 5.1, 6}, SSE 1.546667."""
    scaled = standardise(load("hm-seven"), "none")
    found = hansen_mukherjee(FloatSpace(scaled), 3, Choices())
    assert found.groups == ((0, 4, 6), (1, 2, 3, 5))
    assert sse(scaled, found) == Fraction(116, 75)


@pytest.mark.parametrize(("k", "least"), [(2, 318), (3, 446), (4, Fraction(1369, 2))])
def test_fourteen_values(k: int, least: Fraction) -> None:
    values = [1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23, 24, 25, 50]
    found = hansen_mukherjee(exact_space([[v] for v in values]), k, Choices())
    assert naive_sse(values, found.groups) == least


def test_equal_values_at_a_boundary_are_a_choice() -> None:
    """0, 5, 5, 5, 9 with k = 2: {0, 5} {5, 5, 9} costs 12.5 + 10.7, {0, 5, 5} {5, 9} 16.7 + 8."""
    space = exact_space([[value] for value in (0, 5, 5, 5, 9)])
    possible = all_partitions(lambda choices: hansen_mukherjee(space, 2, choices))
    assert {found.groups for found in possible} == {
        ((0, 1), (2, 3, 4)),
        ((0, 2), (1, 3, 4)),
        ((0, 3), (1, 2, 4)),
    }


def test_the_sign_of_the_values_changes_nothing() -> None:
    """The same rule for ties gives the same groups."""
    random = Random(8)
    for _ in range(200):
        values, k = drawn_values(random, 12)
        plus, difference = (exact_space([[sign * v] for v in values]) for sign in (1, -1))
        for tie_breaker in (LOWEST, HIGHEST):
            found = hansen_mukherjee(plus, k, Choices(tie_breaker))
            assert hansen_mukherjee(difference, k, Choices(tie_breaker)) == found


@pytest.mark.parametrize("space_of", [exact_space, float_space])
def test_the_last_choice_of_size_is_first_and_has_the_whole_sse(space_of: object) -> None:
    random = Random(5)
    for _ in range(50):
        values, k = drawn_values(random, 30)
        rows = [[3 * v + 7] for v in values]
        choices = some_choices(trace=True)
        found = hansen_mukherjee(space_of(rows, "population"), k, choices)  # type: ignore[operator]
        assert choices.trace is not None
        first = next(event for event in choices.trace if event.name == "last size")
        exact = sse(standardise(table_of(rows), "population"), found)
        assert first.value == pytest.approx(float(exact), rel=1e-9, abs=1e-12)


def test_the_columns_of_census_are_as_good_as_the_oracle_says(data_folder: Path) -> None:
    for column in load("census").columns[:4]:
        scaled = standardise(Table((column,)))
        best = naive_sse(column.numerators, optimal_univariate(column.numerators, 5).groups)
        for space in (FloatSpace(scaled), exact_space([[v] for v in column.numerators])):
            found = hansen_mukherjee(space, 5, Choices())
            lost = naive_sse(column.numerators, found.groups)
            assert best <= lost <= best * (1 + Fraction(1, 10**12))


# The three forms of the costs


def test_the_forms_of_the_costs_agree() -> None:
    random = Random(6)
    for _ in range(200):
        values, k = drawn_values(random, 25)
        values.sort()
        sizes = range(k, 2 * k)
        whole, unit = of_whole_numbers(values, sizes)
        records = list(range(len(values)))
        space = exact_space([[v] for v in values])
        general = runs_along(space, records, sizes)
        floats = in_binary64([float(v) for v in values], sizes)
        for j in range(k, len(values) + 1):
            expected = [(m, Fraction(cost, unit)) for m, cost in whole(j)]
            assert expected == [(m, cost) for m, cost in general(j)]
            for (m, cost), (size, sse_of_run) in zip(floats(j), expected, strict=True):
                assert m == size
                assert cost == pytest.approx(float(sse_of_run), rel=1e-12, abs=1e-12)


# MHM


@pytest.mark.parametrize("path", HEURISTICS)
def test_mhm_loses_no_more_than_its_heuristic(path: str) -> None:
    random = Random(7)
    better = 0
    for _ in range(150):
        k = random.randrange(1, 5)
        n, width = random.randrange(k, 30), random.randrange(1, 4)
        rows = [[random.randrange(100) for _ in range(width)] for _ in range(n)]
        scaled, space = standardise(table_of(rows), "none"), exact_space(rows)
        before = sse(scaled, HEURISTICS[path].run(space, k, Choices()))
        after = sse(scaled, mhm(space, k, Choices(), path))
        assert after <= before
        better += after < before
    assert better > 30


def test_mhm_by_hand() -> None:
    """0, 2, 3, 10, 11: the average is 5.2, the path 11, 10, 3, 2, 0; {11, 10} costs 0.5."""
    space = exact_space([[value] for value in (0, 2, 3, 10, 11)])
    for path in ("npn", *HEURISTICS):
        assert mhm(space, 2, Choices(), path).groups == ((0, 1, 2), (3, 4))


def test_the_nearest_point_is_next() -> None:
    """5, 1, 11, 12, 2: 12 is 5.8 from the average, and the path is 12, 11, 5, 2, 1 with k = 2.

    {12, 11} {5, 2, 1} costs 0.5 + 8.7, {12, 11, 5} {2, 1} 28.7 + 0.5.
    """
    space = exact_space([[value] for value in (5, 1, 11, 12, 2)])
    assert mhm(space, 2, Choices(), "npn").groups == ((0, 1, 4), (2, 3))


def test_a_path_in_the_plane_by_hand() -> None:
    """The average is (4.4, 0.4), and (10, 1) at a squared distance of 31.72 most distant.

    Five records are fewer than 3k: MDAV forms {(10, 1), (10, 0)} and the rest, and so does the
    path (10, 1), (10, 0), (2, 0), (0, 0), (0, 1): the rest costs 2.67 + 0.67, and (2, 0) would
    add more than 40 to the others.
    """
    rows = [[0, 0], [0, 1], [10, 0], [10, 1], [2, 0]]
    assert mhm(exact_space(rows), 2, Choices(), "mdav").groups == ((0, 1, 4), (2, 3))


@pytest.mark.reference_data
@pytest.mark.parametrize("dataset", only(["tarragona", "census"], ["census"]))
def test_mhm_on_reference_data_is_better_than_mdav(dataset: str, data_folder: Path) -> None:
    scaled = standardise(load(dataset))
    space = FloatSpace(scaled)
    for path in ("mdav", "cbfs"):
        before = sse(scaled, HEURISTICS[path].run(space, 4, Choices()))
        assert sse(scaled, mhm(space, 4, Choices(), path)) < before


def test_choices_aside_take_the_lowest_or_highest_set() -> None:
    """Six equal records with k = 3: 0 takes 1 and 2, or 5 takes 4 and 3; or any of ten ways."""
    space = exact_space([[0]] * 6)
    low, high = (
        HEURISTICS["mdav-single"].run(space, 3, subrun(Choices(tie_breaker), "mdav-single"))
        for tie_breaker in (LOWEST, HIGHEST)
    )
    assert low.groups == ((0, 1, 2), (3, 4, 5))
    assert high.groups == ((0, 1, 2), (3, 4, 5))
    ways = list(
        explored_runs(
            lambda choices: HEURISTICS["mdav-single"].run(space, 3, subrun(choices, "mdav-single")),
            1000,
        )
    )
    # The first record, and 2 of the other 5: no set is met twice.
    assert len(ways) == 6 * 10
    assert len({partition for partition, _ in ways}) == 10


# Compiled


def sorted_values(random: Random) -> list[int]:
    """Few different values, or many; some so far apart that sums of squares exceed 192 bits."""
    top = random.choice([3, 30, 10**6])
    far = random.choice([0, 10**7, 10**9, 10**15, 10**20, 10**26, 10**37])
    n = random.randrange(2, 60)
    return sorted(random.randrange(top) + far * (random.random() < 0.5) for _ in range(n))


def test_compiled_paths_are_those_of_the_recurrence() -> None:
    """Of whole numbers, written out; where costs do not fit in 192 bits there are none."""
    random, answered = Random(11), Counter[bool]()
    for _ in range(600):
        values, k = sorted_values(random), random.randrange(1, 5)
        if len(values) < k:
            continue
        sizes = range(k, 2 * k)
        unit = lcm(*sizes)
        highest = random.random() < 0.5
        order, words = shortest.in_order(values, True, False)
        assert order.tolist() == list(range(len(values)))
        found = shortest.paths(words, sizes, unit, highest)
        answered[found is not None] += 1
        f: list[Any] = [0]
        best = []
        for j in range(1, len(values) + 1):
            costs = {
                m: f[j - m] + unit * naive_sse(values, [range(j - m, j)])
                for m in sizes
                if m <= j and f[j - m] < inf
            }
            f.append(min(costs.values(), default=inf))
            best.append([m for m, cost in costs.items() if cost == f[j]])
        if found is None:
            assert max(f[k:]) > 2**220
            continue
        assert found.lengths[k:] == f[k:]
        ends = [s[0] if len(s) == 1 else -s[-highest] for s in best[k - 1 :]]
        assert found.sizes.tolist()[k:] == ends
    assert min(answered[True], answered[False]) > 20


def long_values(random: Random) -> list[int]:
    """Numerators of random floats, of some decimals, or of dyadic ones with many ties."""
    n, kind = random.randrange(2, 60), random.randrange(4)
    top = random.choice([3, 30, 10**4])
    made = {
        0: lambda: random.gauss(0, 1),
        1: lambda: random.randrange(top) / 10,
        2: lambda: random.randrange(top) / 8 * 2.0**30,
        3: lambda: random.randrange(top) + random.choice([0, 2.0**-52]) * (top < 4),
    }[kind]
    return [int(Fraction(made()) * 2**80) for _ in range(n)]


@pytest.mark.parametrize("rule", [LOWEST, HIGHEST])
def test_compiled_groups_are_those_of_integers(
    rule: TieRule, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With as many ties, in values that differ in the last of many digits."""
    random = Random(13)
    for _ in range(400):
        values, k = long_values(random), random.randrange(1, 5)
        if len(values) < k:
            continue
        runs = []
        for least in (10**9, 0):
            monkeypatch.setattr(sequence, "COMPILED", least)
            choices = Choices(rule)
            groups = hansen_mukherjee(exact_space([[v] for v in values]), k, choices).groups
            runs.append((groups, choices.ties))
        assert runs[0] == runs[1]


def test_values_of_more_than_128_bits_are_not_compiled() -> None:
    assert shortest.in_order([0, 1 << 127], True, False) == (None, None)
