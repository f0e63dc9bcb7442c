"""Constraints on groups: sizes, and records that share a group.

There are records that must share a group, and others that must not.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from refagg.language.partition import Partition, Record

Pair = tuple[Record, Record]


class Constraints(Protocol):
    """Groups of `k` to `largest` of n records, with pair constraints.

    `together` are the pairs that must share a group, `apart` those that must not.
    """

    @property
    def n(self) -> int: ...

    @property
    def k(self) -> int: ...

    @property
    def largest(self) -> int: ...

    @property
    def together(self) -> frozenset[Pair]: ...

    @property
    def apart(self) -> frozenset[Pair]: ...

    @property
    def sizes(self) -> range:
        """The sizes that a group may have."""

    @property
    def constrained(self) -> bool:
        """Return True if some pairs must, or must not, share a group."""

    def feasible(self, partition: Partition) -> bool:
        """Return True if every group has a legal size and is allowed."""


def blocks(n: int, together: Iterable[Pair]) -> list[list[Record]]:
    """The records, those that must be together in one block.

    >>> blocks(5, [(0, 3), (3, 4)])
    [[0, 3, 4], [1], [2]]
    """
    block = {record: [record] for record in range(n)}
    for a, b in together:
        if block[a] is not block[b]:
            merged = block[a] + block[b]
            for record in merged:
                block[record] = merged
    return sorted({id(members): sorted(members) for members in block.values()}.values())
