"""Masking of a large file stratum by stratum, in bounded memory.

The memory does not grow with the file.

1. The file is read once: all that the scale of an attribute depends on, and the rows of each
   stratum, which go to a temporary file.
2. Each stratum is masked by itself, on the scale of the whole file; its rows go to another one.
3. The rows are written in the order in which they were read.

No group crosses strata, so groups, values and losses are those of a run in memory.
"""

from __future__ import annotations

import argparse
import pickle
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import blake2b
from sys import intern
from typing import IO

from refagg.commands import options
from refagg.data.csvfiles import Sheet, read_chunks
from refagg.data.identifiers import LOOKED_AT, hint_of
from refagg.data.missing import REJECT
from refagg.data.otherfiles import WRITERS
from refagg.data.standardise import Moments, moments
from refagg.data.tables import Table
from refagg.data.textfiles import COMPRESSED, STANDARD, file_size
from refagg.language.partition import check_k
from refagg.language.specification import Specification
from refagg.options.fields import WHOLE, Z_SCORES, Option
from refagg.release.result import Release
from refagg.release.risk import release_classes
from refagg.terminal import NOW

LARGE = 100_000_000
"""Bytes of a file whose strata are masked one after the other."""

HELD = 200_000
"""So many rows of all strata together are read again at once."""

SAMPLED = 16
"""Of the different cells of a column one in so many is remembered, to tell how many there are."""

JOINT = {WHOLE, Z_SCORES}
"""Options that apply to these need all records together."""


def applies(given: argparse.Namespace, spec: Specification, declared: Iterable[Option]) -> bool:
    """Return True for a large file masked one stratum at a time.

    The file is text, and the method needs only one stratum at a time.
    """
    others = [one for one in declared if one.name != "strata"]
    whole = [one.dest for one in others if one.per == "record" or JOINT & {*one.applies}]
    plain = not any(vars(given)[name] for name in ("json", "trace", "kind", *whole))
    grouping = spec.yields == "partition" and not spec.publish
    by_strata = bool(given.strata) and given.missing == REJECT and plain and grouping
    return by_strata and is_large(given)


def is_large(given: argparse.Namespace) -> bool:
    """Return True for a large file of text that becomes another."""
    endings = {given.input.suffix.lower(), given.output.suffix.lower()}
    text = given.input != STANDARD and not endings & {*WRITERS, *COMPRESSED}
    return text and file_size(given.input) >= LARGE


