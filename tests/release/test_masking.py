from __future__ import annotations

import statistics
from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import PARTITIONING, quick_options

from refagg import CATALOGUE, Release, microaggregate
from refagg.data.aggregate import admissible, aggregated, mean, median, mode, operator, trimmed_mean
from refagg.data.tables import Table, column_of
from refagg.datasets import load
from refagg.errors import InvalidBlocks
from refagg.language.partition import Partition

Rows = Sequence[Sequence[Any]]

C = Fraction(44478, 14860)
"""3 / 1.486 times 1.4826, as `onestep` of sdcMicro and the `mad` of R have them."""

TWO_CLUSTERS = [[1, 10], [12, 30], [2, 11], [11, 31], [3, 12], [10, 35]]

small_rows = st.integers(1, 3).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(-9, 9), min_size=width, max_size=width), min_size=2, max_size=9
    )
)


def rows_of(release: Release) -> list[tuple[Any, ...]]:
    return [release.released.row(record) for record in range(release.released.n)]


def average(values: Sequence[Any]) -> Fraction:
    return sum(map(Fraction, values), Fraction(0)) / len(values)


def variance(values: Sequence[Any], how: str) -> Fraction:
    centre = average(values)
    total = sum(((value - centre) ** 2 for value in values), Fraction(0))
    return total / (len(values) if how == "population" else len(values) - 1)


def loss(rows: Rows, released: Rows, how: str) -> Fraction:
    """The sum of squared differences, attribute by attribute, by definition."""
    total = Fraction(0)
    for ours, theirs in zip(zip(*rows, strict=True), zip(*released, strict=True), strict=True):
        differences = sum(((x - y) ** 2 for x, y in zip(ours, theirs, strict=True)), Fraction(0))
        unit = Fraction(1) if how == "none" else variance(ours, how)
        total += differences / unit if unit else Fraction(0)
    return total


# Aggregates


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 2, 2, 5, 100], {"mean": 22, "median": 2, "trimmed-mean": 3, "mode": 2}),
        ([4, 1, 3, 2], {"mean": "5/2", "median": "5/2", "trimmed-mean": "5/2", "mode": 4}),
        ([9, 7, 7, 9, 0], {"mean": "32/5", "median": 7, "trimmed-mean": "23/3", "mode": 9}),
        (
            [Fraction(1, 2), Fraction(1, 2), 5, Fraction(-1, 3), 0],
            {"mean": "17/15", "median": "1/2", "trimmed-mean": "1/3", "mode": "1/2"},
        ),
        ([8], {"mean": 8, "median": 8, "trimmed-mean": 8, "mode": 8}),
    ],
)
def test_aggregates_of_one_group(values: list[Any], expected: dict[str, Any]) -> None:
    for name, value in expected.items():
        # A trim of 1/5 leaves out one value at each end of five, none of fewer.
        trim = Fraction(1, 5) if name == "trimmed-mean" else None
        release = microaggregate([[v] for v in values], len(values), aggregate=name, trim=trim)
        assert rows_of(release) == [(Fraction(value),)] * len(values)


def test_operators_by_hand() -> None:
    assert mean([1, 2]) == (Fraction(3, 2),)
    assert median([9, 1, 5]) == (5,)
    assert median([9, 1, 5, 6]) == (Fraction(11, 2),)
    # floor(0.3 * 4) = 1 and floor(0.49 * 5) = 2; trim 0 is the mean.
    assert trimmed_mean([100, 1, 2, 3], Fraction(3, 10)) == (Fraction(5, 2),)
    assert trimmed_mean([100, 1, 2, 3, 0], Fraction(49, 100)) == (2,)
    assert trimmed_mean([100, 1, 2, 3], Fraction(0)) == (Fraction(53, 2),)
    assert mode([3, 1, 1, 3, 2]) == (3, 1)
    assert operator()([1, 2]) == mean([1, 2])


@pytest.mark.parametrize(
    ("values", "moved"),
    [
        # Median 3, deviations 2 1 0 1 97: their median is 1, and 100 becomes 3 + c.
        ([1, 2, 3, 4, 100], [1, 2, 3, 4, 3 + C]),
        # Median 5/2, deviations 3/2 1/2 1/2 995/2: their median is 1, and 500 becomes 5/2 + c.
        ([1, 2, 3, 500], [1, 2, 3, Fraction(5, 2) + C]),
        # More than half of them are equal, and all others become the same.
        ([7, 7, 7, 8, -50], [7, 7, 7, 7, 7]),
        # Median 0, deviations 2 2 0 2 5.9: their median is 2, and 5.9 < 2 c < 6.
        ([-2, 2, 0, 2, Fraction(-59, 10)], [-2, 2, 0, 2, Fraction(-59, 10)]),
        ([-2, 2, 0, 2, -6], [-2, 2, 0, 2, -2 * C]),
        ([8], [8]),
    ],
)
def test_the_onestep_mean_by_hand(values: list[Any], moved: list[Any]) -> None:
    release = microaggregate([[v] for v in values], len(values), aggregate="onestep")
    expected = Fraction(sum(moved)) / len(moved)
    assert rows_of(release) == [(expected,)] * len(values)


