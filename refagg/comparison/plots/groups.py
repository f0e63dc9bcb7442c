"""Groups in the plane, each within its hull.

Dendrograms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from refagg.comparison.plot_geometry import (
    Box,
    Merge,
    Point,
    colour_numbers,
    convex_hull,
    dendrogram_layout,
    inside,
    middle_square,
)
from refagg.comparison.plots.look import COLOURS, INK, TITLE, plain, write
from refagg.language.partition import Group

Coloured = tuple[Group, str]

MANY = 200
"""Records beyond which the middle of a scatter is also shown enlarged."""

_SHARE = 10
"""One record in so many is in the middle."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One scatter of groups, under a title."""

    title: str
    groups: Sequence[Group]
    marks: Sequence[tuple[Point, str]] = ()
    """Places with what they are called."""
    numbers: Sequence[int] = ()
    """Those of the groups, by which they are coloured; else the colours of neighbours differ."""


View = tuple[Panel, Box | None]
"""A panel, and the part of it that is shown; None is all of it."""


def draw_scatter(
    points: Sequence[Point], labels: tuple[str, str], panels: Sequence[Panel], path: Path
) -> None:
    """The groups of each panel as hulls around their points. Raises OutputUnwritable."""
    write(scatter_figure(points, labels, views_of(points, panels)), path)


def views_of(points: Sequence[Point], panels: Sequence[Panel]) -> list[View]:
    """Return the views of each panel.

    They show all of it, and of many records also the middle.
    """
    zoom = middle_square(points, _SHARE) if len(points) > MANY else None
    return [(panel, box) for panel in panels for box in ([None, zoom] if zoom else [None])]


def scatter_figure(
    points: Sequence[Point], labels: tuple[str, str], views: Sequence[View]
) -> Figure:
    """The groups of each view as hulls around their points.

    Of many records the middle is enlarged beside each panel, with those groups only that have
    their centre there; the other records are grey.
    """
    zoom = middle_square(points, _SHARE) if len(points) > MANY else None
    columns = min(len(views), 4 if len(views) > 4 else 2)
    rows = ceil(len(views) / columns)
    figure = Figure(figsize=(5.2 * columns, 4.9 * rows), layout="constrained")
    colours = {panel.title: _colours(points, panel) for panel, _ in views}
    for number, (panel, box) in enumerate(views, 1):
        axes = figure.add_subplot(rows, columns, number)
        axes.set_xlabel(labels[0], fontsize=8, color=INK, parse_math=False)
        axes.set_ylabel(labels[1], fontsize=8, color=INK, parse_math=False)
        coloured = list(zip(panel.groups, colours[panel.title], strict=True))
        if box:
            near = [(g, c) for g, c in coloured if inside(_centre([points[r] for r in g]), box)]
            _stars(axes, points, near)
            _dots(axes, points, near, 1.0)
            axes.set(xlim=box[0], ylim=box[1], aspect="equal")
            axes.set_title("the middle: groups as lines to their centroid", **TITLE)
        else:
            weight = 0.6 if zoom else 1.0
            _hulls(axes, points, coloured, weight)
            _dots(axes, points, coloured, weight)
            _marks(axes, panel.marks)
            axes.margins(0.03)
            axes.set_title(panel.title, **TITLE)
            _frame(axes, zoom)
    return figure


def _colours(points: Sequence[Point], panel: Panel) -> list[str]:
    if panel.numbers:
        return [COLOURS[number % len(COLOURS)] for number in panel.numbers]
    centres = [_centre([points[record] for record in group]) for group in panel.groups]
    return [COLOURS[number] for number in colour_numbers(centres, len(COLOURS))]


def _frame(axes: Axes, zoom: Box | None) -> None:
    if zoom:
        (left, right), (low, high) = zoom
        size = (right - left, high - low)
        axes.add_patch(Rectangle((left, low), *size, fill=False, edgecolor=INK, zorder=4))


