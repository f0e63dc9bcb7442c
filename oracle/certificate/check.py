"""Is a certificate a proof? In exact arithmetic, from the data alone.

Costs are whole numbers: squared distances rounded down to multiples of 1 / per_unit, added
over the pairs of a group, times lcm(sizes) / size, times `parts`. They never exceed the true
costs, so a bound on them holds. A partition that is cheaper than the one in the certificate
costs at most the *target*.

Duals with no negative reduced cost among the groups of a node prove a bound b there. A cheaper
partition then uses only groups with a reduced cost of at most target - b, and only those
are passed on. A leaf is closed if b exceeds the target, if its groups allow no partition, or
if it says that they are to be searched to the end and none that they allow is cheaper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from functools import cache
from math import ceil, inf, lcm
from pathlib import Path

from oracle.certificate.errors import Rejected
from oracle.certificate.exhaust import TooLong, cheapest_partition
from oracle.certificate.instance import (
    Instance,
    Row,
    digest,
    distances,
    group_sse,
    instance_of,
    read_rows,
    shown,
)
from oracle.certificate.reading import EMPTY, Certificate, Duals, Node, Pair, read_certificate
from oracle.certificate.search import Costs, Group, Priced, Prices, groups_within

TEN = Context(prec=10, Emax=MAX_EMAX, Emin=MIN_EMIN)
"""Ten significant digits of numbers of any magnitude."""

STEPS = 200_000
"""A leaf is searched in no more steps than this."""

CLOSED = inf
"""The bound of a part of a proof where no partition is cheaper than the one at hand."""

MOST_GROUPS = 2_000_000
"""No more groups than this may be within the gap of a node."""

CHUNK = 64
"""So many pieces of the search over all groups, for an executor."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a certificate proves of a file. `optimal` if the bound is the value itself."""

    certificate: Certificate
    nodes: int
    groups: int

    @property
    def value(self) -> Fraction:
        return self.certificate.value

    @property
    def bound(self) -> Fraction:
        return self.certificate.bound

    @property
    def optimal(self) -> bool:
        return self.value == self.bound

    def lines(self) -> list[str]:
        value, which = _number(self.value), _partitions(self.certificate)
        scale = _scale(self.certificate)
        seen = f"proof: {self.nodes} nodes, {self.groups} groups within their gaps"
        if self.optimal:
            claim = f"SSE {value} is optimal: no partition {which} has less"
            return [f"accepted: {claim}; {scale}", seen]
        claim = f"no partition {which} has an SSE below {_number(self.bound)}"
        return [f"accepted: {claim}; {scale}", f"the partition has {value}", seen]


def _partitions(c: Certificate) -> str:
    """The partitions that a certificate is about."""
    sizes = f"{c.k}" if c.k == c.largest else f"{c.k} to {c.largest}"
    text = f"of the {c.records} records into groups of {sizes} (k = {c.k})"
    pairs = [
        f"{', '.join(f'{a}-{b}' for a, b in named)} {name}"
        for name, named in (("together", c.together), ("apart", c.apart))
        if named
    ]
    return f"{text} with {' and '.join(pairs)}" if pairs else text


def _scale(c: Certificate) -> str:
    """The attributes, and what they are divided by."""
    divided = {
        "none": "as they are",
        "population": "each divided by its standard deviation (divisor n)",
        "sample": "each divided by its standard deviation (divisor n - 1)",
    }[c.standardise]
    return f"attributes {', '.join(map(shown, c.attributes))}, {divided}"


def _number(value: Fraction) -> str:
    """Exactly where that is short, and in ten digits where it is not short to read."""
    decimal = f"{TEN.divide(Decimal(value.numerator), Decimal(value.denominator))}"
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > 64:
        return f"about {decimal}"
    exact = str(value)
    return exact if len(exact) <= 10 else f"{exact} (about {decimal})"


def verify(
    path: Path, data: Path, delimiter: str = ",", executor: Executor | None = None
) -> Verdict:
    """What the certificate proves of the data. Raises Rejected, with the reason, and OSError."""
    return verify_file(read_certificate(path), data, delimiter, executor)


def verify_file(
    certificate: Certificate, data: Path, delimiter: str = ",", executor: Executor | None = None
) -> Verdict:
    """What the certificate proves of a file of data. Raises Rejected, OSError."""
    rows = read_rows(data, certificate.attributes, delimiter)
    return verify_rows(certificate, rows, f"{data} is", executor)


