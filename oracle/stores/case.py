"""Case whose records are in a store.

The store counts and sums what the checks need. All of it is integers, so that it is what
`oracle.auditing.cases.AuditedRelease` counts and sums. Products of two numbers can be too long for
a store, so numbers are squared in limbs. Groups come from there one after the other, and the checks
look at each as they do at any other. Cells of other columns whose texts differ are compared as
elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd
from pathlib import Path

from oracle.auditing import other_columns
from oracle.auditing.cases import shape_of_numbers, total_kept
from oracle.auditing.checks import JOINT
from oracle.auditing.conclusion import BASELINES, baseline_facts, group_baselines
from oracle.auditing.driver import Check, driven
from oracle.auditing.rendering import SEVERAL, Cell, Granted, Rendering, probable_digits, renderings
from oracle.auditing.verdict import Verdict
from oracle.stores.files import (
    Store,
    WantedColumns,
    absolute,
    joined_tables,
    magnitude,
    store_files,
    sum_of,
    unescaped,
)
from refagg.data.identifiers import LOOKED_AT, hint_of
from refagg.data.standardise import Moments, standardise
from refagg.data.tables import Table, decimal_places_of, reduced_column
from refagg.data.textfiles import Format
from refagg.language.partition import Group
from refagg.release import report
from refagg.release.risk import release_classes

SOME = 1000
"""Groups whose last decimals are examined together."""

Bucket = tuple[int, int]
"""A size of groups, and about what their magnitude is."""


@dataclass(frozen=True)
class StoredSums:
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
    """Release and original in a store.

    The records are in the table `pair`, the groups in the table `groups`.
    """

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
        """Return the case itself: its groups are its classes.

        The classes are those of equal released rows.
        """
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
            size = absolute(f"y{position}")
            text = f"trim(TRAILING '0' FROM CAST({size} AS STRING))"
            few = f"SELECT DISTINCT y{position} FROM groups LIMIT {SEVERAL}"
            [[most]] = self.store.rows(f"SELECT max(length({text})) FROM groups")
            return probable_digits(most, len(self.store.rows(few)))

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
        """Return cells that bound the groups of each bucket.

        A bucket has groups of one size and of about the same magnitude. Its cell has their greatest
        error and their least magnitude: if that cell fits by its error, all these groups do.
        """
        unit, j = 10 ** self.scales[position], position
        about = magnitude(f"most{j}")
        query = (
            f"SELECT size, {about} AS about, max({self._off(j)}), min(most{j}) "
            "FROM groups GROUP BY size, about"
        )
        return [
            ((size, about), Cell(off, size, 0, unit, size, most))
            for size, about, off, most in self.store.rows(query)
        ]

    def _off(self, position: int) -> str:
        """Return the error of a group in units, times its size."""
        right = f"CAST(size AS {self.store.wide}) * y{position}"
        return absolute(f"sum{position} - {right}")

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
        """Return the cells of the groups in a bucket."""
        digits, first = divmod(bucket[1], 10)
        power = 10 ** (digits - 1)
        within = f"most{position} BETWEEN {first * power} AND {(first + 1) * power - 1}"
        found = self._cells(position, f"WHERE size = {bucket[0]} AND {within}")
        return (cell for _, cell in found)

    def _cells(self, position: int, which: str) -> Iterator[tuple[int, Cell]]:
        """Yield the first records of some groups, and their cells."""
        unit, j = 10 ** self.scales[position], position
        query = f"SELECT first, sum{j}, size, y{j}, most{j} FROM groups {which}"
        for first, added, size, written, most in self.store.streamed(query):
            yield first, Cell(added, size, written, unit, size, most)

    @cached_property
    def sums(self) -> list[StoredSums]:
        columns = range(len(self.names))
        most = [f"max({absolute(number)})" for j in columns for number in (f"x{j}", f"x{j} - y{j}")]
        [extremes] = self.store.rows(f"SELECT {', '.join(most)} FROM pair")
        parts: list[str] = []
        places = []
        for j in columns:
            squares = self._square_sums(f"x{j}", extremes[2 * j])
            lost = self._square_sums(f"x{j} - y{j}", extremes[2 * j + 1])
            parts += [sum_of(n, self.store.wide) for n in (f"x{j}", f"y{j}", absolute(f"x{j}"))]
            parts += [f"min(x{j})", f"max(x{j})", *squares, *lost]
            places.append((len(squares), len(lost)))
        [found] = self.store.rows(f"SELECT {', '.join(parts)} FROM pair")
        values, sums = iter(found), []
        for j, (squares_in, lost_in) in zip(columns, places, strict=True):
            whole, kept, sizes, least, greatest = (next(values) for _ in range(5))
            squared = _of_limbs([next(values) for _ in range(squares_in)], self.store.limb)
            missed = _of_limbs([next(values) for _ in range(lost_in)], self.store.limb)
            moments = Moments(self.n, 10 ** self.scales[j], whole, squared, least, greatest)
            sums.append(StoredSums(moments, sizes, kept, missed))
        return sums

    def _square_sums(self, number: str, most: int) -> list[str]:
        """Return the sums of the products of a number's limbs.

        With the limbs a, b, ... of the absolute value they are the sums of aa, ab, ..., bb, ...
        """
        count = 1
        while self.store.limb**count <= most:
            count += 1
        cut = self.store.limbs(number, count)
        pairs = [(i, j) for i in range(count) for j in range(i, count)]
        return [sum_of(f"{cut[i]} * {cut[j]}", self.store.wide) for i, j in pairs]

    def probable_key(self) -> bool:
        """Return True if an attribute released unchanged could tell records apart.

        If all attributes are released unchanged, that is no mistake.
        """
        kept = [j for j, one in enumerate(self.sums) if one.lost == 0]
        if len(kept) == len(self.names):
            return False
        distinct = [self.store.rows(f"SELECT count(DISTINCT x{j}) FROM pair")[0][0] for j in kept]
        return self.n in distinct

    def tables(self) -> tuple[Table, Table]:
        """Return the original and the release, in memory."""
        self.store.check_order()
        columns = [f"{letter}{j}" for letter in "xy" for j in range(len(self.names))]
        query = f"SELECT {', '.join(columns)} FROM pair ORDER BY record"
        found = list(zip(*self.store.streamed(query), strict=True))
        return self._table(found[: len(self.names)]), self._table(found[len(self.names) :])

    def _table(self, columns: Sequence[Sequence[int]]) -> Table:
        return Table(
            tuple(
                reduced_column(name, list(column), 10**scale)
                for name, column, scale in zip(self.names, columns, self.scales, strict=True)
            )
        )

    @cached_property
    def _denominators(self) -> list[int]:
        """Return the least common denominators of released values."""
        found = []
        for position, scale in enumerate(self.scales):
            unit = divisor = 10**scale
            rests = [(unit,)]
            while divisor > 1 and rests:
                divisor = gcd(divisor, *(rest for [rest] in rests))
                other = f"y{position} % CAST({divisor} AS {self.store.wide}) <> 0"
                rest = f"y{position} % CAST({unit} AS {self.store.wide})"
                rests = self.store.rows(f"SELECT {rest} FROM groups WHERE {other} LIMIT {SOME}")
            found.append(unit // divisor)
        return found

    def _members(self, first: int, most: int) -> Group:
        """Return the first records whose released row equals that of `first`.

        At most `most` records are returned; `first` is the first of them.
        """
        columns = [f"y{j}" for j in range(len(self.names))]
        [row] = self.store.rows(f"SELECT {', '.join(columns)} FROM pair WHERE record = {first}")
        alike = " AND ".join(f"{name} = {y}" for name, y in zip(columns, row, strict=True))
        query = f"SELECT record FROM pair WHERE {alike} ORDER BY record LIMIT {most}"
        return self.store.numbered([record for [record] in self.store.rows(query)])


def _of_limbs(sums: Sequence[int], base: int) -> int:
    """Return the sum of squares from the sums of products of limbs."""
    limbs = next(m for m in range(1, len(sums) + 1) if m * (m + 1) // 2 == len(sums))
    pairs = [(i, j) for i in range(limbs) for j in range(i, limbs)]
    return sum(
        part * (1 + (i < j)) * base ** (i + j) for part, (i, j) in zip(sums, pairs, strict=True)
    )


def form_groups(store: Store, p: int) -> None:
    """Make the table `groups` from the records with equal released rows.

    The records are those of `pair`.
    """
    row = ", ".join(f"y{j}" for j in range(p))
    sums = [
        f"{sum_of(f'x{j}', store.wide)} AS sum{j}, max({absolute(f'x{j}')}) AS most{j}"
        for j in range(p)
    ]
    select = f"SELECT min(record) AS first, count(*) AS size, {row}, {', '.join(sums)} FROM pair"
    store.keep_groups(select, row, p)


def stored_case(
    store: Store,
    folder: Path,
    files: tuple[Path, Path],
    wanted: tuple[WantedColumns, WantedColumns],
    k: int,
    how: Format,
    granted: Granted,
) -> StoredCase:
    """Return a case of two files; keep the tables `o` and `r`.

    Raises `NotStored`.
    """
    names = wanted[0].names
    n, scales = store_files(store, folder, files, wanted, how)
    form_groups(store, len(names))
    return StoredCase(store, k, names, n, scales, granted)


def stored_checks(
    store: Store, wanted: tuple[WantedColumns, WantedColumns], n: int, may_change: Collection[str]
) -> list[Check]:
    """Return the checks of the other columns.

    They are columns of the tables `o` and `r`, which are dropped.
    """
    ours, theirs = (own.others for own in wanted)
    hints = _hints(store, "o", ours, n)
    differing = _differing(store, wanted)
    columns = []
    for name in ours:
        if name not in theirs:
            columns.append(other_columns.OtherColumn(name, other_columns.DROPPED, hints[name]))
            continue
        cells = _cells(store, wanted, name) if differing[name] else iter(())
        columns.append(
            _numbered(store, other_columns.fate_of(name, hints[name], cells, may_change))
        )
    added = [name for name in theirs if name not in ours]
    hints = _hints(store, "r", theirs, n) if added else {}
    columns += [other_columns.OtherColumn(name, other_columns.ADDED, hints[name]) for name in added]
    moved = any(column.state == other_columns.CHANGED for column in columns)
    checks = other_columns.column_checks_of(columns, n, moved and _same_rows(store, wanted))
    store.drop("o", "r")
    return checks


def _hints(store: Store, table: str, names: tuple[str, ...], n: int) -> dict[str, str]:
    """Return why each column may identify people."""
    if not names:
        return {}
    letter = "s" if table == "o" else "t"
    columns = [f"{letter}{j}" for j in range(len(names))]
    counts = ", ".join(f"count(DISTINCT nullif({column}, ''))" for column in columns)
    [different] = store.rows(f"SELECT {counts} FROM {table}")
    record = store.record.replace("o.", f"{table}.")
    first = store.rows(
        f"SELECT {', '.join(columns)} FROM {table} ORDER BY {record} LIMIT {LOOKED_AT}"
    )
    samples = [list(map(unescaped, column)) for column in zip(*first, strict=True)]
    return {
        name: hint_of(name, number, n, sample)
        for name, number, sample in zip(names, different, samples, strict=True)
    }


def _places(wanted: tuple[WantedColumns, WantedColumns], name: str) -> tuple[str, str]:
    """Return the columns of both tables that have this name.

    The tables are those of the two files.
    """
    return f"s{wanted[0].others.index(name)}", f"t{wanted[1].others.index(name)}"


def _differing(store: Store, wanted: tuple[WantedColumns, WantedColumns]) -> dict[str, int]:
    """Return for each common column in how many records its texts differ."""
    names = [name for name in wanted[0].others if name in wanted[1].others]
    if not names:
        return {}
    pairs = [_places(wanted, name) for name in names]
    counts = ", ".join(f"count(CASE WHEN {s} <> {t} THEN 1 END)" for s, t in pairs)
    [found] = store.rows(f"SELECT {counts} FROM {joined_tables(wanted[0].key)}")
    return dict(zip(names, found, strict=True))


def _cells(
    store: Store, wanted: tuple[WantedColumns, WantedColumns], name: str
) -> Iterator[tuple[int, str, str]]:
    """Yield the cells of a column whose values differ, with their records.

    They come in any order.
    """
    s, t = _places(wanted, name)
    query = f"SELECT {store.record}, {s}, {t} FROM {joined_tables(wanted[0].key)} WHERE {s} <> {t}"
    for record, before, after in store.streamed(query):
        ours, theirs = unescaped(before), unescaped(after)
        if not other_columns.same(ours, theirs):
            yield record, ours, theirs


def _numbered(store: Store, column: other_columns.OtherColumn) -> other_columns.OtherColumn:
    """Return the column with its records numbered as in the original."""
    if not column.cells:
        return column
    numbers = store.numbered([record for record, _, _ in column.cells])
    cells = [(r, *cell[1:]) for r, cell in zip(numbers, column.cells, strict=True)]
    return other_columns.OtherColumn(
        column.name, column.state, column.hint, tuple(cells), column.number
    )


def _same_rows(store: Store, wanted: tuple[WantedColumns, WantedColumns]) -> bool:
    """Return True if the common columns have the same rows.

    The order of the rows does not count.
    """
    pairs = [_places(wanted, name) for name in wanted[0].others if name in wanted[1].others]
    ours, theirs = (", ".join(column) for column in zip(*pairs, strict=True))
    counted = "SELECT {0}, count(*) FROM {1} GROUP BY {0}"
    query = f"{counted.format(ours, 'o')} EXCEPT {counted.format(theirs, 'r')}"
    return store.rows(f"SELECT count(*) FROM ({query}) AS missed") == [(0,)]


def judge_stored(
    case: StoredCase,
    standardised: str = "population",
    all_risks: bool = False,
    anonymity: str = JOINT,
) -> Verdict:
    """Return the verdict of `judge_release` on numbers in a store.

    There is one block, and no method.
    """
    weights = [one.moments.weight(standardised) for one in case.sums]
    pairs = list(zip(weights, case.sums, strict=True))
    excess = {
        name: (Fraction(one.lost, one.moments.unit**2), case.n * one.moments.variance("population"))
        for name, one in zip(case.names, case.sums, strict=True)
    }
    losses = [w * Fraction(one.lost, one.moments.unit**2) for w, one in pairs]
    total = sum((w * case.n * s.moments.variance("population") for w, s in pairs), Fraction(0))
    facts = report.sse_facts(standardised, case.names, losses, total) | report.size_facts(
        case.sizes()
    )
    if any(report.which_risks(case.n, case.number, len(case.names), all_risks)):
        original, released = case.tables()
        scaled = standardise(original, standardised)
        facts |= report.risk_facts(scaled, released, all_risks)
        linked = facts["record_linkage"] is not None
        facts |= baseline_facts(scaled, [(case.names, release_classes(released))], linked)
    else:
        facts[BASELINES] = group_baselines(case.n, case.classes().number)
        facts |= {"record_linkage": None, "interval_disclosure_10_percent": None}
    facts |= {"anonymity": anonymity, "n": case.n, "k": case.k}
    at_hand = {"k": case.k, "classes": case, "shape": case.shape, "case": case, "groups": case}
    at_hand |= {"promise": anonymity, "losses": excess}
    blocks, lines = [(case.names, list(driven(at_hand)))], tuple(report.measure_lines(facts))
    return Verdict(blocks, facts, [], lines, at_hand=frozenset(at_hand))
