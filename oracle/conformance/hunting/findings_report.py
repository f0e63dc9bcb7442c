"""Report of a hunt: findings as tables, as vectors, and as tests.

The tables are for a reader, the tests are for continuous integration. The vectors keep the
questions that were answered wrongly, for regression tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from oracle.conformance import junit
from oracle.conformance.hunting.coverage import coverage_lines
from oracle.conformance.hunting.findings import Cause, Finding, causes
from oracle.conformance.hunting.hunt import Hunt
from oracle.conformance.judge.causes import cause_of
from oracle.conformance.judge.hints import Hint, hint_of
from oracle.conformance.judge.model import OPTIMAL, STATUSES, WRONG, Case, Judgement
from oracle.conformance.judge.questions import question_of
from oracle.conformance.judge.senseless import senseless
from oracle.conformance.judge.severity import SEVERITIES, severity_of, verdict_of
from oracle.conformance.judge.sizes import rows_of_case
from oracle.conformance.judge.texts import partition_of_text
from oracle.conformance.not_taken import NOT_TAKEN
from oracle.conformance.running import answer_text
from oracle.conformance.summary import aligned, judgement_data, shape_text
from oracle.conformance.vectors.files import file_text, slug
from oracle.conformance.vectors.vector import Expectation, Origin, Vector, groups_of, sse_of
from refagg.catalogue import CATALOGUE
from refagg.data.csvfiles import write_bytes
from refagg.terminal import NOW

INDENT = "  "

FORMAT = "refagg hunt 2"


def hunt_lines(hunt: Hunt) -> list[str]:
    """Return the findings with their topics.

    If there are none, it returns the coverage.
    """
    lines = [line for cause in causes(hunt.findings) for line in [*cause_lines(cause, hunt), ""]]
    counts = ", ".join(f"{count} {status}" for status, count in sorted(hunt.statuses.items()))
    more = hunt.tries - sum(one.asked for one in hunt.covered)
    about = f", {more} of them about what was found" if more else ""
    lines.append(f"{hunt.tries} questions in {hunt.seconds:.1f} s{about}: {counts or 'none'}")
    if hunt.exit_status == 1:
        hint = hint_of(hunt.answers, 1)
        return [*lines, *([hint.text] if hint else []), hunt_verdict(hunt, hint)]
    lines += coverage_lines(hunt.covered)
    lines += [f"not asked: tables with {NOT_TAKEN[name][0]}" for name in hunt.asked.without]
    return [*lines, *coverage_reasons(hunt)]


MOST_CAUSES = 3
"""Causes that the verdict names."""


def hunt_verdict(hunt: Hunt, hint: Hint | None) -> str:
    """Return the verdict on a program with findings.

    The worst cause comes first. A hint that explains all of several causes is named in their place;
    beside one cause it is another explanation, the first if all wrong answers are right for it.
    """
    new = [cause for cause in hunt.causes if hunt.known_reason(cause) is None]
    told = [cause for cause in new if hint and cause.ids <= hint.ids]
    named: dict[str, Judgement] = {}
    for cause in new:
        name = cause.name
        if hint and cause in told:
            wrong = {one.case.id for one in hunt.answers if one.status in WRONG}
            both = [hint.cause, name] if wrong <= hint.ids else [name, hint.cause]
            name = hint.cause if len(told) > 1 else " or ".join(both)
        named.setdefault(name, replace(cause.smallest.judgement, cause=name))
    worst = sorted(named.values(), key=lambda one: SEVERITIES.index(severity_of(one)))
    parts = [f"{verdict_of(j)}: {j.cause} with {size_text(j.case)}" for j in worst[:MOST_CAUSES]]
    more = len(worst) - MOST_CAUSES
    parts += [f"{more} more cause{'s' * (more > 1)}"] if more > 0 else []
    return "; ".join(parts)


def size_text(case: Case) -> str:
    """Return the size of a question in words.

    >>> size_text(Case("x", "mdav", 2, (("0", "1"), ("2", "3"))))
    '2 records of 2 attributes, k = 2'
    """
    n, width = len(case.records), max(map(len, case.records), default=0)
    records, attributes = f"record{'s' * (n != 1)}", f"attribute{'s' * (width != 1)}"
    return f"{n} {records} of {width} {attributes}, k = {case.k}"


def hunt_data(hunt: Hunt, command: str) -> dict[str, object]:
    """Return the findings and the coverage of a hunt for JSON.

    A known cause has its reason.
    """
    return {
        "format": FORMAT,
        "command": command,
        "exit_status": hunt.exit_status,
        "questions": hunt.tries,
        "by_status": {status: hunt.statuses.get(status, 0) for status in STATUSES},
        "covered": [
            {"topic": str(one.topic), "asked": one.asked, "share": one.share}
            | {"by_status": dict(one.statuses)}
            for one in hunt.covered
        ],
        "causes": [
            {
                "name": cause.name,
                "known": hunt.known_reason(cause),
                "severity": severity_of(cause.smallest.judgement, hunt.known_reason(cause)),
                "findings": [
                    {"topic": str(one.topic), "proof": one.proof}
                    | {**judgement_data(one.judgement), "cause": cause.name}
                    for one in cause.findings
                ],
            }
            for cause in hunt.causes
        ],
    }


def coverage_reasons(hunt: Hunt) -> list[str]:
    """Return the reasons for an exit status without new findings.

    The last one is the verdict.
    """
    if hunt.exit_status == 0 and hunt.findings:
        return ["only known failures were found"]
    if hunt.exit_status != 3:
        return [{0: "nothing was found", 2: "no answer could be judged"}[hunt.exit_status]]
    causes = []
    if not all(one.full for one in hunt.covered):
        over = (
            "the time ran out before all questions were asked: "
            "raise the time limit, or lower the number of questions"
        )
        interrupted = "the hunt was interrupted before all questions were asked"
        causes.append(interrupted if NOW.interrupted else over)
    if any(one.unjudged for one in hunt.covered):
        causes.append("for some topics no answer could be judged")
    return [*causes, "coverage is too low to conclude that nothing is wrong"]


def cause_lines(cause: Cause, hunt: Hunt) -> list[str]:
    """Return the smallest finding of a cause, and its other topics.

    In these topics the cause was found, too.
    """
    lines = finding_lines(cause.smallest)
    topics = dict.fromkeys(str(one.topic) for one in cause.findings[1:])
    also = f"; also among {'; '.join(topics)}" if topics else ""
    known = hunt.known_reason(cause)
    lines.append(f"{INDENT}cause: {cause.name}{also}")
    return [*lines, f"{INDENT}a known failure: {known}"] if known is not None else lines


def finding_lines(finding: Finding) -> list[str]:
    """Return the lines of a counterexample.

    They are the table, the check, the answer and what is wrong with it.
    """
    judgement = finding.judgement
    lines = [
        f"{judgement.status} at the check {judgement.check!r}: {judgement.reason}",
        f"{INDENT}{question_text(judgement.case)}",
        *(INDENT + line for line in table_lines(judgement.case)),
        f"{INDENT}answer: {answer_text(judgement.answer)}",
    ]
    lines += [f"{INDENT}{line}" for line in judgement.witness]
    if judgement.expected:
        lines.append(f"{INDENT}right: {' or '.join(judgement.expected)}")
    lines.append(f"{INDENT}{finding.proof or 'not proved smallest'}")
    first = finding.first.case
    lines.append(
        f"{INDENT}found among {finding.topic} after {finding.tries} questions, "
        f"{finding.seconds:.1f} s; at first with {len(first.records)} records, k = {first.k}"
    )
    return lines


def question_text(case: Case) -> str:
    """Return the question without its table."""
    text = f"{case.claim}, k = {case.k}"
    text += "".join(f", {name} = {value}" for name, value in case.parameters.items())
    text += f", standardise = {case.standardise}" if case.standardise != "none" else ""
    text += f", kinds = {' '.join(case.kinds)}" if case.kinds else ""
    text += "".join(f", {name} = {shape_text(value)}" for name, value in case.shape.items())
    return text if case.seed is None else f"{text}, seed = {case.seed}"


def table_lines(case: Case) -> list[str]:
    """Return the records in aligned columns, numbered from 0."""
    if not case.records:
        return ["no records"]
    width = max(map(len, case.records))
    rows = [["record", *(f"x{j + 1}" for j in range(width))]]
    rows += [
        [str(number), *(cell or "''" for cell in row), *[""] * (width - len(row))]
        for number, row in enumerate(case.records)
    ]
    return aligned(rows, str.rjust)


def hunt_tests(hunt: Hunt) -> Iterator[junit.Test]:
    """Yield a test for each topic, with its findings.

    One more test is for what was covered.
    """
    for one in hunt.covered:
        found = [f for f in hunt.findings if f.topic == one.topic]
        reasons = [hunt.known.reason(cause_of(f.judgement)) for f in found]
        if new := [f for f, reason in zip(found, reasons, strict=True) if reason is None]:
            first = new[0].judgement
            text = "\n\n".join("\n".join(finding_lines(f)) for f in new)
            message = f"{cause_of(first)}: {first.reason}"
            yield junit.Test(str(one.topic), "failure", message, text)
        elif found:
            yield junit.Test(str(one.topic), "skipped", f"a known failure: {reasons[0]}")
        elif one.full and one.statuses["passed"]:
            yield junit.Test(str(one.topic))
        else:
            asked = f"{one.asked} of {one.share} questions asked"
            yield junit.Test(str(one.topic), "skipped", f"{asked}, {one.statuses['passed']} passed")
    lines = coverage_reasons(hunt) if hunt.exit_status in (2, 3) else []
    yield junit.Test("covered enough", "error" if lines else "", "; ".join(lines))


TOPIC = "hunted"
"""The topic of a counterexample that is kept as a vector."""


def save(path: Path, findings: Sequence[Finding]) -> None:
    """Write the counterexamples as a file of vectors.

    The file is valid by the schema. All counterexamples share a claim.
    """
    claim = findings[0].judgement.case.claim
    source = CATALOGUE[claim].source if claim in CATALOGUE else "by definition"
    vectors = [counterexample_vector(one, number) for number, one in enumerate(findings, 1)]
    write_bytes(path, file_text(claim, source, vectors).encode("ascii"))


def counterexample_vector(finding: Finding, number: int) -> Vector:
    """Return the counterexample with the correct answers, where they can be listed."""
    judgement = finding.judgement
    case = replace(judgement.case, id=f"{slug(judgement.case.claim)}-{number:03}-{TOPIC}")
    if case.standardise == "sample":  # the same scale but for a common factor
        case = replace(case, standardise="population")
    expectation = expectation_of(case, judgement.expected)
    listed = expectation.kind != "free"
    how = (
        "all ways to break the ties were enumerated" if listed else "by the definition of the claim"
    )
    return Vector(
        case,
        TOPIC,
        judgement.check,
        f"A program was wrong here: {judgement.reason}",
        ("bug",),
        Origin("enumerated", f"found by a hunt; {how}"),
        expectation,
    )


def expectation_of(case: Case, texts: Sequence[str]) -> Expectation:
    """Return the correct answers to a case.

    They are those listed, or all of the right sizes and SSE, or a rejection.
    """
    if why := senseless(case):
        return Expectation("reject", category=why)
    partitions = tuple(sorted(groups_of(partition_of_text(text).groups) for text in texts))
    if case.claim == OPTIMAL and case.standardise == "none" and partitions:
        least = sse_of(rows_of_case(case), partitions[0])
        return Expectation("free", least=case.k, sse=str(Fraction(least)))
    if case.claim == OPTIMAL or not partitions:
        return Expectation("free", least=question_of(case).least)
    return Expectation("unique" if len(partitions) == 1 else "choice", partitions)
