"""Writes a certificate anew with shorter prices and fewer filters.

python -m tests.certificate.shorter DATA.csv OLD.json.gz NEW.json.gz [LIST]

The tree stays, and what it proves. Prices of leaves are found anew, as whole multiples of the
greatest unit that still proves enough: the linear program of a list is solved for costs in that
unit, and prices are rounded down few at a time, so that others rise in their place. Filters of
lists of at most LIST groups (0) go if all leaves below can be closed without them; this takes
long where many are needed. With zopfli (`pip install zopfli`) the file is a tenth shorter, but
takes minutes. `oracle verify` checks all of it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import cpu_count, get_context
from pathlib import Path
from typing import Any

import highspy
import numpy as np
from scipy.sparse import csr_matrix, hstack

from oracle.certificate import kernel
from oracle.certificate.kernel import (
    Certificate,
    Checker,
    Distances,
    Division,
    Duals,
    Leaf,
    Listed,
    Node,
    Rejected,
    Scope,
    keeps,
)
from refagg.data.textfiles import compressed

APART = 5_000
"""Nodes of lists of at most so many groups are given to processes."""

PRECISE = 35
"""The bound that a solver finds has so many bits."""

SOLVED = 4_000
"""The number of groups that a program begins with."""

PART = 0.25
"""Of the prices that are not whole, so many are rounded at once."""


class Program:
    """The dual of the relaxation over a list: a row for each group.

    The columns are prices of the records and of the cuts.
    """

    def __init__(self, c: Certificate, groups: Listed, numbers: Sequence[int]) -> None:
        self.c, self.numbers, n = c, list(numbers), c.records
        self.costs = [cost for cost, _ in groups]
        sizes = [len(group) for _, group in groups]
        members = [record for _, group in groups for record in group]
        ones = np.ones(len(members))
        held = csr_matrix((ones, members, np.cumsum([0, *sizes])), (len(groups), n))
        cuts = [c.cuts[number] for number in self.numbers]
        entries = [
            (record, place, share)
            for place, (records, weights, _) in enumerate(cuts)
            for record, share in zip(records, weights, strict=True)
        ]
        rows, columns, shares = zip(*entries, strict=True) if entries else ((), (), ())
        weight = csr_matrix((shares, (rows, columns)), (n, len(cuts)))
        share = csr_matrix(held @ weight)
        divisors = np.array([divisor for *_, divisor in cuts] or [1])
        share.data //= divisors[share.indices]
        share.eliminate_zeros()
        self.matrix = csr_matrix(hstack([held, share]))
        most_of = [sum(weights) // divisor for _, weights, divisor in cuts]
        self.right = np.array([*[1.0] * n, *most_of])

    def start(self, duals: Duals) -> np.ndarray:
        """Absolute prices, as numbers of the program."""
        price = dict(duals.cuts)
        cuts = [price.get(number, 0) for number in self.numbers]
        return np.array([float(duals.unit * y) for y in (*duals.records, *cuts)])

    def model(self, unit: int, rows: np.ndarray) -> highspy.Highs:
        matrix, size, whole = self.matrix[rows], len(self.right), len(rows)
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = size, whole
        lp.col_cost_ = self.right
        lower, upper = np.full(size, -highspy.kHighsInf), np.full(size, highspy.kHighsInf)
        upper[self.c.records :] = 0
        lp.col_lower_, lp.col_upper_ = lower, upper
        lp.row_lower_ = np.full(whole, -highspy.kHighsInf)
        lp.row_upper_ = np.array([float(self.costs[row] // unit) for row in rows])
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        lp.a_matrix_.start_ = matrix.indptr.astype(np.int32)
        lp.a_matrix_.index_ = matrix.indices.astype(np.int32)
        lp.a_matrix_.value_ = matrix.data.astype(float)
        lp.sense_ = highspy.ObjSense.kMaximize
        model = highspy.Highs()
        model.setOptionValue("output_flag", False)
        model.passModel(lp)
        return model

    def slack(self, prices: np.ndarray, unit: int) -> np.ndarray:
        costs = np.array([float(cost // unit) for cost in self.costs])
        return np.asarray(costs - self.matrix @ prices)

    def near(self, prices: np.ndarray, unit: int) -> np.ndarray:
        """The rows that a program begins with: groups of the least reduced costs."""
        return np.sort(np.argsort(self.slack(prices, unit), kind="stable")[:SOLVED])

    def run(
        self, model: highspy.Highs, rows: np.ndarray, unit: int
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """The optimum of a model, and its rows; rows are added as they are hurt."""
        while True:
            model.run()
            if model.getModelStatus() != highspy.HighsModelStatus.kOptimal:
                return None
            prices = np.array(model.getSolution().col_value)
            more = np.setdiff1d(np.nonzero(self.slack(prices, unit) < -1e-6)[0], rows)
            if not len(more):
                return prices, rows
            rows = np.union1d(rows, more)
            for row in more:
                own, most = self.matrix[row], float(self.costs[row] // unit)
                index = own.indices.astype(np.int32)
                model.addRow(-highspy.kHighsInf, most, len(index), index, own.data.astype(float))

    def solved(self, unit: int, start: np.ndarray) -> np.ndarray | None:
        """Prices of the greatest bound, in units."""
        rows = self.near(start / unit, unit)
        found = self.run(self.model(unit, rows), rows, unit)
        return None if found is None else found[0]

    def whole(self, unit: int, start: np.ndarray, least: float) -> np.ndarray | None:
        """Whole prices that prove more than `least` units, or None."""
        rows = self.near(start, unit)
        model, fixed = self.model(unit, rows), np.zeros(len(self.right), dtype=bool)
        while found := self.run(model, rows, unit):
            prices, rows = found
            if self.right @ prices <= least:
                return None
            down = np.floor(prices + 1e-6)
            open_ = np.nonzero(~fixed & (prices - down > 1e-5))[0]
            if not len(open_):
                return self.repaired(down, unit, least)
            first = np.argsort((prices - down)[open_], kind="stable")
            some = np.sort(open_[first][: max(10, int(PART * len(open_)))]).astype(np.int32)
            model.changeColsBounds(len(some), some, down[some], down[some])
            fixed[some] = True
        return None

    def repaired(self, prices: np.ndarray, unit: int, least: float) -> np.ndarray | None:
        """Prices lowered where a group that was not looked at has a reduced cost below 0."""
        while len(hurt := np.nonzero(self.slack(prices, unit) < 0)[0]):
            row = self.matrix[hurt[0]]
            prices[row.indices[0]] += self.slack(prices, unit)[hurt[0]]
        return prices if float(self.right @ prices) > least else None

    def duals(self, prices: np.ndarray, unit: int) -> Duals:
        n = self.c.records
        whole = [int(price) for price in prices]
        cuts = [(number, y) for number, y in zip(self.numbers, whole[n:], strict=True) if y]
        return Duals(unit, whole[:n], 0, 0, sorted(cuts))


def shortest(
    c: Certificate, groups: Listed, old: Duals, numbers: Sequence[int], least: int
) -> Duals | None:
    """Short prices for a list that prove more than `least`; None if none are found.

    Prices of the number of groups are not looked for.
    """
    if old.fewest or old.most:
        return None
    program = Program(c, groups, numbers)
    fine = 1 << max(0, least.bit_length() - PRECISE)
    found = program.solved(fine, program.start(old))
    if found is None or (room := int(program.right @ found) * fine - least) <= 0:
        return None
    unit = 1 << max(room // (c.records // 4 + 1), 1).bit_length()
    near = found * fine
    while unit >= fine:
        for tried in ((3 * unit + 1) // 2, unit):
            prices = program.whole(tried, near / tried, least / tried)
            if prices is not None and sum(map(int, prices * program.right)) * tried > least:
                return program.duals(prices, tried)
        unit //= 2
    return None


@dataclass
class Rewriter:
    """Writer of a shorter tree. With a pool, what it has still to fill in is in `waiting`."""

    c: Certificate
    checker: Checker
    longest: int
    pool: ProcessPoolExecutor | None = None
    waiting: list[tuple[dict[str, Any], Future[dict[str, Any] | None]]] = field(
        default_factory=list
    )

    def node(self, node: Node, scope: Scope, cuts: frozenset[int]) -> dict[str, Any] | None:
        """A node that proves the same, or None if the list does not allow it."""
        groups = scope.groups
        if groups is not None and isinstance(node, Leaf | Division):
            scope = Scope([], [], [one for one in groups if keeps(one[1], scope)])
            if node.filters and len(groups) <= self.longest:
                own = cuts.union(number for duals in node.filters for number, _ in duals.cuts)
                short = self.after(node, scope, own)
                if short is not None:
                    return {"filters": [], **short}
        try:
            for duals in node.filters:
                _, kept = self.checker.within(duals, scope, "", leaf=False)
                scope = Scope([], [], kept)
            short = self.after(node, scope, cuts)
        except Rejected:
            return None
        return None if short is None else {"filters": as_json(node.filters), **short}

    def after(self, node: Node, scope: Scope, cuts: frozenset[int]) -> dict[str, Any] | None:
        if isinstance(node, Division):
            halves = dict[str, Any]()
            with_pair = scope._replace(together=[*scope.together, node.pair])
            without = scope._replace(apart=[*scope.apart, node.pair])
            for name, half, inner in (
                ("together", node.together, with_pair),
                ("apart", node.apart, without),
            ):
                small = inner.groups is not None and len(inner.groups) <= APART
                if self.pool is not None and small:
                    halves[name] = {}
                    job = self.pool.submit(alone, half, inner, cuts)
                    self.waiting.append((halves[name], job))
                    continue
                short = self.node(half, inner, cuts)
                if short is None:
                    return None
                halves[name] = short
            return {"pair": list(node.pair), **halves}
        if isinstance(node, Leaf) and node.costs == "rounded" and scope.groups is not None:
            prices = self.leaf(node.duals, scope, cuts)
            return None if prices is None else {"costs": "rounded", "duals": as_json(prices)}
        try:
            self.checker.after(node, scope, "")
        except Rejected:
            return None
        return {key: as_json(value) for key, value in node._asdict().items() if key != "filters"}

    def leaf(self, duals: Duals, scope: Scope, cuts: frozenset[int]) -> Duals | None:
        try:
            bound, _ = self.checker.within(duals, scope, "", leaf=True)
            valid = True
        except Rejected:
            bound, valid = 0, False
        if valid and bound <= self.checker.target:
            return duals  # an open node
        own = sorted(cuts.union(number for number, _ in duals.cuts))
        short = shortest(self.c, scope.groups or [], duals, own, self.checker.target)
        return short or (duals if valid else None)


def as_json(value: Any) -> Any:
    if hasattr(value, "_asdict"):
        return {key: as_json(inner) for key, inner in value._asdict().items()}
    return [as_json(one) for one in value] if isinstance(value, list | tuple) else value


_worker: Rewriter | None = None


def prepare(data: Path, old: Path, longest: int) -> None:
    """Make the rewriter of a process."""
    global _worker
    _worker = rewriter_of(data, old, longest)


def rewriter_of(data: Path, old: Path, longest: int) -> Rewriter:
    c = kernel.certificate_of(kernel.read_content(old), str(old))
    rows = kernel.read_rows(data, c.attributes)
    return Rewriter(c, Checker(c, Distances(rows, c.standardise, c.per_unit)), longest)


def alone(node: Node, scope: Scope, cuts: frozenset[int]) -> dict[str, Any] | None:
    assert _worker is not None
    _worker.checker.steps = 0
    return _worker.node(node, scope, cuts)


def shortened(whole: dict[str, Any], rewriter: Rewriter) -> dict[str, Any]:
    """The same certificate with a shorter proof, and only the cuts that it uses."""
    c = rewriter.c
    scope = Scope(c.together, c.apart, None)
    proof = rewriter.node(c.proof, scope, frozenset())
    assert proof is not None
    for place, job in rewriter.waiting:
        half = job.result()
        assert half is not None
        place.update(half)
    used = dict[int, int]()
    for cuts in lists_of_cuts(proof):
        for entry in cuts:
            entry[0] = used.setdefault(entry[0], len(used))
    table = [whole["cuts"][number] for number in used]
    whole = {**whole, "cuts": table, "proof": proof, "seal": ""}
    return {**whole, "seal": kernel.seal(whole)}


def lists_of_cuts(part: Any) -> Iterator[list[list[int]]]:
    """The cuts of all prices of a tree, with their own prices."""
    if isinstance(part, dict):
        for key, value in part.items():
            if key == "cuts":
                yield value
            else:
                yield from lists_of_cuts(value)
    elif isinstance(part, list):
        for value in part:
            yield from lists_of_cuts(value)


def write_packed(path: Path, whole: dict[str, Any]) -> None:
    """Write a certificate in as few bytes as can be had here."""
    text = json.dumps(whole, separators=(",", ":")).encode()
    zopfli = import_module("zopfli.gzip") if find_spec("zopfli") else None
    path.write_bytes(
        zopfli.compress(text, numiterations=60, blocksplittingmax=0)
        if zopfli
        else compressed(text, "x.gz")
    )


def main() -> int:
    data, old, new = map(Path, sys.argv[1:4])
    longest = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    rewriter = rewriter_of(data, old, longest)
    context, of_each = get_context("spawn"), (data, old, longest)
    with ProcessPoolExecutor(cpu_count(), context, prepare, of_each) as rewriter.pool:
        whole = shortened(json.loads(kernel.read_content(old)), rewriter)
    write_packed(new, whole)
    print(f"{old.stat().st_size} bytes before, {new.stat().st_size} now")
    return 0


if __name__ == "__main__":
    sys.exit(main())