def test_all_modes_are_admissible_and_the_first_is_released() -> None:
    column = column_of("x", [Fraction(n, 2) for n in (7, 3, 3, 7, 9)])
    assert admissible(column, (0, 1, 2, 3, 4), mode) == [Fraction(7, 2), Fraction(3, 2)]
    release = microaggregate([[7], [3], [3], [7], [9]], 5, aggregate="mode")
    assert rows_of(release) == [(7,)] * 5


def test_each_group_gets_its_own_aggregate_and_rows_keep_their_places() -> None:
    release = microaggregate(TWO_CLUSTERS, 3)
    assert release.partition.groups == ((0, 2, 4), (1, 3, 5))
    low, high = (Fraction(2), Fraction(11)), (Fraction(11), Fraction(32))
    assert rows_of(release) == [low, high, low, high, low, high]
    middle = microaggregate(TWO_CLUSTERS, 3, aggregate="median")
    low, high = (Fraction(2), Fraction(11)), (Fraction(11), Fraction(31))
    assert rows_of(middle) == [low, high, low, high, low, high]


@given(st.lists(st.tuples(st.integers(0, 3), st.fractions(max_denominator=30)), min_size=1))
@example([(0, Fraction(1, 2)), (1, Fraction(3, 2)), (0, Fraction(5, 2))])
def test_means_are_in_lowest_terms(given_values: list[tuple[int, Fraction]]) -> None:
    labels, values = zip(*given_values, strict=True)
    table = Table((column_of("x", values),))
    [column] = aggregated(table, Partition.from_labels(labels)).columns
    members = {label: [v for o, v in given_values if o == label] for label in labels}
    means = [statistics.mean(members[label]) for label in labels]
    assert column.values(range(len(means))) == means
    assert column.denominator == lcm(*[value.denominator for value in means])


# SSE and information loss


@pytest.mark.parametrize("how", ["none", "population", "sample"])
@pytest.mark.parametrize("aggregate", ["mean", "median", "mode", "trimmed-mean", "onestep"])
@given(rows=small_rows)
def test_sse_and_information_loss_are_those_of_the_definition(
    how: str, aggregate: str, rows: Rows
) -> None:
    trim = Fraction(1, 3) if aggregate == "trimmed-mean" else None
    release = microaggregate(rows, 2, standardise=how, aggregate=aggregate, trim=trim)
    lost = loss(rows, rows_of(release), how)
    centre = [average(column) for column in zip(*rows, strict=True)]
    total = loss(rows, [centre] * len(rows), how)
    assert (release.sse, release.sst) == (lost, total)
    report = release.report()
    assert report["sse"] == {"decimal": float(lost), "exact": str(lost)}
    assert report["sst"]["exact"] == str(total)
    percent = report["information_loss_percent"]
    assert percent["exact"] == str(100 * lost / total) if total else percent is None


def test_sse_by_hand() -> None:
    # Groups {1,2,3} and {10,11,12}: each loses 1 + 0 + 1; the total spread is
    # 2 (5.5^2 + 4.5^2 + 3.5^2) = 2 * 62.75.
    report = microaggregate([[1], [2], [3], [10], [11], [12]], 3, standardise="none").report()
    assert report["sse"] == {"decimal": 4.0, "exact": "4"}
    assert report["sst"]["exact"] == "251/2"
    assert report["information_loss_percent"]["exact"] == "800/251"


def test_sse_on_rounded_scores() -> None:
    rows = [[1], [2], [4], [9], [11]]
    release = microaggregate(rows, 2, significant_digits=2)
    centre, spread = 5.4, 15.44**0.5
    scores = [float(f"{(row[0] - centre) / spread:.1e}") for row in rows]
    lost = 0.0
    for group in release.partition.groups:
        middle = sum(scores[r] for r in group) / len(group)
        lost += sum((scores[r] - middle) ** 2 for r in group)
    assert float(release.sse) == pytest.approx(lost, rel=1e-12)
    # What is released are means of the values themselves.
    group = release.partition.groups[0]
    assert release.released.row(group[0]) == (average([rows[r][0] for r in group]),)


