"""What `refagg mask --dendrogram FILE` does: the mergers of an agglomerative run, drawn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from refagg.catalogue import CATALOGUE
from refagg.comparison.dendrogram import dendrogram, dendrogram_text, heights_drawn
from refagg.data.csvfiles import whole_file
from refagg.errors import InvalidParameter
from refagg.language.event import Event
from refagg.language.partition import Partition
from refagg.language.specification import Specification


def check_dendrogram(path: Path | None, spec: Specification) -> None:
    """Raise InvalidParameter, or MissingExtra, if a dendrogram could not be drawn."""
    if path is None:
        return
    if not spec.heights:
        others = ", ".join(name for name, known in CATALOGUE.items() if known.heights)
        raise InvalidParameter(f"{spec.name} is not hierarchical; --dendrogram works with {others}")
    if path.suffix != ".txt":
        from refagg.comparison.plots import check_picture

        check_picture(path)


def check_one_run(path: Path | None, blocks: int, strata: int) -> None:
    """Raise InvalidParameter where a dendrogram is wanted of several runs."""
    if path is not None and blocks * strata > 1:
        raise InvalidParameter(
            f"a dendrogram is drawn of one run, but there are {blocks * strata}: one for each "
            "block of attributes and each stratum"
        )


def write_dendrogram(
    path: Path, trace: Sequence[Event], partition: Partition, heights: str
) -> None:
    """Write the dendrogram of the groups of one run as text (.txt) or as a picture.

    `heights` says what they are. Raises OutputUnwritable.
    """
    tree = dendrogram(trace, partition.n, partition.groups)
    if path.suffix == ".txt":
        with whole_file(path) as file:
            file.write("\n".join([dendrogram_text(tree), *tree.remarks()]) + "\n")
        return
    from refagg.comparison.plots import draw_dendrogram

    mergers = [
        (merger.first, merger.second, height)
        for merger, height in zip(tree.mergers, heights_drawn(tree), strict=True)
    ]
    draw_dendrogram(mergers, partition.n, path, heights, "\n".join(tree.remarks()))
