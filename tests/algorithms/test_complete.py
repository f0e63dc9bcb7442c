"""What every algorithm of the catalogue must have, and is easily forgotten for a new one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from inspect import getmodule

import pytest
from places import ROOT

from oracle.conformance.vectors import vectors_of
from refagg import exact_space, float_space
from refagg.catalogue import CATALOGUE
from refagg.errors import UnsupportedArithmetic
from refagg.language.choices import Choices
from refagg.language.random_stream import seeded
from tests.faulty.wrong import WRONG
from tests.planted.mutants import MUTANTS

ONE_ARITHMETIC = {
    "binary64": (
        *("fuzzy", "gaussian-noise", "insensitive", "projection", "tfrp-1", "tfrp-2"),
        *("mcdpca", "influence", "clustpca", "clustpppca", "clustmcdpca"),
    ),
    "whole numbers": ("local-search",),
}
"""Algorithms whose numbers are irrational, or whose distances come from outside the data; and one
that compares whole numbers only. All others have both arithmetics."""


def lacks(name: str) -> list[str]:
    """What is not there of an algorithm."""
    spec = CATALOGUE[name]
    text = getmodule(spec.run).__doc__ or ""  # type: ignore[union-attr]
    twin = ROOT / "tests" / "plain" / f"{name.replace('-', '_')}.py"
    alone = name in (*ONE_ARITHMETIC["binary64"], *ONE_ARITHMETIC["whole numbers"])
    there: Mapping[str, object] = {
        "a source": spec.source and re.search("Source:|Ours:", text),
        "steps": "Steps" in text or re.search(r"^ +1\. ", text, re.M),
        "a decision or a choice left open": spec.decisions or spec.ties,
        "a promise about sizes": spec.guarantees and spec.smallest_group(2, **spec.settings({})),
        "both arithmetics": alone or set(spec.arithmetic) == {"exact", "float"},
        "vectors": len(vectors_of(name)) >= 20,
        "a twin by another text": twin.exists(),
        "planted lines": sum(mutant.algorithm == name for mutant in MUTANTS),
        "faulty programs": sum(one.claim == name for one in WRONG) >= 5,
    }
    return [what for what, found in there.items() if not found]


@pytest.mark.parametrize("name", CATALOGUE)
def test_nothing_is_lacking(name: str) -> None:
    assert lacks(name) == []


@pytest.mark.parametrize("name", [*ONE_ARITHMETIC["binary64"], *ONE_ARITHMETIC["whole numbers"]])
def test_a_space_of_the_other_arithmetic_is_refused(name: str) -> None:
    spec = CATALOGUE[name]
    space = exact_space if name in ONE_ARITHMETIC["binary64"] else float_space
    rows = [[i * i % 17, i * 7 % 13] for i in range(12)]
    with pytest.raises(UnsupportedArithmetic, match=r"run it in an? (float|exact)_space"):
        spec.run(space(rows), 2, Choices(stream=seeded(1)), **spec.settings({}))