# The ends of k, and constant attributes


@pytest.mark.parametrize("name", PARTITIONING)
def test_groups_of_one_lose_nothing(name: str) -> None:
    spec = CATALOGUE[name]
    release = microaggregate(TWO_CLUSTERS, 1, name, **quick_options(name))
    if spec.largest_group(1, **spec.settings({})) == 1:
        assert release.partition.groups == ((0,), (1,), (2,), (3,), (4,), (5,))
        assert rows_of(release) == [tuple(row) for row in TWO_CLUSTERS]
        assert release.sse == 0
    assert release.k_reached >= 1


@pytest.mark.parametrize("name", PARTITIONING)
def test_one_group_loses_everything(name: str) -> None:
    release = microaggregate(TWO_CLUSTERS, 6, name, **quick_options(name))
    assert release.partition.groups == (tuple(range(6)),)
    assert rows_of(release) == [(Fraction(39, 6), Fraction(129, 6))] * 6
    assert release.sse == release.sst == 12
    assert release.report()["information_loss_percent"]["exact"] == "100"


@pytest.mark.parametrize("name", PARTITIONING)
def test_a_single_record(name: str) -> None:
    release = microaggregate([[5, -1]], 1, name, **quick_options(name))
    assert rows_of(release) == [(5, -1)]
    assert release.report()["information_loss_percent"] is None


@pytest.mark.parametrize("name", PARTITIONING)
@pytest.mark.parametrize("arithmetic", ["exact", "float"])
def test_a_constant_attribute_changes_nothing(name: str, arithmetic: str) -> None:
    rows = [[value] for value in (5, 1, 9, 2, 8, 4, 30, 31)]
    if arithmetic not in CATALOGUE[name].arithmetics(CATALOGUE[name].settings({})):
        pytest.skip(f"{name} has no {arithmetic} arithmetic")
    if any(parameter.name == "confidential" for parameter in CATALOGUE[name].parameters):
        pytest.skip("the confidential attribute is named by its number")
    options = {"arithmetic": arithmetic, **quick_options(name)}
    alone = microaggregate(rows, 2, name, **options)
    beside = microaggregate([[7, *row] for row in rows], 2, name, **options)
    assert beside.partition == alone.partition
    assert rows_of(beside) == [(Fraction(7), *row) for row in rows_of(alone)]
    assert (beside.sse, beside.sst) == (alone.sse, alone.sst)


@pytest.mark.parametrize("name", PARTITIONING)
@pytest.mark.parametrize("how", ["none", "population", "sample"])
def test_equal_records_lose_nothing(name: str, how: str) -> None:
    release = microaggregate([[3, 4]] * 7, 3, name, standardise=how, **quick_options(name))
    assert release.partition.smallest() >= 3
    assert rows_of(release) == [(3, 4)] * 7
    assert release.k_reached == 7
    report = release.report()
    assert (report["sse"]["exact"], report["information_loss_percent"]) == ("0", None)


# Blocks


def test_blocks_of_one_attribute_are_individual_ranking() -> None:
    data = {"a": [1, 2, 3, 20, 21, 22], "b": [50, 9, 51, 8, 52, 7]}
    release = microaggregate(data, 3, blocks=[["b"], ["a"]])
    assert [block.names for block in release.blocks] == [("b",), ("a",)]
    assert release.blocks[0].partition.groups == ((0, 2, 4), (1, 3, 5))
    assert release.blocks[1].partition.groups == ((0, 1, 2), (3, 4, 5))
    assert release.released.names == ("a", "b")
    assert rows_of(release) == [(2, 51), (2, 8), (2, 51), (21, 8), (21, 51), (21, 8)]
    # Rows (2, 8) and (21, 51) are released once each.
    assert release.k_reached == 1
    with pytest.raises(InvalidBlocks, match="several blocks"):
        _ = release.partition


@given(rows=small_rows)
def test_blocks_are_microaggregated_by_themselves(rows: Rows) -> None:
    names = [f"x{j + 1}" for j in range(len(rows[0]))]
    release = microaggregate(rows, 2, blocks=[[name] for name in names])
    for j, block in enumerate(release.blocks):
        alone = microaggregate([[row[j]] for row in rows], 2)
        assert block.partition == alone.partition
        assert [row[j] for row in rows_of(release)] == [row[0] for row in rows_of(alone)]
        assert block.sse == alone.sse
    assert release.sse == loss(rows, rows_of(release), "population")


