"""Case whose records are in a store.

The store counts and sums what the checks need. All of it is integers, so that it is what
`oracle.auditing.cases.AuditedRelease` counts and sums. Products of two numbers can be too long for
a store, so numbers are squared in limbs. Groups come from there one after the other, and the checks
look at each as they do at any other. Cells of other columns whose texts differ are compared as
elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import gcd
from operator import mul
from pathlib import Path

from oracle.auditing import other_columns
from oracle.auditing.cases import shape_of_numbers, total_kept
from oracle.auditing.checks import JOINT
from oracle.auditing.conclusion import BASELINES, baseline_facts, group_baselines
from oracle.auditing.driver import Check, driven
from oracle.auditing.rendering import SEVERAL, Cell, Granted, Rendering, probable_digits, renderings
from oracle.auditing.verdict import Verdict
from oracle.stores.files import (
    NARROW,
    NotStored,
    Store,
    WantedColumns,
    absolute,
    in_units,
    joined_tables,
    store_files,
    sum_of,
    unescaped,
    whole,
)
from refagg.data.identifiers import LOOKED_AT, hint_of
from refagg.data.standardise import Moments, standardise
from refagg.data.tables import Table, decimal_places_of, reduced_column
from refagg.data.textfiles import Format
from refagg.language.partition import Group
from refagg.release import report
from refagg.release.risk import release_classes

MOST_ROWS = 100_000
"""Rows of one file that the other does not have, whose values are compared."""

SOME = 1000
"""Groups whose last decimals are examined together."""


@dataclass(frozen=True)
class StoredSums:
    """Sums over all records in one attribute."""

    moments: Moments
    size: Fraction
    """Of the absolute values of the original."""
    kept: Fraction
    """Of the released values."""
    lost: Fraction
    """Of the squared differences."""


@dataclass(frozen=True, eq=False)
class StoredCase:
    """Release and original in a store.

    The records are in the table `pair`, the groups in the table `groups`. There the released values
    are in units of the last decimal of both files, sums and the largest values in those of the
    original.
    """

    store: Store
    k: int
    names: tuple[str, ...]
    n: int
    scales: list[tuple[int, int]]
    """The decimals of each attribute, in the original and in both files."""
    granted: Granted

    plain = inferred = True
    operator, place = "mean", "aggregate"

    @property
    def shape(self) -> str:
        return shape_of_numbers(self.n, len(self.names))

    @property
    def number(self) -> int:
        return sum(self.sizes().values())

    @property
    def partition(self) -> StoredCase:
        """Return the case itself: its groups are its classes.

        The classes are those of equal released rows.
        """
        return self

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
        y = f"y{position}"
        largest = f"SELECT max({absolute(y)}) FROM groups"
        [[greatest]] = self.store.rows(largest)

        def digits() -> int:
            most = zeros = 0
            while len(str(greatest)) - zeros > most:
                zeros += 1
                [[ends]] = self.store.rows(f"{largest} WHERE {y} % {10**zeros} <> 0")
                most = max(most, len(str(ends or "")) - zeros + 1)
            few = f"SELECT DISTINCT {y} FROM groups LIMIT {SEVERAL}"
            return probable_digits(most, len(self.store.rows(few)))

        envelopes, unit = self._envelopes(position), self._denominators[position]
        long = greatest * 10 ** (unit.bit_length() - 1) > 10 ** (15 + self.scales[position][1])
        if long and unit > 1 and unit & (unit - 1) == 0:  # a float is a multiple of a power of 1/2
            raise NotStored(f"{self.names[position]!r} may have floats in full length")
        moments = self.sums[position].moments
        width = Fraction(moments.greatest - moments.least, moments.unit)
        for rendering in renderings(decimal_places_of(unit), digits, self.granted, width):
            cells = (
                cell
                for which, bound in envelopes
                if not (rendering.by_error and rendering.fits(bound))
                for _, cell in self._cells(position, which)
            )
            if all(map(rendering.fits, cells)):
                return rendering
        return None

    def _envelopes(self, position: int) -> list[tuple[str, Cell]]:
        """Return which groups each bucket has, and a cell that bounds them.

        A bucket has groups of one size, of about the same magnitude, whose aggregates have as many
        digits. Its cell has their greatest error, and their least magnitude and aggregate: if that
        cell fits by its error, all these groups do. Values without an error fit any rendering, and
        are in no bucket.
        """
        largest, added, off = f"most{position}", absolute(f"sum{position}"), self._off(position)
        unit, finer = 10 ** self.scales[position][1], self._finer(position)
        digits = f"floor(log10(greatest({added}, 1)) - log10(size))"
        found = self.store.rows(
            f"SELECT size, min({largest}), max({largest}), min({added}), max({added}), max({off}) "
            f"FROM groups WHERE {off} > 0 GROUP BY size, floor(log2({largest} + 1)), {digits}"
        )
        envelopes = []
        for n, least, most, low, high, error in found:
            within = f"{largest} BETWEEN {least} AND {most} AND {added} BETWEEN {low} AND {high}"
            written = low * finer - error
            cell = Cell(n * low * finer, n, written, n * unit, n, n * least * finer)
            envelopes.append((f"WHERE size = {n} AND {within} AND {off} > 0", cell))
        return envelopes

    def _off(self, position: int) -> str:
        """Return the error of a group in units, times its size."""
        return absolute(self._gap(position))

    def _gap(self, position: int) -> str:
        size, finer = (f"CAST({n} AS {self.store.wide})" for n in ("size", self._finer(position)))
        return f"sum{position} * {finer} - {size} * y{position}"

    def _finer(self, position: int) -> int:
        """Return how many units there are in a unit of the original."""
        own, both = self.scales[position]
        return int(10 ** (both - own))

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
                one.kept,
                one.size,
                Fraction(self.n, 2 * denominator),
            )
            for one, denominator in zip(self.sums, self._denominators, strict=True)
        )

    def _cells(self, position: int, which: str) -> Iterator[tuple[int, Cell]]:
        """Yield the first records of some groups, and their cells."""
        unit, finer, j = 10 ** self.scales[position][1], self._finer(position), position
        query = f"SELECT first, sum{j}, size, y{j}, most{j} FROM groups {which}"
        for first, added, size, written, most in self.store.streamed(query):
            yield first, Cell(added * finer, size, written, unit, size, most * finer)

    @cached_property
    def sums(self) -> list[StoredSums]:
        return list(map(self._sums, range(len(self.names))))

    def _sums(self, j: int) -> StoredSums:
        """Return the sums in an attribute.

        Where m values with the sum s are released as y, the sum of the squared differences is that
        of the squares of the values, less s^2 / m, and (s - m y)^2 / m more.
        """
        x, gap, wide, base = f"x{j}", self._gap(j), self.store.wide, self.store.limb
        ends = f"max(most{j}), max({absolute(f'sum{j}')}), max({self._off(j)})"
        [most] = self.store.rows(f"SELECT {ends} FROM groups")
        squares, between, gaps = map(self._square_sums, (x, f"sum{j}", gap), most)
        sums = [sum_of(x, wide), sum_of(absolute(x), wide), f"min({x})", f"max({x})", *squares]
        query = f"SELECT {', '.join(sums)} FROM pair"
        [(total, sizes, least, greatest, *limbs)] = self.store.rows(query)
        own, unit = (10**scale for scale in self.scales[j])
        moments = Moments(self.n, own, total, _of_limbs(limbs, base), least, greatest)
        kept, lost = Fraction(0), Fraction(moments.squares, own**2)
        sums = ["size", sum_of(f"y{j}", wide), *between, *gaps]
        query = f"SELECT {', '.join(sums)} FROM groups GROUP BY size"
        for size, added, *limbs in self.store.rows(query):
            kept += Fraction(size * added, unit)
            lost -= Fraction(_of_limbs(limbs[: len(between)], base), size * own**2)
            lost += Fraction(_of_limbs(limbs[len(between) :], base), size * unit**2)
        return StoredSums(moments, Fraction(sizes, own), kept, lost)

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
        p = len(self.names)
        parts = [part for j in range(p) for part in (f"x{j}", whole(f"y{j}", self.store.wide))]
        query = f"SELECT {', '.join(parts)} FROM pair ORDER BY record"
        found = zip(*self.store.streamed(query), strict=True)
        columns = [
            reduced_column(name, list(next(found)), 10**scale)
            for name, scales in zip(self.names, self.scales, strict=True)
            for scale in scales
        ]
        return Table(tuple(columns[::2])), Table(tuple(columns[1::2]))

    @cached_property
    def _denominators(self) -> list[int]:
        """Return the least common denominators of released values."""
        found = []
        for position, (_, scale) in enumerate(self.scales):
            unit = divisor = 10**scale
            rests = [(unit,)]
            while divisor > 1 and rests:
                divisor = gcd(divisor, *(rest for [rest] in rests))
                rests = self.store.rows(
                    f"SELECT y{position} % {unit} FROM groups "
                    f"WHERE y{position} % {divisor} <> 0 LIMIT {SOME}"
                )
            found.append(unit // divisor)
        return found

    def _members(self, first: int, most: int) -> Group:
        """Return the first records whose released row equals that of `first`.

        At most `most` records are returned; `first` is the first of them.
        """
        alike = " AND ".join(f"a.y{j} = b.y{j}" for j in range(len(self.names)))
        which = f"WHERE a.record = {first} ORDER BY b.record LIMIT {most}"
        query = f"SELECT b.record FROM pair AS a JOIN pair AS b ON {alike} {which}"
        return self.store.numbered([record for [record] in self.store.rows(query)])


def _of_limbs(sums: Sequence[int], base: int) -> int:
    """Return the sum of squares from the sums of products of limbs."""
    limbs = next(m for m in range(1, len(sums) + 1) if m * (m + 1) // 2 == len(sums))
    pairs = [(i, j) for i in range(limbs) for j in range(i, limbs)]
    return sum(
        part * (1 + (i < j)) * base ** (i + j) for part, (i, j) in zip(sums, pairs, strict=True)
    )


def form_groups(store: Store, after: Sequence[int]) -> None:
    """Make the table `groups` from the records with equal released rows.

    The records are those of `pair`, with so many decimals in each attribute.
    """
    p = len(after)
    most = [whole(f"greatest(max(y{j}), 0 - min(y{j}))", store.wide) for j in range(p)]
    [found] = store.rows(f"SELECT {', '.join(most)} FROM pair")
    parts = ["min(record) AS first", "count(*) AS size"]
    for j, largest in enumerate(found):
        kind = NARROW if largest < 1 << 63 else store.wide
        parts.append(f"{in_units(store, f'pair.y{j}', after[j], kind)} AS y{j}")
        parts.append(f"{sum_of(f'x{j}', store.wide)} AS sum{j}")
        parts.append(f"max({absolute(f'x{j}')}) AS most{j}")
    row = ", ".join(f"pair.y{j}" for j in range(p))
    store.keep_groups(f"SELECT {', '.join(parts)}", row, p)


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
    form_groups(store, [after for _, after in scales])
    return StoredCase(store, k, names, n, scales, granted)


def stored_checks(
    store: Store, wanted: tuple[WantedColumns, WantedColumns], n: int, may_change: Collection[str]
) -> list[Check]:
    """Return the checks of the other columns.

    They are columns of the tables `o` and `r`, which are dropped.
    """
    ours, theirs = (own.others for own in wanted)
    hints = _hints(store, "o", wanted[0], n)
    differing = _differing(store, wanted)
    columns = []
    for name in ours:
        if name not in theirs:
            columns.append(other_columns.OtherColumn(name, other_columns.DROPPED, hints[name]))
            continue
        cells = _cells(store, wanted, name) if differing[name] else iter(())
        fate = other_columns.fate_of(name, hints[name], cells, may_change)
        columns.append(_numbered(store, fate))
    added = [name for name in theirs if name not in ours]
    hints = _hints(store, "r", wanted[1], n) if added else {}
    columns += [other_columns.OtherColumn(name, other_columns.ADDED, hints[name]) for name in added]
    moved = any(column.state == other_columns.CHANGED for column in columns)
    checks = other_columns.column_checks_of(columns, n, moved and _same_rows(store, wanted))
    if wanted[0].key or ours or theirs:  # else they are seen through `pair`
        store.drop("o", "r")
    return checks


def _hints(store: Store, table: str, own: WantedColumns, n: int) -> dict[str, str]:
    """Return why each column may identify people.

    The first records, of which examples are taken, are those of the original if there is a key.
    """
    names, source, record = own.others, table, store.record.replace("o.", f"{table}.")
    if table == "r" and own.key:
        source, record = joined_tables(own.key), store.record
    if not names:
        return {}
    letter = "s" if table == "o" else "t"
    columns = [f"{letter}{j}" for j in range(len(names))]
    counts = ", ".join(f"count(DISTINCT nullif({column}, ''))" for column in columns)
    [different] = store.rows(f"SELECT {counts} FROM {table}")
    query = f"SELECT {', '.join(columns)} FROM {source} ORDER BY {record} LIMIT {LOOKED_AT}"
    samples = [list(map(unescaped, cells)) for cells in zip(*store.rows(query), strict=True)]
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
    return replace(column, cells=tuple(cells))


def _same_rows(store: Store, wanted: tuple[WantedColumns, WantedColumns]) -> bool:
    """Return True if the common columns have the same rows.

    The order of the rows does not count, nor how values are written, of as many rows as are looked
    at.
    """
    pairs = [_places(wanted, name) for name in wanted[0].others if name in wanted[1].others]
    ours, theirs = (", ".join(column) for column in zip(*pairs, strict=True))
    counted = "SELECT {0}, count(*) FROM {1} GROUP BY {0}"
    both = counted.format(ours, "o"), counted.format(theirs, "r")
    found = []
    for one, other in (both, both[::-1]):
        rows = store.rows(f"SELECT * FROM ({one} EXCEPT {other}) AS missed LIMIT {MOST_ROWS + 1}")
        if len(rows) > MOST_ROWS:
            return False
        of_values = Counter[tuple[object, ...]]()
        for *texts, count in rows:
            of_values[tuple(other_columns.value_of(unescaped(text)) for text in texts)] += count
        found.append(of_values)
    return found[0] == found[1]


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
    lost = [one.lost for one in case.sums]
    spreads = [case.n * one.moments.variance("population") for one in case.sums]
    excess = dict(zip(case.names, zip(lost, spreads, strict=True), strict=True))
    losses, total = list(map(mul, weights, lost)), sum(map(mul, weights, spreads), Fraction(0))
    facts = report.sse_facts(standardised, case.names, losses, total)
    facts |= report.size_facts(case.sizes())
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
