"""Arguments of public functions: two tables, other columns, and values.

The other columns are those that stand beside the attributes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from oracle.auditing import other_columns
from oracle.auditing.driver import Check
from refagg.data.csvfiles import Sheet
from refagg.data.foreign import check_order, named_rows, taken
from refagg.data.tables import Table, check_columns
from refagg.errors import InvalidParameter
from refagg.language.lists import listed
from refagg.language.partition import Partition
from refagg.options.readers import exact
from refagg.release.evaluation import Groups, partition_of
from refagg.release.partition_files import read_partition

Algorithm = str | Callable[..., Any]
"""A name of the catalogue, or its function, as `refagg.mdav`."""


def tolerance_of(given: object) -> Fraction | None:
    """Return a tolerance, if there is one. Raises InvalidParameter."""
    if given is None:
        return None
    tolerance = exact(given, "tolerance")
    if not 0 <= tolerance < 1:
        raise InvalidParameter(f"tolerance is {given}; it must be at least 0 and less than 1")
    return tolerance


def others_of(data: object, without: Collection[str] = ()) -> dict[str, list[Any]]:
    """Return the columns of a table by name, except those in `without`.

    A table without names has none.
    """
    if isinstance(data, Table):
        return {}
    header, rows = named_rows(data)
    return {
        name: [row[place] for row in rows]
        for place, name in enumerate(header or ())
        if name not in without
    }


def names_of_columns(data: object) -> list[str] | None:
    """Return the column names of a table; None if it has none."""
    return list(data.names) if isinstance(data, Table) else named_rows(data)[0]


def names_outside(given: Mapping[str, Any]) -> dict[str, str]:
    """Return the columns named in other roles than quasi-identifier.

    Each comes with its role.
    """
    confidential, key = given["confidential"] or (), given.get("key")
    named = () if isinstance(confidential, Mapping) else confidential
    return dict.fromkeys(named, "confidential") | ({} if key is None else {key: "the key"})


def confidential_of(given: object, released: object, kinds: object) -> dict[str, Sequence[Any]]:
    """Return the confidential columns.

    If only names are given, they are columns of the release, in which decimal commas are read
    unless `kinds` declares other than numbers. Raises UnknownColumn, DuplicateColumn.
    """
    if given is None or isinstance(given, Mapping):
        return dict(given or {})
    names = listed(given, "the confidential columns are", "give their names")
    if not names:
        return {}
    columns = others_of(released)
    check_columns(names, list(columns), "the release")
    found: dict[str, Sequence[Any]] = {name: columns[name] for name in names}
    if isinstance(released, Sheet) and (mark := released.how.decimal) != ".":
        declared = kinds if isinstance(kinds, Mapping) else {}
        for name in [name for name in names if declared.get(name, "numeric") == "numeric"]:
            numbers = [other_columns.value_of(cell, mark) for cell in found[name]]
            pairs = zip(numbers, found[name], strict=True)
            found[name] = [one if isinstance(one, Fraction) else text for one, text in pairs]
    return found


def given_groups(partition: Groups | Path, n: int) -> Partition:
    """Return the groups that are given, or read from a file.

    Raises InvalidPartition.
    """
    if isinstance(partition, Path):
        return read_partition(partition, n)
    return partition_of(partition, n)


def names_judged(
    original: object, released: object, chosen: Sequence[str] | None, outside: Mapping[str, str]
) -> Sequence[str] | None:
    """Return the quasi-identifiers.

    They are the chosen ones, or those that both tables have, except those in `outside`. None stands
    for all columns. Raises InvalidParameter.
    """
    if chosen is not None:
        for name, what in outside.items():
            if name in chosen:
                raise InvalidParameter(f"column {name!r} is a quasi-identifier and {what} at once")
        return chosen
    ours, theirs = names_of_columns(original), names_of_columns(released)
    if ours is None or theirs is None:
        return None
    left = [name for name in ours if name not in outside]
    return [name for name in left if name in theirs] or left


def ordered_by_key(original: object, released: object, key: str | None) -> Any:
    """Return the release in the order of the original.

    The key gives the order, if there is one. Raises UnknownColumn, DuplicateKey, UnmatchedKey;
    without a key ShuffledIndex.
    """
    if key is None:
        check_order(original, released)
        return released
    keyed = []
    for data, table in ((original, "the original"), (released, "the release")):
        if isinstance(data, Sheet):
            keyed.append(other_columns.Keyed(data.column(key), str(data.path), "line", data.lines))
            continue
        columns = others_of(data)
        check_columns([key], list(columns), table)
        cells = list(map(other_columns.cell_as_text, columns[key]))
        keyed.append(other_columns.Keyed(cells, table, "record", range(len(cells))))
    return taken(released, other_columns.order_by_key(key, *keyed))


def checks_beside(
    original: object, released: object, names: Sequence[str] | None, may_change: object
) -> list[Check]:
    """Return the checks of the columns that are no quasi-identifiers.

    Both tables have to be in one order.
    """
    judged = list(names or names_of_columns(original) or ())
    ours, theirs = (others_of(data, judged) for data in (original, released))
    if not ours and not theirs and not may_change:
        return []
    chosen = other_columns.checked_may_change(
        may_change, names_of_columns(original) or judged, judged
    )
    decimal = original.how.decimal if isinstance(original, Sheet) else "."
    return other_columns.other_checks(ours, theirs, chosen, decimal)
