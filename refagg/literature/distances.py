"""How far algorithms are from the optimum, where that is known.

The optima are partitions, in `datasets/optima.json`, with the digest of the table that they are of.
That nothing is better was proved by `oracle optimum`; the certificates are in the repository, in
`tests/certificates`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cache
from hashlib import sha256

from refagg.catalogue import CATALOGUE
from refagg.data import datasets
from refagg.data.standardise import Scaled, is_plain, standardise
from refagg.data.tables import Table
from refagg.errors import DatasetUnavailable
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.release.measures import information_loss, sse, sst
from refagg.spaces.of_tables import ARITHMETICS

KEY = "optimum"
"""The name of this table among the sources of `refagg reproduce`."""

SHOWN = (("census", 3),)
"""The data sets and k of the table."""


@dataclass(frozen=True, slots=True)
class Known:
    """The best partition known of a data set, its SSE, and the least that is proved possible.

    `digest` is that of the attributes in this order, as certificates have it.
    """

    dataset: str
    k: int
    standardise: str
    attributes: Sequence[str]
    digest: str
    partition: Partition
    value: Fraction
    bound: Fraction
    information_loss: str
    date: str
    command: str

    @property
    def optimal(self) -> bool:
        return self.value == self.bound


@dataclass(frozen=True, slots=True)
class Distance:
    """The SSE of an algorithm, and by how many percent it is above the optimum."""

    dataset: str
    k: int
    algorithm: str
    sse: Fraction
    information_loss: Fraction
    above: Fraction

    def as_data(self) -> dict[str, str | int | float]:
        """The row, ready for JSON."""
        shares = ("sse", "information_loss", "above")
        return asdict(self) | {name: float(getattr(self, name)) for name in shares}

    def line(self) -> str:
        return (
            f"{self.algorithm:<14} SSE {float(self.sse):<12.6f} "
            f"IL {float(self.information_loss):.4f} %  {float(self.above):+.4f} %"
        )


@cache
def known_optima() -> Sequence[Known]:
    """All that ship with the project."""
    text = (datasets.shipped_folder() / "optima.json").read_text(encoding="utf-8")
    return [
        Known(
            partition=Partition.of(entry.pop("groups")),
            value=Fraction(entry.pop("value")),
            bound=Fraction(entry.pop("bound")),
            **entry,
        )
        for entry in json.loads(text)
    ]


def known_of(scaled: Scaled) -> list[Known]:
    """Those of a table with just these values on this scale, its attributes in any order."""
    table = scaled.table
    return [
        known
        for known in known_optima()
        if (known.standardise, known.partition.n) == (scaled.how, scaled.n)
        and sorted(known.attributes) == sorted(table.names)
        and is_plain(scaled)
        and known.digest == digest(table.select(known.attributes))
    ]


def digest(table: Table) -> str:
    """SHA-256 of the names and values, as docs/certificate.md says."""
    rows = (",".join(map(str, table.row(record))) for record in range(table.n))
    text = "\n".join([json.dumps(list(table.names)), *rows])
    return sha256(text.encode()).hexdigest()


def distances(arithmetic: str = "float") -> Iterator[Distance]:
    """For each of SHOWN the optimum, then every algorithm that draws nothing, with its defaults.

    Data sets that are not available are left out.
    """
    for known in known_optima():
        if (known.dataset, known.k) not in SHOWN:
            continue
        try:
            scaled = standardise(datasets.load(known.dataset), known.standardise)
        except DatasetUnavailable:
            continue
        yield from _table(known, scaled, arithmetic)


def _table(known: Known, scaled: Scaled, arithmetic: str) -> Iterator[Distance]:
    total, least = sst(scaled), sse(scaled, known.partition)

    def row(name: str, partition: Partition) -> Distance:
        lost = sse(scaled, partition)
        share = information_loss(lost, total)
        return Distance(known.dataset, known.k, name, lost, share, 100 * (lost / least - 1))

    yield row("optimum", known.partition)
    space = ARITHMETICS[arithmetic](scaled)
    for spec in CATALOGUE.values():
        settings = spec.settings({})
        fits = spec.yields == "partition" and spec.attributes == "any" and not spec.random
        if fits and arithmetic in spec.arithmetics(settings):
            yield row(spec.name, spec.run(space, known.k, Choices(), **settings))
