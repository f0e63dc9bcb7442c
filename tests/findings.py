"""`python -m tests.findings`: the pages of the field, the vectors of findings.

They are made from the result files of the field, whose answers are judged again, with what the
table says of the findings today: the table in docs/field.md, docs/findings/NAME.md, and
`vectors/cases/findings.txt`, from which `python -m oracle.conformance.vectors.generate` makes the
vectors. A finding keeps the number that its question has in that file.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from oracle.conformance.field.results import (
    RESULTS,
    Result,
    finding_data,
    judgement_of,
    results_in,
    write_result,
)
from oracle.conformance.field.table import Ask, Member, members
from oracle.conformance.judge.causes import VALUES, by_cause, cause_of, explanations
from oracle.conformance.judge.judging import judge
from oracle.conformance.judge.model import Case, Judgement
from oracle.conformance.judge.senseless import senseless
from oracle.conformance.judge.strictness import Strictness
from oracle.conformance.running import REPEATABLE
from oracle.conformance.vectors.casefiles import FOLDER, CaseTopic, topics
from oracle.conformance.vectors.flags import EFFECTS, FAULTS
from refagg.data.csvfiles import write_bytes
from refagg.data.textfiles import read_text
from tests.field_pages import program_page, with_table

FIELD = Path("docs/field.md")
PAGES = Path("docs/findings")
CASES = "findings"
FIRST = 701
RUNS, SECONDS = 300, 10.0
"""That are examined where an answer is judged again."""

Question = tuple[Any, ...]


def cases_text(results: Sequence[Result], known: Sequence[CaseTopic]) -> str:
    """The case file; questions that are `known` keep their numbers, and stay.

    Invalid input is left out if a common case asks every program the same.
    """
    common = {(topic.k, topic.records) for topic in topics("common") if topic.reject}
    asked: dict[Question, CaseTopic | None] = {_question_of(topic): topic for topic in known}
    seen = {_question_of(topic): list(topic.seen) for topic in known}
    found: dict[Question, tuple[Case, str, dict[str, Any]]] = {}
    for result in results:
        name, version = (result["implementation"][key] for key in ("name", "version"))
        for one in (finding for asked in result["asked"] for finding in asked["findings"]):
            case = judgement_of(one["smallest"]).case
            if not _written(case) or (case.k, case.records) in common:
                continue
            if senseless(case) == "not finite":  # which cell it is does not matter
                continue
            question = _question(case)
            found.setdefault(question, (case, f"{name}-{one['cause']}", one))
            asked.setdefault(question, None)
            listed = seen.setdefault(question, [])
            listed += [f"{name} {version}"] if f"{name} {version}" not in listed else []
    number = max([FIRST - 1, *(int(topic.number) for topic in known)])
    blocks = ["# Made by python -m tests.findings: inputs of findings."]
    for question, topic in asked.items():
        if topic is None:
            number += 1
            case, name, one = found[question]
            blocks.append(_block(f"{number} {_slug(name)}", case, one, seen[question]))
        else:
            blocks.append(_block_of(topic, seen[question]))
    return "\n\n".join(blocks) + "\n"


def _question(case: Case) -> Question:
    scale = "population" if case.standardise == "sample" else case.standardise
    return case.claim, case.k, case.records, tuple(sorted(case.parameters.items())), scale


def _question_of(topic: CaseTopic) -> Question:
    parameters = tuple(sorted(topic.parameters))
    return topic.claim, topic.k, topic.records, parameters, topic.standardise


def _written(case: Case) -> bool:
    """Return True if a case file can hold it."""
    cells = [cell for row in case.records for cell in row]
    plain = all(
        re.fullmatch(r"[^\s,]+", cell) and cell not in ("-", "empty", "none")
        for cell in cells
        if cell
    )
    return plain and not case.kinds and not case.shape and case.seed is None


def _block(title: str, case: Case, finding: dict[str, Any], seen: Sequence[str]) -> str:
    rows = [" ".join(cell or "empty" for cell in row) or "-" for row in case.records]
    flags = ["finding", *(f for f in (finding["type"], finding["effect"]) if f in FAULTS | EFFECTS)]
    lines = [title, f"claim: {case.claim}", f"seen: {', '.join(seen)}", f"k: {case.k}"]
    lines.append(f"records: {', '.join(rows) or 'none'}")
    if case.parameters:
        lines.append("parameters: " + " ".join(f"{n}={v}" for n, v in case.parameters.items()))
    if (scale := _question(case)[-1]) != "none":
        lines.append(f"standardise: {scale}")
    if why := senseless(case):
        lines.append(f"reject: {why}")
    lines.append(f"flags: {' '.join(dict.fromkeys(flags))}")
    reason = finding["smallest"]["reason"] if why else f"Failed so: {finding['cause']}"
    lines.append(f"reason: {' '.join(reason.split()).rstrip('.')[:200]}.")
    return "\n".join(lines)


def _block_of(topic: CaseTopic, seen: Sequence[str]) -> str:
    """A case as it stands in the file, but for where it was seen."""
    text = (FOLDER / f"{CASES}.txt").read_text(encoding="utf-8")
    (block,) = [b for b in text.split("\n\n") if b.startswith(f"{topic.number} ")]
    return re.sub(r"(?m)^seen: .*$", f"seen: {', '.join(seen)}", block.strip())


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60].strip("-")


def annotated(result: Result) -> Result:
    """The result with what the judge and the table say of its findings today."""
    (member,) = [one for one in members() if one.name == result["implementation"]["name"]]
    claims = [
        {**asked, "findings": _annotated(member, ask, asked["findings"])}
        for ask, asked in zip(member.asks, result["asked"], strict=True)
    ]
    return {**result, "asked": claims}


def _annotated(
    member: Member, ask: Ask, findings: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    counts: dict[int, int] = {}
    failures = []
    for one in findings:
        judgement = judged_again(judgement_of(one["smallest"]), ask)
        counts[id(judgement)] = one["failures"]
        values = one["cause"].rpartition("/")[2]
        own = f"{cause_of(judgement)}/{values}" if values.endswith(VALUES) else ""
        if values in explanations(judgement).values():  # so all answers named it, not this one
            own = one["cause"]
        failures.append((judgement, own))
    return [
        finding_data(member, ask.algorithm, name, judgements)
        | {"failures": sum(counts[id(judgement)] for judgement in judgements)}
        for name, judgements in by_cause(failures).items()
    ]


def judged_again(judgement: Judgement, ask: Ask) -> Judgement:
    """Judge a wrong answer again; as it was, where that needs two answers.

    That something is wrong is not taken back here: only the implementation can be asked again.
    """
    if judgement.status != "failed" or judgement.check == REPEATABLE:
        return judgement
    precision = ask.options.get("precision", "binary64")
    strict = Strictness(limit=RUNS, replay_seconds=SECONDS, precision=precision)
    case = judgement.case
    judged = judge(case, judgement.answer, senseless(case), strict)
    if judged.status != "failed":
        return judgement
    return replace(judged, expected=judged.expected or judgement.expected)


def main() -> int:
    """Write all files; 0."""
    results = [annotated(result) for result in results_in(RESULTS)]
    for result in results:
        write_result(RESULTS, result)
    write_bytes(FIELD, with_table(read_text(FIELD), results).encode())
    for result in results:
        text = "\n".join(program_page(result)).rstrip() + "\n"
        write_bytes(PAGES / f"{result['implementation']['name']}.md", text.encode())
    text = cases_text(results, topics(CASES))
    write_bytes(FOLDER / f"{CASES}.txt", text.encode())
    print(f"{FIELD}, {PAGES} and the cases of findings are written; now regenerate the vectors")
    return 0


if __name__ == "__main__":
    sys.exit(main())
