"""Masking of a large file part by part, in bounded memory.

A part is a stratum, or one that kd-blocks cuts. The memory does not grow with the file, but for
some bytes of each record and stratum.

1. The file is read once: all that the scale of an attribute depends on, and the rows of each
   stratum, which go to a temporary file.
2. Without strata, kd-blocks cuts the file at medians. So are large parts of it cut here: the rows
   of each half go to a temporary file, until a part can be held. A part counts as a stratum.
3. Each stratum is masked by itself, on the scale of the whole file; its rows go to another one.
4. The rows are written in the order in which they were read.

No group crosses strata or halves, so groups, values and losses are those of a run in memory.
"""

from __future__ import annotations

import argparse
import pickle
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from hashlib import blake2b
from itertools import chain, count, islice, repeat
from sys import intern
from tempfile import TemporaryFile, gettempdir
from typing import Any
from zlib import crc32

from refagg.algorithms.trees.kd_blocks import kd_blocks
from refagg.commands import options
from refagg.cursors.parts import Parts
from refagg.data.csvfiles import Sheet, sheets_of
from refagg.data.identifiers import LOOKED_AT, hint_of
from refagg.data.missing import REJECT
from refagg.data.otherfiles import PARQUET, PARQUET_ENDINGS, WRITERS, kind_of_file
from refagg.data.standardise import Moments, moments, span
from refagg.data.tables import Table
from refagg.data.textfiles import COMPRESSED, STANDARD, file_size
from refagg.errors import OutputUnwritable
from refagg.language.choices import on
from refagg.language.partition import check_k
from refagg.language.specification import Specification
from refagg.options.fields import WHOLE, Z_SCORES, Option
from refagg.release.method import Method
from refagg.release.result import Release
from refagg.release.risk import release_classes
from refagg.terminal import NOW

LARGE = 100_000_000
"""Bytes of a file whose strata are masked one after the other."""

SHORTER = 5
"""A Parquet file has one in so many bytes of the same file as text."""

HELD, USUAL = 200_000, 10
"""So many rows of all strata together are read again at once, fewer if they have more cells."""

SAMPLED = 16
"""Of the different cells of a column one in so many is remembered, to tell how many there are."""

JOINT = {WHOLE, Z_SCORES}
"""Options that apply to these need all records together."""


def applies(given: argparse.Namespace, spec: Specification, declared: Iterable[Option]) -> bool:
    """Return True for a large file that is masked part by part.

    The method needs no more of it at once.
    """
    others = [one for one in declared if one.name != "strata"]
    whole = [one.dest for one in others if one.per == "record" or JOINT & {*one.applies}]
    plain = not any(vars(given)[name] for name in ("json", "trace", "kind", *whole))
    grouping = spec.yields == "partition" and not spec.publish
    halves = spec.name == "kd-blocks" and given.ties == "lowest" and given.arithmetic != "float"
    apart = bool(given.strata or (halves and not given.blocks))
    return apart and given.missing == REJECT and plain and grouping and is_large(given)


def is_large(given: argparse.Namespace) -> bool:
    """Return True for a large file that is read part by part.

    It is text or a Parquet file, and so is its release.
    """
    size, endings = file_size(given.input), {*WRITERS, *COMPRESSED} - {*PARQUET_ENDINGS}
    if given.input == STANDARD or size < LARGE // SHORTER:
        return False
    if given.output.suffix.lower() in endings or given.input.suffix.lower() in COMPRESSED:
        return False
    with suppress(OSError), given.input.open("rb") as stream:
        kind = kind_of_file(stream)
        return kind is PARQUET or (kind is None and size >= LARGE)
    return False


Row = Sequence[Any]
"""The cells of a record, as the file has them."""


