"""ONA: records change groups, and groups dissolve, while the SSE falls.

Source: J. Soria-Comas, J. Domingo-Ferrer, R. Mulero, "Efficient near-optimal variable-size
microaggregation", MDAI 2019, LNCS 11676:333-345. The paper was not available: the steps are
recollected; the orders, the division and the first partition are ours.

Steps:
  1. The records are drawn one after the other from the random stream, and dealt in turn to n/k
     groups, n/k being rounded down.
  2. The records are visited in the order drawn.
     a. If the group of the record has more than k records: it moves to the group to whose SSE it
        adds least, if that makes the total SSE less.
     b. If it has k records: it is dissolved, each of its records joining the group to whose SSE it
        adds least (all groups as they were), if that makes the total SSE less.
     c. A group that then has 2k records or more is divided: the record most distant from its
        centroid and the k-1 nearest to that are one group, the others one.
  3. Step 2 is repeated until nothing changes, at most `rounds` times.
A record that joins a group of m records adds m/(m+1) times its squared distance from the centroid.
The SSE falls with every change, so step 3 always ends.

Example, with paper and pencil: 0, 1, 2, 20, 21 with k = 2, drawn in this order: 0, 2, 21 and 1, 20
are dealt. 0 moves to 1 and 20, as the SSEs 361/2 + 254 are less than 806/3 + 361/2. 1 and 2 stay;
20 moves to 2 and 21, for the SSEs 1/2 and 686/3. In the second round 2 moves to 0 and 1, in the
third nothing changes.

>>> import refagg
>>> from refagg.language.choices import Choices
>>> from refagg.language.random_stream import scripted
>>> space = refagg.exact_space([[0], [1], [2], [20], [21]])
>>> run = refagg.specification("ona").run
>>> run(space, 2, Choices(stream=scripted([0, 0, 0, 0, 0])), rounds=100).groups
((0, 1, 2), (3, 4))
"""

from __future__ import annotations

from collections.abc import Sequence

from refagg.cursors.groups import Groups, on_groups
from refagg.cursors.remaining import Cursor, difference
from refagg.cursors.subrun import ties_of_subrun
from refagg.language.partition import Record
from refagg.language.specification import OpenChoice, Specification, integer


def ona(R: Cursor, k: int, rounds: int) -> Groups:
    drawn = R.choices.sample("order", R.records, len(R))
    count = len(R) // k
    G = Groups(R.space, R.choices, {number: drawn[number::count] for number in range(count)})  # 1.
    improved_groups(G, k, drawn, rounds)
    return G


def improved_groups(G: Groups, k: int, order: Sequence[Record], rounds: int) -> None:
    """Step 3, for any groups: improve until no record changes."""
    for number in G.rounds(rounds):
        G.reached(kept=number)
        changed = [changed_at(G, k, record) for record in G.each(order, "records")]
        if not any(changed):
            break


def changed_at(G: Groups, k: int, record: Record) -> bool:
    """Step 2 for one record: return True if it changes groups."""
    number = G.home(record)
    others = G.numbers(without=number)
    if not others:
        return False
    grown = (
        _moved(G, number, others, record) if len(G[number]) > k else _dissolved(G, number, others)
    )
    for other in grown:
        if G.choices.large(len(G[other]), 2 * k):
            G.divide_by(far_and_rest, other, k, "division")  # c.
    return bool(grown)


def _moved(G: Groups, number: int, others: Sequence[int], record: Record) -> list[int]:
    """a. The group that has grown, if there is one."""
    other = G.least_increase("near", record, others)
    after = {number: difference(G[number], [record]), other: [*G[other], record]}
    if not G.would_lower("move", after):
        return []
    G.change(after)
    return [other]


def _dissolved(G: Groups, number: int, others: Sequence[int]) -> list[int]:
    """b. The groups that have grown, in the order of their numbers."""
    joined = {record: G.least_increase("near dissolved", record, others) for record in G[number]}
    if not G.would_save("dissolve", number, joined):
        return []
    G.dissolve(number, joined)
    return sorted(set(joined.values()))


def far_and_rest(R: Cursor, k: int) -> None:
    r = R.farthest("r", R.average())
    R.group("near r", r, k)
    R.rest()


_DIVISION = (
    OpenChoice("r", "1", "the record most distant from the centroid of the group"),
    OpenChoice("near r", "2", "the k-1 nearest records to r"),
)

_LEAST = "the group to whose SSE a record {} adds least"

SPECIFICATION = Specification(
    name="ona",
    title="ONA (records move and groups are dissolved while the SSE falls)",
    source="Soria-Comas, Domingo-Ferrer and Mulero 2019, LNCS 11676:333-345",
    run=on_groups(ona),
    guarantees="groups of k to 2k-1 records; no move and no dissolution lowers the SSE, unless "
    "the rounds are over",
    ties=(
        OpenChoice("near", "2a", _LEAST.format("of a large group"), "group", "SSE"),
        OpenChoice("move", "2a", "whether moving makes the SSE less", "test", "SSE"),
        OpenChoice("near dissolved", "2b", _LEAST.format("of a group of k"), "group", "SSE"),
        OpenChoice("dissolve", "2b", "whether dissolving makes the SSE less", "test", "SSE"),
        *ties_of_subrun("division", "2c", _DIVISION),
    ),
    decisions=(90,),
    cost="O(n^2) distances for each round, O(n) memory and the SSE of the groups looked at",
    parameters=(integer("rounds", 100, 1, "how often all records are visited at most"),),
    needs="Numeric",
    random=True,
)
