"""The least cost of a partition, by whichever exact method suits.

>>> found = solve([[1], [2], [3], [10], [11], [13]], k=3)
>>> found.status, found.partition.groups, str(found.value)
('optimal', ((0, 1, 2), (3, 4, 5)), '20/3')

The cost need not be the SSE: here it is the absolute error around the median.

>>> from statistics import median
>>> found = solve([1, 2, 9, 8, 30], 2, cost=lambda xs: sum(abs(x - median(xs)) for x in xs))
>>> found.partition.groups, found.value
(((0, 1), (2, 3, 4)), Fraction(23, 1))
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import inf, lcm
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oracle.certificate.kernel import conic_bound
from oracle.executors import Here
from oracle.optima import clock
from oracle.optima.allgroups import by_all_groups, by_subsets, exhaustive, number_of_groups
from oracle.optima.certify import certificate
from oracle.optima.clock import Clock, GivenUp, OutOfTime, Progress, Report
from oracle.optima.columns import Outcome, Scale, Solver, instance_digest, solver_for
from oracle.optima.distances import MOST_BITS, distances_of, fine_parts
from oracle.optima.problem import METHODS, OBJECTIVES, Problem, general_problem, sse_problem
from oracle.optima.searching import SEARCH
from oracle.optima.solver import check_solver, default_solver
from oracle.optima.start import feasible_start, good_start
from oracle.optima.state import identity, load_state, save_state
from oracle.optima.univariate import least_deviation, optimal_column
from refagg.algorithms.search.moves.constraints import Pair
from refagg.data.standardise import Scaled, is_plain, standardise, usual_scale
from refagg.data.tables import Table, table_of
from refagg.errors import InvalidParameter, NoPartition
from refagg.language.lists import check_one_of, listed
from refagg.language.number_texts import float_or
from refagg.language.partition import Partition
from refagg.notebook import Overview, Tabulated, bars
from refagg.options.fields import given_options
from refagg.release.measures import deviation_weights, group_deviation, pair_cost
from refagg.spaces.dissimilarities.dissimilarity import Function
from refagg.spaces.of_tables import space_of

if TYPE_CHECKING:
    from typing import Unpack

    from oracle.keywords import SearchOptions

SMALL = 12
"""So many records, or fewer, are left to the dynamic program over subsets."""

FEW_GROUPS = 60_000
"""A cost of the user's own is left to it while there are no more groups than this."""

MOST_RECORDS = 10_000
"""Of more the distances of all pairs need more than 800 MB."""

SAVE_EVERY = 20.0
"""Seconds between two states."""

SAVING_SHARE = 20
"""A save that takes long is followed by at least this multiple of it without one."""


@dataclass(frozen=True, slots=True, repr=False)
class Optimum(Tabulated):
    """The least cost, as far as it is known.

    `status` is "optimal", or "feasible" if a cheaper partition may exist. `value` is the exact
    cost of `partition`, `bound` a proven lower bound, None if there is none. `proof` says what an
    optimum rests on: "search" (one that was carried to its end in exact arithmetic) or
    "certificate" (which `certificate` holds).
    """

    status: str
    partition: Partition
    value: Fraction
    bound: Fraction | None
    method: str
    proof: str | None
    seconds: float
    certificate: dict[str, Any] | None = None

    def overview(self) -> Overview:
        """Return what notebooks show.

        The table has the number of each record's group.
        """
        known = {"value": float_or(inf, self.value)}
        if self.bound is not None:
            known["bound"] = float_or(inf, self.bound)
        numbers = ", ".join(f"{name} {number:.6g}" for name, number in known.items())
        partition = self.partition.overview()
        return Overview(
            f"Optimum: {self.status}, {numbers}, by {self.method}; {partition.says}",
            partition.columns,
            bars(known, "cost"),
            listed=False,
        )

    @property
    def gap(self) -> Fraction | None:
        """Return the share of the value above the bound.

        It is 0 for an optimum.
        """
        return None if self.bound is None else clock.gap(self.value, self.bound)


