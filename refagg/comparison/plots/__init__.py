"""Pictures of comparisons, groups and dendrograms: the only files here that know matplotlib.

A picture is written as PNG, SVG or PDF, by the end of its file's name. The same data give the
same bytes with the same matplotlib. `look` is what all pictures have in common, `losses`, `groups`
and `tree` are what is drawn, `files` writes it.
"""

from __future__ import annotations

from refagg.errors import MissingExtra

try:
    import matplotlib  # noqa: F401
except ImportError:
    raise MissingExtra(
        "matplotlib is not installed: pip install '.[report]' in the checkout"
    ) from None

from refagg.comparison.plots.groups import (
    MANY,
    MOST_NAMED,
    Panel,
    View,
    draw_dendrogram,
    draw_scatter,
    scatter_figure,
    views_of,
)
from refagg.comparison.plots.look import (
    COLOURS,
    FORMATS,
    GRID,
    INK,
    MARKERS,
    PALE,
    STYLES,
    check_picture,
    plain,
)
from refagg.comparison.plots.losses import Series, draw_losses

__all__ = [
    "COLOURS",
    "FORMATS",
    "GRID",
    "INK",
    "MANY",
    "MARKERS",
    "MOST_NAMED",
    "PALE",
    "STYLES",
    "Panel",
    "Series",
    "View",
    "check_picture",
    "draw_dendrogram",
    "draw_losses",
    "draw_scatter",
    "plain",
    "scatter_figure",
    "views_of",
]
