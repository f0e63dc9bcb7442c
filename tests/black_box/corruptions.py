"""Changes of a right release: harmless ones, after which it is still right, and corruptions.

Each is a function of a random stream, the case, and the release; it returns the release changed, or
None where it does not apply. A new one is one function and one entry of `HARMLESS` or
`CORRUPTIONS`. A corruption must be wrong beyond doubt: where an audit cannot see it (a change below
the precision that is granted, a promise that is not made), it returns None.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from random import Random

from refagg.catalogue import CATALOGUE

from .random_cases import BOOLEANS, TIMED, RandomCase

VISIBLE = Fraction(1, 1000)
"""The share of a column's greatest absolute value by which visible changes move a number."""


@dataclass(frozen=True, slots=True)
class Written:
    """A file as texts."""

    header: list[str]
    rows: list[list[str]]

    def column(self, name: str) -> list[str]:
        position = self.header.index(name)
        return [row[position] for row in self.rows]

    def put(self, name: str, cells: list[str]) -> Written:
        """The file with another column of this name."""
        position = self.header.index(name)
        rows = [
            [*row[:position], cell, *row[position + 1 :]]
            for row, cell in zip(self.rows, cells, strict=True)
        ]
        return Written(self.header, rows)

    def text(self) -> str:
        return "".join(",".join(cells) + "\n" for cells in [self.header, *self.rows])


@dataclass(frozen=True, slots=True)
class Wrong:
    """A corrupted release. An audit must not hold, or where `named` is given print this text."""

    release: Written
    named: str = ""


Harmless = Callable[[Random, RandomCase, Written], Written | None]
Corruption = Callable[[Random, RandomCase, Written], Wrong | None]


def quasi_identifiers(case: RandomCase) -> list[str]:
    """The columns that are masked."""
    return [name for name in case.header if name not in case.outside]


def of_groups(case: RandomCase) -> bool:
    """Return True if released values are aggregates of groups of k, and the release says so."""
    return CATALOGUE[case.algorithm].yields == "partition" and case.anonymity == "joint"


def of_means(case: RandomCase) -> bool:
    """Return True if released values are plain means of groups, written as they are."""
    return of_rounded_means(case) and "--decimals" not in case.masking


def of_rounded_means(case: RandomCase) -> bool:
    """Return True if released values are plain means of groups, perhaps rounded to decimals."""
    others = (
        *("--aggregate", "--constraint", "--kind", "--sampling-weights", "--aggregate-kind"),
        "--missing",
    )
    return of_groups(case) and not {*case.shared, *case.masking}.intersection(others)


def number(cell: str) -> Fraction:
    """The number in a cell; 0 where it is missing."""
    return Fraction(0) if cell in GAPS else Fraction(cell)


GAPS = ("", "NA")
"""How missing cells are written."""


def visible(case: RandomCase, name: str, one: int, two: int) -> bool:
    """Return True if two records differ in a number by more than rounding could explain."""
    column = [number(row[case.header.index(name)]) for row in case.rows]
    return abs(column[one] - column[two]) > VISIBLE * max(map(abs, column))


# Harmless changes


def rows_in_another_order(random: Random, case: RandomCase, right: Written) -> Written | None:
    """Shuffle the records of a release that has a key."""
    if case.key is None:
        return None
    rows = list(right.rows)
    random.shuffle(rows)
    return Written(right.header, rows)


def columns_in_another_order(random: Random, case: RandomCase, right: Written) -> Written | None:
    """Shuffle the columns."""
    order = list(range(len(right.header)))
    random.shuffle(order)
    rows = [[row[j] for j in order] for row in right.rows]
    return Written([right.header[j] for j in order], rows)


def numbers_written_otherwise(random: Random, case: RandomCase, right: Written) -> Written | None:
    """Write the whole numbers of another column with a decimal."""
    whole = [
        name
        for name in case.outside
        if name != case.key
        and name not in case.labels
        and all(cell.isdigit() for cell in right.column(name))
    ]
    if not whole:
        return None
    name = random.choice(whole)
    return right.put(name, [cell + ".0" for cell in right.column(name)])


HARMLESS: dict[str, Harmless] = {
    "rows in another order, with a key": rows_in_another_order,
    "columns in another order": columns_in_another_order,
    "other numbers written otherwise": numbers_written_otherwise,
}


