"""CLARA and PAM: clusters around medoids, by the sum of distances.

Medoids are records.

Source: L. Kaufman, P. J. Rousseeuw, "Finding groups in data", Wiley 1990, chapters 2 and 3.
Recollected. Here they are a step of other algorithms: clusters may have any number of records.

PAM, of some records:
  1. The first medoid is the record whose distances to all have the least sum; each further one is
     the record with which the sum of the distances of all records to their nearest medoids falls
     most.
  2. While an exchange makes the sum less, the medoid and the record whose exchange makes it least
     change places.
CLARA: of n records up to 40 + 2c, c being the number of clusters, all are given to PAM. Of more,
`SAMPLES` samples of 40 + 2c records are drawn. Their medoids with which the sum of the distances of
all n records to their nearest medoids is least are the result; of equal ones, the first.
  3. Each record belongs to the nearest medoid.

Sums of distances are irrational, so this is in binary64.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, inf, sqrt
from typing import Any

from refagg.language.choices import Choices
from refagg.language.partition import Record
from refagg.language.space import Centroids
from refagg.language.specification import OpenChoice
from refagg.language.ties import Ranking, Tolerance, as_it_is, least

SAMPLES = 5

EQUAL = Tolerance(relative=2.0**-40)
"""Sums of distances that differ by no more, relatively, are equal."""

CLARA_TIES = (
    OpenChoice("medoid", "1", "the next medoid at the start", measure="sum of distances"),
    OpenChoice(
        "swap", "1", "the medoid and the record that change places", "pair", "sum of distances"
    ),
    OpenChoice("near medoid", "1", "the medoid nearest to a record"),
)

Space = Centroids[Any]
Cluster = tuple[Record, list[Record]]
"""A medoid, and the records that belong to it."""


def clara(space: Space, choices: Choices, clusters: int) -> list[Cluster]:
    """Return the clusters in the order of their first records.

    A medoid without records has no cluster.
    """
    everyone = space.records()
    c = min(clusters, len(everyone))
    size = 40 + 2 * c
    if len(everyone) <= size:
        medoids = pam(space, choices, everyone, c)
    else:
        medoids = _best_of_samples(space, choices, c, size)
    members: dict[Record, list[Record]] = {}
    for record in everyone:
        near = least(space.ranked(medoids, space.raw(record, medoids)))
        members.setdefault(choices.choose("near medoid", near, of=record), []).append(record)
    return list(members.items())


def _best_of_samples(space: Space, choices: Choices, c: int, size: int) -> list[Record]:
    everyone = space.records()
    best: tuple[float, list[Record]] | None = None
    for _ in choices.each(range(SAMPLES), "samples"):
        medoids = pam(space, choices, choices.sample("sample", everyone, size), c)
        columns = [_distances(space, medoid, everyone) for medoid in medoids]
        total = fsum(map(min, *columns)) if c > 1 else fsum(columns[0])
        if best is None or EQUAL.greatest_tied(total) < best[0]:
            best = total, medoids
    assert best is not None
    return best[1]


def pam(space: Space, choices: Choices, records: Sequence[Record], c: int) -> list[Record]:
    """c medoids of some records."""
    sample = sorted(records)
    if c == len(sample):
        return sample
    far = {a: _distances(space, a, sample) for a in sample}
    medoids: list[Record] = []
    nearest = [inf] * len(sample)
    for _ in range(c):
        others = [a for a in sample if a not in medoids]
        sums = [fsum(map(min, nearest, far[a])) for a in others]
        medoids.append(choices.choose("medoid", least(Ranking(others, sums, as_it_is, EQUAL))))
        nearest = list(map(min, nearest, far[medoids[-1]]))
    return _exchanged(choices, sample, far, medoids)


def _exchanged(
    choices: Choices, sample: list[Record], far: dict[Record, list[float]], medoids: list[Record]
) -> list[Record]:
    """Step 2: exchange medoids for records while that lowers the sum."""
    others = [a for a in sample if a not in medoids]
    while True:
        total = fsum(_without(far, medoids, None))
        pairs, sums = [], []
        for medoid in sorted(medoids):
            left = _without(far, medoids, medoid)
            pairs += [(medoid, a) for a in others]
            sums += [fsum(map(min, left, far[a])) for a in others]
        if not choices.goes_on(EQUAL.greatest_tied(min(sums)) < total):
            break
        gone, new = choices.choose("swap", least(Ranking(pairs, sums, as_it_is, EQUAL)))
        medoids = [new if a == gone else a for a in medoids]
        others = [a for a in sample if a not in medoids]
    return medoids


def _without(
    far: dict[Record, list[float]], medoids: Sequence[Record], one: Record | None
) -> list[float]:
    """Return each record's distance from the nearest medoid but one."""
    columns = [far[a] for a in medoids if a != one]
    if not columns:
        return [inf] * len(next(iter(far.values())))
    return list(map(min, zip(*columns, strict=True)))


def _distances(space: Space, a: Record, records: Sequence[Record]) -> list[float]:
    return [sqrt(squared) for squared in space.raw(a, records)]
