"""The result page of `oracle conform`: a summary, and every failure with all that is needed."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import refagg
from oracle.conformance.judge.judging import CHECKS
from oracle.conformance.judge.model import STATUSES, Judgement
from oracle.conformance.summary import as_data, repr_of
from oracle.conformance.taking import Gap
from oracle.conformance.transport.protocol import request_of
from oracle.report.pages import check_report, safe, write_pages

MOST_ROWS = 100
"""Records of a failure that the page shows; all are in the JSON beside it."""

MOST_EXPECTED = 20
"""Admissible partitions that the page lists of a failure."""

MOST_BARS = 24
"""Checks up to which there is a picture of them."""

Counts = dict[str, dict[str, int]]


@dataclass(frozen=True, slots=True)
class Row:
    """A record of a failure: its values, the groups it was answered in, its released values."""

    record: int
    values: Sequence[str]
    groups: str
    released: Sequence[str]


@dataclass(frozen=True, slots=True)
class Failure:
    """A judgement that is shown in full."""

    number: int
    judgement: Judgement
    flags: Sequence[str]
    why: str
    rows: Sequence[Row]
    more_rows: int
    width: int
    released_width: int
    got: str
    expected: Sequence[str]
    more_expected: int
    again: str | None
    request: str


def write_report(
    judgements: Sequence[Judgement],
    directory: Path,
    title: str,
    command: str,
    flags: Mapping[str, Sequence[str]] | None = None,
    reasons: Mapping[str, str] | None = None,
    gaps: Sequence[Gap] = (),
) -> None:
    """Write index.html and results.json into a folder, which is made if need be.

    `command` is what was run, to be run again. `flags` of cases and the `reasons` for which they
    are asked are by their ids; `gaps` are what was not asked. Raises MissingExtra,
    OutputUnwritable.
    """
    flags, reasons = flags or {}, reasons or {}
    check_report(directory)
    by_status = _by_status(judgements)
    by_check = in_order_of_checks(counts_by(judgements, lambda judgement: [judgement.check]))
    by_claim = counts_by(judgements, lambda judgement: [judgement.case.claim])
    by_flag = counts_by(judgements, lambda judgement: flags.get(judgement.case.id, ()))
    by_remark = counts_by(judgements, lambda judgement: judgement.flags)
    wrong = [j for j in judgements if j.status in ("failed", "errored")]
    failures = [
        failure_of(number, judgement, command, flags, reasons)
        for number, judgement in enumerate(wrong, 1)
    ]
    page = {
        "title": title,
        "command": command,
        "version": refagg.__version__,
        "total": len(judgements),
        "statuses": STATUSES,
        "by_status": by_status,
        "tables": [
            ("check", "By check", "the check that decided", by_check),
            ("flag", "By flag", "what a case is about; it may have several flags", by_flag),
            ("remark", "By remark", "what a reader should know of a verdict", by_remark),
            ("claim", "By claim", "what the program was asked for", by_claim),
        ],
        "picture": _picture(by_check),
        "gaps": gaps,
        "failures": failures,
        "others": [j for j in judgements if j.status in ("unsupported", "not judged")],
        "passed": [j for j in judgements if j.status == "passed"],
    }
    counts = {
        "by_check": by_check,
        "by_claim": by_claim,
        "by_flag": by_flag,
        "by_remark": by_remark,
    }
    data = as_data(judgements, command, flags, gaps) | counts
    data |= {"title": title, "version": refagg.__version__}
    write_pages(directory, "conformance.html", page, data)


def counts_by(
    judgements: Iterable[Judgement], names: Callable[[Judgement], Iterable[str]]
) -> Counts:
    """How many judgements of each status there are under each name, in the order of the names."""
    counts: Counts = {}
    for judgement in judgements:
        for name in names(judgement):
            counts.setdefault(name, dict.fromkeys(STATUSES, 0))[judgement.status] += 1
    return counts


def in_order_of_checks(counts: Counts) -> Counts:
    """In the order in which checks are made; names that are none of them are last."""
    rank = {name: place for place, name in enumerate(CHECKS)}
    order = sorted(counts, key=lambda name: rank.get(name, len(CHECKS)))
    return {name: counts[name] for name in order}


def failure_of(
    number: int,
    judgement: Judgement,
    command: str,
    flags: Mapping[str, Sequence[str]],
    reasons: Mapping[str, str],
) -> Failure:
    """A failure with its table, what was answered, and what was asked."""
    case, answer = judgement.case, judgement.answer
    places: dict[int, list[str]] = {}
    for group_number, group in enumerate(answer.groups or ()):
        for record in group:
            places.setdefault(record, []).append(str(group_number))
    released = answer.released or ()
    rows = [
        Row(
            record,
            [repr_of(cell) for cell in values],
            ", ".join(places.get(record, ["none"])),
            released[record] if record < len(released) else (),
        )
        for record, values in enumerate(case.records[:MOST_ROWS])
    ]
    return Failure(
        number,
        judgement,
        flags.get(case.id, ()),
        reasons.get(case.id, ""),
        rows,
        len(case.records) - len(rows),
        max(map(len, case.records), default=0),
        max((len(row.released) for row in rows), default=0),
        got_text(judgement),
        judgement.expected[:MOST_EXPECTED],
        len(judgement.expected) - len(judgement.expected[:MOST_EXPECTED]),
        again(command, case.id),
        json.dumps(request_of(case)),
    )


def got_text(judgement: Judgement) -> str:
    """What a program answered, in a line."""
    answer = judgement.answer
    for said in (answer.errored, answer.refused, answer.unsupported):
        if said is not None:
            return said
    if answer.groups is None:
        return "released rows without groups" if answer.released is not None else "nothing"
    return " | ".join(" ".join(map(str, group)) for group in answer.groups)


def again(command: str, case: str) -> str | None:
    """The command that asks about one case alone, of a command that asks about many.

    >>> again("oracle conform --algorithm md -- ./md", "md-007")
    'oracle conform --case md-007 --algorithm md -- ./md'
    """
    start = "oracle conform "
    if not command.startswith(start):
        return None
    return f"{start}--case {shlex.quote(case)} {command.removeprefix(start)}"


def _by_status(judgements: Sequence[Judgement]) -> dict[str, int]:
    found = Counter(judgement.status for judgement in judgements)
    return {status: found[status] for status in STATUSES}


def _picture(by_check: Mapping[str, Mapping[str, int]]) -> Any:
    if not by_check:
        return None
    from oracle.report.pictures import status_picture  # needs matplotlib

    return safe(status_picture(dict(list(by_check.items())[:MOST_BARS]), "checks"))
