"""Search for violated rank-1 cuts.

It finds triples, and other shapes where Numba is installed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import combinations

from oracle.optima.cuts import Cut, Fractional, triple
from refagg.language.partition import Group, Record

LEAST_VIOLATION = 1e-3
"""Cuts that a fractional solution violates by less are not worth a row."""

MANY = 20
"""With so many triples no other shapes are searched for."""

COMPILED = 80
"""With fewer records, loading what is compiled takes longer than the work that it saves."""


@cache
def numba_installed() -> bool:
    """Return True if searches can be compiled."""
    return find_spec("numba") is not None


def new_cuts(solution: Fractional, n: int) -> list[Cut]:
    """Return cuts that the solution violates.

    Cuts of other shapes are among them only if there are few triples.
    """
    triples = list(spread_cuts(_worst(violated_triples(solution)), 5, n // 2 + 50))
    if len(triples) >= MANY or n < COMPILED or not numba_installed():
        return triples
    from oracle.optima.grown import grown_cuts

    return triples + list(spread_cuts(_worst(grown_cuts(solution, n)), 3, n // 8 + 10))


def violated_triples(solution: Fractional) -> list[tuple[float, Cut]]:
    """Return all violated 3-subset-row cuts, with their violations."""
    found: dict[Group, float] = {}
    for a, neighbours in solution.neighbours.items():
        for b, c in combinations(sorted(neighbours), 2):
            members = tuple(sorted((a, b, c)))
            if members not in found:
                found[members] = solution.left(dict.fromkeys(members, 1), 2) - 1
    violated = ((violation, members) for members, violation in found.items())
    return [(v, triple(members)) for v, members in violated if v > LEAST_VIOLATION]


def _worst(cuts: Iterable[tuple[float, Cut]]) -> list[tuple[float, Cut]]:
    violated = [item for item in cuts if item[0] > LEAST_VIOLATION]
    return sorted(violated, key=lambda item: (-item[0], item[1].records, item[1].weights))


def spread_cuts(cuts: Sequence[tuple[float, Cut]], each: int, most: int) -> Iterator[Cut]:
    """Yield the most violated cuts, spread over the records.

    No record is in more than `each` of them.
    """
    used: Counter[Record] = Counter()
    given = 0
    for _, cut in cuts:
        if given < most and all(used[record] < each for record in cut.records):
            used.update(cut.records)
            given += 1
            yield cut