# Corruptions of other columns, and of records


def other_cell(random: Random, case: RandomCase, right: Written) -> Wrong | None:
    """Change a cell of a column that is neither masked nor the key or a stratum."""
    names = [n for n in case.outside if n not in (case.key, *case.labels)]
    return _changed_cell(random, right, random.choice(names)) if names else None


def label_cell(random: Random, case: RandomCase, right: Written) -> Wrong | None:
    """Change a stratum or a sampling weight."""
    return _changed_cell(random, right, random.choice(case.labels)) if case.labels else None


def _changed_cell(random: Random, right: Written, name: str) -> Wrong:
    cells = right.column(name)
    place = random.randrange(len(cells))
    others = [cell for cell in dict.fromkeys(cells) if cell != cells[place]]
    cells[place] = random.choice([*others, cells[place] + "7"])
    return Wrong(right.put(name, cells))


def others_exchanged(random: Random, case: RandomCase, right: Written) -> Wrong | None:
    """Exchange the cells of two records in a column that is not masked."""
    names = [n for n in case.outside if n != case.key and len({*right.column(n)}) > 1]
    if not names:
        return None
    name = random.choice(names)
    cells = right.column(name)
    one = random.randrange(len(cells))
    two = random.choice([r for r, cell in enumerate(cells) if cell != cells[one]])
    cells[one], cells[two] = cells[two], cells[one]
    return Wrong(right.put(name, cells))


def key_changed(random: Random, case: RandomCase, right: Written) -> Wrong | None:
    """Give a record another key: one that no record has, or that of another record."""
    if case.key is None:
        return None
    return _changed_cell(random, right, case.key)


def column_left_out(random: Random, case: RandomCase, right: Written) -> Wrong | None:
    """Leave out a column that an audit does not need: the audit names it."""
    names = [n for n in case.outside if n not in (case.key, *case.labels)]
    if not names:
        return None
    name = random.choice(names)
    position = right.header.index(name)
    rows = [[*row[:position], *row[position + 1 :]] for row in right.rows]
    header = [*right.header[:position], *right.header[position + 1 :]]
    return Wrong(Written(header, rows), named=name)


def column_added(random: Random, case: RandomCase, right: Written) -> Wrong | None:
    """Add a column that the original does not have: the audit names it."""
    rows = [[*row, str(random.randrange(1000))] for row in right.rows]
    return Wrong(Written([*right.header, "added"], rows), named="added")


def record_left_out(random: Random, case: RandomCase, right: Written) -> Wrong | None:
    """Leave out a record."""
    gone = random.randrange(len(right.rows))
    rows = [row for number, row in enumerate(right.rows) if number != gone]
    return Wrong(Written(right.header, rows)) if rows else None


def record_twice(random: Random, case: RandomCase, right: Written) -> Wrong | None:
    """Write a record twice."""
    return Wrong(Written(right.header, [*right.rows, random.choice(right.rows)]))


def records_exchanged(random: Random, case: RandomCase, right: Written) -> Wrong | None:
    """Exchange the places of two records of different groups, without a key."""
    if not of_means(case) or case.key is not None:
        return None
    pairs = [
        (i, j)
        for j in range(len(right.rows))
        for i in range(j)
        if _row(case, right, i) != _row(case, right, j)
        and any(visible(case, name, i, j) for name in quasi_identifiers(case))
    ]
    if not pairs:
        return None
    one, two = random.choice(pairs)
    rows = list(right.rows)
    rows[one], rows[two] = rows[two], rows[one]
    return Wrong(Written(right.header, rows))


def _row(case: RandomCase, right: Written, record: int) -> list[str]:
    return [right.rows[record][right.header.index(name)] for name in quasi_identifiers(case)]


# Corruptions of released values


def group_moved(random: Random, case: RandomCase, right: Written) -> Wrong | None:
    """Move the released value of a whole group in one attribute."""
    if not of_means(case) and not (case.feature == "apart" and of_groups(case)):
        return None
    name = random.choice(quasi_identifiers(case))
    cells = right.column(name)
    most = max(
        abs(number(cell)) for cell in [*cells, *Written(case.header, case.rows).column(name)]
    )
    record = random.choice([r for r, cell in enumerate(cells) if cell not in GAPS])
    moved = repr(float(Fraction(cells[record]) + VISIBLE * max(most, 1)))
    alike = [_row(case, right, r) == _row(case, right, record) for r in range(len(cells))]
    return Wrong(
        right.put(name, [moved if own else c for own, c in zip(alike, cells, strict=True)])
    )


