"""k-Ward and secure-k-Ward by hand, and what their specifications promise."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain.k_ward import growth, mergeable
from planted.mutants import Own, planted_by
from planted.planting import changed_module
from strategies import few_values, many_values

import refagg.commands.main
from oracle.optima.univariate import optimal_univariate
from oracle.replay.explore import all_partitions
from refagg import Release, exact_space, float_space, k_ward, microaggregate, specification, sse
from refagg.algorithms.hierarchical.secure_k_ward import published_values
from refagg.data.standardise import standardise
from refagg.data.tables import table_of
from refagg.engine.ward_pairs import WardPairs
from refagg.errors import InvalidParameter, NotUnivariate
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.language.ties import TiedCandidates

FOURTEEN = [1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23, 24, 25, 50]


def rows_of(values: Sequence[Any]) -> list[tuple[Any]]:
    return [(value,) for value in values]


def loss(values: Sequence[Any], partition: Partition) -> Fraction:
    return sse(standardise(table_of(rows_of(values)), "none"), partition)


# k-Ward


@pytest.mark.parametrize(
    ("k", "lost", "least"),
    [(2, 318, 318), (3, 446, 446), (4, Fraction(5792, 7), Fraction(1369, 2))],
)
def test_the_fourteen_values(k: int, lost: Fraction, least: Fraction) -> None:
    """The published steps, and how far they are from the optimum: 827.428571 beside 684.5."""
    spec = specification("k-ward-univariate")
    for space in (exact_space(rows_of(FOURTEEN)), float_space(rows_of(FOURTEEN))):
        assert loss(FOURTEEN, spec.run(space, k, Choices())) == lost
    assert loss(FOURTEEN, optimal_univariate(FOURTEEN, k)) == least


def test_groups_need_not_be_consecutive() -> None:
    # The 100s and the 106s find each other at no cost. 0 joins the two 106s at 2/3 * 106^2 =
    # 7490.67 and not the three 100s, which are nearer, at 3/4 * 100^2 = 7500.
    values = [-1000, -1000, 0, 100, 100, 100, 106, 106, 1000, 1000]
    spec = specification("k-ward-univariate")
    groups = ((0, 1), (2, 6, 7), (3, 4, 5), (8, 9))
    assert spec.run(exact_space(rows_of(values)), 2, Choices()).groups == groups


def test_a_group_of_2k_is_divided_again() -> None:
    # {0, 1} and {98, 100} are formed. 2 joins {0, 1} at 2/3 * 1.5^2 = 3/2, where {2, 4} would cost
    # 2; then 4 joins {0, 1, 2} at 3/4 * 3^2. These four are divided into their ends.
    values = [0, 1, 2, 4, 98, 100]
    spec = specification("k-ward-univariate")
    assert spec.run(exact_space(rows_of(values)), 2, Choices()).groups == ((0, 1), (2, 3), (4, 5))


def test_two_attributes_by_hand() -> None:
    # (0, 0) and (10, 10) are most distant, at 200. Their nearest are (1, 0) and (10, 9). (6, 5) is
    # 27.25 from (0.5, 0) * 2/3 * ... : 2/3 (5.5^2 + 5^2) = 36.83; to (10, 9.5): 2/3 (16 + 20.25).
    rows = [(0, 0), (1, 0), (6, 5), (10, 9), (10, 10)]
    assert specification("k-ward").run(exact_space(rows), 2, Choices()).groups == (
        (0, 1),
        (2, 3, 4),
    )


def test_which_end_of_the_pair_is_first_matters() -> None:
    """(5, 0) is nearest to both ends; the end that comes second is left with (5, 4)."""
    space, spec = exact_space([(0, 0), (10, 0), (5, 0), (5, 4)]), specification("k-ward")
    results = all_partitions(lambda choices: spec.run(space, 2, choices))
    assert {result.groups for result in results} == {((0, 2), (1, 3)), ((0, 3), (1, 2))}


@given(st.lists(st.one_of(few_values, many_values), min_size=4, max_size=14), st.integers(2, 4))
def test_no_division_of_one_attribute_beats_the_optimum(values: list[int], k: int) -> None:
    if len(values) < k:
        return
    result = specification("k-ward-univariate").run(exact_space(rows_of(values)), k, Choices())
    assert loss(values, result) >= loss(values, optimal_univariate(values, k))


def cheapest_pairs(rows: Sequence[Any], groups: Sequence[list[int]], k: int) -> set[Any]:
    """All pairs of groups, not both of k, whose merging costs least, by definition."""
    costs = {
        (min(a), min(b)): growth(rows, a, b)
        for a, b in combinations(sorted(groups, key=min), 2)
        if mergeable(k, a, b)
    }
    return {pair for pair, cost in costs.items() if cost == min(costs.values())}


@given(st.data())
def test_at_every_step_all_cheapest_pairs_can_be_chosen(data: st.DataObject) -> None:
    """Many records are equal, and three dimensions have more equal costs than one or two."""
    cell = st.integers(0, data.draw(st.integers(0, 2)))
    rows = data.draw(st.lists(st.tuples(cell, cell, cell), min_size=4, max_size=12))
    k = data.draw(st.integers(2, 4))
    clusters = WardPairs(exact_space(rows), k)
    for record in range(len(rows)):
        clusters.add([record])
    while clusters.small and len(clusters.members) > 1:
        cheapest = clusters.cheapest()
        pairs = {
            (a, b) for a in cheapest.candidates for b in clusters.partners(a, cheapest).candidates
        }
        assert pairs == cheapest_pairs(rows, list(clusters.members.values()), k)
        clusters.merge(*data.draw(st.sampled_from(sorted(pairs))))


def test_several_attributes_are_refused_by_the_univariate_ones() -> None:
    for name in ("k-ward-univariate", "secure-k-ward"):
        with pytest.raises(NotUnivariate):
            microaggregate([[1, 2], [3, 4]], 2, name)


# secure-k-Ward: what is published


def secure(values: Sequence[Any], k: int, **parameters: Any) -> Release:
    return microaggregate(
        rows_of(values), k, "secure-k-ward", standardise="none", parameters=parameters
    )


def released(release: Release) -> list[Fraction]:
    return [row for (row,) in (release.released.row(i) for i in range(release.released.n))]


ONE_TENTH = Fraction(1, 10)


@pytest.mark.parametrize(
    ("values", "eps", "rho", "tolerance", "expected"),
    [
        # Worked out in the docstring: 9 is nearer to the mean 10 than 13.2.
        ([8, 10, 12], ONE_TENTH, 1, "relative", 9),
        # Two of the three are secure under the mean, and two thirds is enough.
        ([8, 10, 12], ONE_TENTH, Fraction(2, 3), "relative", 10),
        ([8, 10, 12], ONE_TENTH, Fraction(3, 4), "relative", 9),
        # 1 from 10 is far enough: 9 and 11 are equally good, and below is taken.
        ([8, 10, 12], 1, 1, "absolute", 9),
        # Only outside of all three can y be 3 from each: 8 - 3 = 5 and 12 + 3 = 15, equally far.
        ([8, 10, 12], 3, 1, "absolute", 5),
        # A value of 0 is always secure if the tolerance is relative. 6 must be 6 away: the mean 2
        # is not; 0 and 12 are, and 0 is nearer.
        ([0, 0, 6], 1, 1, "relative", 0),
        ([-1, 0, 1], ONE_TENTH, 1, "relative", 0),
    ],
)
def test_what_one_group_publishes(
    values: list[int], eps: Any, rho: Any, tolerance: str, expected: Any
) -> None:
    release = secure(values, 3, eps=eps, rho=rho, tolerance=tolerance)
    assert released(release) == [expected] * 3


def test_the_second_group_makes_good_what_the_first_did() -> None:
    # Both groups are 8, 10, 12 moved: with eps 1 the deviations are -3 and 3. The first takes
    # below, 9; the second is at -3 then, and takes above. So the total is that of the originals.
    release = secure([8, 10, 12, 108, 110, 112], 3, eps=1, rho=1, tolerance="absolute")
    assert released(release) == [9] * 3 + [111] * 3
    # SSE: 1 + 1 + 9 and 9 + 1 + 1.
    assert release.sse == 22
    assert release.k_reached == 3


tables = st.lists(st.integers(-20, 60), min_size=4, max_size=14)
shares = st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1)])
amounts = st.sampled_from([Fraction(0), Fraction(1, 20), Fraction(1, 2), Fraction(3)])
tolerances = st.sampled_from(["relative", "absolute"])


@given(tables, st.integers(1, 4), shares, tolerances, st.booleans())
def test_without_a_tolerance_or_a_ratio_it_is_k_ward(
    values: list[int], k: int, share: Fraction, tolerance: str, no_eps: bool
) -> None:
    eps, rho = (Fraction(0), share) if no_eps else (2 * share, Fraction(0))
    release = secure(values, k, eps=eps, rho=rho, tolerance=tolerance)
    k_ward = microaggregate(rows_of(values), k, "k-ward-univariate", standardise="none")
    assert release.partition == k_ward.partition
    assert release.released == k_ward.released
    assert release.sse == k_ward.sse


def insecure(values: Sequence[int], of_each: Sequence[Any], eps: Any, tolerance: str) -> list[bool]:
    """For each record, is its published value nearer to it than the tolerance?"""
    return [
        abs(x - y) < (eps * abs(x) if tolerance == "relative" else eps)
        for x, y in zip(values, of_each, strict=True)
    ]


@given(tables, st.integers(1, 4), amounts, shares, tolerances)
def test_every_group_is_secure(
    values: list[int], k: int, eps: Fraction, rho: Fraction, tolerance: str
) -> None:
    release = secure(values, k, eps=eps, rho=rho, tolerance=tolerance)
    near = insecure(values, released(release), eps, tolerance)
    for group in release.partition.groups:
        assert sum(not near[record] for record in group) >= rho * len(group)
    assert release.k_reached >= k


@given(tables, st.integers(1, 4), amounts, shares, tolerances)
def test_nothing_secure_is_nearer_to_the_mean_on_the_same_side(
    values: list[int], k: int, eps: Fraction, rho: Fraction, tolerance: str
) -> None:
    release = secure(values, k, eps=eps, rho=rho, tolerance=tolerance)
    for group in release.partition.groups:
        own = [values[record] for record in group]
        mean = Fraction(sum(own), len(own))
        y = released(release)[group[0]]
        for part in range(1, 20):
            nearer = y + Fraction(part, 20) * (mean - y)
            near = insecure(own, [nearer] * len(own), eps, tolerance)
            assert y == mean or len(own) - sum(near) < rho * len(own)


@given(tables, st.integers(1, 4), shares, amounts, tolerances)
def test_nothing_secure_is_nearer_to_the_mean_at_all(
    values: list[int], k: int, rho: Fraction, eps: Fraction, tolerance: str
) -> None:
    """So the standard deviation of the originals around the published values is least.

    A group becomes secure, on either side, where some record is just far enough.
    """
    release = secure(values, k, eps=eps, rho=rho, tolerance=tolerance)
    for group in release.partition.groups:
        own = [values[r] for r in group]
        mean = Fraction(sum(own), len(own))
        y = released(release)[group[0]]
        for x in own:
            tau = eps * abs(x) if tolerance == "relative" else eps
            for other in (mean, x - tau, x + tau):
                near = insecure(own, [other] * len(own), eps, tolerance)
                assert abs(other - mean) >= abs(y - mean) or len(own) - sum(near) < rho * len(own)


def test_each_group_is_as_homogeneous_as_it_can_be() -> None:
    # 9 and 900 are 1 and 100 from their means, 13.2 and 1320 3.2 and 320.
    release = secure([8, 10, 12, 800, 1000, 1200], 3, eps=ONE_TENTH, rho=1)
    assert released(release) == [9] * 3 + [900] * 3


def test_of_equal_choices_the_widest_is_made_first() -> None:
    # 3 from each: 4 and 16, both 6 from 10; 97 and 103, both 3 from 100. The first group is first
    # and takes -18, the second +9. In the other order they would take +18 and -9.
    release = secure([7, 10, 13, 80, 100, 120], 3, eps=3, rho=1, tolerance="absolute")
    assert released(release) == [4] * 3 + [103] * 3


def test_each_choice_is_made_for_the_sum_of_all_before_it() -> None:
    # No mean is 2 from the values of its group; the secure values next to it are 2 beyond the
    # least and the greatest: -2 or 5, 8 or 14, 18 or 24. 5 is nearer to 5/3: the sum is 10 too
    # great. The others change it by 6 on either side: of 4 and 16 the second takes 4; of -2 and 10
    # the third takes -2.
    values = [Fraction(x) for x in (0, 2, 3, 10, 12, 20, 22)]
    groups = [(0, 1, 2), (3, 4), (5, 6)]
    assert published_values(values, groups, Fraction(2), Fraction(1), "absolute") == [5, 8, 18]


def test_a_scale_changes_a_relative_tolerance_only_in_scale() -> None:
    values = [8, 10, 12, 30, 33, 41, 77]
    plain = released(secure(values, 3, eps=ONE_TENTH, rho=1))
    scaled = released(secure([7 * x for x in values], 3, eps=ONE_TENTH, rho=1))
    assert scaled == [7 * y for y in plain]


def test_strata_are_published_as_one_column() -> None:
    values = [8, 10, 12, 108, 110, 112]
    release = microaggregate(
        rows_of(values),
        3,
        "secure-k-ward",
        strata=list("aaabbb"),
        standardise="none",
        parameters={"eps": 1, "rho": 1, "tolerance": "absolute"},
    )
    assert released(release) == [9] * 3 + [111] * 3


@pytest.mark.parametrize("options", [{"aggregate": "median"}, {"significant_digits": 6}])
def test_it_has_no_other_aggregation(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameter, match="values of its own"):
        microaggregate(rows_of([1, 2, 3]), 3, "secure-k-ward", **options)


@pytest.mark.parametrize(
    ("parameter", "value"), [("eps", -1), ("eps", "x"), ("rho", 2), ("tolerance", "none")]
)
def test_parameters_out_of_range(parameter: str, value: Any) -> None:
    with pytest.raises(InvalidParameter, match=parameter):
        secure([1, 2, 3], 3, **{parameter: value})


# Mistakes in what is published are caught


@pytest.mark.parametrize("planted", planted_by("tests/algorithms/test_ward.py"), ids=str)
def test_a_changed_line_publishes_something_else(planted: Own) -> None:
    module: Any = changed_module(planted.module, planted.change)
    requests = [
        ([8, 10, 12, 108, 110, 112], 1, 1, "absolute"),
        ([8, 10, 12], ONE_TENTH, 1, "relative"),
        ([8, 10, 12], 1, Fraction(2, 3), "absolute"),
        ([-8, -10, -12], ONE_TENTH, 1, "relative"),
        ([8, 10, 12, 98, 100, 104, 198, 200, 203], 1, 1, "absolute"),
        ([7, 10, 13, 80, 100, 117, 190, 200, 212], 3, 1, "absolute"),
        ([7, 10, 13, 80, 100, 120], 3, 1, "absolute"),
        ([0, 1, 3, 10, 12, 14], 2, 1, "absolute"),
    ]
    different = False
    for values, eps, rho, tolerance in requests:
        groups = [(i, i + 1, i + 2) for i in range(0, len(values), 3)]
        given = ([Fraction(x) for x in values], groups, Fraction(eps), Fraction(rho), tolerance)
        try:
            different |= module.published_values(*given) != published_values(*given)
        except ValueError:
            different = True
    assert different


# Centroids that are modes and medians: a merged group can be nearer to another than its parts were


def test_the_cheapest_mergers_of_mixed_records(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against all pairs, one by one."""
    cheapest, asked = WardPairs.cheapest, 0

    def checked(self: WardPairs) -> TiedCandidates[int]:
        nonlocal asked
        asked += 1
        tie, costs = cheapest(self), by_all_pairs(self)
        best = min(cost for _, cost in costs)
        assert (tie.best, set(tie.candidates)) == (best, {a for a, cost in costs if cost == best})
        return tie

    monkeypatch.setattr(WardPairs, "cheapest", checked)
    random = Random(2002)
    for _ in range(60):
        numbers = [random.choice((0, 1, 2, 5, random.randrange(50))) for _ in range(14)]
        rows = [[x, random.choice("pq"), random.choice(("low", "mid", "high"))] for x in numbers]
        k_ward(rows, 4, kinds={"x2": "nominal", "x3": "ordinal:low<mid<high"})
    assert asked > 200


