"""Distances of algorithms from the optimum, or a proved bound."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from fractions import Fraction

from refagg import datasets
from refagg.catalogue import CATALOGUE
from refagg.data.known_optima import ListedOptimum, known_optima
from refagg.data.standardise import Scaled, standardise
from refagg.errors import DatasetUnavailable
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.release.measures import information_loss, sse, sst
from refagg.spaces.of_tables import ARITHMETICS

KEY = "optimum"
"""The name of this table among the sources of `refagg reproduce`."""

SHOWN = (("census", 3), ("tarragona", 10))
"""The data sets and k of the tables: one with an optimum, and one with a bound."""

FIRST = ("optimum", "best known")
"""The first row of a table: of an optimum, and where only a bound is proved."""


@dataclass(frozen=True, slots=True)
class Distance:
    """The SSE of an algorithm, and its excess over a bound.

    The excess is in percent.
    """

    dataset: str
    k: int
    algorithm: str
    sse: Fraction = field(repr=False)
    information_loss: Fraction = field(repr=False)
    above: Fraction = field(repr=False)

    def as_data(self) -> dict[str, str | int | float]:
        """The row, ready for JSON."""
        shares = ("sse", "information_loss", "above")
        return asdict(self) | {name: float(getattr(self, name)) for name in shares}

    def line(self) -> str:
        return (
            f"{self.algorithm:<14} SSE {float(self.sse):<12.6f} "
            f"IL {float(self.information_loss):.4f} %  {float(self.above):+.4f} %"
        )


def distances(arithmetic: str = "float") -> Iterator[Distance]:
    """Yield each best known partition of SHOWN, then the algorithms' results.

    The algorithms are all that draw nothing, with their defaults. Data sets that are not available
    are left out.
    """
    for known in known_optima():
        if (known.dataset, known.k) not in SHOWN:
            continue
        try:
            scaled = standardise(datasets.load(known.dataset), known.standardise)
        except DatasetUnavailable:
            continue
        yield from _table(known, scaled, arithmetic)


def _table(known: ListedOptimum, scaled: Scaled, arithmetic: str) -> Iterator[Distance]:
    total, least = sst(scaled), known.bound

    def row(name: str, partition: Partition) -> Distance:
        lost = sse(scaled, partition)
        share = information_loss(lost, total)
        return Distance(known.dataset, known.k, name, lost, share, 100 * (lost / least - 1))

    yield row(FIRST[0] if known.optimal else FIRST[1], known.partition)
    space = ARITHMETICS[arithmetic](scaled)
    for spec in CATALOGUE.values():
        settings = spec.settings({})
        fits = spec.yields == "partition" and spec.attributes == "any" and not spec.random
        if fits and arithmetic in spec.arithmetics(settings):
            yield row(spec.name, spec.run(space, known.k, Choices(), **settings))
