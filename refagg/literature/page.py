"""The ledger as a page.

It goes document by document and table by table, each cell with its verdict.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from refagg.language.lists import by_key
from refagg.literature import verdicts

MARKS: Mapping[str, tuple[str, str]] = {
    verdicts.EXACT: ("=", "good"),
    verdicts.CLAIM_TRUE: ("=", "good"),
    verdicts.TRUNCATED: ("\N{ALMOST EQUAL TO}", "near"),
    verdicts.ROUNDING: ("\N{ALMOST EQUAL TO}", "near"),
    verdicts.WITHIN: ("~", "near"),
    verdicts.NOISE: ("~", "near"),
    verdicts.MISPRINT: ("!", "theirs"),
    verdicts.CLAIM_FALSE: ("!", "theirs"),
    verdicts.DIFFERS: ("\N{NOT EQUAL TO}", "other"),
    verdicts.NOT_PRINTED: ("\N{EN DASH}", "none"),
    verdicts.NO_READING: ("\N{NOT EQUAL TO}", "other"),
    verdicts.NO_DATA: ("?", "none"),
}
"""A sign and a colour for each verdict; the sign says it without the colour."""

ACROSS = {("RB", "Table 1"), ("SMB06", "Table 1"), ("UOC16", "Cuadro 1"), ("UOC16", "Cuadro 2")}
"""Tables that are printed with a column for each k."""

BESIDE = "IL"
"""What is printed in brackets in the cell of another number, in such tables."""

WIDE = {("MBS+", "Table 2"): 2}
"""Tables whose columns are named by the last two parts of a place."""

STYLE = """
:root { color-scheme: light dark; --line: #8885; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: .5rem 0 1.5rem; }
th, td { border: 1px solid var(--line); padding: .2rem .5rem; text-align: right; }
th, td.words { font-weight: 600; text-align: left; }
td.words { font-weight: 400; }
td small, td span { display: block; }
td span { margin: 0 -.5rem; padding: 0 .5rem; }
.statements td { min-width: 14rem; }
:root { --good: #d8f0dd; --near: #f6ecd2; --theirs: #eae0fb; --other: #fbdcdf; --none: #e6e6e6; }
@media (prefers-color-scheme: dark) {
  :root { --good: #12351c; --near: #3a2e0c; --theirs: #2e2050; --other: #4a1a1f; --none: #333; }
  body { background: #14171c; color: #e8e8e8; }
}
.good { background: var(--good); } .near { background: var(--near); }
.theirs { background: var(--theirs); } .other { background: var(--other); }
.none { background: var(--none); }
"""


INCOMPLETE = "The command was interrupted: results that it had not computed are missing."


def ledger_page(
    rows: Iterable[verdicts.LedgerRow], references: Mapping[str, str], complete: bool = True
) -> str:
    """Return the page of these ledger rows.

    `references` are the full ones of the sources, by key. If it is not `complete`, as the command
    was interrupted, the page says so.
    """
    kept = list(rows)
    legend = "".join(
        f'<tr><td class="{colour}">{sign}</td><th scope="row">{escape(verdict)}</th>'
        f'<td>{count}</td><td class="words">{escape(meaning)}</td></tr>'
        for (sign, colour), verdict, count, meaning in _legend(kept)
        if count
    )
    sources = dict.fromkeys(row.source for row in kept)
    parts = [
        _document(key, references.get(key, ""), [row for row in kept if row.source == key])
        for key in sources
    ]
    warning = "" if complete else f"<p><strong>{INCOMPLETE}</strong></p>\n"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Published results</title><style>{STYLE}</style></head><body><main>\n"
        f"<h1>Published results, recomputed</h1>\n{warning}"
        "<p>Each cell has the printed number, the sign of its verdict and, if it differs, our "
        "number below. A note appears when the pointer rests on its cell, and is listed below "
        f'the table.</p>\n<div class="wide" tabindex="0"><table>{legend}</table></div>\n'
        + "\n".join(parts)
        + "</main></body></html>\n"
    )


def _legend(rows: Sequence[verdicts.LedgerRow]) -> Iterator[tuple[tuple[str, str], str, int, str]]:
    """The mark, the verdict, how many have it, and what it says."""
    counts = Counter(row.verdict for row in rows)
    for verdict, meaning in verdicts.VERDICTS.items():
        yield MARKS[verdict], verdict, counts[verdict], meaning


def _document(key: str, reference: str, rows: Sequence[verdicts.LedgerRow]) -> str:
    tables = by_key((row.place.partition(", ")[0], row) for row in rows)
    shown = "\n".join(_table(name, cells) for name, cells in tables.items())
    return f"<section><h2>{escape(key)}</h2><p>{escape(reference)}</p>\n{shown}</section>"


def _table(name: str, rows: Sequence[verdicts.LedgerRow]) -> str:
    """A printed table, then the statements about it, then the notes."""
    statements = [row for row in rows if is_statement(row)]
    numbers = [row for row in rows if not is_statement(row)]
    shown = [_grid(lines) for lines in grids(numbers)]
    if statements:
        shown.append(_statements(name, statements))
    notes = dict.fromkeys(row.note for row in rows if row.note)
    listed = "".join(f"<li>{escape(note)}</li>" for note in notes)
    counted = f"{len(notes)} note{'s' * (len(notes) > 1)}"
    below = f"<details><summary>{counted}</summary><ul>{listed}</ul></details>"
    return f"<h3>{escape(name)}</h3>\n" + "".join(shown) + (below if notes else "")


def is_statement(row: verdicts.LedgerRow) -> bool:
    """Return True for a statement in words.

    Without data the verdict does not show this, but the text does.
    """
    in_words = row.verdict == verdicts.NO_DATA and re.match(r"[A-Za-z]+ ", row.printed)
    return row.verdict in (verdicts.CLAIM_TRUE, verdicts.CLAIM_FALSE) or bool(in_words)


Lines = Mapping[str, Mapping[str, Sequence[verdicts.LedgerRow]]]
"""The cells of a table by line and column; numbers that are printed together are in one."""


def grids(rows: Sequence[verdicts.LedgerRow]) -> list[Lines]:
    """Divide a table's lines into grids with few empty cells.

    Lines with other columns are in another grid.
    """
    lines: dict[str, dict[str, list[verdicts.LedgerRow]]] = {}
    for row in rows:
        line, column = cell_of(row)
        lines.setdefault(line, {}).setdefault(column, []).append(row)
    if rows and _key(rows[0]) in ACROSS:  # the lines of a data set stand together
        first = list(dict.fromkeys(line.partition(", ")[0] for line in lines))
        lines = dict(sorted(lines.items(), key=lambda of: first.index(of[0].partition(", ")[0])))
    apart: list[dict[str, dict[str, list[verdicts.LedgerRow]]]] = []
    for line, cells in lines.items():
        columns = [{column for other in of.values() for column in other} for of in apart]
        fit = [of for of, known in zip(apart, columns, strict=True) if set(cells) <= known]
        if not fit:
            apart.append({})
        (fit or apart[-1:])[0][line] = cells
    return list(apart)


def cell_of(row: verdicts.LedgerRow) -> tuple[str, str]:
    """Return the line and the column of a number.

    The column is what its place ends with. Of tables that are printed so, the column is that of k,
    a pair in brackets is a line and a column, or the last two parts are the column.

    >>> place = "Table 1, EIA, k=3, MDAV, IL"
    >>> cell_of(verdicts.LedgerRow("RB", place, "0.4829", "0.4829", "exact", "", ""))
    ('EIA, MDAV', 'k=3')
    """
    rest = row.place.partition(", ")[2]
    if square := re.fullmatch(r"\((\w+),(\w+)\)", rest):
        return square[1], square[2]
    parts = rest.split(", ")
    if _key(row) in ACROSS:
        k = next((part for part in parts if part.startswith("k=")), parts[-1])
        return ", ".join(part for part in parts if part not in (k, BESIDE)), k
    width = WIDE.get(_key(row), 1)
    return ", ".join(parts[:-width]), ", ".join(parts[-width:])


def _key(row: verdicts.LedgerRow) -> tuple[str, str]:
    return row.source, row.place.partition(", ")[0]


def _grid(lines: Lines) -> str:
    columns = list(dict.fromkeys(column for line in lines.values() for column in line))
    head = "".join(f'<th scope="col">{escape(column) or "number"}</th>' for column in columns)
    body = "".join(
        f'<tr><th scope="row">{escape(line) or "all"}</th>'
        + "".join(_cell(cells.get(column, ())) for column in columns)
        + "</tr>\n"
        for line, cells in lines.items()
    )
    return (
        '<div class="wide" tabindex="0"><table>'
        f"<thead><tr><td></td>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>\n"
    )


def _statements(name: str, rows: Sequence[verdicts.LedgerRow]) -> str:
    body = "".join(
        f'<tr><th scope="row">{escape(row.place.partition(", ")[2] or name)}</th>'
        f'<td class="words {_colour(row)}" title="{_title(row)}">{_text(row)}</td></tr>\n'
        for row in rows
    )
    return f'<div class="wide" tabindex="0"><table class="statements">{body}</table></div>\n'


def _cell(rows: Sequence[verdicts.LedgerRow]) -> str:
    """A printed cell; what stands beside a number is in brackets."""
    if len(rows) == 1:
        return f'<td class="{_colour(rows[0])}" title="{_title(rows[0])}">{_text(rows[0])}</td>'
    return (
        "<td>"
        + "".join(
            f'<span class="{_colour(row)}" title="{_title(row)}">{_text(row, number > 0)}</span>'
            for number, row in enumerate(rows)
        )
        + "</td>"
    )


def _colour(row: verdicts.LedgerRow) -> str:
    return MARKS[row.verdict][1]


def _title(row: verdicts.LedgerRow) -> str:
    return escape(f"{row.verdict}. {row.note}".strip(), quote=True)


def _text(row: verdicts.LedgerRow, beside: bool = False) -> str:
    ours = "" if row.ours in (None, row.printed) else f"<small>{escape(row.ours or '')}</small>"
    printed = f"({row.printed})" if beside else row.printed
    return f"{escape(printed)}\N{NO-BREAK SPACE}{MARKS[row.verdict][0]}{ours}"
