"""Result pages: whole, self-contained, accessible, and with the numbers of what they are about."""

from __future__ import annotations

import hashlib
import json
import platform
import re
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from oracle.commands.main import main
from oracle.conformance.judge.judging import judge
from oracle.conformance.judge.model import STATUSES, Answer, Case, Judgement
from oracle.conformance.vectors import vectors_of
from oracle.report.pages import LONGEST, check_report, printable, write_pages
from refagg.commands.main import main as refagg_main
from refagg.datasets import shipped_folder
from refagg.errors import MissingExtra, OutputUnwritable

pytest.importorskip("jinja2", reason="Jinja2 is not installed")
pytest.importorskip("matplotlib", reason="matplotlib is not installed")

from oracle.report.conformance import write_report
from oracle.report.pages import inline
from tests.pages import Element, check_page, read_page, table_of

HOSTILE = "</pre><script>alert(1)</script>{{ 7 * 7 }}\x1b[31m\u202e\udc80 & \"'"
MEANS = tuple(("14/3", "14/9") if r in (0, 1, 3) else ("32", "32/3") for r in range(7))
RECORDS = tuple((str(x), f"{x}/3") for x in (1, 2, 3, 11, 12, 13, 100))
FIRMS = shipped_folder() / "eleven-firms.csv"


def case(name: str, k: int = 3) -> Case:
    return Case(name, "mdav", k, RECORDS)


def judgements() -> list[Judgement]:
    """One of each status and more, three of them by the judge itself.

    The record farthest from the centroid, 6, takes 5 and 4; four are left.
    """
    right, wrong, small = ((0, 1, 2, 3), (4, 5, 6)), ((0, 1, 3), (2, 4, 5, 6)), ((0, 1),)
    return [
        judge(case("a-right"), Answer(groups=right)),
        judge(case("b-wrong"), Answer(groups=wrong, released=MEANS, sse="188600/27")),
        judge(case("c-incomplete"), Answer(groups=small)),
        Judgement(
            case(HOSTILE), Answer(errored=HOSTILE), "errored", "answered", HOSTILE, (HOSTILE,)
        ),
        Judgement(case("e"), Answer(unsupported="no z"), "unsupported", "answered", "no z"),
        Judgement(case("f"), Answer(groups=right), "not judged", "run", "too many ties"),
    ]


@pytest.fixture
def report(tmp_path: Path) -> tuple[Element, dict[str, Any], Path]:
    """A page about `judgements`, its data, and its folder."""
    folder = tmp_path / "out"
    flags = {"a-right": ("tie",), "b-wrong": ("tie", "offset")}
    command = "oracle conform --algorithm mdav -- ./program"
    write_report(judgements(), folder, f"Of {HOSTILE}", command, flags, {"b-wrong": "for ties"})
    return (
        read_page(folder / "index.html"),
        json.loads((folder / "results.json").read_text()),
        folder,
    )


# Conformance


def test_the_page_of_judgements(report: tuple[Element, dict[str, Any], Path]) -> None:
    page, _, folder = report
    check_page(page, (folder / "index.html").read_text(encoding="utf-8"))
    assert sorted(path.name for path in folder.iterdir()) == ["index.html", "results.json"]


def test_a_foreign_text_is_shown_and_does_nothing(
    report: tuple[Element, dict[str, Any], Path],
) -> None:
    page, data, _ = report
    shown = "</pre><script>alert(1)</script>{{ 7 * 7 }}\\x1b[31m\\u202e\\udc80 & \"'"
    assert page.all("h1")[0].text == f"Of {shown}"
    assert page.by_id("failure-3").all("summary")[0].text.count(shown) == 2
    assert page.by_id("failure-3").all("dd")[-3].text == shown
    assert data["judgements"][3]["reason"] == HOSTILE


def test_every_failure_is_listed_in_full(report: tuple[Element, dict[str, Any], Path]) -> None:
    page, data, _ = report
    headline = "3 of 6 answers are wrong or missing (1 at answered, 1 at well formed, 1 at run)."
    assert headline in page.all("header")[0].text
    failures = [e for e in page.all("details") if e.attributes.get("id", "").startswith("failure-")]
    wrong = [j for j in data["judgements"] if j["status"] in ("failed", "errored")]
    assert len(failures) == len(wrong) == 3
    second = failures[0]
    told = dict(zip([e.text for e in second.all("dt")], second.all("dd"), strict=True))
    assert told["Expected"].text == "0 1 2 3 | 4 5 6"
    assert told["Answer"].text == "0 1 3 | 2 4 5 6; claimed SSE 188600/27"
    assert told["Purpose"].text == "for ties"
    assert told["Flags"].text == "tie, offset"
    assert [e.text for e in told["First divergent step"].all("li")] == wrong[0]["witness"]
    rows = table_of(page, "The records of b-wrong")
    assert rows[0][:4] == ["record", "x1", "x2", "group answered"]
    assert [row[1:3] for row in rows[1:]] == [list(row) for row in RECORDS]
    assert [row[3] for row in rows[1:]] == list("0010111")
    assert tuple(tuple(row[4:]) for row in rows[1:]) == MEANS
    again, request = (e.text for e in second.all("pre"))
    assert again == "oracle conform --case b-wrong --algorithm mdav -- ./program"
    assert json.loads(request)["records"] == [list(row) for row in RECORDS]
    assert [row[3] for row in table_of(page, "The records of c-incomplete")[1:]] == [
        *("0", "0", "none", "none", "none", "none", "none")
    ]


