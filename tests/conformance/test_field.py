"""The state of the field: implementations that are asked, their result files, and the page."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import oracle
from oracle.commands.main import main
from oracle.conformance.field.pages import summary
from oracle.conformance.field.results import RESULTS, judgement_of, results_in
from oracle.conformance.field.table import Member, members
from oracle.conformance.judge.judging import Strictness, judge
from oracle.conformance.vectors.casefiles import FOLDER as CASE_FOLDER
from oracle.conformance.vectors.casefiles import topics
from oracle.functions.field import asked
from refagg.data.textfiles import schema_file
from refagg.errors import MissingExtra
from tests.field_pages import program_page, with_table
from tests.findings import CASES, FIELD, PAGES, cases_text
from tests.pages import check_page, read_page, table_of

SCHEMA = json.loads(schema_file("field").read_text(encoding="utf-8"))

VERDICTS = Strictness(explain=False, blame=False)

WRONG = """
[wrong]
version = "1"
language = "Python"
about = "blocks of k records"
asks = [{ algorithm = "md", python = "tests.conformance.test_field:blocks" }]

[[wrong.notes]]
causes = ["md: run/*"]
type = "other-algorithm"
effect = "more-loss"
line = "blocks, in this file"
text = "Records are not compared."

[absent]
version = "9"
distribution = "no-such-distribution"
language = "R"
about = "nothing"
asks = [{ algorithm = "mdav", python = "nowhere:nothing" }]
"""


def blocks(records: list[list[float]], k: int) -> list[int]:
    """Wrong wherever order matters; it refuses what Python refuses."""
    if k < 1 or len(records) < k or len({len(row) for row in records}) != 1 or not records[0]:
        raise ValueError("no")
    for row in records:
        list(map(float, row))
    return [min(i // k, len(records) // k - 1) for i in range(len(records))]


@pytest.fixture
def field(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder whose table has one implementation that is wrong, and one that is not there."""
    (tmp_path / "implementations.toml").write_text(WRONG, encoding="utf-8")
    monkeypatch.setattr("oracle.conformance.field.table.FOLDER", tmp_path)
    members.cache_clear()
    yield tmp_path
    members.cache_clear()


