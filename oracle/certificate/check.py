"""Check of an optimality certificate in exact arithmetic, from the data alone.

docs/soundness.md proves, lemma by lemma, that what is accepted is true. Costs are integers: squared
distances rounded down to multiples of 1 / per_unit, added over the pairs of a group, times
lcm(sizes) / size, times `parts`. A partition that is cheaper than the one in the certificate costs
at most the *target*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, chain, combinations, starmap
from math import ceil, gcd, lcm
from operator import mul, sub
from typing import NamedTuple

from oracle.certificate import Rejected, demand, reading
from oracle.certificate.conic import Conic, conic_bound
from oracle.certificate.reading import Certificate, Division, Duals, Node, Pair, Row, Split

MOST_GROUPS, MOST_STEPS, LONGEST = 2_000_000, 10_000_000_000, 160
"""Groups within the gap of duals; records that could join a group, or listed groups, looked at;
digits of a squared distance in units of 1 / per_unit."""

Group = tuple[int, ...]
Listed = list[tuple[int, Group]]
"""Whole costs and their groups."""


def check(c: Certificate, rows: Sequence[Row]) -> tuple[int, int]:
    """Accept a certificate for some rows; count nodes and groups.

    Raises Rejected, with reasons.
    """
    same = len(rows) == c.records and c.digest == reading.data_digest(c.attributes, rows)
    demand(same, "certificate.digest: it is about other data")
    check_request(c)
    checker = Checker(c, Distances(rows, c.standardise, c.per_unit))
    checker.check_partition()
    proved = checker.node(c.proof, Scope(c.together, c.apart, None, checker.target))
    bound = c.value if proved > checker.target else max(proved, 0) / checker.units
    demand(c.bound <= bound, f"certificate.bound: {c.bound!s:.60} is claimed, which is not proved")
    return checker.nodes, checker.groups


def check_request(c: Certificate) -> None:
    """Raise Rejected unless the parameters of a certificate make sense.

    Those are its sizes, scale, constraints and cuts.
    """
    n, known = c.records, set(range(c.records))
    sizes = 1 <= c.k <= c.largest <= n and c.per_unit > 0 and c.parts > 0
    demand(sizes, f"certificate: expected 1 <= k <= largest <= {n}, per_unit > 0, parts > 0")
    for pair in (*c.together, *c.apart):
        demand(len(known & {*pair}) == 2, f"certificate.together, apart: {pair} are not 2 records")
    for i, (records, weights, divisor) in enumerate(c.cuts):
        found = known.issuperset(records) and len(records) == len(weights)
        right = found and min([divisor - 1, *weights]) >= 0
        demand(right, f"certificate.cuts[{i}]: expected records, a weight each, a divisor")


def keeps(group: Group, asked: Certificate | Scope) -> bool:
    """Return True if a group keeps the constraints."""
    joined = all((a in group) == (b in group) for a, b in asked.together)
    return joined and not any(a in group and b in group for a, b in asked.apart)


class Distances:
    """Squared distances in units of 1 / per_unit.

    They have a common denominator (Lemmas 1 to 3).
    """

    def __init__(self, rows: Sequence[Row], standardise: str, per_unit: Fraction) -> None:
        finest = lcm(*(value.denominator for row in rows for value in row))
        columns = [[int(value * finest) for value in column] for column in zip(*rows, strict=True)]
        self.points = list(zip(*columns, strict=True)) or [()] * len(rows)
        factors = [per_unit * weight(column, standardise, finest) for column in columns]
        self.common = lcm(*(factor.denominator for factor in factors))
        self.factors = [int(factor * self.common) for factor in factors]

    def exact(self, i: int, j: int) -> int:
        """Return the squared distance of two records, times the common denominator."""
        gaps = list(map(sub, self.points[i], self.points[j]))
        return sum(map(mul, self.factors, map(mul, gaps, gaps)))

    def rounded(self) -> list[list[int]]:
        """Return the matrix of distances, rounded down.

        Raises Rejected for numbers of more than LONGEST digits.
        """
        rows: list[list[int]] = []
        for i in range(len(self.points)):
            rows.append([self.exact(i, j) // self.common for j in range(i)] + [0])
            demand(max(rows[i]) < 10**LONGEST, f"certificate.per_unit: limit of {LONGEST} digits")
        return [row + [later[i] for later in rows[i + 1 :]] for i, row in enumerate(rows)]


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

    The groups are those that keep the constraints: all such groups or, once groups are listed, the
    listed ones.
    """

    together: Sequence[Pair]
    apart: Sequence[Pair]
    groups: Listed | None
    target: int

    def priced(self, cost: Callable[[int, Group], int], target: int, where: str) -> Scope:
        """Return the listed groups with other costs.

        Raises Rejected if none are listed.
        """
        demand(self.groups is not None, f"{where}: expected groups that a filter has listed")
        groups = [(cost(before, group), group) for before, group in self.groups or ()]
        return self._replace(groups=groups, target=target)


