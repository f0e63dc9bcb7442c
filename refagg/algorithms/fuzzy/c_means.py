"""Fuzzy c-means by alternating optimisation, plain (FCM, EFCM) and under linear constraints.

Source: V. Torra, "Fuzzy clustering-based microaggregation to achieve probabilistic k-anonymity
for data with constraints", Journal of Intelligent & Fuzzy Systems 2020; FCM: Bezdek 1981; EFCM:
Miyamoto and Mukaidono 1997.

  FCM    minimises J = sum of u_ki^m d_ki^2,
  EFCM   minimises J = sum of u_ki d_ki^2 + 1/lambda sum of u_ki log u_ki,

where the memberships of each record add to 1, and each centre is on A v = b, if constraints are
given.

Steps:
  1. The centres start at the points given; under constraints, at their projections, unless they
     are to start `as_given`.
  2. Memberships are computed from the distances of records to centres (`memberships`).
  3. Each centre becomes the mean of all records, weighted by u^m (FCM) or u (EFCM), and under
     constraints the projection of this mean: the exact minimum, since J grows equally in all
     directions from the mean. A centre of which no record is a member stays where it is.
  4. Steps 2 and 3 are repeated until no coordinate of a centre moves by more than `tolerance`
     times the widest range of an attribute, or `limit` times.

Neither step can raise J, except by rounding (RISE), and where the points given do not meet the
constraints.

>>> run = fuzzy_c_means([(0.0,), (2.0,), (10.0,), (12.0,)], [(0.0,), (12.0,)], kind="crisp")
>>> run.centres, run.objectives, run.iterations, run.converged
([[1.0], [11.0]], [8.0, 4.0, 4.0], 2, True)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf

from refagg.algorithms.fuzzy.memberships import MembershipFunction, membership_function
from refagg.cursors.rows import Row, Rows, check_rows, rows_of
from refagg.errors import InvalidParameter
from refagg.language.number_texts import shortened
from refagg.language.partition import Record
from refagg.language.random_stream import RandomStream

TOLERANCE = 1e-9
LIMIT = 1000

RISE = 1e-12
"""The share of n times the square of the widest range by which rounding may raise the level."""

Points = Sequence[Row]
Projection = Callable[[list[float]], list[float]]


@dataclass(frozen=True, slots=True)
class FuzzyRun:
    """The end of alternating optimisation, and the way there."""

    centres: list[list[float]] = field(repr=False)
    memberships: list[list[float]] = field(repr=False)
    """For each record that in each centre; they belong to `centres`."""
    objectives: list[float] = field(repr=False)
    """J after each step of memberships: at the start, and after each iteration."""
    levels: list[float] = field(repr=False)
    """The same on a scale on which it does not underflow; see `MembershipFunction.level`."""
    iterations: int
    converged: bool
    moved: float
    """The farthest that a coordinate moved in the last iteration, in widest ranges."""


def fuzzy_c_means(
    rows: Points,
    centres: Points,
    *,
    kind: str = "fcm",
    m: float | None = None,
    lam: float | None = None,
    project: Projection | None = None,
    as_given: bool = False,
    tolerance: float = TOLERANCE,
    limit: int = LIMIT,
    membership: MembershipFunction | None = None,
    watch: Callable[[Points, float], None] | None = None,
) -> FuzzyRun:
    """Run fuzzy c-means from these centres.

    `membership` gives the kind and its m or lambda together. `watch` is given the centres, and the
    level of the memberships in them, of each iteration. Raises InvalidParameter.
    """
    u = membership or membership_function(kind, m, lam)
    check_stopping(tolerance, limit)
    check_rows(rows, centres)
    project = project or list
    X = rows_of(rows, len(centres))
    V = [list(map(float, centre)) for centre in centres]
    V = V if as_given else list(map(project, V))  # 1.
    levels, moved = [], inf
    for _ in X.iterations(limit):
        log_u, level = X.memberships(u, V)  # 2. u_ki ~ d_ki^(-2/(m-1)), or exp(-lambda d_ki^2)
        levels.append(level)
        if watch:
            watch(V, level)  # 2. and 3. are told
        before = V
        V = [project(v) for v in X.centres(u, log_u, V)]  # 3. v_i = sum u_ki^m x_k / sum u_ki^m
        moved = X.moved(before, V)
        if moved <= tolerance:
            break  # 4.
    log_u, level = X.memberships(u, V)
    levels.append(level)
    if watch:
        watch(V, level)
    objectives = [u.objective(level, len(rows), len(V)) for level in levels]
    return FuzzyRun(
        V, X.listed(log_u), objectives, levels, len(levels) - 1, moved <= tolerance, moved
    )


def one_step(
    rows: Points,
    centres: Points,
    kind: str = "fcm",
    m: float | None = None,
    lam: float | None = None,
    project: Projection | None = None,
) -> tuple[list[list[float]], list[list[float]]]:
    """Steps 2 and 3, once: return new centres and their memberships.

    The centres were made with these memberships.
    """
    X, u = Rows(rows), membership_function(kind, m, lam)
    log_u, _ = X.memberships(u, centres)
    V = list(X.centres(u, log_u, centres))
    return list(map(project, V)) if project else V, X.listed(log_u)


def check_stopping(tolerance: float, limit: int) -> None:
    """Raise InvalidParameter for a tolerance or a limit that cannot be met."""
    if not tolerance >= 0:
        raise InvalidParameter(f"the tolerance is {tolerance}; it must be at least 0")
    if limit < 1:
        raise InvalidParameter(f"the limit is {limit} iterations; it must be at least 1")


def drawn_records(rows: Sequence[Sequence[float]], c: int, stream: RandomStream) -> list[Record]:
    """Draw c records of different rows.

    Each is equally likely to be the next one. If fewer rows are different, the others are drawn
    from all records: some centres coincide. Raises InvalidParameter.

    >>> from refagg.language.random_stream import scripted
    >>> drawn_records([(5.0,), (5.0,), (7.0,)], 2, scripted([1, 0]))
    [1, 2]
    """
    if not 1 <= c <= len(rows):
        most = f"at most the {len(rows)} rows"
        raise InvalidParameter(f"c is {shortened(c)}; it must be at least 1 and {most}")
    chosen: list[Record] = []
    left = list(range(len(rows)))
    while left and len(chosen) < c:
        chosen.append(left[stream.randbelow(len(left))])
        row = tuple(rows[chosen[-1]])
        left = [other for other in left if tuple(rows[other]) != row]
    return chosen + [stream.randbelow(len(rows)) for _ in range(c - len(chosen))]
