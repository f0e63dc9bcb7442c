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
from oracle.auditing.verdict import audit_data
from oracle.report.draws import Draws, attacks_of, draws_of
from oracle.report.pages import check_report, safe, write_pages
from refagg.comparison.principal import plane
from refagg.data.standardise import Scaled, standardise
from refagg.errors import InvalidParameter
from refagg.language.partition import Partition
from refagg.release.measures import attribute_losses, sst
from refagg.release.risk import release_classes

Blocks = Sequence[tuple[tuple[str, ...], list[Check]]]

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


def write_release(
    blocks: Blocks,
    facts: Mapping[str, Any],
    case: Case,
    how: str,
    directory: Path,
    title: str,
    command: str,
    together: Sequence[Check] = (),
) -> None:
    """Write the page of a release; `how` numbers were standardised to measure losses.

    Where not all attributes are numbers, losses are not those of attributes, and there is no plane
    to be drawn on.

    Of several blocks, `together` are the checks about all attributes.

    Raises MissingExtra, OutputUnwritable.
    """
    check_report(directory)
    losses = [] if case.original.others else losses_of(standardise(case.original, how), case)
    shown = [
        _block(number, names, checks, case, how) for number, (names, checks) in enumerate(blocks)
    ]
    _write(shown, facts, losses, directory, title, command, together)


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


def _write(
    blocks: Sequence[Block],
    facts: Mapping[str, Any],
    losses: Sequence[Loss],
    directory: Path,
    title: str,
    command: str,
    together: Sequence[Check] = (),
) -> None:
    from oracle.report.pictures import loss_picture  # needs matplotlib

    checks = [(block.names, list(block.checks)) for block in blocks]
    data = audit_data(checks, dict(facts), together)
    data["attributes"] = [
        {"name": one.name, "sse": one.sse, "share_percent": one.share, "loss_percent": one.percent}
        for one in losses
    ]
    data |= {"title": title, "command": command, "version": refagg.__version__}
    drawn = [(one.name, one.percent) for one in losses if one.percent is not None]
    page = {
        "title": title,
        "command": command,
        "version": refagg.__version__,
        "verdict": data["verdict"],
        "blocks": blocks,
        "together": together,
        "records": blocks[0].partition.n,
        "number": number_of,
        "attacks": attacks_of(facts),
        "losses": losses,
        "loss_picture": safe(loss_picture(drawn, "losses")) if drawn else None,
        "facts": [(label, number_of(facts[key])) for key, label in FACTS.items() if key in facts],
        "standardise": facts.get("standardise"),
        "k_reached": facts["k_reached"],
        "risks": [
            (label, meaning, facts[key]) for key, (label, meaning) in RISKS.items() if key in facts
        ],
    }
    write_pages(directory, "release.html", page, data)


def number_of(value: Mapping[str, Any] | None, digits: int = 10) -> str:
    """A number of the facts for a reader."""
    if value is None:
        return "undefined: all records are equal"
    if value["decimal"] is None:
        return str(value["exact"] or "beyond all floats")
    return f"{value['decimal']:.{digits}g}"
