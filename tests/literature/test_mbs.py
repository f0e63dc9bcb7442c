"""Random runs beside the losses of Martinez-Balleste et al., and what can be said of MDAV."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from refagg.catalogue import specification
from refagg.data.standardise import standardise
from refagg.data.synthetic import synthetic
from refagg.language.choices import Choices
from refagg.literature import mbs_runs
from refagg.literature.claims import Recipe
from refagg.literature.ledger import rows, rows_of
from refagg.literature.verdicts import LedgerRow
from refagg.release.measures import sse
from refagg.spaces.exact import ExactSpace


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    """No reference data, and one iteration on the tables of two seeds."""
    monkeypatch.setenv("REFAGG_DATA", str(tmp_path))
    monkeypatch.setenv("REFAGG_CACHE", str(tmp_path))
    monkeypatch.setitem(mbs_runs.SEEDS, "Scattered", 2)
    monkeypatch.setattr(mbs_runs, "ITERATIONS", 1)


def scattered() -> list[LedgerRow]:
    """The losses and Lemma 1, from the recipes as they are now."""
    return list(rows_of(mbs_runs.tables("Scattered")))


@pytest.mark.long
def test_scattered_is_judged_by_tables_of_other_seeds(quick: None) -> None:
    """MDAV on 20 tables has a mean near 4.5 and a deviation near 0.2; the source has 4.71."""
    found = {row.place: row for row in scattered()}
    alone = [row for place, row in found.items() if place.endswith("SSE of MDAV")]
    assert len(alone) == 3
    assert {(row.printed, row.verdict) for row in alone} == {("4.71", "within the noise")}
    assert all(row.note.startswith("mean of 20 runs") for row in alone)
    assert len(found) == 3 + 6 + 1
    lemma = found["Lemma 1, Scattered"]
    assert (lemma.verdict, lemma.ours) == ("claim true", "in 6 of 6 runs")


def test_the_loss_on_the_tables_of_seeds() -> None:
    """Beside the exact loss of groups that are formed exactly."""
    recipe = replace(mbs_runs.ALONE, seeds=2)
    losses, spec = mbs_runs._of_tables(recipe).values, specification("mdav-2k")
    for seed, lost in enumerate(losses, 1):
        scaled = standardise(synthetic("scattered", seed=seed), "population")
        groups = spec.run(ExactSpace(scaled), 3, Choices(), **spec.settings({}))
        assert Fraction(lost) == pytest.approx(float(sse(scaled, groups)), rel=1e-12)
    assert losses[0] != losses[1]


def test_a_run_that_loses_more_refutes_the_lemma(
    quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = mbs_runs._of_tables

    def worse(recipe: Recipe) -> mbs_runs.Sample:
        values = honest(recipe).values
        if recipe.algorithm == "two-step":
            values = (values[0] + 1, *values[1:])
        return mbs_runs.Sample(values)

    monkeypatch.setattr(mbs_runs, "_of_tables", worse)
    (lemma,) = (row for row in scattered() if row.place.startswith("Lemma"))
    assert (lemma.verdict, lemma.ours) == ("claim false", "in 3 of 6 runs")


def test_runs_are_left_out_without_random() -> None:
    places = {row.place for row in rows(["MBS+"], random=False)}
    assert not any(place.startswith("Lemma") for place in places)
    assert not any(place.startswith("Table 2, Scattered") and "SSE" in place for place in places)
