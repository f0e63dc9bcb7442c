"""Random runs beside the losses of Martinez-Balleste et al., and what can be said of MDAV."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from refagg.catalogue import specification
from refagg.data.standardise import standardise
from refagg.datasets import synthetic
from refagg.language.choices import Choices
from refagg.literature.claims import Claim, Recipe, Sample, sources
from refagg.literature.ledger import ledger_rows, rows_of_claims
from refagg.literature.measuring import Library
from refagg.release.measures import sse
from refagg.spaces.exact import ExactSpace
from tests.literature.statements import of_mbs_runs

ALONE = Recipe("synthetic-scattered", "mdav-2k", 3, seeds=20)


def scattered() -> list[Claim]:
    """The losses on tables that are drawn, with one iteration for two seeds."""
    claims = []
    for claim in sources()["MBS+"].claims:
        if claim.recipe and claim.recipe.dataset == "synthetic-scattered":
            parameters = dict(claim.recipe.parameters)
            if parameters:
                changed = tuple((parameters | {"iterations": "1"}).items())
                recipe = replace(claim.recipe, parameters=changed, seeds=2)
                claim = replace(claim, recipe=recipe)
            claims.append(claim)
    return claims


@pytest.mark.long
def test_scattered_is_judged_by_tables_of_other_seeds() -> None:
    """MDAV on 20 tables has a mean near 4.5 and a deviation near 0.2; the source has 4.71."""
    found = {row.place: row for row in rows_of_claims(scattered())}
    alone = [row for place, row in found.items() if place.endswith("SSE of MDAV")]
    assert len(alone) == 3
    assert {(row.printed, row.verdict) for row in alone} == {("4.71", "within the noise")}
    assert all(row.note.startswith("mean of 20 runs") for row in alone)
    assert len(found) == 3 + 6


def test_the_loss_on_the_tables_of_seeds() -> None:
    """Beside the exact loss of groups that are formed exactly."""
    recipe = replace(ALONE, seeds=2)
    losses, spec = Library({}, None).sample(recipe, "SSE").values, specification("mdav-2k")
    for seed, lost in enumerate(losses, 1):
        scaled = standardise(synthetic("scattered", seed=seed), "population")
        groups = spec.run(ExactSpace(scaled), 3, Choices(), **spec.settings({}))
        assert Fraction(lost) == pytest.approx(float(sse(scaled, groups)), rel=1e-12)
    assert losses[0] != losses[1]


@pytest.mark.parametrize(
    ("more", "holds", "found"), [(0, True, "15 of 15"), (1, False, "12 of 15")]
)
def test_a_run_that_loses_more_refutes_the_lemma(more: int, holds: bool, found: str) -> None:
    """Runs of two steps that lose as much as MDAV, but for the first of each kind."""

    def sample(recipe: Recipe, measure: str) -> Sample:
        first = 4.0 + more * (recipe.algorithm == "two-step")
        return Sample((first, *[4.0] * (recipe.seeds - 1)))

    library: Any = SimpleNamespace(sample=sample)
    lemma = of_mbs_runs.COMPUTED["Lemma 1, Scattered"](library)[""]
    assert (lemma.holds, lemma.found) == (holds, f"in {found} runs")


def test_runs_are_left_out_without_random() -> None:
    places = {row.place for row in ledger_rows(["MBS+"], random=False)}
    assert not any(place.startswith("Lemma") for place in places)
    assert not any(place.startswith("Table 2, Scattered") and "SSE" in place for place in places)
