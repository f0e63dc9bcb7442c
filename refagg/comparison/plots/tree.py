"""Dendrograms."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from refagg.comparison.plot_geometry import Merge, dendrogram_layout
from refagg.comparison.plots.files import write
from refagg.comparison.plots.groups import MANY
from refagg.comparison.plots.look import COLOURS, INK, plain

MOST_NAMED = 120
"""Records up to which a dendrogram names each."""


def draw_dendrogram(
    merges: Sequence[Merge], n: int, path: Path, height: str = "height", remark: str = ""
) -> None:
    """A dendrogram, or several side by side where not everything is merged into one.

    `height` says what the heights are, the remark stands above. Raises InvalidParameter,
    OutputUnwritable.
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