class Shelf:
    """Rows in a temporary file, by stratum."""

    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115 - closed below
        self._places: defaultdict[int, list[int]] = defaultdict(list)

    def __enter__(self) -> Shelf:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def put(self, strata: Iterable[int], rows: Iterable[Row], together: int = HELD) -> None:
        """Add rows, of which so many of a stratum are read together.

        Raises OutputUnwritable.
        """
        of_stratum = defaultdict[int, list[Row]](list)
        for stratum, row in zip(strata, rows, strict=False):
            of_stratum[stratum].append(row)
        try:
            for stratum, own in of_stratum.items():
                for start in range(0, len(own), together):
                    self._places[stratum].append(self._file.tell())
                    pickle.dump(own[start : start + together], self._file)
            self._file.flush()
        except OSError as error:
            raise OutputUnwritable(
                f"{gettempdir()} cannot hold the rows, which go to a temporary file: "
                f"{error.strerror}; let TMPDIR name a folder with more room"
            ) from None

    def some_rows(self, stratum: int) -> Iterator[list[Row]]:
        """Yield the rows of a stratum in order, some at a time."""
        for place in self._places[stratum]:
            self._file.seek(place)
            yield pickle.load(self._file)

    def moved(self, before: Sequence[int], after: array[int], held: int) -> Shelf:
        """Return a shelf of the rows in other strata; close this one."""
        with self:
            other, rows = Shelf(), self.in_order(before)
            for start in range(0, len(after), held):
                other.put(after[start : start + held], islice(rows, held))
        return other

    def in_order(self, strata: Iterable[int]) -> Iterator[Row]:
        """Yield rows of these strata, one after the other."""
        rows = {one: chain.from_iterable(self.some_rows(one)) for one in self._places}
        return map(next, map(rows.__getitem__, strata))


