"""Releases of records that lack values: those that lack the same are a table of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from refagg.data.foreign import named_rows, rebuilt
from refagg.data.missing import (
    APART,
    Part,
    check_apart,
    check_same_cells,
    pattern_facts,
    patterns_of,
)
from refagg.data.tables import Table
from refagg.errors import InvalidParameter, ShapeMismatch
from refagg.language.lists import listed
from refagg.language.partition import Partition, check_k
from refagg.language.specification import Specification

if TYPE_CHECKING:
    from refagg.release.masking import Release


@dataclass(frozen=True, slots=True, repr=False)
class ReleaseApart:
    """What `microaggregate` makes with `missing` "group-apart"."""

    parts: tuple[tuple[Part, Release | None], ...]
    """The records with the same attributes, with their release; None where they have none."""
    names: tuple[str, ...]
    """All quasi-identifiers."""
    k: int
    source: Any = field(repr=False, compare=False)

    def to_frame(self, exact: bool = False) -> Any:
        """As of `Release`; what is missing in the data is missing in it."""
        if isinstance(self.source, Table):  # lacks nothing
            [(_, whole)] = self.parts
            return whole and whole.values(exact)
        found, rows = named_rows(self.source)
        header = list(self.names) if found is None else found
        columns = {name: [row[header.index(name)] for row in rows] for name in self.names}
        for part, release in self.parts:
            values = release.values(exact) if release else {}
            for name, column in values.items():
                for record, value in zip(part.records, column, strict=True):
                    columns[name][record] = value
        return rebuilt(self.source, columns)

    @property
    def partition(self) -> Partition:
        """The groups of all records. Raises InvalidBlocks where attributes are in several blocks.

        Records that lack all attributes are one group.
        """
        groups = [
            [part.records[member] for member in group]
            for part, release in self.parts
            for group in (release.partition.groups if release else [range(len(part.records))])
        ]
        return Partition.of(groups, sum(len(part.records) for part, _ in self.parts))

    @property
    def k_reached(self) -> int:
        """How many records share what they have and what they lack with the fewest others."""
        return min(r.k_reached if r else len(part.records) for part, r in self.parts)

    def report(self) -> dict[str, Any]:
        """As `refagg mask --json` writes it: of each part; its records count from 0."""
        reports = [
            {"lacking": list(part.lacking)}
            | (r.report() if r else {"records": len(part.records), "k_reached": len(part.records)})
            for part, r in self.parts
        ]
        found = pattern_facts(APART, [part for part, _ in self.parts])
        return {"k": self.k, "k_reached": self.k_reached, "parts": reports, "missing": found}

    def __repr__(self) -> str:
        titles = "; ".join(part.title for part, _ in self.parts)
        return f"<ReleaseApart, k = {self.k}, k reached {self.k_reached}: {titles}>"


def masked_apart(
    data: Any,
    k: Any,
    names: Sequence[str] | None,
    mask: Callable[..., Any],
    of_attributes: Mapping[str, Any],
    of_records: Mapping[str, Any],
) -> ReleaseApart:
    """The release of each pattern of missing cells.

    `mask` is given the data of one, and the options of the attributes and records in it.
    Raises KTooLarge for a pattern that fewer than k records have.
    """
    wanted, parts = patterns_of(data, names, of_attributes["kinds"])
    n = sum(len(part.records) for part in parts)
    k, of_records = check_k(k, n), checked_labels(of_records, n)
    check_apart(parts, k, 'missing="drop"')
    made = []
    for part in parts:
        own = options_of(part, of_attributes) | of_part(part, of_records)
        rows = records_of(data, wanted, part)
        made.append(
            (part, mask(rows, k, quasi_identifiers=part.names, **own) if part.names else None)
        )
    return ReleaseApart(tuple(made), tuple(wanted), k, data)


def check_groups(specification: Specification, instead: str) -> None:
    """Raise InvalidParameter for an algorithm that forms no groups.

    It would draw the same deviations for each pattern of missing cells, and these could be
    computed from two records that have the same ones.
    """
    if specification.yields == "deviations":
        raise InvalidParameter(
            f"{specification.name} forms no groups, so group-apart does not apply; "
            f"leave out the records that lack values with {instead}"
        )


def measured_apart(
    original: Sequence[Part], released: Sequence[Part], measure: Callable[[Part], dict[str, Any]]
) -> dict[str, Any]:
    """A report of what each part loses and discloses; its records count from 0.

    Raises MissingValue for a cell that is missing in one of both only.
    """
    check_same_cells(original, released)
    reports: list[dict[str, Any]] = [
        {"lacking": list(part.lacking), "records": len(part.records)}
        | (measure(part) if part.names else {"k_reached": len(part.records)})
        for part in original
    ]
    reached = min(report["k_reached"] for report in reports)
    return {"k_reached": reached, "parts": reports, "missing": pattern_facts(APART, original)}


def patterns_of_both(
    tables: tuple[Any, Any], names: Sequence[str] | None, kinds: Mapping[str, str] | None
) -> tuple[list[str], list[Part], list[Part]]:
    """The quasi-identifiers, and the patterns of missing cells of both. Raises ShapeMismatch."""
    wanted, ours = patterns_of(tables[0], names, kinds)
    _, theirs = patterns_of(tables[1], wanted, kinds)
    n, m = (sum(len(part.records) for part in parts) for parts in (ours, theirs))
    if n != m:
        raise ShapeMismatch(f"the original has {n} records, the release has {m}")
    return wanted, ours, theirs


def records_of(data: Any, wanted: Sequence[str], part: Part) -> Any:
    """The records of a part, without what they lack; `wanted` are the names of data without."""
    if isinstance(data, Table):
        return data
    found, rows = named_rows(data)
    header = wanted if found is None else found
    places = {name: place for place, name in enumerate(header) if name not in part.lacking}
    return {name: [rows[r][place] for r in part.records] for name, place in places.items()}


def options_of(part: Part, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options that name attributes (blocks, kinds, weights), without those that are lacking."""
    return {
        name: [block for one in value if (block := [n for n in one if n not in part.lacking])]
        if name == "blocks"
        else {n: weight for n, weight in value.items() if n not in part.lacking}
        for name, value in given.items()
        if value is not None
    }


def of_part(part: Part, labels: Mapping[str, list[Any] | None]) -> dict[str, list[Any] | None]:
    """The labels of the records of a part."""
    return {name: one and [one[r] for r in part.records] for name, one in labels.items()}


def checked_labels(given: Mapping[str, Any], n: int) -> dict[str, list[Any] | None]:
    """Labels of n records, as lists. Raises ShapeMismatch, InvalidParameter."""
    return {what: labels_of(labels, n, what) for what, labels in given.items()}


def labels_of(labels: Any, n: int, what: str) -> list[Any] | None:
    """The same of one kind of labels; None if there are none."""
    if labels is None:
        return None
    what = what.replace("_", " ")
    found = listed(labels, f"the {what} are", "give a list with one for each record")
    if len(found) != n:
        raise ShapeMismatch(f"there are {len(found)} {what} for {n} records")
    return found


def check_nothing_whole(policy: str, **given: Any) -> None:
    """Raise InvalidParameter for an option that a policy for missing values cannot have."""
    for name, value in given.items():
        if is_given(value):
            raise InvalidParameter(f"{name} does not apply with missing={policy!r}")


def is_given(value: Any) -> bool:
    """Return False for None, False, and what is empty."""
    empty = isinstance(value, (str, Sequence, Mapping)) and not value
    return value is not None and value is not False and not empty
