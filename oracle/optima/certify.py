"""Writes what was proved as a certificate. docs/certificate.md describes the format."""

from __future__ import annotations

from typing import Any

from oracle.certificate.reading import FORMAT, seal
from oracle.optima.columns import Outcome, instance_digest
from oracle.optima.master import Bounds, Duals
from oracle.optima.problem import Problem
from oracle.optima.tree import Node
from refagg.data.standardise import is_plain

BITS = 6_900
"""A number of more bits may have more digits than a certificate can hold."""


def certificate(problem: Problem, outcome: Outcome) -> dict[str, Any] | None:
    """The certificate of an outcome, ready for JSON.

    None if its numbers are too long for one, or on a scale that certificates do not know.
    """
    numbers = (outcome.value, outcome.bound, outcome.scale.per_unit)
    if max(max(x.numerator, x.denominator).bit_length() for x in numbers) > BITS:
        return None
    scaled = problem.scaled
    assert scaled is not None
    if not is_plain(scaled):
        return None
    bounds = Bounds(problem.fewest, problem.most)
    data: dict[str, Any] = {
        "format": FORMAT,
        "instance": {
            "records": problem.n,
            "attributes": list(scaled.table.names),
            "standardise": scaled.how,
            "digest": instance_digest(scaled),
        },
        "objective": "sse",
        "k": problem.k,
        "largest": problem.largest,
        "together": [list(pair) for pair in sorted(problem.together)],
        "apart": [list(pair) for pair in sorted(problem.apart)],
        "partition": [list(group) for group in outcome.partition.groups],
        "value": str(outcome.value),
        "bound": str(outcome.bound),
        "per_unit": str(outcome.scale.per_unit),
        "parts": outcome.scale.parts,
        "proof": node_data(outcome.proof, bounds, outcome.scale.target(outcome.value)),
    }
    return {**data, "seal": seal(data)}


def node_data(node: Node, bounds: Bounds, target: int | None = None) -> dict[str, Any]:
    """A proof, ready for JSON; with a target, as a certificate has it, with short prices."""
    data: dict[str, Any] = {}
    if node.duals is not None and target is None:
        data["duals"] = duals_data(node.duals, bounds)
    elif node.duals is not None and target is not None:
        duals = _short(node, node.duals, bounds, target)
        data["duals"] = duals_data(duals, bounds, duals.unit())
    if node.infeasible:
        data["infeasible"] = True
    if node.searched:
        data["searched"] = True
    if node.next is not None:
        data["next"] = node_data(node.next, bounds, target)
    if node.pair is not None and node.together is not None and node.apart is not None:
        data["pair"] = list(node.pair)
        data["together"] = node_data(node.together, bounds, target)
        data["apart"] = node_data(node.apart, bounds, target)
    return data


def _short(node: Node, duals: Duals, bounds: Bounds, target: int) -> Duals:
    """The duals of a closed leaf, as coarse as close it; others as they are."""
    if node.searched or node.next is not None or node.pair is not None:
        return duals
    return coarsest(duals, bounds, 0 if node.infeasible else target)


def coarsest(duals: Duals, bounds: Bounds, least: int) -> Duals:
    """Rounded down to multiples of a power of two, the greatest up to which they prove more than
    `least`; no reduced cost falls."""
    greatest = max(map(abs, duals.all()))
    coarse, unit = duals, 2
    while unit <= greatest:
        rounded = duals.in_multiples(unit)
        if rounded.bound(bounds) <= least:
            break
        coarse, unit = rounded, 2 * unit
    return coarse


def duals_data(duals: Duals, bounds: Bounds, unit: int = 1) -> dict[str, Any]:
    """Duals, multiples of the unit, with what they prove, ready for JSON."""
    data: dict[str, Any] = {
        "records": [price // unit for price in duals.records],
        "fewest": duals.fewest // unit,
        "most": duals.most // unit,
        "cuts": [
            [list(cut.records), list(cut.weights), cut.divisor, price // unit]
            for cut, price in duals.cuts.items()
        ],
        "bound": duals.bound(bounds),
    }
    return data if unit == 1 else {**data, "unit": unit}