class Shelf:
    """Rows in a temporary file, by stratum."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._places: defaultdict[int, list[int]] = defaultdict(list)

    def put(self, stratum: int, rows: Sequence[Sequence[str]], together: int = HELD) -> None:
        """Add some rows, of which so many are read together."""
        for start in range(0, len(rows), together):
            self._places[stratum].append(self._file.tell())
            pickle.dump(rows[start : start + together], self._file)

    def rows(self, stratum: int) -> Iterator[list[str]]:
        """Yield all rows of a stratum, in their order."""
        for place in self._places[stratum]:
            self._file.seek(place)
            yield from pickle.load(self._file)


@dataclass(slots=True)
class LargeFile:
    """Facts on a file that was read once.

    Strata are numbered as they are met.
    """

    header: tuple[str, ...]
    names: list[str]
    strata: dict[str, int] = field(default_factory=dict)
    order: array[int] = field(default_factory=lambda: array("I"))
    """The stratum of each record."""
    counts: Counter[int] = field(default_factory=Counter)
    """How many records each stratum has."""
    moments: dict[str, Moments] = field(default_factory=dict)
    first: dict[str, int] = field(default_factory=dict)
    """The first number of each column that so far counts the records."""
    sampled: dict[str, list[str]] = field(default_factory=dict)
    """Cells of each other column: all that are equal, or none of them."""

    def see(self, table: Table, rows: Sequence[Sequence[str]]) -> None:
        """Look at further records, of which the table has the quasi-identifiers."""
        n = len(self.order)
        for column in table.columns:
            own, before = moments(column), self.moments.get(column.name)
            self.moments[column.name] = before.with_more(own) if before else own
            if not n:
                self.first[column.name] = column.numerators[0]
            first = self.first.get(column.name)
            if first is not None and not options.numbers_from(column, first + n):
                del self.first[column.name]
        for name, cells in zip(self.header, zip(*rows, strict=True), strict=True):
            if name not in self.names:
                some = (intern(cell) for cell in cells if hash(cell) % SAMPLED == 0)
                self.sampled.setdefault(name, []).extend(some)

    def weights(self, how: str) -> dict[str, Fraction]:
        """Return the weights of squared differences on a scale.

        Constants have no weight, and get 1.
        """
        return {name: known.weight(how) or Fraction(1) for name, known in self.moments.items()}

    def hints(self, dropped: Sequence[str]) -> dict[str, str]:
        """Return the columns that are released unchanged, with what they may be."""
        found, n = {}, len(self.order)
        for name, cells in self.sampled.items():
            different = len(set(cells) - {""}) * n // max(1, len(cells))
            found[name] = hint_of(name, different, n, cells[:LOOKED_AT])
        return {name: hint for name, hint in found.items() if name not in dropped}

    def sst(self, weights: Mapping[str, Fraction]) -> Fraction:
        """The SSE of one group of all records."""
        variances = {name: known.variance("population") for name, known in self.moments.items()}
        return len(self.order) * sum((weights[n] * x for n, x in variances.items()), Fraction(0))


def read(given: argparse.Namespace, shelf: Shelf, k: int) -> LargeFile:
    """Read a file, and put each stratum's rows on a shelf.

    Raises what reading raises, and KTooLarge for a stratum of fewer than k records.
    """
    how = options.format_of(given)
    with read_chunks(given.input, how) as (header, chunks):
        known = LargeFile(header, options.quasi_identifiers(given, header, given.input))
        place = header.index(given.strata)
        for rows, lines in chunks:
            with options.other_columns(given):
                table = Sheet(given.input, header, rows, lines, how).numeric(known.names)
            known.see(table, rows)
            together = defaultdict[int, list[list[str]]](list)
            for row in rows:
                stratum = known.strata.setdefault(row[place], len(known.strata))
                known.order.append(stratum)
                together[stratum].append(row)
            for stratum, some in together.items():
                known.counts[stratum] += len(some)
                shelf.put(stratum, some)
    check_k(k, len(known.order))
    for label, stratum in known.strata.items():
        check_k(k, known.counts[stratum], f"stratum {label!r}")
    return known


@dataclass(slots=True)
class Totals:
    """The releases of all strata together."""

    lost: Fraction = Fraction(0)
    sizes: dict[Sequence[str], Counter[int]] = field(default_factory=dict)
    """The number of groups of each size, by the attributes of the block."""
    ties: Counter[Sequence[str]] = field(default_factory=Counter)
    """The ties that were met, likewise."""
    classes: Counter[bytes] = field(default_factory=Counter)
    """How many records have each released row, by its hash."""

    def add(self, release: Release) -> None:
        """Add the release of a stratum."""
        self.lost += release.sse
        for block in release.blocks:
            self.sizes.setdefault(block.names, Counter()).update(block.partition.sizes())
            self.ties[block.names] += block.ties
        for records in release_classes(release.released).groups:
            row = ",".join(map(str, release.released.row(records[0])))
            self.classes[blake2b(row.encode(), digest_size=16).digest()] += len(records)


def rows_in_order(known: LargeFile, shelf: Shelf) -> Iterator[list[str]]:
    """Yield the rows of all strata as they were in the file."""
    NOW.starts("writing")
    of_stratum = [shelf.rows(stratum) for stratum in known.strata.values()]
    for stratum in known.order:
        yield next(of_stratum[stratum])
    NOW.ends()
