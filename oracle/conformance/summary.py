"""Summary of an implementation's answers for a reader."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from oracle.conformance.judge.causes import by_cause, cause_of, led_by
from oracle.conformance.judge.judging import CHECKS
from oracle.conformance.judge.model import STATUSES, WRONG, Case, Judgement
from oracle.conformance.judge.severity import SEVERITIES, must_refuse, severity_of, verdict_of
from oracle.conformance.known import NOTHING, KnownFailures
from oracle.conformance.running import NOT_ASKED, answer_text
from oracle.conformance.taking import Gap, gap_data
from oracle.conformance.transport.protocol import request_line, request_of
from oracle.conformance.vectors import Vector

FORMAT = "refagg conformance 2"

MOST_ROWS = 30
"""Records of a failure that are shown."""


def exit_status(judgements: Sequence[Judgement], known: KnownFailures = NOTHING) -> int:
    """Return the exit status of judgements.

    It is 0 if answers passed and nothing is wrong, 1 if something is, 2 if no answer was judged.

    To refuse what must be refused is not enough to pass. What is known to fail must fail.
    """
    wrong = [judgement for judgement in judgements if judgement.status in WRONG]
    if known.stale(judgements) or any(known.of(judgement) is None for judgement in wrong):
        return 1
    return 0 if any(j.status == "passed" and j.check != "answered" for j in judgements) else 2


def summary_lines(judgements: Sequence[Judgement]) -> list[str]:
    """Return the number of answers by status and deciding check."""
    counts = Counter((j.check, j.status) for j in judgements)
    names = [*CHECKS, *sorted({j.check for j in judgements} - {*CHECKS})]
    rows = [["check", *STATUSES]]
    for name in names:
        numbers = [counts[name, status] for status in STATUSES]
        if any(numbers):
            rows.append([name, *(str(number or "") for number in numbers)])
    rows.append(["all", *(str(sum(j.status == s for j in judgements)) for s in STATUSES)])
    lines = aligned(rows)
    flags = Counter(flag for judgement in judgements for flag in judgement.flags)
    lines += [f"{count} flagged: {flag}" for flag, count in sorted(flags.items())]
    return lines


def aligned(
    rows: Sequence[Sequence[str]], first: Callable[[str, int], str] = str.ljust
) -> list[str]:
    """Return the lines of an aligned table.

    The first column is flush left, or as `first` says, all others flush right.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join([first(row[0], widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip()
        for row in rows
    ]


def tally_lines(failures: Iterable[Judgement]) -> list[str]:
    """Return a table of the causes of failures.

    The worst and then the smallest input come first.
    """
    rows = [["cause", "answers", "records", "attributes", "k"]]
    causes = _worst_first(failures)
    for name, ones in causes:
        case = ones[0].case
        width = max(map(len, case.records), default=0)
        rows.append([name, *map(str, (len(ones), len(case.records), width, case.k))])
    ends = ["smallest input", *(f"{one.case.id} ({verdict_of(one)})" for _, (one, *_) in causes)]
    lines = zip(aligned(rows), ends, strict=True)
    return [f"{line}  {end}" for line, end in lines] if causes else []


def smallest_first(failures: Iterable[Judgement]) -> list[Judgement]:
    """Return each cause's smallest failure, the worst first; then all others."""
    causes = [ones for _, ones in _worst_first(failures)]
    return [*(ones[0] for ones in causes), *(one for ones in causes for one in ones[1:])]


def _worst_first(failures: Iterable[Judgement]) -> list[tuple[str, list[Judgement]]]:
    """Return the failures by causes, the worst first.

    Of causes as bad, that of the smallest input is first.
    """
    causes = by_cause((one, "") for one in failures).items()
    return sorted(causes, key=lambda cause: SEVERITIES.index(severity_of(cause[1][0])))


def with_causes(judgements: Sequence[Judgement]) -> tuple[Judgement, ...]:
    """Return the judgements, each failure with its cause's name.

    It is the name that the cause has among all of them.
    """
    failures = [(one, "") for one in judgements if one.status in WRONG]
    named = {
        one.case.id: replace(led_by(one, name), cause=name)
        for name, ones in by_cause(failures).items()
        for one in ones
    }
    return tuple(named.get(one.case.id, one) for one in judgements)


def verdict_text(judgements: Sequence[Judgement], known: KnownFailures = NOTHING) -> str:
    """Return the verdict in one sentence, the worst first.

    >>> from oracle.conformance.judge.model import Answer
    >>> right, wrong = (
    ...     Judgement(Case("x", "md", 1, (("0",),)), Answer(groups=((0,),)), status, "run", "")
    ...     for status in ("passed", "failed")
    ... )
    >>> verdict_text([right, wrong]), verdict_text([right])
    ('wrong: 1 of 2 groupings', 'correct: all 1 groupings')
    """
    answered = [j for j in judgements if j.status in ("passed", *WRONG) and known.of(j) is None]
    found = Counter(map(severity_of, answered))
    invalid = sum(map(must_refuse, answered))
    valid = len(answered) - invalid
    groupings = valid - found["refuses"]
    wrong = [name for name in SEVERITIES[:3] if found[name]]
    parts = [f"{name}: {found[name]} of {groupings} groupings" for name in wrong]
    unasked = [j for j in judgements if j.reason.startswith(NOT_ASKED)]
    if found["refuses"]:
        silent = [j.answer.refused for j in answered if severity_of(j) == "refuses"]
        how = "no answer to" if None in silent or unasked else "refuses"
        parts.append(f"{how} {len(silent)} of {valid} valid requests")
    if groupings and not wrong:
        every = f"all {groupings} groupings"
        parts.append(f"{every} correct" if parts else f"correct: {every}")
    if not valid:
        parts.append("no verdict: no valid request was answered")
    if accepted := found["accepts invalid input"]:
        parts.append(f"{accepted} of {invalid} invalid inputs not refused")
    elif invalid:
        parts.append(f"all {invalid} invalid inputs refused")
    if documented := sum(known.of(j) is not None for j in judgements):
        parts.append(f"{documented} documented difference{'s' * (documented > 1)}")
    silent_ones = [j.status for j in judgements if not j.reason.startswith(NOT_ASKED)]
    for status in ("unsupported", "not judged"):
        parts += [f"{count} {status}"] if (count := silent_ones.count(status)) else []
    parts += [f"{len(unasked)} {unasked[0].reason}"] if unasked else []
    return "; ".join(parts)


def failure_lines(judgement: Judgement, vector: Vector | None, command: str) -> list[str]:
    """Return a failure in lines, for understanding and reproduction."""
    case = judgement.case
    lines = [f"[{verdict_of(judgement)}] {case.id}, {judgement.check}: {judgement.reason}"]
    if vector:
        step = f" (step {vector.step})" if vector.step else ""
        lines.append(f"    {vector.reason}{step}")
    lines += [f"    {line}" for line in question_lines(case)]
    lines.append(f"    answer: {answer_text(judgement.answer)}")
    lines += [f"    {line}" for line in judgement.witness]
    if judgement.expected:
        lines.append(f"    expected: {' or '.join(judgement.expected)}")
    lines.append(f"    cause: {cause_of(judgement)}")
    lines.append(f"    again: {command}")
    if len(case.records) <= MOST_ROWS:
        lines.append(f"    request: {request_line(case).decode().rstrip()}")
    return lines


def question_lines(case: Case) -> list[str]:
    """Return the question, with the first records."""
    text = f"{case.claim}, k = {case.k}, {len(case.records)} records"
    text += "".join(f", {name} = {value}" for name, value in case.parameters.items())
    text += f", standardised ({case.standardise})" if case.standardise != "none" else ""
    text += f", seed {case.seed}" if case.seed is not None else ""
    text += f", attributes {', '.join(case.kinds)}" if case.kinds else ""
    text += "".join(f", {name} {shape_text(value)}" for name, value in case.shape.items())
    rows = [
        f"record {number}: {' '.join(map(repr_of, row))}"
        for number, row in enumerate(case.records[:MOST_ROWS])
    ]
    more = len(case.records) - MOST_ROWS
    return [text, *rows, *([f"and {more} records more"] if more > 0 else [])]


def shape_text(value: Any) -> str:
    """Return what makes records more than a table, for a reader.

    >>> shape_text(((0, 1), (2,))), shape_text(("x1 = x2", "x2 = x3"))
    ('0 1; 2', 'x1 = x2; x2 = x3')
    """
    if isinstance(value, str):
        return value
    return "; ".join(v if isinstance(v, str) else " ".join(map(str, v)) for v in value)


def repr_of(cell: str) -> str:
    """Return a cell, quoted if it is empty or has blanks."""
    return cell if cell.strip() == cell != "" else repr(cell)


def judgements_data(
    judgements: Sequence[Judgement],
    command: str,
    flags: Mapping[str, Sequence[str]],
    gaps: Sequence[Gap] = (),
    known: KnownFailures = NOTHING,
) -> dict[str, object]:
    """Return the judgements as data for JSON.

    `flags` are those of cases, by their ids; `gaps` what was not asked. `known` failures have their
    reason; those that no longer fail are listed.
    """
    return {
        "format": FORMAT,
        "command": command,
        "by_status": {s: sum(j.status == s for j in judgements) for s in STATUSES},
        "not_covered": gap_data(gaps),
        "flags": {identity: list(found) for identity, found in flags.items()},
        "known_failures_that_pass": [
            {"name": name, "reason": reason} for name, reason in known.stale(judgements)
        ],
        "judgements": [
            judgement_data(j) | {"known": known.of(j), "severity": severity_of(j, known.of(j))}
            for j in judgements
        ],
    }


def judgement_data(judgement: Judgement) -> dict[str, Any]:
    """Return a judgement, ready for JSON."""
    data = {field.name: getattr(judgement, field.name) for field in fields(judgement)}
    del data["must_refuse"]
    data["cause"] = cause_of(judgement) if judgement.status in WRONG else ""
    return data | {
        "case": request_of(judgement.case),
        "answer": {f.name: getattr(judgement.answer, f.name) for f in fields(judgement.answer)},
    }
