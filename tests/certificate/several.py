"""Bounds for several k: `python -m tests.certificate.several DATA K,K,... SECONDS FOLDER`.

Multipliers that are good for one k are nearly as good for the next, so that each relaxation goes on
from the one before it, which saves most of the iterations. Each k takes so many seconds of the
processor for its multipliers, and a quarter of that for an iterated local search, from a greedy
partition and from the matrix of the relaxation. Writes the certificate of each k into the folder,
as DATA-K.json.gz, and beside it the entry of `datasets/optima.json`, as DATA-K.entry.json.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from math import lcm
from pathlib import Path
from time import process_time

import numpy as np

from oracle.certificate.conic import conic_bound
from oracle.optima import cones
from oracle.optima.certify import certificate
from oracle.optima.clock import Clock
from oracle.optima.columns import Outcome, Scale
from oracle.optima.distances import MOST_BITS, distances_of, fine_parts
from oracle.optima.problem import Problem, sse_problem
from oracle.optima.start import good_start
from refagg.algorithms.search.moves.descent import iterated
from refagg.algorithms.search.moves.state import Matrix
from refagg.data.standardise import Scaled, standardise
from refagg.data.textfiles import compressed
from refagg.datasets import load
from refagg.language.partition import Partition
from refagg.language.random_stream import seeded
from refagg.release.measures import information_loss, sst


def until(end: float) -> Iterator[int]:
    """Rounds while there is time of the processor."""
    number = 0
    while process_time() < end:
        yield number
        number += 1


def rounded(z: cones.Matrix, k: int) -> Partition:
    """Groups of the k records that share most; the others join where they share most."""
    waiting = set(range(len(z)))
    groups: list[list[int]] = []
    for record in sorted(waiting, key=lambda r: -z[r, r]):
        if record in waiting and len(waiting) >= k:
            others = sorted(waiting - {record}, key=lambda r: -z[record, r])[: k - 1]
            groups.append([record, *others])
            waiting -= {record, *others}
    for record in waiting:
        free = (group for group in groups if len(group) < 2 * k - 1)
        max(free, key=lambda group: sum(z[record, group])).append(record)
    return Partition.of(groups, len(z))


def best_partition(problem: Problem, rows: Matrix, z: cones.Matrix, seconds: float) -> Partition:
    """The cheapest of two searches of so many seconds together."""
    greedy = good_start(problem, rows, Clock(None))
    assert greedy is not None
    found = []
    for start in (greedy, rounded(z, problem.k)):
        rounds = until(process_time() + seconds / 2)
        found.append(iterated(problem, rows, start, rounds=rounds, stream=seeded(1)))
    return min(found, key=problem.value)


def converged(r: cones.Relaxation, k: int, seconds: float) -> cones.Relaxation:
    """The relaxation with the best bound for groups of k to 2k - 1, with which `r` goes on."""
    r.k, r.largest = k, 2 * k - 1
    best, kept = -np.inf, r
    for _ in until(process_time() + seconds):
        cones.improve(r, True)
        bound = cones.estimate(r)
        if bound > best:
            best, kept = bound, replace(r)
    return kept


def proved(name: str, scaled: Scaled, ks: list[int], seconds: float, folder: Path) -> None:
    """The certificates of one data set."""
    distances = distances_of(scaled, MOST_BITS)
    parts = fine_parts(distances, MOST_BITS)
    near, unit = np.array(distances.rows, float) * parts, float(distances.per_unit * parts)
    r = cones.relaxation(near / unit, ks[0], 2 * ks[0] - 1)
    for k in ks:
        problem = sse_problem(scaled, k)
        kept = converged(r, k, seconds)
        cone = cones.cone_of(kept, near, unit)
        cost = conic_bound(cone, distances.rows, problem.sizes, parts, "cone")
        per_unit = distances.per_unit
        scale = Scale(per_unit, parts, per_unit * parts * lcm(*problem.sizes))
        partition = best_partition(problem, distances.rows, kept.z, seconds / 4)
        value, bound = problem.value(partition), scale.exactly(cost)
        outcome = Outcome(partition, value, bound, cone, False, scale)
        proof = certificate(problem, outcome)
        assert proof is not None
        text = json.dumps(proof, separators=(",", ":")) + "\n"
        (folder / f"{name}-{k}.json.gz").write_bytes(compressed(text.encode(), "x.gz"))
        loss = f"{float(information_loss(value, sst(scaled))):.6f}"
        entry = {
            "dataset": name,
            "k": k,
            "standardise": scaled.how,
            "attributes": list(scaled.table.names),
            "digest": proof["digest"],
            "value": str(value),
            "bound": str(bound),
            "information_loss": loss,
            "date": f"{datetime.now(UTC):%Y-%m-%d}",
            "command": "python -m tests.certificate.several " + " ".join(sys.argv[1:4]) + " FOLDER",
            "groups": [list(group) for group in partition.groups],
        }
        (folder / f"{name}-{k}.entry.json").write_text(json.dumps(entry))
        gap = 100 * float(1 - bound / value)
        print(f"{name} k={k}: SSE {float(value):.9f}, IL {loss} %, bound {float(bound):.9f}, "
              f"gap {gap:.2f} %, {process_time():.0f} s", flush=True)  # fmt: skip


def main() -> None:
    name, ks, seconds, folder = sys.argv[1:]
    Path(folder).mkdir(exist_ok=True)
    sizes = [int(k) for k in ks.split(",")]
    proved(name, standardise(load(name)), sizes, float(seconds), Path(folder))


if __name__ == "__main__":
    main()
