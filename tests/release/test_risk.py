from __future__ import annotations

import os
from collections.abc import Sequence
from fractions import Fraction
from math import dist
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refagg import table_of
from refagg.data.standardise import standardise
from refagg.errors import ShapeMismatch
from refagg.language.ties import Tolerance
from refagg.release.nearest import Tree
from refagg.release.report import class_facts, risk_facts
from refagg.release.risk import interval_disclosure, record_linkage, release_classes

TABLES = int(os.environ.get("TABLES", "20"))

Rows = Sequence[Sequence[int | Fraction]]


def linked(original: Rows, released: Rows, how: str = "none") -> Fraction:
    return record_linkage(standardise(table_of(original), how), table_of(released))


def column(*values: int | Fraction | float) -> list[list[int | Fraction]]:
    return [[Fraction(value)] for value in values]


@pytest.mark.parametrize(
    ("original", "released", "share"),
    [
        # Each record is nearest to itself.
        ((0, 10, 20), (0, 10, 20), 1),
        ((0, 10), (10, 0), 0),
        # 1 is as near to 0 as to 2: each of both records is linked rightly with 1/2.
        ((0, 2, 10, 12), (1, 1, 11, 11), Fraction(1, 2)),
        # 6 is nearest to 2 and 10; the records 0 and 12 are never found.
        ((0, 2, 10, 12), (6, 6, 6, 6), Fraction(1, 4)),
        # Two originals are alike: 1/2 each, and the third is certain.
        ((5, 5, 9), (5, 5, 9), Fraction(2, 3)),
        # The nearest original to 3 is 4 alone: one of three.
        ((1, 4, 5), (Fraction(10, 3),) * 3, Fraction(1, 3)),
        ((7,), (100,), 1),
    ],
)
def test_record_linkage_by_hand(
    original: tuple[int, ...], released: tuple[int, ...], share: Fraction
) -> None:
    assert linked(column(*original), column(*released)) == share


def test_linkage_is_on_the_scale_that_is_given() -> None:
    # Record 0 is released as (8, 0). Raw, (10, 1) is nearer: 5 against 64.
    # With variances 25 and 1/4 its own is: 64/25 against 4/25 + 4.
    original, released = [[0, 0], [10, 1]], [[8, 0], [10, 1]]
    assert linked(original, released) == Fraction(1, 2)
    assert linked(original, released, "population") == 1


pairs = st.integers(1, 2).flatmap(
    lambda width: st.lists(
        st.tuples(*[st.lists(st.integers(-5, 5), min_size=width, max_size=width)] * 2),
        min_size=1,
        max_size=8,
    )
)


@given(pairs)
def test_record_linkage_is_the_expectation_over_records(
    rows: list[tuple[list[int], list[int]]],
) -> None:
    originals = [original for original, _ in rows]
    expected = Fraction(0)
    for record, (_, released) in enumerate(rows):
        gaps = [sum((x - y) ** 2 for x, y in zip(o, released, strict=True)) for o in originals]
        if gaps[record] == min(gaps):
            expected += Fraction(1, gaps.count(min(gaps)))
    released_rows = [released for _, released in rows]
    assert linked(originals, released_rows) == expected / len(rows)


