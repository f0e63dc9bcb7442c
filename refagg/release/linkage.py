"""Records linked one to one: no two released records are taken for the same original one.

Records that were released alike cannot be told apart: of m that are given m originals, each is
right with 1/m. Which of several best assignments is taken is left to the order of the records.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import log2, sqrt

from refagg.data.standardise import Scaled, variance
from refagg.data.tables import Attribute, Column, Table
from refagg.engine.transportation import Cost, cheapest_assignment
from refagg.language.partition import Group
from refagg.release.measures import Findings, check_same_shape
from refagg.release.risk import release_classes, stacked
from refagg.spaces.absolute import GOWER
from refagg.spaces.binary64 import FloatSpace
from refagg.spaces.mixed import MixedSpace

AGREE = Fraction(1, 10)
"""Numbers agree if they differ by at most this part of the original's standard deviation."""

ROUNDS, SMALL = 1000, 1e-10
"""Rounds of expectation and maximisation at most, and a change of all shares that ends them."""

LEAST = 1e-6
"""The least share of agreement, and of disagreement, so that weights are finite."""


def one_to_one_linkage(scaled: Scaled, released: Table) -> Findings:
    """The expected share of records linked rightly where the sum of all distances is least.

    Distances are Euclidean on the scale of losses, in binary64; where there are other kinds, they
    are Gower's, exactly. Source: sdcMicro, linkage by the Hungarian method.
    """
    check_same_shape(scaled.table, released)
    classes = release_classes(released).groups
    firsts = released.take([group[0] for group in classes])
    numbers = range(scaled.n, scaled.n + len(classes))
    costs: list[list[Cost]]
    if scaled.table.others:
        space = MixedSpace(stacked(scaled, firsts), GOWER)
        costs = [list(space.raw(record, numbers)) for record in range(scaled.n)]
    else:
        floats = FloatSpace(stacked(scaled, firsts))
        costs = [[sqrt(d) for d in floats.raw(record, numbers)] for record in range(scaled.n)]
    return {"value": _right(costs, classes)}


def probabilistic_linkage(scaled: Scaled, released: Table) -> Findings:
    """The expected share of records linked rightly where the sum of all weights is greatest.

    Each pair of an original and a released record has a vector of agreements, one for each
    attribute: numbers agree if they differ by at most a tenth of the standard deviation of the
    original, categories and sequences if they are equal. m is the share of agreements among pairs
    of the same record, u among others; both are found by expectation and maximisation with
    independent attributes, where one pair in n is a match, from m = 9/10 and the share among all
    pairs as u. A pair weighs the sum of log2(m/u) where attributes agree, log2((1-m)/(1-u)) where
    not. Source: I. Fellegi, A. Sunter 1969; M. Jaro 1989. What agreement of numbers is, and the
    start, are ours.
    """
    check_same_shape(scaled.table, released)
    classes = release_classes(released).groups
    vectors = _agreements(scaled.table, released.take([group[0] for group in classes]))
    counts: dict[int, int] = {}
    for row in vectors:
        for vector, group in zip(row, classes, strict=True):
            counts[vector] = counts.get(vector, 0) + len(group)
    weights = _weights(counts, len(scaled.table.attributes), scaled.n)
    return {"value": _right([[-weights[vector] for vector in row] for row in vectors], classes)}


def _right(costs: Sequence[Sequence[Cost]], classes: Sequence[Group]) -> Fraction:
    """The expected share of records that get one of their own class."""
    found = cheapest_assignment(costs, [len(group) for group in classes])
    right = Fraction(0)
    for number, group in enumerate(classes):
        right += Fraction(sum(found[record] == number for record in group), len(group))
    return right / len(found)


def _agreements(original: Table, firsts: Table) -> list[list[int]]:
    """For each record and each different released row a number whose bits say what agrees."""
    rows = [[0] * firsts.n for _ in range(original.n)]
    pairs = zip(original.attributes, firsts.attributes, strict=True)
    for bit, (ours, theirs) in enumerate(pairs):
        for record, agree in enumerate(_agreeing(ours, theirs)):
            row = rows[record]
            for number in agree:
                row[number] |= 1 << bit
    return rows


def _agreeing(ours: Column | Attribute, theirs: Column | Attribute) -> list[list[int]]:
    """For each record the released rows that agree with it in one attribute."""
    if isinstance(ours, Column) and isinstance(theirs, Column):
        a, b = theirs.denominator, ours.denominator
        most = AGREE**2 * variance(ours, "sample") * (a * b) ** 2
        values = [y * b for y in theirs.numerators]
        return [
            [number for number, y in enumerate(values) if (x * a - y) ** 2 <= most]
            for x in ours.numerators
        ]
    labels = list(theirs.labels)
    return [[number for number, y in enumerate(labels) if x == y] for x in ours.labels]


def _weights(counts: dict[int, int], width: int, n: int) -> dict[int, float]:
    """The weight of each vector of agreements, from how many pairs have it."""
    pairs = sum(counts.values())
    bits = {vector: [vector >> j & 1 for j in range(width)] for vector in counts}
    u = [_clipped(sum(c * bits[v][j] for v, c in counts.items()) / pairs) for j in range(width)]
    m = [0.9] * width
    for _ in range(ROUNDS):
        odds = {v: 2 ** _weight(bits[v], m, u) / max(n - 1, 1) for v in counts}
        matches = {v: c * odds[v] / (1 + odds[v]) for v, c in counts.items()}
        others = {v: c / (1 + odds[v]) for v, c in counts.items()}
        before = [*m, *u]
        m, u = _shares(matches, bits, width), _shares(others, bits, width)
        if max(map(abs, map(float.__sub__, before, [*m, *u]))) <= SMALL:
            break
    return {vector: _weight(bits[vector], m, u) for vector in counts}


def _shares(counts: dict[int, float], bits: dict[int, list[int]], width: int) -> list[float]:
    """The share of pairs that agree, attribute by attribute."""
    total = sum(counts.values())
    return [_clipped(sum(c * bits[v][j] for v, c in counts.items()) / total) for j in range(width)]


def _clipped(share: float) -> float:
    return min(max(share, LEAST), 1 - LEAST)


def _weight(bits: Sequence[int], m: Sequence[float], u: Sequence[float]) -> float:
    return sum(
        log2(a / b) if agree else log2((1 - a) / (1 - b))
        for agree, a, b in zip(bits, m, u, strict=True)
    )