@dataclass(slots=True)
class LargeFile:
    """Facts on a file that was read once.

    Strata, or parts, are numbered as they are met.
    """

    sheet: Sheet
    """Some of it."""
    names: list[str]
    order: array[int] = field(default_factory=lambda: array("I"))
    """The stratum of each record."""
    counts: Counter[int] = field(default_factory=Counter)
    """How many records each stratum has."""
    moments: dict[str, Moments] = field(default_factory=dict)
    first: dict[str, int] = field(default_factory=dict)
    """The first number of each column that so far counts the records."""
    sampled: dict[str, list[str]] = field(default_factory=dict)
    """Cells of each other column: all that are equal, or none of them."""
    ties: int = 0
    """The ties that were met where parts were cut."""

    def see(self, sheet: Sheet, table: Table) -> None:
        """Look at further records, of which the table has the quasi-identifiers."""
        n = len(self.order)
        see_moments(self.moments, table)
        for column in table.columns:
            if not n:
                self.first[column.name] = column.numerators[0]
            first = self.first.get(column.name)
            if first is not None and not options.numbers_from(column, first + n):
                del self.first[column.name]
        for name, cells in zip(sheet.header, zip(*sheet.rows, strict=True), strict=True):
            if name not in self.names:
                some = (intern(cell) for cell in cells if crc32(cell.encode()) % SAMPLED == 0)
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
            different = len(set(cells) - {""})
            all_differ = different == len(cells) and 2 * SAMPLED * different >= n
            different = n if all_differ else min(n - 1, SAMPLED * different)
            found[name] = hint_of(name, different, n, cells[:LOOKED_AT])
        return {name: hint for name, hint in found.items() if name not in dropped}

    def sst(self, weights: Mapping[str, Fraction]) -> Fraction:
        """The SSE of one group of all records."""
        variances = {name: known.variance("population") for name, known in self.moments.items()}
        return len(self.order) * sum((weights[n] * x for n, x in variances.items()), Fraction(0))

    @property
    def held(self) -> int:
        """The number of rows that are held at once."""
        return min(HELD, 1 + HELD * USUAL // len(self.sheet.header))

    def most(self, method: Method) -> int:
        """The number of records above which kd-blocks cuts on disk."""
        least: int = method.parameters["least"]
        return max(self.held, 2 * method.k - 1, 2 * least - 1)

    def sizes(self, most: float) -> list[int]:
        """The sizes of the strata when those of more records are cut."""
        sizes = [*self.counts.values()]
        while max(sizes) > most:
            sizes = [half for size in sizes for half in ((size + 1) // 2, size // 2)]
        return sizes

    def divided(self, shelf: Shelf, most: float) -> Shelf:
        """Return the shelf of parts; those of more records are cut.

        They are cut in halves, as kd-blocks does it.
        """
        if max(self.counts.values()) <= most:
            return shelf
        numbers, whole = Shelf(), self.order
        NOW.starts("cutting at medians")
        for rows in shelf.some_rows(0):
            columns = self.sheet.of(rows).numeric(self.names).columns
            factors = [self.moments[c.name].unit // c.denominator for c in columns]
            scaled = [[x * f for x in c.numerators] for c, f in zip(columns, factors, strict=True)]
            numbers.put(repeat(0), zip(*scaled, strict=True))
        while max(self.counts.values()) > most:
            upper = {
                part: iter(self.upper(numbers, part)) if n > most else repeat(0)
                for part, n in self.counts.items()
            }
            number = defaultdict[tuple[int, int], int](count().__next__)
            order = array("I", (number[part, next(upper[part])] for part in self.order))
            numbers = numbers.moved(self.order, order, HELD)
            self.order, self.counts = order, Counter(order)
        with numbers:
            return shelf.moved(whole, self.order, self.held)

    def upper(self, numbers: Shelf, part: int) -> bytearray:
        """Return 1 for each record in the upper half of a part.

        See `Parts.halve`.
        """
        p = len(self.names)
        some = (zip(*rows, strict=True) for rows in numbers.some_rows(part))
        ends = [(min(x), max(x)) for columns in some for x in columns]
        ranges = [max(x for _, x in ends[j::p]) - min(ends[j::p])[0] for j in range(p)]
        of_file = [m.greatest - m.least or 1 for m in map(self.moments.__getitem__, self.names)]
        widths = list(map(Fraction, ranges, of_file))
        widest = widths.index(max(widths))
        values = [row[widest] for rows in numbers.some_rows(part) for row in rows]
        half, ordered, upper = (len(values) + 1) // 2, sorted(values), bytearray()
        median = ordered[half - 1]
        shared = half - bisect_left(ordered, median)
        self.ties += bisect_right(ordered, median) > half
        self.ties += widths[widest] > 0 and widths.count(widths[widest]) > 1
        for value in values:
            shared -= value == median
            upper.append(value > median or (value == median and shared < 0))
        return upper


def see_moments(known: dict[str, Moments], table: Table) -> None:
    """Add those of further records to known moments of columns."""
    for column in table.columns:
        own, before = moments(column), known.get(column.name)
        known[column.name] = before.with_more(own) if before else own


def read(given: argparse.Namespace, shelf: Shelf, k: int) -> LargeFile:
    """Read a file, and put each stratum's rows on a shelf.

    Raises what reading raises, and KTooLarge for a stratum of fewer than k records.
    """
    number = dict[str, int]()
    with sheets_of(given.input, options.format_of(given)) as sheets:
        first = next(sheets)
        names = options.quasi_identifiers(given, first.header, given.input)
        known = LargeFile(first, names)
        for sheet in chain([first], sheets):
            with options.other_columns(given):
                table = sheet.numeric(names)
            known.see(sheet, table)
            labels = sheet.column(given.strata) if given.strata else [""] * table.n
            strata = [number.setdefault(label, len(number)) for label in labels]
            known.order.extend(strata)
            shelf.put(strata, sheet.stored)
    check_k(k, len(known.order))
    known.counts.update(known.order)
    for label, stratum in number.items():
        check_k(k, known.counts[stratum], f"stratum {label!r}")
    return known


def within_file(method: Method, known: LargeFile, table: Table) -> Method:
    """The method kd-blocks for a part of a file."""
    wider = [known.moments[c.name].span / (span(c) or 1) for c in table.columns]
    run = on(partial(Parts, wider=wider), kd_blocks)
    return replace(method, specification=replace(method.specification, run=run))


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
    released: dict[str, Moments] = field(default_factory=dict)

    def add(self, release: Release) -> None:
        """Add the release of a stratum."""
        self.lost += release.sse
        see_moments(self.released, release.released.numbers)
        for block in release.blocks:
            self.sizes.setdefault(block.names, Counter()).update(block.partition.sizes())
            self.ties[block.names] += block.ties
        for records in release_classes(release.released).groups:
            row = ",".join(map(str, release.released.row(records[0])))
            self.classes[blake2b(row.encode(), digest_size=16).digest()] += len(records)
