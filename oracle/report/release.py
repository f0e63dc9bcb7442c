"""Result page of `oracle audit`: verdict, groups, losses and risks.

They are those of a release.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import refagg
from oracle.auditing.audit_files import SEVERAL
from oracle.auditing.cases import AuditedRelease
from oracle.auditing.conclusion import BASELINES
from oracle.auditing.distance import NAME as DISTANCE
from oracle.auditing.driver import Check
from oracle.auditing.verdict import Verdict
from oracle.report.groups import MOST_HULLS, Draws, Plane, attacks_of, draws_of, records_named
from oracle.report.pages import Run, check_report, filters_of, page_facts, safe, write_pages
from refagg.comparison.principal import plane
from refagg.data.missing import FROM_0
from refagg.data.standardise import Scaled, standardise
from refagg.data.tables import Table, differences
from refagg.errors import BeyondFloats, InvalidParameter
from refagg.language.number_texts import float_or
from refagg.language.partition import Group
from refagg.release.measures import attribute_losses, sst
from refagg.release.report import fact_text

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
        "whose released record is nearest to their own original; of equally near ones, by chance",
    ),
    "interval_disclosure_10_percent": (
        "values disclosed",
        "released within 10 % of the rank of the true value",
    ),
}

COMPARED = {
    "average": ("found by its values", "the mean of 1/f, where f records have the same values"),
    "greatest": ("found by its values, at most", "1/f for the least f"),
    "raw_file_reidentification": ("the same in the raw file", "on average"),
    "raw_file_linkage": ("records linked in the raw file", "equal records by chance"),
    "random_groups_linkage": ("records linked in random groups", "of the same sizes, in one draw"),
    "guess_within_groups": ("a guess within the right group", "groups divided by records"),
}
"""Measures of exposure beside those of RISKS, by the keys of the facts."""


@dataclass(frozen=True, slots=True)
class Loss:
    """Loss of an attribute: SSE, share, and information loss in percent.

    The share is that of the whole.

    None stands for what is undefined or outside the range of binary64.
    """

    name: str
    sse: float | None
    share: float | None
    percent: float | None


@dataclass(frozen=True, slots=True)
class GroupLoss:
    """Group with the loss of its records and its share.

    The share is that of the whole, in percent.
    """

    group: Group
    sse: float
    share: float
    picture: object = None

    @property
    def records(self) -> str:
        """Return the numbers of the first of its records."""
        shown = " ".join(map(str, self.group[:MOST_NAMED]))
        return shown + (" ..." if len(self.group) > MOST_NAMED else "")


MOST_NAMED = 12
MOST_GREATEST = 6
"""Groups that are listed and drawn because they lost most."""

MOST_SHOWN = 4
"""Lines of a witness of which the records are drawn."""


@dataclass(frozen=True, slots=True)
class Block:
    """The attributes that were grouped together: their checks, groups and pictures."""

    number: int
    names: tuple[str, ...]
    checks: Sequence[Check]
    sizes: Mapping[int, int]
    """The number of groups of each size; empty where they are not known."""
    inferred: bool
    k: int
    size_picture: Any
    axes: tuple[str, ...] = ()
    all_groups: Any = None
    """The groups in their hulls, where they are few enough to be distinguished."""
    failures: Sequence[tuple[str, Sequence[tuple[Any, str]]]] = ()
    """For each check that fails, drawings of the records of its witness, with its lines."""
    greatest: Sequence[GroupLoss] = ()
    loss_picture: Any = None
    share_of_a_tenth: float = 0.0
    """The share of the loss, in percent, of the tenth of the groups that lose most."""

    @property
    def runs(self) -> list[Check]:
        """Return the checks of runs.

        They say of which algorithm the release is a possible run.
        """
        return [check for check in self.checks if "algorithm" in check.details]

    @property
    def distance(self) -> Check | None:
        """Return the check of the distance from the optimum.

        It says how far from the optimum the groups are; None if that was not asked for.
        """
        return next((check for check in self.checks if check.name == DISTANCE), None)

    @property
    def constraints(self) -> Check | None:
        """Return the check of the constraints, if there are any.

        It says whether released rows meet them.
        """
        return next((check for check in self.checks if "constraints" in check.details), None)

    @property
    def draws(self) -> Draws | None:
        """Return the facts about draws of records to centres.

        None if there were no draws.
        """
        return draws_of(self.checks)

    @property
    def groups(self) -> int:
        """Return the number of groups."""
        return sum(self.sizes.values())


@dataclass(frozen=True, slots=True)
class ReleasePage:
    """Contents of a page about a release.

    They are its verdict, the case, the scale of numbers, and when and of which files the audit was
    made.

    Without a case there are no pictures of records. `parts` are records that were judged by
    themselves, with what they are.
    """

    verdict: Verdict
    case: AuditedRelease | None
    how: str = ""
    run: Run | None = None
    parts: tuple[tuple[str, ReleasePage], ...] = ()


def write_release(release: ReleasePage, path: Path, title: str, command: str) -> None:
    """Write the page of a release.

    Where not all attributes are numbers, losses are not those of attributes, and there is no plane
    to be drawn on. Raises MissingExtra, OutputUnwritable.
    """
    check_report(path)
    page, data = _shown(release)
    head = {"title": title, "command": command, "version": refagg.__version__}
    filters = filters_of([{"status": check.status} for check in release.verdict.checks])
    shown = head | {"release": page, "filters": filters}
    write_pages(path, "release.html", shown, data | head | {"run": release.run})


def write_releases(
    releases: Sequence[tuple[str, ReleasePage]], path: Path, title: str, command: str
) -> None:
    """Write one page of several releases, by their names.

    It has an overview, then each release.

    Raises MissingExtra, OutputUnwritable.
    """
    check_report(path)
    shown, audits, first = [], [], 0
    for number, (name, release) in enumerate(releases, 1):
        page, data = _shown(release, f"release-{number}-", first)
        first += page["number_of_blocks"]
        shown.append(page | {"name": name, "checks": _by_name(release.verdict)})
        audits.append({"released": name, **data, "run": release.run})
    columns = list(dict.fromkeys(name for page in shown for name in page["checks"]))
    head = {"title": title, "command": command, "version": refagg.__version__}
    filters = filters_of([{"verdict": page["verdict"]} for page in shown])
    labels = list(dict.fromkeys(label for page in shown for label in page["by_label"]))
    page = head | {"releases": shown, "columns": columns, "labels": labels, "filters": filters}
    write_pages(path, "releases.html", page, {"format": SEVERAL, "audits": audits} | head)


def _names(verdict: Verdict, status: str) -> list[str]:
    """Return the names of the checks of this status, each once."""
    return [name for name, worst in _by_name(verdict).items() if worst == status]


def _by_name(verdict: Verdict) -> dict[str, str]:
    """Return the worst status of each check, of all blocks.

    Statuses are ordered as the verdict ranks them.
    """
    found: dict[str, str] = {}
    for check in verdict.checks:
        before = found.get(check.name, check.status)
        found[check.name] = min(before, check.status, key=WORST.index)
    return found


WORST = ("fails", "not judged", "reported", "holds")


def attribute_rows(scaled: Scaled, case: AuditedRelease) -> list[Loss]:
    """Return the loss of each attribute."""
    parts = attribute_losses(scaled, case.released)
    whole = sum(parts, Fraction(0))
    rows = []
    for name, weight, part in zip(case.original.names, scaled.weights, parts, strict=True):
        total = sst(Scaled(scaled.table.select([name]), (weight,), scaled.how))
        rows.append(Loss(name, float_or(None, part), _percent(part, whole), _percent(part, total)))
    return rows


def _percent(part: Fraction, whole: Fraction) -> float | None:
    return float_or(None, 100 * part / whole) if whole else None


def _block(number: int, names: tuple[str, ...], checks: list[Check], release: ReleasePage) -> Block:
    """Return the section about attributes that were grouped together."""
    case, facts = release.case, release.verdict.facts
    if case is None:
        sizes = {int(size): count for size, count in facts.get("sizes", {}).items()}
        k = facts.get("k", 1)
        return Block(number, names, checks, sizes, True, k, _sizes(sizes, k, number))
    ours, theirs = case.original.select(names), case.released.select(names)
    part = replace(case, original=ours, released=theirs, equal_rows=None)
    partition = case.partition or part.classes()
    sizes = partition.sizes()
    picture = _sizes(sizes, case.k, number)
    block = Block(number, names, checks, sizes, case.partition is None, case.k, picture)
    if part.original.others:
        return block
    scaled = standardise(part.original, release.how)
    few = len(partition.groups) <= MOST_HULLS
    if not few:
        losses = group_losses(scaled, part.released, partition.groups)
        block = _with_losses(block, losses, partition.groups)
    try:
        points, labels = plane(scaled)
    except (BeyondFloats, InvalidParameter):
        return block
    drawn = Plane(points, labels, f"plane-{number}")
    return replace(
        block,
        axes=labels,
        all_groups=safe(drawn.all_groups(partition.groups)) if few else None,
        failures=_failures(drawn, checks),
        greatest=_drawn_greatest(drawn, block.greatest),
    )


def group_losses(scaled: Scaled, released: Table, groups: Sequence[Group]) -> list[Fraction]:
    """Return the loss of each group: its part of the SSE."""
    losses = [Fraction(0)] * len(groups)
    columns = zip(scaled.table.columns, released.columns, scaled.weights, strict=True)
    for ours, theirs, weight in columns:
        apart, unit = differences(ours, theirs)
        squares = [off**2 for off in apart]
        for place, group in enumerate(groups):
            losses[place] += weight / unit**2 * sum(map(squares.__getitem__, group))
    return losses


def _with_losses(block: Block, losses: Sequence[Fraction], groups: Sequence[Group]) -> Block:
    """Add the groups that lost most, and a picture.

    The picture shows what all groups lost. Nothing is added where nothing is lost.
    """
    from oracle.report.pictures import group_loss_picture  # needs matplotlib

    total = sum(losses, Fraction(0))
    if not total:
        return block
    try:
        values = [float(loss) for loss in losses]
    except OverflowError:
        return block
    order = sorted(range(len(losses)), key=lambda place: (-losses[place], place))
    tenth = order[: len(order) // 10]
    return replace(
        block,
        greatest=[
            GroupLoss(groups[place], values[place], float(100 * losses[place] / total))
            for place in order[:MOST_GREATEST]
        ],
        loss_picture=safe(
            group_loss_picture([values[place] for place in order], f"group-loss-{block.number}")
        ),
        share_of_a_tenth=float(100 * sum((losses[p] for p in tenth), Fraction(0)) / total),
    )


def _drawn_greatest(drawn: Plane, greatest: Sequence[GroupLoss]) -> list[GroupLoss]:
    return [
        replace(one, picture=safe(drawn.one_group(one.group, f"greatest-{n}", one.records)))
        for n, one in enumerate(greatest)
    ]


def _failures(drawn: Plane, checks: Sequence[Check]) -> list[tuple[str, Sequence[tuple[Any, str]]]]:
    """Return the checks that fail, with drawings of records.

    They are the records that the lines of their witness name.
    """
    found: list[tuple[str, Sequence[tuple[Any, str]]]] = []
    for place, check in enumerate(checks):
        if check.status != "fails" or FROM_0 in "".join(check.witness[:1]):
            continue
        pictures = [
            (safe(drawn.one_group(records, f"failure-{place}-{n}", line, 9)), line)
            for n, line in enumerate(check.witness)
            if (records := records_named(line))
        ]
        if pictures:
            found.append((check.name, pictures[:MOST_SHOWN]))
    return found


def _sizes(sizes: Mapping[int, int], k: int, number: int) -> Any:
    from oracle.report.pictures import size_picture  # needs matplotlib

    return safe(size_picture(sizes, k, f"sizes-{number}")) if any(sizes) else None


def _shown(release: ReleasePage, prefix: str = "", first: int = 0) -> tuple[Any, dict[str, Any]]:
    """Return what a template needs to show a release, and its data.

    On a page of several, ids begin with the `prefix`, and blocks are numbered from `first`.
    """
    verdict, facts = release.verdict, release.verdict.facts
    data = verdict.as_data()
    losses, picture = _losses(release, prefix)
    data["attributes"] = [
        {"name": one.name, "sse": one.sse, "share_percent": one.share, "loss_percent": one.percent}
        for one in losses
    ]
    parts, number = [], first
    for place, (title, part) in enumerate(release.parts, 1):
        page, _ = _shown(part, f"{prefix}part-{place}-", number)
        number += page["number_of_blocks"]
        parts.append(page | {"name": title})
    blocks = [] if release.parts else _blocks(release, first)
    page = {
        "prefix": prefix,
        "verdict": data["verdict"],
        "conclusion": data["conclusion"],
        "failing": _names(verdict, "fails"),
        "unjudged": _names(verdict, "not judged"),
        "made": page_facts(release.run),
        "blocks": blocks,
        "parts": parts,
        "number_of_blocks": number - first + len(blocks),
        "together": verdict.together,
        "records": facts.get("n"),
        "number": fact_text,
        "attacks": attacks_of(facts),
        "losses": losses,
        "loss_picture": picture,
        "facts": _facts(facts),
        "by_label": dict(_facts(facts)),
        "standardise": facts.get("standardise"),
        "k_reached": facts.get("k_reached"),
        "risks": _risks(facts),
    }
    return page, data


def _blocks(release: ReleasePage, first: int) -> list[Block]:
    verdict = release.verdict.blocks
    return [_block(number, *block, release) for number, block in enumerate(verdict, first)]


def _losses(release: ReleasePage, prefix: str) -> tuple[list[Loss], object]:
    """Return the loss of each attribute, and a picture.

    Nothing is returned where the loss is not known.
    """
    from oracle.report.pictures import loss_picture  # needs matplotlib

    case = release.case
    if case is None or case.original.others:
        return [], None
    losses = attribute_rows(standardise(case.original, release.how), case)
    drawn = [(one.name, one.percent) for one in losses if one.percent is not None]
    return losses, safe(loss_picture(drawn, f"{prefix}loss")) if drawn else None


def _facts(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the loss, with the baseline, for a reader."""
    found = [(label, fact_text(facts[key])) for key, label in FACTS.items() if key in facts]
    at_random = facts.get(BASELINES, {}).get("random_groups_loss_percent")
    if found and at_random is not None:
        found.append(("information loss of random groups of the same sizes, %", f"{at_random:.6g}"))
    return found


def _risks(facts: Mapping[str, Any]) -> list[tuple[str, str, float | None]]:
    """Return the risks: measures, their meanings and shares, with the baselines."""
    found = [(*RISKS[key], facts[key]) for key in RISKS if key in facts]
    own = facts.get("reidentification", {}) | facts.get(BASELINES, {})
    return found + [(*words, own[key]) for key, words in COMPARED.items() if key in own]
