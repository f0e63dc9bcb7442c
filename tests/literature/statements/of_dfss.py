"""The example of Domingo-Ferrer, Sebe and Solanas about mu-Approx: eleven firms, k = 3.

The paper could not be read, so nothing here is copied from its print. The records, the edges of the
forest and the groups are those of an independent reproduction of the example. The optimal groups,
with the SSE and the loss as "exact values" of the paper, are in a comment of the program
microagregacao.m (github.com/nielsencastelo/Mdav-Matlab), whose SSE has the digits after the third
cut off; the six decimals are those of an enumeration of all partitions.
Records are numbered from 0.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations

from refagg.algorithms.trees.mu_approx import grow
from refagg.cursors.forest import Forest
from refagg.language.choices import Choices
from refagg.literature.claims import Recipe
from refagg.release.measures import information_loss, sst
from refagg.spaces.exact import ExactSpace
from tests.literature.statements.looked_up import (
    Library,
    Value,
    printed,
)

K = 3
RECIPE = Recipe("eleven-firms", "mu-approx", K, (("order", "any"),))

EDGES = printed("DFSS08", "an independent reproduction, eleven firms, k=3, edges of the forest")
QUOTED = ("k=3, optimal groups", "k=3, least SSE", "k=3, least SSE / SST")

Groups = tuple[tuple[int, ...], ...]


def least(space: ExactSpace, k: int) -> tuple[Fraction, Groups]:
    """The least SSE of all partitions into groups of at least k, and its groups: by enumeration."""
    cost = cache(space.sse)

    @cache
    def best(left: tuple[int, ...]) -> tuple[Fraction, Groups] | None:
        if not left:
            return Fraction(0), ()
        found = []
        for size in range(k, 2 * k):
            for others in combinations(left[1:], size - 1):
                group = (left[0], *others)
                rest = best(tuple(record for record in left if record not in group))
                if rest is not None:
                    found.append((cost(group) + rest[0], (group, *rest[1])))
        return min(found, default=None)

    optimum = best(tuple(space.records()))
    assert optimum is not None
    return space.shown(optimum[0]), optimum[1]


def _braces(groups: Groups) -> str:
    return " ".join("{" + ",".join(map(str, group)) + "}" for group in groups)


def _edges(space: ExactSpace) -> str:
    """The edges of the forest, in the order and the direction of the source where it has them."""
    grown = Forest(space, Choices())
    grow(grown, K, "any")
    trees = grown.trees()
    left = {frozenset((v, w)) for tree in trees for v, around in tree.items() for w in around}
    stated = [e for e in EDGES.split() if frozenset(map(int, e.split("-"))) in left]
    others = left - {frozenset(map(int, e.split("-"))) for e in stated}
    return " ".join([*stated, *("-".join(map(str, sorted(edge))) for edge in others)])


def _reproduced(library: Library) -> dict[str, Value]:
    return {"k=3, edges of the forest": _edges(ExactSpace(library.scale(RECIPE)))}


def _optimum(library: Library) -> dict[str, Value]:
    scaled = library.scale(RECIPE)
    lost, groups = least(ExactSpace(scaled), K)
    share = information_loss(lost, sst(scaled)) / 100
    return dict(zip(QUOTED, (_braces(groups), lost, share), strict=True))


COMPUTED = {
    "an independent reproduction, eleven firms": _reproduced,
    "quoted in Mdav-Matlab, eleven firms": _optimum,
    "enumerated, eleven firms": _optimum,
}