def test_the_tables_count_what_the_data_hold(report: tuple[Element, dict[str, Any], Path]) -> None:
    page, data, _ = report
    found = [j["status"] for j in data["judgements"]]
    counts = [found.count(status) for status in STATUSES]
    assert counts == [1, 2, 1, 1, 1]
    assert data["by_status"] == dict(zip(STATUSES, counts, strict=True))
    tiles = [e for e in page.all("ul") if e.attributes.get("class") == "tiles"]
    assert [e.text for e in tiles[0].all("li")] == [
        f"{count} {status}" for status, count in zip(STATUSES, counts, strict=True)
    ]
    by_check = {row[0]: row[1:] for row in table_of(page, "Answers: the check")[1:]}
    assert list(by_check) == ["answered", "well formed", "run"]
    assert by_check["answered"] == ["0", "0", "1", "1", "0", "2"]
    assert by_check["run"] == ["1", "1", "0", "0", "1", "3"]
    by_flag = {row[0]: row[1:] for row in table_of(page, "Answers: what a case")[1:]}
    assert by_flag == {
        "tie": ["1", "1", "0", "0", "0", "2"],
        "offset": ["0", "1", "0", "0", "0", "1"],
    }
    assert [row[0] for row in table_of(page, "Right answers")[1:]] == ["a-right"]
    assert [row[0] for row in table_of(page, "Answers without a verdict")[1:]] == ["e", "f"]


def test_of_many_records_the_first_are_shown(tmp_path: Path) -> None:
    many = Case("many", "mdav", 3, tuple((str(x),) for x in range(1000)))
    write_report(
        [Judgement(many, Answer(), "errored", "answered", "x" * 100_000)], tmp_path, "t", "c"
    )
    page = read_page(tmp_path / "index.html")
    rows = table_of(page, "The records of many, the first 40; 960 more are in results.json")
    assert [row[0] for row in rows[1:]] == [str(record) for record in range(40)]
    assert f"({100_000 - LONGEST} more characters)" in page.by_id("failure-1").text
    data = json.loads((tmp_path / "results.json").read_text())
    assert len(data["judgements"][0]["case"]["records"]) == 1000


@pytest.mark.parametrize(
    ("some", "said"),
    [
        ([], "Nothing was judged."),
        ([0], "The only answer is right."),
        ([0, 4], "No answer is wrong"),
    ],
)
def test_nothing_wrong(tmp_path: Path, some: list[int], said: str) -> None:
    everything = judgements()
    write_report([everything[place] for place in some], tmp_path, "t", "c")
    page = read_page(tmp_path / "index.html")
    check_page(page, (tmp_path / "index.html").read_text(encoding="utf-8"))
    assert said in page.all("header")[0].text
    assert "There are none." in page.by_id("main").text


# Releases


@pytest.fixture
def audit(tmp_path: Path) -> Callable[..., tuple[int, Element, dict[str, Any]]]:
    """Mask a file with MDAV, audit the release, and read the page."""

    def run(source: Path, *options: str) -> tuple[int, Element, dict[str, Any]]:
        released, folder = tmp_path / "released.csv", tmp_path / "page"
        made = ["mask", str(source), "-k", "3", "--algorithm", "mdav", "-o", str(released)]
        alike = [
            word
            for option in ("--blocks", "--standardise")
            if option in options
            for word in options[options.index(option) :][:2]
        ]
        assert refagg_main([*made, *alike]) == 0
        asked = [str(source), str(released), "-k", "3", *options, "--report", str(folder)]
        status = main(["audit", *asked])
        page = read_page(folder / "index.html")
        check_page(page, (folder / "index.html").read_text(encoding="utf-8"))
        return status, page, json.loads((folder / "results.json").read_text())

    return run


