"""Picture of the table of the field.

It is SVG for light and dark, with words beside the colours.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from oracle.conformance.field.pages import claim_text, programs, summary, verdict
from oracle.conformance.field.results import Result

ROW, WIDTH = 19, 920
COLUMNS = (14, 352, 470, 735)
"""Where program, language, claim and verdict begin."""

COLOURS = {
    "not k-anonymous": "bad",
    "wrong": "bad",
    "another published variant": "other",
    "documented difference": "other",
    "refuses": "other",
    "accepts invalid input": "other",
    "nothing found": "good",
    "not judged": "faint",
}

STYLE = """
svg { background: #fff; font: 12.5px system-ui, sans-serif; }
text { fill: #1f2328; } .faint { fill: #59636e; } line { stroke: #d1d9e0; }
.bad { fill: #b42318; } .other { fill: #8a5a00; } .good { fill: #1a7f37; }
@media (prefers-color-scheme: dark) {
  svg { background: #0d1117; }
  text { fill: #e6edf3; } .faint { fill: #9198a1; } line { stroke: #3d444d; }
  .bad { fill: #ff8a80; } .other { fill: #e3b341; } .good { fill: #56d364; }
}
"""


def field_picture(results: Sequence[Result]) -> str:
    """Return the table as SVG.

    >>> print(field_picture([])[:22])
    <svg xmlns="http://www
    """
    rows = [
        (
            f"{known['name']} {known['version']}",
            known["language"],
            claim_text(asked),
            verdict(asked),
        )
        for result in programs(results)
        for known in [result["implementation"]]
        for asked in result["asked"]
    ]
    lines = [_row(("program", "language", "claims to be", "verdict"), 0, ["faint"] * 4)]
    for number, row in enumerate(rows, 1):
        lines.append(_row(row, number, ["", "faint", "", COLOURS[row[3]]]))
    height = ROW * (len(rows) + 1) + 14
    about = escape(summary(results))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="The state of the field">\n<title>The state of the field</title>\n'
        f"<desc>{about}</desc>\n<style>{STYLE}</style>\n" + "\n".join(lines) + "\n</svg>\n"
    )


def _row(cells: Sequence[str], number: int, classes: Sequence[str]) -> str:
    y = ROW * (number + 1)
    texts = [
        f'<text x="{x}" y="{y}" class="{kind}">{escape(cell)}</text>'
        for x, cell, kind in zip(COLUMNS, cells, classes, strict=True)
    ]
    return "".join(texts) + f'<line x1="0" x2="{WIDTH}" y1="{y + 5.5}" y2="{y + 5.5}"/>'
