"""What Torra's propositions on fuzzy c-means say of large and small parameters, put to the test.

Each test runs on Table 1 from the start of Table 3 (`refagg.literature.tor`), with the
tolerance and limit below, and reports what was measured.

  2, first half           As m grows, all memberships become 1/c. False: those of most records do,
                          but the four that are centres at m = 50 are members of one only.
  2, second half, and 8   As m grows, plain and constrained centres become the mean. False: the
                          memberships become equal, but their m-th powers, which weigh the
                          records, do not. At m = 50 every centre is a record.
  3                       Entropy-based centres become the mean as lambda goes to 0. True. The
                          mean attracts centres if lambda < 1 / (2 lambda_max(Cov)), and repels
                          them above. Near the threshold, centres that are far away may stay.
  5 and 7                 Constrained centres are plain centres where the data satisfy the
                          constraint. 7, on entropy-based centres, writes this condition for the
                          centres, and says that they become those of standard fuzzy c-means; the
                          sentence before it says entropy-based, which is what is tested.
  8, larger m2            The loss grows with m2. True of the expected loss: memberships are weights
                          of distances, and the larger m2, the less the near centres are preferred.
  8, fewer clusters       The loss grows as c falls. False: with a large m2 a record is replaced by
                          any centre, which is on average farther than the mean.
  8, larger m1            The loss grows with m1. False: it falls again where centres are records.
  8, c = |X|              No loss with m1 and m2 near 1. True: each record is its own centre.
  Text, m > 2.5           Memberships are near 1/c. False for the records near to centres.
  Text, m = 1             It is k-means. True: the groups and centres of Lloyd's method.
  Text, large lambda      The solution is crisp. True.
  8, expected size        It is n/c for a large m2. True, of the expectation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import comb, dist, fsum

from refagg.algorithms.fuzzy.c_means import FuzzyRun, fuzzy_c_means, one_step

Rows = Sequence[Sequence[float]]
Project = Callable[[list[float]], list[float]]

LARGE = 50.0
"""The m of the counterexamples."""

CLOSE = 1.5
"""The m of the centres whose loss is measured."""

GROWING = (1.1, 1.5, 2.0, 5.0, 10.0, LARGE)
"""The values of m2."""

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


def memberships_with_m(name: str, rows: Rows, start: Rows) -> Finding:
    """Are all memberships nearly equal at a large m, and nearer at ten times of it?"""
    worst = []
    for m in (LARGE, 10 * LARGE):
        run = fuzzy_c_means(rows, start, m=m, tolerance=TOLERANCE, limit=LIMIT)
        equal = 1 / len(run.centres)
        off = [max(abs(u - equal) for u in members) for members in run.memberships]
        worst.append(sorted(off))
    (small, large), c = worst, len(start)
    near, nearer = (max(x for x in off if x < 0.1) for off in worst)
    return Finding(
        name,
        f"m = {LARGE:g}: {sum(x < 0.1 for x in small)} of {len(rows)} records have memberships "
        f"within {near:.4f} of 1/{c}, the others are off by {small[-1]:.2f}",
        "false" if large[-1] > 0.1 else "holds here",
        f"those are the records on which centres are; at m = {10 * LARGE:g} the first are within "
        f"{nearer:.4f}, the others off as before",
    )


def memberships_beyond(name: str, rows: Rows, start: Rows) -> Finding:
    """How far are memberships from 1/c at m = 2.5 and somewhat more?"""
    shown, even = [], []
    for m in (2.5, 3.0):
        run = fuzzy_c_means(rows, start, m=m, tolerance=TOLERANCE, limit=LIMIT)
        equal = 1 / len(run.centres)
        off = [max(abs(u - equal) for u in members) for members in run.memberships]
        even.append(all(x < 0.1 for x in off))
        shown.append(f"m = {m:g}: {sum(x < 0.1 for x in off)} of {len(off)} records")
    return Finding(
        name,
        f"memberships within 0.1 of 1/{len(start)}, {'; '.join(shown)}",
        "holds here" if all(even) else "false",
        "the nearest centre of a record still prevails",
    )


def k_means_with_m_1(name: str, rows: Rows, start: Rows) -> Finding:
    """Are the crisp centres those of Lloyd's method?"""
    run = fuzzy_c_means(rows, start, kind="crisp", tolerance=TOLERANCE, limit=LIMIT)
    centres, groups = lloyd(rows, start)
    crisp = all(sorted(members)[:-1] == [0] * (len(start) - 1) for members in run.memberships)
    apart = largest_gap(run.centres, centres)
    sizes = " ".join(str(len(group)) for group in groups)
    return Finding(
        name,
        f"centres {'' if apart <= 1e-9 else 'not '}within 1e-9, groups of {sizes} records",
        "holds here" if crisp and apart <= 1e-9 else "false",
        "Lloyd's method from the same centres",
    )


