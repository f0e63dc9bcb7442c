"""Exact pricing: every group whose reduced cost is at most a limit.

With dual prices y (for each record), w (for each group) and s <= 0 (for each cut), the reduced
cost of a group G is

    cost(G) - sum of y over G - w - sum of s times the cut's coefficient for G.

All numbers are whole; the cost is share(|G|) times the sum of d over the pairs of G.

The search anchors a group at its record with the greatest price, so that every group is met
once, and adds records in the order of a key, a lower bound of what each will add:

    share d(P, j) + share nn_{r-1}(j) / 2 - y_j

for a part P, r records still to be added, and nn_m(j) the sum of the m least distances of j: each
of the r records is in r - 1 of their pairs. A part is given up when the r least keys cannot bring
it down to the limit. What a part owes to cuts only grows with it, and is added as it falls due.

Where Numba is installed, searches among many records run compiled (`work.py`, `compiled.py`). This
one is the reference, and serves restrictions and integers of more than 64 bits.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import accumulate
from math import lcm
from typing import TypeAlias

from oracle.optima.cuts import Cut
from refagg.algorithms.search.moves.constraints import Pair
from refagg.language.partition import Group, Record

Rows: TypeAlias = "Sequence[array[int]]"
Found = tuple[int, Group]
"""A reduced cost and its group, in ascending order."""
Keys = list[tuple[int, Record]]
"""What a record adds to a part, and the record."""


@dataclass(frozen=True, slots=True)
class Geometry:
    """The distances as pricing needs them, whatever the prices.

    `near[i]` are the other records by their distance from i; `nn[i][m]` is the sum of the m least
    of those distances. `shares[s]` turns the sum over the pairs of a group of s into its cost, on
    a scale on which all costs are whole.
    """

    rows: Rows
    sizes: range
    shares: dict[int, int]
    near: Rows
    nn: list[list[int]]

    @property
    def n(self) -> int:
        return len(self.rows)

    def cost(self, group: Group) -> int:
        """Return the cost of a group."""
        rows = self.rows
        pairs = sum(rows[a][b] for position, a in enumerate(group) for b in group[position + 1 :])
        return self.shares[len(group)] * pairs


def geometry_of(rows: Rows, sizes: range, parts: int = 1) -> Geometry:
    """Sort the neighbours of each record; time n^2 log n, memory n^2.

    Costs are on a scale on which a distance of 1 counts `parts` times.
    """
    scale = parts * lcm(*sizes)
    near, nn = [], []
    for i, row in enumerate(rows):
        order = sorted(range(len(rows)), key=row.__getitem__)
        order.remove(i)
        near.append(array("l", order))
        nn.append([0, *accumulate(row[j] for j in order[: sizes[-1]])])
    return Geometry(rows, sizes, {s: scale // s for s in sizes}, near, nn)


@dataclass(frozen=True, slots=True)
class Prices:
    """Duals as integers, of records, each group, and cuts.

    Those of cuts are at most 0.
    """

    records: list[int]
    group: int
    cuts: dict[Cut, int]

    def reduced(self, cost: int, group: Group) -> int:
        """Return the reduced cost of a group of this cost.

        It is slow with many cuts; see `CutCosts`.
        """
        due = sum(price * cut.coefficient(group) for cut, price in self.cuts.items())
        return cost - sum(self.records[r] for r in group) - self.group - due


class CutCosts:
    """The costs that groups owe to cuts, looked up by record."""

    def __init__(self, cuts: dict[Cut, int]) -> None:
        self._cuts: dict[Record, list[tuple[int, dict[Record, int], int, int]]] = {}
        for cut, price in cuts.items():
            if price:
                weights = dict(zip(cut.records, cut.weights, strict=True))
                for record, weight in weights.items():
                    entry = (weight, weights, cut.divisor, -price)
                    self._cuts.setdefault(record, []).append(entry)
        self._alone = {record: self.by(record, ()) for record in self._cuts}

    def by(self, record: Record, part: Sequence[Record]) -> int:
        """Return what a record adds to the debt of a part.

        The record joins that part.
        """
        due = 0
        for weight, weights, divisor, price in self._cuts.get(record, ()):
            before = 0
            for member in part:
                if member in weights:
                    before += weights[member]
            due += price * ((before + weight) // divisor - before // divisor)
        return due

    def whole(self, group: Group) -> int:
        """Return the debt of a group."""
        weighed = [record for record in group if record in self._alone]
        if not weighed:
            return 0
        due = self._alone[weighed[0]]
        for position in range(1, len(weighed)):
            due += self.by(weighed[position], weighed[:position])
        return due


@dataclass(frozen=True, slots=True)
class Restriction:
    """Pairs of records that must, and that must not, share a group."""

    together: frozenset[Pair] = frozenset()
    apart: frozenset[Pair] = frozenset()

    def allows(self, group: Sequence[Record]) -> bool:
        members = set(group)
        return not any(a in members and b in members for a, b in self.apart) and all(
            (a in members) == (b in members) for a, b in self.together
        )


FREE = Restriction()


class TooMany(Exception):
    """The search found more groups than asked for."""


@dataclass(frozen=True, slots=True)
class Pricing:
    """Search for groups: what to find, and how far to look.

    Only groups among the `reach` nearest records of the anchor are examined; only the `enough`
    least reduced costs of each anchor and size are kept. A search that finds more than `most`
    groups around one anchor raises TooMany. None stands for no limit.
    """

    geometry: Geometry
    prices: Prices
    limit: int
    restriction: Restriction = FREE
    reach: int | None = None
    enough: int | None = None
    most: int | None = None

    def groups(self, anchors: Sequence[Record]) -> list[Found]:
        """Return the groups sought whose anchor is among `anchors`."""
        place = self.places()
        cut_costs = CutCosts(self.prices.cuts) if self.prices.cuts else None
        found: list[Found] = []
        for size in self.geometry.sizes:
            search = _Search(self, size, place, cut_costs)
            for anchor in anchors:
                found += search.around(anchor)
                if self.most is not None and len(found) > self.most:
                    raise TooMany
        return found

    def places(self) -> list[int]:
        """Return the place of each record by price, the dearest first."""
        y = self.prices.records
        dearest_first = sorted(range(len(y)), key=lambda i: (-y[i], i))
        return sorted(range(len(y)), key=dearest_first.__getitem__)


class _Search:
    """The groups of one size."""

    def __init__(
        self, pricing: Pricing, size: int, place: list[int], cut_costs: CutCosts | None
    ) -> None:
        self.pricing = pricing
        self.size = size
        self.place = place
        self.cut_costs = cut_costs
        geometry, prices = pricing.geometry, pricing.prices
        self.rows = geometry.rows
        self.share = geometry.shares[size]
        self.limit = pricing.limit
        self.halves = [[self.share * total // 2 for total in nn] for nn in geometry.nn]
        # the part of a record's first key that does not depend on the anchor
        self.apart_from_anchor = [
            half[max(size - 2, 0)] - y for half, y in zip(self.halves, prices.records, strict=True)
        ]
        self.least = min(self.apart_from_anchor)
        restriction = pricing.restriction
        self.allows = None if restriction == FREE else restriction.allows
        self.found: list[Found] = []

    def around(self, anchor: Record) -> list[Found]:
        """Return the groups whose dearest record is the anchor."""
        self.found = []
        self.limit = self.pricing.limit
        base = -self.pricing.prices.records[anchor] - self.pricing.prices.group
        base += self.cut_costs.by(anchor, ()) if self.cut_costs else 0
        if self.size == 1:
            self._keep(base, (anchor,))
            return self.found
        keys = self._candidates(anchor, base)
        if len(keys) >= self.size - 1:
            self._extend((anchor,), base, keys, self.size - 1)
        enough = self.pricing.enough
        return self.found if enough is None else nsmallest(enough, self.found)

    def _candidates(self, anchor: Record, base: int) -> Keys:
        """Return the possible members of a group with this anchor.

        They are records; the group is one that is sought.
        """
        row, share, bounds = self.rows[anchor], self.share, self.apart_from_anchor
        place, near = self.place, self.pricing.geometry.near[anchor]
        others = self.size - 2
        slack = self.limit - base
        # share d - y_anchor <= key, and no other key is less than the least
        radius = slack - others * self.least + self.pricing.prices.records[anchor]
        end = bisect_right(near, radius, key=lambda j: share * row[j])
        if self.pricing.reach is not None:
            end = min(end, self.pricing.reach)
        mine = place[anchor]
        keys = [(share * row[j] + bounds[j], j) for j in near[:end] if place[j] > mine]
        keys.sort()
        slack -= sum(key for key, _ in keys[:others])
        end = bisect_right(keys, slack, key=lambda item: item[0])
        return keys[:end]

    def _extend(self, part: Group, base: int, keys: Keys, left: int) -> None:
        """Add `left` records to a part of reduced cost `base`."""
        keys.sort()
        cut_costs, share, halves = self.cut_costs, self.share, self.halves
        if left == 1:
            for key, j in keys[: bisect_right(keys, self.limit - base, key=lambda item: item[0])]:
                self._keep(base + key + (cut_costs.by(j, part) if cut_costs else 0), (*part, j))
            return
        ahead = [key for key, _ in keys]
        for position in range(len(keys) - left + 1):
            if base + sum(ahead[position : position + left]) > self.limit:
                return
            key, j = keys[position]
            now = base + key - halves[j][left - 1] + (cut_costs.by(j, part) if cut_costs else 0)
            row = self.rows[j]
            rest = [
                (other - halves[i][left - 1] + halves[i][left - 2] + share * row[i], i)
                for other, i in keys[position + 1 :]
            ]
            slack = self.limit - now
            if left > 2:
                slack -= sum(nsmallest(left - 2, [other for other, _ in rest]))
            rest = [item for item in rest if item[0] <= slack]
            if len(rest) >= left - 1:
                self._extend((*part, j), now, rest, left - 1)

    def _keep(self, reduced: int, group: Group) -> None:
        if reduced <= self.limit and (self.allows is None or self.allows(group)):
            self.found.append((reduced, tuple(sorted(group))))
            enough, most = self.pricing.enough, self.pricing.most
            if most is not None and len(self.found) > most:
                raise TooMany
            if enough is not None and len(self.found) >= 2 * enough:
                self.found = nsmallest(enough, self.found)
                self.limit = self.found[-1][0]
