"""Fuzzy c-means by alternating optimisation, plain (FCM, EFCM) and under linear constraints.

Source: V. Torra, "Fuzzy clustering-based microaggregation to achieve probabilistic k-anonymity
for data with constraints", Journal of Intelligent & Fuzzy Systems 2020; FCM: Bezdek 1981; EFCM:
Miyamoto and Mukaidono 1997.

  FCM    minimises J = sum of u_ki^m d_ki^2,
  EFCM   minimises J = sum of u_ki d_ki^2 + 1/lambda sum of u_ki log u_ki,

where the memberships of each record add to 1, and each centre is on A v = b, if constraints are
given.

Steps:
  1. The centres start at the points given; under constraints, at their projections.
  2. Memberships are computed from the distances of records to centres (`memberships`).
  3. Each centre becomes the mean of all records, weighted by u^m (FCM) or u (EFCM), and under
     constraints the projection of this mean: the exact minimum, since J grows equally in all
     directions from the mean. A centre of which no record is a member stays where it is.
  4. Steps 2 and 3 are repeated until no coordinate of a centre moves by more than `tolerance`
     times the widest range of an attribute, or `limit` times.

Neither step can raise J, except by rounding (RISE).

>>> run = fuzzy_c_means([(0.0,), (2.0,), (10.0,), (12.0,)], [(0.0,), (12.0,)], kind="crisp")
>>> run.centres, run.objectives, run.iterations, run.converged
([[1.0], [11.0]], [8.0, 4.0, 4.0], 2, True)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import compress, repeat
from math import dist, exp, fsum, inf, log
from operator import eq, mul, sub
from typing import TypeVar

from refagg.algorithms.fuzzy.memberships import MembershipFunction, membership_function
from refagg.errors import InvalidParameter, NotConverged
from refagg.terminal import NOW

TOLERANCE = 1e-9
LIMIT = 1000

LARGEST = 1e150
"""Coordinates must not be larger: their squares are added."""

RISE = 1e-12
"""The share of n times the square of the widest range by which rounding may raise the level."""

Row = Sequence[float]
Rows = Sequence[Row]
Projection = Callable[[list[float]], list[float]]
Centres = TypeVar("Centres")
Logs = TypeVar("Logs")


@dataclass(frozen=True, slots=True)
class FuzzyRun:
    """Where alternating optimisation ended, and how it got there."""

    centres: list[list[float]]
    memberships: list[list[float]]
    """For each record that in each centre; they belong to `centres`."""
    objectives: list[float]
    """J after each step of memberships: at the start, and after each iteration."""
    levels: list[float]
    """The same on a scale on which it does not underflow; see `MembershipFunction.level`."""
    iterations: int
    converged: bool
    moved: float
    """The farthest that a coordinate moved in the last iteration, in widest ranges."""


def fuzzy_c_means(
    rows: Rows,
    centres: Rows,
    *,
    kind: str = "fcm",
    m: float | None = None,
    lam: float | None = None,
    project: Projection | None = None,
    tolerance: float = TOLERANCE,
    limit: int = LIMIT,
    membership: MembershipFunction | None = None,
    demand: bool = False,
) -> FuzzyRun:
    """The run from these centres; `membership` says the kind and its m or lambda together.

    With `demand`, not to converge is an error. Raises InvalidParameter, NotConverged.
    """
    membership = membership or membership_function(kind, m, lam)
    check_stopping(tolerance, limit)
    check_rows(rows, centres)
    data = Columns(rows)
    at = [list(map(float, centre)) for centre in centres]
    # 1.
    if project:
        at = [project(centre) for centre in at]
    at, logs, levels, moved = alternated(
        at,
        lambda at: _log_memberships(rows, at, membership),
        lambda logs, before: _centres(data, logs, membership, before, project),
        lambda before, at: _moved(before, at) / data.width if data.width else 0.0,
        Stopping(tolerance, limit, demand),
    )
    members = [list(map(exp, row)) for row in logs]
    return run_of(at, members, levels, membership, moved, tolerance)


@dataclass(frozen=True, slots=True)
class Stopping:
    """When the iterations end; with `demand`, it is an error to end unconverged."""

    tolerance: float
    limit: int
    demand: bool


def alternated(
    at: Centres,
    looked: Callable[[Centres], tuple[Logs, float]],
    centred: Callable[[Logs, Centres], Centres],
    shift: Callable[[Centres, Centres], float],
    stopping: Stopping,
) -> tuple[Centres, Logs, list[float], float]:
    """Steps 2 to 4: centres, logarithms of memberships, all levels, and the last move.

    `looked` is step 2, `centred` step 3, from the centres before; `shift` says how far centres
    moved, in widest ranges. Raises NotConverged.
    """
    logs, level = looked(at)  # 2.
    levels, moved = [level], inf
    for _ in NOW.each(range(stopping.limit), "iterations", at_most=True):
        before = at
        at = centred(logs, before)  # 3.
        logs, level = looked(at)  # 2.
        levels.append(level)
        moved = shift(before, at)
        if moved <= stopping.tolerance:
            break
    if stopping.demand and moved > stopping.tolerance:
        raise NotConverged(
            f"after {len(levels) - 1} iterations centres still move by {moved:.3g} of the widest "
            f"range of an attribute; the tolerance is {stopping.tolerance:.3g}"
        )
    return at, logs, levels, moved


def run_of(
    at: list[list[float]],
    members: list[list[float]],
    levels: list[float],
    membership: MembershipFunction,
    moved: float,
    tolerance: float,
) -> FuzzyRun:
    """The run that ended at these centres."""
    objectives = [membership.objective(level, len(members), len(at)) for level in levels]
    return FuzzyRun(at, members, objectives, levels, len(levels) - 1, moved <= tolerance, moved)


def memberships(
    rows: Rows, centres: Rows, kind: str = "fcm", m: float | None = None, lam: float | None = None
) -> list[list[float]]:
    """Step 2: for each record its memberships in the centres. Raises InvalidParameter."""
    logs, _ = _log_memberships(rows, centres, membership_function(kind, m, lam))
    return [list(map(exp, row)) for row in logs]


def centres_of(
    rows: Rows,
    members: Rows,
    kind: str = "fcm",
    m: float | None = None,
    project: Projection | None = None,
) -> list[list[float]]:
    """Step 3: the centres that fit these memberships best.

    One of which no record is a member goes to the medians. Raises InvalidParameter.
    """
    membership = membership_function(kind, m, 1.0 if kind == "efcm" else None)
    data = Columns(rows)
    logs = [[log(u) if u else -inf for u in row] for row in members]
    return _centres(data, logs, membership, [data.base] * len(members[0]), project)


def one_step(
    rows: Rows,
    centres: Rows,
    kind: str = "fcm",
    m: float | None = None,
    lam: float | None = None,
    project: Projection | None = None,
) -> tuple[list[list[float]], list[list[float]]]:
    """Steps 2 and 3, once: the new centres, and the memberships that they were made with."""
    membership = membership_function(kind, m, lam)
    logs, _ = _log_memberships(rows, centres, membership)
    at = _centres(Columns(rows), logs, membership, centres, project)
    return at, [list(map(exp, row)) for row in logs]


def objective(
    rows: Rows,
    centres: Rows,
    members: Rows,
    kind: str = "fcm",
    m: float | None = None,
    lam: float | None = None,
) -> float:
    """J as it is defined, for any memberships. Raises InvalidParameter."""
    membership = membership_function(kind, m, lam)
    terms = [
        u**membership.exponent * dist(row, centre) ** 2 + (u * log(u) / lam if lam and u else 0.0)
        for row, of_row in zip(rows, members, strict=True)
        for centre, u in zip(centres, of_row, strict=True)
    ]
    return fsum(terms)


class Columns:
    """The records by attributes, less a middle value: sums of them lose nothing to an offset."""

    def __init__(self, rows: Rows) -> None:
        columns = list(zip(*rows, strict=True))
        self.rows = list(zip(*columns, strict=True))
        self.base = [float(sorted(column)[len(column) // 2]) for column in columns]
        self.columns = [
            list(map(sub, column, repeat(base)))
            for column, base in zip(columns, self.base, strict=True)
        ]
        self.width = max(max(column) - min(column) for column in columns)

    def mean(self, weights: Sequence[float]) -> list[float]:
        """The mean of all records with these weights; of equal ones it is exactly what they are.

        So a centre that has only the records at its place stays there. If rounding moved it, a
        large m would notice: its memberships jump where the distance 0 ends.
        """
        counting = compress(self.rows, weights) if 0.0 in weights else iter(())
        first = next(counting, None)
        if first is not None and all(map(eq, counting, repeat(first))):
            return list(map(float, first))
        total = sum(weights)
        return [
            base + sum(map(mul, weights, column)) / total
            for base, column in zip(self.base, self.columns, strict=True)
        ]


def _log_memberships(
    rows: Rows, centres: Rows, membership: MembershipFunction
) -> tuple[list[list[float]], float]:
    """The logarithms of the memberships, and the level of the objective that they have."""
    result, levels = [], []
    for row in rows:
        distances = list(map(dist, repeat(row), centres))
        logs = membership.logs(distances)
        levels.append(membership.level(distances, logs))
        whole = log(sum(map(exp, logs)))
        result.append([x - whole for x in logs])
    return result, fsum(levels)


def _centres(
    data: Columns,
    logs: Rows,
    membership: MembershipFunction,
    before: Rows,
    project: Projection | None,
) -> list[list[float]]:
    result = []
    for of_centre, old in zip(zip(*logs, strict=True), before, strict=True):
        greatest, power = max(of_centre), membership.exponent
        if greatest == -inf:
            centre = list(old)
        else:
            centre = data.mean([exp(power * (x - greatest)) for x in of_centre])
        result.append(project(centre) if project else centre)
    return result


def _moved(before: Rows, after: Rows) -> float:
    return max(
        abs(x - y) for a, b in zip(before, after, strict=True) for x, y in zip(a, b, strict=True)
    )


def check_stopping(tolerance: float, limit: int) -> None:
    """Raise InvalidParameter for a tolerance or a limit that cannot be met."""
    if not tolerance >= 0:
        raise InvalidParameter(f"the tolerance is {tolerance}; it must be at least 0")
    if limit < 1:
        raise InvalidParameter(f"the limit is {limit} iterations; it must be at least 1")


def check_rows(rows: Rows, centres: Rows) -> None:
    """Raise InvalidParameter unless there are records and centres, of equal width and finite."""
    if not rows or not centres:
        raise InvalidParameter(f"there are {len(rows)} records and {len(centres)} centres")
    width = len(rows[0])
    for row in (*rows, *centres):
        if len(row) != width or not all(abs(x) <= LARGEST for x in row):
            raise InvalidParameter(
                f"a record or centre is {tuple(row)}; each must have {width} coordinates "
                f"of at most {LARGEST:g} in size"
            )
