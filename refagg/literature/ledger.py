"""The ledger of the literature: every printed number beside ours, computed when it is asked for.

Measures are exact, but for means over seeds. Partitions are made in binary64 unless exact
arithmetic is asked for and the algorithm has it. No tie decides any of these results, except that
leftovers of agglomeration are placed in the order of the file.

>>> [row.verdict for row in rows_of([])]
[]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from math import floor, fsum, hypot, sqrt
from statistics import fmean, stdev
from typing import Any

from refagg import datasets
from refagg.catalogue import specification
from refagg.errors import DatasetUnavailable, InvalidParameter
from refagg.frames import Events
from refagg.literature import ala18, clh07, dfmms, mbs, rb, smb06, uoc16, vg
from refagg.literature.claims import Claim, Recipe
from refagg.masking import ARITHMETICS, Method, method_of
from refagg.measures import information_loss, sse, sst
from refagg.model import Partition, check_k
from refagg.run import Run
from refagg.spaces.binary64 import FloatSpace
from refagg.standardise import Scaled, standardise
from refagg.tables import Table
from refagg.tape import seeded

_MODULES = (rb, ala18, smb06, mbs, dfmms, clh07, uoc16, vg)

SOURCES: dict[str, str] = {module.KEY: module.REFERENCE for module in _MODULES}
"""The full reference of each source, by its key."""

CLAIMS: tuple[Claim, ...] = tuple(claim for module in _MODULES for claim in module.CLAIMS)

Data = Table | list[Events]
"""A table of numbers, or sequences of events."""

WITHIN = "within 3 standard errors"

VERDICTS = ("exact", WITHIN, "differs", "not reproducible", "no data")
"""Ours rounds to the printed digits, half up or half to even; or it is a mean over seeds, and the
printed number is, but for its rounding, within three standard errors of that mean (of the
difference of both means, where the source prints the runs of its own); it does not or is not; the
same, and no reading of the source is known that would; it cannot be computed without the data
set."""

UNEXPLAINED = "no reason is known"


@dataclass(frozen=True, slots=True)
class Row:
    """One claim and what became of it.

    `ours` has as many decimals as `printed`, and is None without data. `note` explains any
    verdict but "exact"; for a mean it says how much single runs and the mean vary. `recipe` says
    how ours was computed.
    """

    source: str
    place: str
    printed: str
    ours: str | None
    verdict: str
    note: str
    recipe: str

    def as_data(self) -> dict[str, str | None]:
        """The row, ready for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Sample:
    """What a random algorithm gives with several seeds."""

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


def sample_of(claim: Claim) -> Sample | None:
    """The runs that the source prints, where it does."""
    return Sample(tuple(map(float, claim.runs))) if claim.runs else None


Clusters = tuple[tuple[int, ...], ...]

Measure = Fraction | Partition | Clusters | Sample | str


def rows(sources: Sequence[str] | None = None, arithmetic: str = "float") -> Iterator[Row]:
    """The ledger of some sources, by their keys, or of all; each row is computed when it is taken.

    Raises, before anything is computed, InvalidParameter for an unknown source or arithmetic,
    and for data sets that are there what `datasets.load` raises except DatasetUnavailable.
    """
    for source in sources or ():
        if source not in SOURCES:
            raise InvalidParameter(
                f"there is no source {source!r} in the ledger; there are {', '.join(SOURCES)}"
            )
    chosen = [claim for claim in CLAIMS if sources is None or claim.source in sources]
    return rows_of(chosen, arithmetic)


def rows_of(claims: Sequence[Claim], arithmetic: str = "float") -> Iterator[Row]:
    """The rows of these claims; what several of them need is computed once.

    Raises as `rows`, and for recipes what `method_of` and `check_k` raise.
    """
    if arithmetic not in ARITHMETICS:
        raise InvalidParameter(f"arithmetic is {arithmetic!r}; it can be {', '.join(ARITHMETICS)}")
    recipes = [recipe for c in claims for recipe in (c.recipe, c.other) if recipe]
    methods = {recipe: _method(recipe, arithmetic) for recipe in recipes}
    tables = {name: _table(name) for name in {recipe.dataset for recipe in methods}}
    for recipe in methods:
        if (table := tables[recipe.dataset]) is not None:
            n = table.n if isinstance(table, Table) else len(table)
            check_k(recipe.k, n, recipe.dataset)
    of_tables = _measuring(tables, methods)

    def measured(claim: Claim) -> Measure:
        data = tables[claim.recipe.dataset]
        return vg.measured(claim, data) if isinstance(data, list) else of_tables(claim)

    return (_row(claim, tables[claim.recipe.dataset] is not None, measured) for claim in claims)


def _method(recipe: Recipe, arithmetic: str) -> Method:
    spec, parameters = specification(recipe.algorithm), dict(recipe.parameters)
    possible = spec.arithmetics(spec.settings(parameters))
    return method_of(
        recipe.algorithm,
        recipe.k,
        standardise=recipe.standardise,
        significant_digits=recipe.significant_digits,
        arithmetic=arithmetic if arithmetic in possible else possible[0],
        parameters=parameters,
        seed=1 if recipe.seeds else None,
    )


def _table(name: str) -> Data | None:
    try:
        if name == vg.DATASET:
            return datasets.load_sequences(name)
        return datasets.load(name)
    except DatasetUnavailable:
        return None


