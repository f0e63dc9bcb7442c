"""Pictures of comparisons, groups and dendrograms: the only file that knows matplotlib.

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
from refagg.layout import Merge, Point, colour_numbers, convex_hull, dendrogram, spread
from refagg.model import Group

try:
    from matplotlib import rc_context
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection, PolyCollection
    from matplotlib.figure import Figure
    from matplotlib.ticker import FixedLocator, MaxNLocator
except ImportError:
    raise MissingExtra("matplotlib is not installed: pip install 'refagg[plot]'") from None

COLOURS = (
    *("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f3c8d", "#8c564b"),
    *("#4d4d4d", "#b2182b"),
)
MARKERS = "osD^vPX<>*hp"
STYLES = ("-", "--", ":", "-.")

_INK, _PALE, _GRID = "#222222", "#8a8a8a", "#e4e4e4"
_TITLE: dict[str, Any] = {"loc": "left", "fontsize": 9.5, "color": _INK}
_TICKS = (-20, -10, -5, -2, 0, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000)
_LABEL = 0.155
"""Inches from one label to the next."""

_WRITING: dict[str, dict[str, Any]] = {
    "png": {"dpi": 160},
    "svg": {"metadata": {"Date": None}},
    "pdf": {"metadata": {"CreationDate": None}},
}


Kind = str
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


def _lines(
    series: Sequence[Series], ks: Sequence[int], known: Mapping[int, tuple[Kind, float]]
) -> Figure:
    alike = [one for one in series if one.comparable]
    others = [one for one in series if not one.comparable]
    height = max(4.6, _LABEL * (max(len(alike), len(others)) + 2) + 1.2)
    between = 0.75 + (0.35 + _width(others) if others else 0)
    width = 0.75 + 3.6 + between + 3.6 + 0.4 + _width(alike)
    figure = Figure(figsize=(width, height))
    left = _axes(figure, (0.75, 0.6, 3.6, height - 1.1), "information loss, %", ks)
    right = _axes(figure, (0.75 + 3.6 + between, 0.6, 3.6, height - 1.1), "", ks)
    left.set_title("Information loss by k", **_TITLE)
    right.set_title("% above the best algorithm of each k", **_TITLE)
    best = {k: min((one.losses[k] for one in alike if k in one.losses), default=0.0) for k in ks}
    above = [Series(one.label, _above(one.losses, best)) for one in alike]
    for number, one in enumerate([*alike, *others]):
        _line(left, one.losses, number)
    for number, one in enumerate(above):
        _line(right, one.losses, number)
    _known(left, {k: loss for k, (_, loss) in known.items()}, known)
    _known(right, _above({k: loss for k, (_, loss) in known.items()}, best), known)
    right.set_yscale("symlog", linthresh=5)
    right.yaxis.set_major_locator(FixedLocator(_TICKS))
    right.yaxis.set_major_formatter("{x:g}")
    right.axhline(0, color=_PALE, linewidth=0.7, zorder=0)
    left.set_ylim(bottom=0)
    _end_labels(left, others, len(alike))
    _end_labels(right, above, 0)
    return figure


def _above(losses: Mapping[int, float], best: Mapping[int, float]) -> dict[int, float]:
    """Percent above the best, where there is a best above 0."""
    return {k: 100 * (loss / best[k] - 1) for k, loss in losses.items() if best.get(k)}


def _axes(figure: Figure, place: Inches, label: str, ks: Sequence[int]) -> Axes:
    width, height = figure.get_size_inches()
    x, y, w, h = place
    axes = figure.add_axes((x / width, y / height, w / width, h / height))
    axes.set_xlabel("k", color=_INK)
    axes.set_ylabel(label, color=_INK)
    axes.set_xticks(ks) if len(ks) < 12 else axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    _plain(axes)
    axes.grid(axis="y", color=_GRID, linewidth=0.7)
    return axes


def _plain(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(_PALE)
    axes.tick_params(colors=_INK, labelsize=8, color=_PALE)
    axes.set_axisbelow(True)


def _line(axes: Axes, losses: Mapping[int, float], number: int) -> None:
    ks = sorted(losses)
    axes.plot(ks, [losses[k] for k in ks], **_look(number), linewidth=1.1)


def _look(number: int) -> dict[str, Any]:
    """A colour, a marker and a style of line: no two of the first 120 numbers have all alike."""
    return {
        "color": COLOURS[number % len(COLOURS)],
        "marker": MARKERS[number % len(MARKERS)],
        "linestyle": STYLES[number // len(COLOURS) % len(STYLES)],
        "markersize": 4.2,
        "markeredgewidth": 0.4,
        "markeredgecolor": "white",
    }


def _known(
    axes: Axes, losses: Mapping[int, float], known: Mapping[int, tuple[Kind, float]]
) -> None:
    """A bar for what is known to be the least, with its kind beside it."""
    for k, loss in losses.items():
        axes.plot([k], [loss], marker="_", markersize=22, markeredgewidth=2, color=_INK)
        axes.annotate(
            known[k][0],
            (k, loss),
            (0, -4),
            textcoords="offset points",
            ha="center",
            va="top",
            fontsize=7.5,
            color=_INK,
        )


def _end_labels(axes: Axes, series: Sequence[Series], first: int) -> None:
    """The label of each line beside its last point, moved apart where labels would collide."""
    named = [(number, one) for number, one in enumerate(series, first) if one.losses]
    to_pixels = axes.transData.transform
    ends = [(max(one.losses), one.losses[max(one.losses)]) for _, one in named]
    box, unit = axes.get_window_extent(), axes.figure.dpi
    wanted = [float(to_pixels(end)[1]) for end in ends]
    heights = spread(wanted, _LABEL * unit, box.y0, box.y1)
    for (number, one), end, height in zip(named, ends, heights, strict=True):
        look = _look(number)
        place = (box.x1 + 0.3 * unit, height)
        x, y = axes.transData.inverted().transform(place)
        axes.plot(
            [end[0], axes.transData.inverted().transform((box.x1 + 0.06 * unit, height))[0], x],
            [end[1], y, y],
            color=look["color"],
            linewidth=0.5,
            clip_on=False,
        )
        axes.plot([x], [y], **look, clip_on=False)
        axes.annotate(
            one.label,
            (x, y),
            (5, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
            color=look["color"],
            annotation_clip=False,
        )


def _width(series: Sequence[Series]) -> float:
    """About how many inches the longest label takes."""
    return 0.1 + 0.068 * max((len(one.label) for one in series), default=0)


def _list(series: Sequence[Series], k: int, known: Mapping[int, tuple[Kind, float]]) -> Figure:
    """A dot for each algorithm, the best on top."""
    ordered = sorted(series, key=lambda one: (one.losses[k], one.label), reverse=True)
    margin, height = _width(ordered) + 0.2, 1.2 + 0.21 * len(ordered)
    figure = Figure(figsize=(margin + 5.4, height))
    axes = figure.add_axes(
        (margin / (margin + 5.4), 0.6 / height, 5 / (margin + 5.4), 1 - 1 / height)
    )
    _plain(axes)
    axes.grid(axis="both", color=_GRID, linewidth=0.7)
    for position, one in enumerate(ordered):
        loss = one.losses[k]
        face = COLOURS[0] if one.comparable else "white"
        axes.plot([loss], [position], "o", color=face, markeredgecolor=COLOURS[0], markersize=5)
        axes.annotate(
            f"{loss:.3f}",
            (loss, position),
            (6, 0),
            textcoords="offset points",
            va="center",
            fontsize=7,
        )
    axes.set_yticks(range(len(ordered)), [one.label for one in ordered])
    axes.set_ylim(-0.7, len(ordered) - 0.3)
    axes.margins(x=0.12)
    if k in known:
        kind, loss = known[k]
        axes.axvline(loss, color=_INK, linewidth=1)
        axes.set_title(f"Information loss at k = {k}; the line is the {kind}, {loss:.3f}", **_TITLE)
    else:
        axes.set_title(f"Information loss at k = {k}", **_TITLE)
    axes.set_xlabel("information loss, %", color=_INK)
    return figure


# Groups


def draw_scatter(
    points: Sequence[Point], labels: tuple[str, str], panels: Sequence[Panel], path: Path
) -> None:
    """The groups of each panel as hulls around their points. Raises OutputUnwritable."""
    columns = min(len(panels), 2 if len(panels) < 5 else 3)
    rows = ceil(len(panels) / columns)
    figure = Figure(figsize=(5.2 * columns, 4.6 * rows + 0.1), layout="constrained")
    for number, panel in enumerate(panels, 1):
        axes = figure.add_subplot(rows, columns, number)
        _scatter(axes, points, panel)
        axes.set_xlabel(labels[0], fontsize=8, color=_INK)
        axes.set_ylabel(labels[1], fontsize=8, color=_INK)
    _write(figure, path)


def _scatter(axes: Axes, points: Sequence[Point], panel: Panel) -> None:
    members = [[points[record] for record in group] for group in panel.groups]
    centres = [_middle(group) for group in members]
    colours = [COLOURS[number] for number in colour_numbers(centres, len(COLOURS))]
    hulls = [convex_hull(group) for group in members]
    wide = [(hull, colour) for hull, colour in zip(hulls, colours, strict=True) if len(hull) > 1]
    thin = 0.5 if len(points) > 300 else 0.9
    axes.add_collection(
        PolyCollection([h for h, _ in wide], facecolors=[c for _, c in wide], alpha=0.16, zorder=1)
    )
    axes.add_collection(
        PolyCollection(
            [h for h, _ in wide],
            facecolors="none",
            edgecolors=[c for _, c in wide],
            linewidths=thin,
            alpha=0.8,
            zorder=2,
        )
    )
    by_record = {r: c for group, c in zip(panel.groups, colours, strict=True) for r in group}
    axes.scatter(
        [x for x, _ in points],
        [y for _, y in points],
        s=5 if len(points) > 300 else 16,
        c=[by_record[record] for record in range(len(points))],
        linewidths=0,
        zorder=3,
    )
    axes.margins(0.03)
    axes.set_title(panel.title, **_TITLE)
    _plain(axes)


def _middle(points: Sequence[Point]) -> Point:
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
    axes.add_collection(LineCollection(tree.lines, colors=_INK, linewidths=0.9 if n < 200 else 0.4))
    axes.autoscale_view()
    axes.set_xlim(-0.8, n - 0.2)
    axes.set_ylabel(height, color=_INK)
    _plain(axes)
    if n <= MOST_NAMED:
        axes.set_xticks(range(n), map(str, tree.order), rotation=90 if n > 30 else 0, fontsize=7)
        axes.set_xlabel("record", color=_INK)
    else:
        axes.set_xticks([])
        axes.set_xlabel(f"{n} records", color=_INK)
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