def _hulls(
    axes: Axes, points: Sequence[Point], coloured: Sequence[Coloured], weight: float
) -> None:
    """Each group within its convex hull."""
    hulls = [(convex_hull([points[record] for record in g]), colour) for g, colour in coloured]
    shapes = [hull for hull, _ in hulls if len(hull) > 1]
    edges = [colour for hull, colour in hulls if len(hull) > 1]
    axes.add_collection(PolyCollection(shapes, facecolors=edges, alpha=0.16, zorder=1))
    axes.add_collection(
        PolyCollection(
            shapes, facecolors="none", edgecolors=edges, linewidths=weight, alpha=0.8, zorder=2
        )
    )


def _stars(axes: Axes, points: Sequence[Point], coloured: Sequence[Coloured]) -> None:
    """A line from each record to the centroid of its group."""
    spokes = []
    for group, _ in coloured:
        centre = _centre([points[record] for record in group])
        spokes += [[centre, points[record]] for record in group]
    colours = [colour for group, colour in coloured for _ in group]
    axes.add_collection(LineCollection(spokes, colors=colours, linewidths=0.9, zorder=2))


def _dots(axes: Axes, points: Sequence[Point], coloured: Sequence[Coloured], weight: float) -> None:
    """The records, those of no coloured group in grey."""
    by_record = {record: colour for group, colour in coloured for record in group}
    axes.scatter(
        [x for x, _ in points],
        [y for _, y in points],
        s=16 * weight**2,
        c=[by_record.get(record, "#c9c9c9") for record in range(len(points))],
        linewidths=0,
        zorder=3,
    )
    plain(axes)


def _marks(axes: Axes, marks: Sequence[tuple[Point, str]]) -> None:
    """A ring with a name around each place."""
    for (x, y), name in marks:
        axes.plot([x], [y], "o", markersize=9, fillstyle="none", color=INK, zorder=5)
        look: dict[str, Any] = {"fontsize": 7, "color": INK, "parse_math": False, "zorder": 5}
        axes.annotate(name, (x, y), xytext=(7, 4), textcoords="offset points", **look)


def _centre(points: Sequence[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


MOST_NAMED = 120
"""Records up to which a dendrogram names each."""


def draw_dendrogram(
    merges: Sequence[Merge], n: int, path: Path, height: str = "height", remark: str = ""
) -> None:
    """Draw a dendrogram, or several side by side.

    There are several if not everything is merged into one. `height` says what the heights are, the
    remark stands above. Raises InvalidParameter, OutputUnwritable.
    """
    tree = dendrogram_layout(merges, n)
    figure = Figure(figsize=(max(5.0, min(16.0, 0.16 * n)), 4.4), layout="constrained")
    axes = figure.add_subplot()
    several = len(tree.roots) > 1
    colours = [COLOURS[root % len(COLOURS)] if several else INK for root in tree.root_of]
    width = 0.9 if n < MANY else 0.4
    axes.add_collection(LineCollection(tree.lines, colors=colours, linewidths=width))
    roots = set(tree.roots)
    alone = [x for x, record in enumerate(tree.order) if record in roots]
    axes.plot(alone, [0.0] * len(alone), ".", color=INK, markersize=4)
    axes.autoscale_view()
    axes.set_xlim(-0.8, n - 0.2)
    axes.set_ylim(bottom=min([0.0, *(h for _, _, h in merges)]))
    axes.set_ylabel(height, color=INK)
    if remark:
        axes.set_title(remark, color=INK, fontsize=8)
    plain(axes)
    if n <= MOST_NAMED:
        axes.set_xticks(range(n), [str(record) for record in tree.order], rotation=90, fontsize=7)
        axes.set_xlabel("record", color=INK)
    else:
        axes.set_xticks([])
        axes.set_xlabel(f"{n} records", color=INK)
    write(figure, path)
