"""The result page of `oracle hunt`: each cause with its smallest input, and what was covered."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import refagg
from oracle.conformance.hunting.findings_report import coverage_reasons, hunt_data
from oracle.conformance.hunting.hunt import Hunt
from oracle.conformance.judge.model import STATUSES
from oracle.report.conformance import filtered
from oracle.report.failures import failure_of
from oracle.report.filters import filters_of
from oracle.report.made import Run, facts_of
from oracle.report.pages import write_pages


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
