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
from refagg.literature.cells import Cells, Library, Value
from refagg.literature.claims import Claim, Recipe
from refagg.release.measures import information_loss, sst
from refagg.spaces.exact import ExactSpace

KEY = "DFSS08"
REFERENCE = (
    "J. Domingo-Ferrer, F. Sebe, A. Solanas, A polynomial-time approximation to optimal "
    "multivariate microaggregation, Computers & Mathematics with Applications 55 (2008) "
    "(at second hand)"
)

K = 3
RECIPE = Recipe("eleven-firms", "mu-approx", K, (("order", "any"),))

EDGES = "6-7 3-4 2-3 8-5 10-8 7-5 5-2 1-2 0-9 9-1"

REPRODUCED = {
    "k=3, edges of the forest": EDGES,
    "k=3, groups of mu-Approx": "{0,1,9} {2,3,4} {5,6,7,8,10}",
}
QUOTED = {
    "k=3, optimal groups": "{0,1,2,9} {3,4,8} {5,6,7,10}",
    "k=3, least SSE": "7.484",
    "k=3, least SSE / SST": "0.34",
}
ENUMERATED = {"k=3, least SSE": "7.484795"}

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
    found = (_edges(ExactSpace(library.scale(RECIPE))), _braces(library.partition(RECIPE).groups))
    return dict(zip(REPRODUCED, found, strict=True))


def _optimum(library: Library) -> dict[str, Value]:
    scaled = library.scale(RECIPE)
    lost, groups = least(ExactSpace(scaled), K)
    share = information_loss(lost, sst(scaled)) / 100
    return dict(zip(QUOTED, (_braces(groups), lost, share), strict=True))


CLAIMS: tuple[Claim, ...] = ()

TABLES = (
    Cells(
        KEY,
        "an independent reproduction, eleven firms",
        REPRODUCED,
        RECIPE.text,
        _reproduced,
        recipes=(RECIPE,),
    ),
    *(
        Cells(
            KEY,
            f"{where}, eleven firms",
            cells,
            "eleven-firms, standardise population, all partitions into groups of 3 to 5",
            _optimum,
            recipes=(RECIPE,),
        )
        for where, cells in (("quoted in Mdav-Matlab", QUOTED), ("enumerated", ENUMERATED))
    ),
)
