"""Duals, and the search for every group whose reduced cost is at most a limit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nsmallest

from oracle.certificate.errors import Rejected
from oracle.certificate.instance import Group, Instance

Priced = tuple[int, Group]
"""A reduced cost and its group."""


Key = tuple[int, int]
"""What a record adds to the reduced cost of a part of a group, and the record."""

Cut = tuple[list[int], list[int], int, int]
"""Records, their weights, a divisor, a price. The coefficient of a group is the sum of the weights
of its records, divided by the divisor and rounded down."""


@dataclass(frozen=True)
class Duals:
    """Whole multipliers, in multiples of a unit, and the bound that they are said to prove."""

    records: list[int]
    fewest: int
    most: int
    cuts: list[Cut]
    bound: int
    unit: int = 1

    def in_units_of_costs(self) -> Duals:
        """The same duals with prices `unit` times as great, which are costs. Raises Rejected."""
        unit = self.unit
        if unit < 1:
            raise Rejected(f"prices cannot be multiples of {unit}")
        records = [unit * price for price in self.records]
        cuts = [(which, weights, d, unit * price) for which, weights, d, price in self.cuts]
        return Duals(records, unit * self.fewest, unit * self.most, cuts, self.bound)

    def checked_bound(self, instance: Instance) -> int:
        """The bound, if the signs are right and it is what they add up to. Raises Rejected."""
        n = instance.n
        if len(self.records) != n:
            raise Rejected(f"{len(self.records)} prices for {n} records")
        if self.fewest < 0 or self.most > 0:
            raise Rejected("a multiplier of the number of groups has the wrong sign")
        bound = sum(self.records) + self.most * (n // instance.k)
        bound += self.fewest * -(-n // instance.largest)
        for records, weights, divisor, price in self.cuts:
            if len(set(records)) != len(records) or len(weights) != len(records):
                raise Rejected("a cut needs one weight for each of its records")
            if price > 0 or divisor < 1 or any(weight < 0 for weight in weights):
                raise Rejected("a cut has a price, weight or divisor of the wrong sign")
            bound += price * (sum(weights) // divisor)
        if bound != self.bound:
            raise Rejected(f"the duals give the bound {bound}, not {self.bound}")
        return bound

    @cached_property
    def _weights(self) -> dict[int, list[tuple[int, int]]]:
        """The numbers of the cuts in which a record has a weight, and those weights."""
        of_record: dict[int, list[tuple[int, int]]] = {}
        for number, (records, weights, _, _) in enumerate(self.cuts):
            for record, weight in zip(records, weights, strict=True):
                of_record.setdefault(record, []).append((number, weight))
        return of_record

    def paid_by(self, group: Group) -> int:
        """What a group pays: its cost less this is its reduced cost."""
        paid = self.fewest + self.most
        in_cut: dict[int, int] = {}
        for record in group:
            paid += self.records[record]
            for number, weight in self._weights.get(record, ()):
                in_cut[number] = in_cut.get(number, 0) + weight
        for number, weight in in_cut.items():
            _, _, divisor, price = self.cuts[number]
            paid += price * (weight // divisor)
        return paid


def groups_within(
    instance: Instance, duals: Duals, limit: int, anchors: Sequence[int]
) -> Iterator[Priced]:
    """The groups with a reduced cost of at most the limit whose dearest record is an anchor.

    Cuts have prices of at most 0 and can only make a group dearer, so they are left out until
    it is complete. What the anchor is joined by adds to the reduced cost its distance from the
    anchor less its own price: its key, here.
    """
    y = duals.records
    for anchor in anchors:
        row, slack = instance.distances[anchor], limit + y[anchor] + duals.fewest + duals.most
        cheaper = [j for j in range(instance.n) if (y[j], j) < (y[anchor], anchor)]
        for size, share in instance.share.items():
            keys = [(share * row[j] - y[j], j) for j in cheaper]
            for group in _completed(instance, (anchor,), size, keys, slack):
                reduced = instance.cost(group) - duals.paid_by(group)
                if reduced <= limit and instance.keeps(group):
                    yield reduced, group


def _completed(
    instance: Instance, part: Group, size: int, keys: list[Key], slack: int
) -> Iterator[Group]:
    """Groups of a size that hold the part, and others whose keys and distances fit in the slack."""
    missing = size - len(part)
    if missing == 0:
        yield tuple(sorted(part))
        return
    limit_for_one = slack - sum(key for key, _ in nsmallest(missing - 1, keys))
    keys = sorted(entry for entry in keys if entry[0] <= limit_for_one)
    for position, (key, j) in enumerate(keys[: len(keys) - missing + 1]):
        if sum(k for k, _ in keys[position : position + missing]) > slack:
            return
        row, share = instance.distances[j], instance.share[size]
        rest = [(k + share * row[i], i) for k, i in keys[position + 1 :]]
        yield from _completed(instance, (*part, j), size, rest, slack - key)
