"""Best known partitions of data sets, with what is proved.

They are in `datasets/optima.json`, with the digest of the table that they are of. That nothing is
better was proved by `oracle optimum`; the certificates are in the repository, in
`datasets/certificates`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from hashlib import sha256
from typing import Any

from refagg import datasets
from refagg.data.standardise import Scaled, is_plain
from refagg.data.tables import Table
from refagg.language.partition import Partition


@dataclass(frozen=True, slots=True)
class ListedOptimum:
    """Best known partition of a data set, with a proved bound.

    The SSE is given, and the least that is proved possible. `digest` is that of the attributes in
    this order, as certificates have it.
    """

    dataset: str
    k: int
    standardise: str
    attributes: Sequence[str]
    digest: str
    value: Fraction
    bound: Fraction
    information_loss: str
    date: str
    command: str
    next: Sequence[int]
    """How many records after each one the next of its group is; 0 for the last of a group."""

    @property
    def optimal(self) -> bool:
        return self.value == self.bound

    @property
    def n(self) -> int:
        """The number of records."""
        return len(self.next)

    @property
    def partition(self) -> Partition:
        """The groups."""
        groups = dict[int, list[int]]()
        for record, step in reversed([*enumerate(self.next)]):
            groups[record] = [record, *(groups.pop(record + step) if step else ())]
        return Partition.of(groups.values())


@cache
def known_optima() -> Sequence[ListedOptimum]:
    """All that ship with the project."""
    text = (datasets.shipped_folder() / "optima.json").read_text(encoding="utf-8")
    entries: list[dict[str, Any]] = json.loads(text)
    exact = ("value", "bound")
    return [ListedOptimum(**e | {name: Fraction(e[name]) for name in exact}) for e in entries]


def known_of(scaled: Scaled) -> list[ListedOptimum]:
    """Return the known optima of a table on this scale.

    The values have to be the same, the attributes in any order.
    """
    table, digest_of = scaled.table, cache(lambda names: digest(scaled.table.select(names)))
    return [
        known
        for known in known_optima()
        if (known.standardise, known.n) == (scaled.how, scaled.n)
        and sorted(known.attributes) == sorted(table.names)
        and is_plain(scaled)
        and known.digest == digest_of(tuple(known.attributes))
    ]


def digest(table: Table) -> str:
    """SHA-256 of the names and values, as docs/certificate.md says."""
    columns = (
        c.numerators if c.denominator == 1 else map(c.__getitem__, range(table.n))
        for c in table.columns
    )
    rows = map(",".join, zip(*(map(str, column) for column in columns), strict=True))
    return sha256("\n".join([json.dumps(list(table.names)), *rows]).encode()).hexdigest()