class Prices:
    """Duals in units of costs, with their bound (Lemmas 5 to 7).

    Raises Rejected.
    """

    def __init__(self, c: Certificate, duals: Duals, where: str) -> None:
        n, unit = c.records, duals.unit
        right = unit >= 1 and len(duals.records) == n and duals.fewest >= 0 >= duals.most
        demand(right, f"{where}: expected {n} prices, a unit >= 1, fewest >= 0, most <= 0")
        self.records = [unit * price for price in duals.records]
        self.each = unit * (duals.fewest + duals.most)
        self.cuts, self.weights = list[Pair](), dict[int, list[Pair]]()
        for place, (number, price) in enumerate(duals.cuts):
            right = 0 <= number < len(c.cuts) and price <= 0
            demand(right, f"{where}.cuts[{place}]: expected a cut and a price <= 0")
            records, weights, divisor = c.cuts[number]
            self.cuts.append((unit * price, divisor))
            for record, share in zip(records, weights, strict=True):
                self.weights.setdefault(record, []).append((place, share))
        number = unit * (duals.fewest * -(-n // c.largest) + duals.most * (n // c.k))
        self.bound = self.paid(range(n)) - self.each + number

    def paid(self, group: Sequence[int]) -> int:
        """Return the price of a group.

        The cost of the group less this price is its reduced cost.
        """
        shares: dict[int, int] = {}
        for record in group:
            for place, share in self.weights.get(record, ()):
                shares[place] = shares.get(place, 0) + share
        total = self.each + sum(map(self.records.__getitem__, group))
        cuts = [(*self.cuts[place], share) for place, share in shares.items()]
        return total + sum([price * (share // divisor) for price, divisor, share in cuts])


class Checker:
    """Checker that walks the tree, and counts what it sees."""

    def __init__(self, c: Certificate, between: Distances) -> None:
        self.c, self.between, self.near = c, between, between.rounded()
        # of each record, the sums of its least 1, 2, ... distances, that to itself included
        self.least = [list(accumulate(sorted(row)[: c.largest])) for row in self.near]
        self.sizes = range(c.k, c.largest + 1)
        whole = lcm(*self.sizes)
        self.share = {size: c.parts * whole // size for size in self.sizes}
        self.units = c.per_unit * whole * c.parts
        self.target = c.parts * (ceil(c.value * c.per_unit * whole) - 1)
        self.sse = c.value * self.units * between.common
        self.exact_target = int(self.sse) - max(1, c.parts * gcd(*between.factors))
        self.nodes, self.groups, self.steps, self.where = 0, 0, 0, "certificate.proof"

    def check_partition(self) -> None:
        """Raise Rejected unless the partition is allowed and has the value."""
        c, sse = self.c, 0
        everyone = sorted(chain(*c.partition)) == list(range(c.records))
        demand(everyone, "certificate.partition: expected each record in one group")
        for number, group in enumerate(map(tuple, c.partition)):
            allowed = len(group) in self.sizes and keeps(group, c)
            demand(allowed, f"certificate.partition[{number}]: {group} is not allowed")
            sse += self.exact(group)
        demand(sse == self.sse, f"certificate.value: {c.value!s:.60} is not the partition's SSE")

    def node(self, node: Node, scope: Scope, where: str = "certificate.proof") -> int:
        """Return the bound that a node proves.

        It is above the target, by one, if nothing in the node is cheaper (Lemma 11).
        """
        self.nodes, bounds = self.nodes + 1, list[int]()
        for place, duals in enumerate(node.filters):
            bound, groups = self.within(duals, scope, f"{where}.filters[{place}]", leaf=False)
            bounds, scope = [*bounds, bound], Scope([], [], groups, scope.target)
        return min(max([*bounds, self.after(node, scope, where)]), scope.target + 1)

    def after(self, node: Node, scope: Scope, where: str) -> int:
        """Return the bound of what follows the filters of a node."""
        if isinstance(node, Division):
            joined = scope._replace(together=[*scope.together, node.pair])
            separated = scope._replace(apart=[*scope.apart, node.pair])
            bound = self.node(node.together, joined, f"{where}.together")
            return min(bound, self.node(node.apart, separated, f"{where}.apart"))
        if isinstance(node, Conic):
            demand(scope.groups is None, f"{where}: expected vectors before groups are listed")
            return conic_bound(node, self.near, self.sizes, self.c.parts, where)
        if node.costs == "exact":
            exact = scope.priced(lambda _, group: self.exact(group), self.exact_target, where)
            bound = self.after(node._replace(costs="rounded"), exact, where)
            demand(bound > self.exact_target, f"{where}: expected the value as the bound")
            return scope.target + 1
        if isinstance(node, Split):
            first, limit, rest = set(node.first), node.limit, scope.target - node.limit - 1
            inside = scope.priced(lambda x, group: x if group[0] in first else 0, limit, where)
            outside = scope.priced(lambda x, group: 0 if group[0] in first else x, rest, where)
            bound = self.node(node.inside, inside, f"{where}.inside")
            return bound + self.node(node.outside, outside, f"{where}.outside")
        return self.within(node.duals, scope, f"{where}.duals", leaf=True)[0]

    def within(self, duals: Duals, scope: Scope, where: str, leaf: bool) -> tuple[int, Listed]:
        """Return the bound of duals, and the groups within the gap.

        A leaf needs no groups. Lemmas 8 and 10 are about both. Raises Rejected for a negative
        reduced cost.
        """
        prices, kept, self.where = Prices(self.c, duals, where), Listed(), where
        limit = -1 if leaf else max(scope.target - prices.bound, -1)
        self.step(len(scope.groups or ()))
        for cost, group in self.search(prices, limit) if scope.groups is None else scope.groups:
            if keeps(group, scope) and (reduced := cost - prices.paid(group)) <= limit:
                if reduced < 0:
                    raise Rejected(f"{where}: group {group} has a negative reduced cost")
                kept.append((cost, group))
                demand(len(kept) <= MOST_GROUPS, f"{where}: over the limit of {MOST_GROUPS} groups")
        self.groups += len(kept)
        return prices.bound, kept

    def search(self, prices: Prices, limit: int) -> Iterator[tuple[int, Group]]:
        """Yield all groups of a small reduced cost, and some others.

        A reduced cost is small if it is at most the limit (Lemma 9).
        """
        keys = [(-price, record) for record, price in enumerate(prices.records)]
        for size, share in self.share.items():
            for group in self.completed((), size, keys, limit + prices.each):
                yield share * sum(self.near[i][j] for i, j in combinations(group, 2)), group

    def completed(self, part: Group, size: int, keys: list[Pair], slack: int) -> Iterator[Group]:
        """Yield the groups that hold the part and fit in the slack.

        The keys and the distances of the other records have to fit in it. Each pair of these has
        two ends, so that half of its least distances is what a record adds at least to its key.
        """
        missing, share = size - len(part), self.share[size]
        if missing == 0:
            yield tuple(sorted(part))
            return
        self.step(len(keys))
        found = sorted((key + share * self.least[j][missing - 1] // 2, key, j) for key, j in keys)
        most = slack - sum(bound for bound, _, _ in found[: missing - 1])
        found = [entry for entry in found if entry[0] <= most]
        for place, (_, key, j) in enumerate(found[: max(0, len(found) - missing + 1)]):
            if sum(bound for bound, _, _ in found[place : place + missing]) > slack:
                return
            rest = [(k + share * self.near[j][i], i) for _, k, i in found[place + 1 :]]
            yield from self.completed((*part, j), size, rest, slack - key)

    def exact(self, group: Group) -> int:
        """Return the exact cost of a group (Lemma 3)."""
        return self.share[len(group)] * sum(starmap(self.between.exact, combinations(group, 2)))

    def step(self, steps: int) -> None:
        """Count steps. Raises Rejected."""
        self.steps += steps
        demand(self.steps <= MOST_STEPS, f"{self.where}: over the limit of {MOST_STEPS} steps")
