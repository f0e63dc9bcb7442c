"""The ledger of the literature: printed, ours, verdict; computed whenever it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from refagg.catalogue import specification
from refagg.datasets import load
from refagg.errors import DatasetUnavailable, InvalidParameter
from refagg.literature import others, rb
from refagg.literature.claims import SOURCES, Claim
from refagg.masking import ARITHMETICS
from refagg.measures import information_loss, sse, sst
from refagg.model import Partition
from refagg.run import Run
from refagg.standardise import Scaled, standardise
from refagg.tables import Table

VERDICTS = ("exact", "differs", "not reproducible", "no data")
"""Equal to the printed digits; not equal; not equal, and no reading known that is; no data."""

CLAIMS: dict[str, Callable[[], list[Claim]]] = {
    "RB": rb.claims,
    "ALA18": others.ala18,
    "SMB06": others.smb06,
    "MBS+": others.mbs,
}


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the ledger; `ours` is None where there are no data."""

    source: str
    place: str
    printed: str
    ours: str | None
    verdict: str
    note: str

    def as_data(self) -> dict[str, str | None]:
        return asdict(self)


def rows(sources: Sequence[str] | None = None, arithmetic: str = "float") -> Iterator[Row]:
    """The lines of some sources (all, by default), each as soon as it is computed.

    Partitions are formed in the arithmetic named, measures are exact.
    Raises InvalidParameter for an unknown source.
    """
    for source in sources or ():
        if source not in CLAIMS:
            raise InvalidParameter(f"there is no source {source!r}; there are {', '.join(SOURCES)}")
    computer = _Computer(arithmetic)
    for source in sources or CLAIMS:
        for claim in CLAIMS[source]():
            yield _row(claim, computer)


def _row(claim: Claim, computer: _Computer) -> Row:
    try:
        found = [(reading, computer.value(claim, reading)) for reading in claim.readings]
    except DatasetUnavailable as error:
        note = str(error).partition(";")[0].partition(". ")[0]
        return Row(claim.source, claim.place, claim.printed, None, "no data", note)
    agreeing = [pair for pair in found if agrees(pair[1], claim.printed)]
    reading, value = (agreeing or found)[0]
    note = ", ".join(f"{name} {value}" for name, value in reading.items())
    if agreeing:
        verdict = "exact"
    else:
        verdict = "differs" if claim.reproducible else "not reproducible"
        nearest = min(found, key=lambda pair: abs(pair[1] - Fraction(claim.printed)))
        reading, value = nearest
        note = claim.doubt or "unexplained"
    places = len(claim.printed.partition(".")[2])
    return Row(
        claim.source, claim.place, claim.printed, f"{_rounded(value, places)}", verdict, note
    )


def agrees(value: Fraction, printed: str) -> bool:
    """Is a number, rounded to as many decimals as are printed, what is printed?

    >>> agrees(Fraction("5.692186"), "5.69"), agrees(Fraction("5.6952"), "5.69")
    (True, False)
    """
    unit = Fraction(1, 10 ** len(printed.partition(".")[2]))
    return abs(value - Fraction(printed)) <= unit / 2


def _rounded(value: Fraction, places: int) -> str:
    return f"{float(round(value, places)):.{places}f}"


class _Computer:
    """Computes the number that a claim is about; tables and partitions are kept."""

    def __init__(self, arithmetic: str) -> None:
        self._arithmetic = arithmetic
        self._tables: dict[str, Table] = {}
        self._scaled: dict[tuple[Any, ...], tuple[Scaled, Any, Fraction]] = {}
        self._partitions: dict[tuple[Any, ...], Partition] = {}

    def value(self, claim: Claim, reading: Mapping[str, str]) -> Fraction:
        scaled, space, total = self._space(claim)
        scale = (claim.dataset, claim.standardise, claim.significant_digits)
        key = (*scale, claim.algorithm, claim.k, *sorted(reading.items()))
        if key not in self._partitions:
            spec = specification(claim.algorithm)
            run = spec.run(space, claim.k, Run(), **spec.settings(reading))
            self._partitions[key] = run
        lost = sse(scaled, self._partitions[key])
        return lost if claim.measure == "SSE" else information_loss(lost, total)

    def _space(self, claim: Claim) -> tuple[Scaled, Any, Fraction]:
        if claim.dataset not in self._tables:
            self._tables[claim.dataset] = load(claim.dataset)
        key = (claim.dataset, claim.standardise, claim.significant_digits)
        if key not in self._scaled:
            table = self._tables[claim.dataset]
            scaled = standardise(table, claim.standardise, claim.significant_digits)
            self._scaled[key] = (scaled, ARITHMETICS[self._arithmetic](scaled), sst(scaled))
        return self._scaled[key]