def test_the_page_of_a_release(
    audit: Callable[..., tuple[int, Element, dict[str, Any]]], tmp_path: Path
) -> None:
    report = tmp_path / "verdict.json"
    status, page, data = audit(
        FIRMS, "--algorithm", "mdav,mdav-single", "--optimum", "--json", str(report)
    )
    verdict = json.loads(report.read_text())
    del verdict["run"]
    assert status == 1
    assert {key: data[key] for key in verdict} == verdict
    checks = verdict["blocks"][0]["checks"]
    shown = table_of(page, "The list of checks")[1:]
    assert [row[:2] for row in shown] == [[check["name"], check["status"]] for check in checks]
    assert shown[4][2] == " ".join([checks[4]["summary"], *checks[4]["witness"]])
    assert table_of(page, "Groups by their size")[1:] == [["3", "2"], ["5", "1"]]
    facts = verdict["facts"]
    losses = table_of(page, "Loss by attribute")[1:]
    assert [row[0] for row in losses] == list(facts["sse_by_attribute"])
    parts = list(facts["sse_by_attribute"].values())
    assert [float(row[1]) for row in losses] == pytest.approx(parts, rel=1e-5)
    # With z-scores the SST of each attribute is n.
    assert [float(row[3]) for row in losses] == pytest.approx([100 * p / 11 for p in parts], 1e-4)
    assert sum(float(row[2]) for row in losses) == pytest.approx(100, abs=0.02)
    risks = [row[2] for row in table_of(page, "Disclosure risk of the release")[1:]]
    keys = ("record_linkage", "interval_disclosure_10_percent")
    assert risks[:2] == [f"{100 * facts[key]:.4f} %" for key in keys]
    beside = facts["baselines"]
    keys = ("raw_file_linkage", "random_groups_linkage", "guess_within_groups")
    assert risks[2:] == [f"{100 * beside[key]:.4f} %" for key in keys]
    assert [line.text for line in page.all("ul")[0].all("li")] == verdict["conclusion"]
    ties = table_of(page, "The release as a run of an algorithm")[1:]
    assert [row[:3] for row in ties] == [
        ["mdav", "holds", "exact"],
        ["mdav-single", "fails", "not admissible"],
    ]
    assert ties[1][4] == "none suffices"
    distance = page.by_id("distance").parent
    assert distance is not None
    assert f"{checks[-1]['details']['above_percent']:.4f} %" in distance.text
    titles = [e.all("title")[0].text for e in page.all("svg")]
    assert titles[:2] == checks[4]["witness"][1:3]  # the records that these lines name
    assert set(titles[:-3]) <= set(checks[4]["witness"])
    assert titles[-3:] == [
        *("Groups by their size", "3 groups of 11 records", "Information loss by attribute")
    ]


@pytest.mark.parametrize(
    ("text", "ties"),
    [
        ("x\n0\n1\n3\n100\n101\n104\n", 0),
        ("x\n0\n1\n3\n101\n103\n104\n", 1),
        ("x,y\n-22,0\n-19,0\n-18,1\n-18,-1\n0,0\n1,0\n2,0\n0,3\n", 1),
    ],
    ids=["none", "both ends are farthest", "two records for one place"],
)
def test_ties_met_are_those_of_the_run(
    audit: Callable[..., tuple[int, Element, dict[str, Any]]], tmp_path: Path, text: str, ties: int
) -> None:
    table = tmp_path / "table.csv"
    table.write_text(text)
    _, page, data = audit(table, "--algorithm", "mdav", "--standardise", "none")
    assert data["blocks"][0]["checks"][3]["details"]["ties_met"] == ties
    assert table_of(page, "The release as a run of an algorithm")[1][3] == str(ties)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("$a_{<b>,<script>\n1,2\n3,9\n4,4\n5,1\n7,7\n9,5\n", ()),
        ("x\n" + "5\n" * 7, ()),
        ("x,y\n" + "1,1\n" * 6, ("--standardise", "none")),
        ("x,y,z\n1,5,2\n2,4,1\n3,9,3\n8,2,5\n7,1,6\n9,4,7\n", ("--blocks", "x,z;y")),
        ("x,y\n1e200,1\n2e200,2\n3e200,4\n9e200,3\n8e200,0\n7e200,9\n", ("--standardise", "none")),
        ("x\n" + "".join(f"{i * i}\n" for i in range(400)), ()),
    ],
    ids=["hostile names", "constant", "one point", "blocks", "beyond floats", "many"],
)
def test_pages_of_other_releases(
    audit: Callable[..., tuple[int, Element, dict[str, Any]]],
    tmp_path: Path,
    text: str,
    options: tuple[str, ...],
) -> None:
    table = tmp_path / "table.csv"
    table.write_text(text)
    _, page, data = audit(table, *options)
    names = text.splitlines()[0].split(",")
    assert [row[0] for row in table_of(page, "Loss by attribute")[1:]] == names
    assert sorted(n for block in data["blocks"] for n in block["attributes"]) == sorted(names)


