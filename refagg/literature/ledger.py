"""The ledger of the literature: every printed number beside ours, computed when it is asked for.

Measures are exact, but for means over seeds. Unless an arithmetic is asked for, partitions are made
in binary64, or exactly where that is quicker. No tie decides any of these results, except that
leftovers of agglomeration are placed in the order of the file.

>>> [row.verdict for row in rows_of([])]
[]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import fsum, hypot
from typing import Any

from refagg.algorithms.mdav_family import dba
from refagg.catalogue import specification
from refagg.cursors.groups import Groups
from refagg.cursors.remaining import Cursor
from refagg.data import datasets
from refagg.data.kinds import Events
from refagg.data.standardise import Scaled, standardise
from refagg.data.tables import Table
from refagg.errors import DatasetUnavailable, InvalidParameter
from refagg.language.choices import Choices
from refagg.language.partition import Partition, check_k
from refagg.language.random_stream import seeded
from refagg.language.ties import tie_rule
from refagg.literature import (
    ala18,
    clh07,
    dfmms,
    dfss,
    lm05,
    lwhc10,
    mbs,
    mbs_runs,
    programs,
    rb,
    smb06,
    tor,
    uoc16,
    uoc16_listings,
    vg,
)
from refagg.literature.cells import UNEXPLAINED, Cells, Library, rows_of_cells
from refagg.literature.claims import Claim, Recipe, Sample
from refagg.literature.verdicts import (
    DIFFERS,
    EXACT,
    MISPRINT,
    NO_DATA,
    NOT_REPRODUCIBLE,
    WITHIN,
    LedgerRow,
    decimals,
    judged,
    number,
    rounded,
)
from refagg.release.measures import information_loss, sse, sst
from refagg.release.method import Method, method_of
from refagg.spaces.binary64 import FloatSpace
from refagg.spaces.of_tables import ARITHMETICS
from refagg.terminal import NOW

_MODULES = (rb, ala18, smb06, mbs, dfmms, dfss, lm05, clh07, lwhc10, uoc16, vg, tor, programs)

SOURCES: dict[str, str] = {module.KEY: module.REFERENCE for module in _MODULES}
"""The full reference of each source, by its key."""

CLAIMS: tuple[Claim, ...] = tuple(claim for module in _MODULES for claim in module.CLAIMS)

TABLES: tuple[Cells, ...] = (
    *rb.TABLES,
    *ala18.TABLES,
    *smb06.TABLES,
    *mbs.TABLES,
    *mbs_runs.TABLES,
    *dfss.TABLES,
    *vg.TABLES,
    *tor.TABLES,
    *uoc16.TABLES,
    *uoc16_listings.TABLES,
)

_ALL: tuple[Claim | Cells, ...] = (*CLAIMS, *TABLES)

ITEMS = tuple(item for key in SOURCES for item in _ALL if item.source == key)
"""All that is printed, source by source."""

QUICKER_EXACTLY = (
    *("mdav", "mdav-2k", "mdav-single", "mdav-1", "mdav-argus"),
    *("v-mdav", "iv-mdav", "cbfs", "dba-1"),
)
"""Algorithms that take less time in exact arithmetic, by its engines, than in binary64."""

Data = Table | list[Events]
"""A table of numbers, or sequences of events."""


def sample_of(claim: Claim) -> Sample | None:
    """The runs that the source prints, where it does."""
    return Sample(tuple(map(float, claim.runs))) if claim.runs else None


Measure = Fraction | Partition | Sample


def rows(
    sources: Sequence[str] | None = None, arithmetic: str | None = None, random: bool = True
) -> Iterator[LedgerRow]:
    """The ledger of some sources, by their keys, or of all; each row is computed when it is taken.

    Without `random` what is computed from many seeds is left out.

    Raises, before anything is computed, InvalidParameter for an unknown source or arithmetic,
    and for data sets that are there what `datasets.load` raises except DatasetUnavailable.
    """
    wanted = None if sources is None else [key_of(source) for source in sources]
    chosen = [item for item in ITEMS if wanted is None or item.source in wanted]
    if not random:
        chosen = [item for item in chosen if not any(r.seeds for r in _recipes(item))]
    return rows_of(chosen, arithmetic)


def key_of(source: str) -> str:
    """The key of a source, in any case. Raises InvalidParameter."""
    for key in SOURCES:
        if key.casefold() == source.casefold():
            return key
    raise InvalidParameter(
        f"there is no source {source!r} in the ledger; there are {', '.join(SOURCES)}"
    )


def rows_of(items: Sequence[Claim | Cells], arithmetic: str | None = None) -> Iterator[LedgerRow]:
    """The rows of these claims and tables; what several of them need is computed once.

    Raises as `rows`, and for recipes what `method_of` and `check_k` raise.
    """
    if arithmetic not in (None, *ARITHMETICS):
        raise InvalidParameter(f"arithmetic is {arithmetic!r}; it can be {', '.join(ARITHMETICS)}")
    recipes = [recipe for item in items for recipe in _recipes(item)]
    methods = {recipe: _method(recipe, arithmetic) for recipe in recipes}
    tables = {name: _table(name) for item in items for name in _needed(item)}
    for recipe in methods:
        if (table := tables[recipe.dataset]) is not None:
            check_k(recipe.k, table.n if isinstance(table, Table) else len(table), recipe.dataset)
    library = _library(tables, methods)
    return _rows(items, tables, _measuring(library), library)


def _recipes(item: Claim | Cells) -> tuple[Recipe, ...]:
    return (item.recipe,) if isinstance(item, Claim) else item.recipes


def _needed(item: Claim | Cells) -> tuple[str, ...]:
    return (item.recipe.dataset,) if isinstance(item, Claim) else item.needed


def _rows(
    items: Sequence[Claim | Cells],
    tables: Mapping[str, Data | None],
    measured: Callable[[Claim], Measure],
    library: Library,
) -> Iterator[LedgerRow]:
    NOW.counts(len(items), "numbers and tables")
    for done, item in enumerate(items):
        NOW.step(done)
        missing = [name for name in _needed(item) if tables[name] is None]
        if isinstance(item, Cells):
            yield from rows_of_cells(item, library, missing)
        else:
            yield _row(item, not missing, measured)
    NOW.step(len(items))


def _method(recipe: Recipe, arithmetic: str | None) -> Method:
    spec, parameters = specification(recipe.algorithm), dict(recipe.parameters)
    possible = spec.arithmetics(spec.settings(parameters))
    if arithmetic is None:
        arithmetic = "exact" if recipe.algorithm in QUICKER_EXACTLY else "float"
    return method_of(
        recipe.algorithm,
        recipe.k,
        standardise=recipe.standardise,
        significant_digits=recipe.significant_digits,
        arithmetic=arithmetic if arithmetic in possible else possible[0],
        parameters=parameters,
        seed=1 if recipe.seeds else recipe.seed,
    )


def _table(name: str) -> Data | None:
    try:
        known = datasets.DATASETS.get(name)
        if known and known.holds == "sequences":
            return datasets.load_sequences(name)
        return datasets.load(name)
    except DatasetUnavailable:
        return None


def _partitions(
    methods: Mapping[Recipe, Method], scale: Callable[[Recipe], Scaled]
) -> Callable[[Recipe], Partition]:
    """The function that forms the groups of a recipe, once."""

    def run_of(recipe: Recipe) -> tuple[Method, Any, Choices]:
        method = methods[recipe]
        choices = Choices()
        choices.tie_breaker = tie_rule(recipe.ties)
        if recipe.seed is not None:
            choices.stream = seeded(recipe.seed)
        return method, ARITHMETICS[method.arithmetic](scale(recipe)), choices

    @cache
    def of_dba_1(recipe: Recipe) -> Groups:
        method, space, choices = run_of(recipe)
        return Groups.by(dba.dba_1, Cursor(space, choices), method.k, "dba-1")

    @cache
    def partition(recipe: Recipe) -> Partition:
        method, space, choices = run_of(recipe)
        if recipe.algorithm == "dba-1":
            return of_dba_1(recipe).partition()
        begun = replace(recipe, algorithm="dba-1")
        if recipe.algorithm == "dba-2" and begun in methods:  # which begins with DBA-1
            first = Groups(space, choices, of_dba_1(begun).members)
            return dba.second(first, method.k).partition()
        return _run(method, space, choices)

    return partition


def _library(tables: Mapping[str, Data | None], methods: Mapping[Recipe, Method]) -> Library:
    """What is computed for recipes; it remembers what it has computed."""

    @cache
    def scaled(dataset: str, how: str, digits: int | None) -> Scaled:
        table = tables[dataset]
        assert isinstance(table, Table)
        return standardise(table, how, digits)

    def scale(recipe: Recipe) -> Scaled:
        return scaled(recipe.dataset, recipe.standardise, recipe.significant_digits)

    partition = _partitions(methods, scale)

    @cache
    def lost(recipe: Recipe) -> Fraction:
        return sse(scale(recipe), partition(recipe))

    @cache
    def total(dataset: str, how: str, digits: int | None) -> Fraction:
        return sst(scaled(dataset, how, digits))

    def loss(recipe: Recipe) -> Fraction:
        whole = total(recipe.dataset, recipe.standardise, recipe.significant_digits)
        return information_loss(lost(recipe), whole)

    @cache
    def sample(recipe: Recipe, measure: str) -> Sample:
        on = scale(_raw(recipe) if measure == "raw IL" else recipe)
        return _sample(recipe, measure, methods[recipe], scale(recipe), on)

    return Library(partition, lost, loss, scale, sample)


def _measuring(library: Library) -> Callable[[Claim], Measure]:
    """The function that computes a claim's measure."""

    def measured(claim: Claim) -> Measure:
        recipe = claim.recipe
        if recipe.seeds:
            return library.sample(recipe, claim.measure)
        if claim.measure == "groups":
            return library.partition(recipe)
        if claim.measure == "SSE":
            return library.sse(recipe)
        if claim.measure == "IL":
            return library.loss(recipe)
        on = library.scale(_ON[claim.measure](recipe))
        return information_loss(sse(on, library.partition(recipe)), sst(on))

    return measured


