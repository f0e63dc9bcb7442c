"""Second phase of TFRP: groups dissolved where that lowers the SSE.

The groups are those of another algorithm.

Source: C.-C. Chang, Y.-C. Li, W.-H. Huang, "TFRP: An efficient microaggregation algorithm for
statistical disclosure control", Journal of Systems and Software 80 (2007) 1866-1878, for TFRP-2;
J.-L. Lin, T.-H. Wen, J.-C. Hsieh, P.-C. Chang, Expert Systems with Applications 37 (2010)
3256-3263, for MDAV-2 and DBA-2; C. Panagiotakis, G. Tziritas, IEEE TKDE 25 (2013) 1191-1195, for
GSMS-T2. They differ in the order of the groups, and in how a large group is divided at the end.

Steps, for any partition of the records:
  1. The groups are put in an order, which does not change.
  2. Each group that still exists is visited in this order. It is dissolved, each of its records
     joining the group with the nearest centroid (all centroids as they were before), if that makes
     the total SSE less; else it stays.
  3. Each group of 2k records or more is divided.
Neither step can raise the SSE. A second run begins with another order, and can find more.

`second-phase` refines the partition of the algorithm `start`, in the order of the SSE, the
greatest first, and divides by MDAV-1, as MDAV-2 does with the partition of MDAV-1. `refined` is the
same for groups of one's own.

Example, with paper and pencil: 0, 1, 3, 8, 10, 11 with k = 2 and the start `mdav`, which gives
{0, 1}, {10, 11} and {3, 8} of the SSEs 1/2, 1/2 and 12.5. {3, 8} is visited first: {0, 1, 3} and
{8, 10, 11} have 14/3 each, less than 13.5 together. Dissolving either of these would cost more.

>>> import refagg
>>> refagg.second_phase([[0], [1], [3], [8], [10], [11]], k=2, start="mdav").groups
((0, 1, 2), (3, 4, 5))
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from refagg.algorithms.mdav_family import cbfs, md, mdav, mdav_1
from refagg.cursors.groups import Groups, on_groups
from refagg.cursors.remaining import Cursor
from refagg.cursors.subrun import ties_of_subrun
from refagg.errors import InvalidPartition
from refagg.language.choices import Choices
from refagg.language.partition import Partition, Record
from refagg.language.space import Numeric
from refagg.language.specification import OpenChoice, Specification, choice

STARTS = {"mdav": mdav.mdav, "md": md.md, "cbfs": cbfs.cbfs}


def second_phase(R: Cursor, k: int, start: str) -> Groups:
    return refine(Groups.by(STARTS[start], R, k, start).by_first_record(), k)


def refine(G: Groups, k: int) -> Groups:
    dissolved(G, G.by_decreasing_sse("visited"))  # 1. and 2.
    return divided(G, k)  # 3.


def dissolved(G: Groups, order: Sequence[int], kept: Hashable = ()) -> None:
    """Step 2: dissolve each group in order if that lowers the SSE."""
    for place, visited in enumerate(G.each(order, "groups")):
        G.reached(order[place:], kept)
        others = G.centroids(G.numbers(without=visited))
        if not others:
            break
        joined = {record: G.nearest("near dissolved", record, others) for record in G[visited]}
        if G.would_save("dissolve", visited, joined):
            G.dissolve(visited, joined)


def divided(G: Groups, k: int) -> Groups:
    """Step 3: divide each large group by MDAV-1.

    It is divided as if it were a table of its own.
    """
    return G.divided(G.of_at_least(2 * k), _by_mdav_1, k)


def _by_mdav_1(R: Cursor, k: int) -> Groups:
    return Groups.by(mdav_1.mdav_1, R, k, "division")


def start_ties(step: str) -> tuple[OpenChoice, ...]:
    """The choices of the algorithms that can form the first groups."""
    specifications = (mdav.SPECIFICATION, md.SPECIFICATION, cbfs.SPECIFICATION)
    return tuple(t for s in specifications for t in ties_of_subrun(s.name, step, s.ties))


def ties(step: str = "2") -> tuple[OpenChoice, ...]:
    """Return the choices of step 2.

    It can be another step of an algorithm.
    """
    near = "the group whose centroid is nearest to a record of the visited group"
    return (
        OpenChoice("near dissolved", step, near, "group"),
        OpenChoice("dissolve", step, "whether dissolving makes the SSE less", "test", "SSE"),
    )


def visited(step: str = "1") -> OpenChoice:
    """The choice of the order by decreasing SSE."""
    return OpenChoice("visited", step, "the group of the greatest SSE", "group", "SSE")


def division_ties(step: str = "3") -> tuple[OpenChoice, ...]:
    """The choices of the division by MDAV-1."""
    return ties_of_subrun("division", step, mdav_1.SPECIFICATION.ties)


SPECIFICATION = Specification(
    name="second-phase",
    title="the second phase of TFRP, for the partition of another algorithm",
    source="Chang, Li and Huang 2007, JSS 80:1866-1878; Lin, Wen, Hsieh and Chang 2010, "
    "Expert Systems with Applications 37:3256-3263",
    run=on_groups(second_phase),
    guarantees="groups of k to 2k-1 records; the SSE is at most that of the start",
    ties=(*start_ties("0"), visited(), *ties(), *division_ties()),
    decisions=(31, 73, 75),
    cost="the start, and O(n^2 / k) distances",
    parameters=(choice("start", tuple(STARTS), "the algorithm whose partition is refined"),),
    needs="Numeric",
)


def refined(groups: Iterable[Iterable[Record]]) -> Specification:
    """Return the second phase for given groups, as an algorithm.

    The records of the groups are counted from 0. It can be given wherever an algorithm is: to
    `refagg.microaggregate`, `refagg.measure` or `oracle.audit`. A run raises InvalidPartition
    unless every record is in one group, and every group has k records at least.

    >>> import refagg
    >>> own = refagg.refined([[0, 2], [1, 3], [4, 5]])
    >>> refagg.microaggregate([[0], [1], [3], [8], [10], [11]], 2, own).partition.groups
    ((0, 1, 2), (3, 4, 5))
    """
    given = [list(group) for group in groups]

    def of_groups(space: Numeric[Any], k: int, choices: Choices) -> Partition:
        first = Partition.of(given, space.n)
        if first.smallest() < k:
            raise InvalidPartition(
                f"records {', '.join(map(str, first.first_smallest()))} are a group of fewer than "
                f"{k}; every group needs at least k records"
            )
        return refine(Groups.of_partition(space, choices, first), k).partition()

    return replace(
        SPECIFICATION,
        name="second-phase of given groups",
        title="the second phase of TFRP, for a partition that is given",
        run=of_groups,
        guarantees="groups of k to 2k-1 records; the SSE is at most that of the given groups",
        ties=(visited(), *ties(), *division_ties()),
        cost="O(n^2 / k) distances",
        parameters=(),
    )
