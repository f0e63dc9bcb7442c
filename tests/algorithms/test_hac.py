"""Agglomerative microaggregation: by hand, against a plain program, scipy and printed numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import isclose
from pathlib import Path
from random import Random
from typing import Any

import pytest
from plain import hac as plain_hac
from planted.mutant import Mutant
from planted.mutants import mutants_planted_by
from suites import all_but, one_in

from refagg import datasets, exact_space, float_space, specification
from refagg.commands.main import main
from refagg.comparison.dendrogram import Dendrogram, dendrogram, dendrogram_text
from refagg.cursors.groups import Groups
from refagg.data.standardise import Scaled, standardise
from refagg.data.tables import table_of
from refagg.errors import InvalidParameter
from refagg.language.choices import Choices
from refagg.language.event import Event
from refagg.language.partition import Partition
from refagg.release.measures import sse
from refagg.spaces.exact import ExactSpace
from refagg.spaces.of_tables import ARITHMETICS

HAC = specification("hac")
THESIS = {"linkage": "single", "metric": "euclidean", "leftovers": "free-capacity"}
Rows = list[tuple[int, ...]]


def settings_of(**given: str) -> dict[str, Any]:
    return HAC.settings(given)


def every_setting() -> Iterator[dict[str, Any]]:
    values = [p.allowed.split(", ") for p in HAC.parameters]
    for chosen in product(*values):
        given = dict(zip((p.name for p in HAC.parameters), chosen, strict=True))
        if not HAC.inapplicable(**given):
            yield given


ALL = list(every_setting())
EXACT = [given for given in ALL if not HAC.irrational(**given)]
PAIRS = sorted({(given["linkage"], given["metric"]) for given in ALL})


def run_of(rows: Any, k: int, arithmetic: Callable[..., Any], **given: str) -> Choices:
    choices = Choices(trace=[])
    HAC.run(arithmetic(rows), k, choices, **settings_of(**given))
    return choices


def tree(
    rows: Any, k: int, arithmetic: Callable[..., Any] = exact_space, **given: str
) -> Dendrogram:
    return dendrogram(run_of(rows, k, arithmetic, **given).trace or (), len(rows))


def groups(rows: Any, k: int, **given: str) -> tuple[tuple[int, ...], ...]:
    result: Partition = HAC.run(exact_space(rows), k, Choices(), **settings_of(**given))
    return result.groups


# By hand

LAST_HEIGHT = [
    # The clusters {0, 2} and {5}, after 0 and 2 were merged.
    ("single", "euclidean", Fraction(9)),
    ("single", "squared", Fraction(9)),
    ("complete", "euclidean", Fraction(25)),
    ("average", "squared", Fraction(9 + 25, 2)),
    ("average", "euclidean", Fraction(3 + 5, 2) ** 2),
    ("average", "manhattan", Fraction(3 + 5, 2) ** 2),
    ("average", "maximum", Fraction(3 + 5, 2) ** 2),
    ("centroid", "euclidean", Fraction(16)),
    ("centroid", "squared", Fraction(16)),
    ("ward", "euclidean", Fraction(2, 3) * 16),
    ("ward", "squared", Fraction(2, 3) * 16),
    # 2/3 (2 * 4 - 1), as the mean distance inside {0, 2} is (0 + 2 + 2 + 0)/4.
    ("energy", "euclidean", Fraction(14, 3) ** 2),
    ("energy", "manhattan", Fraction(14, 3) ** 2),
    # 2/3 (2 * 17 - 2), with squares.
    ("energy", "squared", Fraction(64, 3)),
    # The variance of 0, 2, 5 is 38/9.
    ("single", "mahalanobis", Fraction(9) * Fraction(9, 38)),
    ("ward", "mahalanobis", Fraction(32, 3) * Fraction(9, 38)),
]


@pytest.mark.parametrize(("linkage", "metric", "value"), LAST_HEIGHT)
def test_heights_by_hand(linkage: str, metric: str, value: Fraction) -> None:
    rows = [[0], [2], [5]]
    given = {"linkage": linkage, "metric": metric}
    power = 1 if metric == "squared" else 2
    for arithmetic in HAC.arithmetics(settings_of(**given)):
        space_of = {"exact": exact_space, "float": float_space}[arithmetic]
        for priority, divisor in (("none", 1), ("size", 3**power)):
            last = tree(rows, 3, space_of, **given, priority=priority).mergers[-1]
            assert (last.first, last.second, last.cluster, last.size) == (2, 3, 4, 3)
            height = Fraction(last.height) * divisor
            assert height == value if arithmetic == "exact" else isclose(height, value)


def test_the_priority_prefers_to_enlarge() -> None:
    # Serial numbers: 100 and 101 make 6, then 0 and 10 make 7. From 29 to 7 it is 19, to 42 13;
    # divided by the sizes 19/3 and 13/2.
    rows = [[0], [10], [29], [42], [100], [101]]
    given = {"linkage": "single", "cap": "k"}
    without = [(m.first, m.second) for m in tree(rows, 3, **given).mergers]
    divided = tree(rows, 3, **given, priority="size").mergers
    assert without == [(4, 5), (0, 1), (2, 3)]
    assert [(m.first, m.second) for m in divided] == [(4, 5), (0, 1), (2, 7), (3, 6)]
    assert [m.height for m in divided][2:] == [Fraction(19, 3) ** 2, Fraction(58, 3) ** 2]


def test_free_capacity_by_hand() -> None:
    # Up to k = 3: {0,1,2}, {10,11}, {20,21}, in this order of mergers; the first pair is
    # the earliest of the smallest. 10 joins {20,21}, of 2 records, and 11 the earliest of the
    # two that then have 3, which is {0,1,2}, as the other went to the end.
    rows = [[0], [1], [2], [10], [11], [20], [21]]
    assert groups(rows, 3, **THESIS) == ((0, 1, 2, 4), (3, 5, 6))


@pytest.mark.parametrize("leftovers", ["free-capacity", "nearest", "mdav"])
def test_a_leftover_for_which_no_group_has_room_is_filled_up(leftovers: str) -> None:
    # Two clusters of 5 are full. 1000 takes in 104, and then 103, the nearest to 552.
    rows = [[x] for x in (0, 1, 2, 3, 4, 100, 101, 102, 103, 104, 1000)]
    given = {"linkage": "single", "cap": "2k-1", "leftovers": leftovers}
    assert groups(rows, 3, **given) == ((0, 1, 2, 3, 4), (5, 6, 7), (8, 9, 10))


def test_the_nearest_centroid_moves() -> None:
    # Single linkage up to 3: {0,1,2}, {20,21,22}, and {10,12} is left. 10 is nearer to 1 than to
    # 21, and 12 then nearer to 21 (81) than to 13/4 (about 77)? No: 8 3/4 is less than 9.
    rows = [[0], [1], [2], [10], [12], [20], [21], [22]]
    given = {"linkage": "single", "leftovers": "nearest"}
    assert groups(rows, 3, **given) == ((0, 1, 2, 3, 4), (5, 6, 7))


def test_mahalanobis_of_uncorrelated_attributes() -> None:
    # The variances are 1 and 25, so that both sides of the rectangle have the length 2.
    rows = [[0, 0], [2, 0], [0, 10], [2, 10]]
    for space_of in (exact_space, float_space):
        given = {"linkage": "complete", "metric": "mahalanobis"}
        trace = run_of(rows, 4, space_of, **given).trace or []
        mergers = [event for event in trace if event.name == "merge"]
        assert [event.tied for event in mergers] == [4, 1, 1]
        assert [float(event.value or 0) for event in mergers] == pytest.approx([4, 4, 8], rel=1e-12)


def assert_same_mahalanobis_tree(rows: Any, others: Any, **given: str) -> None:
    first, *more = (
        tree(r, 9, space_of, metric="mahalanobis", **given).mergers
        for r in (rows, others)
        for space_of in (exact_space, float_space)
    )
    for mergers in more:
        assert [(m.first, m.second) for m in mergers] == [(m.first, m.second) for m in first]
        heights = [float(m.height) for m in mergers]
        assert heights == pytest.approx([float(m.height) for m in first], rel=1e-9)


@pytest.mark.parametrize("linkage", ["ward", "single", "centroid"])
def test_mahalanobis_leaves_out_what_tells_nothing(linkage: str) -> None:
    random = Random(4)
    for _ in range(20):
        rows = [(random.randrange(50), random.randrange(50)) for _ in range(9)]
        more = [(7, x, y, 3 * x - 2 * y + 5) for x, y in rows]
        assert_same_mahalanobis_tree(rows, more, linkage=linkage)


@pytest.mark.parametrize("linkage", ["ward", "complete"])
def test_mahalanobis_does_not_depend_on_the_scale_of_attributes(linkage: str) -> None:
    random = Random(5)
    for _ in range(20):
        rows = [(random.randrange(50), random.randrange(50)) for _ in range(9)]
        turned = [(x + y, 1000 * (x - 2 * y)) for x, y in rows]
        assert_same_mahalanobis_tree(rows, turned, linkage=linkage)


def mergers_of(rows: Any, arithmetic: Callable[..., Any]) -> list[Event]:
    run = run_of(rows, 4, arithmetic, linkage="complete", metric="mahalanobis")
    return [event for event in run.trace or () if event.name == "merge"]


def test_in_floats_rounding_is_not_an_attribute_of_its_own() -> None:
    # A tenth of 0, 1, 3, 7 is rounded; what is left beside the attribute itself is below
    # 2^-50 of its standard deviation, and tells nothing. The variance is 59/4 - (11/4)^2.
    rows = [(float(x), x / 10) for x in (0, 1, 3, 7)]
    heights = [float(event.value or 0) for event in mergers_of(rows, float_space)]
    assert heights == pytest.approx([x * x * 16 / 115 for x in (1, 3, 7)], rel=1e-9)


def test_in_exact_arithmetic_the_least_residual_counts() -> None:
    # An attribute times 2^50, and another one added: the metric is that of the two.
    corners = [(0, 0), (2, 0), (0, 10), (2, 10)]
    mergers = mergers_of([(x, 2**50 * x + y) for x, y in corners], exact_space)
    assert [(event.value, event.tied) for event in mergers] == [(4, 4), (4, 1), (8, 1)]


def test_ties_between_attributes_that_are_nearly_the_same() -> None:
    # The corners of a rectangle have four equal sides in this metric. A third of 2^20 x + y
    # rounds y by about 2^-32 of itself; what stays of the variance is about 2^-40.
    corners = [(0, 0), (1, 0), (0, 1), (1, 1)]
    rows = [(float(x), (2**20 * x + y) / 3) for x, y in corners]
    assert [event.tied for event in mergers_of(rows, float_space)] == [4, 1, 1]


def test_no_tie_between_heights_that_differ_by_a_hundredth() -> None:
    # No number is rounded, so the metric is that of x and y, which have no covariance. Of the
    # variance of 2^37 x + y about 2^-77 is that of y: squares of 100 and 101 are still told apart.
    rows = [(x, y) for x in (0, 512) for y in (0, 100, 201)]
    given = {"linkage": "single", "metric": "mahalanobis"}
    run = run_of([(float(x), float(2**37 * x + y)) for x, y in rows], 6, float_space, **given)
    mergers = [event for event in run.trace or () if event.name == "merge"]
    assert [event.tied for event in mergers[:2]] == [2, 1]


def test_energy_of_squared_distances_is_twice_the_increase_of_ward() -> None:
    rows = [[x * x % 37, x * 5 % 11] for x in range(14)]
    ward, energy = (tree(rows, 14, linkage=name, metric="squared") for name in ("ward", "energy"))
    assert [m.height for m in energy.mergers] == [2 * Fraction(m.height) for m in ward.mergers]
    total = sse(standardise(table_of(rows), "none"), Partition.of([range(14)]))
    assert sum(Fraction(m.height) for m in ward.mergers) == total


@pytest.mark.parametrize("metric", ["euclidean", "squared"])
@pytest.mark.parametrize("linkage", ["single", "complete", "average"])
def test_without_centroids_and_attributes_dissimilarities_are_enough(
    linkage: str, metric: str
) -> None:
    # Leftovers go to the smallest cluster with free capacity; nobody asks for its place.
    given = {"linkage": linkage, "metric": metric}
    assert HAC.needed(settings_of(**given, leftovers="free-capacity")) == "Dissimilarities"
    for leftovers in ("mdav", "nearest"):
        assert HAC.needed(settings_of(**given, leftovers=leftovers)) == "Centroids"


def test_what_other_linkages_and_metrics_need() -> None:
    for linkage in ("centroid", "ward"):
        assert HAC.needed(settings_of(linkage=linkage, leftovers="free-capacity")) == "Centroids"
    for metric in ("manhattan", "maximum", "mahalanobis"):
        given = {"linkage": "single", "metric": metric, "leftovers": "free-capacity"}
        assert HAC.needed(settings_of(**given)) == "Numeric"


@pytest.mark.parametrize(
    ("linkage", "metric"),
    [("ward", "manhattan"), ("centroid", "maximum"), ("energy", "maximum")],
)
def test_combinations_without_a_meaning(linkage: str, metric: str) -> None:
    with pytest.raises(InvalidParameter, match=f"linkage {linkage} .* metric {metric}"):
        settings_of(linkage=linkage, metric=metric)


def test_what_needs_roots_is_for_floats_only() -> None:
    for given in ALL:
        roots = given["metric"] in ("manhattan", "maximum") or (
            given["linkage"] in ("average", "energy") and given["metric"] != "squared"
        )
        assert HAC.arithmetics(given) == (("float",) if roots else ("exact", "float"))


# Against the plain program


def some_rows(random: Random, largest_k: int = 4) -> tuple[Rows, int]:
    most = random.choice([3, 3, 1000])
    width, n = random.randrange(1, 4), random.randrange(3, 3 * largest_k + 1)
    rows = [tuple(random.randrange(most) for _ in range(width)) for _ in range(n)]
    return rows, random.randrange(1, min(n, largest_k + 1))


@pytest.mark.parametrize("pair", one_in(9, PAIRS), ids="-".join)
def test_every_combination_gives_what_the_plain_program_gives(pair: tuple[str, str]) -> None:
    linkage, metric = pair
    random = Random(f"{linkage} {metric}")
    for given in ALL:
        if (given["linkage"], given["metric"]) != (linkage, metric):
            continue
        for _ in range(6):
            rows, k = some_rows(random)
            plainly = Partition.of(plain_hac.partition(rows, k, **given))
            for arithmetic in HAC.arithmetics(given):
                space = {"exact": exact_space, "float": float_space}[arithmetic](rows)
                assert HAC.run(space, k, Choices(), **given) == plainly, (
                    rows,
                    k,
                    given,
                    arithmetic,
                )


FOR_THE_TWIN = mutants_planted_by("tests/algorithms/test_hac.py")
SLOWLY_TOLD = [one for one in FOR_THE_TWIN if one.mistake.startswith("centroid linkage forgets")]
"""Few tables tell it."""


@pytest.mark.parametrize(
    "mutant", all_but(FOR_THE_TWIN, SLOWLY_TOLD), ids=lambda mutant: mutant.mistake
)
def test_the_plain_program_tells_a_changed_line(mutant: Mutant) -> None:
    random = Random(1)
    mutated, settings = mutant.function(), mutant.settings
    for turn in range(600):
        rows, k = some_rows(random, 5)
        space = ExactSpace(standardise(table_of(rows), "none"), engine=("auto", "plain")[turn % 2])
        try:
            found = mutated(space, k, Choices(), **settings)
        except (ValueError, IndexError, KeyError):
            return
        if found != Partition.of(plain_hac.partition(rows, k, **settings)):
            return
    pytest.fail("no table told it")


def test_the_nearest_to_all_of_a_group_that_grows_or_is_another() -> None:
    random = Random(23)
    rows = [(random.randrange(9), random.randrange(9)) for _ in range(30)]
    groups_of = Groups(exact_space(rows), Choices(), {0: range(30)})
    for _ in range(300):
        order = random.sample(range(30), random.randrange(4, 31))
        group, among = [order[0]], sorted(order[1:])
        while among and random.random() < 0.8:
            sums = {r: sum(groups_of.space.between(r, member) for member in group) for r in among}
            nearest = min(among, key=lambda r: (sums[r], r))
            assert groups_of.nearest_to_all("near kept", among, sorted(group)) == nearest
            group.append(nearest)
            among = [r for r in among if r != nearest and random.random() < 0.9]


# Against scipy


SCIPY = [
    ("single", "euclidean", "euclidean"),
    ("complete", "euclidean", "euclidean"),
    ("average", "euclidean", "euclidean"),
    ("centroid", "euclidean", "euclidean"),
    ("ward", "euclidean", "euclidean"),
    ("single", "squared", "sqeuclidean"),
    ("average", "squared", "sqeuclidean"),
    ("complete", "manhattan", "cityblock"),
    ("average", "manhattan", "cityblock"),
    ("average", "maximum", "chebyshev"),
    ("average", "mahalanobis", "mahalanobis"),
    ("complete", "mahalanobis", "mahalanobis"),
]


@pytest.mark.parametrize(("linkage", "metric", "theirs"), SCIPY)
def test_without_a_cap_heights_are_those_of_scipy(linkage: str, metric: str, theirs: str) -> None:
    numpy = pytest.importorskip("numpy")
    hierarchy = pytest.importorskip("scipy.cluster.hierarchy")
    distance = pytest.importorskip("scipy.spatial.distance")
    random = Random(17)
    rows = [[random.uniform(-9, 9) for _ in range(4)] for _ in range(60)]
    points = numpy.array(rows)
    more = {}
    if theirs == "mahalanobis":
        more = {"VI": numpy.linalg.inv(numpy.cov(points.T, ddof=0))}
    expected = hierarchy.linkage(distance.pdist(points, theirs, **more), linkage)
    given = {"linkage": linkage, "metric": metric}
    for arithmetic in HAC.arithmetics(settings_of(**given)):
        space_of = {"exact": exact_space, "float": float_space}[arithmetic]
        mergers = tree(rows, 60, space_of, **given).mergers
        assert [m.size for m in mergers] == list(expected[:, 3])
        assert [(m.first, m.second) for m in mergers] == [tuple(p) for p in expected[:, :2]]
        values = [float(m.height) for m in mergers]
        heights = values if metric == "squared" else [value**0.5 for value in values]
        factor = 2**0.5 if linkage == "ward" else 1  # theirs is of two records their distance
        assert numpy.allclose([factor * height for height in heights], expected[:, 2], rtol=1e-9)


# Against what is known of Census


@cache
def census() -> Scaled:
    return standardise(datasets.load("census"), "sample")


@pytest.mark.long
@pytest.mark.reference_data
@pytest.mark.parametrize(
    ("linkage", "leftovers", "values"),
    [
        ("single", "nearest", "864.35 1210.10 1413.15 2431.63"),
        ("complete", "mdav", "826.02 1260.84 1338.20 2177.31"),
        ("centroid", "free-capacity", "1128.79 1683.92 1611.14 3125.88"),
    ],
)
def test_other_leftovers_on_census(
    data_folder: Path, linkage: str, leftovers: str, values: str
) -> None:
    """Measured with other programs, up to k, for k = 3, 4, 5, 10."""
    space = ARITHMETICS["float"](census())
    given = settings_of(linkage=linkage, leftovers=leftovers)
    for k, value in zip((3, 4, 5, 10), values.split(), strict=True):
        lost = sse(census(), HAC.run(space, k, Choices(), **given))
        assert f"{float(lost):.2f}" == value, k


@pytest.mark.long
@pytest.mark.reference_data
def test_exact_arithmetic_agrees_on_census(data_folder: Path) -> None:
    for given in ({}, {"linkage": "single", "priority": "size", "leftovers": "free-capacity"}):
        settings = settings_of(**given)
        exact, floats = (
            HAC.run(ARITHMETICS[name](census()), 5, Choices(), **settings)
            for name in ("exact", "float")
        )
        assert exact == floats


# The dendrogram


def test_the_mergers_and_what_becomes_of_leftovers() -> None:
    """10 and 11 are merged; then, as too few, they join the group of 0, 1 and 3."""
    rows = [[0], [1], [3], [10], [11]]
    run = run_of(rows, 3, exact_space, linkage="single")
    merged = dendrogram(run.trace or (), 5)
    assert (merged.roots, merged.undone, merged.joins) == ((7, 6), 0, 0)
    assert [m.cluster for m in merged.mergers] == [5, 6, 7]
    # 3 is 2 from 1, so that its merger is the last, at the height 2.
    last = {"first": 2, "second": 5, "cluster": 7, "size": 3, "height": 4.0}
    assert merged.as_data()[2] == last
    released = dendrogram(run.trace or (), 5, [(0, 1, 2, 3, 4)])
    assert (len(released.roots), released.undone, released.joins) == (1, 0, 1)
    assert "joined by another step, 5 records" in dendrogram_text(released)


@pytest.mark.parametrize("parts", [((0,), (3,)), ((0,), (0,)), ((4,), (1,)), ((0, 1), (1, 2))])
def test_a_trace_of_other_records_is_refused(parts: tuple[tuple[int, ...], ...]) -> None:
    with pytest.raises(InvalidParameter, match="about no different records of 3"):
        dendrogram([Event("merged", parts, 1)], 3)


@pytest.mark.parametrize(
    ("algorithm", "options"),
    [
        ("hac", ()),
        ("hac", ("--param", "leftovers=free-capacity")),
        ("hac", ("--param", "leftovers=nearest", "--param", "cap=2k-1")),
        ("k-ward", ()),
        ("k-ward-univariate", ()),
        ("secure-k-ward", ()),
        ("kshc", ()),
    ],
)
def test_the_picture_shows_the_groups_of_the_release(
    tmp_path: Path, algorithm: str, options: tuple[str, ...]
) -> None:
    table, out, report = (tmp_path / name for name in ("in.csv", "out.csv", "report.json"))
    one = algorithm in ("k-ward-univariate", "secure-k-ward")
    for seed in range(8):
        draw = Random(seed)
        n = draw.randint(4, 25)
        rows = [[str(draw.randint(0, 20)) for _ in range(1 if one else 2)] for _ in range(n)]
        names = ["x", "y"][: len(rows[0])]
        table.write_text("\n".join(",".join(row) for row in [names, *rows]) + "\n")
        tree = tmp_path / "tree.txt"
        k = "3" if n > 5 else "2"
        mask = ["mask", str(table), "-o", str(out), "--json", str(report), "-k", k]
        mask += ["--algorithm", algorithm, *options, "--dendrogram", str(tree)]
        assert main(mask) == 0
        assert out.exists()
        [block] = json.loads(report.read_text())["blocks"]
        assert sorted(shown_groups(tree.read_text())) == sorted(map(sorted, block["groups"]))


def shown_groups(text: str) -> list[list[int]]:
    """The records below each line that is not indented."""
    found: list[list[int]] = []
    for line in text.splitlines():
        if re.match(r"(\d+: |record )", line):
            found.append([])
        if match := re.search(r"record (\d+)$", line):
            found[-1].append(int(match[1]))
    return [sorted(group) for group in found]


def test_a_dendrogram_of_several_runs_is_refused_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, out, tree = (tmp_path / name for name in ("in.csv", "out.csv", "tree.txt"))
    table.write_text("x,y,s\n" + "".join(f"{i},{i * i},{'ab'[i % 2]}\n" for i in range(8)))
    mask = ["mask", str(table), "-o", str(out), "-k", "2", "--algorithm", "hac"]
    mask += ["--dendrogram", str(tree)]
    assert main([*mask, "--strata", "s"]) == 2
    assert main([*mask, "--blocks", "x;y,s"]) == 2
    assert capsys.readouterr().err.count("a dendrogram is drawn of one run") == 2
    assert not out.exists()
