"""Pictures of comparisons, groups and dendrograms: the only file here that knows matplotlib.

A picture is written as PNG, SVG or PDF, by the end of its file's name. The same data give the
same bytes with the same matplotlib.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from math import ceil
from pathlib import Path
from typing import Any

from refagg.csvfiles import write_bytes
from refagg.errors import InvalidParameter, MissingExtra
from refagg.layout import (
    Box,
    Merge,
    Point,
    colour_numbers,
    convex_hull,
    dendrogram,
    inside,
    middle_square,
    spread,
)
from refagg.model import Group

try:
    from matplotlib import rc_context
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection, PolyCollection
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle
    from matplotlib.ticker import FixedLocator, LogLocator, NullLocator
except ImportError:
    raise MissingExtra("matplotlib is not installed: pip install 'refagg[plot]'") from None

COLOURS = (
    *("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f3c8d", "#8c564b"),
    *("#4d4d4d", "#b2182b"),
)
MARKERS = "osD^vPX<>*hp"
STYLES = ("-", "--", ":", "-.")

INK, PALE, GRID = "#222222", "#8a8a8a", "#e4e4e4"
_TITLE: dict[str, Any] = {"loc": "left", "fontsize": 9.5, "color": INK}
_TICKS = (0, 1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 100, 200, 500, 1000, 2000, 5000, 10000)
_WIDE = 8
"""How many times the least loss the greatest is where a logarithmic scale begins."""

_LABEL = 0.155
"""Inches from one label to the next."""

_WRITING: dict[str, dict[str, Any]] = {
    "png": {"dpi": 160},
    "svg": {"metadata": {"Date": None}},
    "pdf": {"metadata": {"CreationDate": None}},
}


Kind = str
Coloured = tuple[Group, str]
Inches = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Series:
    """An algorithm's information loss in percent at each k where it has one.

    `comparable` if it is that of a partition into groups of at least k, at each of them.
    """

    label: str
    losses: Mapping[int, float]
    comparable: bool = True


@dataclass(frozen=True, slots=True)
class Panel:
    """One scatter of groups, under a title."""

    title: str
    groups: Sequence[Group]


View = tuple[Panel, Box | None]
"""A panel, and the part of it that is shown; None is all of it."""


# Information loss by k


def draw_losses(
    series: Sequence[Series], known: Mapping[int, tuple[Kind, float]], path: Path
) -> None:
    """Information loss by k: a line for each algorithm, labelled at its end.

    A second panel has the distance from the best algorithm of each k, where lines that are near to
    each other can be told apart. `known` has for some k the least loss that is known, and whether
    it is an "optimum" or a "bound". With one k the algorithms are listed by their loss instead.
    Raises InvalidParameter if there is nothing to draw, OutputUnwritable.
    """
    shown = [one for one in series if one.losses]
    ks = sorted({k for one in shown for k in one.losses})
    if not ks:
        raise InvalidParameter("no algorithm has an information loss that could be drawn")
    _write(_list(shown, ks[0], known) if len(ks) == 1 else _lines(shown, ks, known), path)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line through points, drawn in the look of this number."""

    label: str
    number: int
    points: list[Point]

    @property
    def look(self) -> dict[str, Any]:
        """A colour, a marker and a style of line: no two of 60 lines have all three alike."""
        return {
            "color": COLOURS[self.number % len(COLOURS)],
            "marker": MARKERS[self.number % len(MARKERS)],
            "linestyle": STYLES[self.number // len(COLOURS) % len(STYLES)],
            "markersize": 4.6,
            "markeredgewidth": 0.4,
            "markeredgecolor": "white",
        }


def _lines(
    series: Sequence[Series], ks: Sequence[int], known: Mapping[int, tuple[Kind, float]]
) -> Figure:
    alike = [one for one in series if one.comparable]
    others = [one for one in series if not one.comparable]
    side, between = 3.6, 0.75 + (0.35 + _width(others) if others else 0)
    height = max(4.6, _LABEL * (max(len(alike), len(others)) + 2) + 1.2)
    figure = Figure(figsize=(0.75 + 2 * side + between + 0.4 + _width(alike), height))
    left = _axes(figure, (0.75, 0.6, side, height - 1.1), ks)
    right = _axes(figure, (0.75 + side + between, 0.6, side, height - 1.1), ks)
    left.set_title("information loss, %", **_TITLE)
    right.set_title("% above the best algorithm of each k", **_TITLE)
    losses = [
        _Line(one.label, number, _places(one.losses, ks))
        for number, one in enumerate([*alike, *others])
    ]
    best = {k: min((one.losses[k] for one in alike if k in one.losses), default=0.0) for k in ks}
    above = [
        _Line(one.label, number, _places(_above(one.losses, best), ks))
        for number, one in enumerate(alike)
    ]
    right.set_yscale("symlog", linthresh=5)
    right.yaxis.set_major_locator(FixedLocator(_TICKS))
    right.yaxis.set_major_formatter("{x:g}")
    _draw(left, losses)
    _wide(left, [y for line in losses for _, y in line.points])
    _draw(right, above)
    right.set_ylim(bottom=-0.25)
    _known(left, ks, known)
    _end_labels(left, losses[len(alike) :])
    _end_labels(right, above)
    return figure


def _places(losses: Mapping[int, float], ks: Sequence[int]) -> list[Point]:
    """Points above the places of each k, which are all equally far apart."""
    return [(float(x), losses[k]) for x, k in enumerate(ks) if k in losses]


def _above(losses: Mapping[int, float], best: Mapping[int, float]) -> dict[int, float]:
    """Percent above the best, where there is a best above 0."""
    return {k: 100 * (loss / best[k] - 1) for k, loss in losses.items() if best.get(k)}


def _axes(figure: Figure, place: Inches, ks: Sequence[int]) -> Axes:
    width, height = figure.get_size_inches()
    x, y, w, h = place
    axes = figure.add_axes((x / width, y / height, w / width, h / height))
    axes.set_xlabel("k", color=INK)
    axes.set_xticks(range(len(ks)), [str(k) for k in ks])
    axes.margins(x=0.12)
    plain(axes)
    axes.grid(axis="y", color=GRID, linewidth=0.7)
    return axes


def plain(axes: Axes) -> None:
    """Axes without a box around them, in the inks of all pictures."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(PALE)
    axes.tick_params(colors=INK, labelsize=8, color=PALE)
    axes.set_axisbelow(True)


def _draw(axes: Axes, lines: Sequence[_Line]) -> None:
    for line in lines:
        axes.plot([x for x, _ in line.points], [y for _, y in line.points], **line.look, lw=1.1)


def _wide(axes: Axes, losses: Sequence[float]) -> None:
    """A logarithmic scale, if losses differ so much that near ones could not be told apart."""
    if min(losses) > 0 and max(losses) > _WIDE * min(losses):
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_minor_locator(NullLocator())


def _known(axes: Axes, ks: Sequence[int], known: Mapping[int, tuple[Kind, float]]) -> None:
    """A bar for what is known to be the least, with its kind below."""
    for x, k in enumerate(ks):
        if k in known:
            kind, loss = known[k]
            axes.plot([x], [loss], marker="_", markersize=18, markeredgewidth=1.8, color=INK)
            _text(axes, kind, (x, loss), (0, -4), ha="center", va="top", fontsize=7.5)


def _end_labels(axes: Axes, lines: Sequence[_Line]) -> None:
    """The label of each line beside its end, moved apart where labels would cover each other."""
    named = [line for line in lines if line.points]
    axes.set(xlim=axes.get_xlim(), ylim=axes.get_ylim(), autoscale_on=False)
    box, inch = axes.get_window_extent(), axes.figure.dpi
    back = axes.transData.inverted().transform
    wanted = [float(axes.transData.transform(line.points[-1])[1]) for line in named]
    for line, height in zip(named, spread(wanted, _LABEL * inch, box.y0, box.y1), strict=True):
        turn, end = back((box.x1 + 0.05 * inch, height)), back((box.x1 + 0.3 * inch, height))
        (x, y), (to_x, to_y) = line.points[-1], map(float, end)
        color = line.look["color"]
        axes.plot([x, turn[0], to_x], [y, to_y, to_y], color=color, lw=0.5, clip_on=False)
        axes.plot([to_x], [to_y], **line.look, clip_on=False)
        place = (to_x, to_y)
        _text(axes, line.label, place, (5, 0), va="center", fontsize=8, annotation_clip=False)


def _text(axes: Axes, text: str, place: Point, offset: Point, **style: Any) -> None:
    axes.annotate(text, place, offset, textcoords="offset points", color=INK, **style)


def _width(series: Sequence[Series]) -> float:
    """About how many inches the longest label takes."""
    return 0.2 + 0.068 * max((len(one.label) for one in series), default=0)


def _list(series: Sequence[Series], k: int, known: Mapping[int, tuple[Kind, float]]) -> Figure:
    """A dot for each algorithm, the best on top."""
    ordered = sorted(series, key=lambda one: (one.losses[k], one.label), reverse=True)
    margin, height = _width(ordered) + 0.2, 1.2 + 0.21 * len(ordered)
    width = margin + 5.4
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((margin / width, 0.6 / height, 5 / width, 1 - 1 / height))
    plain(axes)
    axes.grid(axis="both", color=GRID, linewidth=0.7)
    for position, one in enumerate(ordered):
        place = (one.losses[k], float(position))
        face = COLOURS[0] if one.comparable else "white"
        axes.plot(*place, "o", color=face, markeredgecolor=COLOURS[0], markersize=5)
        _text(axes, f"{one.losses[k]:.3f}", place, (6, 0), va="center", fontsize=7)
    axes.set_yticks(range(len(ordered)), [one.label for one in ordered])
    axes.set_ylim(-0.7, len(ordered) - 0.3)
    axes.margins(x=0.12)
    hollow = "" if all(one.comparable for one in ordered) else "; hollow: not groups of k or more"
    axes.set_xlabel(f"information loss, %{hollow}", color=INK, fontsize=9)
    title = f"k = {k}"
    if k in known:
        kind, loss = known[k]
        axes.axvline(loss, color=INK, linewidth=1)
        title += f"; the line is the {kind}, {loss:.3f}"
    axes.set_title(title, **_TITLE)
    return figure


# Groups

MANY = 200
"""Records beyond which the middle of a scatter is also shown enlarged."""

_SHARE = 10
"""One record in so many is in the middle."""


def draw_scatter(
    points: Sequence[Point], labels: tuple[str, str], panels: Sequence[Panel], path: Path
) -> None:
    """The groups of each panel as hulls around their points. Raises OutputUnwritable."""
    _write(scatter_figure(points, labels, views_of(points, panels)), path)


def views_of(points: Sequence[Point], panels: Sequence[Panel]) -> list[View]:
    """What is shown of each panel: all of it, and of many records also the middle."""
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
    colours = {panel.title: _colours(points, panel.groups) for panel, _ in views}
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
            axes.set_title("the middle: groups as lines to their centroid", **_TITLE)
        else:
            weight = 0.6 if zoom else 1.0
            _hulls(axes, points, coloured, weight)
            _dots(axes, points, coloured, weight)
            axes.margins(0.03)
            axes.set_title(panel.title, **_TITLE)
            _frame(axes, zoom)
    return figure


def _colours(points: Sequence[Point], groups: Sequence[Group]) -> list[str]:
    centres = [_centre([points[record] for record in group]) for group in groups]
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


def _centre(points: Sequence[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


# Dendrograms


MOST_NAMED = 120
"""Records up to which a dendrogram names each."""


def draw_dendrogram(merges: Sequence[Merge], n: int, path: Path, height: str = "height") -> None:
    """A dendrogram, or several side by side where not everything is merged into one.

    `height` says what the heights are. Raises InvalidParameter, OutputUnwritable.
    """
    tree = dendrogram(merges, n)
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
    plain(axes)
    if n <= MOST_NAMED:
        axes.set_xticks(range(n), [str(record) for record in tree.order], rotation=90, fontsize=7)
        axes.set_xlabel("record", color=INK)
    else:
        axes.set_xticks([])
        axes.set_xlabel(f"{n} records", color=INK)
    _write(figure, path)


# Files


FORMATS = tuple(_WRITING)


def check_picture(path: Path | None) -> None:
    """Raise InvalidParameter unless the name ends in .png, .svg or .pdf."""
    if path is not None and path.suffix.lower().removeprefix(".") not in _WRITING:
        raise InvalidParameter(f"{path} has no picture's name; it can end in {', '.join(FORMATS)}")


def _write(figure: Figure, path: Path) -> None:
    check_picture(path)
    kind = path.suffix.lower().removeprefix(".")
    buffer = BytesIO()
    with rc_context({"svg.hashsalt": "refagg", "font.family": "DejaVu Sans"}):
        figure.savefig(buffer, format=kind, **_WRITING[kind])
    write_bytes(path, buffer.getvalue())
