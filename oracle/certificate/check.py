"""Check of an optimality certificate in exact arithmetic, from the data alone.

docs/soundness.md proves, lemma by lemma, that what is accepted is true. Costs are integers: squared
distances rounded down to multiples of 1 / per_unit, added over the pairs of a group, times
lcm(sizes) / size, times `parts`. A partition that is cheaper than the one in the certificate costs
at most the *target*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from heapq import nsmallest
from itertools import chain, combinations
from math import ceil, gcd, lcm
from typing import NamedTuple

from oracle.certificate.conic import conic_bound
from oracle.certificate.reading import (
    Certificate,
    CertificateDuals,
    Conic,
    Division,
    Node,
    Pair,
    Rejected,
    Row,
    Split,
    data_digest,
)

MOST_GROUPS, MOST_STEPS, LONGEST = 2_000_000, 4_000_000_000, 160
"""Groups within the gap of duals; records that could join a group, or listed groups, looked at;
digits of a squared distance in units of 1 / per_unit."""

Group = tuple[int, ...]
Listed = tuple[int, Group]
"""A whole cost and its group."""


def check(c: Certificate, rows: Sequence[Row]) -> tuple[int, int]:
    """Accept a certificate for some rows; count nodes and groups.

    Raises Rejected, with reasons.
    """
    if len(rows) != c.records or c.digest != data_digest(c.attributes, rows):
        raise Rejected("certificate.digest: it is about other data")
    check_request(c)
    between = Distances(rows, c.standardise, c.per_unit)
    check_partition(c, between)
    checker = Checker(c, between)
    scope = Scope(c.together, c.apart, None, checker.target)
    proved = checker.node(c.proof, scope, "certificate.proof")
    if c.bound > (c.value if proved > checker.target else proved / checker.units):
        raise Rejected(f"certificate.bound: {c.bound!s:.60} is claimed, which is not proved")
    return checker.nodes, checker.groups


def check_request(c: Certificate) -> None:
    """Raise Rejected unless the parameters of a certificate make sense.

    Those are its sizes, scale, constraints and cuts.
    """
    n, everyone = c.records, set(range(c.records))
    if not (1 <= c.k <= c.largest <= n and c.per_unit > 0 and c.parts > 0):
        raise Rejected(f"certificate: expected 1 <= k <= largest <= {n}, per_unit > 0, parts > 0")
    for a, b in (*c.together, *c.apart):
        if not ({a, b} <= everyone and a != b):
            raise Rejected(f"certificate.together, apart: {a} and {b} are not two records")
    for i, (records, weights, divisor) in enumerate(c.cuts):
        found = set(records) <= everyone and len(records) == len(weights)
        if not found or min(weights, default=0) < 0 or divisor < 1:
            raise Rejected(f"certificate.cuts[{i}]: expected records, a weight each, a divisor")


def keeps(group: Group, together: Sequence[Pair], apart: Sequence[Pair]) -> bool:
    """Return True if a group keeps the constraints."""
    joined = all((a in group) == (b in group) for a, b in together)
    return joined and not any(a in group and b in group for a, b in apart)


def check_partition(c: Certificate, between: Distances) -> None:
    """Raise Rejected unless the partition is allowed and has the value."""
    if sorted(chain(*c.partition)) != list(range(c.records)):
        raise Rejected("certificate.partition: expected each record in one group")
    groups = [tuple(group) for group in c.partition]
    for number, group in enumerate(groups):
        if not (c.k <= len(group) <= c.largest and keeps(group, c.together, c.apart)):
            raise Rejected(f"certificate.partition[{number}]: {group} is not allowed")
    units = sum(Fraction(sum(map(between.exact, combinations(g, 2))), len(g)) for g in groups)
    if units != c.value * c.per_unit * between.common:
        raise Rejected(f"certificate.value: {c.value!s:.60} is not the SSE of the partition")


class Distances:
    """Squared distances in units of 1 / per_unit.

    They have a common denominator (Lemmas 1 to 3).
    """

    def __init__(self, rows: Sequence[Row], standardise: str, per_unit: Fraction) -> None:
        finest = lcm(*(value.denominator for row in rows for value in row))
        self.points = [[int(value * finest) for value in row] for row in rows]
        columns = zip(*self.points, strict=True)
        factors = [per_unit * weight(column, standardise, finest) for column in columns]
        self.common = lcm(*(factor.denominator for factor in factors))
        self.factors = [int(factor * self.common) for factor in factors]

    def exact(self, pair: Pair) -> int:
        """Return the squared distance of two records, times the common denominator."""
        total = 0
        for w, p, q in zip(self.factors, *map(self.points.__getitem__, pair), strict=True):
            total += w * (p - q) * (p - q)
        return total

    def rounded(self) -> list[list[int]]:
        """Return the matrix of distances, rounded down.

        Raises Rejected for numbers of more than LONGEST digits.
        """
        n, farthest = len(self.points), 10**LONGEST
        rows = [[0] * n for _ in range(n)]
        for i, j in combinations(range(n), 2):
            rows[i][j] = rows[j][i] = self.exact((i, j)) // self.common
            if rows[i][j] >= farthest:
                raise Rejected(f"certificate.per_unit: distances of {LONGEST} digits are the limit")
        return rows


def weight(column: Sequence[int], standardise: str, finest: int) -> Fraction:
    """Return the weight of a squared difference.

    The values were multiplied by `finest`.
    """
    n = len(column)
    spread = n * sum(p * p for p in column) - sum(column) ** 2
    if standardise == "none":
        return Fraction(1, finest * finest)
    divisor = n if standardise == "population" else n - 1
    return Fraction(n * divisor, spread) if spread else Fraction(0)


class Scope(NamedTuple):
    """Groups of a node, and the most that a cheaper partition costs.

    The groups are those that keep the constraints or, once they are listed, the listed groups.
    """

    together: Sequence[Pair]
    apart: Sequence[Pair]
    groups: list[Listed] | None
    target: int

    def half(self, together: Sequence[Pair], apart: Sequence[Pair]) -> Scope:
        """Return the groups that keep further constraints."""
        groups = self.groups and [x for x in self.groups if keeps(x[1], together, apart)]
        return Scope([*self.together, *together], [*self.apart, *apart], groups, self.target)

    def priced(self, cost: Callable[[Listed], int], target: int) -> Scope:
        """Return the listed groups with other costs."""
        groups = [(cost(x), x[1]) for x in self.groups or ()]
        return self._replace(groups=groups, target=target)


class CertificatePrices:
    """Duals in units of costs, with their bound (Lemmas 5 to 7).

    Raises Rejected.
    """

    def __init__(self, c: Certificate, duals: CertificateDuals, where: str) -> None:
        n, unit = c.records, duals.unit
        if unit < 1 or len(duals.records) != n or duals.fewest < 0 or duals.most > 0:
            raise Rejected(f"{where}: expected {n} prices, a unit >= 1, fewest >= 0, most <= 0")
        self.records = [unit * price for price in duals.records]
        self.each = unit * (duals.fewest + duals.most)
        self.bound = sum(self.records)
        self.bound += unit * (duals.fewest * -(-n // c.largest) + duals.most * (n // c.k))
        self.cuts: list[Pair] = []
        self.weights: dict[int, list[Pair]] = {}
        for place, (number, price) in enumerate(duals.cuts):
            if not 0 <= number < len(c.cuts) or price > 0:
                raise Rejected(f"{where}.cuts[{place}]: expected a cut and a price <= 0")
            records, weights, divisor = c.cuts[number]
            self.bound += unit * price * (sum(weights) // divisor)
            self.cuts.append((unit * price, divisor))
            for record, share in zip(records, weights, strict=True):
                self.weights.setdefault(record, []).append((place, share))

    def paid(self, group: Group) -> int:
        """Return the price of a group.

        The cost of the group less this price is its reduced cost.
        """
        total, shares = self.each, dict[int, int]()
        for record in group:
            total += self.records[record]
            for place, share in self.weights.get(record, ()):
                shares[place] = shares.get(place, 0) + share
        for place, share in shares.items():
            total += self.cuts[place][0] * (share // self.cuts[place][1])
        return total


class Checker:
    """Checker that walks the tree, and counts what it sees."""

    def __init__(self, c: Certificate, between: Distances) -> None:
        self.c, self.between, self.near = c, between, between.rounded()
        whole = lcm(*range(c.k, c.largest + 1))
        self.share = {size: c.parts * whole // size for size in range(c.k, c.largest + 1)}
        self.units = c.per_unit * whole * c.parts
        self.target = c.parts * (ceil(c.value * c.per_unit * whole) - 1)
        self.grain = max(1, c.parts * gcd(*between.factors))
        self.nodes, self.groups, self.steps, self.where = 0, 0, 0, "certificate.proof"

    def node(self, node: Node, scope: Scope, where: str) -> int:
        """Return the bound that a node proves.

        It is above the target if nothing in the node is cheaper (Lemma 11).
        """
        self.nodes, best = self.nodes + 1, 0
        for place, duals in enumerate(node.filters):
            self.where = f"{where}.filters[{place}]"
            bound, groups = self.within(duals, scope, lists=True)
            best, scope = max(best, bound), scope._replace(groups=groups)
        return max(best, self.after(node, scope, where))

    def after(self, node: Node, scope: Scope, where: str) -> int:
        """Return the bound of what follows the filters of a node."""
        if isinstance(node, Division):
            joined, separated = scope.half([node.pair], []), scope.half([], [node.pair])
            bound = self.node(node.together, joined, f"{where}.together")
            return min(bound, self.node(node.apart, separated, f"{where}.apart"))
        if isinstance(node, Conic):
            if scope.groups is not None:
                raise Rejected(f"{where}: expected vectors before groups are listed")
            sizes = range(self.c.k, self.c.largest + 1)
            return conic_bound(node, self.near, sizes, self.c.parts, where)
        if scope.groups is None and (isinstance(node, Split) or node.costs == "exact"):
            raise Rejected(f"{where}: expected groups that a filter has listed")
        if node.costs == "exact":
            target = int(self.c.value * self.units * self.between.common) - self.grain
            exact = scope.priced(lambda x: self.cost(x[1], self.between.exact), target)
            if self.after(node._replace(costs="rounded"), exact, where) <= target:
                raise Rejected(f"{where}: expected the value as the bound of listed groups")
            return scope.target + 1
        if isinstance(node, Split):
            first, limit, rest = set(node.first), node.limit, scope.target - node.limit - 1
            inside = scope.priced(lambda x: x[0] if x[1][0] in first else 0, limit)
            outside = scope.priced(lambda x: 0 if x[1][0] in first else x[0], rest)
            bound = min(self.node(node.inside, inside, f"{where}.inside"), limit + 1)
            return bound + min(self.node(node.outside, outside, f"{where}.outside"), rest + 1)
        self.where = f"{where}.duals"
        return self.within(node.duals, scope, lists=False)[0]

    def within(
        self, duals: CertificateDuals, scope: Scope, lists: bool
    ) -> tuple[int, list[Listed]]:
        """Return the bound of duals, and the groups within the gap.

        Lemmas 8 and 10 are about both.
        """
        prices, kept = CertificatePrices(self.c, duals, self.where), list[Listed]()
        limit = max(scope.target - prices.bound, -1) if lists else -1
        for cost, group in self.all_groups(prices, scope, limit):
            reduced = cost - prices.paid(group)
            if reduced < 0:
                raise Rejected(f"{self.where}: group {group} has the reduced cost {reduced}")
            if reduced <= limit:
                kept.append((cost, group))
            if len(kept) > MOST_GROUPS:
                raise Rejected(f"{self.where}: over the limit of {MOST_GROUPS} groups")
        self.groups += len(kept)
        return prices.bound, kept

    def all_groups(self, prices: CertificatePrices, scope: Scope, limit: int) -> Iterator[Listed]:
        """Yield the listed groups, or all of a small reduced cost.

        A reduced cost is small if it is at most the limit (Lemma 9).
        """
        if scope.groups is not None:
            self.step(len(scope.groups))
            yield from scope.groups
            return
        y = prices.records
        for anchor, row in enumerate(self.near):
            slack = limit + y[anchor] + prices.each
            cheaper = [j for j in range(len(y)) if (y[j], j) < (y[anchor], anchor)]
            for size, share in self.share.items():
                keys = [(share * row[j] - y[j], j) for j in cheaper]
                for group in self.completed((anchor,), size, keys, slack):
                    if keeps(group, scope.together, scope.apart):
                        yield self.cost(group, self.rounded), group

    def completed(self, part: Group, size: int, keys: list[Pair], slack: int) -> Iterator[Group]:
        """Yield the groups that hold the part and fit in the slack.

        The keys and the distances of the other records have to fit in it.
        """
        missing, share = size - len(part), self.share[size]
        if missing == 0:
            yield tuple(sorted(part))
            return
        self.step(len(keys))
        most = slack - sum(key for key, _ in nsmallest(missing - 1, keys))
        keys = sorted(entry for entry in keys if entry[0] <= most)
        for place, (key, j) in enumerate(keys[: len(keys) - missing + 1]):
            if sum(k for k, _ in keys[place : place + missing]) > slack:
                return
            row = self.near[j]
            rest = [(k + share * row[i], i) for k, i in keys[place + 1 :]]
            yield from self.completed((*part, j), size, rest, slack - key)

    def rounded(self, pair: Pair) -> int:
        """Return the squared distance of two records, rounded down."""
        return self.near[pair[0]][pair[1]]

    def cost(self, group: Group, distance: Callable[[Pair], int]) -> int:
        """Return the cost of a group (Lemma 3)."""
        return self.share[len(group)] * sum(map(distance, combinations(group, 2)))

    def step(self, steps: int) -> None:
        """Count steps. Raises Rejected."""
        self.steps += steps
        if self.steps > MOST_STEPS:
            raise Rejected(f"{self.where}: over the limit of {MOST_STEPS} steps")
