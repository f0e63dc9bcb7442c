"""What `refagg mask --dendrogram FILE` does: the mergers of an agglomerative run, drawn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from refagg.csvfiles import whole_file
from refagg.dendrogram import MERGE, dendrogram, drawn
from refagg.errors import InvalidParameter
from refagg.run import Event
from refagg.specification import Specification


def check_dendrogram(path: Path | None, spec: Specification) -> None:
    """Raise InvalidParameter, or MissingExtra, if a dendrogram could not be drawn."""
    if path is None:
        return
    if MERGE not in {tied.name for tied in spec.ties}:
        raise InvalidParameter(f"{spec.name} merges no clusters; there is no dendrogram of it")
    if path.suffix != ".txt":
        from refagg.plots import check_picture

        check_picture(path)


def write_dendrogram(path: Path, traces: Sequence[tuple[str, list[Event]]], n: int) -> None:
    """Write the dendrogram of one run as text (.txt) or as a picture.

    Raises InvalidParameter for several runs, and OutputUnwritable.
    """
    if len(traces) != 1:
        raise InvalidParameter(f"a dendrogram is drawn of one run, but there are {len(traces)}")
    [(_, trace)] = traces
    tree = dendrogram(trace, n)
    if path.suffix == ".txt":
        with whole_file(path) as file:
            file.write(drawn(tree) + "\n")
        return
    from refagg.plots import draw_dendrogram

    mergers = [(m.first, m.second, float(m.height)) for m in tree.mergers]
    draw_dendrogram(mergers, n, path, height="height^2")
