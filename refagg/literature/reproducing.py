"""`refagg.reproduce`: every number that the literature prints, computed again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from itertools import chain, islice
from typing import Literal

from refagg.literature import claims, distances, genetic, ledger
from refagg.literature.distances import Distance
from refagg.literature.verdicts import LedgerRow
from refagg.terminal import watched

Printed = LedgerRow | Distance | genetic.PrintedRun


LEDGER = "ledger"


def printed_parts(
    sources: Sequence[str], arithmetic: str | None = None, random: bool = True
) -> dict[str, Iterator[Printed]]:
    """Return printed numbers of some sources, or of all.

    The rows of the ledger are under one key, those of the two tables under their own. Without
    `random`, what is drawn at random is left out, and so are the two tables that no source prints,
    unless they are asked for.
    """
    tables: dict[str, Callable[[str], Iterator[Printed]]] = {
        distances.KEY: distances.distances,
        genetic.KEY: genetic.genetic_rows,
    }
    known = (*claims.sources(), *tables)
    chosen = [ledger.key_of(source, known) for source in sources]
    printed = [key for key in chosen if key not in tables]
    found: dict[str, Iterator[Printed]] = {}
    if printed or not sources:
        found[LEDGER] = ledger.ledger_rows(printed or None, arithmetic, random)
    for key, table in tables.items():
        if key in chosen or (random and not chosen):
            found[key] = table(arithmetic or "float")
    return found


class Reproduction(Iterator[Printed]):
    """Printed numbers, each computed when it is taken.

    A copy goes on from the place of the original. For that it computes again what was taken before.
    """

    def __init__(
        self, asked: tuple[Sequence[str], str | None, bool], progress: bool = False, taken: int = 0
    ) -> None:
        self._asked, self._progress, self._taken = asked, progress, taken
        rows = chain.from_iterable(printed_parts(*self._asked).values())
        self._rows = islice(rows, taken, None)

    def __next__(self) -> Printed:
        what = f"reproduce, number {self._taken + 1}"
        with watched(what, False, command=False) if self._progress else nullcontext():
            row = next(self._rows)
        self._taken += 1
        return row

    def __reduce__(self) -> tuple[object, ...]:
        return Reproduction, (self._asked, self._progress, self._taken)


def reproduce(
    *sources: str,
    arithmetic: Literal["exact", "float"] | None = None,
    random: bool = True,
    progress: bool = False,
) -> Iterator[Printed]:
    """Reproduce the printed numbers of some sources, or of all.

    Sources are named by their keys in any case. Each is computed when it is taken, in binary64 or,
    where that is quicker and no arithmetic is named, exactly; without `random`, what is drawn at
    random is left out, and the tables that are no source's, unless they are named. With `progress`
    it is shown, after two seconds, how far the work on a number is. A row has a `source`, a
    `place`, what is `printed` there, what is `ours`, a `verdict` and a `note`; those of the
    distances and of the genetic algorithm have columns of their own. Each has `as_data()`. Data
    sets that are not available are left out. Raises InvalidParameter for an unknown source or
    arithmetic.
    """
    return Reproduction((sources, arithmetic, random), progress)
