"""Steps that several algorithms share."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from refagg.cursors.remaining import Cursor
from refagg.language.choices import Choices
from refagg.language.partition import Record
from refagg.language.space import Centroids
from refagg.language.specification import OpenChoice
from refagg.language.ties import Ranking

Space = Centroids[Any]


X_R = OpenChoice("x_r", "1", "the record most distant from the average of the remaining records")
NEAR_X_R = OpenChoice("near x_r", "1", "the nearest records to x_r")


def near_leftover(step: str) -> OpenChoice:
    """The choice of the cursor's `share_out`."""
    meaning = "the group whose centroid is nearest to a leftover record"
    return OpenChoice("near leftover", step, meaning, "group")


def last_ties(step: str) -> tuple[OpenChoice, OpenChoice]:
    """The choices of `last_groups`."""
    return (
        OpenChoice(
            "last x_r", step, "the record most distant from the average of the remaining records"
        ),
        OpenChoice("near last x_r", step, "the k-1 nearest records to the last x_r"),
    )


def last_groups(R: Cursor, k: int) -> None:
    """k to 3k-1 records become one group, or from 2k on a group of k around x_r and the rest."""
    R.iteration()
    if len(R) >= 2 * k:
        x_r = R.farthest("last x_r", R.average())
        R.group("near last x_r", x_r, k)
    R.rest()


def most_distant_from_average(
    space: Space, remaining: list[Record], choices: Choices, name: str = "x_r"
) -> Record:
    """x_r: the record most distant from the average of the remaining records."""
    x_bar = space.centroid(remaining)
    return choices.choose(name, space.farthest(space.distances(x_bar, remaining)))


def seed_and_nearest(
    space: Space,
    k: int,
    choices: Choices,
    name: str,
    seed: Record,
    distances: Ranking[Record],
    without: Collection[Record] = (),
) -> list[Record]:
    """The seed and its k-1 nearest records, those in `without` left out."""
    near = space.nearest(k - 1, distances, {seed, *without})
    return [seed, *choices.choose_nearest(name, near, same_group_as=seed)]
