"""What a hunt says: its findings as tables for a reader, and as cases to be kept."""

from __future__ import annotations

from oracle.conformance.hunting.asking import answer_text
from oracle.conformance.hunting.coverage import coverage_lines
from oracle.conformance.hunting.hunt import Finding, Hunt
from oracle.conformance.judge.model import Case
from oracle.conformance.not_taken import NOT_TAKEN

INDENT = "  "


def hunt_lines(hunt: Hunt) -> list[str]:
    """The findings and what they were found among, or what was asked in vain."""
    lines = [line for finding in hunt.findings for line in [*finding_lines(finding), ""]]
    counts = ", ".join(f"{count} {status}" for status, count in sorted(hunt.statuses.items()))
    lines.append(f"{hunt.tries} questions in {hunt.seconds:.1f} s: {counts or 'none'}")
    if hunt.findings:
        return lines
    lines += coverage_lines(hunt.covered)
    lines += [f"not asked: tables with {NOT_TAKEN[name][0]}" for name in hunt.asked.without]
    return [*lines, *_verdict(hunt)]


def _verdict(hunt: Hunt) -> list[str]:
    """The words for an exit status without findings, the last line being the verdict."""
    if hunt.exit_status != 3:
        return [{0: "nothing was found", 2: "no answer could be judged"}[hunt.exit_status]]
    causes = []
    if not all(one.full for one in hunt.covered):
        causes.append(
            "the time was over before all questions were asked: "
            "raise the time limit, or lower the number of questions"
        )
    if any(one.unjudged for one in hunt.covered):
        causes.append("of some topics no answer could be judged")
    return [*causes, "too little was covered to say that nothing is wrong"]


def finding_lines(finding: Finding) -> list[str]:
    """One counterexample: the table, the rung, the answer and what is wrong with it."""
    judgement = finding.judgement
    lines = [
        f"{judgement.status} at the rung {judgement.rung!r}: {judgement.reason}",
        f"{INDENT}{question_text(judgement.case)}",
        *(INDENT + line for line in table_lines(judgement.case)),
        f"{INDENT}answer: {answer_text(judgement.answer)}",
    ]
    lines += [f"{INDENT}{line}" for line in judgement.witness]
    if judgement.expected:
        lines.append(f"{INDENT}right: {' or '.join(judgement.expected)}")
    first = finding.first.case
    lines.append(
        f"{INDENT}found among {finding.topic} in {finding.tries} questions, "
        f"{finding.seconds:.1f} s; at first with {len(first.records)} records, k = {first.k}"
    )
    return lines


def question_text(case: Case) -> str:
    """What was asked, but for the table."""
    text = f"{case.claim}, k = {case.k}"
    text += "".join(f", {name} = {value}" for name, value in case.parameters.items())
    text += f", standardise = {case.standardise}" if case.standardise != "none" else ""
    return text if case.seed is None else f"{text}, seed = {case.seed}"


def table_lines(case: Case) -> list[str]:
    """The records in aligned columns, numbered from 0."""
    names = [f"x{j + 1}" for j in range(len(case.records[0]))]
    rows = [["record", *names]]
    rows += [[str(number), *row] for number, row in enumerate(case.records)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]
