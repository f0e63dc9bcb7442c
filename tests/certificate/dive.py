"""Better partitions from the prices of a certificate:

REFAGG_DATA=FOLDER python -m tests.certificate.dive CERTIFICATE SECONDS [START]

The certificate, DATA-K.json.gz, is one of `columns`. Its prices say which groups are likely: those
of small reduced costs. A dive solves the relaxation over them, fixes the groups of the greatest
values, and goes on with the rest, until all records are in groups or left over; local search ends
it. START is a partition to begin with, as `oracle optimum --start` reads it. The certificate is
written anew with the best partition, and so is its entry of `datasets/optima.json`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from fractions import Fraction
from itertools import accumulate, pairwise
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import highspy
import numpy as np

from oracle.certificate import kernel
from oracle.certificate.kernel import Certificate, Leaf
from oracle.optima.compiled import Arrays, search
from oracle.optima.cuts import Cut
from oracle.optima.pricing import FREE, Geometry, Prices, Pricing, TooMany
from oracle.optima.problem import Problem, sse_problem
from oracle.optima.work import Place
from refagg.algorithms.search.moves.descent import improved
from refagg.data.standardise import standardise
from refagg.datasets import load
from refagg.language.partition import Group, Partition
from refagg.release.measures import information_loss, sst
from refagg.release.partition_files import read_partition
from tests.certificate.shorter import write_packed

GROUPS = 40_000
"""So many groups of the least reduced costs, about, are given to a dive."""

STEPS = (8, 3, 2, 4)
"""Groups that are fixed at once, in one dive after the other."""

ALONE = 10
"""A record that is left over costs so many times what a group costs in the mean."""

OPTIMA, DATASETS = Path("datasets/optima.json"), ("census", "tarragona", "eia")

SEARCH = 6.0
"""Seconds for local search after a dive."""


def prices_of(c: Certificate) -> Prices:
    """The prices of a proof that is one leaf."""
    assert isinstance(c.proof, Leaf)
    duals = c.proof.duals
    cuts = {
        Cut(tuple(c.cuts[i][0]), tuple(c.cuts[i][1]), c.cuts[i][2]): duals.unit * price
        for i, price in duals.cuts
    }
    records = [duals.unit * price for price in duals.records]
    return Prices(records, duals.unit * (duals.fewest + duals.most), cuts)


def likely(c: Certificate, geometry: Geometry) -> list[Group]:
    """About GROUPS groups of the least reduced costs."""
    prices, unit = prices_of(c), c.per_unit * geometry.shares[c.k] * c.k
    arrays, few = Arrays.of(geometry.rows, geometry.near, geometry.nn), list[Group]()
    limit = int((c.value - c.bound) * unit) // 400
    while 2 * len(few) < GROUPS:
        try:
            pricing = Pricing(geometry, prices, limit, FREE, None, None, 2 * GROUPS)
            found = search(pricing, arrays, range(geometry.n))
        except TooMany:
            limit = limit * 3 // 5
            if few:
                break
        else:
            if len(found) == len(few):
                break
            few, limit = [group for _, group in found], limit * 8 // 5
    return few


class Dive:
    """The relaxation over some groups, some of them fixed."""

    def __init__(self, n: int, costs: dict[Group, float]) -> None:
        self.n, self.groups, number = n, list(costs), len(costs)
        self.touching: list[list[int]] = [[] for _ in range(n)]
        for j, group in enumerate(self.groups):
            for record in group:
                self.touching[record].append(j)
        sizes, mean = [len(group) for group in self.groups], sum(costs.values()) / number
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = number + n, n
        lp.col_cost_ = np.array([*costs.values(), *[ALONE * mean] * n])
        lp.col_lower_ = np.zeros(number + n)
        lp.col_upper_ = np.full(number + n, highspy.kHighsInf)
        lp.row_lower_ = lp.row_upper_ = np.ones(n)
        lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        lp.a_matrix_.start_ = np.array([0, *accumulate([*sizes, *[1] * n])], dtype=np.int32)
        members = [record for group in self.groups for record in group]
        lp.a_matrix_.index_ = np.array([*members, *range(n)], dtype=np.int32)
        lp.a_matrix_.value_ = np.ones(len(members) + n)
        self.model, self.fixed = highspy.Highs(), set[int]()
        self.model.setOptionValue("output_flag", False)
        self.model.setOptionValue("threads", 1)
        self.model.passModel(lp)

    def values(self) -> np.ndarray:
        self.model.run()
        return np.array(self.model.getSolution().col_value)

    def fix(self, some: list[int]) -> None:
        """Fix groups at 1, and all that share records with them at 0."""
        taken, chosen = set[int](), list[int]()
        for j in some:
            if j not in self.fixed and taken.isdisjoint(self.groups[j]):
                chosen.append(j)
                taken.update(self.groups[j])
        others = {j for record in taken for j in self.touching[record]} - self.fixed - {*chosen}
        for places, bound in ((chosen, 1.0), (sorted(others), 0.0)):
            whole = np.full(len(places), bound)
            self.model.changeColsBounds(len(places), np.array(places, dtype=np.int32), whole, whole)
            self.fixed.update(places)

    def rounded(self, step: int, random: Random) -> tuple[list[Group], list[int]]:
        """Groups, and the records that are left over."""
        while True:
            x, number = self.values(), len(self.groups)
            some = [j for j in range(number) if j not in self.fixed and x[j] > 1e-6]
            parts = [j for j in some if x[j] < 1 - 1e-6]
            if not parts:
                chosen = [group for j, group in enumerate(self.groups) if x[j] > 0.5]
                return chosen, [record for record in range(self.n) if x[number + record] > 0.5]
            parts.sort(key=lambda j: -x[j] * (1 + random.random() / 10))
            self.fix([j for j in some if x[j] >= 1 - 1e-6] + parts[:step])


def completed(
    groups: list[Group], left: list[int], geometry: Geometry, problem: Problem
) -> Partition:
    """A partition: records that are left over form groups, nearest first, or join groups."""
    rows, free, whole = geometry.rows, set(left), list(map(list, groups))
    while len(free) >= problem.k:
        far = max(free, key=lambda i: sum(rows[i][j] for j in free))
        near = sorted(free, key=rows[far].__getitem__)[: problem.k]
        whole.append(near)
        free -= set(near)
    for record in free:
        allowed = [group for group in whole if len(group) < problem.largest]
        more = {id(g): geometry.cost((*g, record)) - geometry.cost(tuple(g)) for g in allowed}
        min(allowed, key=lambda group: more[id(group)]).append(record)
    return Partition.of(whole, problem.n)


def dives(
    c: Certificate, geometry: Geometry, problem: Problem, start: Partition
) -> Iterator[Partition]:
    """Partitions, one dive after the other; groups of each are there for the next."""
    random, number, unit = Random(1), 0, c.per_unit * geometry.shares[c.k] * c.k
    costs = {group: float(geometry.cost(group) / unit) for group in likely(c, geometry)}
    while True:
        costs |= {group: float(geometry.cost(group) / unit) for group in start.groups}
        groups, left = Dive(c.records, costs).rounded(STEPS[number % len(STEPS)], random)
        found = completed(groups, left, geometry, problem)
        start, number = improved(problem, geometry.rows, found, seconds=SEARCH), number + 1
        yield start


def with_partition(old: dict[str, Any], partition: Partition, value: Fraction) -> dict[str, Any]:
    """A certificate with another partition; what it proves stays."""
    groups = [list(group) for group in partition.groups]
    whole = {**old, "partition": groups, "value": str(value), "seal": ""}
    return {**whole, "seal": kernel.seal(whole)}


def write_entry(name: str, c: Certificate, best: Partition, found: Mapping[str, str]) -> None:
    """Write what is known of a data set into `datasets/optima.json`, in place of what was there."""
    steps = [0] * c.records
    for group in best.groups:
        for record, following in pairwise(sorted(group)):
            steps[record] = following - record
    columns = f" --columns {','.join(c.attributes)}" if name == "eia" else ""
    entry = {
        "dataset": name,
        "k": c.k,
        "standardise": c.standardise,
        "attributes": c.attributes,
        "digest": c.digest,
        "value": found["value"],
        "bound": str(c.bound),
        "information_loss": found["information_loss"],
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "command": f"oracle optimum {name}.csv -k {c.k}{columns} --method columns "
        f"--start best.csv --state {name}-{c.k}.state --certificate {name}-{c.k}.json",
        "next": steps,
    }
    entries = {(one["dataset"], one["k"]): one for one in json.loads(OPTIMA.read_bytes())}
    entries[name, c.k] = entry
    order = sorted(entries, key=lambda key: (DATASETS.index(key[0]), key[1]))
    lines = [" " + json.dumps(entries[key], separators=(",", ":")) for key in order]
    OPTIMA.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def main() -> int:
    proof, seconds = Path(sys.argv[1]), float(sys.argv[2])
    name, k = proof.name.removesuffix(".json.gz").rsplit("-", 1)
    text = kernel.read_content(proof)
    c = kernel.certificate_of(text, str(proof))
    scaled = standardise(load(name).select(c.attributes))
    ground = Place(c.digest, scaled, range(c.k, c.largest + 1)).ground()
    assert (ground.distances.per_unit, ground.parts) == (c.per_unit, c.parts)
    geometry = ground.geometry
    problem, best = sse_problem(scaled, int(k)), Partition.of(c.partition, c.records)
    if len(sys.argv) > 3:
        best = min(best, read_partition(Path(sys.argv[3]), c.records), key=problem.value)
    end = process_time() + seconds
    for found in dives(c, geometry, problem, best) if seconds else ():
        best = min(best, found, key=problem.value)
        value = problem.value(best)
        print(f"{process_time():.0f} s: SSE {float(value):.9f}, "
              f"gap {100 * float(1 - c.bound / value):.3f} %", flush=True)  # fmt: skip
        if process_time() > end:
            break
    value = problem.value(best)
    whole = with_partition(json.loads(text), best, value)
    write_packed(proof, whole)
    loss = f"{float(information_loss(value, sst(scaled))):.6f}"
    write_entry(name, c, best, {"value": str(value), "information_loss": loss})
    return 0


if __name__ == "__main__":
    sys.exit(main())