def cell_moved(random: Random, case: RandomCase, right: Written) -> Wrong | None:
    """Move the released value of one record, which is then equal to no other record."""
    if not of_groups(case) or "--kind" in case.shared or case.feature == "dates":
        return None
    name = random.choice(quasi_identifiers(case))
    cells = right.column(name)
    most = max(abs(number(cell)) for cell in cells)
    there = [record for record, cell in enumerate(cells) if cell not in GAPS]
    cells[random.choice(there)] = repr(float(2 * most + 1))
    return Wrong(right.put(name, cells))


def moment_moved(random: Random, case: RandomCase, right: Written) -> Wrong | None:
    """Move the date or time of a group by the unit that the file writes, if that is wrong."""
    names = [name for name in quasi_identifiers(case) if name in TIMED]
    if not names or not of_groups(case) or "--aggregate" in case.shared or "NA" in str(case.rows):
        return None
    name, kept = random.choice(names), _complete(case)
    cells, (_, _, pattern, unit) = right.column(name), TIMED[name]
    record = random.randrange(len(cells))
    alike = [r for r in range(len(cells)) if _row(case, right, r) == _row(case, right, record)]
    if len(kept) != len(cells) or len(alike) >= 2 * case.k or not cells[record]:
        return None
    position = case.header.index(name)
    past = [datetime.strptime(kept[r][position], pattern) - START for r in alike]
    mean = sum((Fraction(p.days * 86400 + p.seconds) for p in past), Fraction(0)) / len(past)
    step = timedelta(seconds=unit * random.choice((1, -1)))
    moved = datetime.strptime(cells[record], pattern) + step
    found = (moved - START).days * 86400 + (moved - START).seconds
    text = moved.strftime(pattern)
    if 2 * abs(found - mean) <= unit:  # a half, which can be rounded either way
        return None
    wrong = right.put(name, [text if r in alike else cell for r, cell in enumerate(cells)])
    merged = sum(_row(case, wrong, r) == _row(case, wrong, record) for r in range(len(cells)))
    return Wrong(wrong) if merged == len(alike) else None


START = datetime(1970, 1, 1)


def _complete(case: RandomCase) -> list[list[str]]:
    """The records that lack no quasi-identifier."""
    places = [case.header.index(name) for name in quasi_identifiers(case)]
    return [row for row in case.rows if all(row[place] for place in places)]


def boolean_flipped(random: Random, case: RandomCase, right: Written) -> Wrong | None:
    """Flip the boolean of a group to the less frequent one."""
    names = [name for name in quasi_identifiers(case) if name in BOOLEANS]
    if not names or not of_groups(case) or "NA" in str(case.rows):
        return None
    [name], kept = names, _complete(case)
    cells, words = right.column(name), BOOLEANS[name][1:]
    record = random.randrange(len(cells))
    alike = [r for r in range(len(cells)) if _row(case, right, r) == _row(case, right, record)]
    if len(kept) != len(cells) or len(alike) >= 2 * case.k or cells[record] not in words:
        return None
    flipped = words[cells[record] == words[0]]
    before = [kept[r][case.header.index(name)] for r in alike]
    if 2 * before.count(flipped) >= len(before):
        return None
    wrong = right.put(name, [flipped if r in alike else cell for r, cell in enumerate(cells)])
    merged = sum(_row(case, wrong, r) == _row(case, wrong, record) for r in range(len(cells)))
    return Wrong(wrong) if merged == len(alike) else None


def granted(column: list[Fraction]) -> Fraction:
    """More than twice what rounding to binary64 can do to any mean of a column."""
    spread = max(column) - min(column)
    return 4 * (len(column) + 4) * (max(map(abs, column)) + spread) / 2**53