def of_grid(random: Random, n: int, p: int) -> tuple[list[list[int]], list[list[int]]]:
    """Rows of few values, or of many, some of them equal, and groups' means or other rows."""
    most = random.choice([1, 3, 10, 10**9])
    rows = [[random.randint(-most, most) * 6 for _ in range(p)] for _ in range(n)]
    rows = [random.choice(rows) if random.random() < 0.2 else row for row in rows]
    order = sorted(range(n), key=lambda i: rows[i])
    released = [[random.randint(-most, most) for _ in range(p)] for _ in rows]
    if random.random() < 0.8:
        for first in range(0, n, 3):
            group = order[first : first + 3]
            means = [sum(rows[i][j] for i in group) // len(group) for j in range(p)]
            for record in group:
                released[record] = means
    return rows, released


def linkage_by(by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nearest records are sought as those of a file of another size are."""
    for limit in ("FEW", "FEWER"):
        monkeypatch.setattr(f"refagg.release.nearest.{limit}", 10**9 * (by == "plain tree"))
    if by != "plain tree":
        pytest.importorskip("numba", reason="numba is not installed (the extra `big`)")
        compared = 0 if by == "compiled tree" else 10**9
        monkeypatch.setattr("refagg.release.arrays.COMPARED", compared)


@pytest.mark.parametrize("by", ["all pairs", "compiled tree", "plain tree"])
@pytest.mark.parametrize("seed", range(TABLES))
def test_record_linkage_of_many_records_is_that_of_all_distances(
    seed: int, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    linkage_by(by, monkeypatch)
    random = Random(seed)
    rows, released = of_grid(random, random.randint(13, 150), random.randint(1, 4))
    expected = Fraction(0)
    for record, point in enumerate(released):
        gaps = [sum((x - y) ** 2 for x, y in zip(row, point, strict=True)) for row in rows]
        if gaps[record] == min(gaps):
            expected += Fraction(1, gaps.count(min(gaps)))
    assert linked(rows, released) == expected / len(rows)


@pytest.mark.parametrize("by", ["all pairs", "compiled tree", "plain tree"])
@pytest.mark.parametrize("far", [0, 10**6, 10**17])
def test_what_floats_cannot_tell_apart_is_decided_by_integers(
    far: int, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Originals in pairs that a released row lies between, but for one part in 10^20.

    The nearer one is the record's own in the first half of the pairs, and is not in the second. The
    other record of a pair is released far from all; the last original is the nearest, and its own
    once.
    """
    linkage_by(by, monkeypatch)
    tiny = Fraction(1, 10**20)
    originals, released = [], []
    for pair in range(40):
        here = far + 10 * pair
        originals += [[here, 7], [here + 2, 7]]
        own = here + 1 - tiny if pair < 20 else here + 1 + tiny
        released += [[own, 5], [far + 10**4 * (pair + 1), 5]]
    assert linked(originals, released) == Fraction(20 + 1, 80)


@pytest.mark.parametrize("seed", range(TABLES))
def test_intervals_of_arrays_are_those_of_integers(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numpy", reason="numpy is not installed (the extra `big`)")
    random = Random(seed)
    rows, released = of_grid(random, random.randint(13, 150), random.randint(1, 4))
    far = random.choice([0, 10**20])  # beyond 64 bits, where floats tell no values apart
    rows = [[x + far for x in row] for row in rows]
    finer = [[Fraction(x, 3) + far for x in row] for row in released]
    percent = random.choice([0, 1, 10, 50])
    linkage_by("plain tree", monkeypatch)
    expected = interval_disclosure(table_of(rows), table_of(finer), percent)
    linkage_by("compared", monkeypatch)
    assert interval_disclosure(table_of(rows), table_of(finer), percent) == expected


@pytest.mark.parametrize("seed", range(TABLES))
def test_the_tree_finds_what_comparing_all_points_finds(seed: int) -> None:
    """Also where points are nearly as far, and nearly on the planes that divide them."""
    random = Random(seed)
    p, tolerance = random.randint(1, 5), Tolerance(2.0**-40, 2.0**-49)
    points = [tuple(random.choice([0, 0.5, 1]) for _ in range(p)) for _ in range(100)]
    near = random.choice([0.0, 2.0**-50, 2.0**-38, 0.1])
    points = [tuple(x + random.uniform(-near, near) for x in point) for point in points]
    tree = Tree(points)
    for point in [*points[:20], (0.25,) * p, (9.0,) * p]:
        distances = [dist(point, other) for other in points]
        tied = tolerance.greatest_tied(min(distances))
        assert sorted(tree.near(point, tolerance.greatest_tied)) == [
            i for i, d in enumerate(distances) if d <= tied
        ]


@pytest.mark.parametrize(
    ("original", "released", "percent", "share"),
    [
        # The ranks of 7, 8, 9, 10 are 7 to 10, that of 8.5 lies between 8 and 9.
        (range(1, 11), (2, 2, 2, 5, 5, 5, 8.5, 8.5, 8.5, 8.5), 10, Fraction(8, 10)),
        (range(1, 11), (2, 2, 2, 5, 5, 5, 8.5, 8.5, 8.5, 8.5), 20, 1),
        (range(1, 11), (2, 2, 2, 5, 5, 5, 8.5, 8.5, 8.5, 8.5), 0, Fraction(2, 10)),
        (range(1, 11), range(1, 11), 0, 1),
        (range(1, 11), range(10, 0, -1), 10, Fraction(2, 10)),
        # Equal values share the mean of their ranks, here 2; that of 9 is 4.
        ((5, 5, 5, 9), (5, 5, 5, 5), 25, Fraction(3, 4)),
        ((5, 5, 5, 9), (5, 5, 5, 5), 50, 1),
    ],
)
def test_interval_disclosure_by_hand(
    original: Sequence[int], released: Sequence[float], percent: int, share: Fraction
) -> None:
    ours, theirs = table_of(column(*original)), table_of(column(*released))
    assert interval_disclosure(ours, theirs, percent) == share


def test_interval_disclosure_is_the_mean_over_attributes() -> None:
    first, second = range(1, 11), [2, 2, 2, 5, 5, 5, 8.5, 8.5, 8.5, 8.5]
    original = table_of(list(zip(first, first, strict=True)))
    released = table_of(list(zip(first, second, strict=True)))
    assert interval_disclosure(original, released) == Fraction(18, 20)


@given(pairs, st.integers(0, 60))
def test_interval_disclosure_counts_mid_ranks(
    rows: list[tuple[list[int], list[int]]], percent: int
) -> None:
    inside, n = 0, len(rows)
    for j in range(len(rows[0][0])):
        values = [original[j] for original, _ in rows]

        def rank(value: int, values: list[int] = values) -> Fraction:
            less = sum(other < value for other in values)
            return less + Fraction(values.count(value) + 1, 2)

        inside += sum(
            100 * abs(rank(original[j]) - rank(released[j])) <= percent * n
            for original, released in rows
        )
    ours, theirs = table_of([o for o, _ in rows]), table_of([r for _, r in rows])
    assert interval_disclosure(ours, theirs, percent) == Fraction(inside, n * len(rows[0][0]))


def test_classes_and_their_facts() -> None:
    released = table_of([[1, 2], [1, 3], [1, 2], [0, 3], [1, 2]])
    assert release_classes(released).groups == ((0, 2, 4), (1,), (3,))
    assert class_facts(released) == {"classes": 3, "sizes": {"1": 2, "3": 1}, "k_reached": 1}


def test_risks_that_would_take_long_are_not_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(column(1, 2, 3))
    scaled = standardise(table, "none")
    monkeypatch.setattr("refagg.release.report.LINKAGE_LIMIT", 8)
    monkeypatch.setattr("refagg.release.report.TREE_RECORDS", 2)
    monkeypatch.setattr("refagg.release.report.INTERVAL_LIMIT", 2)
    assert set(risk_facts(scaled, table, False).values()) == {None}
    assert set(risk_facts(scaled, table, True).values()) == {1.0}


@pytest.mark.parametrize("released", [[[1], [2]], [[1, 2], [2, 3], [3, 4]]])
def test_tables_of_different_shape_are_rejected(released: Rows) -> None:
    original = table_of(column(1, 2, 3))
    with pytest.raises(ShapeMismatch):
        record_linkage(standardise(original, "none"), table_of(released))
    with pytest.raises(ShapeMismatch):
        interval_disclosure(original, table_of(released))
