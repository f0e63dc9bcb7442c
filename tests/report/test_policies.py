"""Every policy has a page: missing values, rules, undeclared kinds, and releases alone."""

from __future__ import annotations

import json
import re
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import oracle
from oracle.commands.main import main

pytest.importorskip("jinja2", reason="Jinja2 is not installed")
pytest.importorskip("matplotlib", reason="matplotlib is not installed")

from tests.pages import Element, check_page, read_page, table_of

ORIGINAL = """x,y,job,ill
1,5,a,flu
2,5,a,cold
8,6,b,flu
9,6,b,gout
,7,a,flu
,9,a,cold
"""
RELEASED = """x,y,job,ill
1.5,5,a,flu
1.5,5,a,cold
8.5,6,b,flu
8.5,6,b,gout
,8,a,flu
,8,a,cold
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("o.csv").write_text(ORIGINAL, encoding="utf-8")
    Path("r.csv").write_text(RELEASED, encoding="utf-8")
    dropped = RELEASED.splitlines(keepends=True)[:5]
    Path("d.csv").write_text("".join(dropped), encoding="utf-8")
    whole = ORIGINAL.splitlines(keepends=True)[:5]
    Path("w.csv").write_text("".join(whole), encoding="utf-8")
    return tmp_path


NUMBERS = ["--columns", "x,y"]
POLICIES = {
    "drop": ["o.csv", "d.csv", *NUMBERS, "--missing", "drop", "--algorithm", "mdav"],
    "group-apart": ["o.csv", "r.csv", *NUMBERS, "--missing", "group-apart", "--algorithm", "mdav"],
    "as-released": ["o.csv", "r.csv", *NUMBERS, "--missing", "as-released"],
    "own-category": ["o.csv", "r.csv", "--columns", "x,y,job", "--missing", "own-category"],
    "matches-anything": ["r.csv", "--columns", "x,y,job", "--missing", "matches-anything"],
    "suppressed": ["r.csv", "--confidential", "ill", "--missing", "suppressed"],
    "sets": ["r.csv", "--confidential", "ill", "--sets-of", "2"],
    "undeclared": ["w.csv", "d.csv", "--columns", "x,y,job"],
    "declared": [
        *("w.csv", "d.csv", "--columns", "x,y,job", "--kind", "x=numeric", "--kind", "y=numeric"),
        *("--kind", "job=nominal"),
    ],
    "blocks": ["w.csv", "d.csv", *NUMBERS, "--blocks", "each", "--algorithm", "mdav"],
    "blocks apart": [
        *("o.csv", "r.csv", *NUMBERS, "--missing", "group-apart", "--blocks", "x;y"),
        *("--anonymity", "each-block"),
    ],
    "strata": ["w.csv", "d.csv", *NUMBERS, "--strata", "job", "--algorithm", "mdav"],
    "several": ["o.csv", "r.csv", "r.csv", *NUMBERS, "--missing", "group-apart"],
}


def page_of(words: list[str]) -> tuple[int, Element, dict[str, object]]:
    status = main(["audit", *words, "-k", "2", "--report", "page", "--json", "out.json"])
    page = read_page(Path("page/index.html"))
    check_page(page, Path("page/index.html").read_text(encoding="utf-8"))
    return status, page, json.loads(Path("page/results.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("policy", POLICIES)
def test_every_policy_has_a_page(
    policy: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, page, data = page_of(POLICIES[policy])
    said = capsys.readouterr().out
    assert status == 0, said
    written = json.loads(Path("out.json").read_text(encoding="utf-8"))
    shown = data["audits"] if policy == "several" else [data]
    found = written["audits"] if policy == "several" else [written]
    assert isinstance(shown, list)
    for one, other in zip(shown, found, strict=True):
        assert one["conclusion"] == other["conclusion"]
        assert one["blocks"] == other["blocks"]
        assert 2 <= len(one["conclusion"]) <= 6
        assert one["conclusion"][0] in page.text
        assert one["conclusion"][0] in said
        for block in one["blocks"]:
            for check in block["checks"]:
                assert check["summary"] in page.text


def test_parts_have_their_own_sections(here: Path) -> None:
    _, page, _ = page_of(POLICIES["group-apart"])
    titles = [heading.text for heading in page.all("h2")]
    assert "4 records with all values, records numbered from 0" in titles
    assert "2 records without x, records numbered from 0" in titles
    together = table_of(page, "The list of checks of all records together")
    assert together[1][:2] == ["missing values", "holds"]
    captions = [table.all("caption")[0].text for table in page.all("table")]
    assert captions.count("Groups by their size") == 2


def test_pages_of_wrong_releases_begin_with_what_is_wrong(here: Path) -> None:
    Path("r.csv").write_text(RELEASED.replace("8.5,6,b,gout", "8.6,6,b,gout"), encoding="utf-8")
    for policy in ("group-apart", "as-released", "own-category", "suppressed"):
        status, page, data = page_of(POLICIES[policy])
        assert status == 1
        conclusion = data["conclusion"]
        assert isinstance(conclusion, list)
        assert conclusion[0].startswith("The release is not 2-anonymous: 2 of 6 records")
        assert conclusion[0] in page.text
    Path("r.csv").write_text(RELEASED.replace(",8,a,cold", ",,a,cold"), encoding="utf-8")
    status, page, _ = page_of(POLICIES["group-apart"])
    assert status == 1
    assert "record 5: y is missing in the release only" in page.text
    assert "This check fails: missing values." in page.text


def test_sets_take_the_place_of_all_columns_for_records_apart(here: Path) -> None:
    Path("r.csv").write_text(RELEASED.replace("8.5,6,b,gout", "8.6,6,b,gout"), encoding="utf-8")
    words = ["audit", "o.csv", "r.csv", *NUMBERS, "--missing", "group-apart", "-k", "2"]
    assert main(words) == 1
    assert main([*words, "--sets", "y", "--json", "out.json"]) == 2  # aggregates are not judged
    data = json.loads(Path("out.json").read_text(encoding="utf-8"))
    assert data["conclusion"][0].startswith("In each of 1 set of key variables every one of the 6")


def test_promises_hold_for_records_apart(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["o.csv", "r.csv", "--confidential", "job,ill", "--missing", "group-apart"]
    assert main(["audit", *words, "-k", "2", "--l-diversity", "distinct:2"]) == 1
    said = capsys.readouterr().out
    assert "[  holds   ] distinct diversity (l = 2) of ill: l reached 2, in 3 classes" in said
    assert "[  fails   ] distinct diversity (l = 2) of job: l reached 1" in said
    people = {"x": [1, 2, None, None]}
    released = {"x": [1.5, 1.5, None, None]}
    ill = {"ill": ["a", "b", "a", "a"]}
    made = oracle.audit(
        people, released, k=2, missing="group-apart", confidential=ill, l_diversity="distinct:2"
    )
    assert [c.status for c in made.checks if "diversity" in c.name] == ["fails"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--algorithm", "mdavv"], "mdavv"),
        (["--columns", "x,z"], "no column 'z'"),
        (["--kind", "x=number"], "there is no kind"),
        (["--l-diversity", "distinct"], "distinct:3"),
        (["--missing", "as-released", "--algorithm", "mdav"], "--algorithm does not apply"),
        (
            ["--missing", "group-apart", "--series", "sts"],
            "--series applies to",
        ),
        (["--tolerance", "x"], "tolerance"),
        (["--sets", "x", "--sets-of", "2"], "choose one"),
        (["--aggregate", "mean", "--trim", "x"], "trim"),
        (["-k", "2"], "a page needs jinja2"),
    ],
)
def test_options_are_checked_before_a_library_is_asked_for(
    words: list[str],
    said: str,
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    asked = ["audit", "w.csv", "d.csv", "-k", "2", "--report", "page", *words]
    assert main(asked) == 2
    assert said in capsys.readouterr().err
    assert not Path("page").exists()


def test_a_release_from_python_has_a_page(here: Path) -> None:
    oracle.audit_release({"x": ["a", "a", None]}, k=2).write_report("alone")
    page = read_page(Path("alone/index.html"))
    check_page(page, Path("alone/index.html").read_text(encoding="utf-8"))
    assert "The release is not 2-anonymous: 1 of 3 records equals no other in x" in page.text
    assert table_of(page, "Groups by their size")[1:] == [["1", "1"], ["2", "1"]]


def test_a_wrong_stratum_names_its_records_and_draws_none(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its numbers are not those of the file; what is not drawn holds nothing that others use."""
    monkeypatch.setattr("oracle.report.release.MOST_HULLS", 0)  # as of many groups
    text = "30a 47b 80a 77a 60b 70a 24b 69b 50a 29a 66b 94a 85a 20a 38a 34b 76b 91b 50b 17b"
    rows = [(int(value[:-1]), value[-1]) for value in text.split()]
    groups = ((0, 8, 9, 13, 14), (2, 3, 5, 11, 12), (1, 4, 6, 7, 10), (15, 16, 17, 18, 19))
    means = {r: Fraction(sum(rows[i][0] for i in group), 5) for group in groups for r in group}
    made = [(float(means[record]), stratum) for record, (_, stratum) in enumerate(rows)]
    for name, cells in (("o.csv", rows), ("r.csv", made)):
        text = "".join(f"{x},{stratum}\n" for x, stratum in cells)
        Path(name).write_text("x\u202e,s\n" + text, encoding="utf-8")
    words = ["o.csv", "r.csv", "--columns", "x\u202e", "--strata", "s", "--algorithm", "mdav"]
    status, page, data = page_of(words)
    [failed] = [check for check in data["blocks"][0]["checks"] if check["status"] == "fails"]  # type: ignore[index]
    assert status == 1
    assert failed["witness"][0] == "stratum 'a', records numbered from 0"
    assert failed["witness"][-1] == "the release: records 0 4 5 8 9 share a group"
    assert "Records for which the check fails" not in page.text
    text = Path("page/index.html").read_text(encoding="utf-8")
    assert "\u202e" not in text
    used = set(re.findall(r'<use href="#([^"]+)"', text))
    assert used
    assert used <= set(re.findall(r'\bid="([^"]+)"', text))


def test_numbers_that_have_no_floats_are_not_drawn(here: Path) -> None:
    Path("o.csv").write_text("x\n1e308\n2e308\n3e308\n5e308\n", encoding="utf-8")
    Path("r.csv").write_text("x\n1.5e308\n1.5e308\n4e308\n4e308\n", encoding="utf-8")
    status, page, _ = page_of(["o.csv", "r.csv", "--standardise", "none"])
    assert status == 0
    assert "2-anonymous" in page.text
