"""Instances of which the optimum is known by going through every partition, and comparisons.

Nothing here uses the groups, the costs or the enumeration of the code under test: records are
given to groups one by one, and what costs least of all is the truth.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from oracle.certificate.kernel import Rejected
from oracle.functions.optima import verify
from oracle.optima import Optimum, solve
from oracle.optima.solver import check_solver
from refagg.data.csvfiles import write_csv, write_json
from refagg.errors import RefaggError

THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
COMPARED = 500 if THOROUGH else 10
CERTIFIED = 200 if THOROUGH else 12

SECONDS = 20.0
"""More time than a small instance needs; one that takes longer is not solved."""

Group = tuple[int, ...]
Rows = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Instance:
    """A table of integers, to be divided into groups of at least k."""

    rows: tuple[tuple[int, ...], ...]
    k: int

    @property
    def n(self) -> int:
        return len(self.rows)


# Instances


def tie_rich(random: Random) -> Instance:
    """Up to ten records of up to three attributes with few different values."""
    k = random.choice((2, 3, 4))
    n = random.randrange(k, 11)
    values = random.choice((2, 3, 4, 10))
    return Instance(drawn_rows(random, n, random.randrange(1, 4), values), k)


def integers(random: Random) -> Instance:
    """From 9 to 18 records."""
    n, values = random.randrange(9, 19), random.choice((10, 100, 1000))
    return Instance(drawn_rows(random, n, random.randrange(1, 4), values), random.choice((2, 3)))


def drawn_rows(random: Random, n: int, width: int, values: int) -> tuple[tuple[int, ...], ...]:
    """n records with values from 0 to `values` - 1."""
    return tuple(tuple(random.randrange(values) for _ in range(width)) for _ in range(n))


# The truth


def divisions(n: int, k: int) -> Iterator[tuple[Group, ...]]:
    """Every partition of n records into groups of at least k: each record joins a group or
    founds one, unless too few records are left to fill the groups."""
    yield from _grown([], 0, n, k)


def _grown(groups: list[list[int]], record: int, n: int, k: int) -> Iterator[tuple[Group, ...]]:
    if sum(max(0, k - len(group)) for group in groups) > n - record:
        return
    if record == n:
        yield tuple(map(tuple, groups))
        return
    for group in groups:
        group.append(record)
        yield from _grown(groups, record + 1, n, k)
        group.pop()
    groups.append([record])
    yield from _grown(groups, record + 1, n, k)
    groups.pop()


def least_cost(
    n: int,
    k: int,
    cost: Callable[[Group], Fraction],
    allowed: Callable[[Group], bool] = lambda group: True,
) -> Fraction | None:
    """The cost of the cheapest partition of which every group is allowed; None without one."""
    cost, allowed = cache(cost), cache(allowed)
    values = (
        sum(map(cost, groups), Fraction(0))
        for groups in divisions(n, k)
        if all(map(allowed, groups))
    )
    return min(values, default=None)


def squared_error(rows: Rows) -> Callable[[Group], Fraction]:
    """The sum of squared differences of a group from its mean, attribute by attribute."""

    def cost(group: Group) -> Fraction:
        total = Fraction(0)
        for values in zip(*(rows[record] for record in group), strict=True):
            mean = Fraction(sum(values), len(values))
            total += sum((value - mean) ** 2 for value in values)
        return total

    return cost


def least_sse(instance: Instance) -> Fraction:
    """The optimum of an instance, by looking at every partition."""
    least = least_cost(instance.n, instance.k, squared_error(instance.rows))
    assert least is not None
    return least


# Comparisons


def solvers() -> list[str]:
    """The solvers that are installed."""
    return [name for name in ("cbc", "highs") if _installed(name)]


def _installed(name: str) -> bool:
    try:
        check_solver(name)
    except RefaggError:
        return False
    return True


def methods(instance: Instance) -> list[tuple[str, str | None]]:
    """The methods that an instance is suited to, with solvers."""
    pairs: list[tuple[str, str | None]] = [("exhaustive", None), ("subsets", None), ("ilp", "cbc")]
    pairs += [("columns", solver) for solver in solvers()]
    return [*pairs, ("univariate", None)] if len(instance.rows[0]) == 1 else pairs


def agreement(number: int, seed: int) -> int:
    """Solve tie-rich instances with every method; how many were compared with the truth.

    Raises AssertionError at the first method that finds another value.
    """
    random = Random(seed)
    for _ in range(number):
        instance = tie_rich(random)
        truth = least_sse(instance)
        for method, solver in methods(instance):
            found = solve(instance.rows, instance.k, method, solver=solver, time_limit=SECONDS)
            assert found.status == "optimal", (instance, method, solver)
            assert found.value == truth == found.bound, (instance, method, solver, found.value)
            assert partition_cost(instance, found) == truth, (instance, method, solver)
    return number


def partition_cost(instance: Instance, found: Optimum) -> Fraction:
    """What the partition that was found costs, if its groups are legal."""
    groups = found.partition.groups
    assert sorted(record for group in groups for record in group) == list(range(instance.n))
    assert min(map(len, groups)) >= instance.k
    return sum(map(squared_error(instance.rows), groups), Fraction(0))


def certified(number: int, seed: int) -> int:
    """How many of so many instances are solved, and their certificates accepted."""
    random = Random(seed)
    return sum(proved(integers(random)) for _ in range(number))


def proved(instance: Instance) -> bool:
    """Is the optimum found, and does the checker accept the proof, both read from files?"""
    found = solve(instance.rows, instance.k, "columns", time_limit=SECONDS)
    if found.status != "optimal" or partition_cost(instance, found) != found.value:
        return False
    with tempfile.TemporaryDirectory() as folder:
        data, proof = Path(folder, "data.csv"), Path(folder, "certificate.json")
        write_instance(data, instance)
        write_json(proof, found.certificate)
        try:
            verdict = verify(proof, data)
        except Rejected:
            return False
    return verdict.optimal and verdict.value == found.value


def write_instance(path: Path, instance: Instance) -> None:
    """The instance as a CSV file, with the names that a table without names has."""
    names = [f"x{number + 1}" for number in range(len(instance.rows[0]))]
    write_csv(path, names, ([str(value) for value in row] for row in instance.rows))


def solved(instance: Instance) -> Any:
    """What a worker far away may be asked: status, value and groups of an instance."""
    found = solve(instance.rows, instance.k)
    return found.status, found.value, found.partition.groups
