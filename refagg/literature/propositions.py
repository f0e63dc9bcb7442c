"""What Torra's propositions on fuzzy c-means say of large and small parameters, put to the test.

Each test runs on Table 1 from the start of Table 3 (`refagg.literature.tor`), with the
tolerance and limit below, and reports what was measured.

  2, second half, and 8   As m grows, plain and constrained centres become the mean. False: the
                          memberships become equal, but their m-th powers, which weigh the
                          records, do not. At m = 50 every centre is a record.
  3                       Entropy-based centres become the mean as lambda goes to 0. True. The
                          mean attracts centres if lambda < 1 / (2 lambda_max(Cov)), and repels
                          them above. Near the threshold, centres that are far away may stay.
  5 and 7                 Constrained centres are plain centres where the data satisfy the
                          constraint. 7 writes this condition for the centres.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import dist, fsum

from refagg.algorithms.fuzzy.c_means import FuzzyRun, fuzzy_c_means

Rows = Sequence[Sequence[float]]
Project = Callable[[list[float]], list[float]]

LARGE = 50.0
"""The m of the counterexamples."""

TOLERANCE = 1e-13
LIMIT = 20_000

NEAR = 1e-3
"""A start near the mean: the share of its distance from the mean that is kept."""

AROUND = (0.9, 0.99, 1.01, 1.1)
"""The shares of the threshold at which entropy-based centres are computed."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A proposition, what was measured, and whether that bears out what it states."""

    proposition: str
    measured: str
    verdict: str
    note: str = ""


def collapse_with_m(name: str, rows: Rows, start: Rows, project: Project | None) -> Finding:
    """Are the centres the mean at a large m? Where are they?"""
    run = fuzzy_c_means(rows, start, m=LARGE, project=project, tolerance=TOLERANCE, limit=LIMIT)
    on_records = sum(nearest(centre, rows) <= 1e-9 for centre in run.centres)
    apart = min(dist(centre, mean_of(rows)) for centre in run.centres)
    return Finding(
        name,
        f"m = {LARGE:g}: {on_records} of {len(run.centres)} centres are records, "
        f"none is nearer to the mean than {apart:.4g}",
        "false" if apart > 1e-6 else "holds here",
        f"such a release would hold raw records; {how_it_ended(run)}",
    )


def around_threshold(rows: Rows, start: Rows) -> list[Finding]:
    """Where do entropy-based centres end, below and above the threshold?"""
    middle, threshold = mean_of(rows), 1 / (2 * greatest_variance(rows))
    close = [[m + NEAR * (x - m) for x, m in zip(centre, middle, strict=True)] for centre in start]
    found = []
    for where, begin in (("near the mean", close), ("from the start of Table 3", start)):
        for share in AROUND:
            apart, ended = collapsed(rows, begin, share * threshold)
            found.append(_about_threshold(where, share, apart, ended, begin is close))
    return found


def _about_threshold(where: str, share: float, apart: float, ended: str, near: bool) -> Finding:
    expected = (apart <= 1e-6) == (share < 1)
    verdict = "holds" if expected else "false" if near else "holds near the mean only"
    return Finding(
        f"3, {where}, lambda at {share:g} of the threshold",
        f"{apart:.4g} from the mean",
        verdict,
        ended,
    )


def collapsed(rows: Rows, start: Rows, lam: float) -> tuple[float, str]:
    """How far the farthest centre ends from the mean, and how the run ended."""
    run = fuzzy_c_means(rows, start, kind="efcm", lam=lam, tolerance=TOLERANCE, limit=LIMIT)
    return max(dist(centre, mean_of(rows)) for centre in run.centres), how_it_ended(run)


def same_centres(name: str, rows: Rows, start: Rows, project: Project) -> Finding:
    """How far are constrained centres from plain ones, relative to the greatest value?"""
    scale = max(abs(x) for row in rows for x in row)
    worst = 0.0
    for kind, m, lam in (("fcm", 1.5, None), ("fcm", 2.0, None), ("efcm", None, 1e-3)):
        plain, constrained = (
            fuzzy_c_means(
                rows, start, kind=kind, m=m, lam=lam, project=how, tolerance=TOLERANCE, limit=LIMIT
            )
            for how in (None, project)
        )
        worst = max(worst, largest_gap(plain.centres, constrained.centres) / scale)
    return Finding(
        name,
        f"largest relative difference {worst:.1g} (m = 1.5, m = 2, lambda = 0.001)",
        "holds" if worst <= 1e-12 else "false",
    )


def how_it_ended(run: FuzzyRun) -> str:
    """The iterations of a run, and whether they converged."""
    return f"{run.iterations} iterations, {'' if run.converged else 'not '}converged"


def mean_of(rows: Rows) -> list[float]:
    """The mean of all records."""
    return [fsum(column) / len(rows) for column in zip(*rows, strict=True)]


def nearest(centre: Sequence[float], rows: Rows) -> float:
    """The distance to the nearest record."""
    return min(dist(centre, row) for row in rows)


def largest_gap(ours: Rows, theirs: Rows) -> float:
    """The largest difference of a coordinate."""
    pairs = zip(ours, theirs, strict=True)
    return max(abs(x - y) for a, b in pairs for x, y in zip(a, b, strict=True))


def greatest_variance(rows: Rows) -> float:
    """The greatest eigenvalue of the covariance matrix (divisor n), by the power method."""
    middle = mean_of(rows)
    apart = [[x - m for x, m in zip(row, middle, strict=True)] for row in rows]
    along, length = [1.0] * len(middle), 0.0
    for _ in range(1000):
        shares = [fsum(x * a for x, a in zip(row, along, strict=True)) for row in apart]
        along = [
            fsum(s * x for s, x in zip(shares, column, strict=True)) / len(rows)
            for column in zip(*apart, strict=True)
        ]
        length = fsum(a * a for a in along) ** 0.5
        along = [a / length for a in along]
    return length
