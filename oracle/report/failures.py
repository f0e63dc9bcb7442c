"""A failure as pages show it: what was asked and answered, what is right, and pictures of both."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from oracle.conformance.hunting.causes import cause_of
from oracle.conformance.judge.model import Groups, Judgement
from oracle.conformance.judge.partition_texts import partition_of_text
from oracle.conformance.summary import repr_of
from oracle.conformance.transport.protocol import request_of
from oracle.report.groups import MOST_DRAWN, records_picture
from oracle.report.pages import safe
from refagg.errors import RefaggError

MOST_ROWS = 40
"""Records of a failure that the page shows; all are in the JSON beside it."""

MOST_EXPECTED = 20
"""Admissible partitions that the page lists of a failure."""


MOST_REQUEST = 1_000
"""Characters up to which the page shows a request; each is in the JSON beside it."""

MOST_OF_A_CAUSE = 4
"""Failures of a cause of which the page has drawings, the request, and many records."""

FEW_ROWS = 10
"""Records of the others that it shows."""


@dataclass(frozen=True, slots=True)
class FailedRecord:
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
    rows: Sequence[FailedRecord]
    more_rows: int
    width: int
    released_width: int
    got: str
    expected: Sequence[str]
    more_expected: int
    again: str | None
    request: str | None
    """The request, of the first of a cause, unless it is long."""
    cause: str
    known: str | None
    """Why it is known to fail, if it is."""
    pictures: Sequence[tuple[Any, str]] = ()
    """Drawings of the records in groups, and what each shows."""

    @property
    def id(self) -> str:
        """Return the name that the page gives it."""
        return f"failure-{self.number}"


def failure_of(
    number: int,
    judgement: Judgement,
    command: str,
    flags: Mapping[str, Sequence[str]] | None = None,
    reasons: Mapping[str, str] | None = None,
    known: str | None = None,
    drawn: Counter[str] | None = None,
) -> Failure:
    """A failure with its table, what was answered, and what was asked.

    `drawn` counts the failures of each cause that the page has; the first are drawn.
    """
    case, answer = judgement.case, judgement.answer
    places: dict[int, list[str]] = {}
    for group_number, group in enumerate(answer.groups or ()):
        for record in group:
            places.setdefault(record, []).append(str(group_number))
    released, cause = answer.released or (), cause_of(judgement)
    request = json.dumps(request_of(case))
    drawn = Counter() if drawn is None else drawn
    drawn[cause] += 1
    first = drawn[cause] <= MOST_OF_A_CAUSE
    rows = [
        FailedRecord(
            record,
            [repr_of(cell) for cell in values],
            ", ".join(places.get(record, ["none"])),
            released[record] if record < len(released) else (),
        )
        for record, values in enumerate(case.records[: MOST_ROWS if first else FEW_ROWS])
    ]
    return Failure(
        number,
        judgement,
        (flags or {}).get(case.id, ()),
        (reasons or {}).get(case.id, ""),
        rows,
        len(case.records) - len(rows),
        max(map(len, case.records), default=0),
        max((len(row.released) for row in rows), default=0),
        got_text(judgement),
        judgement.expected[:MOST_EXPECTED],
        len(judgement.expected) - len(judgement.expected[:MOST_EXPECTED]),
        again(command, case.id),
        request if first and len(request) <= MOST_REQUEST else None,
        cause,
        known,
        pictures_of(judgement, f"failure-{number}") if first else (),
    )


def pictures_of(judgement: Judgement, name: str) -> list[tuple[Any, str]]:
    """The records in the groups that were answered, and in the first of those that are right.

    None where records are not numbers, or too many.
    """
    case = judgement.case
    drawn = [
        ("answered", "The answer", answered_groups(judgement)),
        ("right", "A correct answer", right_groups(judgement)),
    ]
    if not 0 < len(case.records) <= MOST_DRAWN or case.kinds:
        return []
    pictures: list[tuple[Any, str]] = []
    written = None
    for part, title, groups in drawn:
        picture = groups and records_picture(case.records, groups, f"{name}-{part}", title, written)
        if picture:
            written = written or f"{name}-{part}"
            several = len(judgement.expected) > 1 and part == "right"
            pictures.append((safe(picture), f"{title}, one of several" if several else title))
    return pictures


def answered_groups(judgement: Judgement) -> Groups | None:
    """The groups of an answer; of one that only releases rows, those of equal rows."""
    answer = judgement.answer
    if answer.groups is not None or answer.released is None:
        return answer.groups
    alike: dict[tuple[str, ...], list[int]] = {}
    for record, row in enumerate(answer.released):
        alike.setdefault(tuple(row), []).append(record)
    return tuple(map(tuple, alike.values()))


def right_groups(judgement: Judgement) -> Groups | None:
    """The first of the partitions that are right, if they are listed."""
    try:
        return partition_of_text(judgement.expected[0]).groups
    except (ValueError, LookupError, RefaggError):
        return None


def got_text(judgement: Judgement) -> str:
    """Return the answer of a program, in a line."""
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