def verify_rows(
    certificate: Certificate, rows: tuple[Row, ...], what: str, executor: Executor | None = None
) -> Verdict:
    """What the certificate proves of the values of its attributes. Raises Rejected."""
    if len(rows) != certificate.records or certificate.digest != digest(
        certificate.attributes, rows
    ):
        raise Rejected(f"{what} not the data that the certificate is about")
    instance = instance_of(certificate.attributes, rows, certificate.standardise)
    return check(certificate, instance, executor)


def check(
    certificate: Certificate, instance: Instance, executor: Executor | None = None
) -> Verdict:
    """What the certificate proves of the instance. Raises Rejected."""
    _check_request(certificate)
    _check_partition(certificate, instance)
    checker = _Checker(certificate, instance, executor)
    proved = checker.node(certificate.proof, None, "proof")
    unit = certificate.per_unit * lcm(*_sizes(certificate)) * certificate.parts
    bound = certificate.value if proved > checker.target else Fraction(proved) / unit
    if bound < certificate.bound:
        claimed = _number(certificate.bound)
        raise Rejected(f"the proof gives the bound {_number(bound)}, not {claimed}")
    return Verdict(certificate, checker.nodes, checker.groups)


def _sizes(certificate: Certificate) -> range:
    return range(certificate.k, certificate.largest + 1)


def _check_request(c: Certificate) -> None:
    if not 1 <= c.k <= c.largest <= c.records:
        raise Rejected(f"sizes {c.k} to {c.largest} do not suit {c.records} records")
    if c.per_unit <= 0 or c.parts < 1:
        raise Rejected("per_unit must be positive, and parts at least 1")
    for a, b in (*c.together, *c.apart):
        if not (0 <= a < c.records and 0 <= b < c.records and a != b):
            raise Rejected(f"the constraint on {a} and {b} names no two records")


def _check_partition(c: Certificate, instance: Instance) -> None:
    members = sorted(record for group in c.partition for record in group)
    if members != list(range(c.records)):
        raise Rejected("the groups of the partition do not hold each record once")
    allowed = _allowed(c)
    for group in c.partition:
        if len(group) not in _sizes(c):
            raise Rejected(f"group {group} has {len(group)} records")
        if not allowed(group):
            raise Rejected(f"group {group} is against the constraints")
    value = sum((group_sse(instance, group) for group in c.partition), Fraction(0))
    if value != c.value:
        raise Rejected(f"the partition costs {_number(value)}, not {_number(c.value)}")


def _allowed(c: Certificate) -> Callable[[Group], bool]:
    def allowed(group: Group) -> bool:
        return all((a in group) == (b in group) for a, b in c.together) and not any(
            a in group and b in group for a, b in c.apart
        )

    return allowed


