"""mu-Approx: a forest of nearest records, its trees divided into parts of k or more.

Source: J. Domingo-Ferrer, F. Sebe, A. Solanas, "A polynomial-time approximation to optimal
multivariate microaggregation", Computers & Mathematics with Applications 55 (2008) 714-732,
after the k-anonymity algorithm of Aggarwal et al. 2005. Recollected.

Steps:
  1. Every record is a tree. While a tree has fewer than k records, its root, which is the one
     record that no edge leaves, gets an edge to its nearest record in another tree.
  2. While a tree has s > max(2k-1, 3k-5) records, divide it. u is a vertex with two edges or more;
     v is its neighbour with the most records on its side, phi of them. While s - phi < k-1, u is
     moved to v. Then
     A. if phi >= k and s - phi >= k, the edge between u and v is cut;
     B. if s - phi = k-1, v joins the side of u;
     C. if phi = k-1, u joins the side of v;
     D. if phi < k-1, sides of u are gathered until they have k-1 records or more; u joins them if
        they have k-1, and otherwise joins what is left.
     Where a record joins one part and also connects the other, a Steiner vertex takes its place
     there: it has edges, but is not a record.
  3. The records of each tree are a group; from 2k on it is divided into the record most distant
     from its centroid with its k-1 nearest, and the rest.

Where the source takes any tree, vertex or side, `order` "any", the default, takes any of them too.
With ties to the lowest record it gives the source's worked example of eleven firms. "shortest" is
ours, and loses less on most data: the shortest edge is added first, division begins at the vertex
most distant from the centroid of its tree, and the nearest sides are gathered first.

>>> from refagg import exact_space
>>> space = exact_space([[1], [2], [3], [10], [11], [12], [30]])
>>> mu_approx(space, 2, Choices(), order="any").groups
((0, 1, 2), (3, 4), (5, 6))
"""

from __future__ import annotations

from refagg.algorithms.mdav_family.steps import Space, most_distant_from_average, seed_and_nearest
from refagg.algorithms.trees.mu_division import parts
from refagg.algorithms.trees.mu_forest import forest
from refagg.algorithms.trees.tree import records_of
from refagg.cursors.remaining import difference
from refagg.language.choices import Choices
from refagg.language.partition import Partition, Record
from refagg.language.specification import Choice, OpenChoice, Specification


def mu_approx(space: Space, k: int, choices: Choices, order: str) -> Partition:
    groups: list[list[Record]] = []
    # 1.
    for tree in forest(space, k, choices, order):
        # 2.
        for part in parts(space, k, choices, order, tree):
            # 3.
            groups += _split(space, k, choices, records_of(part))
    return Partition.of(groups, space.n)


def _split(space: Space, k: int, choices: Choices, group: list[Record]) -> list[list[Record]]:
    """Groups of k to 2k-1 records."""
    groups = []
    while len(group) >= 2 * k:
        seed = most_distant_from_average(space, group, choices, "seed")
        distances = space.distances(seed, group)
        near = choices.closed(seed_and_nearest(space, k, choices, "near seed", seed, distances))
        groups.append(near)
        group = difference(group, near)
    return [*groups, choices.closed(group)]


SPECIFICATION = Specification(
    name="mu-approx",
    title="mu-Approx (a forest of nearest records, divided)",
    source="Domingo-Ferrer, Sebe and Solanas 2008, Comput. Math. Appl. 55:714-732",
    run=mu_approx,
    largest_group=lambda k, order: 2 * k - 1,
    guarantees="groups of k to 2k-1 records; the source bounds the SSE by O(k^3) times the least",
    ties=(
        OpenChoice(
            "edge", "1", "the shortest edge from the root of a tree of fewer than k", "pair"
        ),
        OpenChoice("root", "1", "the root of any tree of fewer than k", measure="nothing"),
        OpenChoice("nearest", "1", "the record of another tree nearest to the root"),
        OpenChoice("u", "2", "a vertex with two edges: any, or the most distant from the centroid"),
        OpenChoice(
            "v", "2", "the neighbour of u that has most records on its side", measure="records"
        ),
        OpenChoice("side", "2", "a neighbour of u whose side is gathered: any, or the nearest"),
        OpenChoice(
            "seed", "3", "the record most distant from the centroid of a group of 2k or more"
        ),
        OpenChoice("near seed", "3", "the k-1 nearest records to the seed"),
    ),
    decisions=(38, 39),
    cost="O(n^2) distances, O(n) memory",
    parameters=(Choice("order", ("any", "shortest"), "what is taken where the source takes any"),),
)
