"""The page of the field: implementations by algorithms, and behind each cell what was found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import refagg
from oracle.conformance.field.results import Result, faults, judgement_of, status_of
from oracle.report.failures import failure_of
from oracle.report.pages import write_pages


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
