"""Partitions, losses and measures computed for printed numbers.

Partitions and losses are computed by recipes, each once.

Measures are exact, but for means over seeds and fuzzy centres.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import fsum

from refagg.algorithms.fuzzy.c_means import one_step
from refagg.catalogue import specification
from refagg.constraints.equations import parse_constraint
from refagg.constraints.system import system_of
from refagg.data.kinds import Events
from refagg.data.standardise import Scaled, standardise
from refagg.data.tables import Table
from refagg.datasets import synthetic
from refagg.language.choices import Choices
from refagg.language.partition import Group, Partition
from refagg.language.random_stream import seeded
from refagg.language.ties import tie_rule
from refagg.literature.claims import Claim, Json, Recipe, Sample, recipe_of
from refagg.release.measures import information_loss, sse, sst
from refagg.release.method import Method, method_of
from refagg.spaces.binary64 import FloatSpace
from refagg.spaces.of_tables import ARITHMETICS
from refagg.spaces.sequences import sequence_space

QUICKER_EXACTLY = (
    *("mdav", "mdav-2k", "mdav-single", "mdav-1", "mdav-argus"),
    *("v-mdav", "iv-mdav", "cbfs", "dba-1"),
)
"""Algorithms that take less time in exact arithmetic, by its engines, than in binary64."""

DRAWN_AGAIN = "synthetic-scattered"
"""The data set of which there is a table for each seed: its definition is printed, not its records.
"""

Data = Table | list[Events]
"""A table of numbers, or sequences of events."""

Value = Fraction | float | str | Sample
"""Ours: a number, a text that has to be the printed one, or random runs."""


class Library:
    """The results of recipes on tables.

    Each is computed once, when it is first needed.
    """

    def __init__(self, tables: Mapping[str, Data | None], arithmetic: str | None) -> None:
        self.tables, self.arithmetic = tables, arithmetic
        self.method = cache(self._method)
        self.partition = cache(self._partition)
        self.sample = cache(self._sample)
        self._on_scale = cache(lambda dataset, *scale: standardise(self.table(dataset), *scale))
        self._lost = cache(lambda recipe, on: sse(self.scaled(on), self.partition(recipe)))
        self._total = cache(lambda *on: sst(self._on_scale(*on)))

    def table(self, name: str) -> Table:
        table = self.tables[name]
        assert isinstance(table, Table)
        return table

    def _method(self, recipe: Recipe) -> Method:
        spec, parameters = specification(recipe.algorithm), dict(recipe.parameters)
        possible = spec.arithmetics(spec.settings(parameters))
        quicker = "exact" if recipe.algorithm in QUICKER_EXACTLY else "float"
        arithmetic = self.arithmetic or quicker
        return method_of(
            recipe.algorithm,
            recipe.k,
            standardise=recipe.standardise,
            significant_digits=recipe.significant_digits,
            arithmetic=arithmetic if arithmetic in possible else possible[0],
            parameters=parameters,
            seed=1 if recipe.seeds and spec.random else recipe.seed,
        )

    def scaled(self, recipe: Recipe) -> Scaled:
        """The table on the scale of a recipe."""
        found: Scaled = self._on_scale(*_scale(recipe))
        return found

    def _partition(self, recipe: Recipe) -> Partition:
        choices = Choices()
        choices.tie_breaker = tie_rule(recipe.ties)
        if recipe.seed is not None:
            choices.stream = seeded(recipe.seed)
        method = self.method(recipe)
        return _run(method, ARITHMETICS[method.arithmetic](self.scaled(recipe)), choices)

    def sse(self, recipe: Recipe) -> Fraction:
        return self._lost(recipe, recipe)

    def loss(self, recipe: Recipe, on: Recipe) -> Fraction:
        """The information loss in percent, on the scale of another recipe."""
        return information_loss(self._lost(recipe, on), self._total(*_scale(on)))

    def _sample(self, recipe: Recipe, measure: str) -> Sample:
        """The measure for each seed, in binary64."""
        if recipe.dataset == DRAWN_AGAIN:
            return self._of_tables(recipe)
        method, scaled = self.method(recipe), self.scaled(recipe)
        losing = FloatSpace(self.scaled(_on("none", recipe)) if measure == "raw IL" else scaled)
        space = ARITHMETICS[method.arithmetic](scaled)
        runs = (Choices(stream=seeded(seed)) for seed in range(1, recipe.seeds + 1))
        losses = [fsum(map(losing.sse, _run(method, space, run).groups)) for run in runs]
        if measure == "SSE":
            return Sample(tuple([float(losing.shown(loss)) for loss in losses]))
        total = losing.sse(losing.records())
        return Sample(tuple([100 * loss / total for loss in losses]))

    def _of_tables(self, recipe: Recipe) -> Sample:
        """Return the SSE on the table of each seed.

        Draws in a run use other seeds.
        """
        method, found = self.method(recipe), []
        for seed in range(1, recipe.seeds + 1):
            table = synthetic(recipe.dataset.removeprefix("synthetic-"), seed=seed)
            space = FloatSpace(standardise(table, recipe.standardise))
            groups = _run(method, space, Choices(stream=seeded(-seed))).groups
            found.append(float(space.shown(fsum(map(space.sse, groups)))))
        return Sample(tuple(found))


def _scale(recipe: Recipe) -> tuple[str, str, int | None]:
    return recipe.dataset, recipe.standardise, recipe.significant_digits


def _run(method: Method, space: object, choices: Choices) -> Partition:
    found: Partition = method.specification.run(space, method.k, choices, **method.parameters)
    return found


def _on(scale: str, recipe: Recipe) -> Recipe:
    """Return the recipe on another scale, where nothing is rounded."""
    return replace(recipe, standardise=scale, significant_digits=None)


def measured(library: Library, claim: Claim) -> Value | None:
    """Return our value of a claim; None if there is none."""
    recipe = claim.recipe
    assert recipe is not None
    if recipe.seeds:
        return library.sample(recipe, claim.measure)
    return MEASURES[claim.measure](library, recipe, claim.of)


def _difference(library: Library, recipe: Recipe, of: Json) -> Fraction:
    """Return the loss beyond that of the recipe `less`."""
    return library.sse(recipe) - library.sse(recipe_of(of["less"]))


def _groups(library: Library, recipe: Recipe, of: Json) -> str:
    """The groups as {0,1} {2,3}, records numbered from 0."""
    groups = library.partition(recipe).groups
    return " ".join("{" + ",".join(map(str, group)) + "}" for group in groups)


def _sizes(library: Library, recipe: Recipe, of: Json) -> str:
    """The sizes of the groups in an `order`, ascending or descending."""
    sizes = sorted(map(len, library.partition(recipe).groups))
    return " ".join(map(str, sizes[::-1] if of["order"] == "descending" else sizes))


def _group_mean(library: Library, recipe: Recipe, of: Json) -> Fraction | None:
    """Return an attribute's mean in a group, or the group's size.

    The group is that of a `record` or that of a `size`. Without an `attribute` its size is
    returned.
    """

    def is_meant(group: Group) -> bool:
        return of["record"] - 1 in group if "record" in of else len(group) == of["size"]

    groups = list(filter(is_meant, library.partition(recipe).groups))
    if len(groups) != 1:
        return None
    if "attribute" not in of:
        return Fraction(len(groups[0]))
    return _mean_of(library.table(recipe.dataset), groups[0], of["attribute"])


def _mean(library: Library, recipe: Recipe, of: Json) -> Fraction:
    """The mean of an `attribute` of `records`, numbered from 1."""
    places = [record - 1 for record in of["records"]]
    return _mean_of(library.table(recipe.dataset), places, of["attribute"])


def _mean_of(table: Table, records: Sequence[int], attribute: str) -> Fraction:
    column = table.columns[table.names.index(attribute)]
    return sum(column.values(records), Fraction(0)) / len(records)


def _dissimilarity(library: Library, recipe: Recipe, of: Json) -> Fraction:
    """The least OSS dissimilarity of sequences `from` some `to` others."""
    sequences = library.tables[recipe.dataset]
    assert isinstance(sequences, list)
    space = sequence_space(sequences, "oss")
    return min(space.between(a, b) for a in of["from"] for b in of["to"])


def _centre(library: Library, recipe: Recipe, of: Json) -> float:
    """Return a centre's value after one step of fuzzy c-means.

    The step begins from a `start`; the value is one of a `centre`.
    """
    table, project = library.table(recipe.dataset), None
    if "constraint" in of:
        width = len(table.names)
        system = system_of([parse_constraint(of["constraint"])], table.names)
        project = system.float_projector([0.0] * width, [1.0] * width)
    rows = [[float(value) for value in table.row(record)] for record in range(table.n)]
    centres, _ = one_step(rows, of["start"], m=of["m"], project=project)
    value: float = centres[of["centre"] - 1][of["attribute"] - 1]
    return value


MEASURES: Mapping[str, Callable[[Library, Recipe, Json], Value | None]] = {
    "SSE": lambda library, recipe, of: library.sse(recipe),
    "IL": lambda library, recipe, of: library.loss(recipe, recipe),
    "raw IL": lambda library, recipe, of: library.loss(recipe, _on("none", recipe)),
    "IL of z-scores": lambda library, recipe, of: library.loss(recipe, _on("population", recipe)),
    "difference": _difference,
    "groups": _groups,
    "sizes": _sizes,
    "group mean": _group_mean,
    "mean": _mean,
    "least dissimilarity": _dissimilarity,
    "centre": _centre,
}
"""Our value for a recipe; the last argument has what the measure needs beside it."""
