"""How strictly answers are judged: right programs that round are not accused, wrong ones are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from oracle.commands.main import main
from oracle.conformance.judge.judging import BEYOND, Strictness, judge
from oracle.conformance.judge.model import Answer, Case, Judgement
from oracle.conformance.judge.questions import question_of
from oracle.conformance.judge.strictness import COARSEST, TOLERANCE
from oracle.conformance.running import judge_vector
from oracle.conformance.vectors import vectors_of

Row = Sequence[float]
Distance = Callable[[Row, Row], float]
Average = Callable[[Sequence[Row]], list[float]]

# MDAV in binary64, in several styles


def simple_sums(rows: Sequence[Row]) -> list[float]:
    """Sums in the order of the records, divided."""
    totals = [0.0] * len(rows[0])
    for row in rows:
        totals = [total + x for total, x in zip(totals, row, strict=True)]
    return [total / len(rows) for total in totals]


def sums_of_shares(rows: Sequence[Row]) -> list[float]:
    """Each value is divided before it is added."""
    totals = [0.0] * len(rows[0])
    for row in rows:
        totals = [total + x / len(rows) for total, x in zip(totals, row, strict=True)]
    return totals


def moving(rows: Sequence[Row]) -> list[float]:
    """The average of the first 1, 2, 3 ... records."""
    average = [0.0] * len(rows[0])
    for number, row in enumerate(rows, 1):
        average = [a + (x - a) / number for a, x in zip(average, row, strict=True)]
    return average


def in_numpy(rows: Sequence[Row]) -> list[float]:
    numpy = pytest.importorskip("numpy")
    return [float(x) for x in numpy.asarray(rows, float).mean(axis=0)]


def of_differences(a: Row, b: Row) -> float:
    return sum((x - y) ** 2 for x, y in zip(a, b, strict=True))


def of_squares(a: Row, b: Row) -> float:
    """Wrong far from 0: |a|^2 - 2 a b + |b|^2 cancels."""
    products = sum(x * y for x, y in zip(a, b, strict=True))
    return sum(x * x for x in a) - 2 * products + sum(x * x for x in b)


def mdav(case: Case, average: Average, distance: Distance = of_differences) -> Answer:
    """Of equally far or near records the first."""
    rows = [[float(Fraction(cell)) for cell in row] for row in case.records]
    left, groups = list(range(len(rows))), []

    def farthest(point: Row, among: list[int]) -> int:
        return max(among, key=lambda i: distance(rows[i], point))

    def close(seed: int, without: int | None = None) -> None:
        others = [i for i in left if i not in (seed, without)]
        others.sort(key=lambda i: distance(rows[i], rows[seed]))
        groups.append((seed, *others[: case.k - 1]))
        left[:] = [i for i in left if i not in groups[-1]]

    while len(left) >= 2 * case.k:
        r = farthest(average([rows[i] for i in left]), left)
        if len(left) < 3 * case.k:
            close(r)
        else:
            s = farthest(rows[r], [i for i in left if i != r])
            close(r, s)
            close(s)
    return Answer(groups=(*groups, tuple(left)))


# What rounding leads to

NEAR = ((4, 9, 1), (2, 8, 7), (9, 3, 7), (6, 0, 2), (7, 5, 8), (4, 6, 1), (9, 6, 2))
"""Seven records, k = 3. By hand, with the average (41 37 28)/7: 49 times the squared distances of
records 2 and 3 from it are 22^2 + 16^2 + 21^2 = 1181 and 1 + 37^2 + 14^2 = 1566; of 0 and 1 it
is 13^2 + 26^2 + 21^2 = 1286 and 27^2 + 19^2 + 21^2 = 1531. Record 3 is x_r, by 2.2 % of its
distance."""


def moved(offset: int) -> Case:
    rows = tuple(tuple(str(offset + value) for value in row) for row in NEAR)
    return Case("moved", "mdav", 3, rows)


@pytest.mark.parametrize("average", [simple_sums, sums_of_shares, moving, in_numpy])
def test_simple_centroids_are_not_accused_far_from_0(average: Average) -> None:
    """At 10^15 floats are multiples of 1/8: a centroid is off by as much, or a few times that."""
    for offset in (0, 10**6, 10**9, 10**12, 10**15):
        for times in range(1, 5):
            case = moved(offset)
            case = replace(case, records=case.records[times:] + case.records[:times])
            assert judge(case, mdav(case, average)).status == "passed", (offset, times)
    near = moved(0)
    assert judge(near, mdav(near, average)).flags == ()


def rounded_too_much() -> tuple[Case, Answer]:
    case = moved(10**15)
    return case, mdav(case, simple_sums)


def test_what_is_granted_is_told() -> None:
    """At 10^15 the average is rounded to 5.875 5.25 4, from which 1 and 3 are equally far."""
    case, answer = rounded_too_much()
    assert answer.groups == ((1, 4, 0), (2, 3, 5, 6))
    judged = judge(case, answer)
    assert (judged.status, judged.flags) == ("passed", ("numerical", BEYOND))


def test_who_asks_for_a_tolerance_gets_it() -> None:
    case, answer = rounded_too_much()
    for tolerance in (Fraction(0), TOLERANCE, Fraction(1, 100)):
        assert judge(case, answer, strict=Strictness(tolerance)).status == "failed"
    assert judge(case, answer, strict=Strictness(Fraction(3, 100))).status == "passed"
    near = replace(moved(0), id="near")
    assert judge(near, answer).status == "failed"


@pytest.mark.parametrize("average", [simple_sums, sums_of_shares, moving])
def test_squares_of_values_far_from_0_are_not_granted(average: Average) -> None:
    """Right near 0, wrong at an offset, whatever the offset is."""
    for offset in (0, 10**6):
        assert judge(moved(offset), mdav(moved(offset), average, of_squares)).status == "passed"
    for offset in (10**9, 10**12, 10**15):
        judged = judge(moved(offset), mdav(moved(offset), average, of_squares))
        assert (judged.status, judged.check) == ("failed", "run"), offset


def test_the_vectors_tell_right_from_wrong_far_from_0() -> None:
    far = [v for v in vectors_of("mdav") if "offset" in v.flags and v.case.standardise == "none"]
    statuses: dict[str, list[str]] = {}
    for vector in far:
        for name, distance in (("differences", of_differences), ("squares", of_squares)):
            judged = judge_vector(vector, mdav(vector.case, simple_sums, distance))
            statuses.setdefault(name, []).append(judged.status)
    assert set(statuses["differences"]) == {"passed"}
    assert statuses["squares"].count("failed") >= 3


# The rule


def granted(case: Case, precision: str = "binary64") -> Fraction:
    return Strictness(precision=precision).of_distances(question_of(case))


def column(*values: object) -> Case:
    return Case("column", "mdav", 2, tuple((str(value),) for value in values))


def test_rounding_is_granted_where_it_is_inevitable() -> None:
    """By hand: 8 n u M / gap, with n = 4, M = 10^12 + 3, gap 1."""
    near, far = column(0, 1, 3, 4), column(*range(10**12, 10**12 + 4))
    assert granted(near) == TOLERANCE
    assert granted(far) == Fraction(32 * (10**12 + 3), 2**53)
    assert granted(near, "binary32") == Fraction(32 * 4, 2**24)
    assert granted(far, "binary32") == granted(column(*range(10**18, 10**18 + 4))) == COARSEST
    assert granted(column(10**12, 10**12, 10**12, 10**12)) < Fraction(1, 100)


@pytest.mark.parametrize("value", ["1/1000", 1, 10**9])
def test_where_no_values_differ_rounding_counts_beside_them(value: object) -> None:
    """Two equal records: 8 n u in binary32, whatever their size; in binary64 that is less."""
    assert granted(column(value, value), "binary32") == Fraction(8 * 2, 2**24)
    assert granted(column(value, value)) == TOLERANCE


def test_scales_and_optima() -> None:
    """With z-scores gaps and values are beside the spread of their own attribute."""
    rows = (("0", "0"), ("1", "1000000"), ("2", "5000000"), ("3", "9000000"))
    raw = Case("raw", "mdav", 2, rows)
    # What ranges from 0 is not far from it: it counts in binary32 only.
    assert granted(raw) == TOLERANCE
    assert granted(raw, "binary32") == COARSEST
    far = replace(raw, records=tuple((x, str(10**9 + int(y))) for x, y in rows))
    assert granted(far) == Fraction(32 * (10**9 + 9 * 10**6), 2**53)
    assert granted(replace(raw, standardise="population")) == TOLERANCE
    assert granted(replace(raw, claim="optimal")) == TOLERANCE


def released(offset: int, off: str) -> Judgement:
    """The verdict on means of two pairs, the second off by a little."""
    case = Case("pairs", "mdav", 2, tuple((str(offset + x),) for x in (0, 2, 10, 12)))
    means = [str(offset + 1)] * 2 + [str(Fraction(offset + 11) + Fraction(off))] * 2
    return judge(case, Answer(released=tuple((mean,) for mean in means)))


def test_nothing_of_this_is_granted_to_released_values() -> None:
    """A mean at 10^12 is off by 10^-3 where sums are rounded, and not by 1."""
    assert released(10**12, "1/1000").status == "passed"
    assert released(10**12, "100000").check == "aggregates"
    assert released(10**15, "50000000").check == "aggregates"


def test_nothing_of_this_is_granted_to_an_sse() -> None:
    """By hand: 2 pairs that differ by 2 have the SSE 4. Simple centroids change little of it."""
    case = Case("pairs", "mdav", 2, tuple((str(10**12 + x),) for x in (0, 2, 10, 12)))
    groups = ((0, 1), (2, 3))
    assert judge(case, Answer(groups=groups, sse="4.000002")).status == "passed"
    for wrong in ("4.01", "0", "8"):
        assert judge(case, Answer(groups=groups, sse=wrong)).check == "SSE"


# The command

FAR = """
from tests.conformance.test_strictness import Case, mdav, of_squares, simple_sums

