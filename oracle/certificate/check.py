"""Is a certificate a proof? In exact arithmetic, from the data alone.

Costs are integers: squared distances rounded down to multiples of 1 / per_unit, added
over the pairs of a group, times lcm(sizes) / size, times `parts`. They never exceed the true
costs, so a bound on them holds. A partition that is cheaper than the one in the certificate
costs at most the *target*.

Duals with no negative reduced cost among the groups of a node prove a bound b there. A cheaper
partition then uses only groups with a reduced cost of at most target - b, and only those
are passed on. A leaf is closed if b exceeds the target, if its groups allow no partition, or
if it says that they are to be searched to the end and none that they allow is cheaper.

docs/soundness.md proves that what is accepted is true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from functools import cache, partial
from itertools import chain, islice
from math import ceil, inf
from pathlib import Path
from typing import Any

from oracle.certificate.errors import Rejected
from oracle.certificate.exhaust import TooLong, cheapest_partition
from oracle.certificate.instance import Group, Instance, weights_of
from oracle.certificate.reading import Certificate, Node, read_certificate
from oracle.certificate.search import Duals, Priced, groups_within
from oracle.certificate.table import Row, digest, read_rows

TEN = Context(prec=10, Emax=MAX_EMAX, Emin=MIN_EMIN)
"""Ten significant digits of numbers of any magnitude."""

STEPS = 200_000
"""A leaf is searched in no more steps than this."""

CLOSED = inf
"""The bound of a part of a proof in which no partition is cheaper than the known one."""

MOST_GROUPS = 2_000_000
"""No more groups than this may be within the gap of a node."""

DEEPEST = 200
"""No node of a proof has more nodes above it."""

CHUNKS = 16
"""So many pieces of the search over all groups, which an executor may divide."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What a certificate proves of a file, and what was looked at for that."""

    certificate: Certificate
    value: Fraction
    bound: Fraction
    nodes: int
    groups: int

    @property
    def optimal(self) -> bool:
        return self.value == self.bound

    def lines(self) -> list[str]:
        """For a reader."""
        from oracle.certificate.wording import lines  # no check relies on it

        return lines(self)


def number(value: Fraction) -> str:
    """Exactly where that is short, and in ten digits where it is not short to read."""
    decimal = f"{TEN.divide(Decimal(value.numerator), Decimal(value.denominator))}"
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > 64:
        return f"about {decimal}"
    exact = str(value)
    return exact if len(exact) <= 10 else f"{exact} (about {decimal})"


Told = Callable[[int, int], None]
"""Hears how many steps the check has, and how many of them are done."""


def unheard(steps: int, done: int) -> None:
    """Nobody waits."""


def verify(
    path: Path,
    data: Path,
    delimiter: str = ",",
    executor: Executor | None = None,
    told: Told = unheard,
) -> Proof:
    """What the certificate proves of the data. Raises Rejected, with the reason, and OSError."""
    certificate = read_certificate(path)
    rows = read_rows(data, certificate.instance.attributes, delimiter)
    return check(certificate, rows, f"{data} is", executor, told)


def check(
    c: Certificate,
    rows: tuple[Row, ...],
    what: str,
    executor: Executor | None = None,
    told: Told = unheard,
) -> Proof:
    """What the certificate proves of the values of its attributes. Raises Rejected."""
    if len(rows) != c.instance.records or c.instance.digest != digest(c.instance.attributes, rows):
        raise Rejected(f"{what} not the data that the certificate is about")
    _check_request(c, len(rows))
    weights = weights_of(rows, c.instance.standardise)
    scale = c.per_unit, c.parts
    instance = Instance(rows, weights, c.k, c.largest, c.together, c.apart, *scale)
    _check_partition(c, instance)
    checker = _Checker(instance, c.value, executor, partial(told, _steps(c.proof)))
    try:
        proved = checker.node(c.proof, None, "proof")
    except Rejected as reason:
        raise Rejected(f"{checker.where}: {reason}") from None
    bound = c.value if proved > checker.target else Fraction(proved) / (instance.units * c.parts)
    if bound < c.bound:
        raise Rejected(f"the proof gives the bound {number(bound)}, not {number(c.bound)}")
    return Proof(c, c.value, c.bound, checker.nodes, checker.groups)


def _check_request(c: Certificate, n: int) -> None:
    if not c.instance.attributes:
        raise Rejected("there are no attributes")
    if not 1 <= c.k <= c.largest <= n:
        raise Rejected(f"sizes {c.k} to {c.largest} do not suit {n} records")
    if c.per_unit <= 0 or c.parts < 1:
        raise Rejected("per_unit must be positive, and parts at least 1")
    for a, b in (*c.together, *c.apart):
        if not (0 <= a < n and 0 <= b < n and a != b):
            raise Rejected(f"the constraint on {a} and {b} names no two records")


def _check_partition(c: Certificate, instance: Instance) -> None:
    if sorted(chain(*c.partition)) != list(range(instance.n)):
        raise Rejected("the groups of the partition do not hold each record once")
    groups = [tuple(group) for group in c.partition]
    for group in groups:
        if not c.k <= len(group) <= c.largest:
            raise Rejected(f"group {group} has {len(group)} records")
        if not instance.keeps(group):
            raise Rejected(f"group {group} is against the constraints")
    value = sum(map(instance.sse, groups), Fraction(0))
    if value != c.value:
        raise Rejected(f"the partition costs {number(value)}, not {number(c.value)}")


