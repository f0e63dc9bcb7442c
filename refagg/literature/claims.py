"""Printed numbers of the literature as data, with their recipes.

The data say where a number stands, what it says and how it is computed again.

`datasets/printed` has a file for each source, of the form that `schema.json` beside them describes.
A block of a file is a row or a table: its cells share what is said of the block, and a cell can say
otherwise. The `place` of a cell is that of its block with the cell's name in the braces, or after
it. A `recipe` without k has it from the name of its cells.

A cell with a `measure` is computed. One with a `verdict` is not: statements, and numbers that
follow from other printed ones, are judged by the tests, and the file keeps what they found.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from refagg import datasets
from refagg.literature.verdicts import DIFFERS, EXACT

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Recipe:
    """The run that computes a printed number.

    The names are those of `method_of`.
    """

    dataset: str
    algorithm: str = ""
    """Empty where only the data are needed."""
    k: int = 0
    parameters: tuple[tuple[str, str], ...] = ()
    standardise: str = "population"
    significant_digits: int | None = None
    seeds: int = 0
    """A random algorithm is run with the seeds from 1 to this, and the mean is measured."""
    seed: int | None = None
    """Or once, with this seed."""
    ties: str = "lowest"
    """The tie rule, where a number is known to need another one."""

    @property
    def text(self) -> str:
        """The recipe in a line."""
        parts = [self.dataset, self.algorithm, f"k={self.k}"]
        parts += [f"{name}={value}" for name, value in self.parameters]
        parts.append(f"standardise {self.standardise}")
        if self.significant_digits is not None:
            parts.append(f"z-scores of {self.significant_digits} significant digits")
        if self.ties != "lowest":
            parts.append(f"ties to the {self.ties} number")
        if self.seed is not None:
            parts.append(f"seed {self.seed}")
        if self.seeds:
            parts.append(f"mean of the seeds 1 to {self.seeds}")
        return ", ".join(parts)


def recipe_of(data: Json) -> Recipe:
    """Return the recipe that a file describes."""
    return Recipe(**{**data, "parameters": tuple(data.get("parameters", {}).items())})


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a printed number is not ours, and the verdict that follows.

    It explains a difference and makes none: a number that agrees is exact all the same.
    """

    verdict: str
    reason: str


UNEXPLAINED = Doubt(DIFFERS, "no reason is known")


@dataclass(frozen=True, slots=True)
class Found:
    """The finding of the tests for a printed number or statement."""

    ours: str | None
    verdict: str
    note: str


@dataclass(frozen=True, slots=True)
class Claim:
    """One number, or one statement in our words, that a source prints.

    `printed` has the digits of the source. `measure` names one of `measuring.MEASURES`, and `of`
    what it needs beside the recipe. `runs` are the single runs of which `printed` is the mean,
    where the source prints them; a claim that is `one_run` is a random run itself. `decimals` and
    `margin` are those of `judged`.
    """

    source: str
    place: str
    printed: str
    recipe: Recipe | None = None
    measure: str = "SSE"
    recipe_text: str = ""
    of: Json = field(default_factory=dict, hash=False)
    doubt: Doubt = UNEXPLAINED
    runs: tuple[str, ...] = ()
    one_run: bool = False
    decimals: int | None = None
    margin: Fraction = Fraction(0)
    found: Found | None = None
    needs: tuple[str, ...] = ()
    """Other data sets without which there is nothing to say."""
    random: bool = False

    @property
    def drawn(self) -> bool:
        """Return True if it is computed from many seeds."""
        return self.random or (self.recipe is not None and self.recipe.seeds > 0)

    @property
    def needed(self) -> tuple[str, ...]:
        """The data sets that it is about."""
        return self.needs + ((self.recipe.dataset,) if self.recipe else ())


@dataclass(frozen=True, slots=True)
class Source:
    """A source: its full reference, and what it prints."""

    reference: str
    claims: tuple[Claim, ...]


@cache
def sources() -> Mapping[str, Source]:
    """Return all sources by their keys."""
    read = (json.loads(path.read_text(encoding="utf-8")) for path in printed_files())
    return {data["key"]: source_of(data) for data in read}


def printed_files() -> list[Path]:
    """Return the file of each source, in their order."""
    return sorted((datasets.shipped_folder() / "printed").glob("[0-9]*.json"))


def source_of(data: Json) -> Source:
    """Return a source from its file."""
    claims = (claim for block in data["blocks"] for claim in _claims(data["key"], block))
    return Source(data["reference"], tuple(claims))


def _claims(key: str, block: Json) -> Iterator[Claim]:
    for name, cell in block["cells"].items():
        own: Json = {"printed": cell} if isinstance(cell, str) else cell
        both = {**block, **own, "of": {**block.get("of", {}), **own.get("of", {})}}
        recipe = {**block.get("recipe", {}), **own.get("recipe", {})}
        if recipe.get("algorithm") and "k" not in recipe:
            recipe["k"] = int(name)
        yield _claim(key, _place(block["place"], name), both, recipe_of(recipe) if recipe else None)


def _place(of_block: str, name: str) -> str:
    if "{}" in of_block:
        return of_block.replace("{}", name)
    return ", ".join(filter(None, (of_block, name)))


def _claim(key: str, place: str, data: Json, recipe: Recipe | None) -> Claim:
    """Return the claim of a cell.

    It is made from the data of the cell and of its block.
    """
    doubt = data.get("doubt")
    return Claim(
        key,
        place,
        data["printed"],
        recipe,
        data.get("measure", ""),
        data.get("recipe_text") or (recipe.text if recipe else ""),
        data["of"],
        Doubt(**doubt) if doubt else UNEXPLAINED,
        tuple(data.get("runs", ())),
        data.get("one_run", False),
        data.get("decimals"),
        Fraction(data.get("margin", 0)),
        _found(data),
        tuple(data.get("needs", ())),
        data.get("random", False),
    )


def _found(data: Json) -> Found | None:
    if "verdict" not in data:
        return None
    as_printed = data["printed"] if data["verdict"] == EXACT else None
    return Found(data.get("ours", as_printed), data["verdict"], data.get("note", ""))


@dataclass(frozen=True, slots=True)
class Sample:
    """The results of a random algorithm with several seeds."""

    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        return fmean(self.values)

    @property
    def deviation(self) -> float:
        """The standard deviation of a single run."""
        return stdev(self.values)

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return self.deviation / sqrt(len(self.values))
