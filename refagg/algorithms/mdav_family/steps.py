"""Steps that several algorithms share."""

from __future__ import annotations

from typing import Any

from refagg.cursors.remaining import Cursor
from refagg.language.space import Centroids
from refagg.language.specification import OpenChoice

Space = Centroids[Any]


X_R = OpenChoice("x_r", "1", "the record most distant from the average of the remaining records")
MOST_DISTANT_PAIR = OpenChoice(
    "pair",
    "1",
    "the most distant pair of records, and which end is r",
    "pair",
    predicate="the most distant pair of records, r and s",
)
BOTH_ENDS = (
    X_R,
    OpenChoice("x_s", "2", "the record most distant from x_r"),
    OpenChoice("near x_r", "3", "the k-1 nearest records to x_r"),
    OpenChoice("near x_s", "3", "the k-1 nearest records to x_s"),
)
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
    """Form the last one or two groups of k to 3k-1 records.

    They become one group, or from 2k on a group of k around x_r and the rest.
    """
    R.iteration()
    if R.has("last division", 2 * k):
        x_r = R.farthest("last x_r", R.average())
        R.group("near last x_r", x_r, k)
    R.rest()
