"""What the property tests draw: variants of the catalogue's algorithms, tables, requests.

How many examples are drawn is a Hypothesis profile, named by the environment
variable HYPOTHESIS_PROFILE: "quick" (the default), "full" (where changes are accepted), "thorough",
or "mutation" (few).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice, product
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, Phase, assume, settings
from hypothesis import strategies as st

from refagg import exact_space, float_space
from refagg.catalogue import CATALOGUE
from refagg.data.standardise import RANGE, STANDARDISATIONS, standardise
from refagg.data.tables import Table
from refagg.errors import InvalidParameter
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.language.random_stream import seeded
from refagg.language.specification import (
    Parameter,
    Specification,
)
from refagg.language.ties import HIGHEST, LOWEST, TieBreaker, TieRule, random_ties
from refagg.spaces.mixed import MixedSpace
from tests.suites import first_of_each

TABLES_TAKE_LONG = [HealthCheck.too_slow, HealthCheck.filter_too_much]
for name, number in (("quick", 4), ("full", 25), ("thorough", 2000)):
    settings.register_profile(
        name,
        max_examples=number,
        deadline=None,
        derandomize=name == "quick",  # the same examples every time
        suppress_health_check=TABLES_TAKE_LONG,
    )
settings.register_profile(
    "mutation",
    settings.get_profile("quick"),
    derandomize=False,
    max_examples=10,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # a failure is enough, however large
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

T = TypeVar("T")
Cell = int | Fraction
Number = int | Fraction
Rows = list[tuple[Cell, ...]]


def examples(factor: Fraction | int) -> settings:
    """So many times the examples of the profile."""
    return settings(max_examples=max(1, int(factor * settings().max_examples)))


# Variants


@dataclass(frozen=True, slots=True)
class Variant:
    """An algorithm with a value for each of its named parameters."""

    specification: Specification
    named: Mapping[str, str]

    def __str__(self) -> str:
        values = ",".join(self.named.values())
        return f"{self.specification.name}[{values}]" if values else self.specification.name

    @property
    def exact(self) -> bool:
        return "exact" in self.specification.arithmetics(self._settings({}))

    @property
    def width(self) -> int:
        """How many attributes it can work with, up to 3."""
        return 3 if self.specification.attributes == "any" else 1

    @property
    def legal(self) -> bool:
        """Does it promise groups of k to 2k-1 records?"""
        return all(self.smallest(k) == k and self.largest(k) == 2 * k - 1 for k in (1, 2, 5))

    def smallest(self, k: int, **numbers: Number) -> int:
        """The size that the specification says every group has at least."""
        return self.specification.smallest_group(k, **self._settings(numbers))

    def largest(self, k: int, **numbers: Number) -> int | None:
        """The size that the specification says no group exceeds."""
        return self.specification.largest_group(k, **self._settings(numbers))

    def __call__(
        self, space: Any, k: int, choices: Choices | None = None, **numbers: Number
    ) -> Partition:
        """Run the algorithm; without a run, ties go to the lowest candidate."""
        choices = some_choices() if choices is None else choices
        result: Partition = self.specification.run(space, k, choices, **self._settings(numbers))
        return result

    def _settings(self, numbers: Mapping[str, Number]) -> dict[str, Any]:
        return self.specification.settings({**self.named, **numbers})


def each(variants: Iterable[Variant]) -> pytest.MarkDecorator:
    """A test of each variant; the quick suite takes the first of each algorithm."""
    cases = first_of_each(variants, key=lambda variant: variant.specification.name)
    return pytest.mark.parametrize("variant", cases, ids=str)


MANY = 12
"""An algorithm with more combinations of named values is tested in one for each value."""


def variants(specification: Specification) -> Iterator[Variant]:
    """Every possible combination of the values of the named parameters, or enough of them.

    Of more than MANY combinations those are taken that change one value from the defaults.
    """
    named = [p for p in specification.parameters if p.kind == "choice"]
    everything = list(product(*(p.values for p in named)))
    usual = tuple(p.default for p in named)
    for values in everything:
        changed = sum(value != default for value, default in zip(values, usual, strict=True))
        if len(everything) > MANY and changed > 1:
            continue
        given = dict(zip((p.name for p in named), values, strict=True))
        with suppress(InvalidParameter):
            specification.settings(given)
            yield Variant(specification, given)


VARIANTS = [
    variant
    for specification in CATALOGUE.values()
    if specification.yields == "partition"
    for variant in variants(specification)
]


PARTITIONING = [
    name
    for name, spec in CATALOGUE.items()
    if spec.yields == "partition" and spec.attributes == "any"
]
"""The algorithms that form groups of records of any number of attributes."""


def quick_options(name: str) -> dict[str, Any]:
    """For `method_of`: the seed and the parameters that are needed, and not many iterations."""
    spec = CATALOGUE[name]
    options: dict[str, Any] = {"seed": 1} if spec.random else {}
    parameters = {one.name: one.default for one in spec.parameters if one.stated}
    if any(parameter.name == "iterations" for parameter in spec.parameters):
        parameters["iterations"] = 20
    return options | ({"parameters": parameters} if parameters else {})


def quick_arguments(name: str, **given: object) -> list[str]:
    """The same for a command, with other parameters."""
    options = quick_options(name)
    seed = ["--seed", str(options["seed"])] if "seed" in options else []
    values = options.get("parameters", {}) | given
    parameters = [f"{key}={value}" for key, value in values.items()]
    return seed + [argument for text in parameters for argument in ("--param", text)]


def some_choices(tie_breaker: TieBreaker = LOWEST, trace: bool = False) -> Choices:
    """A run with a random stream, for algorithms that draw from one."""
    return Choices(tie_breaker, seeded(7), [] if trace else None)


def numbers_of(variant: Variant) -> st.SearchStrategy[dict[str, Number]]:
    """A value for each numeric parameter: its default, 1, or others below and above."""
    return st.fixed_dictionaries(
        {name: st.sampled_from(values) for name, values in values_of(variant).items()}
    )


def values_of(variant: Variant) -> dict[str, Sequence[Number]]:
    """Some values of each numeric parameter."""
    return {p.name: _values_of(p) for p in variant.specification.parameters if p.kind != "choice"}


def _values_of(parameter: Parameter) -> Sequence[Number]:
    if parameter.kind == "attribute" or parameter.name == "macrogroup_records":
        return [0]  # which every table has, and every k allows
    if parameter.kind == "integer":  # its default can be large, and take long
        return range(parameter.least, parameter.least + 5)
    shares = [Fraction(2, 5), Fraction(1)]
    others = [] if parameter.kind == "proportion" else [Fraction(9, 4), Fraction(9)]
    if parameter.kind in ("proportion", "non-negative", "ends"):
        others.append(Fraction(0))
    return [parameter.default, *shares, *others]


def some_numbers(variant: Variant) -> dict[str, Number]:
    """One value for each numeric parameter, other than most defaults, quick to run."""
    return {
        p.name: 0
        if p.kind == "attribute" or p.name == "macrogroup_records"
        else p.least + 2
        if p.kind == "integer"
        else Fraction(3, 4)
        if p.kind == "proportion"
        else Fraction(9, 4)
        for p in variant.specification.parameters
        if p.kind != "choice"
    }


tie_breakers: st.SearchStrategy[TieBreaker] = st.one_of(
    st.just(LOWEST),
    st.just(HIGHEST),
    st.integers(0, 2**32).map(lambda seed: random_ties(seeded(seed))),
)


def mixed_space(
    table: Table,
    weights: Mapping[str, Any] | None = None,
    dissimilarity: Any = "oss",
    tolerance: Fraction = Fraction(0),
) -> MixedSpace:
    """The space of a table whose numbers are divided by their range; `weights` are by name."""
    return MixedSpace(standardise(table, RANGE, weights=weights), dissimilarity, tolerance)


def partition(
    variant: Variant, request: Request, how: str = "none", choices: Choices | None = None
) -> Partition:
    """The result in exact arithmetic where the algorithm has it, else in floats."""
    space_of = exact_space if variant.exact else float_space
    return variant(space_of(request.rows, how), request.k, choices, **request.numbers)


# Tables


def tables(n: int, cells: st.SearchStrategy[Any]) -> st.SearchStrategy[Rows]:
    """n records of 1 to 3 attributes."""
    return st.integers(1, 3).flatmap(
        lambda width: st.lists(st.tuples(*[cells] * width), min_size=n, max_size=n)
    )


few_values = st.integers(0, 3)
"""Cells of tables with many ties."""

many_values = st.integers(-1000, 1000)
"""Cells of tables with few ties."""

rationals = st.builds(Fraction, st.integers(-30, 30), st.integers(1, 9))

standardisations = st.sampled_from(STANDARDISATIONS)


def duplicates(n: int) -> st.SearchStrategy[Rows]:
    """n records of which at most three are different."""
    return tables(3, many_values).flatmap(
        lambda pool: st.lists(st.sampled_from(pool), min_size=n, max_size=n)
    )


def constant_columns(n: int) -> st.SearchStrategy[Rows]:
    """n records with an attribute that is constant."""
    return st.tuples(tables(n, few_values), many_values).map(
        lambda random_ties: [(random_ties[1], *row) for row in random_ties[0]]
    )


def equal_records(n: int) -> st.SearchStrategy[Rows]:
    """n times the same record."""
    return tables(1, many_values).map(lambda rows: rows * n)


def any_table(n: int) -> st.SearchStrategy[Rows]:
    return st.one_of(
        tables(n, few_values),
        tables(n, many_values),
        tables(n, rationals),
        duplicates(n),
        constant_columns(n),
        equal_records(n),
    )


# Requests


@dataclass(frozen=True, slots=True)
class Request:
    rows: Rows
    k: int
    numbers: Mapping[str, Number]

    @property
    def n(self) -> int:
        return len(self.rows)


def boundaries(k: int) -> list[int]:
    """The numbers of records at which one of the published loops starts, ends or ends early."""
    return [k, 2 * k - 1, 2 * k, 3 * k - 1, 3 * k]


@st.composite
def requests(
    draw: st.DrawFn,
    variant: Variant,
    table: Callable[[int], st.SearchStrategy[Rows]] = any_table,
    most: int = 16,
) -> Request:
    """A table of at most so many records, a k that it allows, and numeric parameters."""
    k = draw(st.integers(1, min(5, most // 3)))
    n = draw(st.one_of(st.sampled_from(boundaries(k)), st.integers(k, most)))
    rows = [row[: variant.width] for row in draw(table(n))]
    return Request(rows, k, draw(numbers_of(variant)))


# Every way to break the ties


def all_results(run: Callable[[TieBreaker], T], most: int) -> list[T]:
    """The results of all ways to answer every choice; drops the example if there are too many."""
    results = list(islice(_every_way(run), most + 1))
    assume(len(results) <= most)
    return results


def _every_way(run: Callable[[TieBreaker], T]) -> Iterator[T]:
    script: list[int] | None = []
    while script is not None:
        answered: list[tuple[int, int]] = []
        yield run(_following(script, answered))
        script = _next_script(answered)


def _following(script: list[int], answered: list[tuple[int, int]]) -> TieRule:
    """The tie-breaker that follows the script and then takes first answers.

    It notes each answer with the number of answers that there were.
    """

    def pick(m: int, candidates: Sequence[Any]) -> Sequence[Any]:
        ways = list(combinations(candidates, m))
        position = len(answered)
        answer = script[position] if position < len(script) else 0
        answered.append((answer, len(ways)))
        return ways[answer]

    return TieRule("scripted", pick)


def _next_script(answered: list[tuple[int, int]]) -> list[int] | None:
    """The next script in lexicographic order."""
    for position in reversed(range(len(answered))):
        answer, ways = answered[position]
        if answer + 1 < ways:
            return [a for a, _ in answered[:position]] + [answer + 1]
    return None