def solve(
    records: Any,
    k: int,
    method: str = "auto",
    *,
    how: str | None = None,
    kinds: Mapping[str, str] | None = None,
    dissimilarity: str | Function = "oss",
    **options: Unpack[SearchOptions],
) -> Optimum:
    """Return the cheapest partition into groups of at least k.

    `records` are a table as `refagg.table_of` takes it, or a `Scaled` one; the cost is the SSE
    on the scale `how`, by default that of the values themselves. With the objective "absolute" it
    is the sum of absolute deviations from the median of each attribute, on the scale "none" or
    "range". `kinds` declares attributes that are not numbers; with some, the cost is the
    dissimilarity within groups, and numbers are divided by their range by default. With `cost`,
    records are a sequence of anything, and `cost` is given lists of them. `method` is one of
    METHODS; "columns" needs the SSE, "univariate" one of both objectives. `largest` is the greatest
    size of a group; `together` and `apart` are pairs of records.

    With a time limit in seconds the result may be "feasible". `solver` is "cbc" or "highs", which
    is the default where it is installed. `start` is a partition to begin with, `state` a file
    to go on from and to keep up to date ("columns" only); of two partitions the better is taken.

    Raises InvalidK, KTooLarge, InvalidParameter, InvalidConstraint, NoPartition, InvalidPartition,
    SolverUnavailable, SolverFailed, and for tables what `table_of` raises.
    """
    given = given_options(options, SEARCH, "solve")
    _check_search(method, given)
    limits = given["largest"], given["together"], given["apart"]
    if given["cost"] is not None:
        text = isinstance(records, str)  # a sequence of letters
        items = records if text else listed(records, "records are", "give a sequence")
        problem = general_problem(items, k, given["cost"], *limits)
    else:
        scaled = records if isinstance(records, Scaled) else _on_scale(records, how, kinds)
        problem = problem_of(scaled, k, dissimilarity, *limits, objective=given["objective"])
    state, start, solver = given["state"], given["start"], given["solver"]
    usual = "columns" if problem.scaled and (state or start) else chosen_method(problem)
    chosen = usual if method == "auto" else method
    _check_method(problem, chosen, state, start)
    if solver is None and chosen in ("ilp", "columns"):
        solver = default_solver()
        check_solver(solver)
    watch = Clock(given["time_limit"])
    if chosen == "columns":
        return _by_columns(problem, solver, given["executor"], watch, given["report"], state, start)
    if chosen == "semidefinite":
        return _by_cone(problem, watch, given["report"] or _nothing, start)
    return _by_a_small_method(problem, chosen, watch, solver or "")


def _check_search(method: str, given: Mapping[str, Any]) -> None:
    """Raise InvalidParameter, SolverUnavailable for options that cannot be had."""
    objective, limit = given["objective"], given["time_limit"]
    check_one_of(method, METHODS, "method is")
    check_one_of(objective, OBJECTIVES, "objective is")
    if given["cost"] is not None and objective != "sse":
        raise InvalidParameter("a cost is an objective of its own; give one of the two")
    if limit is not None and not (isinstance(limit, (int, float, Fraction)) and limit >= 0):
        raise InvalidParameter(f"the time limit is {limit}; it must be at least 0 seconds")
    if given["solver"] is not None:
        check_solver(given["solver"])


def _on_scale(records: object, how: str | None, kinds: Mapping[str, str] | None) -> Scaled:
    table = table_of(records, kinds=kinds)
    return standardise(table, how or (usual_scale(table) if table.others else "none"))


