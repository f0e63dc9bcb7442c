"""The ledger of the literature: every printed number beside ours, computed when it is asked for.

Measures are exact. Partitions are made in binary64 unless exact arithmetic is asked for. No
tie decides any of these results, except that leftovers of agglomeration are placed in the order
of the file.

>>> [row.verdict for row in rows_of([])]
[]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from math import floor

from refagg import datasets
from refagg.errors import DatasetUnavailable, InvalidParameter
from refagg.literature import ala18, mbs, rb, smb06
from refagg.literature.claims import Claim, Recipe
from refagg.masking import ARITHMETICS, Method, method_of
from refagg.measures import information_loss, sse, sst
from refagg.model import Partition, check_k
from refagg.run import Run
from refagg.standardise import Scaled, standardise
from refagg.tables import Table

_MODULES = (rb, ala18, smb06, mbs)

SOURCES: dict[str, str] = {module.KEY: module.REFERENCE for module in _MODULES}
"""The full reference of each source, by its key."""

CLAIMS: tuple[Claim, ...] = tuple(claim for module in _MODULES for claim in module.CLAIMS)

VERDICTS = ("exact", "differs", "not reproducible", "no data")
"""Ours rounds to the printed digits, half up or half to even; it does not; it does not, and no
reading of the source is known that would; it cannot be computed without the data set."""

UNEXPLAINED = "no reason is known"


@dataclass(frozen=True, slots=True)
class Row:
    """One claim and what became of it.

    `ours` has as many decimals as `printed`, and is None without data. `note` explains any
    verdict but "exact". `recipe` says how ours was computed.
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
    methods = {claim.recipe: _method(claim.recipe, arithmetic) for claim in claims}
    tables = {name: _table(name) for name in {recipe.dataset for recipe in methods}}
    for recipe in methods:
        if (table := tables[recipe.dataset]) is not None:
            check_k(recipe.k, table.n, recipe.dataset)
    measured = _measuring(tables, methods)
    return (_row(claim, tables[claim.recipe.dataset] is not None, measured) for claim in claims)


def _method(recipe: Recipe, arithmetic: str) -> Method:
    return method_of(
        recipe.algorithm,
        recipe.k,
        standardise=recipe.standardise,
        significant_digits=recipe.significant_digits,
        arithmetic=arithmetic,
        parameters=dict(recipe.parameters),
    )


def _table(name: str) -> Table | None:
    try:
        return datasets.load(name)
    except DatasetUnavailable:
        return None


def _measuring(
    tables: dict[str, Table | None], methods: dict[Recipe, Method]
) -> Callable[[Claim], Fraction | Partition]:
    """The function that computes a claim's measure, and remembers what it has computed."""

    @cache
    def scaled(dataset: str, how: str, digits: int | None) -> Scaled:
        table = tables[dataset]
        assert table is not None
        return standardise(table, how, digits)

    def scale(recipe: Recipe) -> Scaled:
        return scaled(recipe.dataset, recipe.standardise, recipe.significant_digits)

    @cache
    def partition(recipe: Recipe) -> Partition:
        method = methods[recipe]
        space = ARITHMETICS[method.arithmetic](scale(recipe))
        found: Partition = method.specification.run(space, method.k, Run(), **method.parameters)
        return found

    @cache
    def lost(recipe: Recipe) -> Fraction:
        return sse(scale(recipe), partition(recipe))

    def measured(claim: Claim) -> Fraction | Partition:
        if claim.measure == "groups":
            return partition(claim.recipe)
        if claim.measure == "IL":
            return information_loss(lost(claim.recipe), sst(scale(claim.recipe)))
        return lost(claim.recipe)

    return measured


def _row(claim: Claim, available: bool, measured: Callable[[Claim], Fraction | Partition]) -> Row:
    if not available:
        ours, verdict = None, "no data"
        note = f"the data set {claim.recipe.dataset} is not available"
    else:
        ours, agrees = _compared(measured(claim), claim.printed)
        verdict = "exact" if agrees else "differs" if claim.reached else "not reproducible"
        note = "" if agrees else claim.reason or UNEXPLAINED
    return Row(claim.source, claim.place, claim.printed, ours, verdict, note, claim.recipe.text)


def _compared(value: Fraction | Partition, printed: str) -> tuple[str, bool]:
    """The value as the source would print it, and whether that is what it prints."""
    if isinstance(value, Partition):
        return groups_text(value), value == groups_of(printed)
    roundings = rounded(value, decimals(printed))
    return (printed, True) if printed in roundings else (roundings[0], False)


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
    return " ".join(
        "{" + ",".join(str(record + 1) for record in group) + "}" for group in partition.groups
    )
