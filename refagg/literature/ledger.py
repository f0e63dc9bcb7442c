"""The ledger of the literature: every printed number beside ours.

Each is computed when it is requested.

Unless an arithmetic is asked for, partitions are made in binary64, or exactly where that is
quicker. No tie decides any of these results, except that leftovers of agglomeration are placed in
the order of the file.

>>> [row.verdict for row in rows_of_claims([])]
[]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import hypot

from refagg import datasets
from refagg.data.tables import Table
from refagg.errors import DatasetUnavailable
from refagg.language.lists import check_one_of
from refagg.language.partition import check_k
from refagg.literature import verdicts
from refagg.literature.claims import Claim, Sample, sources
from refagg.literature.measuring import Data, Library, Value, measured
from refagg.spaces.of_tables import ARITHMETICS
from refagg.terminal import NOW


def ledger_rows(
    wanted: Sequence[str] | None = None, arithmetic: str | None = None, random: bool = True
) -> Iterator[verdicts.LedgerRow]:
    """Return the ledger of some sources, or of all.

    Sources are named by their keys, and each row is computed when it is taken. Without `random`
    what is computed from many seeds is left out.

    Raises, before anything is computed, InvalidParameter for an unknown source or arithmetic,
    and for data sets that are there what `datasets.load` raises except DatasetUnavailable.
    """
    keys = None if wanted is None else [key_of(source, sources()) for source in wanted]
    claims = [
        claim
        for key, source in sources().items()
        if keys is None or key in keys
        for claim in source.claims
    ]
    return rows_of_claims([claim for claim in claims if random or not claim.drawn], arithmetic)


def key_of(source: str, known: Iterable[str]) -> str:
    """The known key that is meant in any case. Raises InvalidParameter."""
    keys = {key.casefold(): key for key in known}
    found = keys.get(source.casefold(), source)
    check_one_of(found, keys.values(), "there is no source", others="there are")
    return found


def rows_of_claims(
    claims: Sequence[Claim], arithmetic: str | None = None
) -> Iterator[verdicts.LedgerRow]:
    """Return the ledger's rows for these claims.

    What several of them need is computed once. Raises as `rows`, and for recipes what `method_of`
    and `check_k` raise.
    """
    if arithmetic is not None:
        check_one_of(arithmetic, ARITHMETICS, "arithmetic is")
    tables = {name: _table(name) for claim in claims for name in claim.needed}
    library = Library(tables, arithmetic)
    for recipe in dict.fromkeys(claim.recipe for claim in claims):
        if recipe and recipe.algorithm:
            library.method(recipe)
            if (table := tables[recipe.dataset]) is not None:
                n = table.n if isinstance(table, Table) else len(table)
                check_k(recipe.k, n, recipe.dataset)
    return _rows(claims, library)


def _table(name: str) -> Data | None:
    try:
        known = datasets.DATASETS.get(name)
        if known and known.holds == "sequences":
            return datasets.load_sequences(name)
        return datasets.load(name)
    except DatasetUnavailable:
        return None


def _rows(claims: Sequence[Claim], library: Library) -> Iterator[verdicts.LedgerRow]:
    NOW.counts(len(claims), "numbers")
    for done, claim in enumerate(claims):
        NOW.step(done)
        yield _row(claim, library)
    NOW.step(len(claims))


def _row(claim: Claim, library: Library) -> verdicts.LedgerRow:
    if missing := [name for name in claim.needed if library.tables[name] is None]:
        ours, verdict = None, verdicts.NO_DATA
        note = f"the data set {' and '.join(missing)} is not available"
    elif claim.found:
        ours, verdict, note = claim.found.ours, claim.found.verdict, claim.found.note
    else:
        ours, verdict, note = _compared(claim, measured(library, claim))
    text = claim.recipe_text
    return verdicts.LedgerRow(claim.source, claim.place, claim.printed, ours, verdict, note, text)


def _compared(claim: Claim, value: Value | None) -> tuple[str | None, str, str]:
    """Return our value as printed, the verdict and the note.

    The value is written as the source would print it.
    """
    if value is None:
        return None, verdicts.NOT_PRINTED, claim.doubt.reason
    if isinstance(value, Sample):
        return _of_runs(claim, value)
    if isinstance(value, str):
        if value == claim.printed:
            return value, verdicts.EXACT, ""
        return value, claim.doubt.verdict, claim.doubt.reason
    beside = verdicts.judged(Fraction(value), claim.printed, claim.decimals, claim.margin)
    if beside.verdict:
        return beside.ours, beside.verdict, beside.note
    return beside.ours, claim.doubt.verdict, claim.doubt.reason


def _of_runs(claim: Claim, ours: Sample) -> tuple[str, str, str]:
    """Compare a printed mean of random runs, or one run, with ours."""
    printed, places = sample_of(claim), verdicts.decimals(claim.printed)
    error, varies = _error_of_difference(ours, printed), _varies(ours, printed)
    if claim.one_run:
        error = ours.deviation
        varies = f"mean of {len(ours.values)} runs, whose standard deviation is {error:.3g}"
    mean = verdicts.rounded(Fraction(ours.mean), places)[0]
    most = 3 * Fraction(error) + Fraction(1, 2 * 10**places)
    if abs(Fraction(ours.mean) - verdicts.printed_number(claim.printed)) <= most:
        return mean, verdicts.NOISE if claim.one_run else verdicts.WITHIN, varies
    return mean, claim.doubt.verdict, f"{varies}; {claim.doubt.reason}"


def sample_of(claim: Claim) -> Sample | None:
    """The runs that the source prints, where it does."""
    return Sample(tuple(map(float, claim.runs))) if claim.runs else None


def _error_of_difference(ours: Sample, printed: Sample | None) -> float:
    """Return the standard error of the difference of two means.

    A mean without runs has none.
    """
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
