"""Plots of information loss by k.

There is a line for each algorithm, or a list of the algorithms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, LogLocator, NullLocator

from refagg.comparison.plot_geometry import Point, spread
from refagg.comparison.plots.look import COLOURS, GRID, INK, MARKERS, STYLES, TITLE, plain, write
from refagg.errors import InvalidParameter

_TICKS = (0, 1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 100, 200, 500, 1000, 2000, 5000, 10000)
_WIDE = 8
"""How many times the least loss the greatest is where a logarithmic scale begins."""

_LABEL = 0.155
"""Inches from one label to the next."""

Kind = str
Inches = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Series:
    """An algorithm's information loss in percent, by k.

    It is there for each k where the algorithm has one. `comparable` if it is that of a partition
    into groups of at least k, at each of them.
    """

    label: str
    losses: Mapping[int, float]
    comparable: bool = True


def draw_losses(
    series: Sequence[Series], known: Mapping[int, tuple[Kind, float]], path: Path
) -> None:
    """Draw information loss by k.

    There is a line for each algorithm, labelled at its end. A second panel has the distance from
    the best algorithm of each k, where lines that are near to each other can be distinguished.
    `known` has for some k the least loss that is known, and whether it is an "optimum" or a
    "bound". With one k the algorithms are listed by their loss. Raises InvalidParameter if there is
    nothing to draw, OutputUnwritable.
    """
    shown = [one for one in series if one.losses]
    ks = sorted({k for one in shown for k in one.losses})
    if not ks:
        raise InvalidParameter("no algorithm has an information loss that could be drawn")
    write(_list(shown, ks[0], known) if len(ks) == 1 else _lines(shown, ks, known), path)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line through points, drawn in the look of this number."""

    label: str
    number: int
    points: list[Point]

    @property
    def look(self) -> dict[str, Any]:
        """Return the colour, marker and style of the line.

        No two of 60 lines have all three alike.
        """
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
    left.set_title("information loss, %", **TITLE)
    right.set_title("% above the best algorithm of each k", **TITLE)
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
    """Return points above the equally spaced places of each k."""
    return [(float(x), losses[k]) for x, k in enumerate(ks) if k in losses]


def _above(losses: Mapping[int, float], best: Mapping[int, float]) -> dict[int, float]:
    """Percent above the best.

    Where the best is 0, only what is 0, too, has one.
    """
    above = {k: loss / best[k] - 1 if best[k] else loss for k, loss in losses.items() if k in best}
    return {k: 100 * share for k, share in above.items() if best[k] or not share}


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


def _draw(axes: Axes, lines: Sequence[_Line]) -> None:
    for line in lines:
        axes.plot([x for x, _ in line.points], [y for _, y in line.points], **line.look, lw=1.1)


def _wide(axes: Axes, losses: Sequence[float]) -> None:
    """Set a logarithmic scale if losses differ widely.

    Otherwise losses that are near could not be distinguished.
    """
    if min(losses) > 0 and max(losses) > _WIDE * min(losses):
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_minor_locator(NullLocator())


def _known(axes: Axes, ks: Sequence[int], known: Mapping[int, tuple[Kind, float]]) -> None:
    """Draw a bar for each known least loss, with its kind."""
    for x, k in enumerate(ks):
        if k in known:
            kind, loss = known[k]
            axes.plot([x], [loss], marker="_", markersize=18, markeredgewidth=1.8, color=INK)
            _text(axes, kind, (x, loss), (0, -4), ha="center", va="top", fontsize=7.5)


def _end_labels(axes: Axes, lines: Sequence[_Line]) -> None:
    """Label each line beside its end.

    The labels are moved apart where they would cover each other.
    """
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
    style |= {"textcoords": "offset points", "color": INK, "parse_math": False}
    axes.annotate(text, place, offset, **style)


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
    axes.set_yticks(range(len(ordered)), [one.label for one in ordered], parse_math=False)
    axes.set_ylim(-0.7, len(ordered) - 0.3)
    axes.margins(x=0.12)
    hollow = "" if all(one.comparable for one in ordered) else "; hollow: not groups of k or more"
    axes.set_xlabel(f"information loss, %{hollow}", color=INK, fontsize=9)
    title = f"k = {k}"
    if k in known:
        kind, loss = known[k]
        axes.axvline(loss, color=INK, linewidth=1)
        title += f"; the line is the {kind}, {loss:.3f}"
    axes.set_title(title, **TITLE)
    return figure
