"""Missing values: policies, which are named and never silent.

- reject: a missing value is an error, with its place;
- drop: records that lack a value are left out of the release;
- group-apart: records that lack the same values are masked as a table of their own, of the
  attributes that they have; what they lack stays missing;
- as-released: for audits only, nothing is said about how they were treated.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from refagg.data.foreign import ReadFile, named_rows
from refagg.data.kinds import is_missing, kind_of
from refagg.data.tables import Table, check_columns, check_declared, check_lengths
from refagg.errors import EmptyTable, KTooLarge, MissingValue
from refagg.language.lists import by_key, check_one_of, listed
from refagg.notebook import brief

REJECT, DROP, APART, AS_RELEASED = "reject", "drop", "group-apart", "as-released"


MISSING_POLICIES = (REJECT, DROP)
"""What can be done about a missing value. A policy is always named, never implied."""


def check_missing_policy(missing: str, *more: str) -> None:
    """Raise InvalidParameter unless the policy is one of MISSING_POLICIES, or of these."""
    check_one_of(missing, (*MISSING_POLICIES, *more), "the policy for missing values is")


FROM_0 = ", records numbered from 0"


@brief
class Part:
    """Records of a file with values of the same attributes.

    `lacking` are the attributes without values.
    """

    records: Sequence[int]
    names: tuple[str, ...]
    lacking: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Return the attributes that the records lack, for a reader."""
        what = f"without {', '.join(self.lacking)}" if self.lacking else "with all values"
        return f"{len(self.records)} record{'s' * (len(self.records) > 1)} {what}"

    @property
    def numbered(self) -> str:
        """Return the title of what names records of the part."""
        return self.title + FROM_0


def patterns_of(
    data: object, names: Sequence[str] | None = None, kinds: Mapping[str, str] | None = None
) -> tuple[list[str], list[Part]]:
    """Return column names, and parts of records by missing pattern.

    The columns are these ones, all by default, of data as `table_of` takes them.

    >>> names, parts = patterns_of([[1, 2], [None, 3], [4, 5]])
    >>> names, [part.title for part in parts]
    (['x1', 'x2'], ['2 records with all values', '1 record without x1'])
    """
    found, lacks = lacking_cells(data, names, kinds)
    return found, _by_pattern(found, lacks)


def complete_records(
    data: object, names: Sequence[str] | None = None, kinds: Mapping[str, str] | None = None
) -> list[int]:
    """Return the records without missing values in these columns.

    By default all columns count; in a Table no value is missing. An empty text is missing, but for
    a sequence without events. Raises what `table_of` raises for data that are not a table, and
    EmptyTable where every record lacks a value.

    >>> complete_records([[1, 2], [None, 3], [4, float("nan")], [5, 6]])
    [0, 3]
    """
    lacks = lacking_cells(data, names, kinds)[1]
    kept = [record for record, pattern in enumerate(lacks) if not any(pattern)]
    if lacks and not kept:
        raise EmptyTable("every record lacks a value; the policy drop leaves none")
    return kept


def lacking_cells(
    data: object, names: Sequence[str] | None = None, kinds: Mapping[str, str] | None = None
) -> tuple[list[str], list[tuple[bool, ...]]]:
    """Return these columns, and each record's missing cells.

    By default all columns are taken. An empty text is missing, but for a sequence without events.

    >>> lacking_cells([[1, 2], [None, 3]], ["x", "y"])
    (['x', 'y'], [(False, False), (True, False)])
    """
    if isinstance(data, Table):
        wanted = list(data.names if names is None else names)
        return wanted, [(False,) * len(wanted)] * data.n
    if isinstance(data, ReadFile):
        wanted = list(data.header if names is None else names)
        check_columns(wanted, data.header)
        of = {name: kind_of((kinds or {})[name]) for name in wanted if name in (kinds or {})}
        return wanted, list(zip(*(data.lacks(name, of.get(name)) for name in wanted), strict=True))
    found, rows = named_rows(data)
    own = found or list(names or ()) or [f"x{j + 1}" for j in range(len(rows[0]) if rows else 0)]
    check_lengths(rows, own)
    wanted = own if names is None else listed(names, "the columns chosen are", "give a list")
    check_columns(wanted, own)
    declared = kinds or {}
    check_declared(declared, own)
    sequences = {name for name in wanted if str(declared.get(name)).startswith("sequence")}
    places = [(own.index(name), name in sequences) for name in wanted]

    def lacks(row: Sequence[object], place: int, sequence: bool) -> bool:
        cell = row[place]
        return is_missing(cell) or (isinstance(cell, str) and cell == "" and not sequence)

    return wanted, [tuple(lacks(row, *place) for place in places) for row in rows]


