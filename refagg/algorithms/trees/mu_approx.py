"""mu-Approx: trees of nearest records, divided into parts of k or more.

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

>>> import refagg
>>> refagg.mu_approx([[1], [2], [3], [10], [11], [12], [30]], k=2).groups
((0, 1, 2), (3, 4), (5, 6))
"""

from __future__ import annotations

from refagg.cursors.forest import Forest, divided_at, on_forest
from refagg.cursors.remaining import Cursor
from refagg.cursors.trees import Tree, cut, records_of_tree, sides
from refagg.language.specification import OpenChoice, Specification, choice


def mu_approx(F: Forest, k: int, order: str) -> None:
    grow(F, k, order)  # 1.
    for tree in F.trees():
        for part in parts(F, k, order, tree):  # 2.
            F.form(farthest_and_nearest, part, k)  # 3.


def grow(F: Forest, k: int, order: str) -> None:
    """Step 1: build a forest whose trees have at least k records."""
    while roots := F.roots(k):
        if order == "any":
            root = F.any_of("root", roots)
            F.add(root, F.nearest_outside("nearest", root))
        else:
            F.add(*F.shortest_edge("edge", k))


def parts(F: Forest, k: int, order: str, tree: Tree) -> list[Tree]:
    """Step 2: return the parts into which a tree is divided."""
    waiting, done = [tree], []
    while waiting:
        tree = waiting.pop()
        large = len(records_of_tree(tree)) > max(2 * k - 1, 3 * k - 5)
        if large and (two := two_parts(F, k, order, tree)):
            waiting += two
        else:
            done.append(tree)
    return done


def two_parts(F: Forest, k: int, order: str, tree: Tree) -> list[Tree]:
    """Step 2 for one tree: divide it in two.

    There are no parts if the only way is to cut a Steiner vertex in three.
    """
    s = len(records_of_tree(tree))
    u = F.branching("u", tree, order)
    side = sides(tree, u)
    v = F.largest_side("v", tree, u, side)
    # A Steiner vertex, u < 0 or v < 0, adds no record to the part that it joins.
    while s - side(u, v) < k - 1 or (s - side(u, v) == k - 1 and v < 0):
        u = v
        v = F.largest_side("v", tree, u, side)
    phi = side(u, v)
    if phi >= k and s - phi >= k:
        return cut(tree, u, v)  # A.
    if s - phi == k - 1:
        return divided_at(tree, v, {u}, joins=True)  # B.
    enough = k - 1 if u >= 0 else k
    gathered = {v}  # C.
    if phi < enough:  # D.
        gathered, phi = set(), 0
        while phi < enough:
            w = F.next_side("side", tree, u, tree[u] - gathered, order)
            gathered.add(w)
            phi += side(u, w)
    if u < 0 and s - phi < k:
        return []
    return divided_at(tree, u, gathered, joins=phi == k - 1)


def farthest_and_nearest(R: Cursor, k: int) -> None:
    """Step 3: divide a tree's records around the most distant ones."""
    while len(R) >= 2 * k:
        seed = R.farthest("seed", R.average())
        R.group("near seed", seed, k)
    R.rest()


SPECIFICATION = Specification(
    name="mu-approx",
    title="mu-Approx (a forest of nearest records, divided)",
    source="Domingo-Ferrer, Sebe and Solanas 2008, Comput. Math. Appl. 55:714-732",
    run=on_forest(mu_approx),
    guarantees="groups of k to 2k-1 records; the source bounds the SSE by O(k^3) times the least",
    ties=(
        OpenChoice(
            "edge", "1", "the shortest edge from the root of a tree of fewer than k", "pair"
        ),
        OpenChoice(
            "root",
            "1",
            "the root of any tree of fewer than k",
            measure="nothing",
            predicate="in a tree of fewer than k records",
        ),
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
    parameters=(choice("order", ("any", "shortest"), "what is taken where the source takes any"),),
)