def last_digit(random: Random, case: RandomCase, right: Written) -> Wrong | None:
    """Move the value of a group by two units of the last digit that the file writes."""
    name, own, ours, theirs = _group(random, case, right, decimals=True)
    if name is None or any("e" in cell.lower() for cell in right.column(name)):
        return None
    places = max(len(cell.partition(".")[2]) for cell in right.column(name))
    unit = Fraction(1, 10**places)
    if unit <= granted(ours):
        return None
    by = random.choice((-2, 2)) * unit
    wrong = _put(right, name, own, theirs, by, places)
    shown = any(
        cell.partition(".")[2].endswith(tuple("123456789")) for cell in wrong.release.column(name)
    )
    return wrong if shown or not places else None  # a last digit 0 is not seen


def mean_far_from_0(random: Random, case: RandomCase, right: Written) -> Wrong | None:
    """Move the mean of a group, in a column far from 0, by half the range of the column."""
    name, own, ours, theirs = _group(random, case, right)
    if name is None:
        return None
    spread = max(ours) - min(ours)
    if not 0 < spread * 10**6 < max(map(abs, ours)) or spread / 2 <= granted(ours):
        return None
    return _put(right, name, own, theirs, random.choice((-1, 1)) * spread / 2, 3)


def zeros_moved(random: Random, case: RandomCase, right: Written) -> Wrong | None:
    """Release zeros as a billionth of the range of the column."""
    name, own, ours, theirs = _group(random, case, right)
    if name is None or any(ours[r] for r, member in enumerate(own) if member):
        return None
    spread = max(ours) - min(ours)
    return _put(right, name, own, theirs, spread / 10**9, 30) if spread else None


def _group(
    random: Random, case: RandomCase, right: Written, decimals: bool = False
) -> tuple[str | None, list[bool], list[Fraction], list[Fraction]]:
    """A masked column with plain means, the records of a class, and the values of both files."""
    means = of_means(case) or (decimals and of_rounded_means(case))
    if not means or "secure-k-ward" in case.common:
        return None, [], [], []
    name = random.choice(quasi_identifiers(case))
    record = random.randrange(len(right.rows))
    own = [_row(case, right, r) == _row(case, right, record) for r in range(len(right.rows))]
    ours = list(map(Fraction, Written(case.header, case.rows).column(name)))
    return name, own, ours, list(map(Fraction, right.column(name)))


def _put(
    right: Written,
    name: str,
    own: list[bool],
    values: list[Fraction],
    by: Fraction,
    places: int,
) -> Wrong:
    """The release with other values in one column of a class, written with so many decimals."""
    moved = [f"{Decimal((v + by).numerator) / (v + by).denominator:.{places}f}" for v in values]
    cells = zip(own, moved, right.column(name), strict=True)
    return Wrong(right.put(name, [new if member else cell for member, new, cell in cells]))


def cell_suppressed(random: Random, case: RandomCase, right: Written) -> Wrong | None:
    """A value of the release is missing, as no policy but a rule for missing cells allows."""
    if case.feature == "sequences":  # a sequence may have no event
        return None
    name = random.choice(quasi_identifiers(case))
    cells = right.column(name)
    there = [record for record, cell in enumerate(cells) if cell not in GAPS]
    if not there:
        return None
    cells[random.choice(there)] = ""
    return Wrong(right.put(name, cells))


def cell_filled(random: Random, case: RandomCase, right: Written) -> Wrong | None:
    """A value that the original lacks is in the release."""
    if case.feature != "apart":
        return None
    for name in quasi_identifiers(case):
        cells = right.column(name)
        gaps = [record for record, cell in enumerate(cells) if cell in GAPS]
        values = [cell for cell in cells if cell not in GAPS]
        if gaps and values:
            cells[random.choice(gaps)] = random.choice(values)
            return Wrong(right.put(name, cells))
    return None


CORRUPTIONS: dict[str, Corruption] = {
    "date or time of a group": moment_moved,
    "boolean of a group": boolean_flipped,
    "cell of another column": other_cell,
    "stratum or weight": label_cell,
    "two cells of another column exchanged": others_exchanged,
    "key": key_changed,
    "column left out": column_left_out,
    "column added": column_added,
    "record left out": record_left_out,
    "record twice": record_twice,
    "two records exchanged": records_exchanged,
    "value of a group": group_moved,
    "value of a record": cell_moved,
    "last digit": last_digit,
    "mean far from 0": mean_far_from_0,
    "zeros": zeros_moved,
    "value suppressed": cell_suppressed,
    "missing value filled": cell_filled,
}
