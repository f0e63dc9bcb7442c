"""A case whose records are in a store: what the checks ask of it is counted and summed there.

All of it is integers, so that it is what `oracle.auditing.checks.AuditedRelease` counts and sums.
Products of two numbers can be too long for a store, so numbers are squared in limbs. Groups come
from there one after the other, and the checks look at each as they do at any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd
from pathlib import Path

from oracle.auditing.checks import shape_of_numbers, total_kept
from oracle.auditing.rendering import Cell, Rendering, probable_digits, renderings
from oracle.auditing.stored_files import Store, Wanted, store_files
from oracle.auditing.tolerance import Granted
from refagg.data.standardise import Moments
from refagg.data.tables import Table, decimal_places_of, reduced
from refagg.data.textfiles import Format
from refagg.language.partition import Group

Bucket = tuple[int, int]
"""A size of groups, and about what their magnitude is."""


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

    store: Store
    k: int
    names: tuple[str, ...]
    n: int
    scales: list[int]
    """The decimals of the unit of each attribute."""
    granted: Granted

    @property
    def shape(self) -> str:
        return shape_of_numbers(self.n, len(self.names))

    @property
    def plain(self) -> bool:
        return True

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
        return tuple(map(self._recognised, range(len(self.names))))

    def classes(self) -> StoredCase:
        return self

    def sizes(self) -> dict[int, int]:
        return self._sizes

    @cached_property
    def _sizes(self) -> dict[int, int]:
        query = "SELECT size, count(*) FROM groups GROUP BY size ORDER BY size"
        return dict(self.store.rows(query))

    def smallest(self) -> int:
        return min(self._sizes)

    def largest(self) -> int:
        return max(self._sizes)

    def first_smallest(self) -> Group:
        [[first]] = self.store.rows("SELECT first FROM groups ORDER BY size, first LIMIT 1")
        return self._members(first, self.smallest())

    def smallest_alone(self) -> list[int]:
        query = "SELECT min(size) FROM (SELECT count(*) AS size FROM pair GROUP BY y{})"
        return [self.store.rows(query.format(j))[0][0] for j in range(len(self.names))]

    def _recognised(self, position: int) -> Rendering | None:
        def digits() -> int:
            size = self.store.absolute(f"y{position}")
            text = f"trim(TRAILING '0' FROM CAST({size} AS STRING))"
            query = f"SELECT max(length({text})), count(DISTINCT y{position}) FROM groups"
            [(most, values)] = self.store.rows(query)
            return probable_digits(most, values)

        envelopes = self._envelopes(position)
        places = decimal_places_of(self._denominators[position])
        moments = self.sums[position].moments
        width = Fraction(moments.greatest - moments.least, moments.unit)
        for rendering in renderings(places, digits, self.granted, width):
            unclear = [
                bucket
                for bucket, cell in envelopes
                if not (rendering.by_error and rendering.fits(cell))
            ]
            cells = (cell for bucket in unclear for cell in self.cells(position, bucket))
            if all(map(rendering.fits, cells)):
                return rendering
        return None

    def _envelopes(self, position: int) -> list[tuple[Bucket, Cell]]:
        """Of groups of one size and of about the same magnitude the greatest error and the least
        magnitude, as a cell; where that fits by its error, all do."""
        unit, j = 10 ** self.scales[position], position
        about = self.store.magnitude(f"most{j}")
        query = (
            f"SELECT size, {about} AS about, max({self._off(j)}), min(most{j}) "
            "FROM groups GROUP BY size, about"
        )
        return [
            ((size, about), Cell(off, size, 0, unit, size, most))
            for size, about, off, most in self.store.rows(query)
        ]

    def _off(self, position: int) -> str:
        """The error of a group in units, times its size."""
        right = f"CAST(size AS {self.store.wide}) * y{position}"
        return self.store.absolute(f"sum{position} - {right}")

    def worst(self, position: int, groups: StoredCase) -> tuple[Cell, Group]:
        off = self._off(position)
        largest = self.store.rows(f"SELECT size, max({off}) FROM groups GROUP BY size")
        most = max(Fraction(error, size) for size, error in largest)
        those = [(size, error) for size, error in largest if Fraction(error, size) == most]
        where = " OR ".join(f"(size = {size} AND {off} = {error})" for size, error in those)
        [(first, cell)] = self._cells(position, f"WHERE {where} ORDER BY first LIMIT 1")
        return cell, self._members(first, 7)

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

    def cells(self, position: int, bucket: Bucket) -> Iterator[Cell]:
        """The cells of the groups in a bucket."""
        size, about = bucket
        magnitude = self.store.magnitude(f"most{position}")
        found = self._cells(position, f"WHERE size = {size} AND {magnitude} = {about}")
        return (cell for _, cell in found)

    def _cells(self, position: int, which: str) -> Iterator[tuple[int, Cell]]:
        """The first records of some groups, and their cells."""
        unit, j = 10 ** self.scales[position], position
        query = f"SELECT first, sum{j}, size, y{j}, most{j} FROM groups {which}"
        for first, total, size, written, most in self.store.streamed(query):
            yield first, Cell(total, size, written, unit, size, most)

    @cached_property
    def sums(self) -> list[Sums]:
        columns = range(len(self.names))
        size = self.store.absolute
        most = [f"max({size(number)})" for j in columns for number in (f"x{j}", f"x{j} - y{j}")]
        [extremes] = self.store.rows(f"SELECT {', '.join(most)} FROM pair")
        parts: list[str] = []
        places = []
        for j in columns:
            squares = self._square_sums(f"x{j}", extremes[2 * j])
            lost = self._square_sums(f"x{j} - y{j}", extremes[2 * j + 1])
            parts += map(self.store.total, [f"x{j}", f"y{j}", size(f"x{j}")])
            parts += [f"min(x{j})", f"max(x{j})", *squares, *lost]
            places.append((len(squares), len(lost)))
        [found] = self.store.rows(f"SELECT {', '.join(parts)} FROM pair")
        values, sums = iter(found), []
        for j, (squares_in, lost_in) in zip(columns, places, strict=True):
            total, kept, sizes, least, greatest = (next(values) for _ in range(5))
            squared = _of_limbs([next(values) for _ in range(squares_in)], self.store.limb)
            missed = _of_limbs([next(values) for _ in range(lost_in)], self.store.limb)
            moments = Moments(self.n, 10 ** self.scales[j], total, squared, least, greatest)
            sums.append(Sums(moments, sizes, kept, missed))
        return sums

    def _square_sums(self, number: str, most: int) -> list[str]:
        """Of the limbs a, b, ... of a number's absolute value the sums of aa, ab, ..., bb, ..."""
        count = 1
        while self.store.limb**count <= most:
            count += 1
        cut = self.store.limbs(number, count)
        pairs = [(i, j) for i in range(count) for j in range(i, count)]
        return [self.store.total(f"{cut[i]} * {cut[j]}") for i, j in pairs]

    def probable_key(self) -> bool:
        """Return True if an attribute could tell records apart and be released as it is. It is no
        mistake where all are released as they are."""
        kept = [j for j, one in enumerate(self.sums) if one.lost == 0]
        if len(kept) == len(self.names):
            return False
        distinct = [self.store.rows(f"SELECT count(DISTINCT x{j}) FROM pair")[0][0] for j in kept]
        return self.n in distinct

    def tables(self) -> tuple[Table, Table]:
        """The original and the release, in memory."""
        self.store.check_order()
        columns = [f"{letter}{j}" for letter in "xy" for j in range(len(self.names))]
        query = f"SELECT {', '.join(columns)} FROM pair ORDER BY record"
        found = list(zip(*self.store.streamed(query), strict=True))
        return self._table(found[: len(self.names)]), self._table(found[len(self.names) :])

    def _table(self, columns: Sequence[Sequence[int]]) -> Table:
        return Table(
            tuple(
                reduced(name, list(column), 10**scale)
                for name, column, scale in zip(self.names, columns, self.scales, strict=True)
            )
        )

    @cached_property
    def _denominators(self) -> list[int]:
        """The least common denominators of released values."""
        found = []
        for position, scale in enumerate(self.scales):
            unit = divisor = 10**scale
            if scale == 0:
                found.append(1)
                continue
            query = f"SELECT DISTINCT y{position} % CAST({unit} AS {self.store.wide}) FROM groups"
            for [rest] in self.store.streamed(query):
                divisor = gcd(divisor, rest)
                if divisor == 1:
                    break
            found.append(unit // divisor)
        return found

    def _members(self, first: int, most: int) -> Group:
        """So many records, at most, that are released as this one, the first of them, is."""
        columns = [f"y{j}" for j in range(len(self.names))]
        [row] = self.store.rows(f"SELECT {', '.join(columns)} FROM pair WHERE record = {first}")
        alike = " AND ".join(f"{name} = {y}" for name, y in zip(columns, row, strict=True))
        query = f"SELECT record FROM pair WHERE {alike} ORDER BY record LIMIT {most}"
        return self.store.numbered([record for [record] in self.store.rows(query)])


def _of_limbs(sums: Sequence[int], base: int) -> int:
    """The sum of squares of which these are the sums of products of limbs."""
    limbs = next(m for m in range(1, len(sums) + 1) if m * (m + 1) // 2 == len(sums))
    pairs = [(i, j) for i in range(limbs) for j in range(i, limbs)]
    return sum(
        part * (1 + (i < j)) * base ** (i + j) for part, (i, j) in zip(sums, pairs, strict=True)
    )


def form_groups(store: Store, p: int) -> None:
    """Make the table `groups` of the records of `pair` that are released alike."""
    row = ", ".join(f"y{j}" for j in range(p))
    sums = [
        f"{store.total(f'x{j}')} AS sum{j}, max({store.absolute(f'x{j}')}) AS most{j}"
        for j in range(p)
    ]
    select = f"SELECT min(record) AS first, count(*) AS size, {row}, {', '.join(sums)} FROM pair"
    store.keep_groups(select, row, p)


def stored_case(
    store: Store,
    folder: Path,
    files: tuple[Path, Path],
    wanted: tuple[Wanted, Wanted],
    k: int,
    how: Format,
    granted: Granted,
) -> StoredCase:
    """A case of two files; the tables `o` and `r` of both are kept. Raises `NotStored`."""
    names = wanted[0].names
    n, scales = store_files(store, folder, files, wanted, how)
    form_groups(store, len(names))
    return StoredCase(store, k, names, n, scales, granted)
