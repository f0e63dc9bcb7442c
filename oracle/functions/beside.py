"""What stands in two frames beside the quasi-identifiers: the key, and other columns."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from oracle.auditing.driver import Check
from oracle.auditing.other_columns import (
    Keyed,
    checked_may_change,
    order_by_key,
    other_checks,
    text_of,
)
from refagg.data.foreign import check_order, named_rows, taken
from refagg.data.tables import Table, check_columns, complete_records
from refagg.errors import InvalidParameter


def others_of(data: Any, without: Collection[str] = ()) -> dict[str, list[Any]]:
    """Return the columns of a table by name, but for some; none if they have no names."""
    if isinstance(data, Table):
        return {}
    header, rows = named_rows(data)
    names = [] if header is None else header
    return {
        name: [row[place] for row in rows]
        for place, name in enumerate(names)
        if name not in without
    }


def names_of(data: Any) -> list[str] | None:
    """Return the names of the columns of a table; None if they have none."""
    return list(data.names) if isinstance(data, Table) else named_rows(data)[0]


def names_judged(
    original: Any, released: Any, chosen: Sequence[str] | None, key: str | None
) -> Sequence[str] | None:
    """Return the quasi-identifiers: those chosen, or all that both tables have, but for the key.

    None stands for all columns. Raises InvalidParameter.
    """
    if chosen is not None:
        if key is not None and key in chosen:
            raise InvalidParameter(f"column {key!r} is a quasi-identifier and the key at once")
        return chosen
    ours, theirs = names_of(original), names_of(released)
    if ours is None or theirs is None:
        return None
    left = [name for name in ours if name != key]
    return [name for name in left if name in theirs] or left


def in_order(original: Any, released: Any, key: str | None) -> Any:
    """Return the release in the order of the original, by the key if there is one.

    Raises UnknownColumn, DuplicateKey, UnmatchedKey; without a key ShuffledIndex.
    """
    if key is None:
        check_order(original, released)
        return released
    keyed = []
    for data, table in ((original, "the original"), (released, "the release")):
        columns = others_of(data)
        check_columns([key], list(columns), table)
        cells = list(map(text_of, columns[key]))
        keyed.append(Keyed(cells, table, "record", range(len(cells))))
    return taken(released, order_by_key(key, *keyed))


def whole_records(original: Any, given: Mapping[str, Any]) -> Any:
    """Return the records of the original that lack no quasi-identifier."""
    return taken(original, complete_records(original, given["quasi_identifiers"], given["kinds"]))


def checks_beside(
    original: Any, released: Any, names: Sequence[str] | None, may_change: Any
) -> list[Check]:
    """Return the checks of the columns that are no quasi-identifiers, of tables in one order."""
    judged = list(names or names_of(original) or ())
    chosen = checked_may_change(may_change, names_of(original) or judged, judged)
    ours, theirs = (others_of(data, judged) for data in (original, released))
    return other_checks(ours, theirs, chosen)