def test_a_release_that_is_not_anonymous(tmp_path: Path) -> None:
    folder = tmp_path / "page"
    assert main(["audit", str(FIRMS), str(FIRMS), "-k", "3", "--report", str(folder)]) == 1
    page = read_page(folder / "index.html")
    assert table_of(page, "Groups by their size")[1:] == [["1", "11"]]
    assert "fails" in page.all("header")[0].text


def test_the_page_of_declared_kinds(tmp_path: Path) -> None:
    routes, released = shipped_folder() / "routes-sixty.csv", tmp_path / "released.csv"
    kinds = ["--confidential", "id", "--kind", "route=sequence:>", "--algorithm", "kshc", "-k", "3"]
    assert refagg_main(["mask", str(routes), *kinds, "-o", str(released)]) == 0
    folder = tmp_path / "page"
    assert (
        main(["audit", str(routes), str(released), *kinds[:4], "-k", "3", "--report", str(folder)])
        == 0
    )
    page = read_page(folder / "index.html")
    check_page(page, (folder / "index.html").read_text(encoding="utf-8"))
    data = json.loads((folder / "results.json").read_text())
    sizes = table_of(page, "Groups by their size")[1:]
    assert sum(int(size) * int(count) for size, count in sizes) == 60
    assert f"{data['facts']['record_linkage']:.4%}".replace("%", " %") in page.by_id("main").text


# Constraints

ADDS_UP = "net + tax = gross"
SLIPS = "net,tax,gross\n1,1,2\n2,1,3\n3,1,4\n10,2,12\n11,2,13\n12,2,23\n"
"""The last slip is off by 9."""


def read_report(folder: Path) -> tuple[Element, dict[str, Any]]:
    page = read_page(folder / "index.html")
    check_page(page, (folder / "index.html").read_text(encoding="utf-8"))
    return page, json.loads((folder / "results.json").read_text())


def test_the_page_tells_how_constraints_are_met_before_and_after(tmp_path: Path) -> None:
    """Groups are the first and the last three; 11, 2 and 16 become 12, 3 and 15."""
    slips, released, folder = (tmp_path / name for name in ("slips.csv", "released.csv", "page"))
    slips.write_text(SLIPS)
    released.write_text("net,tax,gross\n" + "2,1,3\n" * 3 + "12,3,15\n" * 3)
    asked = ["--constraint", ADDS_UP, "--standardise", "none", "--report", str(folder)]
    assert main(["audit", str(slips), str(released), "-k", "3", *asked]) == 0
    page, data = read_report(folder)
    assert table_of(page, "Deviation of the records")[1:] == [
        [ADDS_UP, "original", "1 of 6", "9", "5", "1.5", "3.67423"],
        [ADDS_UP, "released", "0 of 6", "0", "-", "0", "0"],
    ]
    section = page.by_id("constraints").parent
    assert section is not None
    assert f"holds {ADDS_UP} met exactly" in section.text
    check = data["blocks"][0]["checks"][3]
    assert [check["name"], check["status"]] == ["constraints", "holds"]
    assert check["details"]["constraints"][0]["original"]["violated_records"] == 1


def test_the_page_tells_of_a_constraint_that_is_violated(tmp_path: Path) -> None:
    """Means that are not moved: 11 + 2 is not 16."""
    slips, released, folder = (tmp_path / name for name in ("slips.csv", "released.csv", "page"))
    slips.write_text(SLIPS)
    released.write_text("net,tax,gross\n" + "2,1,3\n" * 3 + "11,2,16\n" * 3)
    asked = ["--constraint", ADDS_UP, "--standardise", "none", "--report", str(folder)]
    assert main(["audit", str(slips), str(released), "-k", "3", *asked]) == 1
    page, _ = read_report(folder)
    assert table_of(page, "Deviation of the records")[2] == [
        *(ADDS_UP, "released", "3 of 6", "3", "3", "1.5", "2.12132")
    ]
    section = page.by_id("constraints").parent
    assert section is not None
    assert "left side minus right side" in section.text
    assert "violated by 3 of 6 records" in section.text


def test_without_constraints_and_draws_there_are_no_sections_of_them(
    audit: Callable[..., tuple[int, Element, dict[str, Any]]],
) -> None:
    _, page, _ = audit(FIRMS)
    ids = {element.attributes.get("id") for element in page.all("h2")}
    assert not ids & {"constraints", "draws"}


# Draws


