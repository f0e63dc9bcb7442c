"""MDAV while 2k records remain: groups at opposite ends, in pairs.

Source: A. Martinez-Balleste, A. Solanas, J. Domingo-Ferrer, J. M. Mateo-Sanz, "A genetic
approach to multivariate microaggregation for database privacy", Algorithm 1; also
J. Alarte Aleixandre, "Application of clustering techniques to privacy protection", UOC 2018,
section 5.1. Where the first prints `while RR < 2k-1`, "at least 2k" is meant.

Steps, while at least 2k records remain:
  1. x_r is the record most distant from the average of the remaining records.
  2. x_s is the record most distant from x_r.
  3. x_r and its k-1 nearest records (not x_s) form a group; x_s and its k-1 nearest of the
     others too.
Then:
  4. k to 2k-1 records form a group;
  5. fewer than k are added to existing groups. The sources do not say how; `leftovers` does.

`leftovers`:
  block             all join the group whose centroid is nearest to their own centroid
  nearest-centroid  each joins the group whose centroid is nearest to it
  nearest-record    each joins the group of the record nearest to it
  last-group        all join the group formed last
Centroids and groups are those before the first leftover is added.

>>> import refagg
>>> refagg.mdav_2k([[1], [2], [3], [10], [30]], k=2, leftovers="block").groups
((0, 1, 2), (3, 4))
>>> refagg.mdav_2k([[1], [2], [17], [30], [31]], k=2, leftovers="last-group").groups
((0, 1), (2, 3, 4))
"""

from __future__ import annotations

from collections.abc import Callable

from refagg.algorithms.mdav_family.steps import BOTH_ENDS
from refagg.cursors.remaining import Cursor, Group, on_cursor
from refagg.language.partition import Record
from refagg.language.specification import OpenChoice, Specification, choice


def mdav_2k(R: Cursor, k: int, leftovers: str) -> None:
    leaves_over = 0 < len(R) % (2 * k) < k  # for step 5, which adds to the groups
    while R.at_least(2 * k):
        x_r = R.farthest("x_r", R.average())  # 1.
        x_s = R.farthest("x_s", x_r, without={x_r})  # 2. another record, also where all are equal
        R.group("near x_r", x_r, k, without={x_s}, grows=leaves_over)  # 3.
        R.group("near x_s", x_s, k, grows=leaves_over)
    if len(R) >= k:
        R.rest()  # 4.
    elif len(R):
        LEFTOVERS[leftovers](R)  # 5.
        R.close_all()


def block(R: Cursor) -> None:
    """All join the group whose centroid is nearest to their own."""
    _all_join(R, R.nearest_group("near group", R.average(), R.centroids()))


def nearest_centroid(R: Cursor) -> None:
    """Each joins the group whose centroid is nearest to it."""
    centroids = R.centroids()
    _each_joins(R, lambda record: R.nearest_group("near group", record, centroids))


def nearest_record(R: Cursor) -> None:
    """Each joins the group of the record nearest to it."""
    members = R.members()
    _each_joins(R, lambda record: R.group_of_nearest("near record", record, members))


def last_group(R: Cursor) -> None:
    """All join the group formed last."""
    numbers = range(len(R.groups))
    _all_join(R, R.groups[R.choices.settled("rest", numbers[-1], numbers)])


LEFTOVERS = {
    "block": block,
    "nearest-centroid": nearest_centroid,
    "nearest-record": nearest_record,
    "last-group": last_group,
}


def _all_join(R: Cursor, group: Group) -> None:
    for record in list(R.records):
        R.add(record, group)


def _each_joins(R: Cursor, group_of: Callable[[Record], Group]) -> None:
    """Centroids and members are those before the first leftover is added."""
    for record, group in [(record, group_of(record)) for record in R.records]:
        R.add(record, group)


SPECIFICATION = Specification(
    name="mdav-2k",
    title="MDAV (two groups while 2k records remain)",
    source="Martinez-Balleste et al., A genetic approach to multivariate microaggregation, "
    "Algorithm 1; Alarte Aleixandre 2018, section 5.1",
    run=on_cursor(mdav_2k),
    guarantees="all groups have k records but one of k to 2k-1; "
    "with leftovers one by one, several groups of more than k",
    ties=(
        *BOTH_ENDS,
        OpenChoice("near record", "5", "the record nearest to a leftover record"),
        OpenChoice(
            "near group", "5", "the group whose centroid is nearest to the leftovers", "group"
        ),
    ),
    decisions=(1, 2, 4),
    cost="O(n^2 / k) distances, O(n) memory",
    parameters=(
        choice(
            "leftovers", tuple(LEFTOVERS), "where fewer than k records that are left at the end go"
        ),
    ),
)
