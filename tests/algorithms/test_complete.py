"""What every algorithm of the catalogue must have, and is easily forgotten for a new one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from inspect import getmodule

import pytest
from places import ROOT

from oracle.conformance.vectors import claims, vectors_of
from refagg import exact_space, float_space
from refagg.catalogue import CATALOGUE
from refagg.commands.costs import measured
from refagg.errors import UnsupportedArithmetic
from refagg.functions.describing import python_name
from refagg.language.choices import Choices
from refagg.language.random_stream import seeded
from tests.algorithms.index import path_of
from tests.black_box.records import is_recorded
from tests.faulty.wrong import WRONG
from tests.planted.mutants import MUTANTS
from tests.stubs import STUB

ONE_ARITHMETIC = {
    "binary64": (
        *("fuzzy", "gaussian-noise", "projection", "tfrp-1", "tfrp-2"),
        *("mcdpca", "influence", "clustpca", "clustpppca", "clustmcdpca"),
    ),
    "whole numbers": ("local-search",),
}
"""Algorithms whose numbers are irrational, or whose distances come from outside the data; and one
that compares whole numbers only. All others have both arithmetics."""


@dataclass(frozen=True, slots=True)
class Needed:
    """What an algorithm must have: is it there, and how it is made if it is not."""

    there: object
    how: str


def needs(name: str) -> dict[str, Needed]:
    """All that an algorithm needs besides its file. Most of it is missing for a new one."""
    spec, twin = CATALOGUE[name], f"tests/plain/{name.replace('-', '_')}.py"
    text = getmodule(spec.run).__doc__ or ""  # type: ignore[union-attr]
    alone = name in (*ONE_ARITHMETIC["binary64"], *ONE_ARITHMETIC["whole numbers"])
    return {
        "a source": Needed(
            spec.source and re.search("Source:|Ours:", text), "'Source: ' in its file"
        ),
        "steps": Needed(
            "Steps" in text or re.search(r"^ +1\. ", text, re.M), "'  1. ' and so on in its file"
        ),
        "a decision or an open choice": Needed(spec.decisions or spec.ties, "SPECIFICATION"),
        "its decisions": Needed(
            all(decides(number, name) for number in spec.decisions),
            f"`{name}` after 'Algorithms:' in docs/decisions.md {spec.decisions}",
        ),
        "a promise about sizes": Needed(
            spec.guarantees and spec.smallest_group(2, **spec.settings({})), "SPECIFICATION"
        ),
        "both arithmetics": Needed(
            alone or set(spec.arithmetic) == {"exact", "float"}, "ONE_ARITHMETIC in this file"
        ),
        "a signature": Needed(
            f"\ndef {python_name(spec)}(" in STUB.read_text(encoding="utf-8"),
            "python -m tests.stubs",
        ),
        "20 vectors": Needed(
            name in claims() and len(vectors_of(name)) >= 20,
            f"python -m oracle.conformance.vectors.generate {name}",
        ),
        "a twin": Needed((ROOT / twin).exists(), f"write partition(points, k) in {twin}"),
        "planted mistakes": Needed(
            name in {mutant.algorithm for mutant in MUTANTS},
            f"[[{name}]] in tests/planted/mistakes.toml, then python -m tests.planted.catch {name}",
        ),
        "faulty programs": Needed(sum(one.claim == name for one in WRONG) >= 5, "tests/faulty"),
        "recorded outputs": Needed(
            is_recorded(f"algorithm-{name}"),
            f"python -m tests.black_box.records algorithm-{name} catalogue --write",
        ),
        "costs": Needed(
            name in measured()["engines"]["arrays"]["algorithms"],
            f"python -m tests.benchmarks.costs --write {name}",
        ),
        "a file of its tests": Needed(path_of(name).exists(), "python -m tests.algorithms.index"),
    }


def decides(number: int, name: str) -> bool:
    """Return True if a decision says that it is for this algorithm."""
    text = (ROOT / "docs" / "decisions.md").read_text(encoding="utf-8")
    section = text.partition(f"\n## {number} ")[2].partition("\n## ")[0]
    return f"`{name}`" in section.partition("\nAlgorithms: ")[2].partition("\n")[0]


@pytest.mark.parametrize("name", CATALOGUE)
def test_nothing_is_missing(name: str) -> None:
    missing = [f"{what}: {one.how}" for what, one in needs(name).items() if not one.there]
    row = f"if it is to be listed there: `{name}` in the table of README.md"
    assert not missing, "\n  ".join([f"{name} still needs", *missing, row])


def test_files_that_name_tests_name_those_that_are_there() -> None:
    for name in CATALOGUE:
        text = path_of(name).read_text(encoding="utf-8") if path_of(name).exists() else ""
        for path in re.findall(r"^- (\S+\.\w+)", text, re.MULTILINE):
            assert (ROOT / path).exists(), (
                f"{path}: renew {name} by python -m tests.algorithms.index"
            )


@pytest.mark.parametrize("name", [*ONE_ARITHMETIC["binary64"], *ONE_ARITHMETIC["whole numbers"]])
def test_a_space_of_the_other_arithmetic_is_refused(name: str) -> None:
    spec = CATALOGUE[name]
    space = exact_space if name in ONE_ARITHMETIC["binary64"] else float_space
    rows = [[i * i % 17, i * 7 % 13] for i in range(12)]
    with pytest.raises(UnsupportedArithmetic, match=r"run it in an? (float|exact)_space"):
        spec.run(space(rows), 2, Choices(stream=seeded(1)), **spec.settings({}))