class _Checker:
    """Walks the tree, and counts what it sees."""

    def __init__(
        self, certificate: Certificate, instance: Instance, executor: Executor | None
    ) -> None:
        self.certificate = certificate
        self.instance = instance
        self.executor = executor
        self.nodes = self.groups = 0
        parts = certificate.parts
        whole = certificate.per_unit * lcm(*_sizes(certificate))
        self.target = parts * (ceil(certificate.value * whole) - 1)
        self.cost = cache(lambda group: group_sse(instance, group))
        self.costs = costs_of(certificate, instance)
        self.cost_of = cache(self.costs.of)

    def node(self, node: Node, groups: Sequence[Group] | None, where: str) -> float:
        """The bound that is proved at a node, a whole number; CLOSED if nothing there is cheaper.

        `groups` are those that a cheaper partition can use, None for all.
        """
        self.nodes += 1
        bound = 0
        survivors: list[Priced] | None = None
        if node.duals is not None:
            if node.infeasible:
                self._check_infeasible(node.duals, groups, where)
                return CLOSED
            bound = self._bound(node.duals, where)
            goes_on = node.searched or node.next is not None or node.pair is not None
            limit = self.target - bound if goes_on else -1
            survivors = self._survivors(node.duals, groups, limit, where)
            groups = [group for _, group in survivors]
        if bound > self.target:
            return bound
        if node.next is not None:
            return max(bound, self.node(node.next, groups, f"{where}.next"))
        if node.pair is not None:
            return max(bound, self._divided(node, node.pair, groups, where))
        if node.searched and survivors is not None:
            self._search_to_the_end(survivors, self.target - bound, where)
            return CLOSED
        return bound

    def _divided(self, node: Node, pair: Pair, groups: Sequence[Group] | None, where: str) -> float:
        if groups is None or node.together is None or node.apart is None:
            raise Rejected(f"{where}: divided before any duals say which groups matter")
        a, b = pair
        joined = [group for group in groups if (a in group) == (b in group)]
        separated = [group for group in groups if not (a in group and b in group)]
        return min(
            self.node(node.together, joined, f"{where}.together"),
            self.node(node.apart, separated, f"{where}.apart"),
        )

    def _bound(self, duals: Duals, where: str) -> int:
        """The bound of the duals, if their signs are right."""
        c = self.certificate
        if len(duals.records) != c.records:
            raise Rejected(f"{where}: {len(duals.records)} prices for {c.records} records")
        if duals.fewest < 0 or duals.most > 0:
            raise Rejected(f"{where}: a multiplier of the number of groups has the wrong sign")
        for cut in duals.cuts:
            if cut.price > 0 or cut.divisor < 1 or any(w < 0 for w in cut.weights.values()):
                raise Rejected(f"{where}: a cut has a price, weight or divisor of the wrong sign")
        bound = (
            sum(duals.records)
            + duals.fewest * -(-c.records // c.largest)
            + duals.most * (c.records // c.k)
            + sum(cut.price * cut.right for cut in duals.cuts)
        )
        if bound != duals.bound:
            raise Rejected(f"{where}: the duals give the bound {bound}, not {duals.bound}")
        return bound

    def _survivors(
        self, duals: Duals, groups: Sequence[Group] | None, limit: int, where: str
    ) -> list[Priced]:
        """The groups with a reduced cost of at most the limit, if none has a negative one."""
        prices = Prices(duals.records, duals.fewest + duals.most, duals.cuts)
        limit = max(limit, -1)
        if groups is None:
            within = self._search(prices, limit)
        else:
            reduced = ((self.cost_of(group) - prices.of(group), group) for group in groups)
            within = _as_far_as_needed(priced for priced in reduced if priced[0] <= limit)
        self.groups += len(within)
        for reduced_cost, group in within:
            if reduced_cost < 0:
                raise Rejected(f"{where}: group {group} has the reduced cost {reduced_cost}")
        if len(within) > MOST_GROUPS:
            raise Rejected(f"{where}: more than {MOST_GROUPS} groups are within the gap")
        return within

    def _search(self, prices: Prices, limit: int) -> list[Priced]:
        allowed = _allowed(self.certificate)
        if self.executor is None:
            return _as_far_as_needed(groups_within(self.costs, prices, limit, allowed))
        n = self.certificate.records
        bare = replace(self.certificate, proof=EMPTY)
        futures = [
            self.executor.submit(
                _searched_around, bare, self.instance, prices, limit, range(first, n, CHUNK)
            )
            for first in range(min(CHUNK, n))
        ]
        return _as_far_as_needed(priced for future in futures for priced in future.result())

    def _check_infeasible(self, duals: Duals, groups: Sequence[Group] | None, where: str) -> None:
        """The duals must give a bound above 0 where every group costs nothing."""
        bound = self._bound(duals, where)
        if groups is None or bound <= 0:
            raise Rejected(f"{where}: nothing proves that there is no partition")
        prices = Prices(duals.records, duals.fewest + duals.most, duals.cuts)
        for group in groups:
            if prices.of(group) > 0:
                raise Rejected(f"{where}: group {group} pays more than nothing")

    def _search_to_the_end(self, survivors: list[Priced], budget: int, where: str) -> None:
        """Raise Rejected unless none of the partitions that are left is cheaper."""
        n = self.certificate.records
        try:
            best = cheapest_partition(n, survivors, budget, self.cost, STEPS)
        except TooLong:
            raise Rejected(f"{where}: not searched to the end in {STEPS} steps") from None
        if best is not None and best.cost < self.certificate.value:
            raise Rejected(f"{where}: there is a cheaper partition, of {best.cost}")


def costs_of(certificate: Certificate, instance: Instance) -> Costs:
    """The whole costs of groups."""
    scale = certificate.parts * lcm(*_sizes(certificate))
    share = {size: scale // size for size in _sizes(certificate)}
    return Costs(distances(instance, certificate.per_unit), share)


def _searched_around(
    certificate: Certificate,
    instance: Instance,
    prices: Prices,
    limit: int,
    anchors: Sequence[int],
) -> list[Priced]:
    """The part of a search that belongs to some anchors, for a worker."""
    costs = costs_of(certificate, instance)
    found = groups_within(costs, prices, limit, _allowed(certificate), anchors)
    return _as_far_as_needed(found)


def _as_far_as_needed(found: Iterable[Priced]) -> list[Priced]:
    """What is found, but no more once the certificate cannot be accepted."""
    groups = []
    for priced in found:
        groups.append(priced)
        if priced[0] < 0 or len(groups) > MOST_GROUPS:
            break
    return groups
