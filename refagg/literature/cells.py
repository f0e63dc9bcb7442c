"""Tables as they are printed: many numbers, one recipe for all of them, a verdict for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from refagg.data.standardise import Scaled
from refagg.language.partition import Partition
from refagg.literature.claims import Recipe, Sample
from refagg.literature.verdicts import (
    CLAIM_FALSE,
    CLAIM_TRUE,
    DIFFERS,
    EXACT,
    MISPRINT,
    NO_DATA,
    NOISE,
    NOT_REPRODUCIBLE,
    Judged,
    LedgerRow,
    decimals,
    judged,
    number,
    rounded,
)


@dataclass(frozen=True, slots=True)
class Library:
    """What the library computes for recipes; each is computed once."""

    partition: Callable[[Recipe], Partition]
    sse: Callable[[Recipe], Fraction]
    loss: Callable[[Recipe], Fraction]
    """The information loss in percent."""
    scale: Callable[[Recipe], Scaled]
    sample: Callable[[Recipe, str], Sample]
    """A measure, as those of a `Claim`, for each seed of a random recipe."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether the numbers confirm a statement in words, and what they are."""

    holds: bool
    found: str
    note: str = ""


Value = Fraction | float | str | Finding | Sample
"""Ours: a number, a text that has to be the printed one, what became of a statement, or random runs
of which the printed number is one."""

Compute = Callable[[Library], Mapping[str, Value]]


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a printed number is not ours, and the verdict that follows.

    It explains a difference and makes none: a number that agrees is exact all the same.
    """

    verdict: str
    reason: str


def misprint(reason: str) -> Doubt:
    return Doubt(MISPRINT, reason)


def unknown(reason: str) -> Doubt:
    return Doubt(NOT_REPRODUCIBLE, reason)


UNEXPLAINED = Doubt(DIFFERS, "no reason is known")


@dataclass(frozen=True, slots=True)
class Cells:
    """Printed cells that one recipe computes.

    `printed` has the digits of each cell exactly as printed, or a statement in our words, by its
    place in the table. `compute` has the values for the same places; a place that it leaves out
    cannot be computed. It may ask the library for `recipes`, and needs `datasets`. `doubts` are
    about single cells, `doubt` about all others. `decimals` and `margin` are those of `judged`.
    """

    source: str
    table: str
    printed: Mapping[str, str]
    recipe: str
    compute: Compute
    recipes: tuple[Recipe, ...] = ()
    datasets: tuple[str, ...] = ()
    doubts: Mapping[str, Doubt] = field(default_factory=dict)
    doubt: Doubt = UNEXPLAINED
    decimals: int | None = None
    margin: Fraction = Fraction(0)

    @property
    def needed(self) -> tuple[str, ...]:
        """The data sets without which there is nothing to compute."""
        return tuple({recipe.dataset for recipe in self.recipes} | set(self.datasets))


def nothing(_: Library) -> dict[str, Value]:
    """The values of cells of which none can be computed."""
    return {}


def grid(rows: Sequence[str], columns: Sequence[str], digits: str) -> dict[str, str]:
    """The cells of a table from its digits, line by line.

    >>> grid(["a"], ["k=3", "k=4"], "5.69 7.52")
    {'a, k=3': '5.69', 'a, k=4': '7.52'}
    """
    places = [f"{row}, {column}" if row else column for row in rows for column in columns]
    return dict(zip(places, digits.split(), strict=True))


def rows_of_cells(cells: Cells, library: Library, missing: Sequence[str]) -> Iterator[LedgerRow]:
    """The rows of a table; they are computed when the first is taken.

    `missing` are the data sets that it needs and that are not available.
    """
    values: Mapping[str, Value] = {} if missing else cells.compute(library)
    for place, printed in cells.printed.items():
        if missing:
            found, note = None, f"the data set {' and '.join(missing)} is not available"
            verdict = NO_DATA
        else:
            found, verdict, note = _verdict(cells, place, printed, values.get(place))
        where = ", ".join(filter(None, (cells.table, place)))
        yield LedgerRow(cells.source, where, printed, found, verdict, note, cells.recipe)


def _one_run(ours: Sample, printed: str, doubt: Doubt) -> tuple[str, str, str]:
    """A printed random run, compared with our runs."""
    mean = rounded(Fraction(ours.mean), decimals(printed))[0]
    varies = f"mean of {len(ours.values)} runs, whose standard deviation is {ours.deviation:.3g}"
    rounding = 0.5 * 10 ** -decimals(printed)
    if abs(float(number(printed)) - ours.mean) <= 3 * ours.deviation + rounding:
        return mean, NOISE, varies
    return mean, doubt.verdict, f"{varies}; {doubt.reason}"


def _verdict(
    cells: Cells, place: str, printed: str, value: Value | None
) -> tuple[str | None, str, str]:
    """Ours, the verdict and the note."""
    doubt = cells.doubts.get(place, cells.doubt)
    if value is None:
        return None, NOT_REPRODUCIBLE, doubt.reason
    if isinstance(value, Finding):
        verdict = CLAIM_TRUE if value.holds else CLAIM_FALSE
        return value.found, verdict, value.note
    if isinstance(value, Sample):
        return _one_run(value, printed, doubt)
    if isinstance(value, str):
        same = Judged(value, EXACT if value == printed else "")
    else:
        same = judged(Fraction(value), printed, cells.decimals, cells.margin)
    if same.verdict:
        return same.ours, same.verdict, same.note
    return same.ours, doubt.verdict, doubt.reason