def _steps(proof: Node) -> int:
    """The nodes, and the pieces of the search over all groups, as if it were done once."""
    below = [proof]
    for node in below:
        below += [part for part in (node.next, node.together, node.apart) if part is not None]
    return len(below) + CHUNKS


class _Checker:
    """Walks the tree, counts what it sees, and knows where it is."""

    def __init__(
        self,
        instance: Instance,
        value: Fraction,
        executor: Executor | None,
        told: Callable[[int], None],
    ) -> None:
        self.instance, self.value = instance, value
        self.told, self.searched = told, 0
        self.map: Any = map if executor is None else executor.map
        self.nodes = self.groups = 0
        self.where = "proof"
        self.target = instance.parts * (ceil(value * instance.units) - 1)
        self.sse, self.cost = cache(instance.sse), cache(instance.cost)

    def node(self, node: Node, groups: Sequence[Group] | None, where: str) -> float:
        """The bound that is proved at a node, an integer; CLOSED if nothing there is cheaper.

        `groups` are those that a cheaper partition can use, None for all.
        """
        self.nodes, self.where = self.nodes + 1, where
        self.told(self.nodes + self.searched)
        goes_on = self.goes_on(node)
        bound, within = 0, list[Priced]()
        if node.duals is not None:
            duals = node.duals.in_units_of_costs()
            bound = duals.checked_bound(self.instance)
            if node.infeasible:
                self.check_infeasible(duals, groups)
                return CLOSED
            limit = self.target - bound if goes_on else -1
            within = self.groups_within(duals, groups, max(limit, -1))
            groups = [group for _, group in within]
        if bound > self.target:
            return bound
        if node.next is not None:
            return max(bound, self.node(node.next, groups, f"{where}.next"))
        if node.pair is not None:
            return max(bound, self.divided(node, groups, where))
        if node.searched and node.duals is not None:
            self.search_to_the_end(within, self.target - bound)
            return CLOSED
        return bound

    def goes_on(self, node: Node) -> bool:
        """Does something follow the duals? Raises Rejected if it is more than one thing."""
        if self.where.count(".") > DEEPEST:
            raise Rejected(f"more than {DEEPEST} nodes are above it")
        if not (node.pair is None) == (node.together is None) == (node.apart is None):
            raise Rejected("a division needs a pair and both of its halves")
        ways = [node.pair is not None, node.next is not None, node.searched]
        if sum(ways) + node.infeasible > 1:
            raise Rejected("it is divided, goes on, is searched to the end, or is infeasible")
        return any(ways)

    def divided(self, node: Node, groups: Sequence[Group] | None, where: str) -> float:
        """The lesser bound of the two halves."""
        if groups is None or node.pair is None or node.together is None or node.apart is None:
            raise Rejected("divided before any duals say which groups matter")
        a, b = node.pair
        joined = [group for group in groups if (a in group) == (b in group)]
        separated = [group for group in groups if not (a in group and b in group)]
        return min(
            self.node(node.together, joined, f"{where}.together"),
            self.node(node.apart, separated, f"{where}.apart"),
        )

    def groups_within(
        self, duals: Duals, groups: Sequence[Group] | None, limit: int
    ) -> list[Priced]:
        """The groups with a reduced cost of at most the limit, if none has a negative one."""
        found: Iterable[Priced]
        if groups is None:
            everyone = range(self.instance.n)
            work = partial(_found_around, self.instance, duals, limit)
            chunks = [everyone[first::CHUNKS] for first in everyone[:CHUNKS]]
            found = chain.from_iterable(self.searching(self.map(work, chunks)))
        else:
            found = ((self.cost(group) - duals.paid_by(group), group) for group in groups)
        within = []
        for reduced, group in found:
            if reduced < 0:
                raise Rejected(f"group {group} has the reduced cost {reduced}")
            if reduced <= limit:
                within.append((reduced, group))
            if len(within) > MOST_GROUPS:
                raise Rejected(f"more than {MOST_GROUPS} groups are within the gap")
        self.groups += len(within)
        return within

    def searching(self, pieces: Iterable[list[Priced]]) -> Iterable[list[Priced]]:
        """The pieces of the search over all groups, each a step of the check."""
        for piece in pieces:
            self.searched += 1
            self.told(self.nodes + self.searched)
            yield piece

    def check_infeasible(self, duals: Duals, groups: Sequence[Group] | None) -> None:
        """The duals must give a bound above 0 where every group costs nothing."""
        if groups is None or duals.bound <= 0:
            raise Rejected("nothing proves that there is no partition")
        for group in groups:
            if duals.paid_by(group) > 0:
                raise Rejected(f"group {group} pays more than nothing")

    def search_to_the_end(self, within: list[Priced], budget: int) -> None:
        """Raise Rejected unless none of the partitions that are left is cheaper."""
        try:
            best = cheapest_partition(self.instance.n, within, budget, self.sse, STEPS)
        except TooLong:
            raise Rejected(f"not searched to the end in {STEPS} steps") from None
        if best is not None and best.cost < self.value:
            raise Rejected(f"there is a cheaper partition, of {best.cost}")


def _found_around(
    instance: Instance, duals: Duals, limit: int, anchors: Sequence[int]
) -> list[Priced]:
    """The groups that belong to some anchors, but no more than a certificate can have."""
    return list(islice(groups_within(instance, duals, limit, anchors), MOST_GROUPS + 1))
