"""A long run on disk: what it knows, so that another run can go on from there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from oracle.optimum.cuts import Cut
from oracle.optimum.master import Bounds, Duals
from oracle.optimum.problem import Problem
from oracle.optimum.relaxation import Pool
from oracle.optimum.root import Root
from refagg.csvfiles import whole_file
from refagg.errors import InvalidParameter, InvalidPartition
from refagg.model import Partition

FORMAT = "refagg optimum state 1"


def identity(problem: Problem, digest: str) -> dict[str, Any]:
    """What tells one problem from another."""
    assert problem.scaled is not None
    return {
        "format": FORMAT,
        "digest": digest,
        "standardise": problem.scaled.how,
        "k": problem.k,
        "largest": problem.largest,
        "together": [list(pair) for pair in sorted(problem.together)],
        "apart": [list(pair) for pair in sorted(problem.apart)],
    }


def save_state(path: Path, known: dict[str, Any], root: Root, partition: Partition) -> None:
    """Write the state; the file is never half-written. Raises OutputUnwritable."""
    duals = root.duals
    data = {
        **known,
        "partition": partition.groups,
        "pool": root.pool.groups,
        "costs": root.pool.costs,
        "alone": root.alone,
        "target": root.target,
        "round": root.round,
        "bound": root.bound,
        "cuts": [_cut(cut) for cut in root.cuts],
        "duals": duals
        and {
            "records": duals.records,
            "fewest": duals.fewest,
            "most": duals.most,
            "cuts": [[*_cut(cut), price] for cut, price in duals.cuts.items()],
        },
    }
    with whole_file(path) as file:
        json.dump(data, file)


def load_state(
    path: Path, known: dict[str, Any], problem: Problem
) -> tuple[Root, Partition] | None:
    """What a file knows of this problem; None if there is no file.

    Raises InvalidParameter if the file is no state, or that of another problem.
    """
    if not path.exists():
        return None
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if {key: data.get(key) for key in known} != known:
            raise InvalidParameter(f"{path} is the state of another problem")
        duals = data["duals"]
        pool = Pool(zip(map(tuple, data["pool"]), data["costs"], strict=True))
        cuts = [_read_cut(cut) for cut in data["cuts"]]
        read = duals and Duals(
            duals["records"],
            duals["fewest"],
            duals["most"],
            {_read_cut(cut): cut[3] for cut in duals["cuts"]},
        )
        partition = Partition.of(data["partition"])
        root = Root(pool, data["target"], data["alone"], cuts, read, data["bound"], data["round"])
        if not _fits(root, partition, problem):
            raise ValueError
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, InvalidPartition):
        raise InvalidParameter(f"{path} is not the state of a run") from None
    return root, partition


def _fits(root: Root, partition: Partition, problem: Problem) -> bool:
    """Is it about as many records, its partition allowed, and its bound that of its duals?"""
    n, duals = problem.n, root.duals
    bound = duals.bound(Bounds(problem.fewest, problem.most)) if duals else 0
    return (
        partition.n == len(root.alone) == n
        and problem.feasible(partition)
        and (duals is None or len(duals.records) == n)
        and all(type(number) is int for number in (root.bound, root.target, root.round))
        and root.bound == bound
    )


def _cut(cut: Cut) -> list[Any]:
    return [cut.records, cut.weights, cut.divisor]


def _read_cut(data: list[Any]) -> Cut:
    return Cut(tuple(data[0]), tuple(data[1]), data[2])