def test_a_run_writes_a_file_and_a_page(
    field: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With some of the vectors."""
    few = partial(oracle.conform, flags=["tie"])
    monkeypatch.setattr("oracle.functions.field.conform", few)
    out, html = tmp_path / "results", tmp_path / "page.html"
    out.mkdir()
    command = ["field", "--max-questions", "31", "--results", str(out), "--report", str(html)]
    assert main(command) == 0
    told = capsys.readouterr().out
    assert "absent is not tested: it needs absent 9" in told
    assert "wrong 1, md: wrong" in told
    assert [path.name for path in out.iterdir()] == ["wrong.json"]
    (result,) = results_in(out)
    Draft202012Validator(SCHEMA).validate(result)
    (claim,) = result["asked"]
    runs = [one for one in claim["findings"] if one["cause"].startswith("run/")]
    assert runs
    for one in runs:
        smallest = judgement_of(one["smallest"])
        assert judge(smallest.case, smallest.answer).status == "failed"
        assert one["type"] == "other-algorithm"
        assert "Records are not compared. Likely place: blocks, in this file." in one["words"]
    shown = read_page(html)
    check_page(shown, html.read_text(encoding="utf-8"))
    head, row = table_of(shown, "Implementations and the algorithms")
    assert head == ["implementation", "md", "tested on"]
    assert row[1].startswith("wrong")
    link = shown.all("table")[0].all("a")[1]
    assert shown.by_id(link.attributes["href"].removeprefix("#")).text.startswith("md")
    assert len(shown.all("details")) == len(claim["findings"])
    assert main(["field", "--from", str(out), "wrong"]) == 0
    assert main(["field", "absent"]) == 2


THREE = """
[whole]
version = "1"
language = "Python"
about = "blocks of k records"
asks = [{ algorithm = "any k-partition", python = "tests.conformance.test_field:counted" }]

[ended]
version = "1"
language = "Python"
about = "the same; the command is ended meanwhile"
asks = [{ algorithm = "any k-partition", python = "tests.conformance.test_field:ended" }]

[later]
version = "1"
language = "Python"
about = "the same; it is not reached"
asks = [{ algorithm = "any k-partition", python = "tests.conformance.test_field:blocks" }]
"""


@dataclass
class Asked:
    """How many questions each was asked, and when which signal comes."""

    whole: int = 0
    ended: int = 0
    during: str = "vectors"
    signal: signal.Signals = signal.SIGTERM

    @property
    def last(self) -> int:
        """The fifth question, or, during the hunt, the last but one."""
        return 5 if self.during == "vectors" else self.whole - 1


ASKED = Asked()


def counted(records: list[list[float]], k: int) -> list[int]:
    ASKED.whole += 1
    return blocks(records, k)


def ended(records: list[list[float]], k: int) -> list[int]:
    """The signal comes at its question."""
    ASKED.ended += 1
    if ASKED.ended == ASKED.last:
        signal.raise_signal(ASKED.signal)
    return blocks(records, k)


@pytest.mark.parametrize(
    ("during", "sent"),
    [
        ("vectors", signal.SIGTERM),
        pytest.param("hunt", signal.SIGTERM, marks=pytest.mark.long),
        ("hunt", signal.SIGINT),
    ],
)
def test_a_run_that_is_ended_writes_no_counts_that_are_cut(
    field: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    during: str,
    sent: signal.Signals,
) -> None:
    (field / "implementations.toml").write_text(THREE, encoding="utf-8")
    told = Asked(during=during, signal=sent)
    monkeypatch.setattr("tests.conformance.test_field.ASKED", told)
    out = tmp_path / "results"
    out.mkdir()
    (out / "ended.json").write_text("of another day", encoding="utf-8")
    command = ["field", "--max-questions", "31", "--results", str(out)]
    assert main(command) == 130
    said = capsys.readouterr()
    assert "ended has no result: its test was interrupted" in said.out
    assert "ended 1" not in said.out
    assert "later" not in said.out
    assert told.ended == told.last
    assert "this is the result so far" in said.err
    assert sorted(path.name for path in out.iterdir()) == ["ended.json", "whole.json"]
    assert (out / "ended.json").read_text(encoding="utf-8") == "of another day"
    result = json.loads((out / "whole.json").read_text(encoding="utf-8"))
    Draft202012Validator(SCHEMA).validate(result)


def test_the_results_that_ship(tmp_path: Path) -> None:
    """Each is of a member of the table, valid, and judged again in the same way."""
    results, names = results_in(RESULTS), {member.name: member for member in members()}
    assert len(results) >= 10
    for result in results:
        Draft202012Validator(SCHEMA).validate(result)
        known = names[result["implementation"]["name"]]
        assert result["implementation"]["version"] == known.version
        claims = [(one["algorithm"], dict(one["parameters"])) for one in result["asked"]]
        assert claims == [
            (ask.algorithm, dict(ask.options.get("parameters", {}))) for ask in known.asks
        ]
        for one in (finding for claim in result["asked"] for finding in claim["findings"]):
            smallest = judgement_of(one["smallest"])
            if smallest.check in ("run", "optimal", "SSE"):
                judged = judge(smallest.case, smallest.answer, strict=VERDICTS)
                assert judged.status == "failed", one["cause"]
    html = tmp_path / "field.html"
    assert main(["field", "--from", "--report", str(html)]) == 0
    check_page(read_page(html), html.read_text(encoding="utf-8"))


def test_the_page_and_the_cases_of_findings_are_of_these_results() -> None:
    results = results_in(RESULTS)
    root = Path(__file__).parents[2]
    text = (root / FIELD).read_text(encoding="utf-8")
    assert with_table(text, results) == text
    for result in results:
        name = f"{result['implementation']['name']}.md"
        written = (root / PAGES / name).read_text(encoding="utf-8")
        assert written == "\n".join(program_page(result)).rstrip() + "\n"
    shown = {path.stem for path in (root / PAGES).glob("*.md")}
    assert shown == {result["implementation"]["name"] for result in results}
    cases = (CASE_FOLDER / f"{CASES}.txt").read_text(encoding="utf-8")
    assert cases_text(results, topics(CASES)) == cases


def test_the_picture_is_of_these_results(tmp_path: Path) -> None:
    """For light and dark, without a script; each claim of a program by others is a row."""
    drawn = tmp_path / "field.svg"
    assert main(["field", "--from", "--picture", str(drawn)]) == 0
    text = drawn.read_text(encoding="utf-8")
    assert text == (Path(__file__).parents[2] / "docs/_static/field.svg").read_text("utf-8")
    shown = [one for one in results_in(RESULTS) if one["implementation"]["link"]]
    assert text.count("<line") == 1 + sum(len(one["asked"]) for one in shown)
    assert "prefers-color-scheme: dark" in text
    assert "<script" not in text


def test_the_readme_has_the_numbers_of_these_results() -> None:
    text = " ".join((Path(__file__).parents[2] / "README.md").read_text("utf-8").split())
    assert summary(results_in(RESULTS)) in text


def test_what_is_missing_is_said() -> None:
    def missing(**how: Any) -> str:
        return Member("x", "1", "C", "about", (), **how).missing()

    assert missing() == ""
    assert missing(needs=("no-such-program",)) == "the program no-such-program"
    assert "nobody/nothing in the folder" in missing(checkout="nobody/nothing")
    assert missing(distribution="no-such-distribution") == "x 1"
    assert missing(version_command=("echo", "1")) == ""
    assert missing(version_command=("echo", "2")) == "x 1, not 2"
    assert missing(version_command=("false",)) == "x 1"


def test_a_program_is_compiled_and_asked() -> None:
    """The project's own example in C, of which nothing is found."""
    (member,) = [one for one in members() if one.name == "mdav-c"]
    if member.missing():
        pytest.skip("no C compiler is installed here")
    result = asked(member, 31, 60.0)
    assert [claim["findings"] for claim in result["asked"]] == [[]]


def lacking(records: list[list[float]], k: int) -> list[int]:
    """A package is missed when it is asked, not before."""
    raise MissingExtra("pip install nothing-like-it")


def test_an_implementation_that_cannot_be_loaded_is_no_finding(
    field: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = field / "implementations.toml"
    table.write_text(
        table.read_text(encoding="utf-8").replace("test_field:blocks", "test_field:lacking"),
        encoding="utf-8",
    )
    members.cache_clear()
    assert main(["field", "wrong", "--quiet"]) == 2
    assert "wrong is not tested: pip install nothing-like-it" in capsys.readouterr().out
    program = ["--python", "tests.conformance.test_field:lacking"]
    assert main(["conform", "--algorithm", "mdav", "--quiet", *program]) == 2
    assert "nothing-like-it" in capsys.readouterr().err
