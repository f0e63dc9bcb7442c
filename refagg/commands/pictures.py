"""The pictures of a run that `refagg mask` draws.

Its steps as a page and as small multiples (`--trace-page`, `--trace-plot`), and the mergers of an
agglomerative run as a dendrogram (`--dendrogram`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from refagg.catalogue import CATALOGUE
from refagg.comparison.dendrogram import dendrogram, dendrogram_text, heights_drawn
from refagg.comparison.player.frames import ALONE, groups_in, shown_frames
from refagg.comparison.player.page import write_player
from refagg.comparison.player.scene import Run, Scene, scene_of_release
from refagg.data.csvfiles import whole_file
from refagg.errors import InvalidParameter
from refagg.language.event import Event
from refagg.language.partition import Partition
from refagg.language.specification import Specification
from refagg.release.result import Release

MOST_PANELS = 12
"""The most panels of small multiples."""

LONGEST = 60
"""The most characters of a panel's title."""


def check_steps(plot: Path | None) -> None:
    """Raise MissingExtra or InvalidParameter if the steps could not be drawn."""
    if plot:
        from refagg.comparison.plots import check_picture

        check_picture(plot)


def write_steps(
    release: Release,
    strata: Sequence[Sequence[int]],
    title: str,
    page: Path | None,
    plot: Path | None,
) -> None:
    """Write the page, the picture, or both. Raises InvalidParameter, OutputUnwritable."""
    scene = scene_of_release(release, strata)
    if plot:
        if len(scene.runs) > 1:
            raise InvalidParameter("small multiples show one run; --trace-page shows several")
        draw_steps(scene, scene.runs[0], plot)
    if page:
        write_player(page, scene, title)


def draw_steps(scene: Scene, run: Run, path: Path) -> None:
    """Draw the groups after some steps, evenly over the run."""
    from refagg.comparison.plots import Panel, draw_scatter

    across, up = scene.places.first
    points = list(zip(scene.places.axes[across], scene.places.axes[up], strict=True))
    panels = []
    for number, frame in enumerate(shown_frames(run.frames, MOST_PANELS), 1):
        text = frame.text if len(frame.text) <= LONGEST else f"{frame.text[:LONGEST]}..."
        marks = [(points[record], name) for record, name in frame.marks]
        centres = [scene.places.of_point(values) for values in frame.centres]
        marks += [((at[across], at[up]), f"centre {i}") for i, at in enumerate(centres)]
        for record, values in frame.moved:
            by = scene.places.of_point(values)
            x, y = points[record]
            marks.append(((x + by.get(across, 0.0), y + by.get(up, 0.0)), str(record)))
        colours = sorted({*frame.group_of} - {ALONE})
        panels.append(Panel(f"{number}. {text}", groups_in(frame), marks, numbers=colours))
    draw_scatter(points, (across, up), panels, path)


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
    """Write the dendrogram of a run as text or picture.

    It is that of the groups of one run; the text has the ending .txt. `heights` says what they are.
    Raises OutputUnwritable.
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
