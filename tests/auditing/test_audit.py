"""The checks on files that other tools released, and the ways in which values are written."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from oracle.auditing.cases import AuditedRelease, judged_groups
from oracle.auditing.checks import value_check
from oracle.auditing.driver import Check
from oracle.auditing.rendering import Cell, Granted, decimal_places, quotient_cell, recognise
from oracle.commands.main import main
from refagg.data.tables import Column, column_of, table_of
from refagg.release.blocks import strata_members

Audit = Callable[..., tuple[int, dict[str, dict[str, Any]], dict[str, Any]]]


@pytest.fixture
def audit(data_folder: Path, peers_folder: Path, tmp_path: Path) -> Audit:
    """Audit a released file: the exit status, the checks by name, and the facts."""

    def run(data: str, peer: str, *options: str) -> tuple[int, dict[str, Any], dict[str, Any]]:
        report = tmp_path / "report.json"
        files = [str(data_folder / f"{data}.csv"), str(peers_folder / peer)]
        status = main(["audit", *files, *options, "--json", str(report)])
        verdict = json.loads(report.read_text())
        return status, {r["name"]: r for r in verdict["blocks"][0]["checks"]}, verdict["facts"]

    return run


@pytest.mark.reference_data
@pytest.mark.parametrize(
    ("data", "peer", "k", "sse"),
    [
        ("census", "sdcmicro-5.8.1_mdav_census_k3.csv", "3", 799.182954),
        ("tarragona", "sdcmicro-5.8.1_mdav_tarragona_k5.csv", "5", 2435.314825),
    ],
)
def test_mdav_of_sdcmicro_is_a_run_of_the_3k_loop(
    audit: Audit, data: str, peer: str, k: str, sse: float
) -> None:
    """SSE as published beside the files. Its binary32 distances flip no choice here."""
    status, checks, facts = audit(data, peer, "-k", k, "--algorithm", "mdav", "--tolerance", "0")
    assert status == 0
    assert checks["run of mdav"]["details"]["tolerance_needed"] == 0
    assert facts["sse"]["decimal"] == pytest.approx(sse, abs=1e-6)


@pytest.mark.long
@pytest.mark.reference_data
def test_mdav_of_sdcmicro_is_no_run_of_the_2k_loop_where_they_differ(audit: Audit) -> None:
    peer = "sdcmicro-5.8.1_mdav_tarragona_k5.csv"
    status, checks, _ = audit("tarragona", peer, "-k", "5", "--algorithm", "mdav-2k")
    assert status == 1
    assert checks["run of mdav-2k"]["witness"][0].startswith("iteration 83, step 5")
    status, *_ = audit(
        "tarragona", peer, "-k", "5", "--algorithm", "mdav-2k", "--param", "leftovers=last-group"
    )
    assert status == 0


@pytest.mark.reference_data
def test_individual_ranking_is_not_k_anonymous(audit: Audit) -> None:
    peer = "sdcmicro-5.8.1_onedims_census_k4.csv"
    status, checks, facts = audit("census", peer, "-k", "4")
    assert status == 1
    assert checks["k-anonymous"]["status"] == "fails"
    assert facts["classes"] == 1080
    assert "individual ranking" in " ".join(checks["k-anonymous"]["witness"])
    assert checks["aggregates"]["status"] == "not judged"


@pytest.mark.long
@pytest.mark.reference_data
def test_argus_is_neither_loop_but_its_own(audit: Audit) -> None:
    peer = "sdcmicro-5.8.1_argus_census_k4.csv"
    names = ["mdav", "mdav-2k", "mdav-argus"]
    status, checks, facts = audit("census", peer, "-k", "4", "--algorithm", ",".join(names))
    assert status == 1
    assert checks["k-anonymous"]["status"] == checks["aggregates"]["status"] == "holds"
    statuses = [checks[f"run of {name}"]["status"] for name in names]
    assert statuses == ["fails", "fails", "holds"]
    assert facts["sse"]["decimal"] == pytest.approx(1053.782, abs=1e-3)


@pytest.mark.reference_data
def test_mant_is_truncated_and_not_mdav(audit: Audit) -> None:
    status, checks, facts = audit("census", "mant_census_k3.csv", "-k", "3", "--algorithm", "mdav")
    assert status == 1
    found = checks["aggregates"]["details"]["renderings"]
    assert list(found) == ["truncated toward zero to integers"]
    assert checks["run of mdav"]["status"] == "fails"
    assert "iteration 1" in checks["run of mdav"]["witness"][0]
    assert facts["sse"]["decimal"] == pytest.approx(3698.9, abs=0.05)


THIRDS = [Fraction(1, 3), Fraction(-200, 3), Fraction(12345678, 7), Fraction(5)]


def rendered(write: Callable[[Fraction], Fraction]) -> tuple[Column, list[Cell]]:
    values = [write(value) for value in THIRDS]
    cells = [
        quotient_cell(right, value, 3, abs(right))
        for right, value in zip(THIRDS, values, strict=True)
    ]
    return column_of("x", values), cells


@pytest.mark.parametrize(
    ("write", "name", "faithful"),
    [
        (lambda v: v, "exact", True),
        (lambda v: round(v, 3), "rounded to 3 decimals", True),
        (lambda v: round(v, 0), "rounded to integers", True),
        (lambda v: Fraction(f"{float(v):.8g}"), "rounded to 8 significant digits", True),
        (lambda v: Fraction(float(v)), "in binary64", True),
        (lambda v: Fraction(f"{float(v):.17g}"), "in binary64", True),
        (lambda v: Fraction(int(v * 100), 100), "truncated toward zero to 2 decimals", False),
        (lambda v: Fraction((v * 100).__floor__(), 100), "rounded down to 2 decimals", False),
        (lambda v: Fraction((v * 100).__ceil__(), 100), "rounded up to 2 decimals", False),
    ],
)
def test_renderings_are_recognised(
    write: Callable[[Fraction], Fraction], name: str, faithful: bool
) -> None:
    rendering = recognise(*rendered(write), Granted(), Fraction(0))
    assert rendering is not None
    assert (rendering.name, rendering.faithful) == (name, faithful)


def test_a_value_off_by_more_than_its_digits_is_no_aggregate() -> None:
    column, cells = rendered(lambda v: round(v, 2))
    wrong = quotient_cell(cells[0].aggregate + Fraction(1, 50), cells[0].released, 3, Fraction(1))
    assert recognise(column, [wrong, *cells[1:]], Granted(), Fraction(0)) is None


def test_few_digits_are_not_taken_for_the_aggregate() -> None:
    """100 is not the mean of 100 and 108, however few digits it has."""
    check = _values([[100], [108]], [[100], [100]])
    assert check.status == "fails"
    [line] = check.witness
    released = "x1: group 0 1 was released as 100; its aggregate is 104"
    assert line == f"{released} (rounded to 1 significant digit)"


def test_a_tolerance_admits_values_within_it() -> None:
    assert _values([[100], [108]], [["104.00001"]] * 2).status == "fails"
    assert _values([[100], [108]], [["104.00001"]] * 2, Fraction(1, 10**6)).status == "holds"


def _values(
    original: list[list[int]], released: list[list[Any]], tolerance: Fraction = Fraction(0)
) -> Check:
    table = table_of(original)
    masked = table_of([[Fraction(v) for v in row] for row in released])
    case = AuditedRelease(table, masked, 2, None, strata_members(None, table.n, 1))
    return value_check(case, judged_groups(case, Granted(tolerance)))


@pytest.mark.parametrize(
    ("values", "places"), [(["1.5", "2"], 1), (["0.125"], 3), (["7"], 0), (["1/3"], None)]
)
def test_decimal_places(values: list[str], places: int | None) -> None:
    assert decimal_places(column_of("x", map(Fraction, values))) == places


STRATA = ["--columns", "a", "--strata", "s", "-k", "2"]


def test_groups_that_cross_strata_are_no_groups(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By hand: the means are 3/2, 11/2 and 15/2, not 7/2 for the first two strata together."""
    original, released = tmp_path / "original.csv", tmp_path / "released.csv"
    original.write_text("a,s\n1,x\n2,x\n5,y\n6,y\n7,z\n8,z\n", encoding="utf-8")
    for means, status in (("3.5,3.5,3.5,3.5,7.5,7.5", 1), ("1.5,1.5,5.5,5.5,7.5,7.5", 0)):
        rows = zip(means.split(","), "xxyyzz", strict=True)
        text = "".join(f"{mean},{stratum}\n" for mean, stratum in rows)
        released.write_text(f"a,s\n{text}", encoding="utf-8")
        assert main(["audit", str(original), str(released), *STRATA]) == status
        said = "group 0 1 was released as 7/2; its aggregate is 3/2" in capsys.readouterr().out
        assert said == bool(status)


