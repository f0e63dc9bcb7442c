"""Writer of proofs as certificates. docs/certificate.md describes the format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from typing import Any

from oracle.certificate.kernel import LONGEST, Conic, Distances, seal
from oracle.optima.columns import Outcome, instance_digest
from oracle.optima.cuts import Cut
from oracle.optima.master import Bounds, Duals
from oracle.optima.problem import Problem
from oracle.optima.tree import Node
from refagg.data.standardise import is_plain

FORMAT = "refagg certificate 3"

BITS = 6_900
"""A number of more bits may have more digits than a certificate can hold."""


def certificate(problem: Problem, outcome: Outcome) -> dict[str, object] | None:
    """Return the certificate of an outcome, ready for JSON.

    None if its numbers are too long for one, or on a scale that certificates do not know.
    """
    scaled, scale = problem.scaled, outcome.scale
    assert scaled is not None
    if not is_plain(scaled):
        return None
    rows = [scaled.table.row(record) for record in range(problem.n)]
    between = Distances(rows, scaled.how, scale.per_unit)
    numbers = (outcome.value, outcome.bound, scale.per_unit, Fraction(between.common * 10**LONGEST))
    if max(max(x.numerator, x.denominator).bit_length() for x in numbers) > BITS:
        return None
    bounds = Bounds(problem.fewest, problem.most)
    claimed = ceil(outcome.bound * scale.unit)
    proof = ProofTree(problem.n, bounds, scale.target(outcome.value), claimed)
    data: dict[str, Any] = {
        "format": FORMAT,
        "records": problem.n,
        "attributes": list(scaled.table.names),
        "standardise": scaled.how,
        "digest": instance_digest(scaled),
        "k": problem.k,
        "largest": problem.largest,
        "together": [list(pair) for pair in sorted(problem.together)],
        "apart": [list(pair) for pair in sorted(problem.apart)],
        "partition": [list(group) for group in outcome.partition.groups],
        "value": str(outcome.value),
        "bound": str(outcome.bound),
        "per_unit": str(scale.per_unit),
        "parts": scale.parts,
    }
    return completed(data, proof, outcome.proof)


def completed(data: Mapping[str, Any], proof: ProofTree, root: Node | Conic) -> dict[str, object]:
    """Return a certificate: the claim, its proof and the seal."""
    tree = root._asdict() if isinstance(root, Conic) else proof.node(root)
    whole = {**data, "cuts": proof.table(), "proof": tree, "seal": ""}
    return {**whole, "seal": seal(whole)}


@dataclass
class ProofTree:
    """Nodes as a certificate has them, and the cuts that they share.

    What stays open proves the bound `claimed` at least.
    """

    n: int
    bounds: Bounds
    target: int
    claimed: int
    cuts: dict[Cut, int] = field(default_factory=dict)

    def table(self) -> list[list[Any]]:
        """Return the cuts, in the order of their numbers."""
        return [[list(cut.records), list(cut.weights), cut.divisor] for cut in self.cuts]

    def node(self, node: Node) -> dict[str, object]:
        """Return a node and its filters: a leaf, or a division.

        The filters come before it.
        """
        filters = []
        while not self.is_leaf(node):
            if node.duals is not None:
                filters.append(self.duals(node.duals))
            if node.next is None:
                break
            node = node.next
        if self.is_leaf(node) or node.together is None or node.apart is None:
            return {"filters": filters, **self.leaf(node)}
        assert node.pair is not None
        halves = {"together": self.node(node.together), "apart": self.node(node.apart)}
        return {"filters": filters, "pair": list(node.pair), **halves}

    def is_leaf(self, node: Node) -> bool:
        """Return True if nothing follows, or nothing needs to."""
        if node.duals is not None and node.duals.bound(self.bounds) > self.target:
            return True
        return node.closed or (node.next is None and node.pair is None)

    def leaf(self, node: Node) -> dict[str, object]:
        """Return a leaf with exact or with whole costs.

        An infeasible leaf has whole costs, and great prices.
        """
        duals = node.duals or Duals([0] * self.n, 0, 0, {})
        if node.exact is not None:
            return {"costs": "exact", "duals": self.duals(node.exact, unit=1)}
        if node.infeasible:  # no group pays, so that prices can be multiplied
            short = coarsest(duals, self.bounds, 0)
            times = max(0, self.target) // short.bound(self.bounds) + 1
            return {"costs": "rounded", "duals": self.duals(short, times=times)}
        bound = duals.bound(self.bounds)
        least = self.target if bound > self.target else min(bound, self.claimed) - 1
        short = coarsest(duals, self.bounds, least)
        return {"costs": "rounded", "duals": self.duals(short)}

    def duals(self, duals: Duals, unit: int = 0, times: int = 1) -> dict[str, object]:
        """Return prices in multiples of a unit, by default the greatest.

        The unit is multiplied. Exact prices have zeros at their ends, which other units would hide.
        """
        unit = unit or duals.unit()
        short = duals.changed(lambda price: price // unit)
        cuts = short.cuts.items()
        return {
            "unit": unit * times,
            "records": short.records,
            "fewest": short.fewest,
            "most": short.most,
            "cuts": [[self.cuts.setdefault(cut, len(self.cuts)), price] for cut, price in cuts],
        }


def coarsest(duals: Duals, bounds: Bounds, least: int) -> Duals:
    """Return the duals rounded down as coarsely as possible.

    They become multiples of a power of two, the greatest up to which they prove more than `least`.
    No reduced cost falls.
    """
    greatest = max(map(abs, duals.all()))
    coarse, unit = duals, 2
    while unit <= greatest:
        rounded = duals.in_multiples(unit)
        if rounded.bound(bounds) <= least:
            break
        coarse, unit = rounded, 2 * unit
    return coarse
