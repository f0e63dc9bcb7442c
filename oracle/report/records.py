"""A small drawing of a few records in groups, each record with its number, for a page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from html import escape

from oracle.conformance.judge.partition_texts import partition_text
from refagg.comparison.plot_geometry import Point, convex_hull
from refagg.comparison.principal import plane
from refagg.data.standardise import standardise
from refagg.data.tables import table_of
from refagg.errors import RefaggError
from refagg.language.number_texts import number_of

MOST_DRAWN = 60
"""Records up to which there is a drawing."""

WIDTH, HEIGHT, MARGIN, RADIUS = 320, 200, 26, 10
COLOURS = 10
"""The page has so many colours for groups."""


def records_picture(
    records: Sequence[Sequence[str]],
    groups: Iterable[Sequence[int]],
    name: str,
    title: str,
    written: str | None = None,
) -> str | None:
    """The records on the plane, groups in shapes around them; None if they cannot be drawn.

    One attribute is drawn on a line, two as they are, more on their principal plane. Equal
    records stand side by side. Records in no group, or in several, have no shape. The dots are
    those of a picture of the same records, if one of this name was `written`.
    """
    if {len(row) for row in records} != {len(records[0])} or not records[0]:
        return None
    try:
        places = _places(records)
    except (RefaggError, ValueError, OverflowError):
        return None
    known = [[r for r in group if 0 <= r < len(records)] for group in groups]
    shapes = [_shape([places[r] for r in g], number) for number, g in enumerate(known) if g]
    if written is None:
        every = "\n".join(_dot(record, place) for record, place in enumerate(places))
        dots = [f'<g id="{name}-dots" class="records">{every}</g>']
    else:
        dots = [f'<use href="#{written}-dots"/>']
    height = max(y for _, y in places) + MARGIN
    about = f"groups of records: {partition_text(known)}"
    return "\n".join(
        [
            f'<svg viewBox="0 0 {WIDTH} {height:.5g}" style="width: 20rem" role="img" '
            f'aria-labelledby="{name}-title {name}-about">',
            f'<title id="{name}-title">{escape(title)}</title>',
            f'<desc id="{name}-about">{escape(about)}</desc>',
            *shapes,
            *dots,
            "</svg>",
        ]
    )


def _places(records: Sequence[Sequence[str]]) -> list[Point]:
    """Return the place where each record is drawn."""
    rows = [[number_of(cell, "") for cell in row] for row in records]
    width = len(rows[0])
    if width > 2:
        points, _ = plane(standardise(table_of(rows), "none"))
        rows = [list(map(Fraction, point)) for point in points]
    across = _scaled([row[0] for row in rows], WIDTH)
    upwards = _scaled([row[1] for row in rows], HEIGHT) if width > 1 else None
    places = [
        (x, MARGIN if upwards is None else HEIGHT - upwards[record])
        for record, x in enumerate(across)
    ]
    return _apart(places)


def _scaled(values: Sequence[Fraction], width: int) -> list[float]:
    """The values between the margins; exact until they are, as they may be far from 0."""
    least, most = min(values), max(values)
    spread = most - least
    if not spread:
        return [width / 2] * len(values)
    return [MARGIN + float((value - least) / spread) * (width - 2 * MARGIN) for value in values]


def _apart(places: Sequence[Point]) -> list[Point]:
    """Records that would cover each other, one above the other."""
    taken: dict[tuple[int, int], int] = defaultdict(int)
    found = []
    for x, y in places:
        spot = round(x / (2 * RADIUS)), round(y / (2 * RADIUS))
        found.append((x, y + taken[spot] * (2 * RADIUS + 1)))
        taken[spot] += 1
    return found


def _shape(places: Sequence[Point], number: int) -> str:
    corners = " ".join(f"{x:.0f},{y:.0f}" for x, y in [*convex_hull(places), places[0]])
    colour = f"var(--group-{number % COLOURS})"
    return f'<polygon class="drawn" points="{corners}" style="fill: {colour}; stroke: {colour}"/>'


def _dot(record: int, place: Point) -> str:
    x, y = place
    return (
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{RADIUS}"/>'
        f'<text x="{x:.0f}" y="{y + 4:.0f}">{record}</text>'
    )
