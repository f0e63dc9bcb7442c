"""A case whose records are in DuckDB: what the checks ask of it is counted and summed there.

All of it is integers, so that it is what `oracle.auditing.checks.Case` counts and sums.
Products of two numbers can be too long for DuckDB, so numbers are squared in limbs. Groups come
from there one after the other, and the checks look at each as they do at any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd
from pathlib import Path
from typing import Any

from oracle.auditing.checks import total_kept
from oracle.auditing.rendering import Cell, Rendering, renderings
from oracle.auditing.stored_files import store
from refagg.data.standardise import Moments
from refagg.data.tables import Table, decimal_places_of, reduced
from refagg.data.textfiles import Format
from refagg.language.partition import Group

LIMB = 42
"""Bits: a sum of 2^42 products of two limbs is still within the 127 bits of DuckDB."""

Bucket = tuple[int, int]
"""A size of groups, and about how many bits their magnitude has."""

MAGNITUDE = "CAST(log2(1 + CAST(most{} AS DOUBLE)) AS INTEGER)"

_ROWS = 50_000

_SHARE = 4
"""One part of so many of the memory is for the groups that are formed at once."""


@dataclass(frozen=True)
class Sums:
    """Sums over all records in one attribute, in units."""

    moments: Moments
    size: int
    """Of the absolute values of the original."""
    kept: int
    """Of the released values."""
    lost: int
    """Of the squared differences."""


@dataclass(frozen=True, eq=False)
class StoredCase:
    """A release and its original in the table `pair`; its groups are in the table `groups`."""

    connection: Any
    k: int
    names: tuple[str, ...]
    n: int
    scales: list[int]
    """The decimals of the unit of each attribute."""

    @property
    def operator(self) -> str:
        return "mean"

    @property
    def place(self) -> str:
        return "aggregate"

    @property
    def number(self) -> int:
        return sum(self.sizes().values())

    @property
    def partition(self) -> StoredCase:
        """Its groups are its classes of equal released rows."""
        return self

    @property
    def inferred(self) -> bool:
        return True

    @cached_property
    def renderings(self) -> tuple[Rendering | None, ...]:
        return tuple(self.recognised(j, self) for j in range(len(self.names)))

    def classes(self) -> StoredCase:
        return self

    def sizes(self) -> dict[int, int]:
        return self._sizes

    @cached_property
    def _sizes(self) -> dict[int, int]:
        query = "SELECT size, count(*) FROM groups GROUP BY size ORDER BY size"
        return dict(self._rows(query))

    def smallest(self) -> int:
        return min(self._sizes)

    def largest(self) -> int:
        return max(self._sizes)

    def first_smallest(self) -> Group:
        [[first]] = self._rows("SELECT first FROM groups ORDER BY size, first LIMIT 1")
        return self._members(first, self.smallest())

    def smallest_alone(self) -> list[int]:
        query = "SELECT min(size) FROM (SELECT count(*) AS size FROM pair GROUP BY y{})"
        return [self._rows(query.format(j))[0][0] for j in range(len(self.names))]

    def recognised(
        self, position: int, groups: StoredCase, tolerance: Fraction = Fraction(0)
    ) -> Rendering | None:
        def digits() -> int:
            text = f"rtrim(CAST(abs(y{position}) AS VARCHAR), '0')"
            most: int = self._rows(f"SELECT max(length({text})) FROM groups")[0][0]
            return most

        envelopes = self._envelopes(position)
        places = decimal_places_of(self._denominators[position])
        for rendering in renderings(places, digits, tolerance):
            unclear = [
                bucket
                for bucket, cell in envelopes
                if not (rendering.by_error and rendering.fits(cell))
            ]
            cells = (cell for bucket in unclear for _, cell in self.cells(position, bucket))
            if all(map(rendering.fits, cells)):
                return rendering
        return None

    def _envelopes(self, position: int) -> list[tuple[Bucket, Cell]]:
        """Of groups of one size and of about the same magnitude the greatest error and the least
        magnitude, as a cell; where that fits by its error, all do."""
        unit, j = 10 ** self.scales[position], position
        query = (
            f"SELECT size, {MAGNITUDE.format(j)} AS about, "
            f"max(abs(sum{j} - CAST(size AS HUGEINT) * y{j})), min(most{j}) "
            "FROM groups GROUP BY size, about"
        )
        return [
            ((size, about), Cell(off, size, 0, unit, size, most))
            for size, about, off, most in self._rows(query)
        ]

    def worst(self, position: int, groups: StoredCase) -> tuple[Cell, Group]:
        cells = self.cells(position)
        at, cell = next(cells)
        for first, other in cells:
            by = other.off * cell.over - cell.off * other.over
            if by > 0 or (by == 0 and first < at):
                at, cell = first, other
        return cell, self._members(at, 7)

    def totals_kept(self) -> bool:
        return all(
            total_kept(
                Fraction(one.moments.total, one.moments.unit),
                Fraction(one.kept, one.moments.unit),
                Fraction(one.size, one.moments.unit),
                Fraction(self.n, 2 * denominator),
            )
            for one, denominator in zip(self.sums, self._denominators, strict=True)
        )

    def cells(self, position: int, bucket: Bucket | None = None) -> Iterator[tuple[int, Cell]]:
        """The first record of each group, of all or of those in a bucket, and its cell."""
        unit, j = 10 ** self.scales[position], position
        query = f"SELECT first, sum{j}, size, y{j}, most{j} FROM groups"
        query += f" WHERE size = ? AND {MAGNITUDE.format(j)} = ?" if bucket else ""
        for first, total, size, written, most in self._streamed(query, *(bucket or ())):
            yield first, Cell(total, size, written, unit, size, most)

    @cached_property
    def sums(self) -> list[Sums]:
        columns = range(len(self.names))
        most = ", ".join(f"max(abs(x{j})), max(abs(x{j} - y{j}))" for j in columns)
        [extremes] = self._rows(f"SELECT {most} FROM pair")
        parts, places = [], []
        for j in columns:
            squares = _square_sums(f"x{j}", extremes[2 * j])
            lost = _square_sums(f"x{j} - y{j}", extremes[2 * j + 1])
            parts.append(f"sum(x{j}), sum(y{j}), sum(abs(x{j})), min(x{j}), max(x{j})")
            parts += [*squares, *lost]
            places.append((len(squares), len(lost)))
        [found] = self._rows(f"SELECT {', '.join(parts)} FROM pair")
        values, sums = iter(found), []
        for j, (squares_in, lost_in) in zip(columns, places, strict=True):
            total, kept, size, least, greatest = (next(values) for _ in range(5))
            squared = _of_limbs([next(values) for _ in range(squares_in)])
            missed = _of_limbs([next(values) for _ in range(lost_in)])
            moments = Moments(self.n, 10 ** self.scales[j], total, squared, least, greatest)
            sums.append(Sums(moments, size, kept, missed))
        return sums

    def probable_key(self) -> bool:
        """Could an attribute tell records apart, and be released as it is? It is no mistake where
        all are released as they are."""
        kept = [j for j, one in enumerate(self.sums) if one.lost == 0]
        if len(kept) == len(self.names):
            return False
        distinct = [self._rows(f"SELECT count(DISTINCT x{j}) FROM pair")[0][0] for j in kept]
        return self.n in distinct

    def tables(self) -> tuple[Table, Table]:
        """The original and the release, in memory."""
        return self._table("x"), self._table("y")

    def _table(self, letter: str) -> Table:
        return Table(
            tuple(
                reduced(name, self._numbers(f"{letter}{j}"), 10**scale)
                for j, (name, scale) in enumerate(zip(self.names, self.scales, strict=True))
            )
        )

    def _numbers(self, column: str) -> list[int]:
        return [value for [value] in self._rows(f"SELECT {column} FROM pair ORDER BY record")]

    @cached_property
    def _denominators(self) -> list[int]:
        """The least common denominators of released values."""
        found = []
        for position, scale in enumerate(self.scales):
            unit = divisor = 10**scale
            query = f"SELECT DISTINCT y{position} % CAST({unit} AS HUGEINT) FROM groups"
            for [rest] in self._streamed(query):
                divisor = gcd(divisor, rest)
                if divisor == 1:
                    break
            found.append(unit // divisor)
        return found

    def _members(self, first: int, most: int) -> Group:
        """So many records, at most, that are released as this one, the first of them, is."""
        row = ", ".join(f"y{j}" for j in range(len(self.names)))
        query = (
            f"SELECT record FROM pair WHERE ({row}) = (SELECT ({row}) FROM pair WHERE record = ?) "
            "ORDER BY record LIMIT ?"
        )
        return tuple(record for [record] in self._rows(query, first, most))

    def _streamed(self, query: str, *values: int) -> Iterator[tuple[Any, ...]]:
        cursor = self.connection.cursor().execute(query, list(values))
        many = 100
        while rows := cursor.fetchmany(many):
            yield from rows
            many = _ROWS

    def _rows(self, query: str, *values: int) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = self.connection.execute(query, list(values)).fetchall()
        return rows


def _square_sums(number: str, most: int) -> list[str]:
    """Of the limbs a, b, ... of a number's absolute value the sums of aa, ab, ..., bb, ..."""
    limbs = max(1, -(-most.bit_length() // LIMB))
    size = f"CAST(abs({number}) AS HUGEINT)"
    mask = (1 << LIMB) - 1
    cut = [f"(({size} >> {LIMB * i}) & CAST({mask} AS HUGEINT))" for i in range(limbs)]
    return [f"sum({cut[i]} * {cut[j]})" for i in range(limbs) for j in range(i, limbs)]


def _of_limbs(sums: Sequence[int]) -> int:
    """The sum of squares of which these are the sums of products of limbs."""
    limbs = next(m for m in range(1, len(sums) + 1) if m * (m + 1) // 2 == len(sums))
    pairs = [(i, j) for i in range(limbs) for j in range(i, limbs)]
    return sum(
        part * (1 + (i < j)) << (LIMB * (i + j)) for part, (i, j) in zip(sums, pairs, strict=True)
    )


def form_groups(connection: Any, n: int, p: int, memory: int) -> None:
    """Make the table `groups` of the records of `pair` that are released alike.

    They are formed in parts, which the memory can hold: records alike have the same hash.
    """
    row = ", ".join(f"y{j}" for j in range(p))
    parts = 1 + _SHARE * n * (64 * p + 64) // memory
    sums = ", ".join(f"sum(x{j}) AS sum{j}, max(abs(x{j})) AS most{j}" for j in range(p))
    select = f"SELECT min(record) AS first, count(*) AS size, {row}, {sums} FROM pair"
    for part in range(parts):
        where = f"WHERE hash({row}) % {parts} = {part}" if parts > 1 else ""
        before = "INSERT INTO groups" if part else "CREATE TABLE groups AS"
        connection.execute(f"{before} {select} {where} GROUP BY {row}")


def stored_case(
    connection: Any,
    folder: Path,
    files: tuple[Path, Path],
    names: Sequence[str],
    k: int,
    how: Format,
    key: str | None,
    memory: int,
) -> StoredCase:
    """A case of two files. Raises `NotStored`."""
    n, scales = store(connection, folder, files, names, how, key)
    form_groups(connection, n, len(names), memory)
    return StoredCase(connection, k, tuple(names), n, scales)