def _by_pattern(names: Sequence[str], lacks: Iterable[tuple[bool, ...]]) -> list[Part]:
    found = by_key((pattern, record) for record, pattern in enumerate(lacks))
    ordered = sorted(found, key=lambda pattern: (any(pattern), found[pattern][0]))
    return [_part(found[pattern], names, pattern) for pattern in ordered]


def _part(records: Sequence[int], names: Sequence[str], pattern: Sequence[bool]) -> Part:
    both = list(zip(names, pattern, strict=True))
    return Part(
        records, tuple(n for n, lacks in both if not lacks), tuple(n for n, lacks in both if lacks)
    )


def dropped(n: int, kept: Sequence[int]) -> list[int]:
    """Return which of n records are not kept."""
    return sorted({*range(n)}.difference(kept))


def missing_facts(n: int, policy: str, parts: Sequence[Part]) -> dict[str, object]:
    """Return the facts on missing values for a report.

    They are the policy, what was left out of n records, and what is apart, from 0 on.
    """
    if policy == DROP:
        return {"policy": DROP, "dropped": dropped(n, parts[0].records)}
    return pattern_facts(policy, parts)


def pattern_facts(policy: str, parts: Sequence[Part]) -> dict[str, object]:
    """Return for a report which records lack which attributes."""
    patterns = [{"lacking": list(part.lacking), "records": list(part.records)} for part in parts]
    return {"policy": policy, "patterns": patterns}


def parts_in(facts: Mapping[str, Any]) -> list[Part]:
    """Return the parts of a report, by the attributes that they lack."""
    return [Part(one["records"], (), tuple(one["lacking"])) for one in facts["patterns"]]


POLICY_DROP = "the policy drop"


def check_apart(parts: Sequence[Part], k: int, drop: str = POLICY_DROP) -> None:
    """Raise KTooLarge for a part of fewer than k records.

    `drop` is how they are left out.
    """
    for part in parts:
        if len(part.records) < k:
            raise KTooLarge(
                f"{listed_records(part.records)} ({part.title}) cannot form a group of "
                f"k = {k}; {drop} leaves all out that lack a value"
            )


def check_same_cells(original: Sequence[Part], released: Sequence[Part]) -> None:
    """Raise MissingValue for a cell missing in one file only."""
    if wrong := different_cells(original, released):
        raise MissingValue(f"the files lack different cells: {'; '.join(wrong)}")


def different_cells(original: Sequence[Part], released: Sequence[Part]) -> list[str]:
    """List the cells that are missing in one file only.

    There is a line for each, five at most of many.
    """
    ours, theirs = _lacking(original), _lacking(released)
    wrong = []
    for record in sorted(set(ours) | set(theirs)):
        mine, yours = set(ours.get(record, ())), set(theirs.get(record, ()))
        for name in sorted(mine ^ yours):
            where = "the original" if name in mine else "the release"
            wrong.append(f"record {record}: {name} is missing in {where} only")
    return [*wrong[:5], *[f"and {len(wrong) - 5} more"] * (len(wrong) > 5)]


def _lacking(parts: Sequence[Part]) -> dict[int, tuple[str, ...]]:
    return {record: part.lacking for part in parts if part.lacking for record in part.records}


def missing_line(n: int, policy: str, parts: Sequence[Part]) -> str:
    """Return the facts about missing values in n records, in a line."""
    if policy == DROP:
        gone = dropped(n, parts[0].records)
        named = f": {listed_records(gone)}" if gone else ""
        return f"missing values: drop: {len(gone)} of {n} records left out{named}"
    apart = [part for part in parts if part.lacking]
    told = "; ".join(part.title for part in apart) or "no value is missing"
    return f"missing values: group-apart: {told}"


def listed_records(records: Sequence[int]) -> str:
    """The numbers of some records, the first 12 of many."""
    more = f" and {len(records) - 12} more" if len(records) > 12 else ""
    return (
        "records " * (len(records) > 1)
        + "record " * (len(records) == 1)
        + (" ".join(map(str, records[:12])) + more)
    )
