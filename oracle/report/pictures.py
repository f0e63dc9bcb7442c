"""The pictures of result pages. Only `refagg.comparison.plots` and this file know matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from math import ceil
from typing import Any, Literal

from oracle.report.pages import inline
from refagg.comparison.plots.look import COLOURS, GRID, INK, PALE, plain
from refagg.errors import needed

with needed("pip install '.[report]' in the checkout"):
    from matplotlib import rc_context
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

FACES = {
    "passed": "#1a7f37",
    "failed": "#cf222e",
    "errored": "#953800",
    "unsupported": "#6e7781",
    "not judged": "#8250df",
}
"""A colour for each status; the page has its own for dark."""

PAGE_COLOURS = {
    INK: "ink",
    PALE: "pale",
    GRID: "grid",
    "#c9c9c9": "faint",
    **{face: status.replace(" ", "-") for status, face in FACES.items()},
    **{colour: f"group-{number}" for number, colour in enumerate(COLOURS)},
}
"""The names of the page's colours that take the place of a picture's."""

MOST_BARS = 30
MOST_STEPS = 200
"""Groups up to which each has its loss in a picture; of more, every second, third ..."""

_WIDTH = 4.6


def status_picture(counts: Mapping[str, Mapping[str, int]], name: str) -> str:
    """Draw a bar for each check: answers decided, by status."""
    figure, axes = _bars(list(counts))
    for number, by_status in enumerate(counts.values()):
        left = 0
        for status, count in by_status.items():
            axes.barh(number, count, left=left, color=FACES[status], height=0.62)
            left += count
    axes.set_xlabel("answers", color=INK)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    about = "; ".join(
        f"{check}: " + ", ".join(f"{n} {status}" for status, n in by_status.items() if n)
        for check, by_status in counts.items()
    )
    return _written(figure, name, "Answers by the check that decided and by status", about)


def size_picture(sizes: Mapping[int, int], k: int, name: str) -> str:
    """Draw the number of groups of each size.

    Groups that are too small or divisible have other colours.
    """
    figure, axes = _plot(2.8, "y")
    faces = [
        FACES["failed"] if size < k else COLOURS[0] if size < 2 * k else COLOURS[1]
        for size in sizes
    ]
    axes.bar(list(sizes), list(sizes.values()), color=faces, width=0.72)
    axes.axvline(k - 0.5, color=INK, linewidth=1, linestyle="--")
    axes.set_xlabel("records in a group", color=INK)
    axes.set_ylabel("groups", color=INK)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    low, high = min([k - 1, *sizes]), max([2 * k - 1, *sizes])
    axes.set_xlim(low - 0.6, high + 0.6)
    listed = list(sizes.items())
    about = ", ".join(f"{count} of {size} records" for size, count in listed[:MOST_BARS])
    more = "" if len(listed) <= MOST_BARS else f" and {len(listed) - MOST_BARS} other sizes"
    return _written(figure, name, "Groups by their size", f"{about}{more}; k is {k}")


def loss_picture(losses: Sequence[tuple[str, float]], name: str) -> str:
    """Draw a bar for each attribute's information loss in percent.

    Of many attributes only the greatest losses are shown.
    """
    greatest = sorted(losses, key=lambda loss: -loss[1])[:MOST_BARS]
    shown = [loss for loss in losses if loss in greatest]
    figure, axes = _bars([attribute for attribute, _ in shown])
    axes.barh(range(len(shown)), [loss for _, loss in shown], color=COLOURS[0], height=0.62)
    axes.set_xlabel("information loss of the attribute, %", color=INK)
    axes.set_xlim(left=0)
    about = ", ".join(f"{attribute} {loss:.4g} %" for attribute, loss in shown)
    return _written(figure, name, "Information loss by attribute", about)


def group_loss_picture(losses: Sequence[float], name: str) -> str:
    """Draw the loss of each group, falling, as an area.

    Of many groups it is that of every second, third ...
    """
    figure, axes = _plot(2.8, "y")
    step = ceil(len(losses) / MOST_STEPS)
    shown = losses[::step]
    edges = [0.5 + step * place for place in range(len(shown) + 1)]
    axes.stairs(shown, edges, fill=True, color=COLOURS[0])
    axes.set_xlabel("groups, the greatest loss first", color=INK)
    axes.set_ylabel("SSE of the group", color=INK)
    axes.set_xlim(edges[0], edges[-1])
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    middle = losses[len(losses) // 2]
    about = f"{len(losses)} groups, from {losses[0]:.4g} to {losses[-1]:.4g}; median {middle:.4g}"
    return _written(figure, name, "SSE of each group", about)


def _plot(height: float, grid: Literal["x", "y"]) -> tuple[Figure, Axes]:
    """Return a figure of this height, with lines across an axis."""
    figure = Figure(figsize=(_WIDTH, height), layout="constrained")
    axes = figure.add_subplot()
    plain(axes)
    axes.grid(axis=grid, color=GRID, linewidth=0.7)
    return figure, axes


def _bars(names: Sequence[str]) -> tuple[Figure, Axes]:
    """Return a figure for horizontal bars, the first on top."""
    figure, axes = _plot(0.9 + 0.32 * len(names), "x")
    axes.set_yticks(range(len(names)), [_short(name) for name in names], parse_math=False)
    axes.set_ylim(len(names) - 0.5, -0.5)
    return figure, axes


def _short(name: str) -> str:
    shown = "".join(sign if sign.isprintable() else "?" for sign in name)
    return shown if len(shown) <= 24 else shown[:21] + "..."


def _written(figure: Figure, name: str, title: str, about: str) -> str:
    buffer = BytesIO()
    looks: Any = {"svg.hashsalt": "refagg", "svg.fonttype": "none", "font.family": "DejaVu Sans"}
    with rc_context(looks):
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    return inline(buffer.getvalue().decode(), name, title, about, PAGE_COLOURS)
