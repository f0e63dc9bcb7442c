"""The pages of `oracle conform`, `oracle hunt` and `oracle field`: every failure with its cause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import refagg
from oracle.conformance.field.results import Result, faults, judgement_of, status_of
from oracle.conformance.hunting.findings_report import coverage_reasons, hunt_data
from oracle.conformance.hunting.hunt import Hunt
from oracle.conformance.judge.judging import CHECKS
from oracle.conformance.judge.model import STATUSES, Judgement
from oracle.conformance.known import NOTHING, WRONG, Known
from oracle.conformance.summary import as_data
from oracle.conformance.taking import Gap
from oracle.report.failures import Failure, failure_of
from oracle.report.pages import Run, check_report, facts_of, filters_of, safe, write_pages

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
    known: Known = NOTHING,
    run: Run | None = None,
) -> None:
    """Write index.html and results.json into a folder, which is made if need be.

    `command` is what was run, to be run again. `flags` of cases and the `reasons` for which they
    are asked are by their ids; `gaps` are what was not asked, `known` what is known to fail; `run`
    says when and of what all this was made. Raises MissingExtra, OutputUnwritable.
    """
    flags, reasons = flags or {}, reasons or {}
    check_report(directory)
    by_status = _by_status(judgements)
    by_check = in_order_of_checks(counts_by(judgements, lambda judgement: [judgement.check]))
    by_claim = counts_by(judgements, lambda judgement: [judgement.case.claim])
    by_flag = counts_by(judgements, lambda judgement: flags.get(judgement.case.id, ()))
    by_remark = counts_by(judgements, lambda judgement: judgement.flags)
    drawn: Counter[str] = Counter()
    failures = [
        failure_of(number, judgement, command, flags, reasons, known.of(judgement), drawn)
        for number, judgement in enumerate((j for j in judgements if j.status in WRONG), 1)
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
        "made": facts_of(run),
        "filters": filters_of([filtered(judgement) for judgement in judgements]),
        "filtered": filtered,
        "deciding": _deciding(failures),
        "failures": [failure for failure in failures if failure.known is None],
        "known": [failure for failure in failures if failure.known is not None],
        "stale": known.stale(judgements),
        "others": [j for j in judgements if j.status in ("unsupported", "not judged")],
        "passed": [j for j in judgements if j.status == "passed"],
    }
    counts = {
        "by_check": by_check,
        "by_claim": by_claim,
        "by_flag": by_flag,
        "by_remark": by_remark,
    }
    data = as_data(judgements, command, flags, gaps, known) | counts
    data |= {"title": title, "version": refagg.__version__} | ({"run": run} if run else {})
    write_pages(directory, "conformance.html", page, data)


def filtered(judgement: Judgement) -> dict[str, str]:
    """That by which a reader can choose what is shown."""
    claim = judgement.case.claim
    return {"status": judgement.status, "check": judgement.check, "claim": claim}


def _deciding(failures: Sequence[Failure]) -> list[str]:
    """The checks that decided failures that are not known, with how many: "12 at run"."""
    found = Counter(one.judgement.check for one in failures if one.known is None)
    return [f"{found[name]} at {name}" for name in in_order_of_checks({n: {} for n in found})]


def counts_by(
    judgements: Iterable[Judgement], names: Callable[[Judgement], Iterable[str]]
) -> Counts:
    """Count the judgements of each status under each name, in the order of the names."""
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


def _by_status(judgements: Sequence[Judgement]) -> dict[str, int]:
    found = Counter(judgement.status for judgement in judgements)
    return {status: found[status] for status in STATUSES}


def _picture(by_check: Mapping[str, Mapping[str, int]]) -> Any:
    if not by_check:
        return None
    from oracle.report.pictures import status_picture  # needs matplotlib

    return safe(status_picture(dict(list(by_check.items())[:MOST_BARS]), "checks"))


def write_hunt(
    hunt: Hunt, directory: Path, title: str, command: str, run: Run | None = None
) -> None:
    """Write index.html and results.json into a folder, which is made if need be.

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
    page = {
        "title": title,
        "command": command,
        "version": refagg.__version__,
        "statuses": STATUSES,
        "by_status": {status: hunt.statuses.get(status, 0) for status in STATUSES},
        "questions": hunt.tries,
        "verdict": [] if hunt.exit_status == 1 else coverage_reasons(hunt),
        "failures": [one for one in found if one[0].known is None],
        "known": [one for one in found if one[0].known is not None],
        "covered": hunt.covered,
        "made": facts_of(run),
        "filters": filters_of([filtered(cause.smallest.judgement) for cause in causes]),
        "filtered": filtered,
    }
    data = hunt_data(hunt, command) | {"title": title, "version": refagg.__version__}
    data |= {"run": run} if run else {}
    write_pages(directory, "hunt.html", page, data)


def write_field(results: Sequence[Result], path: Path, command: str) -> None:
    """Write the page of these results. Raises MissingExtra, OutputUnwritable."""
    shown: list[dict[str, Any]] = []
    number, place = 0, 0
    for result in results:
        claims = []
        for asked in result["asked"]:
            place += 1
            found = []
            for fault in faults(asked["findings"]):
                for finding in fault:
                    number += 1
                    judgement = judgement_of(finding["smallest"])
                    failure = failure_of(number, judgement, asked["command"])
                    found.append((finding, failure, finding is not fault[0]))
            claims.append(
                {
                    "id": f"claim-{place}",
                    "title": title_of(asked),
                    "status": status_of(asked),
                    "asked": asked,
                    "found": found,
                    "faults": sum(not again for _, _, again in found),
                }
            )
        shown.append({"result": result, "claims": claims})
    titles = sorted({claim["title"] for one in shown for claim in one["claims"]})
    head = {
        "title": "The state of the field",
        "command": command,
        "version": refagg.__version__,
    }
    total = sum(claim["faults"] for one in shown for claim in one["claims"])
    page = head | {"shown": shown, "titles": titles, "findings": total}
    write_pages(path, "field.html", page, head | {"results": list(results)})


def title_of(asked: dict[str, Any]) -> str:
    """Return the question, as the page heads its column.

    >>> title_of({"algorithm": "mondrian", "parameters": {"cut": "relaxed"}})
    'mondrian, cut = relaxed'
    """
    settings = asked["parameters"].items()
    return ", ".join([asked["algorithm"], *(f"{name} = {value}" for name, value in settings)])
