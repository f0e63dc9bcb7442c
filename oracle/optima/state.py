"""State of a long run on disk, from which another run resumes.

A state has a seal, as certificates have, which finds accidents. It is not proved again when it is
read: the certificate of the run that goes on can be verified, as any other.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from oracle.certificate.kernel import DEEPEST, seal
from oracle.optima.columns import KnownColumns, Solver
from oracle.optima.cuts import Cut
from oracle.optima.master import Bounds, Duals
from oracle.optima.problem import Problem
from oracle.optima.tree import Node
from refagg.data.csvfiles import whole_file
from refagg.data.textfiles import check_input
from refagg.errors import FileUnreadable, InvalidParameter, InvalidPartition
from refagg.language.partition import Group, Partition

FORMAT = "refagg optimum state 4"


def identity(problem: Problem, digest: str) -> dict[str, object]:
    """Return what tells one problem from another."""
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


def save_state(path: Path, known: dict[str, object], work: Solver) -> None:
    """Write the state; the file is never half-written. Raises OutputUnwritable."""
    root, bounds = work.root, work.setting.bounds
    data = {
        **known,
        "partition": work.partition.groups,
        "pool": root.pool.groups,
        "alone": root.alone,
        "round": root.round,
        "tree": node_data(work.tree, bounds),
    }
    data["seal"] = seal(data)
    with whole_file(path) as file:
        file.write(json.dumps(data))  # many times as fast as json.dump


def load_state(path: Path, known: dict[str, object], problem: Problem) -> KnownColumns | None:
    """Return the state of this problem in a file.

    None if there is no file. Raises InvalidParameter if the file is no state, or that of another
    problem, FileUnreadable.
    """
    if not os.path.exists(path):
        return None
    check_input(path)
    try:
        data = json.loads(path.read_bytes())
        if {key: data.get(key) for key in known} != known:
            raise InvalidParameter(f"{path} is the state of another problem")
        if data.get("seal") != seal(data):
            raise ValueError
        return _known(data, problem)
    except OSError as error:
        raise FileUnreadable(f"{path} cannot be read: {error.strerror}") from None
    except (
        *(ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError),
        InvalidPartition,
    ):
        raise InvalidParameter(f"{path} is not the state of a run") from None


def _known(data: dict[str, Any], problem: Problem) -> KnownColumns:
    partition = Partition.of(data["partition"], problem.n)
    pool = [_group(group, problem) for group in data["pool"]]
    alone = _wholes(data["alone"])
    [number] = _wholes([data["round"]])
    if not (problem.feasible(partition) and len(alone) == problem.n):
        raise ValueError
    return KnownColumns(partition, pool, alone, number, node_of(data["tree"], problem))


def _group(data: list[object], problem: Problem) -> Group:
    group = tuple(_records(data, problem))
    if len(group) not in problem.sizes or not problem.allows(group):
        raise ValueError
    return group


def node_of(data: dict[str, Any], problem: Problem, above: int = 0) -> Node:
    """Return a proof from its data. Raises ValueError, KeyError, TypeError."""
    if above > DEEPEST:
        raise ValueError
    pair = _records(data["pair"], problem) if "pair" in data else None
    below = {
        key: node_of(data[key], problem, above + 1)
        for key in ("together", "apart", "next")
        if key in data
    }
    if (pair is not None) != ({"together", "apart"} <= below.keys()):
        raise ValueError
    return Node(
        _duals(data["duals"], problem) if "duals" in data else None,
        data.get("infeasible") is True,
        _duals(data["exact"], problem) if "exact" in data else None,
        None if pair is None else (pair[0], pair[1]),
        below.get("together"),
        below.get("apart"),
        below.get("next"),
    )


def node_data(node: Node, bounds: Bounds) -> dict[str, object]:
    """Return a proof, ready for JSON."""
    data: dict[str, Any] = {}
    if node.duals is not None:
        data["duals"] = duals_data(node.duals, bounds)
    if node.infeasible:
        data["infeasible"] = True
    if node.exact is not None:
        data["exact"] = duals_data(node.exact, bounds)
    if node.next is not None:
        data["next"] = node_data(node.next, bounds)
    if node.pair is not None and node.together is not None and node.apart is not None:
        data["pair"] = list(node.pair)
        data["together"] = node_data(node.together, bounds)
        data["apart"] = node_data(node.apart, bounds)
    return data


def duals_data(duals: Duals, bounds: Bounds) -> dict[str, object]:
    """Return duals with what they prove, as data for JSON."""
    return {
        "records": duals.records,
        "fewest": duals.fewest,
        "most": duals.most,
        "cuts": [
            [list(cut.records), list(cut.weights), cut.divisor, price]
            for cut, price in duals.cuts.items()
        ],
        "bound": duals.bound(bounds),
    }


def _duals(data: dict[str, Any], problem: Problem) -> Duals:
    fewest, most, bound = _wholes([data["fewest"], data["most"], data["bound"]])
    cuts = {_cut(cut, problem): _wholes([cut[3]])[0] for cut in data["cuts"]}
    duals = Duals(_wholes(data["records"]), fewest, most, cuts)
    proved = duals.bound(Bounds(problem.fewest, problem.most))
    if len(duals.records) != problem.n or fewest < 0 or most > 0 or proved != bound:
        raise ValueError
    if any(price > 0 for price in cuts.values()):
        raise ValueError
    return duals


def _cut(data: list[Any], problem: Problem) -> Cut:
    records, weights = _records(data[0], problem), _wholes(data[1])
    [divisor] = _wholes([data[2]])
    if len(records) != len(weights) or divisor < 1 or min(weights) < 0:
        raise ValueError
    return Cut(tuple(records), tuple(weights), divisor)


def _records(data: list[object], problem: Problem) -> list[int]:
    """Return different records, in ascending order."""
    records = _wholes(data)
    if records != sorted(set(records)) or not all(0 <= r < problem.n for r in records):
        raise ValueError
    return records


def _wholes(data: list[Any]) -> list[int]:
    if not isinstance(data, list) or any(type(number) is not int for number in data):
        raise TypeError
    return data