def lloyd(rows: Rows, start: Rows) -> tuple[list[list[float]], list[list[int]]]:
    """The centroids and groups of k-means, each record going to the nearest centroid."""
    centres, groups = [list(centre) for centre in start], [[0]]
    while True:
        far = [[dist(row, centre) for centre in centres] for row in rows]
        own = [of_row.index(min(of_row)) for of_row in far]
        before = groups
        groups = [[i for i, c in enumerate(own) if c == g] for g in range(len(centres))]
        if groups == before:
            return centres, groups
        centres = [mean_of([rows[i] for i in group]) for group in groups]


def crisp_with_lambda(name: str, rows: Rows, start: Rows) -> Finding:
    """Are memberships 0 or 1 for a large lambda, and the centres those of k-means?"""
    run = fuzzy_c_means(rows, start, kind="efcm", lam=1e3, tolerance=TOLERANCE, limit=LIMIT)
    off = max(min(u, 1 - u) for members in run.memberships for u in members)
    apart = largest_gap(run.centres, lloyd(rows, start)[0])
    return Finding(
        name,
        f"lambda = 1000: memberships {off:.1f} from 0 or 1, centres {apart:.1f} from k-means",
        "holds here" if off <= 1e-9 and apart <= 1e-9 else "false",
        how_it_ended(run),
    )


def more_loss_with_m1(name: str, rows: Rows, start: Rows, project: Project) -> Finding:
    """Does the expected loss grow with m1, for two values of m2?"""
    runs = [
        fuzzy_c_means(rows, start, m=m1, project=project, tolerance=TOLERANCE, limit=LIMIT)
        for m1 in GROWING
    ]
    by_m2 = [[expected_loss(rows, run.centres, m2) for run in runs] for m2 in (CLOSE, LARGE)]
    return Finding(
        name,
        f"m2 = {CLOSE:g}: expected SSE {_numbers(by_m2[0])} for m1 = {_numbers(GROWING)}",
        "holds" if all(a < b for losses in by_m2 for a, b in pairwise(losses)) else "false",
        f"with m2 = {LARGE:g} {_numbers(by_m2[1])}; centres do not collide (Proposition 2)",
    )


def no_loss_with_all(name: str, rows: Rows, project: Project) -> Finding:
    """Is nothing lost if each record begins as a centre, but what the constraint moves?"""
    run = fuzzy_c_means(rows, rows, m=1.1, project=project, tolerance=TOLERANCE, limit=LIMIT)
    lost = expected_loss(rows, run.centres, 1.1)
    return Finding(
        name,
        f"expected SSE {lost:.6f} with {len(rows)} centres and m1 = m2 = 1.1",
        "holds here" if lost <= 1e-9 else "false",
        "the records satisfy the constraint, and are the first centres",
    )


def expected_loss(rows: Rows, centres: Rows, m2: float) -> float:
    """The mean SSE of releases in which centres are drawn by memberships with m2."""
    members = one_step(rows, centres, m=m2)[1]
    return fsum(
        u * dist(row, centre) ** 2
        for row, of_row in zip(rows, members, strict=True)
        for u, centre in zip(of_row, centres, strict=True)
    )


def more_loss_with_m2(name: str, rows: Rows, start: Rows, project: Project) -> Finding:
    """Does the expected loss grow with m2?"""
    centres = constrained(rows, start, project)
    losses = [expected_loss(rows, centres, m2) for m2 in GROWING]
    return Finding(
        name,
        f"expected SSE {_numbers(losses)} for m2 = {_numbers(GROWING)}",
        "holds" if all(a < b for a, b in pairwise(losses)) else "false",
        "of the expectation for given centres; a single release with a larger m2 can lose less",
    )