def test_attributes_of_a_block_share_their_groups() -> None:
    rows = [[1, 50, 5], [2, 9, 6], [20, 51, 5], [21, 8, 6]]
    release = microaggregate(rows, 2, blocks=[["x3", "x2"], ["x1"]])
    assert release.blocks[0].partition.groups == ((0, 2), (1, 3))
    assert release.blocks[1].partition.groups == ((0, 1), (2, 3))
    half = Fraction(1, 2)
    assert rows_of(release) == [
        (1 + half, 50 + half, 5),
        (1 + half, 8 + half, 6),
        (20 + half, 50 + half, 5),
        (20 + half, 8 + half, 6),
    ]


# Strata


@pytest.mark.parametrize("name", PARTITIONING)
@pytest.mark.parametrize("how", ["none", "population"])
def test_no_group_crosses_strata(name: str, how: str) -> None:
    labels = ["u", "v"] * 6
    table = load("tor-table1")
    options = {"standardise": how, **quick_options(name)}
    release = microaggregate(table, 3, name, strata=labels, **options)
    assert release.partition.smallest() >= 3
    for group in release.partition.groups:
        assert len({labels[record] for record in group}) == 1
    if how == "none":
        for offset in (0, 1):
            own = [r for r in range(12) if r % 2 == offset]
            alone = microaggregate(table.take(own), 3, name, **options)
            expected = {tuple(own[r] for r in group) for group in alone.partition.groups}
            assert expected <= set(release.partition.groups)


def test_strata_share_the_standardisation_of_the_whole_table() -> None:
    first: list[list[Any]] = [[0, 0], [0, 1], [10, Fraction(1, 5)], [10, Fraction(6, 5)]]
    second = [[10_000 + x, y] for x, y in first]
    # By itself, a stratum has standard deviations of 5 and 0.51, and record 0 is nearest to 1.
    # In the whole table that of x is 5000, x counts for nothing, and record 0 is nearest to 2.
    assert microaggregate(first, 2).partition.groups == ((0, 1), (2, 3))
    release = microaggregate(first + second, 2, strata=[1, 1, 1, 1, 2, 2, 2, 2])
    assert release.partition.groups == ((0, 2), (1, 3), (4, 6), (5, 7))


def test_traces_are_kept_by_stratum_and_only_if_asked_for() -> None:
    labels = ["u", "v"] * 3
    release = microaggregate(TWO_CLUSTERS, 3, strata=labels, trace=True)
    ((first, events), (second, _)) = release.blocks[0].traces
    assert (first, second) == ("u", "v")
    assert [event.items for event in events if event.name == "group"] == [(0, 1, 2)]
    silent = microaggregate(TWO_CLUSTERS, 3, strata=labels)
    assert [len(events) for _, events in silent.blocks[0].traces] == [0, 0]


# Ties


def test_random_ties_repeat_with_their_seed_and_vary_with_it() -> None:
    table = load("nine-records")

    def groups(seed: int) -> object:
        return microaggregate(table, 3, ties="random", seed=seed).partition.groups

    drawn = [groups(seed) for seed in range(20)]
    assert [groups(seed) for seed in range(20)] == drawn
    assert len(set(drawn)) > 1


def test_tie_rules_take_the_lowest_or_the_highest() -> None:
    # 0 and 8 are equally far from the centroid 4; the one taken gets its neighbour, and
    # the three that are left are the other group.
    rows = [[0], [2], [4], [6], [8]]
    assert microaggregate(rows, 2, ties="lowest").partition.groups == ((0, 1), (2, 3, 4))
    assert microaggregate(rows, 2, ties="highest").partition.groups == ((0, 1, 2), (3, 4))


def test_ties_met_are_counted() -> None:
    assert microaggregate([[0], [1], [5], [20]], 2).blocks[0].ties == 0
    assert microaggregate([[0], [2], [4], [6], [8]], 2).blocks[0].ties > 0


def test_the_report_says_how_the_release_was_made() -> None:
    release = microaggregate(
        TWO_CLUSTERS, 2, "v-mdav", ties="random", seed=4, parameters={"gamma": "0.5"}
    )
    report = release.report()
    assert report["parameters"]["gamma"] == "1/2"
    asked = {"algorithm": "v-mdav", "k": 2, "ties": "random", "seed": 4, "aggregate": "mean"}
    assert {name: report[name] for name in asked} == asked
    assert report["records"] == 6
    assert report["attributes"] == ["x1", "x2"]
    (block,) = report["blocks"]
    assert sorted(r for group in block["groups"] for r in group) == list(range(6))
    assert sum(int(size) * count for size, count in block["sizes"].items()) == 6