def test_the_page_of_a_fuzzy_release(tmp_path: Path) -> None:
    twelve, released = shipped_folder() / "tor-table1.csv", tmp_path / "released.csv"
    made, folder, verdict = tmp_path / "made.json", tmp_path / "page", tmp_path / "verdict.json"
    law = ["-k", "3", "--algorithm", "fuzzy", "--param", "m1=1.5", "--param", "m2=2"]
    law += ["--constraint", "1.16*v1 + 1.07*v2 = v3", "--seed", "5"]
    assert refagg_main(["mask", str(twelve), *law, "-o", str(released), "--json", str(made)]) == 0
    asked = [*law, "--centres", str(made), "--json", str(verdict), "--report", str(folder)]
    asked += ["--anonymity", "on-average"]
    assert main(["audit", str(twelve), str(released), *asked]) == 0
    page, data = read_report(folder)
    told = json.loads(verdict.read_text())
    del told["run"]
    assert {key: data[key] for key in told} == told
    checks = {check["name"]: check for check in data["blocks"][0]["checks"]}
    found, by_mask = checks["assignment"]["details"], json.loads(made.read_text())
    sizes = [[float(x) for x in row[1:]] for row in table_of(page, "Sizes of groups")[1:]]
    ours = by_mask["blocks"][0]["centres"][0]
    columns = ("expected_sizes", "standard_deviations_of_sizes", "realised_sizes")
    theirs = zip(*(ours[name] for name in columns), strict=True)
    # The judge has its own memberships, and numbers centres by the first record of each.
    assert sorted(sizes) == [pytest.approx(row, abs=0.005) for row in sorted(theirs)]
    ps = [row[2] for row in table_of(page, "Is it a draw")[1:]]
    assert ps == [f"{found[f'p{name}']:.3g}" for name in ("_likelihood", "_sizes", "_rarest", "")]
    power = {row[0]: row[1] for row in table_of(page, "Power")[1:]}
    assert power == {how: f"{share:.2f}" for how, share in found["power"].items()}
    attacks = data["facts"]["transparency_attack"]
    rows = table_of(page, "Records that the intruder finds")[1:]
    keys = ("nearest", "posterior", "mdav_nearest")
    assert [row[1] for row in rows] == [f"{100 * attacks[key]['share']:.2f} %" for key in keys]
    assert rows[1][2] == f"{100 * attacks['posterior']['expected_share']:.2f} %"
    assert table_of(page, "Deviation of the records")[1][:3] == [
        *("1.16*v1 + 1.07*v2 = v3", "original", "0 of 12")
    ]


def test_a_fuzzy_release_that_cannot_be_tested_has_a_page_too(tmp_path: Path) -> None:
    """Two rows of which one is no centre: nothing is said of draws and attacks but the sizes."""
    table, released = tmp_path / "table.csv", tmp_path / "released.csv"
    table.write_text("x\n0\n1\n2\n10\n11\n12\n")
    released.write_text("x\n" + "1\n" * 3 + "9\n" * 3)
    centres, folder = tmp_path / "centres.csv", tmp_path / "page"
    centres.write_text("x\n1\n11\n")
    asked = ["-k", "3", "--algorithm", "fuzzy", "--centres", str(centres), "--report", str(folder)]
    assert main(["audit", str(table), str(released), *asked]) == 1
    page, _ = read_report(folder)
    section = page.by_id("draws").parent
    assert section is not None
    assert "0 of 6" in section.text
    assert not section.all("table")


# Whole or not at all


def test_the_same_judgements_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_report(judgements(), tmp_path / name, "t", "c")
    for file in ("index.html", "results.json"):
        first, second = ((tmp_path / name / file).read_bytes() for name in ("one", "two"))
        assert first == second


@pytest.mark.long
def test_the_demo_writes_a_page_of_each_audit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "demo"
    assert main(["audit", "--demo", "--report", str(folder)]) == 0
    verdicts = {
        path.name: json.loads((path / "results.json").read_text())["verdict"]
        for path in folder.iterdir()
    }
    names = ("eleven-firms", "synthetic-clustered")
    assert verdicts == {
        f"{name}-{what}": "holds" if what == "right" else "fails"
        for name in names
        for what in ("right", "exchanged", "truncated")
    }
    page = read_page(folder / "eleven-firms-exchanged" / "index.html")
    assert "fails" in page.all("header")[0].text
    assert "algorithm mdav" in " ".join(page.all("header")[0].text.split())
    capsys.readouterr()
    for refused in (["--report", str(tmp_path / "no" / "folder")], ["-k", "3"], ["--json", "x"]):
        assert main(["audit", "--demo", *refused]) == 2
        told = capsys.readouterr()
        assert told.out == ""
        assert told.err.startswith("error: ")


