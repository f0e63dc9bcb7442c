"""Releases of records with missing values.

Records that lack the same values are a table of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from refagg.data.foreign import ReadFile, Renewed, check_fit, named_rows, rebuilt
from refagg.data.kinds import NUMERIC, kind_of
from refagg.data.missing import APART, POLICY_DROP, Part, check_apart, pattern_facts, patterns_of
from refagg.data.tables import Table
from refagg.errors import InvalidParameter, ShapeMismatch
from refagg.language.partition import Partition, check_k
from refagg.language.specification import Specification, parameters_of
from refagg.notebook import Overview, Overviewed, bars
from refagg.options.fields import Options
from refagg.release.blocks import labels_of, named_blocks
from refagg.release.result import Release


@dataclass(frozen=True, slots=True, repr=False)
class ReleaseApart(Overviewed):
    """The release that `microaggregate` makes with `missing` "group-apart"."""

    parts: tuple[tuple[Part, Release | None], ...]
    """The records with the same attributes, with their release; None where they have none."""
    names: tuple[str, ...]
    """All quasi-identifiers."""
    k: int
    source: Any = field(repr=False, compare=False)

    def to_frame(self, *, exact: bool = False) -> Any:
        """Return the released table as `Release` does.

        What is missing in the data is missing in it.
        """
        if isinstance(self.source, Table):  # lacks nothing
            [(_, whole)] = self.parts
            return whole and whole.values(exact)
        n = sum(len(part.records) for part, _ in self.parts)
        columns = {name: Renewed(NUMERIC, [None] * n, range(n)) for name in self.names}
        for part, release in self.parts:
            cells = release.renewed() if release else {}
            columns |= {name: _joined(columns[name], cells[name], part.records) for name in cells}
        return rebuilt(self.source, columns, exact)

    @property
    def partition(self) -> Partition:
        """Return the groups of all records.

        Raises InvalidBlocks if attributes are in several blocks. Records that lack all attributes
        are one group.
        """
        groups = [
            [part.records[member] for member in group]
            for part, release in self.parts
            for group in (release.partition.groups if release else [range(len(part.records))])
        ]
        return Partition.of(groups, sum(len(part.records) for part, _ in self.parts))

    @property
    def k_reached(self) -> int:
        """Return the smallest number of records with equal values and gaps."""
        return min(r.k_reached if r else len(part.records) for part, r in self.parts)

    def report(self) -> dict[str, Any]:
        """Return the report that `refagg mask --json` writes.

        It has a report of each part, whose records count from 0.
        """
        missing = pattern_facts(APART, [part for part, _ in self.parts])
        if len(self.parts) == 1 and self.parts[0][1]:
            return self.parts[0][1].report() | {"missing": missing}
        reports = [
            {"lacking": list(part.lacking)}
            | (r.report() if r else {"records": len(part.records), "k_reached": len(part.records)})
            for part, r in self.parts
        ]
        return {"k": self.k, "k_reached": self.k_reached, "parts": reports, "missing": missing}

    def overview(self) -> Overview:
        """Return what notebooks show."""
        records = {part.title: len(part.records) for part, _ in self.parts}
        return Overview(
            f"ReleaseApart, k = {self.k}, k reached {self.k_reached}: {'; '.join(records)}",
            lambda: {"part": list(records), "records": list(records.values())},
            bars(records, "records"),
        )


def _joined(whole: Renewed, new: Renewed, records: Sequence[int]) -> Renewed:
    """The new cells of all records, with those of some put in."""
    numbers, taken = list(whole.numbers), list(whole.records)
    for place, record in enumerate(records):
        if new.numbers:
            numbers[record] = new.numbers[place]
        else:
            taken[record] = records[new.records[place]]
    values = {records[place]: value for place, value in new.values.items()}
    return Renewed(new.kind, numbers, taken, {**whole.values, **values})


def masked_apart(
    data: Any,
    k: Any,
    spec: Specification,
    given: Mapping[str, Any],
    options: Options,
    mask: Callable[[Any, dict[str, Any]], Release],
) -> ReleaseApart:
    """The release of each pattern of missing cells.

    `mask` is given the data of one, and its own options.
    Raises KTooLarge for a pattern that fewer than k records have.
    """
    check_groups(spec)
    k, wanted, parts = checked_patterns(data, k, given)
    named = {"parameters": named_parameters([spec], given, wanted)}
    labelled = checked_labels({**given, **named}, options, sum(len(part.records) for part in parts))
    if not isinstance(data, (Table, ReadFile)):
        declared = {name: kind_of(text) for name, text in (given["kinds"] or {}).items()}
        check_fit(data, dict.fromkeys(wanted, NUMERIC) | declared)
    made = []
    for part in parts:
        own = options_of_part(part, labelled, options)
        rows = records_of(data, wanted, part)
        made.append((part, mask(rows, own) if part.names else None))
    return ReleaseApart(tuple(made), tuple(wanted), k, data)


def checked_patterns(
    data: Any, k: Any, given: Mapping[str, Any], drop: str = POLICY_DROP
) -> tuple[int, list[str], list[Part]]:
    """Return k, the quasi-identifiers, and the patterns of missing cells.

    Raises InvalidK, KTooLarge; `drop` is how records are left out.
    """
    wanted, parts = patterns_of(data, given["quasi_identifiers"], given["kinds"])
    k = check_k(k, sum(len(part.records) for part in parts))
    check_apart(parts, k, drop)
    return k, wanted, parts


def check_groups(specification: Specification) -> None:
    """Raise InvalidParameter for an algorithm that forms no groups.

    It would draw the same deviations for each pattern of missing cells, and these could be
    computed from two records that have the same ones.
    """
    if specification.yields == "deviations":
        raise InvalidParameter(
            f"{specification.name} forms no groups, so group-apart does not apply; "
            f"leave out the records that lack values, by {POLICY_DROP}"
        )


def measured_apart(
    original: Sequence[Part], measure: Callable[[Part], dict[str, Any]]
) -> dict[str, object]:
    """Return a report of each part's loss and disclosure.

    The records of a part count from 0.
    """
    reports: list[dict[str, Any]] = [
        {"lacking": list(part.lacking), "records": len(part.records)}
        | (measure(part) if part.names else {"k_reached": len(part.records)})
        for part in original
    ]
    reached = min(report["k_reached"] for report in reports)
    return {"k_reached": reached, "parts": reports, "missing": pattern_facts(APART, original)}


def patterns_of_both(
    tables: tuple[object, object], names: Sequence[str] | None, kinds: Mapping[str, str] | None
) -> tuple[list[str], list[Part], list[Part]]:
    """The quasi-identifiers, and the patterns of missing cells of both. Raises ShapeMismatch."""
    wanted, ours = patterns_of(tables[0], names, kinds)
    _, theirs = patterns_of(tables[1], wanted, kinds)
    n, m = (sum(len(part.records) for part in parts) for parts in (ours, theirs))
    if n != m:
        raise ShapeMismatch(f"the original has {n} records, the release has {m}")
    return wanted, ours, theirs


def records_of(data: object, wanted: Sequence[str], part: Part) -> object:
    """Return the records of a part, without what they lack.

    `wanted` are the names of data without names.
    """
    if isinstance(data, Table):
        return data
    if isinstance(data, ReadFile):
        return data.take(part.records)
    found, rows = named_rows(data)
    header = wanted if found is None else found
    places = {name: place for place, name in enumerate(header) if name not in part.lacking}
    return {name: [rows[r][place] for r in part.records] for name, place in places.items()}


def named_parameters(
    specs: Sequence[Specification], given: Mapping[str, object], names: Sequence[str]
) -> Mapping[str, object]:
    """Return parameters with the names of attributes.

    Parts of a table have them, too. Raises InvalidParameter, UnknownColumn.
    """
    found = parameters_of(given["parameters"])
    for spec in () if given["blocks"] else specs:
        found = spec.named(found, names)
    return found


def options_of_part(part: Part, given: Mapping[str, Any], options: Options) -> dict[str, Any]:
    """The options of the attributes and the records of a part."""
    own = dict(given)
    for name, value in given.items():
        if value is None:
            continue
        match options[name].per:
            case "record":
                own[name] = [value[record] for record in part.records]
            case "attribute":
                own[name] = {n: one for n, one in value.items() if n not in part.lacking}
            case "block":
                kept = [[n for n in block if n not in part.lacking] for block in value]
                own[name] = [block for block in kept if block]
    if part.names:
        own["quasi_identifiers"] = part.names
    return own


def checked_labels(given: Mapping[str, object], options: Options, n: int) -> dict[str, object]:
    """The options, in which those of records and blocks are lists.

    Raises ShapeMismatch, InvalidParameter, InvalidBlocks.
    """
    checked = dict(given)
    for name, value in given.items():
        if value is not None and options[name].per == "record":
            checked[name] = labels_of(value, n, name)
        if value is not None and options[name].per == "block":
            checked[name] = named_blocks(value)
    return checked
