"""The steps of a run as a page and as small multiples, for `refagg mask`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from refagg.comparison.player import (
    Frame,
    groups_in,
    runs_of,
    shown_frames,
    write_player,
)
from refagg.comparison.principal import plane
from refagg.data.standardise import standardise
from refagg.errors import InvalidParameter
from refagg.language.specification import Specification
from refagg.release.masking import Release

MOST_PANELS = 12
"""The most panels of small multiples."""

LONGEST = 60
"""The most characters of a panel's title."""


def check_steps(spec: Specification, page: Path | None, plot: Path | None) -> None:
    """Raise MissingExtra or InvalidParameter if the steps could not be shown."""
    if (page or plot) and spec.yields != "partition":
        raise InvalidParameter(f"{spec.name} forms no groups whose steps could be shown")
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
    runs = runs_of(release, strata)
    if plot:
        if len(runs) > 1:
            raise InvalidParameter("small multiples show one run; --trace-page shows several")
        draw_steps(release, runs[0].frames, plot)
    if page:
        write_player(page, release, runs, title)


def draw_steps(release: Release, frames: Sequence[Frame], path: Path) -> None:
    """Draw the groups after some steps, evenly over the run."""
    from refagg.comparison.plots import Panel, draw_scatter

    if release.original.others:
        raise InvalidParameter("steps are drawn only for numbers")
    points, labels = plane(standardise(release.original, release.method.standardise))
    panels = []
    for number, frame in enumerate(shown_frames(frames, MOST_PANELS), 1):
        text = frame.text if len(frame.text) <= LONGEST else f"{frame.text[:LONGEST]}..."
        marks = [(points[record], name) for record, name in frame.marks]
        panels.append(Panel(f"{number}. {text}", groups_in(frame), marks, in_order=True))
    draw_scatter(points, labels, panels, path)
