"""The claims of Valls and Gomez-Alonso about KSHC: Example 1 and numbers of its tables.

Cuadro 1 holds the nine sequences, Cuadro 2 their OSS dissimilarities, Cuadro 3 the deltas of the
clusters after step 1; they have two decimals, and .3 is read as 0.30. Of the printed numbers only
those are here that are known although the tables could not be obtained: four entries of Cuadro 2,
and one of Cuadro 3, that are not what the formula gives, and the clusters. The paper numbers its
sequences from 0; groups are printed here from 1, as everywhere in the ledger.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from refagg.algorithms.kshc import kshc
from refagg.frames import Events
from refagg.literature.claims import Claim, Recipe
from refagg.model import Partition
from refagg.run import Run
from refagg.spaces.sequences import sequence_space

KEY = "VG"
REFERENCE = (
    "A. Valls, C. Gomez-Alonso, El algoritmo de microagregacion KSHC para anonimizacion de "
    "secuencias de datos categoricos"
)

DATASET = "vg-sequences"

SINGLE = Recipe(DATASET, "kshc", 3, (("linkage", "single"),), standardise="none")

CUADRO_2 = {(8, 0): ("0.79", "3/4"), (4, 2): ("0.78", "11/14"), (2, 7): ("0.30", "1/3")}
CUADRO_2 |= {(3, 6): ("0.30", "1/3")}
"""Misprinted entries, and what they are."""


def _misprint(place: str, printed: str, right: str, *between: tuple[int, ...]) -> Claim:
    reason = f"a misprint: it is {right}"
    return Claim(KEY, place, printed, SINGLE, "delta", reason, between=between)


CLAIMS = (
    *(
        _misprint(f"Cuadro 2, ({i},{j})", printed, right, (i,), (j,))
        for (i, j), (printed, right) in CUADRO_2.items()
    ),
    _misprint("Cuadro 3, (C13,0)", "0.79", "3/4, as (8,0) of Cuadro 2", (2, 6, 8), (0,)),
    Claim(KEY, "Example 1, k=3, reserved", "{4,6,8} {3,7,9}", SINGLE, "reserved"),
    Claim(KEY, "Example 1, k=3, groups", "{1,2,5} {3,7,9} {4,6,8}", SINGLE, "groups"),
)


def measured(
    claim: Claim, sequences: Sequence[Events]
) -> Fraction | Partition | tuple[tuple[int, ...], ...]:
    """What a claim is about, for these sequences."""
    space = sequence_space(sequences, "oss")
    if claim.measure == "delta":
        one, other = claim.between
        return min(space.between(a, b) for a in one for b in other)
    run = Run(trace=[])
    partition = kshc(space, claim.recipe.k, run, **dict(claim.recipe.parameters))
    if claim.measure == "groups":
        return partition
    return tuple(event.items for event in run.trace or () if event.name == "note: reserved")
