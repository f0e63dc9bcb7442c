"""Torra's tables and propositions beside ours: what is exact, what is false, what is not known.

Expected numbers are those of the paper's Table 1, or come from formulas written out in this file.
"""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from math import dist
from pathlib import Path

import pytest

import refagg.cli
from refagg import datasets
from refagg.fuzzy.c_means import fuzzy_c_means, memberships, objective
from refagg.literature import propositions, tor

PRINTED_START = [
    (13, 37, 54.67),
    (67.333, 219.667, 313.15),
    (27.667, 51, 86.663),
    (37.333, 101.333, 151.733),
]

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
    return tor.start_of(datasets.load("tor-table1"))


@pytest.fixture(scope="module")
def rows() -> list[tor.Row]:
    return list(tor.rows())


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


def of(rows: list[tor.Row], place: str) -> list[tor.Row]:
    found = [row for row in rows if row.place.startswith(place)]
    assert found, place
    return found


def numbers(rows: list[tor.Row]) -> list[float]:
    return [float(x) for row in rows for x in (row.ours or "").split()]


def test_table_1_is_split_by_the_constraint(rows: list[tor.Row]) -> None:
    wrong = [row.place for row in of(rows, "Table 1") if row.verdict != "exact"]
    assert wrong == ["Table 1, record 12"]
    (row,) = of(rows, wrong[0])[:1]
    assert (row.printed, row.ours) == ("125.56", "122.08")  # 1.16 * 13 + 1.07 * 100 = 122.08


def test_the_start_is_the_means_of_four_groups(start: list[list[float]]) -> None:
    assert list(map(tuple, start)) == PRINTED_START


def test_the_one_step_recipe(rows: list[tor.Row], start: list[list[float]]) -> None:
    printed = tor.floats(datasets.load("tor-table1-printed"))
    expected = [x for v in plain_step(printed, start, 1.5) for x in on_plane(v)]
    found = of(rows, "Table 3, original data")
    assert numbers(found) == pytest.approx(expected, abs=1e-6)
    assert {(row.printed, row.verdict) for row in found} == {("-", tor.UNKNOWN)}


def test_converged_centres_are_others(rows: list[tor.Row]) -> None:
    converged = numbers(of(rows, "converged, v1 = 16"))
    assert converged == pytest.approx([x for v in CONVERGED for x in v], abs=2e-6)
    one_step = numbers(of(rows, "Table 3, original data"))
    assert max(abs(a - b) for a, b in zip(converged, one_step, strict=True)) > 1


def test_what_is_not_available_is_not_compared(rows: list[tor.Row]) -> None:
    assert of(rows, "Table 4")[0].verdict == "no data"
    assert of(rows, "Table 2")[0].verdict in ("no data", tor.UNKNOWN)
    for row in rows:
        assert row.verdict != "exact" or row.printed == row.ours


def test_verdicts_on_the_propositions(rows: list[tor.Row]) -> None:
    found = Counter((row.place.split(",")[0], row.verdict) for row in of(rows, "Proposition"))
    assert found == {
        ("Proposition 2", "false"): 1,
        ("Proposition 3", "holds"): 7,
        ("Proposition 3", "holds near the mean only"): 1,
        ("Proposition 5 and 7", "holds"): 1,
        ("Proposition 8", "false"): 1,
    }


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
    assert refagg.cli.main(["reproduce", "tor", "--json", str(report)]) == 0
    data = json.loads(report.read_text())
    assert len(data) == len(capsys.readouterr().out.splitlines())
    assert {row["source"] for row in data} == {"tor"}


def test_a_table_2_that_is_supplied_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    load = datasets.load
    monkeypatch.setattr(
        datasets, "load", lambda name: load("tor-table1" if name == "tor-table2" else name)
    )
    found = of(list(tor.rows()), "Table 3, masked data")
    assert len(found) == 4
    assert Fraction((found[0].ours or "").split()[0]) == pytest.approx(13.4416788, abs=1e-6)


def test_an_exponent_outside_the_sum_makes_no_memberships() -> None:
    """Squared distances 1 and 4, m = 3/2: the numbers of decision 70."""
    squares, power = (Fraction(1), Fraction(4)), 2
    right = [1 / sum((a / b) ** power for b in squares) for a in squares]
    outside = [(1 / sum(a / b for b in squares)) ** power for a in squares]
    assert right == [Fraction(16, 17), Fraction(1, 17)]
    assert outside == [Fraction(16, 25), Fraction(1, 25)]
    assert memberships([[0.0]], [[1.0], [2.0]], m=1.5)[0] == pytest.approx(list(map(float, right)))


def test_the_objective_is_not_convex_in_both() -> None:
    """The numbers of decision 71."""
    ends = [([[1.0, 0.0]], [[0.0], [1.0]]), ([[0.0, 1.0]], [[1.0], [0.0]])]
    assert [objective([[0.0]], v, u, m=2.0) for u, v in ends] == [0, 0]
    assert objective([[0.0]], [[0.5], [0.5]], [[0.5, 0.5]], m=2.0) == 1 / 8
