"""Sums of absolute differences between rows of integers: Gower's distance.

Source: J. C. Gower, "A general coefficient of similarity and some of its properties", Biometrics 27
(1971) 857-871, as sdcMicro has it. The distance of two records is the weighted mean, over the
attributes, of

- |x - y| / (the greatest value of the file - the least) for numbers; those that are all equal do
  not count;
- the difference of their places / (the number of categories - 1) for ordered categories;
- 0 for equal nominal categories, 1 for different ones.

It takes the place of the squared distance of the mixed space, which see for centroids: the mean of
numbers is not where the sum of absolute differences is least. It is not defined for sequences.

>>> from refagg.data.tables import table_of
>>> from refagg.data.standardise import standardise
>>> from refagg.spaces.mixed import MixedSpace
>>> rows = {"age": [20, 30, 40], "level": ["a", "c", "b"]}
>>> scaled = standardise(table_of(rows, kinds={"level": "ordinal:a<b<c"}), "range")
>>> MixedSpace(scaled, "gower").between(0, 1)
Fraction(3, 4)
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import mul

from refagg.data.standardise import RANGE, Scaled
from refagg.data.tables import Table
from refagg.errors import InvalidParameter

GOWER = "gower"
"""How it is asked for, where otherwise the dissimilarity of sequences is named."""


class Absolute:
    """Sums of weighted absolute differences from rows.

    Used as `Quadratic` is.
    """

    def __init__(self, rows: Sequence[tuple[int, ...]], weights: Sequence[int]) -> None:
        self._rows, self._weights = rows, weights

    def distances(self, count: int, sums: Sequence[int], rows: Sequence[int]) -> list[int]:
        """Return distances from the point sums / count to rows, times count^2."""
        return [
            count
            * sum(
                weight * abs(count * x - s)
                for weight, x, s in zip(self._weights, self._rows[i], sums, strict=True)
            )
            for i in rows
        ]

    def pairs(self, rows: Sequence[int]) -> int:
        """Return the sum of the distances of all pairs.

        Of m ascending numbers it is sum (2i - m + 1) x_i.
        """
        columns = map(sorted, zip(*map(self._rows.__getitem__, rows), strict=True))
        places = range(1 - len(rows), len(rows), 2)
        return sum(map(mul, self._weights, (sum(map(mul, places, x)) for x in columns)))

    def between(self, m: int, p: Sequence[int], n: int, q: Sequence[int]) -> Fraction:
        """The distance between the points p / m and q / n."""
        differences = [abs(x * n - y * m) for x, y in zip(p, q, strict=True)]
        return Fraction(sum(map(mul, self._weights, differences)), m * n)


def gower_weights(scaled: Scaled) -> tuple[list[Fraction], list[Fraction]]:
    """Return the weights that Gower's distance gives the attributes.

    They are the weight of a unit of each number, and the weight of the greatest difference of each
    other attribute. Raises InvalidParameter for sequences, and for numbers that are not divided by
    their range.
    """
    check_gower(scaled.table, scaled.how)
    units = [weight * span for weight, span in zip(scaled.weights, scaled.ranges, strict=True)]
    pairs = zip(units, scaled.ranges, strict=True)
    total = sum(unit * span for unit, span in pairs) + sum(scaled.others) or 1
    return [unit / total for unit in units], [Fraction(w) / total for w in scaled.others]


def check_gower(table: Table, how: str) -> None:
    """Raise InvalidParameter if Gower's distance is undefined for this table or scale."""
    for other in table.others:
        if other.kind.name == "sequence":
            raise InvalidParameter(
                f"Gower's distance is one of numbers and categories, but {other.name!r} holds "
                "sequences"
            )
    if how != RANGE:
        raise InvalidParameter(
            f"Gower's distance divides numbers by their range, but standardisation is {how}; "
            "choose range"
        )
