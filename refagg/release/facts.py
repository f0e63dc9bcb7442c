"""A release in numbers, ready for JSON: what it lost and what it still discloses."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from refagg.data.standardise import Scaled
from refagg.data.tables import Table
from refagg.errors import UndefinedMeasure
from refagg.language.numerals import as_json
from refagg.release.measures import attribute_losses, information_loss, sst
from refagg.release.risk import interval_disclosure, linkage_cost, record_linkage, release_classes

LINKAGE_LIMIT = 30_000_000
"""Distances up to which record linkage is computed without being asked for; more take minutes."""

INTERVAL_LIMIT = 200_000
"""Records up to which interval disclosure is computed without being asked for."""


def loss_facts(scaled: Scaled, released: Table) -> dict[str, Any]:
    """SSE and information loss of the released values, whatever made them.

    `scaled` is the original on the scale on which it is measured. Raises ShapeMismatch.
    """
    losses = attribute_losses(scaled, released)
    lost, total = sum(losses, Fraction(0)), sst(scaled)
    return {
        "standardise": scaled.how,
        "sse": as_json(lost),
        "sst": as_json(total),
        "information_loss_percent": loss_json(lost, total),
        "sse_by_attribute": {
            name: as_json(part)["decimal"]
            for name, part in zip(released.names, losses, strict=True)
        },
    }


def loss_json(lost: Fraction, total: Fraction) -> dict[str, Any] | None:
    """Information loss in percent, or None where there is nothing to lose."""
    try:
        return as_json(information_loss(lost, total))
    except UndefinedMeasure:
        return None


def class_facts(released: Table) -> dict[str, Any]:
    """The classes of records with equal released rows: how many, of which sizes, the least."""
    classes = release_classes(released)
    return {
        "classes": len(classes.groups),
        "sizes": {str(size): count for size, count in classes.sizes().items()},
        "k_reached": classes.smallest(),
    }


def risk_facts(scaled: Scaled, released: Table, everything: bool) -> dict[str, Any]:
    """Record linkage and interval disclosure, as shares; None where it would take too long.

    `everything` computes them at any size. Raises ShapeMismatch.
    """
    small = everything or linkage_cost(released) <= LINKAGE_LIMIT
    few = everything or scaled.n <= INTERVAL_LIMIT
    return {
        "record_linkage": float(record_linkage(scaled, released)) if small else None,
        "interval_disclosure_10_percent": (
            float(interval_disclosure(scaled.table, released)) if few else None
        ),
    }


def measure_lines(report: dict[str, Any]) -> list[str]:
    """Loss, classes and risk of a release, for a reader."""
    sizes = ", ".join(f"{count} of {size}" for size, count in list(report["sizes"].items())[:12])
    lines = [
        loss_line(report, report["standardise"]),
        f"classes of equal rows {report['classes']} ({sizes}), k reached {report['k_reached']}",
    ]
    risks = {
        "records linked by distance": report["record_linkage"],
        "values within 10 % of the ranks": report["interval_disclosure_10_percent"],
    }
    lines += [
        f"{name}: {'not computed at this size; see --all-risks' if r is None else f'{r:.4%}'}"
        for name, r in risks.items()
    ]
    return lines


def loss_line(report: dict[str, Any], standardise: str) -> str:
    """SSE, SST and information loss in a line, from a report."""
    loss = report["information_loss_percent"]
    share = "undefined (SST is 0)" if loss is None else f"{_decimal(loss)} %"
    return (
        f"SSE {_decimal(report['sse'])}, SST {_decimal(report['sst'])}, "
        f"information loss {share} (standardise {standardise})"
    )


def _decimal(value: dict[str, Any]) -> str:
    if value["decimal"] is None:
        return str(value["exact"] or "beyond all floats")
    return f"{value['decimal']:.10g}"
