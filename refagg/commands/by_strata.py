"""A large file that is masked stratum after stratum, in memory that does not grow with it.

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
from collections.abc import Iterator, Mapping, Sequence
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
from refagg.data.textfiles import COMPRESSED, STANDARD, size_of
from refagg.language.partition import check_k
from refagg.language.specification import Specification
from refagg.release.result import Release
from refagg.release.risk import release_classes
from refagg.terminal import NOW

LARGE = 100_000_000
"""Bytes of a file whose strata are masked one after the other."""

HELD = 200_000
"""So many rows are held before they go to a temporary file."""

SAMPLED = 16
"""Of the different cells of a column one in so many is remembered, to tell how many there are."""

WHOLE = (
    *("json", "trace", "trace_page", "trace_plot", "dendrogram", "constraint", "constraints_file"),
    *("kind", "aggregate_kind", "dissimilarity", "similarity", "sampling_weights"),
    *("series", "times", "significant_digits"),
)
"""Options that need the whole file in memory."""


def applies(given: argparse.Namespace, spec: Specification) -> bool:
    """Return True for a large file of text, and a method that needs one stratum at a time."""
    ending = given.input.suffix.lower()
    if given.input == STANDARD or ending in (*WRITERS, *COMPRESSED):
        return False
    plain = given.missing == REJECT and not any(vars(given)[name] for name in WHOLE)
    written = given.output.suffix.lower() not in (*WRITERS, *COMPRESSED)
    grouping = spec.yields == "partition" and not spec.publish
    return bool(given.strata) and grouping and plain and written and size_of(given.input) >= LARGE


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
    """What is known of a file that was read once; strata are numbered as they are met."""

    header: tuple[str, ...]
    names: list[str]
    strata: dict[str, int] = field(default_factory=dict)
    order: array[int] = field(default_factory=lambda: array("I"))
    """The stratum of each record."""
    moments: dict[str, Moments] = field(default_factory=dict)
    numbered: dict[str, int] = field(default_factory=dict)
    """The columns that so far number the records, with their first number."""
    sampled: dict[str, list[str]] = field(default_factory=dict)
    """Cells of each other column: all that are equal, or none of them."""

    def see(self, table: Table, rows: Sequence[Sequence[str]]) -> None:
        """Look at further records, of which the table has the quasi-identifiers."""
        n = len(self.order)
        for column in table.columns:
            own, before = moments(column), self.moments.get(column.name)
            self.moments[column.name] = before.with_more(own) if before else own
            if not n and column.denominator == 1:
                self.numbered[column.name] = column.numerators[0]
            first = self.numbered.get(column.name, 0) + n
            if [*column.numerators] != [*range(first, first + table.n)]:
                self.numbered.pop(column.name, None)
        for name, cells in zip(self.header, zip(*rows, strict=True), strict=True):
            if name not in self.names:
                some = (intern(cell) for cell in cells if hash(cell) % SAMPLED == 0)
                self.sampled.setdefault(name, []).extend(some)

    def weights(self, how: str) -> dict[str, Fraction]:
        """The weights of squared differences on a scale; 1 for constants, which have none."""
        return {name: known.weight(how) or Fraction(1) for name, known in self.moments.items()}

    def hints(self, dropped: Sequence[str]) -> dict[str, str]:
        """Return the columns that are released unchanged, with what they may be."""
        found, n = {}, len(self.order)
        for name in self.sampled.keys() - set(dropped):
            cells = self.sampled[name]
            different = len(set(cells) - {""}) * n // max(1, len(cells))
            found[name] = hint_of(name, different, n, cells[:LOOKED_AT])
        return {name: found[name] for name in self.header if name in found}

    def sst(self, weights: Mapping[str, Fraction]) -> Fraction:
        """The SSE of one group of all records."""
        variances = {name: known.variance("population") for name, known in self.moments.items()}
        return len(self.order) * sum((weights[n] * x for n, x in variances.items()), Fraction(0))


def read(given: argparse.Namespace, shelf: Shelf, k: int) -> LargeFile:
    """Read a file, and put the rows of each stratum on a shelf.

    Raises what reading raises, and KTooLarge for a stratum of fewer than k records.
    """
    how = options.format_of(given)
    with read_chunks(given.input, how) as (header, chunks):
        known = LargeFile(header, options.quasi_identifiers(given, header, given.input))
        place, held, waiting = (
            header.index(given.strata),
            defaultdict[int, list[list[str]]](list),
            0,
        )
        for rows, lines in chunks:
            with options.other_columns(given):
                table = Sheet(given.input, header, rows, lines, how).numeric(known.names)
            known.see(table, rows)
            for row in rows:
                stratum = known.strata.setdefault(row[place], len(known.strata))
                known.order.append(stratum)
                held[stratum].append(row)
            waiting += len(rows)
            if waiting >= HELD:
                put_all(held, shelf)
                waiting = 0
        put_all(held, shelf)
    counts = Counter(known.order)
    check_k(k, len(known.order))
    for label, stratum in known.strata.items():
        check_k(k, counts[stratum], f"stratum {label!r}")
    return known


def put_all(held: dict[int, list[list[str]]], shelf: Shelf) -> None:
    """Put the rows that are held on the shelf."""
    for stratum, rows in held.items():
        shelf.put(stratum, rows)
    held.clear()


@dataclass(slots=True)
class Totals:
    """The releases of all strata together."""

    lost: Fraction = Fraction(0)
    blocks: list[tuple[Sequence[str], Counter[int], Counter[str]]] = field(default_factory=list)
    """Of each block its attributes, the number of groups by size, and the ties that were met."""
    classes: Counter[bytes] = field(default_factory=Counter)
    """How many records have each released row, by its hash."""

    def add(self, release: Release) -> None:
        """Add the release of a stratum."""
        self.lost += release.sse
        for place, block in enumerate(release.blocks):
            if place == len(self.blocks):
                self.blocks.append((block.names, Counter(), Counter()))
            _, sizes, ties = self.blocks[place]
            sizes.update(block.partition.sizes())
            ties["met"] += block.ties
        for records in release_classes(release.released).groups:
            row = ",".join(map(str, release.released.row(records[0])))
            self.classes[blake2b(row.encode(), digest_size=16).digest()] += len(records)


def in_order(known: LargeFile, shelf: Shelf) -> Iterator[list[str]]:
    """Yield the rows of all strata as they were in the file."""
    NOW.starts("writing")
    of_stratum = [shelf.rows(stratum) for stratum in known.strata.values()]
    for stratum in known.order:
        yield next(of_stratum[stratum])
    NOW.ends()