def problem_of(
    scaled: Scaled,
    k: int,
    dissimilarity: str | Function = "oss",
    largest: int | None = None,
    together: Iterable[Pair] = (),
    apart: Iterable[Pair] = (),
    objective: str = "sse",
) -> Problem:
    """Return the problem of the least cost within groups.

    The cost is the SSE, the deviation, or the dissimilarity of records. Raises as `optimum`.

    Some division of a large group never costs more: on the average over all divisions, it costs
    less. But where sequences must be together, whose dissimilarities need be no distances, the
    divisions that are left may all cost more; then groups of all sizes count.
    """
    table = scaled.table
    limits = largest, list(together), list(apart)
    if objective == "absolute":
        deviation_weights(scaled)  # checks kinds and scale
        deviation = partial(group_deviation, scaled)
        problem = general_problem(range(table.n), k, deviation, *limits)
        return _in_order(problem, table, least_deviation)
    if not table.others:
        return _in_order(sse_problem(scaled, k, *limits), table, optimal_column)
    space = space_of(scaled, dissimilarity)
    records = range(table.n)
    rows = [[Fraction(space.shown(raw)) for raw in space.raw(a, records)] for a in records]
    largest, together, apart = limits
    sequences = any(other.kind.name == "sequence" for other in table.others)
    if largest is None and together and sequences:
        largest = table.n
    return general_problem(records, k, pair_cost(rows), largest, together, apart)


def _in_order(problem: Problem, table: Table, method: Callable[..., Partition]) -> Problem:
    """Add the method for one attribute to a problem, if possible.

    There has to be such a method, one attribute, and no constraint.
    """
    if len(table.columns) != 1 or problem.constrained:
        return problem
    return replace(problem, in_order=partial(method, table.columns[0], problem.k, problem.largest))


def chosen_method(problem: Problem) -> str:
    """Return the method of "auto"."""
    if problem.in_order is not None:
        return "univariate"
    if problem.scaled is None:
        return "subsets" if problem.n <= 20 and number_of_groups(problem) <= FEW_GROUPS else "ilp"
    return "subsets" if problem.n <= SMALL else "columns"


def _check_method(
    problem: Problem, method: str, state: Path | None, start: Partition | None
) -> None:
    by_pairs = method in ("columns", "semidefinite")
    if by_pairs and problem.scaled is None:
        raise InvalidParameter(f"the method {method} computes the SSE, and no other cost")
    if method == "semidefinite" and problem.k < 2:
        raise InvalidParameter("the method semidefinite needs groups of 2 records or more")
    if state is not None and problem.scaled is not None and not is_plain(problem.scaled):
        raise InvalidParameter("a state is about the SSE of numbers without weights or ranges")
    if method == "univariate" and problem.in_order is None:
        raise InvalidParameter(
            "the method univariate needs one attribute, a number, and no constraints; the cost can "
            "be the SSE or absolute deviations"
        )
    if (method != "columns" and state is not None) or (not by_pairs and start is not None):
        raise InvalidParameter(f"the method {method} has no state or takes no start")
    if by_pairs and problem.n > MOST_RECORDS:
        raise InvalidParameter(
            f"the method {method} keeps the distances of all pairs; of {problem.n} records they "
            f"are too many, {MOST_RECORDS} are possible"
        )
    if start is not None and (start.n != problem.n or not problem.feasible(start)):
        raise InvalidParameter("the partition to start with is not one that the problem allows")


def _by_a_small_method(problem: Problem, method: str, watch: Clock, solver: str) -> Optimum:
    partition: Partition | None
    bound: Fraction | None = None
    try:
        watch.check()
        if method == "exhaustive":
            partition = exhaustive(problem, watch)
        elif method == "subsets":
            partition = by_subsets(problem, watch)
        elif method == "univariate":
            assert problem.in_order is not None
            partition = problem.in_order()
        else:
            partition, bound = by_all_groups(problem, watch, solver) or (None, None)
    except (OutOfTime, GivenUp, KeyboardInterrupt):
        return _some_partition(problem, None, method, watch)
    if partition is None:
        raise NoPartition("no partition keeps the constraints")
    value = problem.value(partition)
    bound = value if bound is None else bound
    status, proof = ("optimal", "search") if bound == value else ("feasible", None)
    return Optimum(status, partition, value, bound, method, proof, watch.seconds)


