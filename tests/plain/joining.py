"""The end of algorithms whose last records join groups."""

from __future__ import annotations

from collections.abc import Sequence

from plain.geometry import Point, middle_of, most_central_group


def joined(points: Sequence[Point], groups: list[list[int]], left: list[int]) -> list[list[int]]:
    """Each of those that are left joins the nearest group, by centres that do not move."""
    centres = [middle_of(points, group) for group in groups]
    homes = [most_central_group(points, points[i], centres) for i in left]
    return [
        [*group, *(i for i, home in zip(left, homes, strict=True) if home == g)]
        for g, group in enumerate(groups)
    ]
