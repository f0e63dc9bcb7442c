"""The claims of a study of clustering about random methods, Census: Cuadros 1 and 2, section 4.2.

Each column of the Cuadros has ten runs, their mean and their standard deviation (divisor 9). In
Cuadro 1 distances are between z-scores, but the printed information loss is that of the values as
they are; in Cuadro 2 both are of the values. Section 4.2 prints the sizes and the centres of three
clusters of the values. What else sections 3 and 4 list is in `uoc16_listings`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from statistics import stdev

from refagg.literature.claims import Recipe
from refagg.literature.verdicts import printed_number
from refagg.release.measures import information_loss, sse, sst
from tests.literature.statements.looked_up import (
    KS,
    Finding,
    Library,
    Value,
    printed,
)

NAMES = ("Cuadro 1, random seed, Census", "Cuadro 2, k-means, Census")
TABLE_1, TABLE_2 = (
    {
        k: [
            printed("UOC16", f"{name}, k={k}"),
            *(printed("UOC16", f"{name}, k={k}, run {run}") for run in range(1, 11)),
        ]
        for k in KS
    }
    for name in NAMES
)
"""By k the mean information loss in percent, then its ten runs."""

TRANSFERS = (("method", "hartigan-wong"), ("rounds", "10"))
K_MEANS = Recipe("census", "k-means", 0, (*TRANSFERS, ("repair", "none")), "none", seeds=10)


def _runs_of(table: dict[int, list[str]]) -> dict[int, list[str]]:
    """The printed runs, by k."""
    return {k: row[1:] for k, row in table.items()}


def _deviations(table: dict[int, list[str]], _: Library) -> dict[str, Value]:
    """Of the printed runs."""
    return {f"k={k}": Fraction(stdev(map(float, r))) for k, r in _runs_of(table).items()}


# Statements


def _means_of(table: dict[int, list[str]]) -> dict[int, Fraction]:
    """The printed means, by k."""
    return {k: printed_number(row[0]) for k, row in table.items()}


def _grows(table: dict[int, list[str]]) -> Finding:
    means = list(_means_of(table).values())
    runs = [list(map(printed_number, row)) for row in _runs_of(table).values()]
    apart = all(max(less) < min(more) for less, more in pairwise(runs))
    return Finding(
        all(less < more for less, more in pairwise(means)),
        "the printed means: " + " ".join(f"{float(mean):.2f}" for mean in means),
        "" if apart else "single runs for one k can lose more than others for the next",
    )


GROWTH = (
    "Section 5.1, Cuadro 1",
    "Section 5.2, Cuadro 2",
)


def _growth(_: Library) -> dict[str, Value]:
    return dict(zip(GROWTH, map(_grows, (TABLE_1, TABLE_2)), strict=True))


MDAV = {k: Recipe("census", "mdav-2k", k) for k in KS}
RAW_MDAV = {k: replace(recipe, standardise="none") for k, recipe in MDAV.items()}

METHODS = (
    "random seed, as printed",
    "random seed, measured alike",
    "k-means, as printed",
    "k-means, measured alike",
)


def _compared(library: Library) -> dict[str, Value]:
    """The printed means over the losses of MDAV, printed on z-scores or measured alike."""
    printed = [library.loss(recipe) for recipe in MDAV.values()]
    alike = [_raw_loss(library, recipe) for recipe in MDAV.values()]
    raw = [library.loss(recipe) for recipe in RAW_MDAV.values()]
    seed, means = _means_of(TABLE_1).values(), _means_of(TABLE_2).values()
    found = (
        (seed, printed, _is_two_to_three, "z-scores; the literature prints MDAV's loss of these"),
        (seed, alike, _is_two_to_three, "distances between z-scores, the loss is of the values"),
        (means, printed, _is_less, "k-means groups and loss of the values, MDAV's of z-scores"),
        (means, raw, _is_less, "all on the values; but k-means has groups of fewer than k"),
    )
    return {
        place: _over(ours, theirs, holds, note)
        for place, (ours, theirs, holds, note) in zip(METHODS, found, strict=True)
    }


def _over(
    ours: Iterable[Fraction],
    theirs: Iterable[Fraction],
    holds: Callable[[Fraction], bool],
    note: str,
) -> Finding:
    ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
    shown = " ".join(f"{float(ratio):.2f}" for ratio in ratios)
    return Finding(all(map(holds, ratios)), f"{shown} times the loss of MDAV", note)


def _is_two_to_three(ratio: Fraction) -> bool:
    return 2 <= ratio <= 3


def _is_less(ratio: Fraction) -> bool:
    return ratio < 1


def _raw_loss(library: Library, recipe: Recipe) -> Fraction:
    """The loss of the values as they are, of groups formed on another scale."""
    on = library.scale(replace(recipe, standardise="none"))
    return information_loss(sse(on, library.partition(recipe)), sst(on))


SINGLE = {k: replace(K_MEANS, k=k, seeds=0, seed=1) for k in KS}
REPAIRED = {k: replace(recipe, parameters=TRANSFERS) for k, recipe in SINGLE.items()}

SIZES_OF_CLUSTERS = (
    "sizes",
    "single records",
    "reason",
)


def _sizes_of_clusters(library: Library) -> dict[str, Value]:
    sizes = {k: [len(g) for g in library.partition(SINGLE[k]).groups] for k in KS}
    few = {k: sum(size < k for size in row) for k, row in sizes.items()}
    ones = {k: row.count(1) for k, row in sizes.items()}
    more = [library.loss(REPAIRED[k]) > library.loss(RAW_MDAV[k]) for k in KS]
    losses = " ".join(f"{float(library.loss(recipe)):.2f}" for recipe in REPAIRED.values())
    mdav = " ".join(f"{float(library.loss(recipe)):.2f}" for recipe in RAW_MDAV.values())
    found = (
        Finding(all(few.values()), "fewer than k: " + _shares(few, sizes)),
        Finding(ones[3] >= len(sizes[3]) / 10, "one record: " + _shares(ones, sizes), MANY),
        Finding(all(more), f"with sizes of k to 2k-1 {losses}, MDAV {mdav}", "values as they are"),
    )
    return dict(zip(SIZES_OF_CLUSTERS, found, strict=True))


MANY = "many at k = 3, few at k = 10"


def _shares(counts: dict[int, int], sizes: dict[int, list[int]]) -> str:
    return ", ".join(f"{count} of {len(sizes[k])} at k={k}" for k, count in counts.items())


COMPUTED = {
    f"{NAMES[0]}, standard deviation": partial(_deviations, TABLE_1),
    f"{NAMES[1]}, standard deviation": partial(_deviations, TABLE_2),
    "": _growth,
    "Section 5.3": _compared,
    "Section 5.3, k-means": _sizes_of_clusters,
}