def by_all_pairs(clusters: WardPairs) -> list[tuple[int, Fraction]]:
    """For each pair of which one is small: the lowest record, and the cost of merging them."""
    points = {n: p for points in clusters._by_size.values() for n, p in points.items()}
    sizes = {number: len(members) for number, members in clusters.members.items()}
    return [
        (
            min(clusters._lowest[a], clusters._lowest[b]),
            Fraction(sizes[a] * sizes[b], sizes[a] + sizes[b])
            * clusters._space.raw(points[a], [points[b]])[0],
        )
        for a, b in combinations(clusters.members, 2)
        if min(sizes[a], sizes[b]) < clusters._k
    ]


def test_a_merged_group_that_is_nearer_than_its_parts(tmp_path: Path) -> None:
    """This file once ended in a traceback."""
    rows = [
        "1,q,b",
        "5,p,c",
        "9,p,a",
        "5,p,a",
        "1,p,b",
        "3,r,c",
        "6,p,d",
        "3,q,b",
        "5,p,a",
        "6,q,a",
        "5,q,a",
    ]
    (tmp_path / "in.csv").write_text("\n".join(["x,y,z", *rows]) + "\n")
    words = ["mask", str(tmp_path / "in.csv"), "--algorithm", "k-ward", "-k", "4"]
    words += ["--kind", "x=numeric", "--kind", "y=nominal", "--kind", "z=ordinal:a<b<c<d"]
    assert refagg.commands.main.main([*words, "-o", str(tmp_path / "out.csv")]) == 0