def _raw(recipe: Recipe) -> Recipe:
    """The recipe for values that are not standardised."""
    return replace(recipe, standardise="none", significant_digits=None)


def _z_scores(recipe: Recipe) -> Recipe:
    """The recipe for z-scores."""
    return replace(recipe, standardise="population", significant_digits=None)


_ON = {"raw IL": _raw, "IL of z-scores": _z_scores}
"""The scale on which a loss is measured, where it is not that of the groups."""


def _run(method: Method, space: Any, choices: Choices) -> Partition:
    found: Partition = method.specification.run(space, method.k, choices, **method.parameters)
    return found


def _sample(recipe: Recipe, measure: str, method: Method, scaled: Scaled, on: Scaled) -> Sample:
    """The measure for each seed, in binary64; `on` is the scale on which it is taken."""
    space, losing = ARITHMETICS[method.arithmetic](scaled), FloatSpace(on)
    runs = (Choices(stream=seeded(seed)) for seed in range(1, recipe.seeds + 1))
    losses = [fsum(map(losing.sse, _run(method, space, run).groups)) for run in runs]
    if measure == "SSE":
        return Sample(tuple([float(losing.shown(loss)) for loss in losses]))
    total = losing.sse(losing.records())
    return Sample(tuple([100 * loss / total for loss in losses]))


