"""Pictures of comparisons, groups and dendrograms.

These are the only files here that use matplotlib.

A picture is written as PNG, SVG or PDF, by the end of its file's name. The same data give the
same bytes with the same matplotlib. `look` is what all pictures have in common, and writes them;
`losses` and `groups` are what is drawn.
"""

from __future__ import annotations

from refagg.errors import needed

with needed("pip install '.[report]' in the checkout"):
    import matplotlib  # noqa: F401

from refagg.comparison.plots.groups import Panel, draw_dendrogram, draw_scatter
from refagg.comparison.plots.look import check_picture
from refagg.comparison.plots.losses import Series, draw_losses

__all__ = ["Panel", "Series", "check_picture", "draw_dendrogram", "draw_losses", "draw_scatter"]