def more_loss_with_fewer(name: str, rows: Rows, project: Project) -> Finding:
    """Does the expected loss grow as clusters become fewer, if they start at the first records?"""
    cs = range(1, len(rows))
    centres = [constrained(rows, rows[:c], project) for c in cs]
    sharp, even = ([expected_loss(rows, at, m2) for at in centres] for m2 in (CLOSE, LARGE))
    fall = [all(b < a for a, b in pairwise(losses)) for losses in (sharp, even)]
    return Finding(
        name,
        f"m2 = {LARGE:g}: expected SSE {even[0]:.0f} with one cluster, {min(even[1:]):.0f} or more "
        f"with 2 to {cs[-1]}",
        "holds here" if all(fall) else "false",
        f"of all records the mean is nearest, so that drawing among centres loses more; with m2 = "
        f"{CLOSE:g} the expected SSE is {_numbers(sharp)} with 1 to {cs[-1]} clusters",
    )


def expected_sizes(name: str, rows: Rows, start: Rows, project: Project) -> Finding:
    """Are the expected sizes n/c at a large m2?"""
    centres, k = constrained(rows, start, project), len(rows) / len(start)
    sizes = [fsum(of) for of in zip(*one_step(rows, centres, m=LARGE)[1], strict=True)]
    later = [fsum(of) for of in zip(*one_step(rows, centres, m=10 * LARGE)[1], strict=True)]
    off, less = (max(abs(size - k) for size in found) for found in (sizes, later))
    return Finding(
        name,
        f"{_numbers(sizes)} at m2 = {LARGE:g}",
        "holds" if less < off / 5 else "false",
        f"off by {off:.3f}, and by {less:.3f} at m2 = {10 * LARGE:g}; realised sizes vary: if each "
        "centre is equally likely, some group that is not empty has fewer than "
        f"{k:g} records with probability {too_small(len(rows), len(start), round(k)):.2f}",
    )


def too_small(n: int, c: int, k: int) -> float:
    """The probability that n records, each in any of c groups, leave one of 1 to k-1 records."""
    legal = [0, *range(k, n + 1)]
    good = 0
    for sizes in product(legal, repeat=c):
        if sum(sizes) == n:
            ways, left = 1, n
            for size in sizes:
                ways, left = ways * comb(left, size), left - size
            good += ways
    return 1 - good / float(c**n)


def constrained(rows: Rows, start: Rows, project: Project) -> list[list[float]]:
    """The centres under the constraint with m = CLOSE."""
    run = fuzzy_c_means(rows, start, m=CLOSE, project=project, tolerance=TOLERANCE, limit=LIMIT)
    return run.centres


def _numbers(values: Sequence[float]) -> str:
    return " ".join(f"{value:.4g}" for value in values)


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


Kind = tuple[str, float | None, float | None]
KINDS: tuple[Kind, ...] = (("fcm", 1.5, None), ("fcm", 2.0, None), ("efcm", None, 1e-3))
ENTROPY_BASED: tuple[Kind, ...] = tuple(("efcm", None, lam) for lam in (1e-4, 1e-3, 1e-2))
"""The kind of centres, m and lambda."""


def same_centres(
    name: str, rows: Rows, start: Rows, project: Project, kinds: Sequence[Kind] = KINDS
) -> Finding:
    """How far are constrained centres from plain ones, relative to the greatest value?"""
    scale = max(abs(x) for row in rows for x in row)
    worst = 0.0
    for kind, m, lam in kinds:
        plain, constrained = (
            fuzzy_c_means(
                rows, start, kind=kind, m=m, lam=lam, project=how, tolerance=TOLERANCE, limit=LIMIT
            )
            for how in (None, project)
        )
        worst = max(worst, largest_gap(plain.centres, constrained.centres) / scale)
    return Finding(
        name,
        f"largest relative difference {worst:.1g} ({', '.join(map(_named, kinds))})",
        "holds" if worst <= 1e-12 else "false",
    )


def _named(kind: Kind) -> str:
    _, m, lam = kind
    return f"lambda = {lam:g}" if m is None else f"m = {m:g}"


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
