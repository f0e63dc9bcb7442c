"""IGD: groups are dissolved, and large ones give up records, repeatedly.

Source: L. Khomnotai, J.-L. Lin, Z.-Q. Peng, A. Santra, "Iterative group decomposition for refining
microaggregation solutions", Symmetry 10 (2018) 262. The text was read in part: the order of groups
and the record with which a large group is divided are ours.

Steps, for the groups of the algorithm `start`:
  1. Decompose: the groups are visited in the order of their SSE, the greatest first. A visited
     group is dissolved, each of its records joining the group with the nearest centroid (all
     centroids as they were before), if that makes the total SSE less. Then large groups are split.
  2. Shrink: the groups are visited in the order of their formation. While a visited group has more
     than k records, the record whose move to another group makes the total SSE least moves there,
     if that lowers the SSE. Then large groups are split.
  3. If steps 1 and 2 made the SSE less, they are repeated.
A group of 2k records or more is split: the record most distant from its centroid begins a group,
which the record nearest to its own centroid joins until it has k; this is repeated while 2k are
left. The SSE never rises. Moving a record out of m to one of m' records makes the SSE m/(m-1) times
its squared distance from the centroid less, and m'/(m'+1) times that from the other one more.

Example, with paper and pencil: 0, 1, 3, 8, 10, 11 with k = 2. MDAV gives {0, 1}, {10, 11} and {3,
8} of the SSEs 1/2, 1/2 and 12.5. {3, 8} is visited first: {0, 1, 3} and {8, 10, 11} have 14/3 each.
After that no move of a record and no other dissolution lowers the SSE.

>>> import refagg
>>> refagg.igd([[0], [1], [3], [8], [10], [11]], k=2).groups
((0, 1, 2), (3, 4, 5))
"""

from __future__ import annotations

from collections.abc import Hashable

from refagg.algorithms.mdav_family.second_phase import STARTS, dissolved, start_ties, ties, visited
from refagg.cursors.groups import Groups, on_groups
from refagg.cursors.remaining import Cursor, difference
from refagg.cursors.subrun import ties_of_subrun
from refagg.language.partition import Record
from refagg.language.specification import OpenChoice, Specification, choice


def igd(R: Cursor, k: int, start: str) -> Groups:
    G = Groups.by(STARTS[start], R, k, start).by_first_record()
    for _ in G.rounds():
        G.reached(G.numbers())
        before, kept = G.sse(), G.as_sets()
        dissolved(G, G.by_decreasing_sse("visited"), kept)  # 1.
        split(G, k)
        shrunk(G, k, kept)  # 2.
        split(G, k)
        if not G.has_fallen("falls", before) or G.as_sets() == kept:  # 3.
            break
    return G


def shrunk(G: Groups, k: int, kept: Hashable) -> None:
    """Step 2, without the splits: let large groups give up records."""
    numbers = G.numbers()
    for place, number in enumerate(G.each(numbers, "groups")):
        G.reached(numbers[place:], ("shrunk", kept))
        while len(G[number]) > k and (others := G.numbers(without=number)):
            record, other = _best_move(G, number, others)
            after = {number: difference(G[number], [record]), other: [*G[other], record]}
            if not G.would_lower("move", after):
                break
            G.change(after)


def _best_move(G: Groups, number: int, others: list[int]) -> tuple[Record, int]:
    """Return the record and the group whose move makes least SSE."""
    m, squared = len(G[number]), G.space.raw(G.centroids([number])[number], G[number])
    saved = [d * m / (m - 1) for d in squared]
    return G.cheapest_move("moves", dict(zip(G[number], saved, strict=True)), others)


def split(G: Groups, k: int) -> None:
    """Large groups are split."""
    for number in G.of_at_least(2 * k):
        G.divide_by(grown, number, k, "division")


def grown(R: Cursor, k: int) -> None:
    while R.at_least(2 * k):
        r = R.farthest("r", R.average())
        group = R.begin(r)
        while len(group) < k:
            R.add(R.closest("joins", R.space.centroid(group)), group)
    R.rest()


_DIVISION = (
    OpenChoice("r", "2", "the record most distant from the centroid of the group"),
    OpenChoice("joins", "2", "the record nearest to the centroid of the new group"),
)

SPECIFICATION = Specification(
    name="igd",
    title="IGD (groups dissolved and shrunk, again and again)",
    source="Khomnotai, Lin, Peng and Santra 2018, Symmetry 10:262",
    run=on_groups(igd),
    guarantees="groups of k to 2k-1 records; the SSE is at most that of the start",
    ties=(
        *start_ties("0"),
        visited("1"),
        *ties("1"),
        OpenChoice(
            "moves",
            "2",
            "the record and the group that make the SSE least",
            "record and group",
            "SSE",
            "the record and the group to which its move makes the SSE least",
        ),
        OpenChoice("move", "2", "whether the move makes the SSE less", "test", "SSE"),
        *ties_of_subrun("division", "1 and 2", _DIVISION),
        OpenChoice("falls", "3", "whether the SSE is less than before", "test", "SSE"),
    ),
    decisions=(31, 75, 96),
    cost="the start, and O(n^2 / k) distances for each round",
    parameters=(choice("start", tuple(STARTS), "the algorithm whose partition is refined"),),
    needs="Numeric",
)
