"""The ledger as a page: document by document, table by table, each cell with its verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from refagg.literature.verdicts import (
    CLAIM_FALSE,
    CLAIM_TRUE,
    DIFFERS,
    EXACT,
    MISPRINT,
    NO_DATA,
    NOISE,
    NOT_REPRODUCIBLE,
    ROUNDING,
    TRUNCATED,
    VERDICTS,
    WITHIN,
    LedgerRow,
)

MARKS: Mapping[str, tuple[str, str]] = {
    EXACT: ("=", "good"),
    CLAIM_TRUE: ("=", "good"),
    TRUNCATED: ("\N{ALMOST EQUAL TO}", "near"),
    ROUNDING: ("\N{ALMOST EQUAL TO}", "near"),
    WITHIN: ("~", "near"),
    NOISE: ("~", "near"),
    MISPRINT: ("!", "theirs"),
    CLAIM_FALSE: ("!", "theirs"),
    DIFFERS: ("\N{NOT EQUAL TO}", "other"),
    NOT_REPRODUCIBLE: ("\N{NOT EQUAL TO}", "other"),
    NO_DATA: ("?", "none"),
}
"""A sign and a colour for each verdict; the sign says it without the colour."""

STYLE = """
:root { color-scheme: light dark; --line: #8885; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: .5rem 0 1.5rem; }
th, td { border: 1px solid var(--line); padding: .2rem .5rem; text-align: right; }
th, td.words { font-weight: 600; text-align: left; }
td.words { font-weight: 400; }
td small { display: block; }
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


def page(rows: Iterable[LedgerRow], references: Mapping[str, str], complete: bool = True) -> str:
    """The page of these rows; `references` are the full ones of the sources, by key.

    If it is not `complete`, as the command was interrupted, the page says so.
    """
    kept = list(rows)
    counts = Counter(row.verdict for row in kept)
    legend = "".join(
        f'<tr><td class="{MARKS[verdict][1]}">{MARKS[verdict][0]}</td><th scope="row">'
        f"{escape(verdict)}</th><td>{counts[verdict]}</td>"
        f'<td class="words">{escape(meaning)}</td></tr>'
        for verdict, meaning in VERDICTS.items()
        if counts[verdict]
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


def _document(key: str, reference: str, rows: Sequence[LedgerRow]) -> str:
    tables: dict[str, list[LedgerRow]] = {}
    for row in rows:
        tables.setdefault(row.place.partition(", ")[0], []).append(row)
    shown = "\n".join(_table(name, cells) for name, cells in tables.items())
    return f"<section><h2>{escape(key)}</h2><p>{escape(reference)}</p>\n{shown}</section>"


def _table(name: str, rows: Sequence[LedgerRow]) -> str:
    """A printed table: what a place ends with is its column, what stands before it its row."""
    grid: dict[str, dict[str, LedgerRow]] = {}
    for row in rows:
        line, _, column = row.place.partition(", ")[2].rpartition(", ")
        grid.setdefault(line, {})[column] = row
    columns = list(dict.fromkeys(column for line in grid.values() for column in line))
    head = "".join(f'<th scope="col">{escape(column) or "number"}</th>' for column in columns)
    body = "".join(
        f'<tr><th scope="row">{escape(line) or "all"}</th>'
        + "".join(_cell(cells.get(column)) for column in columns)
        + "</tr>\n"
        for line, cells in grid.items()
    )
    notes = dict.fromkeys(row.note for row in rows if row.note)
    listed = "".join(f"<li>{escape(note)}</li>" for note in notes)
    counted = f"{len(notes)} note{'s' * (len(notes) > 1)}"
    below = f"<details><summary>{counted}</summary><ul>{listed}</ul></details>"
    return (
        f'<h3>{escape(name)}</h3>\n<div class="wide" tabindex="0"><table>'
        f"<thead><tr><td></td>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>"
        + (below if notes else "")
    )


def _cell(row: LedgerRow | None) -> str:
    if row is None:
        return "<td></td>"
    sign, colour = MARKS[row.verdict]
    title = escape(f"{row.verdict}. {row.note}".strip(), quote=True)
    ours = "" if row.ours in (None, row.printed) else f"<small>{escape(row.ours or '')}</small>"
    return f'<td class="{colour}" title="{title}">{escape(row.printed)} {sign}{ours}</td>'
