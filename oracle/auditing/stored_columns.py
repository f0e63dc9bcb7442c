"""The other columns of two files in a store; cells whose texts differ are compared as elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from oracle.auditing.checks import Check
from oracle.auditing.other_columns import (
    ADDED,
    CHANGED,
    DROPPED,
    OtherColumn,
    judged,
    same,
    told,
)
from oracle.auditing.stored_files import Store, Wanted, joined, unescaped
from refagg.data.identifiers import LOOKED_AT, hint_of


def stored_checks(
    store: Store, wanted: tuple[Wanted, Wanted], n: int, may_change: Collection[str]
) -> list[Check]:
    """Return the checks of the other columns of the tables `o` and `r`, which go away."""
    ours, theirs = (own.others for own in wanted)
    hints = _hints(store, "o", ours, n)
    differing = _differing(store, wanted)
    columns = []
    for name in ours:
        if name not in theirs:
            columns.append(OtherColumn(name, DROPPED, hints[name]))
            continue
        cells = _cells(store, wanted, name) if differing[name] else iter(())
        columns.append(_numbered(store, judged(name, hints[name], cells, may_change)))
    added = [name for name in theirs if name not in ours]
    hints = _hints(store, "r", theirs, n) if added else {}
    columns += [OtherColumn(name, ADDED, hints[name]) for name in added]
    moved = any(column.state == CHANGED for column in columns)
    checks = told(columns, n, moved and _same_rows(store, wanted))
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


def _places(wanted: tuple[Wanted, Wanted], name: str) -> tuple[str, str]:
    """Return the columns of the tables that have this name in both files."""
    return f"s{wanted[0].others.index(name)}", f"t{wanted[1].others.index(name)}"


def _differing(store: Store, wanted: tuple[Wanted, Wanted]) -> dict[str, int]:
    """Return for each column of both files in how many records its texts differ."""
    names = [name for name in wanted[0].others if name in wanted[1].others]
    if not names:
        return {}
    pairs = [_places(wanted, name) for name in names]
    counts = ", ".join(f"count(CASE WHEN {s} <> {t} THEN 1 END)" for s, t in pairs)
    [found] = store.rows(f"SELECT {counts} FROM {joined(wanted[0].key)}")
    return dict(zip(names, found, strict=True))


def _cells(
    store: Store, wanted: tuple[Wanted, Wanted], name: str
) -> Iterator[tuple[int, str, str]]:
    """Yield the cells of a column whose values differ, with their records, in any order."""
    s, t = _places(wanted, name)
    query = f"SELECT {store.record}, {s}, {t} FROM {joined(wanted[0].key)} WHERE {s} <> {t}"
    for record, before, after in store.streamed(query):
        ours, theirs = unescaped(before), unescaped(after)
        if not same(ours, theirs):
            yield record, ours, theirs


def _numbered(store: Store, column: OtherColumn) -> OtherColumn:
    """Return the column with its records numbered as in the original."""
    if not column.cells:
        return column
    numbers = store.numbered([record for record, _, _ in column.cells])
    cells = [(r, *cell[1:]) for r, cell in zip(numbers, column.cells, strict=True)]
    return OtherColumn(column.name, column.state, column.hint, tuple(cells), column.number)


def _same_rows(store: Store, wanted: tuple[Wanted, Wanted]) -> bool:
    """Return True if the columns of both files have the same rows, in any order."""
    pairs = [_places(wanted, name) for name in wanted[0].others if name in wanted[1].others]
    ours, theirs = (", ".join(column) for column in zip(*pairs, strict=True))
    counted = "SELECT {0}, count(*) FROM {1} GROUP BY {0}"
    query = f"{counted.format(ours, 'o')} EXCEPT {counted.format(theirs, 'r')}"
    return store.rows(f"SELECT count(*) FROM ({query}) AS missed") == [(0,)]
