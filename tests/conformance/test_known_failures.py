"""What continuous integration needs: known failures, JUnit XML, vectors by flag, causes."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import isfinite
from pathlib import Path
from xml.etree import ElementTree

import pytest
from places import ROOT
from plain.mdav import partition as plain_mdav

import oracle
from oracle.commands.main import main
from oracle.conformance.judge.causes import cause_of, shared_names
from oracle.conformance.judge.judging import judge
from oracle.conformance.judge.model import Answer, Case, Judgement
from oracle.conformance.judge.senseless import senseless
from oracle.conformance.vectors import vectors_of
from refagg.language.specification import FIXED
from tests.pages import check_page, read_page

Rows = Sequence[Sequence[float]]
Groups = list[list[int]]

HERE = "tests.conformance.test_known_failures"


def refuse_nonsense(records: Rows, k: int) -> None:
    if not all(isfinite(float(cell)) for row in records for cell in row):
        raise ValueError("a value")
    if not 1 <= k <= len(records) or not records[0] or len({len(row) for row in records}) > 1:
        raise ValueError("k, or the shape of the records")


def right(records: Rows, k: int) -> Groups:
    refuse_nonsense(records, k)
    return plain_mdav([tuple(map(Fraction, row)) for row in records], k)


def wrong_from_11_on(records: Rows, k: int) -> Groups:
    return [list(range(len(records)))] if len(records) > 10 else right(records, k)


def careless(records: Rows, k: int) -> Groups:
    """Two faults: it refuses nothing, and it is wrong where two groups are possible."""
    return [list(range(len(records)))]


ASKED = ["conform", "--algorithm", "mdav", "--without", "kinds", "--max-failures", "0"]
ASKED += ["--answer-timeout", "120"]  # by fractions a thousand records take seconds


def failing() -> list[str]:
    """By hand: the vectors of more than ten records, of numbers, for which one group is wrong."""
    own = [v for v in vectors_of("mdav") if not v.case.kinds and not v.case.shape]
    own = [v for v in own if v.case.standardise == "none"]  # the program is told no other scale
    several = [v for v in own if len(v.case.records) >= max(11, 2 * v.case.k)]
    return [v.id for v in several if v.expectation.kind != "reject"]


@pytest.mark.long
def test_what_is_known_may_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = tmp_path / "known.txt"
    lines = [f"{name}: one group only" for name in failing()]
    known.write_text("# of version 1\n\n" + "\n".join(lines), encoding="utf-8")
    program = ["--python", f"{HERE}:wrong_from_11_on"]
    assert main([*ASKED, *program]) == 1
    assert main([*ASKED, *program, "--known-failures", str(known)]) == 0
    assert capsys.readouterr().out.count("known failure: mdav-") >= 5
    known.write_text("\n".join(lines[1:]), encoding="utf-8")
    assert main([*ASKED, *program, "--known-failures", str(known)]) == 1


@pytest.mark.long
def test_what_is_known_by_its_cause_or_a_pattern(tmp_path: Path) -> None:
    known = tmp_path / "known.txt"
    how = {"without": ["kinds"], "known_failures": known}
    known.write_text("run/*: one group only", encoding="utf-8")
    assert oracle.conform(wrong_from_11_on, "mdav", **how).ok  # type: ignore[arg-type]
    made = oracle.conform(careless, "mdav", **how)  # type: ignore[arg-type]
    assert {judgement.check for judgement in made.failures} == {"answered"}


def test_what_does_not_fail_any_more_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = tmp_path / "known.txt"
    known.write_text("mdav-003-*: fixed long ago", encoding="utf-8")
    command = [*ASKED, "--python", f"{HERE}:right", "--known-failures", str(known)]
    first, second = (vectors_of("mdav")[0].id, "mdav-003-n-equals-2k")
    assert main([*command, "--case", first, "--case", second]) == 1
    said = capsys.readouterr().out
    assert "no longer fails: mdav-003-* (fixed long ago); remove it from the list" in said
    assert main([*command, "--case", first]) == 0  # it was not asked
    known.write_text("mdav-505-*: kinds", encoding="utf-8")
    [kinds] = [vector.id for vector in vectors_of("mdav") if vector.id.startswith("mdav-505-")]
    declining = ["conform", "--algorithm", "mdav", *command[len(ASKED) :]]
    assert main([*declining, "--case", first, "--case", kinds]) == 0  # it is unsupported


@pytest.mark.parametrize("line", ["mdav-003-n-equals-2k", "mdav-003-n-equals-2k:", ": why"])
def test_a_known_failure_needs_a_reason(
    tmp_path: Path, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    known = tmp_path / "known.txt"
    known.write_text(f"\n{line}\n", encoding="utf-8")
    command = [*ASKED, "--python", f"{HERE}:right", "--known-failures", str(known)]
    assert main(command) == 2
    assert "line 2: " in capsys.readouterr().err
    assert main([*command[:-1], str(tmp_path / "none.txt")]) == 2


def suite_in(path: Path) -> tuple[ElementTree.Element, Callable[[str], list[str]]]:
    root = ElementTree.parse(path).getroot()

    def names(outcome: str) -> list[str]:
        return [t.attrib["name"] for t in root.iter("testcase") if t.find(outcome) is not None]

    return root, names


def test_results_of_vectors_as_junit(tmp_path: Path) -> None:
    known, out = tmp_path / "known.txt", tmp_path / "out.xml"
    first, *others = failing()[:4]
    some = {first, *others, *(vector.id for vector in vectors_of("mdav")[:6])}
    known.write_text(f"{first}: one group only", encoding="utf-8")
    program = ["--python", f"{HERE}:wrong_from_11_on", "--known-failures", str(known)]
    cases = [part for name in sorted(some) for part in ("--case", name)]
    assert main([*ASKED, *cases, *program, "--junit", str(out)]) == 1
    root, names = suite_in(out)
    assert sorted(names("failure")) == sorted(others)
    assert names("error") == []
    assert first in names("skipped")
    assert root.attrib["failures"] == str(len(others))
    assert root.attrib["tests"] == str(len(list(root.iter("testcase"))))
    asked = {test.attrib["name"] for test in root.iter("testcase")}
    assert asked == some


@pytest.mark.long
def test_results_of_a_hunt_as_junit(tmp_path: Path) -> None:
    out, known = tmp_path / "out.xml", tmp_path / "known.txt"
    hunt = [
        "hunt",
        "--algorithm",
        "mdav",
        "-k",
        "2",
        "--max-questions",
        "75",
        "--max-records",
        "12",
    ]
    command = [*hunt, "--junit", str(out), "--python"]
    assert main([*command, f"{HERE}:right"]) == 0
    root, names = suite_in(out)
    assert (names("failure"), names("error"), names("skipped")) == ([], [], [])
    assert "to be refused, small values" in {t.attrib["name"] for t in root.iter("testcase")}
    assert main([*command, f"{HERE}:wrong_from_11_on"]) == 1
    assert len(suite_in(out)[1]("failure")) == 1
    known.write_text("run/*: one group only\nanswered/*: nothing is checked", encoding="utf-8")
    listed = [f"{HERE}:careless", "--known-failures", str(known)]
    assert main([*command, *listed]) == 0
    assert suite_in(out)[1]("failure") == []
    assert len(suite_in(out)[1]("skipped")) >= 2
    assert main([*command, *listed, "--time-limit", "0.001"]) in (2, 3)
    assert suite_in(out)[1]("error") == ["covered enough"]


def test_a_hunt_as_junit_in_short(tmp_path: Path) -> None:
    """Groups of one, and input to be refused: two topics, of which one fails."""
    out = tmp_path / "out.xml"
    words = ["hunt", "--algorithm", "any k-partition", "-k", "1", "--max-questions", "20"]
    assert main([*words, "--junit", str(out), "--python", f"{HERE}:careless"]) == 1
    root, names = suite_in(out)
    assert [test.attrib["name"] for test in root] == [
        "k = 1, small values",
        "to be refused, small values",
        "covered enough",
    ]
    assert names("failure") == ["to be refused, small values"]


def failed(check: str, *steps: str, reason: str = "no way", records: int = 4) -> Judgement:
    case = Case("doc", "mdav", 2, (("0",),) * records)
    lines = tuple(f"iteration 1, step {step}" for step in steps)
    return Judgement(case, Answer(), "failed", check, reason, lines)


AVERAGE = "the record most distant from the average of the remaining records"


def test_failures_that_one_choice_explains_are_one_cause() -> None:
    """By hand: a wrong seed explains the first four, whatever else would explain two of them."""
    found = [
        failed("run", "4: near last x_r, the nearest to the last", f"4: last x_r, {AVERAGE}"),
        failed("run", f"4: last x_r, {AVERAGE}"),
        failed("run", "3: near x_r, the nearest to x_r", f"1: x_r, {AVERAGE}"),
        failed("run", f"1: x_r, {AVERAGE}"),
        failed("run", "2: x_s, the record most distant from x_r"),
        failed("aggregates"),
        failed("run"),
    ]
    seed, other = "run/last-x_r", ["run/x_s", "aggregates", "run/no-way"]
    assert shared_names(found) == [seed] * 4 + other


@pytest.mark.long
def test_two_mistakes_are_two_causes() -> None:
    """Seeds that are the first of the remaining records, and any k: each is met again and again."""
    found = oracle.hunt(first_seeds, "mdav", k=2, max_questions=120, all_failures=True)
    checks = [cause.name.partition("/")[0] for cause in found.causes]
    assert len(found.findings) > 2
    assert {*checks} == {"answered", "run"}
    assert len(checks) < len(found.findings)


def first_seeds(records: Rows, k: int) -> Groups:
    if k > len(records) > 0:
        return [list(range(len(records)))]
    right(records, k)  # which refuses the rest
    return from_the_first(records, k)


def from_the_first(records: Rows, k: int) -> Groups:
    rows = [tuple(map(Fraction, row)) for row in records]
    left, made = list(range(len(rows))), []

    def apart(i: int, j: int) -> Fraction:
        return sum(((x - y) ** 2 for x, y in zip(rows[i], rows[j], strict=True)), Fraction(0))

    def group(seed: int, keep: int | None = None) -> None:
        near = sorted((j for j in left if j != keep), key=lambda j: (apart(seed, j), j != seed))[:k]
        made.append(near)
        left[:] = [j for j in left if j not in near]

    while len(left) >= 3 * k:
        first = left[0]
        farthest = max(left, key=lambda j: apart(first, j))
        group(first, farthest)
        group(farthest)
    if len(left) >= 2 * k:
        group(left[0])
    return [*made, left]


@pytest.mark.parametrize("k", [0, 5])
def test_a_vector_and_a_hunt_name_accepted_nonsense_alike(k: int) -> None:
    """By hand: of 4 records there is no partition with k = 5, and none with k = 0."""
    words = {0: "answered/k-is-less-than", 5: "answered/there-are-fewer-than-k-records"}

    def accepts(records: Rows, asked: int) -> Groups:
        if asked != k or not records:
            refuse_nonsense(records, asked)
        return [list(range(len(records)))]

    own = oracle.conform(accepts, "any k-partition", without=["kinds"])
    assert {cause_of(j) for j in own.failures} <= {words[k]}
    case = Case("doc", "mdav", k, (("0",),) * 4)
    hunted = judge(case, Answer(groups=((0, 1, 2, 3),)), senseless(case))
    assert cause_of(hunted) == words[k]


def test_vectors_with_a_flag(capsys: pytest.CaptureFixture[str]) -> None:
    flagged = [v for v in vectors_of("mdav") if {"tie", "constant"} & {*v.flags}]
    made = oracle.conform(right, "mdav", flags=["tie", "constant"])
    assert [j.case.id for j in made.judgements] == [v.id for v in flagged]
    command = ["conform", "--algorithm", "mdav", "--python", f"{HERE}:right"]
    assert main([*command, "--flag", "tie", "--flag", "constant"]) == 0
    [total] = [x for x in capsys.readouterr().out.splitlines() if x.startswith("all ")]
    assert sum(map(int, total.split()[1:])) == len(flagged)
    with pytest.raises(SystemExit):
        main([*command, "--flag", "nothing"])


def test_known_failures_are_marked_in_the_data_and_on_the_page(tmp_path: Path) -> None:
    known, data, folder = tmp_path / "known.txt", tmp_path / "out.json", tmp_path / "page"
    listed, other = failing()[:2]
    known.write_text(f"{listed}: one group only\nmdav-003-*: long ago", encoding="utf-8")
    cases = ["--case", listed, "--case", other, "--case", "mdav-003-n-equals-2k"]
    program = ["--python", f"{HERE}:wrong_from_11_on", "--known-failures", str(known)]
    written = ["--json", str(data), "--report", str(folder)]
    assert main([*ASKED, *cases, *program, *written]) == 1
    for found in (json.loads(data.read_text()), json.loads((folder / "results.json").read_text())):
        reasons = {j["case"]["id"]: j["known"] for j in found["judgements"]}
        assert [reasons[listed], reasons[other]] == ["one group only", None]
        stale = [{"name": "mdav-003-*", "reason": "long ago"}]
        assert found["known_failures_that_pass"] == stale
    page = read_page(folder / "index.html")
    check_page(page, (folder / "index.html").read_text(encoding="utf-8"))
    assert "1 of 3 answers is wrong or missing (1 at run), and 1 more that is known" in page.text
    (section,) = [e for e in page.all("section") if e.attributes["aria-labelledby"] == "known"]
    (failure,) = section.all("details")
    assert listed in failure.text
    assert "Known: one group only" in failure.text
    assert "mdav-003-* (long ago) no longer fails" in section.text


@pytest.mark.long
def test_a_hunt_has_data_and_a_page_with_known_causes_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known, data, folder = tmp_path / "known.txt", tmp_path / "out.json", tmp_path / "page"
    known.write_text("run/*: one group only", encoding="utf-8")
    program = ["--python", f"{HERE}:careless", "--known-failures", str(known), "--all-failures"]
    written = [
        "--json",
        str(data),
        "--report",
        str(folder),
        "--max-questions",
        "24",
        "--max-records",
        "6",
    ]
    assert main(["hunt", "--algorithm", "mdav", *program, *written, "-k", "2"]) == 1
    lines = capsys.readouterr().out.splitlines()
    found = json.loads(data.read_text())
    assert found["format"] == "refagg hunt 2"
    names = [cause["name"] for cause in found["causes"]]
    assert len(names) == len({*names}) < sum(len(c["findings"]) for c in found["causes"])
    assert {name.split("/")[0] for name in names} == {"run", "answered"}
    for cause in found["causes"]:
        sizes = [len(one["case"]["records"]) for one in cause["findings"]]
        assert sizes[0] == min(sizes)
    assert sum("cause: " in line for line in lines) == len(names)
    assert any("; also among " in line for line in lines)
    by_name = {cause["name"]: cause["known"] for cause in found["causes"]}
    runs = [name for name in by_name if name.startswith("run/")]
    assert runs
    assert len(runs) < len(by_name)
    for name, reason in by_name.items():
        assert reason == ("one group only" if name in runs else None)
    assert sum(found["by_status"].values()) == found["questions"]
    page = read_page(folder / "index.html")
    check_page(page, (folder / "index.html").read_text(encoding="utf-8"))
    sections = {e.attributes["aria-labelledby"]: e for e in page.all("section")}
    assert len(sections["known"].all("details")) == len(runs)
    assert len(sections["failures"].all("details")) == len(by_name) - len(runs)
    assert sections["known"].text.count("Known: one group only") == len(runs)
    assert page.all("svg")


def test_of_choices_that_explain_equally_many_the_seed_is_named() -> None:
    """Whichever is told first; of two seeds, the likelier one, which is told first."""
    seed, near = "2: x_s, the record most distant from x_r", "3: near x_s, the nearest to x_s"
    other = "1: e, the record most distant from the centroid"
    assert shared_names([failed("run", near, seed)]) == ["run/x_s"]
    assert shared_names([failed("run", seed, near)]) == ["run/x_s"]
    assert shared_names([failed("run", seed, near), failed("run", near)]) == ["run/near-x_s"] * 2
    assert shared_names([failed("run", seed, other)]) == ["run/x_s"]
    assert shared_names([failed("run", other, seed)]) == ["run/e"]


def test_the_names_of_what_a_source_fixes_are_explained() -> None:
    page = (ROOT / "docs/hunt.md").read_text(encoding="utf-8")
    assert not [one.name for one in FIXED if f"`run/{one.name.replace(' ', '-')}`" not in page]
