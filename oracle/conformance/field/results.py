"""Results of the field, and the words for its findings.

There is a JSON file for each implementation.

`refagg/schemas/field.schema.json` says what a file may contain.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from oracle.conformance.field.table import FOLDER, Member, Note
from oracle.conformance.hunting.findings_report import question_text
from oracle.conformance.judge.causes import led_by
from oracle.conformance.judge.model import Answer, Case, Judgement
from oracle.conformance.judge.severity import SEVERITIES, severity_of
from oracle.conformance.running import answer_text
from oracle.conformance.summary import judgement_data
from oracle.conformance.transport.protocol import case_of
from refagg.data.csvfiles import write_json
from refagg.data.textfiles import read_json
from refagg.errors import FileUnreadable
from refagg.language.lists import by_key

FORMAT = "refagg field 1"
SEVERAL = "refagg fields 1"
RESULTS = FOLDER / "results"

Result = Mapping[str, Any]

MOST_RECORDS = 30
"""Records of an input that is told in words: all that a hunt asks. Vectors may have more."""

MOST_SIGNS = 400
"""Of an answer, of what is right, and of where they differ, in words."""


def finding_data(
    member: Member, algorithm: str, name: str, judgements: Sequence[Judgement]
) -> dict[str, object]:
    """Return a cause with its smallest input and its failures.

    The input is given in words, too; of the failures only the number.
    """
    smallest, note = led_by(judgements[0], name), member.note(f"{algorithm}: {name}")
    return {
        "cause": name,
        "failures": len(judgements),
        "type": note.type if note else "",
        "effect": note.effect if note else "",
        "severity": (note and note.severity) or severity_of(smallest),
        "reported": note.reported if note else "",
        "upstream": note.upstream if note else "",
        "fault": note.text if note else "",
        "words": words(member, smallest, note),
        "smallest": judgement_data(smallest) | {"answer": _answer_data(smallest.answer)},
    }


def worst(findings: Iterable[Mapping[str, Any]]) -> str:
    """Return the severity of the worst finding.

    It is "" if there is none.

    >>> worst([{"severity": "refuses"}, {"severity": "wrong"}])
    'wrong'
    """
    return min((one["severity"] for one in findings), key=SEVERITIES.index, default="")


def faults(findings: Iterable[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """Return the findings of a claim, grouped by fault.

    Causes with one explanation from the source code are together.

    A cause without an explanation is alone. The order is that of the findings.

    >>> found = [{"cause": c, "fault": f} for c, f in (("a", "x"), ("b", ""), ("c", "x"))]
    >>> [[one["cause"] for one in fault] for fault in faults(found)]
    [['a', 'c'], ['b']]
    """
    numbered = enumerate(findings)
    return list(by_key((one.get("fault") or str(n), one) for n, one in numbered).values())


def _answer_data(answer: Answer) -> dict[str, object]:
    """Return the answer without the time that it took.

    The time differs from run to run.
    """
    data: dict[str, Any] = judgement_data(Judgement(_NO_CASE, answer, "", "", ""))["answer"]
    return {key: value for key, value in data.items() if key != "seconds" and value is not None}


_NO_CASE = Case("", "", 0, ())


def words(member: Member, judgement: Judgement, note: Note | None = None) -> str:
    """Return a paragraph about a finding, to be pasted into an issue."""
    said = _cut(answer_text(judgement.answer))
    said += "" if judgement.reason in said else f"; {_cut(judgement.reason)}"
    parts = [f"Version {member.version}, {input_text(judgement.case)}.", f"Answer: {said}."]
    if judgement.expected:
        parts.append(f"Correct: {_cut(' or '.join(judgement.expected[:4]))}.")
    if judgement.witness:
        parts.append(f"First difference: {_cut('; '.join(judgement.witness[:3]))}.")
    if note:
        parts += filter(None, (note.text, note.line and f"Likely place: {note.line}."))
    return " ".join(" ".join(parts).split())


def input_text(case: Case) -> str:
    """Return the question, with the records, or the first of many."""
    rows = ", ".join(f"({', '.join(row)})" for row in case.records[:MOST_RECORDS])
    more = len(case.records) - MOST_RECORDS
    others = f" and {more} more, see {case.id}" if more > 0 else ""
    number = f"{len(case.records)} record{'s' * (len(case.records) > 1)}"
    return f"{question_text(case)}, {number}: {rows or 'none'}{others}"


def _cut(text: str) -> str:
    return text if len(text) <= MOST_SIGNS else f"{text[:MOST_SIGNS].rpartition(' ')[0]} ..."


def judgement_of(data: Mapping[str, Any]) -> Judgement:
    """Return the judgement that a result file holds."""
    witness, expected, flags = (tuple(data[key]) for key in ("witness", "expected", "flags"))
    return Judgement(
        case_of(data["case"]),
        Answer(**{key: _tuples(value) for key, value in data["answer"].items()}),
        data["status"],
        data["check"],
        data["reason"],
        witness,
        expected,
        flags,
    )


def _tuples(value: object) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def status_of(asked: Mapping[str, Any]) -> str:
    """Return the status of a cell.

    It is "wrong" if anything was found, "right" if answers passed; else another.

    >>> status_of({"findings": [], "vectors": {"passed": 3}, "hunt": {"by_status": {}}})
    'right'
    """
    if asked["findings"]:
        return "wrong"
    passed = asked["vectors"].get("passed", 0) + asked["hunt"]["by_status"].get("passed", 0)
    return "right" if passed else "not judged"


def write_result(folder: Path, result: Result) -> Path:
    """Write the file of an implementation. Raises OutputUnwritable."""
    path = folder / f"{result['implementation']['name']}.json"
    write_json(path, result)
    return path


def results_in(folder: Path) -> list[Result]:
    """Return the result files of a folder, by name. Raises FileUnreadable."""
    found: list[Result] = []
    for path in sorted(folder.glob("*.json")):
        data = read_json(path)
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise FileUnreadable(f"{path} does not have the format {FORMAT!r}")
        found.append(data)
    if not found:
        raise FileUnreadable(f"{folder} has no results")
    return found
