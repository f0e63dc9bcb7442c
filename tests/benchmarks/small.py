"""The optimum of small data against an earlier version, and `ilp` against some lines of PuLP.

`python -m tests.benchmarks.small files [OTHER] [SECONDS]` solves the first 100, 200 and 300 records
of Census and Tarragona at k = 3, 5 and 10 by the command, each in a process of its own, so that
start-up counts. Prints seconds of the processor, nodes of the tree, and the gap where SECONDS (60)
did not suffice; beside it, in turn, those of OTHER, the folder of another checkout.

`python -m tests.benchmarks.small ilp [ROUNDS]` solves the first 16, 22 and 28 records of Census at
k = 3 by `ilp` and by a program that any user of PuLP would write, in turn, so many times (3).

Reference data are read from REFAGG_DATA.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from math import dist
from pathlib import Path
from statistics import median
from typing import Any

import pulp

from oracle.optima import solve
from refagg.data.csvfiles import write_csv
from refagg.data.standardise import Scaled, standardise
from refagg.datasets import load
from refagg.spaces.binary64 import FloatSpace
from tests.places import ROOT

FILES = [
    (name, first, k)
    for k in (3, 5, 10)
    for name in ("census", "tarragona")
    for first in (100, 200, 300)
]
SMALL, K = (16, 22, 28), 3


def used(who: int) -> float:
    """The seconds of the processor so far, of this process or of those that it waited for."""
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def nodes(proof: object) -> int:
    """The nodes of a tree: one, and two for each division."""
    parts = proof.values() if isinstance(proof, dict) else proof if isinstance(proof, list) else ()
    own = 2 if isinstance(proof, dict) and "pair" in proof else 0
    return own + sum(nodes(part) - 1 for part in parts) + 1


def by_command(tree: Path, data: Path, k: int, limit: str) -> str:
    """Seconds, nodes and the gap of a run of the command of one checkout."""
    answer, proof = data.with_suffix(".answer"), data.with_suffix(".proof")
    proof.unlink(missing_ok=True)
    asked = ["optimum", str(data), "-k", str(k), "--time-limit", limit, "--quiet"]
    written = ["--json", str(answer), "--certificate", str(proof)]
    before = used(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "oracle", *asked, *written],
        env=os.environ | {"PYTHONPATH": str(tree)},
        cwd=data.parent,  # Python looks there before PYTHONPATH
        stdout=subprocess.DEVNULL,
        check=False,
    )
    seconds = used(resource.RUSAGE_CHILDREN) - before
    found = json.loads(answer.read_text())
    bound, value = (Fraction(found[key]) for key in ("bound_exact", "sse_exact"))
    gap = "" if bound == value else f", gap {100 * float(1 - bound / value):.2f} %"
    tree_of = nodes(json.loads(proof.read_text())["proof"]) if proof.exists() else 0
    return f"{seconds:.1f} s, {tree_of} nodes{gap}"


def files(other: str | None = None, limit: str = "60") -> None:
    trees = [ROOT, Path(other)] if other else [ROOT]
    with tempfile.TemporaryDirectory() as folder:
        for name, first, k in FILES:
            table, data = load(name).take(range(first)), Path(folder, "data.csv")
            write_csv(data, table.names, ([str(x) for x in table.row(r)] for r in range(first)))
            cells = [by_command(tree, data, k, limit) for tree in trees]
            print(f"| {name}, first {first} | {k} | {' | '.join(cells)} |", flush=True)


def by_pulp(scaled: Scaled) -> float:
    """The least SSE by a column for each group: what a user of PuLP would write."""
    records = range(scaled.n)
    groups = [group for size in range(K, 2 * K) for group in combinations(records, size)]
    points = FloatSpace(scaled).rows
    between = [[dist(a, b) ** 2 for b in points] for a in points]
    costs = [sum(between[a][b] for a, b in combinations(g, 2)) / len(g) for g in groups]
    program = pulp.LpProblem("groups", pulp.LpMinimize)
    chosen = [pulp.LpVariable(f"x{number}", cat="Binary") for number in range(len(groups))]
    program += pulp.lpSum(cost * x for cost, x in zip(costs, chosen, strict=True))
    covering: list[list[Any]] = [[] for _ in records]
    for group, x in zip(groups, chosen, strict=True):
        for record in group:
            covering[record].append(x)
    for own in covering:
        program += pulp.lpSum(own) == 1
    program.solve(pulp.PULP_CBC_CMD(msg=False, gapRel=0))
    return float(pulp.value(program.objective))


def by_ilp(scaled: Scaled) -> float:
    """The least SSE by `ilp`, proved in integers."""
    found = solve(scaled, K, "ilp")
    assert found.status == "optimal"
    return float(found.value)


def timed(method: Callable[[Scaled], float], scaled: Scaled) -> tuple[float, float]:
    """The seconds of the processor, the solver's own process included, and the answer."""
    both = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    before = sum(map(used, both))
    answer = method(scaled)
    return sum(map(used, both)) - before, answer


def ilp(rounds: str = "3") -> None:
    whole = load("census")
    for first in SMALL:
        runs: dict[str, list[float]] = {"ilp": [], "PuLP": []}
        for _ in range(int(rounds)):
            scaled = standardise(whole.take(range(first)))
            ours, value = timed(by_ilp, scaled)
            theirs, other = timed(by_pulp, scaled)
            assert abs(value - other) <= 1e-6 * value, (value, other)
            runs["ilp"].append(ours)
            runs["PuLP"].append(theirs)
        one, two = (median(seconds) for seconds in runs.values())
        print(f"| {first} | {one:.2f} s | {two:.2f} s | {one / two:.2f} |", flush=True)


def main() -> None:
    what, *given = sys.argv[1:]
    if what == "files":
        files(*given)
    else:
        ilp(*given)


if __name__ == "__main__":
    main()