def test_a_group_with_one_record_of_a_stratum(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Equal rows of two strata are groups of each, if they are any: record 2 is alone in y."""
    original, released = tmp_path / "original.csv", tmp_path / "released.csv"
    original.write_text("a,s\n1,x\n2,x\n3,y\n7,y\n8,y\n", encoding="utf-8")
    released.write_text("a,s\n2,x\n2,x\n2,y\n7.5,y\n7.5,y\n", encoding="utf-8")
    assert main(["audit", str(original), str(released), *STRATA]) == 1
    said = "smallest group 1, less than k = 2 (groups by equal released rows within a stratum)"
    assert said in capsys.readouterr().out
    assert main(["audit", str(original), str(released), "--columns", "a", "-k", "2"]) == 0


def test_equal_means_in_two_strata_are_two_groups(tmp_path: Path) -> None:
    original, released = tmp_path / "original.csv", tmp_path / "released.csv"
    original.write_text("a,s\n1,x\n3,x\n0,y\n4,y\n", encoding="utf-8")
    released.write_text("a,s\n2,x\n2,x\n2,y\n2,y\n", encoding="utf-8")
    assert main(["audit", str(original), str(released), *STRATA, "--algorithm", "mdav"]) == 0


def test_rows_of_two_strata_may_be_equal_over_all_blocks(tmp_path: Path) -> None:
    """Each block has a group in each stratum; that their means are equal crosses no stratum."""
    original, released = tmp_path / "original.csv", tmp_path / "released.csv"
    original.write_text("a,b,s\n1,1,x\n3,3,x\n0,0,y\n4,4,y\n", encoding="utf-8")
    released.write_text("a,b,s\n2,2,x\n2,2,x\n2,2,y\n2,2,y\n", encoding="utf-8")
    words = ["--columns", "a,b", "--blocks", "each", "--strata", "s", "-k", "2"]
    assert main(["audit", str(original), str(released), *words]) == 0


@pytest.mark.parametrize(
    ("columns", "more"),
    [
        (["u,1", "v,2", "v,5", "v,8", "v,9"], ["--columns", "x", "--strata", "y"]),
        (["1,1", "2,2", "3,5", "4,8", "9,9"], []),
    ],
)
def test_what_cannot_run_is_no_other_order(
    tmp_path: Path, columns: list[str], more: list[str]
) -> None:
    """The totals are right, the rows not, and the algorithm takes no such data."""
    original, released = tmp_path / "original.csv", tmp_path / "released.csv"
    original.write_text("\n".join(["y,x", *columns, ""]), encoding="utf-8")
    made = ["u,6", "v,6", "v,6", "v,3.5", "v,3.5"] if more else ["6.5,8.5"] * 2 + ["2,8/3"] * 3
    text = "\n".join(["y,x", *made, ""]).replace("8/3", "2.6666666667")
    released.write_text(text, encoding="utf-8")
    name = "mdav" if more else "hansen-mukherjee"
    assert main(["audit", str(original), str(released), *more, "-k", "2", "--algorithm", name]) == 1
