"""Is a matrix of dissimilarities a metric?

The triangle inequality is d(a, c) <= d(a, b) + d(b, c) for all records a, b, c. Identity of
indiscernibles is that records are 0 apart only if they are equal. Symmetry, and 0 on the diagonal,
need no report: without them there is no matrix.

OSS is no metric. With A = a, B = a b, C = b: from A to B and from B to C less than from A to C.

>>> from refagg.spaces.sequences import sequence_space
>>> words = [("a",), ("a", "b"), ("b",)]
>>> report = metric_report(sequence_space(words, "oss"), words)
>>> report.witness, report.excess
((0, 1, 2), Fraction(1, 6))
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from operator import add
from typing import Any

from refagg.language.partition import Record
from refagg.language.random_stream import RandomStream, seeded
from refagg.language.ties import Number
from refagg.spaces.matrix import MatrixSpace

Pair = tuple[Record, Record]

MOST_PAIRS = 100_000
"""All pairs of 447 records."""


@dataclass(frozen=True, slots=True)
class MetricReport:
    """What was found.

    `triangle` is None if nothing was found against it, but not every pair was looked at.
    `witness` is (a, b, c) where d(a, c) is greater than d(a, b) + d(b, c), by `excess`: of those
    found the greatest, and the first of these. `identity` is None where it was not said which
    records are equal; `indiscernible` is the first pair that are different and 0 apart.
    """

    triangle: bool | None
    witness: tuple[Record, Record, Record] | None
    excess: Number
    identity: bool | None
    indiscernible: Pair | None
    pairs: int
    complete: bool


def metric_report(
    matrix: MatrixSpace | Sequence[Sequence[Any]],
    equal: Sequence[Hashable] | None = None,
    most: int = MOST_PAIRS,
    stream: RandomStream | None = None,
) -> MetricReport:
    """Whether a matrix is a metric, with witnesses.

    Every pair (a, c) is compared with all ways through a third record, which takes n^3 / 2 steps:
    a second or two for 447 records. Of more than `most` pairs so many are drawn from the random
    stream (`seeded(1)` if there is none). `equal` has one item for each record, the same for equal
    ones. Raises InvalidMatrix.
    """
    space = matrix if isinstance(matrix, MatrixSpace) else MatrixSpace(matrix)
    records = space.records()
    rows = [space.raw(record, records) for record in records]
    complete = comb(space.n, 2) <= most
    pairs: list[Pair] = (
        list(combinations(records, 2))
        if complete
        else _drawn(space.n, most, seeded(1) if stream is None else stream)
    )
    excess, witness = _greatest_excess(rows, pairs)
    indiscernible = None if equal is None else _indiscernible(rows, equal)
    return MetricReport(
        triangle=False if witness else (True if complete else None),
        witness=witness,
        excess=space.shown(excess),
        identity=None if equal is None else indiscernible is None,
        indiscernible=indiscernible,
        pairs=len(pairs),
        complete=complete,
    )


def _drawn(n: int, most: int, stream: RandomStream) -> list[Pair]:
    """So many different pairs of records, in increasing order."""
    pairs: set[Pair] = set()
    while len(pairs) < most:
        a, c = stream.randbelow(n), stream.randbelow(n)
        if a < c:
            pairs.add((a, c))
    return sorted(pairs)


def _greatest_excess(
    rows: Sequence[Sequence[int]], pairs: Iterable[Pair]
) -> tuple[int, tuple[Record, Record, Record] | None]:
    excess, witness = 0, None
    for a, c in pairs:
        through = min(map(add, rows[a], rows[c]))  # through a itself it is d(a, c)
        if rows[a][c] - through > excess:
            excess = rows[a][c] - through
            witness = a, list(map(add, rows[a], rows[c])).index(through), c
    return excess, witness


def _indiscernible(rows: Sequence[Sequence[int]], equal: Sequence[Hashable]) -> Pair | None:
    for a, row in enumerate(rows):
        for c in range(a + 1, len(row)):
            if row[c] == 0 and equal[a] != equal[c]:
                return a, c
    return None
