"""What all pictures have in common: colours, inks, axes."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes

COLOURS = (
    *("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f3c8d", "#8c564b"),
    *("#4d4d4d", "#b2182b"),
)
MARKERS = "osD^vPX<>*hp"
STYLES = ("-", "--", ":", "-.")

INK, PALE, GRID = "#222222", "#8a8a8a", "#e4e4e4"
TITLE: dict[str, Any] = {"loc": "left", "fontsize": 9.5, "color": INK}


def plain(axes: Axes) -> None:
    """Axes without a box around them, in the inks of all pictures."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(PALE)
    axes.tick_params(colors=INK, labelsize=8, color=PALE)
    axes.set_axisbelow(True)
