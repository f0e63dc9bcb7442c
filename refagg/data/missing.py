"""Missing values in files: what is done about them is named, and never done silently.

- reject: a missing value is an error, with its place;
- drop: records that lack a value are left out of the release;
- group-apart: records that lack the same values are masked as a table of their own, of the
  attributes that they have; what they lack stays missing;
- as-released: for audits only, nothing is said about how they were treated.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from refagg.data.csvfiles import Sheet
from refagg.errors import EmptyTable

REJECT, DROP, APART, AS_RELEASED = "reject", "drop", "group-apart", "as-released"


@dataclass(frozen=True, slots=True)
class Part:
    """Records of a file that have values of the same attributes; `lacking` are those without."""

    records: Sequence[int]
    names: tuple[str, ...]
    lacking: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What the records lack, for a reader."""
        what = f"without {', '.join(self.lacking)}" if self.lacking else "with all values"
        return f"{len(self.records)} record{'s' * (len(self.records) > 1)} {what}"


def patterns(sheet: Sheet, names: Sequence[str], texts: Collection[str] = ()) -> list[Part]:
    """The records by what they lack; those that lack nothing first. `texts` are no numbers."""
    lacks = [sheet.lacks(name, name not in texts) for name in names]
    found: dict[tuple[bool, ...], list[int]] = {}
    for record, pattern in enumerate(zip(*lacks, strict=True)):
        found.setdefault(pattern, []).append(record)
    ordered = sorted(found, key=lambda pattern: (any(pattern), found[pattern][0]))
    return [_part(found[pattern], names, pattern) for pattern in ordered]


def _part(records: Sequence[int], names: Sequence[str], pattern: Sequence[bool]) -> Part:
    both = list(zip(names, pattern, strict=True))
    return Part(
        records, tuple(n for n, lacks in both if not lacks), tuple(n for n, lacks in both if lacks)
    )


def parts_of(
    sheet: Sheet, names: Sequence[str], policy: str, texts: Collection[str] = ()
) -> list[Part]:
    """The records that are masked together, by the policy. Raises EmptyTable if drop leaves none.

    With reject these are all, whatever they lack: reading them raises MissingValue.
    """
    if policy == REJECT:
        return [Part(range(len(sheet.rows)), tuple(names))]
    found = patterns(sheet, names, texts)
    if policy != DROP:
        return found
    if found[0].lacking:
        raise EmptyTable(f"{sheet.path}: every record lacks a value; --missing drop leaves none")
    return found[:1]


def dropped(sheet: Sheet, part: Part) -> list[int]:
    """The records that are not in this part, the only one."""
    kept = set(part.records)
    return [record for record in range(len(sheet.rows)) if record not in kept]


def missing_facts(sheet: Sheet, policy: str, parts: Sequence[Part]) -> dict[str, Any]:
    """For a report: the policy, what was left out, and what is apart. Records count from 0."""
    facts: dict[str, Any] = {"policy": policy}
    if policy == DROP:
        facts["dropped"] = dropped(sheet, parts[0])
    if policy == APART:
        facts["patterns"] = [
            {"lacking": list(part.lacking), "records": list(part.records)} for part in parts
        ]
    return facts


def missing_line(sheet: Sheet, policy: str, parts: Sequence[Part]) -> str:
    """The same in a line."""
    if policy == DROP:
        gone = dropped(sheet, parts[0])
        named = f": {listed_records(gone)}" if gone else ""
        return f"missing values: drop: {len(gone)} of {len(sheet.rows)} records left out{named}"
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
