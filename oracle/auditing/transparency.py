"""The transparency attack: what an intruder finds who knows how a release was made.

The intruder knows the original attributes of a person, the released file, the centres and the
distribution by which records were assigned to them; not the draws. For each record he names one
released row as that person's. Rows that are equal cannot be told apart: a record that was
released in a class of s equal rows counts 1/s if its class is named, and 0 if another is.

  nearest     names the class whose row is nearest to the person.
  posterior   names the class with the greatest u_ki / s_i: u_ki is the probability that record k
              was assigned to class i, and 1/s_i that the row drawn from the class is the right
              one. That other records were assigned too is left out of account.

Classes that are equally good are named in equal parts. The share of a release is the mean over
all records. At most it can be the number of classes divided by n, which an intruder reaches who
knows every record's class: for MDAV at most 1/k. `worst` is the greatest 1/s of a record whose
class is named: 1 if a record is found for certain.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from math import dist, exp, fsum, log

from oracle.auditing.memberships import Point

NEAR = 1e-12
"""Scores of classes that differ by less, relatively, count as equal."""


@dataclass(frozen=True, slots=True)
class Attack:
    """The share of records that are found, the most that is possible, and the worst record."""

    share: float
    most: float
    worst: float

    def as_data(self) -> dict[str, float]:
        return asdict(self)

    def line(self, name: str) -> str:
        return (
            f"{name}: {100 * self.share:.2f} % of records found, at most {100 * self.most:.2f} % "
            f"if all classes were known; worst record {100 * self.worst:.4g} %"
        )


def nearest_attack(
    points: Sequence[Point], rows: Sequence[Point], classes: Sequence[int]
) -> Attack:
    """`rows` are the released rows of the classes; `classes` says in which each record is."""

    def scores(k: int) -> list[float]:
        return [-dist(points[k], row) for row in rows]

    return _attack(scores, classes, len(rows))


def posterior_attack(logs: Sequence[Sequence[float]], classes: Sequence[int], count: int) -> Attack:
    """`logs` are those of u_ki, for the `count` classes that are in the release."""
    sizes = _sizes(classes, count)

    def scores(k: int) -> list[float]:
        return [x - log(size) for x, size in zip(logs[k], sizes, strict=True)]

    return _attack(scores, classes, count)


def _attack(scores: Callable[[int], list[float]], classes: Sequence[int], count: int) -> Attack:
    sizes = _sizes(classes, count)
    found = []
    for k, own in enumerate(classes):
        of_all = scores(k)
        best = max(of_all)
        margin = NEAR * max(1.0, abs(best))
        named = [i for i, score in enumerate(of_all) if score >= best - margin]
        found.append(1 / (sizes[own] * len(named)) if own in named else 0.0)
    return Attack(fsum(found) / len(found), count / len(found), max(found))


def _sizes(classes: Sequence[int], count: int) -> list[int]:
    sizes = [0] * count
    for i in classes:
        sizes[i] += 1
    return sizes


def expected_share(logs: Sequence[Sequence[float]], classes: Sequence[int], count: int) -> float:
    """Return the intruder's expectation by the posterior: the mean over records of max u_ki /
    s_i."""
    sizes = _sizes(classes, count)
    return fsum(
        max(exp(x) / size for x, size in zip(row, sizes, strict=True)) for row in logs
    ) / len(logs)
