"""Certificates of earlier formats, in the present one.

    python -m tests.certificate.convert OLD.json DATA.csv NEW.json [DELIMITER]

Nothing is trusted: what an old certificate says is written down anew, leaves that were searched to
the end are divided until bounds close them, and the new certificate is checked before it is
written.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, starmap
from math import ceil
from pathlib import Path
from typing import Any

from oracle.certificate import kernel
from oracle.certificate.kernel import Checker, Distances, Rejected, Scope, check
from oracle.optima.certify import FORMAT, ProofTree, completed
from oracle.optima.clock import Clock
from oracle.optima.cuts import Cut
from oracle.optima.master import Bounds, Duals, Setting, kept_by
from oracle.optima.relaxation import ColumnPool
from oracle.optima.solver import default_solver
from oracle.optima.tree import Node, Open, Prover, divided_pool, within_budget
from refagg.data.csvfiles import write_bytes
from refagg.data.textfiles import compressed
from refagg.language.partition import Group

HUGE = 1 << 3000
"""More than any target."""

OLD = ("refagg certificate 1", "refagg certificate 2")

CLAIM = ("k", "largest", "together", "apart", "partition", "value", "bound", "per_unit", "parts")


def converted(old: dict[str, Any], rows: Sequence[kernel.Row]) -> dict[str, Any]:
    """Return a certificate of an earlier format in the present one. Raises Rejected."""
    if old.get("format") not in OLD:
        raise Rejected(f"the format is {old.get('format')!r}, not one of {', '.join(OLD)}")
    claim = {"format": FORMAT, **old["instance"], **{name: old[name] for name in CLAIM}}
    between = Distances(rows, claim["standardise"], Fraction(claim["per_unit"]))
    bounds = Bounds(-(-len(rows) // claim["largest"]), len(rows) // claim["k"])
    root = _node(old["proof"])

    def written(node: Node, target: int, claimed: int) -> dict[str, Any]:
        return completed(claim, ProofTree(len(rows), bounds, target, claimed), node)

    first = next((node for node in _below(root) if node.duals is not None), root)
    listing = written(Node(first.duals, next=Node()), HUGE, 0)
    checker = Checker(kernel.certificate_of(json.dumps(listing), "the certificate"), between)
    _close(root, checker, bounds)
    return written(root, checker.target, ceil(Fraction(claim["bound"]) * checker.units))


def _node(data: dict[str, Any]) -> Node:
    halves = {key: _node(data[key]) for key in ("together", "apart", "next") if key in data}
    duals = _duals(data["duals"]) if "duals" in data else None
    pair = (data["pair"][0], data["pair"][1]) if "pair" in data else None
    node = Node(duals, data.get("infeasible", False), pair=pair)
    node.next = Node() if data.get("searched", False) else halves.get("next")
    node.together = halves.get("together")
    node.apart = halves.get("apart")
    return node


def _duals(data: dict[str, Any]) -> Duals:
    unit = data.get("unit", 1)
    cuts: dict[Cut, int] = {}
    for records, weights, divisor, price in data["cuts"]:
        cut = Cut(tuple(records), tuple(weights), divisor)
        cuts[cut] = cuts.get(cut, 0) + unit * price
    records = [unit * price for price in data["records"]]
    return Duals(records, unit * data["fewest"], unit * data["most"], cuts)


def _below(node: Node) -> Iterator[Node]:
    """The node and all below it."""
    yield node
    for part in (node.next, node.together, node.apart):
        if part is not None:
            yield from _below(part)


def _close(root: Node, checker: Checker, bounds: Bounds) -> None:
    """Divide the leaves that were searched to the end, which have no duals, until all is closed."""
    c, between, target = checker.c, checker.between, checker.target
    scope = Scope(c.together, c.apart, None)
    _, listed = checker.within(c.proof.filters[0], scope, "certificate.proof", leaf=False)
    solver = default_solver()
    unit, slack = checker.units * between.common, int(checker.sse) - checker.exact_target - 1
    setting = Setting(c.records, bounds, max(target, 1), solver, kept_by(solver, c.records, bounds))

    @cache
    def cost(group: Group) -> Fraction:
        exact = sum(starmap(between.exact, combinations(group, 2)))
        return Fraction(exact, len(group) * between.common) / c.per_unit

    def improve(groups: list[Group]) -> int:
        if sum(map(cost, groups)) < c.value:
            raise Rejected("there is a cheaper partition")
        return target

    def walk(node: Node, pool: ColumnPool) -> None:
        if not any(part == Node() for part in _below(node)):
            return
        if node.duals is not None:
            left = within_budget(pool, node.duals, target - node.duals.bound(bounds))
            pool = ColumnPool((group, pool.costs[pool.number[group]]) for _, group in left)
        if node == Node():
            prover = Prover(
                setting, cost, target, Clock(), improve, lambda *_: None, unit=unit, slack=slack
            )
            prover.prove(Open(node, pool, (), 0))
        elif node.next is not None:
            walk(node.next, pool)
        elif node.pair is not None and node.together is not None and node.apart is not None:
            joined, separated = divided_pool(pool, node.pair)
            walk(node.together, joined)
            walk(node.apart, separated)

    walk(root, ColumnPool((group, cost) for cost, group in listed))


def main(arguments: Sequence[str]) -> int:
    """Convert a certificate, check it, and write it; 1 if it is rejected."""
    old, data, new, *delimiter = arguments
    given = json.loads(kernel.read_content(Path(old)))
    rows = kernel.read_rows(Path(data), given["instance"]["attributes"], *delimiter)
    try:
        text = json.dumps(converted(given, rows), separators=(",", ":")) + "\n"
        nodes, groups = check(kernel.certificate_of(text, new), rows)
    except Rejected as reason:
        print(f"rejected: {reason}")
        return 1
    write_bytes(Path(new), compressed(text.encode(), new))
    print(f"{new}: {nodes} nodes, {groups} groups")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
