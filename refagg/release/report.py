"""Report of a release in numbers, ready for JSON.

It says what the release lost and what it still discloses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

from refagg.data.standardise import RANGE, Scaled
from refagg.data.tables import Table
from refagg.errors import UndefinedMeasure
from refagg.language.number_texts import as_json
from refagg.language.partition import Partition
from refagg.release import measures
from refagg.release.risk import interval_disclosure, record_linkage, release_classes
from refagg.spaces.dissimilarities.dissimilarity import Function
from refagg.terminal import NOW

LINKAGE_LIMIT = 30_000_000
"""Distances up to which record linkage is computed without being asked for; more take minutes."""

TREE_RECORDS, TREE_ATTRIBUTES = 100_000, 5
"""Numbers of so many records and attributes, at most, are linked within seconds by a tree."""

INTERVAL_LIMIT = 200_000
"""Records up to which interval disclosure is computed without being asked for."""


def loss_names(table: Table) -> tuple[str, str, str]:
    """Return the names of the loss and of the whole loss.

    The whole loss is that of one group of all records. Two of them are keys, the third is a name
    for readers.
    """
    if table.others:
        return "within_dissimilarity", "whole_dissimilarity", "dissimilarity within groups"
    return "sse", "sst", "SSE"


def loss_facts(
    scaled: Scaled,
    released: Table,
    dissimilarity: str | Function = "oss",
    blocks: Sequence[Sequence[str]] | None = None,
    partition: Partition | None = None,
) -> dict[str, object]:
    """Return the loss, whatever made the release.

    Of numbers, that is the SSE of the released values. Where there are other attributes, it is
    the dissimilarity within groups: those given, or the classes of equal released rows, in each
    block of attributes. `scaled` is the original on the scale on which it is measured.
    Raises ShapeMismatch.
    """
    measures.check_same_shape(scaled.table, released)
    if not scaled.table.others:
        losses = measures.attribute_losses(scaled, released)
        return sse_facts(scaled.how, released.names, losses, measures.sst(scaled))
    lost, total = Fraction(0), Fraction(0)
    for names in blocks or [scaled.table.names]:
        part = scaled.select(names)
        groups = (partition or release_classes(released.select(names))).groups
        lost += measures.loss_within(part, groups, dissimilarity)
        total += measures.loss_within(part, [range(scaled.n)], dissimilarity)
    own, whole, _ = loss_names(scaled.table)
    return {
        "standardise": scaled.how,
        own: as_json(lost),
        whole: as_json(total),
        "information_loss_percent": loss_json(lost, total),
    }


def sse_facts(
    how: str, names: Sequence[str], losses: Sequence[Fraction], total: Fraction
) -> dict[str, object]:
    """Return the loss of numbers, attribute by attribute, beside the greatest one."""
    lost = sum(losses, Fraction(0))
    return {
        "standardise": how,
        "sse": as_json(lost),
        "sst": as_json(total),
        "information_loss_percent": loss_json(lost, total),
        "sse_by_attribute": {
            name: as_json(loss)["decimal"] for name, loss in zip(names, losses, strict=True)
        },
    }


def loss_json(lost: Fraction, total: Fraction) -> dict[str, Any] | None:
    """Information loss in percent, or None where there is nothing to lose."""
    try:
        return as_json(measures.information_loss(lost, total))
    except UndefinedMeasure:
        return None


def class_facts(released: Table) -> dict[str, object]:
    """Return facts on equivalence classes of the released rows.

    They are the number of classes, their sizes, and the least.
    """
    return size_facts(release_classes(released).sizes())


def size_facts(sizes: Mapping[int, int]) -> dict[str, object]:
    """Return the facts about sizes of classes.

    They follow from the number of classes of each size.
    """
    return {
        "classes": sum(sizes.values()),
        "sizes": {str(size): count for size, count in sizes.items()},
        "k_reached": min(sizes),
    }


def risk_facts(
    scaled: Scaled,
    released: Table,
    everything: bool,
    dissimilarity: str | Function = "oss",
    classes: Partition | None = None,
) -> dict[str, object]:
    """Return record linkage and interval disclosure, as shares.

    None where it would take too long, or where a matrix of dissimilarities lacks a released
    sequence. `everything` computes them at any size; intervals are those of numbers. `classes` are
    the classes of released rows, where they are known. Raises ShapeMismatch.
    """
    NOW.starts("risks of disclosure")
    classes = classes or release_classes(released)
    width = len(released.names) if not released.others else None
    small, few = which_risks(scaled.n, classes.number, width, everything)
    linked = None
    with suppress(UndefinedMeasure):
        linked = record_linkage(scaled, released, dissimilarity, classes) if small else None
    facts: dict[str, Any] = {"record_linkage": None if linked is None else float(linked)}
    if scaled.table.columns:
        inside = interval_disclosure(scaled.table, released) if few else None
        facts["interval_disclosure_10_percent"] = None if inside is None else float(inside)
    return facts


def which_risks(n: int, classes: int, width: int | None, everything: bool) -> tuple[bool, bool]:
    """Return whether record linkage and interval disclosure are computed.

    This depends on the number of records. `width` is the number of attributes where all are
    numbers.
    """
    by_tree = width is not None and width <= TREE_ATTRIBUTES and n <= TREE_RECORDS
    few = everything or n <= INTERVAL_LIMIT
    return everything or by_tree or n * classes <= LINKAGE_LIMIT, few


def measure_lines(report: dict[str, Any]) -> list[str]:
    """Loss, classes and risk of a release, for a reader."""
    by = "distance" if "sse" in report else "least dissimilarity"
    risks = {
        "record_linkage": f"records linked by {by}",
        "interval_disclosure_10_percent": "values released within 10 % of their true rank",
    }
    return [
        loss_line(report),
        classes_line(report),
        *(f"{name}: {_share(report[key])}" for key, name in risks.items() if key in report),
    ]


def classes_line(facts: Mapping[str, Any], what: str = "classes of equal rows") -> str:
    """Return the classes of released rows in a line."""
    sizes = ", ".join(f"{count} of {size}" for size, count in list(facts["sizes"].items())[:12])
    return f"{what} {facts['classes']} ({sizes}), k reached {facts['k_reached']}"


def _share(risk: float | None) -> str:
    return "not computed (too large, or distances are unknown)" if risk is None else f"{risk:.4%}"


def loss_line(report: dict[str, Any]) -> str:
    """Return the loss in a line, from a report."""
    loss = report["information_loss_percent"]
    if "sse" in report:
        share = "undefined (SST is 0)" if loss is None else f"{fact_text(loss)} %"
        return (
            f"SSE {fact_text(report['sse'])}, SST {fact_text(report['sst'])}, "
            f"information loss {share} (standardise {report['standardise']})"
        )
    share = "undefined (all records are equal)" if loss is None else f"{fact_text(loss)} %"
    how = report["standardise"]
    scale = "" if how == RANGE else f" (standardise {how})"
    return (
        f"dissimilarity within groups {fact_text(report['within_dissimilarity'])}, of the whole "
        f"file {fact_text(report['whole_dissimilarity'])}, information loss {share}{scale}"
    )


def fact_text(value: Mapping[str, object] | None, digits: int = 10) -> str:
    """Return a number of a report for a reader."""
    if value is None:
        return "undefined: all records are equal"
    if value["decimal"] is None:
        return str(value["exact"] or "outside the range of binary64")
    return f"{value['decimal']:.{digits}g}"