def _measuring(
    tables: dict[str, Data | None], methods: dict[Recipe, Method]
) -> Callable[[Claim], Measure]:
    """The function that computes a claim's measure, and remembers what it has computed."""

    @cache
    def scaled(dataset: str, how: str, digits: int | None) -> Scaled:
        table = tables[dataset]
        assert isinstance(table, Table)
        return standardise(table, how, digits)

    def scale(recipe: Recipe) -> Scaled:
        return scaled(recipe.dataset, recipe.standardise, recipe.significant_digits)

    def scale_of_loss(claim: Claim) -> Scaled:
        raw = claim.measure == "raw IL"
        return scaled(claim.recipe.dataset, "none", None) if raw else scale(claim.recipe)

    @cache
    def partition(recipe: Recipe) -> Partition:
        method = methods[recipe]
        return _run(method, ARITHMETICS[method.arithmetic](scale(recipe)), Run())

    @cache
    def lost(recipe: Recipe) -> Fraction:
        return sse(scale(recipe), partition(recipe))

    def measured(claim: Claim) -> Measure:
        recipe = claim.recipe
        if recipe.seeds:
            return _sample(claim, methods[recipe], scale(recipe), scale_of_loss(claim))
        if claim.measure in ("groups", "same groups"):
            return _groups(claim, partition)
        if claim.measure == "SSE":
            return lost(recipe)
        on = scale_of_loss(claim)
        return information_loss(sse(on, partition(recipe)), sst(on))

    return measured


def _groups(claim: Claim, partition: Callable[[Recipe], Partition]) -> Measure:
    found = partition(claim.recipe)
    if claim.other is None:
        return found
    return "equal" if found == partition(claim.other) else "different"


def _run(method: Method, space: Any, run: Run) -> Partition:
    found: Partition = method.specification.run(space, method.k, run, **method.parameters)
    return found


def _sample(claim: Claim, method: Method, scaled: Scaled, on: Scaled) -> Sample:
    """The measure for each seed, in binary64; `on` is the scale on which it is taken."""
    space, losing = ARITHMETICS[method.arithmetic](scaled), FloatSpace(on)
    runs = (Run(tape=seeded(seed)) for seed in range(1, claim.recipe.seeds + 1))
    losses = [fsum(map(losing.sse, _run(method, space, run).groups)) for run in runs]
    if claim.measure == "SSE":
        return Sample(tuple([float(losing.shown(loss)) for loss in losses]))
    total = losing.sse(losing.records())
    return Sample(tuple([100 * loss / total for loss in losses]))


def _row(claim: Claim, available: bool, measured: Callable[[Claim], Measure]) -> Row:
    if not available:
        ours, verdict = None, "no data"
        note = f"the data set {claim.recipe.dataset} is not available"
    else:
        value = measured(claim)
        ours, agrees = _compared(value, claim)
        agreement = WITHIN if isinstance(value, Sample) else "exact"
        verdict = agreement if agrees else "differs" if claim.reached else "not reproducible"
        notes = [_varies(value, sample_of(claim))] if isinstance(value, Sample) else []
        notes += [] if agrees else [claim.reason or UNEXPLAINED]
        note = "; ".join(notes)
    return Row(claim.source, claim.place, claim.printed, ours, verdict, note, claim.recipe.text)


def _compared(value: Measure, claim: Claim) -> tuple[str, bool]:
    """The value as the source would print it, and whether that agrees with what it prints."""
    printed = claim.printed
    if isinstance(value, Partition):
        return groups_text(value), value == groups_of(printed)
    if isinstance(value, tuple | str):
        text = value if isinstance(value, str) else clusters_text(value)
        return text, text == printed
    places = decimals(printed)
    if isinstance(value, Sample):
        mean = Fraction(value.mean)
        error = _error_of_difference(value, sample_of(claim))
        most = 3 * Fraction(error) + Fraction(1, 2 * 10**places)
        return rounded(mean, places)[0], abs(mean - Fraction(printed)) <= most
    roundings = rounded(value, places)
    return (printed, True) if printed in roundings else (roundings[0], False)


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


def decimals(printed: str) -> int:
    """How many digits a number has after its decimal point.

    >>> decimals("8.20"), decimals("799")
    (2, 0)
    """
    return len(printed.partition(".")[2])


def rounded(value: Fraction, places: int) -> tuple[str, str]:
    """The value to so many decimals, half to even and half up.

    >>> rounded(Fraction(1, 8), 2)
    ('0.12', '0.13')
    """
    shifted = value * 10**places
    wholes = round(shifted), floor(shifted + Fraction(1, 2))
    even, up = (f"{Decimal(whole).scaleb(-places):f}" for whole in wholes)
    return even, up


def groups_of(printed: str) -> Partition:
    """The partition that is printed as {1,2} {3,4}, records numbered from 1."""
    groups = printed.strip("{}").split("} {")
    return Partition.of([int(record) - 1 for record in group.split(",")] for group in groups)


def groups_text(partition: Partition) -> str:
    """The partition as {1,2} {3,4}, records numbered from 1.

    >>> groups_text(groups_of("{3,4} {1,2}"))
    '{1,2} {3,4}'
    """
    return clusters_text(partition.groups)


def clusters_text(clusters: Clusters) -> str:
    """Some clusters in their order, as `groups_text`."""
    return " ".join(
        "{" + ",".join(str(record + 1) for record in cluster) + "}" for cluster in clusters
    )
