"""Failure as pages show it.

It says what was asked and answered, what is right, and has pictures of both.
"""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

import refagg
from oracle.conformance.field.pages import claim_text
from oracle.conformance.field.results import SEVERAL, Result, faults, judgement_of, status_of
from oracle.conformance.hunting.findings_report import coverage_reasons, hunt_data
from oracle.conformance.hunting.hunt import Hunt
from oracle.conformance.judge.causes import cause_of
from oracle.conformance.judge.judging import CHECKS
from oracle.conformance.judge.model import STATUSES, WRONG, Groups, Judgement
from oracle.conformance.judge.texts import partition_of_text
from oracle.conformance.known import NOTHING, KnownFailures
from oracle.conformance.summary import judgements_data, repr_of
from oracle.conformance.taking import Gap
from oracle.conformance.transport.protocol import request_of
from oracle.report.groups import MOST_DRAWN, records_picture
from oracle.report.pages import Run, check_report, filters_of, page_facts, safe, write_pages
from refagg.errors import RefaggError
from refagg.language.lists import by_key
from refagg.language.partition import Partition

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
    """Record of a failure: its values and its answers.

    The answers are the groups it was answered in, and its released values.
    """

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
    """Return a failure with its table, question, and answer.

    `drawn` counts the failures of each cause that the page has; the first are drawn.
    """
    case, answer = judgement.case, judgement.answer
    groups = enumerate(answer.groups or ())
    places = by_key((record, str(place)) for place, group in groups for record in group)
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


