"""Squared distances as integers: what the search for an optimum computes with.

Exact squared distances on a standardised scale are rationals of hundreds of digits. The
search takes them rounded down to whole multiples of 1 / per_unit. A lower bound proved
with distances that are too small holds for the true ones, and what is lost is some
10^-12 of the greatest distance, 10^-7 at k = 10. Distances that are small integers are not rounded.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from operator import mul

from refagg.data.standardise import Scaled
from refagg.spaces.exact import centred

MOST_BITS, LEAST_BITS = 46, 24
"""Rounded distances have no more bits than this, and no fewer."""

SUMS = 61
"""Bits that the cost of a group may have, so that sums of costs and prices fit into 64."""


@dataclass(frozen=True, slots=True)
class WholeDistances:
    """Squared distances, rounded down to multiples of 1 / per_unit.

    The entry rows[i][j] / per_unit is the squared distance of i and j, or less than 1 / per_unit
    below.
    """

    rows: list[array[int]]
    per_unit: Fraction


def bits_for(sizes: range) -> int:
    """Return the bits of distances for groups of these sizes.

    With them the costs of groups have SUMS bits. The more sizes there are, the more units has the
    cost of a group, a multiple of the least common multiple of the sizes. Where too few bits would
    be left, sums are longer.

    >>> bits_for(range(5, 10)), bits_for(range(10, 20)), bits_for(range(20, 40))
    (46, 28, 46)
    """
    bits = SUMS - (lcm(*sizes) * sizes[-1]).bit_length()
    return min(bits, MOST_BITS) if bits >= LEAST_BITS else MOST_BITS


def distances_of(scaled: Scaled, bits: int = MOST_BITS) -> WholeDistances:
    """Return the whole matrix of squared distances.

    Its numbers have at most `bits` bits. Time and memory are of order n^2 (8 bytes for each
    number).
    """
    records, weights, unit = whole_rows(scaled)
    weighted = [tuple(map(mul, weights, row)) for row in records]
    norms = [sum(map(mul, a, b)) for a, b in zip(weighted, records, strict=True)]
    per_unit = resolution(norms, unit, bits)
    numerator, denominator = (per_unit / unit).as_integer_ratio()
    rows: list[array[int]] = []
    for i, (row, norm) in enumerate(zip(records, norms, strict=True)):
        known = [other[i] for other in rows]
        new = (
            (norm + norms[j] - 2 * sum(map(mul, weighted[j], row))) * numerator // denominator
            for j in range(i, len(records))
        )
        rows.append(array("q", known + list(new)))
    return WholeDistances(rows, per_unit)


def whole_rows(scaled: Scaled) -> tuple[list[tuple[int, ...]], list[int], int]:
    """Return records as integers, whole weights, and a unit.

    It is the unit of the weighted squares.
    """
    columns = scaled.table.columns
    shares = [w / c.denominator**2 for c, w in zip(columns, scaled.weights, strict=True)]
    unit = lcm(*(share.denominator for share in shares))
    weights = [share.numerator * (unit // share.denominator) for share in shares]
    records = list(zip(*(centred(column.numerators) for column in columns), strict=True))
    return records, weights, unit


def exact_units(scaled: Scaled, per_unit: Fraction) -> tuple[int, int]:
    """Return the common denominator of distances, and their common divisor.

    They are in units of 1 / per_unit, and whole when multiplied by the first number.
    """
    finest = lcm(*(column.denominator for column in scaled.table.columns))
    factors = [per_unit * weight / finest**2 for weight in scaled.weights]
    common = lcm(*(factor.denominator for factor in factors))
    return common, gcd(*(int(factor * common) for factor in factors))


def resolution(norms: Sequence[int], unit: int, most: int) -> Fraction:
    """Return the units per distance of 1.

    1 / per_unit is 1 / unit if that makes no long numbers, or else a power of two. No distance
    exceeds four times the greatest norm.
    """
    bits = (4 * max(norms)).bit_length()
    if bits <= most:
        return Fraction(unit)
    return Fraction(2) ** (most - (bits - unit.bit_length()))


def fine_parts(distances: WholeDistances, bits: int) -> int:
    """Return the number of parts that divide a distance of 1.

    So many make whole duals fine enough.
    """
    return 1 << max(0, bits - max(map(max, distances.rows)).bit_length())
