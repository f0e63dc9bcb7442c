"""Random runs beside those of Martinez-Balleste et al.: the losses of Table 2, and Lemma 1.

The source prints one run of each. Ours are some, so that its number can be judged by how much runs
vary. "Scattered" is drawn again for each seed, as its definition is given and its records are not:
1000 records of two uniform values. Runs have a tenth of the source's iterations.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from refagg.literature.claims import Recipe, Sample
from tests.literature.statements.looked_up import (
    Finding,
    Library,
    Value,
)
from tests.literature.statements.of_mbs import ONE, REAL, TWO, K

SEEDS = {"Scattered": 5, "Census": 3, "EIA": 3}
ITERATIONS = 5
"""Enough to compare: the best of a run never loses more."""

SCATTERED = "synthetic-scattered"
DATASETS = {"Scattered": SCATTERED, **REAL}

ALONE = Recipe(SCATTERED, "mdav-2k", K, seeds=20)


def recipes_of(dataset: str) -> dict[str, Recipe]:
    """The recipes of the cells that are judged by runs, by their places."""
    return {
        f"{dataset}, K={of}, {name}, SSE": Recipe(
            DATASETS[dataset],
            name,
            K,
            (("macrogroup", str(of // K)), ("iterations", str(ITERATIONS))),
            seeds=SEEDS[dataset],
        )
        for of in (12, 18, 27)
        for name in (ONE, TWO)
    }


def _losses(dataset: str, library: Library) -> dict[str, Sample]:
    recipes = recipes_of(dataset)
    return {place: library.sample(recipe, "SSE") for place, recipe in recipes.items()}


def _lemma_1(dataset: str, library: Library) -> dict[str, Value]:
    """Each run in two steps beside MDAV on the same table; the last digits of sums may differ."""
    alone, losses = _alone(dataset, library), _losses(dataset, library)
    kept = [
        lost <= most * (1 + 1e-12)
        for place, runs in losses.items()
        if TWO in place
        for lost, most in zip(runs.values, alone, strict=True)
    ]
    return {"": Finding(all(kept), f"in {sum(kept)} of {len(kept)} runs", PROOF)}


PROOF = "the groups of MDAV are in the first population, and the best chromosome is kept"


def _alone(dataset: str, library: Library) -> Sequence[float]:
    """The SSE of MDAV for each seed."""
    if dataset == "Scattered":
        return library.sample(ALONE, "SSE").values[: SEEDS[dataset]]
    return [float(library.sse(_mdav(dataset)))] * SEEDS[dataset]


def _mdav(dataset: str) -> Recipe:
    return Recipe(DATASETS[dataset], "mdav-2k", K)


COMPUTED = {f"Lemma 1, {dataset}": partial(_lemma_1, dataset) for dataset in DATASETS}
