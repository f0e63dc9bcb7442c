"""The result page of `oracle audit`: a release's verdict, its groups, its losses and its risks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import refagg
from oracle.auditing.checks import Case, Check
from oracle.auditing.distance import NAME as DISTANCE
from oracle.auditing.verdict import Verdict
from oracle.report.draws import Draws, attacks_of, draws_of
from oracle.report.pages import check_report, safe, write_pages
from refagg.comparison.principal import plane
from refagg.data.standardise import Scaled, standardise
from refagg.errors import InvalidParameter
from refagg.language.partition import Partition
from refagg.release.measures import attribute_losses, sst
from refagg.release.risk import release_classes

FACTS = {
    "sse": "sum of squared errors (SSE)",
    "sst": "total sum of squares (SST)",
    "within_dissimilarity": "dissimilarity within groups",
    "whole_dissimilarity": "dissimilarity of the whole file",
    "information_loss_percent": "information loss, %",
}
RISKS = {
    "record_linkage": (
        "records linked",
        "of which the nearest released record is their own, or one of its class by chance",
    ),
    "interval_disclosure_10_percent": (
        "values disclosed",
        "released within 10 % of the ranks of the true value",
    ),
}


@dataclass(frozen=True, slots=True)
class Loss:
    """What an attribute lost: its SSE, its share of the whole, its information loss in percent.

    None stands for what is undefined or beyond all floats.
    """

    name: str
    sse: float | None
    share: float | None
    percent: float | None


@dataclass(frozen=True, slots=True)
class Block:
    """The attributes that were grouped together: their checks, groups and pictures."""

    number: int
    names: tuple[str, ...]
    checks: Sequence[Check]
    partition: Partition
    inferred: bool
    k: int
    size_picture: Any
    scatter: Sequence[Any] = ()
    axes: tuple[str, ...] = ()

    @property
    def runs(self) -> list[Check]:
        """The checks that say of which algorithm the release is a possible run."""
        return [check for check in self.checks if "algorithm" in check.details]

    @property
    def distance(self) -> Check | None:
        """The check that says how far from the optimum the groups are, if that was asked for."""
        return next((check for check in self.checks if check.name == DISTANCE), None)

    @property
    def constraints(self) -> Check | None:
        """The check that says whether released rows meet the constraints, if there are any."""
        return next((check for check in self.checks if "constraints" in check.details), None)

    @property
    def draws(self) -> Draws | None:
        """What is known of the draws of records to centres, if there were any."""
        return draws_of(self.checks)

    @property
    def sizes(self) -> dict[int, int]:
        return self.partition.sizes()


@dataclass(frozen=True, slots=True)
class Release:
    """What a page shows of a release: its verdict, the case, and how numbers were standardised."""

    verdict: Verdict
    case: Case
    how: str


def write_release(release: Release, path: Path, title: str, command: str) -> None:
    """Write the page of a release.

    Where not all attributes are numbers, losses are not those of attributes, and there is no plane
    to be drawn on. Raises MissingExtra, OutputUnwritable.
    """
    check_report(path)
    page, data = _shown(release)
    head = {"title": title, "command": command, "version": refagg.__version__}
    write_pages(path, "release.html", head | {"release": page}, data | head)


def write_releases(
    releases: Sequence[tuple[str, Release]], path: Path, title: str, command: str
) -> None:
    """Write one page of several releases, by their names: an overview, then each of them.

    Raises MissingExtra, OutputUnwritable.
    """
    check_report(path)
    shown, audits, first = [], [], 0
    for number, (name, release) in enumerate(releases, 1):
        page, data = _shown(release, f"release-{number}-", first)
        first += len(page["blocks"])
        shown.append(page | {"name": name, "checks": _by_name(release.verdict)})
        audits.append({"released": name, **data})
    columns = list(dict.fromkeys(name for page in shown for name in page["checks"]))
    head = {"title": title, "command": command, "version": refagg.__version__}
    page = head | {"releases": shown, "columns": columns}
    write_pages(path, "releases.html", page, {"format": SEVERAL, "audits": audits} | head)


SEVERAL = "refagg audits 1"
"""The format of the data of several audits."""


def _by_name(verdict: Verdict) -> dict[str, str]:
    """For each check, of all blocks, the worst of its statuses, as the verdict ranks them."""
    found: dict[str, str] = {}
    for check in [*(c for _, checks in verdict.blocks for c in checks), *verdict.together]:
        before = found.get(check.name, check.status)
        found[check.name] = min(before, check.status, key=WORST.index)
    return found


WORST = ("fails", "not judged", "reported", "holds")


def losses_of(scaled: Scaled, case: Case) -> list[Loss]:
    """What each attribute lost."""
    parts = attribute_losses(scaled, case.released)
    whole = sum(parts, Fraction(0))
    losses = []
    for name, weight, part in zip(case.original.names, scaled.weights, parts, strict=True):
        total = sst(Scaled(scaled.table.select([name]), (weight,), scaled.how))
        losses.append(Loss(name, _float(part), _percent(part, whole), _percent(part, total)))
    return losses


def _percent(part: Fraction, whole: Fraction) -> float | None:
    return _float(100 * part / whole) if whole else None


def _float(value: Fraction) -> float | None:
    """The nearest float; None beyond all of them."""
    try:
        return float(value)
    except OverflowError:
        return None


def _block(number: int, names: tuple[str, ...], checks: list[Check], case: Case, how: str) -> Block:
    from oracle.report.pictures import group_pictures  # needs matplotlib

    part = replace(case, original=case.original.select(names), released=case.released.select(names))
    partition = case.partition or release_classes(part.released)
    sizes = _sizes(partition, case.k, number)
    block = Block(number, names, checks, partition, case.partition is None, case.k, sizes)
    if part.original.others:
        return block
    try:
        points, labels = plane(standardise(part.original, how))
    except InvalidParameter:
        return block
    pictures = group_pictures(points, labels, partition.groups, f"scatter-{number}")
    return replace(block, scatter=list(map(safe, pictures)), axes=labels)


def _sizes(partition: Partition, k: int, number: int) -> Any:
    from oracle.report.pictures import size_picture  # needs matplotlib

    return safe(size_picture(partition.sizes(), k, f"sizes-{number}"))


def _shown(release: Release, prefix: str = "", first: int = 0) -> tuple[Any, dict[str, Any]]:
    """What a template needs to show a release, and its data.

    On a page of several, ids begin with the `prefix`, and blocks are numbered from `first`.
    """
    from oracle.report.pictures import loss_picture  # needs matplotlib

    verdict, case, how = release.verdict, release.case, release.how
    facts = verdict.facts
    losses = [] if case.original.others else losses_of(standardise(case.original, how), case)
    data = verdict.as_data()
    data["attributes"] = [
        {"name": one.name, "sse": one.sse, "share_percent": one.share, "loss_percent": one.percent}
        for one in losses
    ]
    drawn = [(one.name, one.percent) for one in losses if one.percent is not None]
    blocks = [
        _block(number, names, checks, case, how)
        for number, (names, checks) in enumerate(verdict.blocks, first)
    ]
    page = {
        "prefix": prefix,
        "verdict": data["verdict"],
        "blocks": blocks,
        "together": verdict.together,
        "records": blocks[0].partition.n,
        "number": number_of,
        "attacks": attacks_of(facts),
        "losses": losses,
        "loss_picture": safe(loss_picture(drawn, f"{prefix}loss")) if drawn else None,
        "facts": [(label, number_of(facts[key])) for key, label in FACTS.items() if key in facts],
        "standardise": facts.get("standardise"),
        "k_reached": facts["k_reached"],
        "risks": [
            (label, meaning, facts[key]) for key, (label, meaning) in RISKS.items() if key in facts
        ],
    }
    return page, data


def number_of(value: Mapping[str, Any] | None, digits: int = 10) -> str:
    """A number of the facts for a reader."""
    if value is None:
        return "undefined: all records are equal"
    if value["decimal"] is None:
        return str(value["exact"] or "beyond all floats")
    return f"{value['decimal']:.{digits}g}"
