"""Torra's tables and propositions beside ours: what is exact, what is false, what is not known.

Expected numbers are those that the paper prints, or come from formulas written out in this file.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import dist
from pathlib import Path

import pytest

import refagg.commands.main
from refagg import datasets
from refagg.algorithms.fuzzy.c_means import fuzzy_c_means, one_step
from refagg.literature import ledger
from refagg.literature.claims import sources
from refagg.literature.verdicts import LedgerRow
from tests.algorithms.test_c_means import objective
from tests.literature.statements import of_tor as tor
from tests.literature.statements import propositions

CONVERGED = [
    (15.532568, 37.471917, 58.11273),
    (67.328534, 219.646048, 313.122371),
    (27.369825, 56.868085, 92.597848),
    (38.260555, 101.422218, 152.904016),
]
"""Worked out beforehand by another program, as the start above."""


@pytest.fixture(scope="module")
def corrected() -> list[list[float]]:
    return tor.floats(datasets.load("tor-table1"))


@pytest.fixture(scope="module")
def start() -> list[list[float]]:
    return [list(centre) for centre in tor.START]


@pytest.fixture(scope="module")
def rows() -> list[LedgerRow]:
    return list(ledger.ledger_rows(["tor"]))


def plain_step(
    records: list[list[float]], centres: list[list[float]], m: float
) -> list[list[float]]:
    """One step of memberships and one of centres, straight from the formulas."""
    members = []
    for x in records:
        members.append(
            [1 / sum((dist(x, v) / dist(x, w)) ** (2 / (m - 1)) for w in centres) for v in centres]
        )
    return [
        [
            sum(u[i] ** m * x[j] for u, x in zip(members, records, strict=True))
            / sum(u[i] ** m for u in members)
            for j in range(3)
        ]
        for i in range(len(centres))
    ]


def on_plane(v: list[float]) -> list[float]:
    """The nearest point of 1.16 v1 + 1.07 v2 - v3 = 0."""
    normal = (1.16, 1.07, -1)
    off = sum(a * x for a, x in zip(normal, v, strict=True)) / sum(a * a for a in normal)
    return [x - off * a for a, x in zip(normal, v, strict=True)]


def of(rows: list[LedgerRow], place: str) -> list[LedgerRow]:
    found = [row for row in rows if row.place.startswith(place)]
    assert found, place
    return found


def numbers(rows: list[LedgerRow]) -> list[float]:
    return [float(x) for row in rows for x in (row.ours or "").split()]


def test_every_number_of_the_tables_has_a_verdict(rows: list[LedgerRow]) -> None:
    found = Counter(
        (row.place.partition(",")[0], row.verdict) for row in rows if row.place[:7] == "Table 1"
    )
    assert found == {("Table 1", "exact"): 11, ("Table 1", "misprint"): 1}
    tables = Counter((row.place[:7], row.verdict) for row in rows if row.place[:7] > "Table 2,")
    assert sum(count for (place, _), count in tables.items() if place == "Table 3") == 7 * 4 * 3
    assert sum(count for (place, _), count in tables.items() if place == "Table 4") == 6 * 4
    assert tables["Table 3", "not printed"] == 2 * 4 * 3  # noise that is not printed
    assert {verdict for _, verdict in tables} == {"exact", "within rounding", "not printed"}


def test_table_1_is_split_by_the_constraint(rows: list[LedgerRow]) -> None:
    (row,) = (row for row in of(rows, "Table 1") if row.verdict != "exact")
    assert row.place == "Table 1, record 12, v3"
    assert (row.printed, row.ours) == ("125.56", "122.08")  # 1.16 * 13 + 1.07 * 100 = 122.08


def test_the_start_is_the_means_of_four_groups(corrected: list[list[float]]) -> None:
    for group, centre in zip(tor.GROUPS, tor.START, strict=True):
        means = [sum(corrected[r][j] for r in group) / len(group) for j in range(3)]
        assert centre == pytest.approx(means, abs=0.005)


def test_one_step_by_the_formulas(start: list[list[float]]) -> None:
    """All 36 numbers that follow from a printed table, within half a unit of the last digit; those
    of Table 2, which is rounded itself, within another half."""
    original, noisy = (
        tor.floats(datasets.load(name)) for name in ("tor-table1-printed", "tor-table2")
    )
    for records, data, constraint, bound, most in (
        (original, tor.ORIGINAL, "", True, 5.01e-6),
        (noisy, tor.ONE_AND_A_HALF, tor.FREE, False, 1e-5),
        (noisy, tor.ONE_AND_A_HALF, tor.BOUND, True, 1e-5),
    ):
        centres = plain_step(records, start, 1.5)
        centres = [on_plane(v) for v in centres] if bound else centres
        printed = list(map(float, tor.TABLE_3[data, constraint].split()))
        assert [x for v in centres for x in v] == pytest.approx(printed, rel=0, abs=most)


@pytest.mark.parametrize(
    ("place", "printed", "ours", "verdict"),
    [
        ("Table 3, original data, centre 1, v1", "13.44075", "13.44075", "exact"),
        ("Table 3, original data, centre 3, v3", "88.34783", "88.34783", "exact"),
        ("Table 3, N(0, 1.5), no constraint, centre 2, v3", "313.44706", "313.44706", "exact"),
        ("Table 3, N(0, 1.0), with constraint, centre 4, v2", "102.42393", "102.42393", "exact"),
        ("Table 3, N(0, 0.5), no constraint, centre 4, v1", "37.37631", None, "not printed"),
        ("Table 4, N(0, 1.0), no constraint, d1", "0.3256416", "0.3256416", "exact"),
        ("Table 4, N(0, 1.5), with constraint, d2", "2.25254", "2.25254", "exact"),
        ("Table 4, N(0, 0.5), no constraint, d1", "1.3756566", "1.3756570", "within rounding"),
    ],
)
def test_cells_of_tables_3_and_4(
    rows: list[LedgerRow], place: str, printed: str, ours: str | None, verdict: str
) -> None:
    (row,) = (row for row in rows if row.place == place)
    assert (row.printed, row.ours, row.verdict) == (printed, ours, verdict)


def test_a_distance_from_printed_centres_by_hand(rows: list[LedgerRow]) -> None:
    """d1 of N(0, 0.5) without the constraint: 1.32958, 0.30226, 0.18245 squared and added."""
    (row,) = (row for row in rows if row.place == "Table 4, N(0, 0.5), no constraint, d1")
    assert float(row.ours or 0) ** 2 == pytest.approx(1.32958**2 + 0.30226**2 + 0.18245**2)


def test_a_wrong_digit_is_noticed() -> None:
    """In every row of Table 3 that is computed, four units of the fifth decimal more."""
    for claim in sources()["TOR"].claims:
        if claim.measure == "centre":
            wrong = f"{float(claim.printed) + 4e-5:.7f}"
            (row,) = ledger.rows_of_claims([replace(claim, printed=wrong)])
            assert row.verdict == "differs", row


def test_the_printed_table_3_is_the_data_set() -> None:
    table = datasets.load("tor-table3")
    shipped = [float(value) for record in range(table.n) for value in table.row(record)]
    assert shipped == [float(x) for text in tor.TABLE_3.values() for x in text.split()]


def test_converged_centres_are_others(rows: list[LedgerRow]) -> None:
    centres = tor.converged("tor-table1")
    assert [x for v in centres for x in v] == pytest.approx([x for v in CONVERGED for x in v], 1e-6)
    (row,) = of(rows, "Section 4, centres")
    assert row.verdict == "claim false"


def test_verdicts_on_the_statements(rows: list[LedgerRow]) -> None:
    found = {row.place: row.verdict for row in rows if row.verdict.startswith("claim")}
    assert found == {
        "Table 2, noise": "claim true",
        "Section 4, records in a group": "claim true",
        "Section 4, centres": "claim false",
        "Section 4, original data": "claim false",
        "Section 4, noise": "claim true",
        "Section 4, distances": "claim true",
        "Proposition 2, first half": "claim false",
        "Proposition 2, second half": "claim false",
        "Proposition 3": "claim true",
        "Proposition 5": "claim true",
        "Proposition 7": "claim true",
        "Proposition 8": "claim false",
        "Proposition 8, larger m1": "claim false",
        "Proposition 8, larger m2": "claim true",
        "Proposition 8, fewer clusters": "claim false",
        "Proposition 8, c = |X|": "claim true",
        "Section 2.1, m > 2.5": "claim false",
        "Section 2.1, m = 1": "claim true",
        "Section 2.1, large lambda": "claim true",
        "Proposition 8, expected size": "claim true",
    }


def test_what_is_found_on_both_sides_of_the_threshold(
    corrected: list[list[float]], start: list[list[float]]
) -> None:
    found = Counter(f.verdict for f in propositions.around_threshold(corrected, start))
    assert found == {"holds": 7, "holds near the mean only": 1}


def test_at_a_large_m_centres_are_records(
    corrected: list[list[float]], start: list[list[float]]
) -> None:
    """Also from other starts, and by the formulas themselves as far as these can be computed."""
    for groups in (tor.GROUPS, ((0, 5, 7), (1, 2, 3), (4, 11, 8), (6, 9, 10))):
        begin = [
            [sum(corrected[r][j] for r in group) / len(group) for j in range(3)] for group in groups
        ]
        run = fuzzy_c_means(corrected, begin, m=50.0, tolerance=1e-13)
        for centre in run.centres:
            assert propositions.nearest(centre, corrected) < 1e-9
    after = start
    for _ in range(40):
        after = plain_step(corrected, after, 15.0)
    assert all(propositions.nearest(centre, corrected) < 1 for centre in after)
    mean = propositions.mean_of(corrected)
    assert min(dist(centre, mean) for centre in after) > 10


def test_a_record_on_a_centre_has_one_membership_at_every_m(
    corrected: list[list[float]], start: list[list[float]]
) -> None:
    """By the formula: 1 / (1 + 3 times 0); of the others it is near 1/4 at m = 50."""
    found = propositions.memberships_with_m("2", corrected, start)
    assert found.measured.startswith("m = 50: 8 of 12 records")
    assert found.verdict == "false"
    at = fuzzy_c_means(corrected, start, m=50.0, tolerance=1e-13).centres
    away = [x for x in corrected if propositions.nearest(x, at) > 1]
    worst = 0.0
    for x in away:
        for v in at:
            u = 1 / sum((dist(x, v) / dist(x, w)) ** (2 / 49) for w in at)
            worst = max(worst, abs(u - 0.25))
    assert len(away) == 8
    assert f"within {worst:.4f} of 1/4" in found.measured


def test_the_expected_loss_by_hand() -> None:
    """Squared distances 1 and 9 with m2 = 2: memberships 9/10 and 1/10, so 9/10 + 9/10.

    With a large m2 both are 1/2: 5.
    """
    rows, centres = [[1.0]], [[0.0], [4.0]]
    assert propositions.expected_loss(rows, centres, 2) == pytest.approx(1.8)
    assert propositions.expected_loss(rows, centres, 1e9) == pytest.approx(5)


def test_with_a_large_m2_two_centres_lose_more_than_the_mean(
    corrected: list[list[float]],
) -> None:
    """SSE to the mean, and half of the SSEs to two centres, written out."""
    centres = [corrected[0], corrected[2]]
    mean = propositions.mean_of(corrected)
    one, two = (
        sum(dist(x, v) ** 2 for x in corrected for v in at) / len(at) for at in ([mean], centres)
    )
    assert propositions.expected_loss(corrected, [mean], 1e9) == pytest.approx(one)
    apart = dist(*centres) ** 2  # lost in halves by two records, which have their own centre
    assert propositions.expected_loss(corrected, centres, 1e9) == pytest.approx(two - apart)
    assert two - apart > one


def test_groups_that_are_too_small_by_counting() -> None:
    """Three records in two groups, k = 2: 8 ways, of which 2 leave no single record."""
    assert propositions.too_small(3, 2, 2) == pytest.approx(0.75)
    assert propositions.too_small(4, 2, 2) == pytest.approx(1 - (2 + 6) / 16)


def test_the_threshold_in_one_dimension() -> None:
    """Records -1 and 1 have variance 1, so that 1/2 is the threshold; centres -v and v go to
    tanh(2 lambda v), which has a root v > 0 exactly if lambda > 1/2."""
    assert propositions.greatest_variance([[-1.0], [1.0]]) == pytest.approx(1)
    below, _ = propositions.collapsed([[-1.0], [1.0]], [[-0.9], [0.9]], 0.45)
    above, _ = propositions.collapsed([[-1.0], [1.0]], [[-0.01], [0.01]], 0.55)
    assert below < 1e-9
    assert above > 0.3


def test_the_greatest_variance_of_two_attributes() -> None:
    """Covariance [[2, 1], [1, 2]] has the eigenvalues 3 and 1."""
    rows = [[1.0, 2.0], [2.0, 1.0], [-1.0, -2.0], [-2.0, -1.0]]
    # Variances (1 + 4 + 1 + 4) / 4 = 5/2 and covariance (2 + 2 + 2 + 2) / 4 = 2: 9/2 and 1/2.
    assert propositions.greatest_variance(rows) == pytest.approx(4.5)


def test_constrained_centres_differ_where_the_data_do_not_satisfy_the_constraint(
    start: list[list[float]],
) -> None:
    """So that 5 and 7 do not hold because the projection does nothing."""
    table = datasets.load("tor-table1-printed")
    found = propositions.same_centres("7", tor.floats(table), start, tor.projection(table))
    assert found.verdict == "false"


def test_projection_meets_the_constraint() -> None:
    project = tor.projection(datasets.load("tor-table1"))
    assert project([13.0, 100.0, 125.56]) == pytest.approx(on_plane([13, 100, 125.56]), abs=1e-9)


def test_the_command_shows_all_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "report.json"
    assert refagg.commands.main.main(["reproduce", "tor", "--json", str(report)]) == 0
    data = json.loads(report.read_text())["rows"]
    assert len(data) + 1 == len(capsys.readouterr().out.splitlines())
    assert {row["source"] for row in data} == {"TOR"}


def test_an_exponent_outside_the_sum_makes_no_memberships() -> None:
    """Squared distances 1 and 4, m = 3/2: the numbers of decision 70."""
    squares, power = (Fraction(1), Fraction(4)), 2
    right = [1 / sum((a / b) ** power for b in squares) for a in squares]
    outside = [(1 / sum(a / b for b in squares)) ** power for a in squares]
    assert right == [Fraction(16, 17), Fraction(1, 17)]
    assert outside == [Fraction(16, 25), Fraction(1, 25)]
    assert one_step([[0.0]], [[1.0], [2.0]], m=1.5)[1][0] == pytest.approx(list(map(float, right)))


def test_the_objective_is_not_convex_in_both() -> None:
    """The numbers of decision 71."""
    ends = [([[1.0, 0.0]], [[0.0], [1.0]]), ([[0.0, 1.0]], [[1.0], [0.0]])]
    assert [objective([[0.0]], v, u, m=2.0) for u, v in ends] == [0, 0]
    assert objective([[0.0]], [[0.5], [0.5]], [[0.5, 0.5]], m=2.0) == 1 / 8