def _some_partition(
    problem: Problem, start: Partition | None, method: str, watch: Clock
) -> Optimum:
    """Return the result of a run that ended without a proof.

    Raises NoPartition.
    """
    partition = start or problem.in_file_order()
    if partition is None:
        partition = feasible_start(problem, [[0] * problem.n] * problem.n)
    if partition is None:
        raise NoPartition("no partition that keeps the constraints was found in the time")
    value, bound = problem.value(partition), Fraction(0) if problem.scaled else None
    return Optimum("feasible", partition, value, bound, method, None, watch.seconds)


def _by_columns(
    problem: Problem,
    solver: str,
    executor: Executor | None,
    watch: Clock,
    report: Report | None,
    state: Path | None,
    start: Partition | None,
) -> Optimum:
    assert problem.scaled is not None
    known = identity(problem, instance_digest(problem.scaled))
    earlier = load_state(state, known, problem) if state else None
    starts = [partition for partition in (start, earlier and earlier.partition) if partition]
    start = min(starts, key=problem.value, default=None)
    next_save = time.monotonic() + SAVE_EVERY

    def save(work: Solver, path: Path) -> None:
        nonlocal next_save
        began = time.monotonic()
        if began >= next_save:
            save_state(path, known, work)
            took = time.monotonic() - began
            next_save = began + took + max(SAVE_EVERY, SAVING_SHARE * took)

    try:
        work = solver_for(
            problem,
            solver,
            executor or Here(),
            watch,
            report or _nothing,
            start,
            partial(save, path=state) if state else _nothing,
        )
    except KeyboardInterrupt:  # before anything is known but a partition
        return _some_partition(problem, start, "columns", watch)
    if earlier:
        work.resume(earlier)
    outcome = work.run()
    if state:
        save_state(state, known, work)
    return _proved(problem, outcome, "columns", watch)


def _by_cone(problem: Problem, watch: Clock, report: Report, start: Partition | None) -> Optimum:
    """Return a partition by local search, and a bound by vectors.

    Raises NoPartition.
    """
    from oracle.optima.cones import best_cone  # needs NumPy

    assert problem.scaled is not None
    distances = distances_of(problem.scaled, MOST_BITS)
    partition = good_start(problem, distances.rows, watch, start)
    if partition is None:
        raise NoPartition("no partition that keeps the constraints was found")
    value, told = problem.value(partition), 0

    def on(bound: float) -> bool:
        nonlocal told
        told += 1
        seconds, limit = watch.seconds, watch.limit
        report(Progress("cone", told, 0, 0, Fraction(bound), value, seconds, None, limit))
        return bool(watch.left(1.0))

    parts = fine_parts(distances, MOST_BITS)
    scale = Scale(distances.per_unit, parts, distances.per_unit * parts * lcm(*problem.sizes))
    cone = best_cone(distances, parts, problem.k, problem.largest, on)
    proved = conic_bound(cone, list(map(list, distances.rows)), problem.sizes, parts, "cone")
    closed = proved > scale.target(value)
    bound = value if closed else max(Fraction(0), scale.exactly(proved))
    outcome = Outcome(partition, value, bound, cone, closed, scale)
    return _proved(problem, outcome, "semidefinite", watch)


def _proved(problem: Problem, outcome: Outcome, method: str, watch: Clock) -> Optimum:
    """Return the optimum, or the bound, that a method can certify."""
    status, proof = ("optimal", "certificate") if outcome.closed else ("feasible", None)
    found = outcome.partition, outcome.value, outcome.bound
    return Optimum(status, *found, method, proof, watch.seconds, certificate(problem, outcome))


def _nothing(_: Progress | Solver) -> None:
    """Report no progress."""
