"""Decimals that meet constraints.

Some attributes are rounded, the others are computed from them.

Rounded each for itself, net, tax and gross miss net + tax = gross by some units of the last
decimal. So as many attributes as there are independent equations are computed from the others,
which are rounded. They are chosen so that they need the fewest decimals; some equations leave no
choice with finite decimals, as 3*a = 7*b.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice

from refagg.constraints.system import System
from refagg.data.tables import Column, Table, decimal_places_of, with_numbers
from refagg.linear_algebra.matrices import reduced

MOST_CHOICES = 1000
"""Choices of computed attributes that are examined."""


@dataclass(frozen=True, slots=True)
class Computed:
    """An attribute computed as a linear combination of others.

    A constant is added.
    """

    position: int
    factors: tuple[tuple[int, Fraction], ...]
    """Of the other attributes, by their positions."""
    constant: Fraction

    def places(self, decimals: int) -> int | None:
        """Return the decimals it needs if the others have `decimals`.

        None if no number of decimals is enough.
        """
        found = [decimal_places_of(self.constant.denominator)]
        for _, factor in self.factors:
            own = decimal_places_of(factor.denominator)
            found.append(None if own is None else decimals + own)
        return None if None in found else max(p for p in found if p is not None)

    def value(self, row: Sequence[Fraction]) -> Fraction:
        """Return its value in a row whose other attributes are known."""
        return self.constant + sum((f * row[j] for j, f in self.factors), Fraction(0))


@dataclass(frozen=True, slots=True)
class Rounding:
    """The rounding of a table: its decimals and the computed attributes."""

    decimals: int
    computed: tuple[tuple[Computed, int], ...]

    def places(self, width: int) -> list[int]:
        """The decimals of each attribute."""
        found = [self.decimals] * width
        for attribute, places in self.computed:
            found[attribute.position] = places
        return found

    def rounded(self, table: Table) -> Table:
        """The table with rows that meet the constraints exactly."""
        known: dict[tuple[int, ...], list[Fraction]] = {}
        rows = []
        for record, numbers in enumerate(zip(*(c.numerators for c in table.columns), strict=True)):
            if numbers not in known:
                known[numbers] = self._row(table.row(record))
            rows.append(known[numbers])
        return with_numbers(table, zip(*rows, strict=True))

    def _row(self, row: Sequence[Fraction]) -> list[Fraction]:
        unit = 10**self.decimals
        values = [Fraction(round(value * unit), unit) for value in row]
        for attribute, _ in self.computed:
            values[attribute.position] = attribute.value(values)
        return values


def rounding_of(system: System, decimals: int) -> Rounding | None:
    """Return the rounding to `decimals` that meets constraints exactly.

    None if there is none.

    >>> from refagg.constraints.equations import parse_constraint
    >>> from refagg.constraints.system import system_of
    >>> slips = system_of([parse_constraint("net + tax = gross")], ["net", "tax", "gross"])
    >>> found = rounding_of(slips, 1)
    >>> found.places(3)
    [1, 1, 1]
    """
    best: tuple[tuple[int, int], Rounding] | None = None
    rank = len(reduced(system.equations())[0])
    used = [j for j in range(system.width) if any(row[j] for row in system.rows)]
    for chosen in islice(combinations(used, rank), MOST_CHOICES):
        computed = solved(system, chosen)
        places = [attribute.places(decimals) for attribute in computed or ()]
        if computed is None or None in places:
            continue
        known = [p for p in places if p is not None]
        cost = (max(known), sum(known))
        if best is None or cost < best[0]:
            best = cost, Rounding(decimals, tuple(zip(computed, known, strict=True)))
    return best and best[1]


def solved(system: System, chosen: Sequence[int]) -> list[Computed] | None:
    """Express these attributes as sums of the others.

    None if the equations do not determine them.
    """
    others = [j for j in range(system.width) if j not in chosen]
    order = [*chosen, *others]
    rows, pivots = reduced([[*(row[j] for j in order), row[-1]] for row in system.equations()])
    if pivots[: len(chosen)] != list(range(len(chosen))):
        return None
    return [
        Computed(
            position,
            tuple((j, -row[order.index(j)]) for j in others if row[order.index(j)]),
            row[-1],
        )
        for position, row in zip(chosen, rows, strict=False)
    ]


def forced(system: System) -> list[tuple[int, Fraction]]:
    """Return the attributes with only one possible value, with that value.

    The constraints leave no other value.
    """
    rows, _ = reduced(system.equations())
    found = []
    for row in rows:
        used = [j for j, factor in enumerate(row[:-1]) if factor]
        if len(used) == 1:
            found.append((used[0], row[-1]))
    return found


def is_constant(column: Column, value: Fraction) -> bool:
    """Return True if a column has this value only."""
    return all(x == value * column.denominator for x in set(column.numerators))