def pictures_of(judgement: Judgement, name: str) -> list[tuple[object, str]]:
    """Return pictures of the answered and the right groups.

    The latter are the first of those that are right.

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
    """Return the groups of an answer.

    Of an answer that only releases rows, they are those of equal rows.
    """
    answer = judgement.answer
    if answer.groups is not None or answer.released is None:
        return answer.groups
    return Partition.from_labels(answer.released).groups


def right_groups(judgement: Judgement) -> Groups | None:
    """Return the first right partition, if they are listed."""
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
    """Return the command that asks about one case alone.

    It is made of a command that asks about many.

    >>> again("oracle conform --algorithm md -- ./md", "md-007")
    'oracle conform --case md-007 --algorithm md -- ./md'
    """
    start = "oracle conform "
    if not command.startswith(start):
        return None
    return f"{start}--case {shlex.quote(case)} {command.removeprefix(start)}"


MOST_BARS = 24
"""Checks up to which there is a picture of them."""

Counts = dict[str, dict[str, int]]


def write_report(
    judgements: Sequence[Judgement],
    directory: Path,
    title: str,
    command: str,
    flags: Mapping[str, Sequence[str]] | None = None,
    reasons: Mapping[str, str] | None = None,
    gaps: Sequence[Gap] = (),
    known: KnownFailures = NOTHING,
    run: Run | None = None,
) -> None:
    """Write index.html and results.json into a folder, which is made if necessary.

    `command` is what was run, to be run again. `flags` of cases and the `reasons` for which they
    are asked are by their ids; `gaps` are what was not asked, `known` what is known to fail; `run`
    says when and of what all this was made. Raises MissingExtra, OutputUnwritable.
    """
    flags, reasons = flags or {}, reasons or {}
    check_report(directory)
    by_check = in_order_of_checks(counts_by(judgements, lambda judgement: [judgement.check]))
    by_claim = counts_by(judgements, lambda judgement: [judgement.case.claim])
    by_flag = counts_by(judgements, lambda judgement: flags.get(judgement.case.id, ()))
    by_remark = counts_by(judgements, lambda judgement: judgement.flags)
    drawn: Counter[str] = Counter()
    failures = [
        failure_of(number, judgement, command, flags, reasons, known.of(judgement), drawn)
        for number, judgement in enumerate((j for j in judgements if j.status in WRONG), 1)
    ]
    tables = [
        ("check", "By check", "the check that decided", by_check),
        ("flag", "By flag", "what a case is about; it may have several flags", by_flag),
        ("remark", "By remark", "what a reader should know of a verdict", by_remark),
        ("claim", "By claim", "what the program was asked for", by_claim),
    ]
    data = judgements_data(judgements, command, flags, gaps, known)
    data |= {f"by_{name}": found for name, _, _, found in tables}
    page = _page(title, command, judgements, run) | {
        "total": len(judgements),
        "by_status": data["by_status"],
        "tables": tables,
        "picture": _picture(by_check),
        "gaps": gaps,
        "deciding": _deciding(failures),
        "failures": [failure for failure in failures if failure.known is None],
        "known": [failure for failure in failures if failure.known is not None],
        "stale": known.stale(judgements),
        "others": [j for j in judgements if j.status in ("unsupported", "not judged")],
        "passed": [j for j in judgements if j.status == "passed"],
    }
    data |= {"title": title, "version": refagg.__version__} | ({"run": run} if run else {})
    write_pages(directory, "conformance.html", page, data)


def _page(
    title: str, command: str, shown: Iterable[Judgement], run: Run | None
) -> dict[str, object]:
    """Return what the pages of vectors and of hunts have in common."""
    return {
        "title": title,
        "command": command,
        "version": refagg.__version__,
        "statuses": STATUSES,
        "made": page_facts(run),
        "filters": filters_of([filtered(one) for one in shown]),
        "filtered": filtered,
    }


def filtered(judgement: Judgement) -> dict[str, str]:
    """Return the properties by which a reader can filter failures."""
    return {"status": judgement.status, "check": judgement.check, "claim": judgement.case.claim}


def _deciding(failures: Sequence[Failure]) -> list[str]:
    """Return the checks that decided failures that are not known.

    They come with how many: "12 at run".
    """
    found = Counter(one.judgement.check for one in failures if one.known is None)
    return [f"{found[name]} at {name}" for name in in_order_of_checks({n: {} for n in found})]


def counts_by(
    judgements: Iterable[Judgement], names: Callable[[Judgement], Iterable[str]]
) -> Counts:
    """Count the judgements of each status under each name.

    The names are in their order.
    """
    counts: Counts = {}
    for judgement in judgements:
        for name in names(judgement):
            counts.setdefault(name, dict.fromkeys(STATUSES, 0))[judgement.status] += 1
    return counts


def in_order_of_checks(counts: Counts) -> Counts:
    """Return counts in the order of the checks.

    It is the order in which they are made; other names are last.
    """
    rank = {name: place for place, name in enumerate(CHECKS)}
    order = sorted(counts, key=lambda name: rank.get(name, len(CHECKS)))
    return {name: counts[name] for name in order}


def _picture(by_check: Mapping[str, Mapping[str, int]]) -> object:
    if not by_check:
        return None
    from oracle.report.pictures import status_picture  # needs matplotlib

    return safe(status_picture(dict(list(by_check.items())[:MOST_BARS]), "checks"))


def write_hunt(
    hunt: Hunt, directory: Path, title: str, command: str, run: Run | None = None
) -> None:
    """Write index.html and results.json into a folder, which is made if necessary.

    Raises MissingExtra, OutputUnwritable.
    """
    causes = hunt.causes
    failures = [
        replace(
            failure_of(number, cause.smallest.judgement, command, known=hunt.known_reason(cause)),
            cause=cause.name,
        )
        for number, cause in enumerate(causes, 1)
    ]
    topics = [[str(one.topic) for one in cause.findings] for cause in causes]
    found = list(zip(failures, topics, strict=True))
    page = _page(title, command, [cause.smallest.judgement for cause in causes], run) | {
        "by_status": {status: hunt.statuses.get(status, 0) for status in STATUSES},
        "questions": hunt.tries,
        "verdict": [] if hunt.exit_status == 1 else coverage_reasons(hunt),
        "failures": [one for one in found if one[0].known is None],
        "known": [one for one in found if one[0].known is not None],
        "covered": hunt.covered,
    }
    data = hunt_data(hunt, command) | {"title": title, "version": refagg.__version__}
    data |= {"run": run} if run else {}
    write_pages(directory, "hunt.html", page, data)


def write_field(results: Sequence[Result], path: Path, command: str) -> None:
    """Write the page of these results. Raises MissingExtra, OutputUnwritable."""
    shown: list[dict[str, Any]] = []
    number, place = count(1), count(1)
    for result in results:
        claims = []
        for asked in result["asked"]:
            found = []
            for fault in faults(asked["findings"]):
                for finding in fault:
                    judgement = judgement_of(finding["smallest"])
                    failure = failure_of(next(number), judgement, asked["command"])
                    found.append((finding, failure, finding is not fault[0]))
            claims.append(
                {
                    "id": f"claim-{next(place)}",
                    "title": claim_text(asked),
                    "status": status_of(asked),
                    "asked": asked,
                    "found": found,
                    "faults": sum(not again for _, _, again in found),
                }
            )
        shown.append({"result": result, "claims": claims})
    titles = sorted({claim["title"] for one in shown for claim in one["claims"]})
    head = {"title": "The state of the field", "command": command, "version": refagg.__version__}
    total = sum(claim["faults"] for one in shown for claim in one["claims"])
    page = head | {"shown": shown, "titles": titles, "findings": total}
    write_pages(path, "field.html", page, {"format": SEVERAL} | head | {"results": list(results)})