@pytest.mark.parametrize("module", ["jinja2", "matplotlib"])
def test_without_an_extra_nothing_is_done(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str], module: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=module):
        write_report([], tmp_path / "out", "t", "c")
    status = main(["audit", str(FIRMS), str(FIRMS), "-k", "3", "--report", str(tmp_path / "out")])
    told = capsys.readouterr()
    assert (status, told.out) == (2, "")
    assert "pip install '.[report]'" in told.err
    assert not list(tmp_path.iterdir())


def test_a_page_that_cannot_be_made_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(TypeError):
        write_pages(tmp_path / "out", "base.html", {"title": "t", "version": "v"}, {1, 2})
    with pytest.raises(OutputUnwritable, match="a file"):
        check_report(FIRMS)
    with pytest.raises(OutputUnwritable, match="no folder"):
        check_report(tmp_path / "no" / "out")
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "index.html").write_text("x")
    with pytest.raises(OutputUnwritable, match="input"):
        check_report(tmp_path / "there", [tmp_path / "there" / "index.html"])
    assert [path.name for path in tmp_path.iterdir()] == ["there"]

    def broken(*given: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("refagg.data.csvfiles.os.replace", broken)
    for folder in ("there", "new"):
        with pytest.raises(OutputUnwritable, match="No space"):
            write_report([], tmp_path / folder, "t", "c")
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
    assert [path.read_text() for path in (tmp_path / "there").iterdir()] == ["x"]


def test_signs_that_cannot_be_seen_are_written_out() -> None:
    assert printable("tab\tand\nline, \u00e9\u4e2d") == "tab\tand\nline, \u00e9\u4e2d"
    assert printable("\x00\u2066\u200b\ufeff\ud800") == "\\x00\\u2066\\u200b\\ufeff\\ud800"


def test_pictures_of_one_page_share_no_names() -> None:
    svg = (
        '<?xml version="1.0"?><!DOCTYPE svg><svg viewBox="0 0 36 24"><metadata>m</metadata>'
        '<defs><clipPath id="p"/><style>*{}</style></defs>'
        '<g clip-path="url(#p)" style="fill: #ff0000; stroke: #00ff00"/>'
        '<use xlink:href="#p"/><text>id="p" #ff0000</text></svg>'
    )
    shown = inline(svg, "a", "T & t", "<d>", {"#ff0000": "red"})
    assert shown.startswith('<svg viewBox="0 0 36 24" style="width: 3rem" role="img"')
    assert '<title id="a-title">T &amp; t</title>' in shown
    assert '<clipPath id="a-p"/>' in shown
    assert 'clip-path="url(#a-p)" style="fill: var(--red); stroke: #00ff00"' in shown
    assert '<use href="#a-p"/>' in shown
    assert "metadata" not in shown
    assert "{}" not in shown


# Contrast


def palette(style: str) -> list[dict[str, str]]:
    """The colours of the page by their names, for light and for dark."""
    return [
        dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6});", block))
        for block in re.findall(r":root \{(.*?)\}", style, re.DOTALL)
    ]


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_in_light_and_dark() -> None:
    """WCAG 2: text 4.5, what shows something in a picture 3."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    style = Path(sys.modules["oracle.report.pages"].__file__ or "").parent / "templates/style.css"
    light, dark = palette(style.read_text())
    assert set(light) == set(dark)
    for colours in (light, dark):
        for ground in (colours["paper"], colours["panel"]):
            for name in ("ink", "soft", "link", *(s.replace(" ", "-") for s in STATUSES)):
                assert contrast(colours[name], ground) >= 4.5, name
            for name in ("focus", "pale", *(f"group-{number}" for number in range(10))):
                assert contrast(colours[name], ground) >= 3, name


def test_one_page_compares_several_releases(tmp_path: Path) -> None:
    """The third is the second with a value changed in one record, which is then alone."""
    source = shipped_folder() / "eleven-firms.csv"
    made, names = [tmp_path / f"{name}.csv" for name in ("a", "b", "c")], ["mdav", "mdav-single"]
    for path, name in zip(made, names, strict=False):
        masked = ["mask", str(source), "--algorithm", name, "-k", "3", "-o", str(path)]
        assert refagg_main(masked) == 0
    lines = made[1].read_text().splitlines()
    cells = lines[1].split(",")
    lines[1] = ",".join(["999", *cells[1:]])
    made[2].write_text("\n".join(lines) + "\n")
    page, proof = tmp_path / "all.html", tmp_path / "proof.json"
    optimum = ["optimum", str(source), "-k", "3", "--certificate", str(proof), "--quiet"]
    assert main(optimum) == 0
    audit = ["audit", str(source), *map(str, made), "-k", "3", "--algorithm", ",".join(names)]
    assert main([*audit, "--certificate", str(proof), "--report", str(page)]) == 1
    assert not (tmp_path / "results.json").exists()
    shown = read_page(page)
    check_page(shown, page.read_text(encoding="utf-8"))
    rows = table_of(shown, "Releases and their checks")
    assert rows[0][:6] == [
        *("release", "verdict", "well formed", "k-anonymous", "aggregates", "run of mdav")
    ]
    by_name = {Path(row[0]).name: dict(zip(rows[0], row, strict=True)) for row in rows[1:]}
    assert list(by_name) == ["a.csv", "b.csv", "c.csv"]
    runs = [(row["run of mdav"], row["run of mdav-single"]) for row in by_name.values()]
    assert runs[:2] == [("holds", "fails"), ("fails", "holds")]
    assert [row["k-anonymous"] for row in by_name.values()] == ["holds", "holds", "fails"]
    assert by_name["c.csv"]["k reached"] == "1"
    assert by_name["a.csv"]["% above the optimum"] == "61.5"  # as the README has it
    for number, link in enumerate(shown.all("table")[0].all("a"), 1):
        section = shown.by_id(link.attributes["href"].removeprefix("#")).parent
        assert section is not None
        assert link.attributes["href"] == f"#release-{number}-all"
        assert "Groups by their size" in section.text


def test_a_page_alone_and_its_folder(tmp_path: Path) -> None:
    page = tmp_path / "one.html"
    write_report(judgements(), page, "One", "oracle conform")
    assert [path.name for path in tmp_path.iterdir()] == ["one.html"]
    assert "results.json beside" not in read_page(page).all("footer")[0].text
    with pytest.raises(OutputUnwritable, match="no folder"):
        check_report(tmp_path / "none" / "page.html")


# What a result is about


def facts_in(head: Element) -> dict[str, str]:
    names, values = ([e.text for e in head.all(kind)] for kind in ("dt", "dd"))
    return dict(zip(names, values, strict=True))


def test_the_head_says_of_what_and_when(tmp_path: Path) -> None:
    """SHA-256 by hashlib; the page and both JSON files say the same."""
    released, folder, told = tmp_path / "r.csv", tmp_path / "page", tmp_path / "verdict.json"
    masked = ["mask", str(FIRMS), "-k", "3", "--algorithm", "mdav", "-o", str(released)]
    assert refagg_main(masked) == 0
    asked = ["audit", str(FIRMS), str(released), "-k", "3", "--algorithm", "mdav,mdav-single"]
    assert main([*asked, "--report", str(folder), "--json", str(told)]) == 1
    head = read_page(folder / "index.html").all("header")[0]
    shown = dict(
        zip([e.text for e in head.all("dt")], [e.text for e in head.all("dd")], strict=True)
    )
    run = json.loads(told.read_text())["run"]
    assert json.loads((folder / "results.json").read_text())["run"] == run
    assert (shown["k"], shown["algorithms"]) == ("3", "mdav, mdav-single")
    assert shown["date"].replace(" UTC", "") == run["date"][:19].replace("T", " ")
    assert shown["versions"] == f"refagg {version('refagg')}, Python {platform.python_version()}"
    for what, path in (("original", FIRMS), ("released", released)):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        assert shown[what] == f"{path.name}, SHA-256 {digest}"
        assert run["files"][what] == {"name": path.name, "sha256": digest}
    assert "run of mdav-single does not hold." in head.text


def test_the_page_of_vectors_says_what_was_asked(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("def one(records, k):\n    return [0] * len(records)\n")
    case = ["--case", "mdav-003-n-equals-2k"]
    sys.path.insert(0, str(tmp_path))
    try:
        given = ["conform", "--algorithm", "mdav", *case, "--python", "program:one"]
        assert main([*given, "--report", str(tmp_path / "page")]) == 1
    finally:
        sys.path.remove(str(tmp_path))
    head = read_page(tmp_path / "page" / "index.html").all("header")[0]
    shown = dict(
        zip([e.text for e in head.all("dt")], [e.text for e in head.all("dd")], strict=True)
    )
    digest = hashlib.sha256(program.read_bytes()).hexdigest()
    assert shown["program"] == f"program.py, SHA-256 {digest}"
    assert shown["algorithm"] == "mdav"
    assert "1 of 1 answers is wrong or missing (1 at run)." in head.text


# What is shown of many groups, and of failures


def table_of_groups(path: Path, groups: int) -> None:
    """Groups of three records along a line; those of group g are g apart."""
    rows = [(1000 * g + place * g, g % 7) for g in range(groups) for place in (-1, 0, 1)]
    path.write_text("x,y\n" + "".join(f"{x},{y}\n" for x, y in rows))


def test_of_many_groups_those_that_lost_most_are_shown(tmp_path: Path) -> None:
    """The three values of group g are g apart, so that it loses 2 g^2."""
    original, released, folder = (tmp_path / name for name in ("o.csv", "r.csv", "page"))
    table_of_groups(original, 60)
    means = "".join(f"{1000 * g},{g % 7}\n" * 3 for g in range(60))
    released.write_text("x,y\n" + means)
    asked = ["audit", str(original), str(released), "-k", "3", "--standardise", "none"]
    assert main([*asked, "--report", str(folder)]) == 0
    page, _ = read_report(folder)
    rows = table_of(page, "The groups with the greatest SSE")[1:]
    assert [row[0] for row in rows] == [
        " ".join(str(3 * g + place) for place in range(3)) for g in range(59, 53, -1)
    ]
    assert [float(row[2]) for row in rows] == [2 * g * g for g in range(59, 53, -1)]
    total = sum(2 * g * g for g in range(60))
    assert float(rows[0][3]) == pytest.approx(100 * 2 * 59**2 / total, abs=0.005)
    tenth = 100 * sum(2 * g * g for g in range(54, 60)) / total
    assert f"{tenth:.1f} % of the total" in page.by_id("main").text
    assert "60 groups of 180 records" not in [e.text for e in page.all("title")]
    assert (
        len([e for e in page.all("use") if e.attributes["href"] == "#plane-0-all"]) == 5
    )  # six pictures; the records are written once


def test_few_groups_are_drawn_in_one_picture(tmp_path: Path) -> None:
    original, released, folder = (tmp_path / name for name in ("o.csv", "r.csv", "page"))
    table_of_groups(original, 5)
    released.write_text("x,y\n" + "".join(f"{1000 * g},{g % 7}\n" * 3 for g in range(5)))
    assert main(["audit", str(original), str(released), "-k", "3", "--report", str(folder)]) == 0
    page, _ = read_report(folder)
    assert "5 groups of 15 records" in [e.text for e in page.all("title")]


def test_failing_checks_have_pictures_of_their_records(tmp_path: Path) -> None:
    """Record 4 is released with a value of its own."""
    original, released, folder = (tmp_path / name for name in ("o.csv", "r.csv", "page"))
    table_of_groups(original, 5)
    rows = [f"{1000 * g},{g % 7}" for g in range(5) for _ in range(3)]
    rows[4] = "1001,1"
    released.write_text("\n".join(["x,y", *rows]) + "\n")
    assert main(["audit", str(original), str(released), "-k", "3", "--report", str(folder)]) == 1
    page, _ = read_report(folder)
    assert "Records for which the check fails: k-anonymous" in [e.text for e in page.all("h3")]
    pictures = [e for e in page.all("svg") if e.all("title")[0].text.startswith("record 4:")]
    assert [e.text for e in pictures[0].all("text")] == ["4"]


def test_filters_choose_by_rules_alone(report: tuple[Element, dict[str, Any], Path]) -> None:
    """Each button has a rule that leaves what has its number; the numbers are the statuses'."""
    page, _, folder = report
    source = (folder / "index.html").read_text(encoding="utf-8")
    buttons = [e for e in page.all("input") if e.attributes["name"] == "status"]
    assert [e.attributes.get("id") for e in buttons] == [
        None,
        *(f"show-status-{n}" for n in range(5)),
    ]
    labels = [e.parent.text for e in buttons if e.parent]
    counts = zip(STATUSES, (1, 2, 1, 1, 1), strict=True)
    assert labels[1:] == [f"{status} ({count})" for status, count in counts]
    failures = [page.by_id(f"failure-{n}").attributes["data-status"] for n in (1, 2, 3)]
    assert failures == ["1", "1", "2"]
    assert (
        'main:has(#show-status-1:checked) [data-status]:not([data-status="1"]) { display: none'
        in source
    )


def test_pages_of_small_data_are_small(tmp_path: Path) -> None:
    """All vectors of MDAV, answered wrongly; and 1080 records in 360 groups."""
    cases = [vector.case for vector in vectors_of("mdav")]
    one_group = [Answer(groups=(tuple(range(len(case.records))),)) for case in cases]
    vectors = [
        Judgement(case, answer, "failed", "run", "wrong")
        for case, answer in zip(cases, one_group, strict=True)
    ]
    write_report(vectors, tmp_path / "vectors.html", "All wrong", "oracle conform")
    original, released = tmp_path / "o.csv", tmp_path / "r.csv"
    table_of_groups(original, 360)
    released.write_text("x,y\n" + "".join(f"{1000 * g},{g % 7}\n" * 3 for g in range(360)))
    page = tmp_path / "audit.html"
    assert main(["audit", str(original), str(released), "-k", "3", "--report", str(page)]) == 0
    for name in ("vectors.html", "audit.html"):
        assert (tmp_path / name).stat().st_size < 350_000, name