def _row(claim: Claim, available: bool, measured: Callable[[Claim], Measure]) -> LedgerRow:
    if available:
        ours, verdict, note = _compared(claim, measured(claim))
    else:
        ours, verdict = None, NO_DATA
        note = f"the data set {claim.recipe.dataset} is not available"
    return LedgerRow(
        claim.source, claim.place, claim.printed, ours, verdict, note, claim.recipe.text
    )


def _compared(claim: Claim, value: Measure) -> tuple[str, str, str]:
    """The value as the source would print it, the verdict, and the note."""
    reason = claim.reason or UNEXPLAINED.reason
    otherwise = DIFFERS if claim.reached else NOT_REPRODUCIBLE
    if isinstance(value, Sample):
        printed = sample_of(claim)
        agrees = _is_near(value, claim.printed, printed)
        ours = rounded(Fraction(value.mean), decimals(claim.printed))[0]
        varies = _varies(value, printed)
        return (ours, WITHIN, varies) if agrees else (ours, otherwise, f"{varies}; {reason}")
    if isinstance(value, Partition):
        agrees = value == groups_of(claim.printed)
        return (
            (groups_text(value), EXACT, "") if agrees else (groups_text(value), otherwise, reason)
        )
    beside = judged(value, claim.printed)
    if beside.verdict:
        return beside.ours, beside.verdict, beside.note
    return beside.ours, MISPRINT if claim.misprint else otherwise, reason


def _is_near(ours: Sample, mean: str, printed: Sample | None) -> bool:
    error = Fraction(_error_of_difference(ours, printed))
    most = 3 * error + Fraction(1, 2 * 10 ** decimals(mean))
    return abs(Fraction(ours.mean) - number(mean)) <= most


def _error_of_difference(ours: Sample, printed: Sample | None) -> float:
    """The standard error of the difference of two means; a mean without runs has none."""
    return hypot(ours.error, printed.error) if printed else ours.error


def _varies(ours: Sample, printed: Sample | None) -> str:
    text = f"standard error {ours.error:.3g}, standard deviation {ours.deviation:.3g}"
    if not printed:
        return text
    between = _error_of_difference(ours, printed)
    return (
        f"{text}; of the {len(printed.values)} printed runs {printed.error:.3g} and "
        f"{printed.deviation:.3g}; of the difference {between:.3g}"
    )


def groups_of(printed: str) -> Partition:
    """The partition that is printed as {1,2} {3,4}, records numbered from 1."""
    groups = printed.strip("{}").split("} {")
    return Partition.of([int(record) - 1 for record in group.split(",")] for group in groups)


def groups_text(partition: Partition) -> str:
    """The partition as {1,2} {3,4}, records numbered from 1.

    >>> groups_text(groups_of("{3,4} {1,2}"))
    '{1,2} {3,4}'
    """
    return " ".join(
        "{" + ",".join(str(record + 1) for record in group) + "}" for group in partition.groups
    )
