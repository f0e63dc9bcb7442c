"""Objective to minimise, and the groups allowed.

A problem is a number of records, the sizes that groups may have, pairs of records that
must or must not share a group, and the cost of a group. The cost of a partition is the
sum over its groups. Where the cost is the SSE of a numeric space, `scaled` is that space.
Where some optimal groups are known to be consecutive values of an attribute, `in_order` finds them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, pairwise
from typing import TypeVar

from oracle.optima.pricing import Restriction
from refagg.algorithms.search.moves.constraints import Pair, blocks
from refagg.data.standardise import Scaled
from refagg.errors import (
    InvalidConstraint,
    InvalidParameter,
    MeasureFailed,
    NoPartition,
    NotANumber,
    NotFinite,
)
from refagg.language.number_texts import exactly
from refagg.language.partition import Group, Partition, Record, check_k
from refagg.release.measures import sse
from refagg.spaces.exact import ExactSpace

R = TypeVar("R")
Cost = Callable[[Group], Fraction]

METHODS = ("auto", "exhaustive", "subsets", "ilp", "columns", "semidefinite", "univariate")

OBJECTIVES = ("sse", "absolute")
"""Squared differences from the mean, absolute ones from the median of each attribute."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Least-cost partition of records into groups of limited size.

    The records are 0 .. n-1, the groups have `k` to `largest` of them, and the total cost is to be
    the least. `together` are the pairs that must share a group, `apart` those that must not, each
    pair in ascending order. `cost` gives the cost of a group, exactly.
    """

    n: int
    k: int
    largest: int
    cost: Cost
    together: frozenset[Pair] = frozenset()
    apart: frozenset[Pair] = frozenset()
    scaled: Scaled | None = None
    in_order: Callable[[], Partition] | None = None
    """A method for groups that are consecutive in the order of one attribute."""

    @property
    def sizes(self) -> range:
        """Return the sizes that a group may have."""
        return range(self.k, self.largest + 1)

    @property
    def fewest(self) -> int:
        """Return the least number of groups that a partition can have."""
        return -(-self.n // self.largest)

    @property
    def most(self) -> int:
        """Return the greatest number of groups that a partition can have."""
        return self.n // self.k

    @property
    def constrained(self) -> bool:
        return bool(self.together or self.apart)

    def allows(self, group: Sequence[Record]) -> bool:
        """Return True if the group keeps the pair constraints.

        It separates no pair of `together` and joins none of `apart`.
        """
        return not self.constrained or Restriction(self.together, self.apart).allows(group)

    def groups(self) -> Iterator[Group]:
        """Yield each group that may be part of a partition."""
        records = range(self.n)
        for size in self.sizes:
            yield from filter(self.allows, combinations(records, size))

    def value(self, partition: Partition) -> Fraction:
        """Return the cost of a partition."""
        if self.scaled is not None:
            return sse(self.scaled, partition)
        return sum(map(self.cost, partition.groups), Fraction(0))

    def in_file_order(self) -> Partition | None:
        """Return as many groups of consecutive records as possible.

        None if pairs must or must not share a group.
        """
        if self.constrained:
            return None
        ends = [number * self.n // self.most for number in range(self.most + 1)]
        return Partition.of([range(start, end) for start, end in pairwise(ends)], self.n)

    def feasible(self, partition: Partition) -> bool:
        """Return True if every group has a legal size and is allowed."""
        return all(len(g) in self.sizes and self.allows(g) for g in partition.groups)


def sse_in(space: ExactSpace, group: Sequence[Record]) -> Fraction:
    """The part of one group in the SSE."""
    return space.shown(space.sse(group))


def sse_problem(
    scaled: Scaled,
    k: int,
    largest: int | None = None,
    together: Iterable[Pair] = (),
    apart: Iterable[Pair] = (),
) -> Problem:
    """Return the problem of microaggregation: the least SSE.

    The SSE is on the scale of `scaled`.

    `largest` is by default the least cap that no optimum needs to exceed. Raises InvalidK,
    KTooLarge, InvalidParameter, InvalidConstraint, NoPartition.
    """
    cost = partial(sse_in, ExactSpace(scaled))  # workers are sent it
    return _problem(scaled.n, k, largest, together, apart, cost, scaled)


def general_problem(
    records: Sequence[R],
    k: int,
    cost: Callable[[Sequence[R]], object],
    largest: int | None = None,
    together: Iterable[Pair] = (),
    apart: Iterable[Pair] = (),
) -> Problem:
    """Return a problem with any records and any rational cost.

    The cost is that of a group of records. The default `largest` presumes that dividing a group
    never costs more, as it does not for errors around a centre, nor for sums of dissimilarities;
    give n for any other cost. Raises as `sse_problem`; a cost that is no rational number raises
    InvalidParameter.
    """

    @cache
    def of_group(group: Group) -> Fraction:
        try:
            value = cost([records[record] for record in group])
        except (Exception, SystemExit) as error:
            reason = f"{type(error).__name__}: {error}"
            raise MeasureFailed(f"the cost of group {group} raised {reason}") from error
        try:
            return exactly(value, f"the cost of group {group}")
        except (NotANumber, NotFinite) as error:
            raise InvalidParameter(str(error)) from None

    return _problem(len(records), k, largest, together, apart, of_group, None)


def _problem(
    n: int,
    k: int,
    largest: int | None,
    together: Iterable[Pair],
    apart: Iterable[Pair],
    cost: Cost,
    scaled: Scaled | None,
) -> Problem:
    check_k(k, n)
    joined, separated = _pairs(together, n, "together"), _pairs(apart, n, "apart")
    sizes = [len(block) for block in blocks(n, joined)]
    if largest is None:
        # Of 2k-2 + c records in blocks of at most c, the first blocks that reach k records
        # leave at least k: a larger group can be divided.
        largest = min(n, 2 * k - 2 + max(sizes))
    largest = checked_sizes(n, k, largest)[-1]
    if max(sizes) > largest:
        raise NoPartition(
            f"{max(sizes)} records must be together, but a group can have {largest} at most"
        )
    _check_contradiction(n, joined, separated)
    return Problem(n, k, largest, cost, joined, separated, scaled)


def checked_sizes(n: int, k: int, largest: int) -> range:
    """Return the group sizes that n records can be divided into.

    They are from k to `largest`. Raises InvalidParameter, NoPartition.
    """
    if isinstance(largest, bool) or not isinstance(largest, int) or largest < k:
        raise InvalidParameter(f"the largest size is {largest!r}; it must be at least k = {k}")
    largest = min(largest, n)
    if -(-n // largest) > n // k:
        raise NoPartition(f"{n} records cannot be divided into groups of {k} to {largest}")
    return range(k, largest + 1)


def _pairs(pairs: Iterable[Pair], n: int, name: str) -> frozenset[Pair]:
    found = set()
    for pair in pairs:
        try:
            a, b = pair
        except (TypeError, ValueError):
            raise InvalidConstraint(f"{name} has {pair!r}, which is no pair of records") from None
        for record in (a, b):
            if isinstance(record, bool) or not isinstance(record, int) or not 0 <= record < n:
                raise InvalidConstraint(
                    f"{name} names record {record!r}, but the records are 0 to {n - 1}"
                )
        if a == b:
            raise InvalidConstraint(f"{name} names record {a} with itself")
        found.add((min(a, b), max(a, b)))
    return frozenset(found)


def _check_contradiction(n: int, together: Iterable[Pair], apart: Iterable[Pair]) -> None:
    number = {r: position for position, block in enumerate(blocks(n, together)) for r in block}
    for a, b in apart:
        if number[a] == number[b]:
            raise InvalidConstraint(f"records {a} and {b} must be apart, and also together")