def case(records, k):
    if any(isinstance(x, str) or x - x for row in records for x in row):
        raise ValueError("no number")
    if not 1 <= k <= len(records) or len(set(map(len, records))) > 1 or not records[0]:
        raise ValueError("k, or the shape of the records")
    return Case("", "mdav", k, tuple(tuple(map(repr, row)) for row in records))

def right(records, k):
    return [list(group) for group in mdav(case(records, k), simple_sums).groups]

def wrong(records, k):
    return [list(group) for group in mdav(case(records, k), simple_sums, of_squares).groups]
"""


def test_the_command_grants_and_refuses(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "far_styles.py").write_text(FAR)
    monkeypatch.syspath_prepend(str(tmp_path))
    command = ["conform", "--algorithm", "mdav", "--flag", "offset", "--python"]
    assert main([*command, "far_styles:right"]) == 0
    assert f"flagged: {BEYOND}" in capsys.readouterr().out
    assert main([*command, "far_styles:wrong"]) == 1
    assert main([*command, "far_styles:right", "--tolerance", "1e-9"]) == 1
    failed = capsys.readouterr().out
    assert "--tolerance 1e-9" in failed
    assert main([*command, "far_styles:right", "--precision", "binary32"]) == 0


# Refinements that end as the SSE does not fall: the groups of the last round are those of before


@pytest.mark.parametrize(
    ("claim", "records", "wrong", "seed"),
    [
        # The examples of the texts, with paper and pencil; MDAV's groups, not dissolved
        ("igd", "0 1 3 8 10 11", ((0, 1), (4, 5), (2, 3)), None),
        ("imhm", "0 4 5 6 7 11", ((0, 1, 2), (3, 4, 5)), None),
        # With any two centres 20 takes 3 at the end, which has the least SSE
        ("constrained-k-means", "0 1 2 3 20", ((0, 1), (2, 3, 4)), 7),
    ],
)
def test_that_nothing_changed_is_no_tie(
    claim: str, records: str, wrong: tuple[tuple[int, ...], ...], seed: int | None
) -> None:
    """A wrong answer is rejected within a few runs, not left undecided."""
    rows = tuple((cell,) for cell in records.split())
    case = Case("nothing-changes", claim, 2, rows, seed=seed)
    judgement = judge(case, Answer(groups=wrong), "", Strictness(limit=20))
    assert (judgement.status, judgement.check) == ("failed", "run"), judgement.reason
