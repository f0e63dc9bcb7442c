"""What an audit says beside its verdicts: hints, each where it is true and only there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oracle.commands.main import main

SIX = "x\n0\n1\n1\n10\n10\n11\n"
LOW, HIGH = "0.666666666666667", "10.333333333333334"


@pytest.fixture
def said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> object:
    """What an audit of two texts prints, and its exit status."""

    def audit(original: str, released: str, *options: str) -> tuple[str, int]:
        for name, text in (("original", original), ("released", released)):
            (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
        scale = [] if "--kind" in options else ["--standardise", "none"]
        files = [str(tmp_path / "original.csv"), str(tmp_path / "released.csv")]
        status = main(["audit", *files, *scale, *options])
        return capsys.readouterr().out, status

    return audit


def column(*values: str) -> str:
    return "\n".join(["x", *values, ""])


KEPT = "column totals match, so the rows may only be in a different order"


def test_rows_in_another_order_keep_the_totals(said) -> None:  # type: ignore[no-untyped-def]
    """Their total is 33.000000000000003, of values that are rounded to 15 decimals."""
    text, status = said(SIX, column(*[HIGH] * 3, *[LOW] * 3), "-k", "3")
    assert (KEPT in text, status) == (True, 1)


def test_other_values_do_not_keep_the_totals(said) -> None:  # type: ignore[no-untyped-def]
    text, status = said(SIX, column(*[HIGH] * 3, *["0.766666666666667"] * 3), "-k", "3")
    assert (KEPT in text, status) == (False, 1)


def test_a_large_group_could_be_divided(said) -> None:  # type: ignore[no-untyped-def]
    text, status = said(SIX, column(*["5.5"] * 6), "-k", "2")
    assert ("1 of them of 2k = 4 records or more" in text, status) == (True, 0)
    text, _ = said(SIX, column(*["5.5"] * 6), "-k", "4")
    assert "could be divided" not in text


ALONE = "each attribute by itself is 2-anonymous"


@pytest.mark.parametrize(
    ("rows", "each"),
    [
        (["1,5", "1,6", "2,5", "2,6"], True),
        (["1,5", "1,5", "1,6", "1,6"], False),
        (["1,5", "1,6", "2,5", "2,7"], False),
    ],
    ids=["each attribute", "all", "one attribute"],
)
def test_attributes_by_themselves(said, rows: list[str], each: bool) -> None:  # type: ignore[no-untyped-def]
    table = "\n".join(["x,y", *rows, ""])
    text, status = said(table, table, "-k", "2")
    assert (ALONE in text) == ("each attribute by itself" in text) == each
    assert status == 1 or rows == ["1,5", "1,5", "1,6", "1,6"]


def test_one_attribute_has_no_others(said) -> None:  # type: ignore[no-untyped-def]
    text, status = said(SIX, column("0", "1", "1", "10", "10", "11"), "-k", "2")
    assert ("by itself" in text, status) == (False, 1)


def test_groups_of_fewer_than_an_algorithm_forms(said) -> None:  # type: ignore[no-untyped-def]
    text, status = said(SIX, column("0", *["6.6"] * 5), "-k", "2", "--algorithm", "mdav")
    assert "mdav forms no group of fewer than k records" in text
    assert status == 1


@pytest.mark.parametrize(
    ("values", "means", "ties"),
    [
        (["0", "1", "5", "6", "20", "22"], ["0.5"] * 2 + ["5.5"] * 2 + ["21"] * 2, 0),
        (["0", "1", "1", "2"], ["0.5"] * 2 + ["1.5"] * 2, 2),
    ],
    ids=["none", "x_r, and the record nearest to it"],
)
def test_ties_that_a_run_met(
    said,  # type: ignore[no-untyped-def]
    tmp_path: Path,
    values: list[str],
    means: list[str],
    ties: int,
) -> None:
    """By hand: of 0 1 1 2 both ends are farthest from 1, and either 1 is nearest to an end."""
    report = tmp_path / "report.json"
    asked = ["-k", "2", "--algorithm", "mdav", "--json", str(report)]
    text, status = said(column(*values), column(*means), *asked)
    assert status == 0, text
    checks = json.loads(report.read_text(encoding="utf-8"))["blocks"][0]["checks"]
    [run] = [check for check in checks if check["name"] == "run of mdav"]
    assert run["details"]["ties_met"] == ties


MDAV_OF_JOBS = ("-k", "2", "--algorithm", "mdav", "--kind", "job=nominal")


@pytest.mark.parametrize(
    ("jobs", "possible"), [("pppp", True), ("ppqq", False), ("pqpq", False)], ids=str
)
def test_groups_that_are_released_alike(  # type: ignore[no-untyped-def]
    said, jobs: str, possible: bool
) -> None:
    """By hand: two groups are formed of four records, one of them of the two q, if there are any.

    Groups of equal aggregates look like one; a group of q is not released with p.
    """
    original, released = (f"job\n{chr(10).join(text)}\n" for text in (jobs, "pppp"))
    text, status = said(original, released, *MDAV_OF_JOBS)
    assert status == (0 if possible else 1), text
    assert ("a possible run in exact arithmetic" in text) == possible


def test_groups_of_fewer_categories_than_an_algorithm_forms(said) -> None:  # type: ignore[no-untyped-def]
    text, status = said("job\np\np\nq\n", "job\np\np\nq\n", *MDAV_OF_JOBS)
    assert "mdav forms no group of fewer than k records" in text
    assert status == 1
