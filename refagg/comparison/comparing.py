"""`refagg.compare`: several algorithms on one table of any kind.

Heuristics and groups of one's own, beside the algorithms of the catalogue.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsIndex

from refagg.catalogue import algorithm_of
from refagg.comparison.compare import (
    CHOICES,
    ComparisonRow,
    ComparisonSetting,
    Contender,
    Results,
    check_ks,
    contenders_of,
)
from refagg.comparison.compare import compare_contenders as run_all
from refagg.comparison.references import Reference, references_of, shipped_references
from refagg.data.standardise import Scaled, checked_weights
from refagg.errors import InvalidParameter
from refagg.language.partition import Partition, check_k
from refagg.language.specification import Specification
from refagg.options.fields import WHOLE, given_options, keywords, only, option, options_of
from refagg.options.grouping import Grouping
from refagg.options.layout import Layout
from refagg.options.publishing import Publishing
from refagg.options.scales import scaled_and_measure
from refagg.release.evaluation import Groups, partition_of

if TYPE_CHECKING:
    from typing import Unpack

    from refagg.options.keywords import CompareOptions


@dataclass(frozen=True)
class Comparing:
    """The contenders, and what they are compared with."""

    algorithms: Sequence[str | Callable[..., Any]] | None = option(
        "algorithms (default: all), with parameters as v-mdav:gamma=1/5,test=plain"
    )
    arithmetic: str = option(
        "arithmetic (default: float for algorithms that support it)",
        "any",
        type='Literal["any", "exact", "float"]',
        choices=CHOICES,
    )
    seed: int = option("seed of randomised algorithms (default 1)", 1, read=int)
    references: Sequence[str | Path | Reference] = option(
        "the optimum or a bound, written by `oracle optimum --json`; those that ship with the "
        "project are known for their tables",
        (),
        applies=(WHOLE,),
    )
    report: Callable[[ComparisonRow], None] | None = option("called with each row when it is there")
    heuristics: Mapping[str, Heuristic] | Sequence[Heuristic] = option(
        "your own heuristic: a function of rows (floats on the scale of the comparison) and k that "
        "returns groups of record numbers, or a label for each record",
        (),
    )
    groups: Mapping[str, Groups] | None = option(
        "your own groups by name, to compare with the algorithms", applies=(WHOLE,)
    )


OPTIONS = {
    **only(options_of(Layout), "quasi_identifiers", "kinds"),
    **only(options_of(Grouping), "standardise", "weights", "dissimilarity", "similarity"),
    **only(options_of(Publishing), "aggregates"),
    **options_of(Comparing),
}
"""The keywords of `compare`."""


@keywords(OPTIONS)
def compare(
    rows: Any, k: SupportsIndex | Sequence[SupportsIndex] = 3, **options: Unpack[CompareOptions]
) -> Results:
    """Run several algorithms side by side, as `refagg compare` does.

    Parameters
    ----------
    rows : n records of p attributes
        Rows, a NumPy array, a pandas or polars frame, an Arrow table, or a mapping from names to
        columns.
    k : the least size of a group, or several
    OPTIONS

    Returns
    -------
    Results : `rows`, each with a `contender`, a `k`, a `status` ("done", "skipped", "failed") and
        `figures` (`sse`, `groups`, `seconds`, `partition`); `sst`; `loss(sse)` and `above(row)`

    Raises
    ------
    RefaggError: InvalidK, KTooLarge, UnknownAlgorithm, UnknownParameter, InvalidParameter,
    InvalidReference, FileUnreadable, and what reading the rows raises.

    >>> import refagg
    >>> rows = [[1], [2], [9], [8]]
    >>> made = refagg.compare(rows, 2, algorithms=["mdav", "md"], standardise="none")
    >>> [(row.contender.label, str(row.figures.sse)) for row in made.rows if row.figures]
    [('mdav', '1'), ('md', '1')]
    >>> mine = refagg.compare(rows, 2, algorithms=["mdav"], groups={"mine": [0, 1, 0, 1]})
    >>> [str(row.figures.sse / mine.sst) for row in mine.rows if row.figures]
    ['1/50', '1']
    """
    given = given_options(options, OPTIONS, "compare")
    algorithms = given["algorithms"]
    contenders = contenders_of(None if algorithms is None else ",".join(map(_label, algorithms)))
    scaled, by = scaled_and_measure(rows, given, OPTIONS)
    table = scaled.table
    ks = [check_k(one, table.n) for one in (k if isinstance(k, Sequence) else [k])]
    check_ks(ks, table.n)
    exact = checked_weights(table, given["weights"] or {})
    stated = {name: exact[name] for name in given["weights"] or {}}
    contenders += own_contenders(scaled, _named(given["heuristics"]), given["groups"] or {})
    aggregates = dict(given["aggregates"] or {})
    setting = ComparisonSetting(
        scaled.how, given["arithmetic"], given["seed"], by, stated, aggregates
    )
    known = [one for one in given["references"] if isinstance(one, Reference)]
    paths = [Path(path) for path in given["references"] if not isinstance(path, Reference)]
    known += references_of(paths, scaled, ks, stated, by)
    known += shipped_references(scaled, set(ks) - {reference.k for reference in known})
    return run_all(table, contenders, ks, setting, known, given["report"] or _silent)


def _silent(row: ComparisonRow) -> None:
    """Say nothing of a row."""


def _named(heuristics: Mapping[str, Heuristic] | Sequence[Heuristic]) -> Mapping[str, Heuristic]:
    """Return heuristics by name, their own where none is given."""
    if isinstance(heuristics, Mapping):
        return heuristics
    return {getattr(one, "__name__", repr(one)): one for one in heuristics}


def _label(algorithm: str | Callable[..., Any]) -> str:
    return algorithm if isinstance(algorithm, str) else algorithm_of(algorithm).name


Heuristic = Callable[..., Any]
"""A function of rows and k that returns groups of record numbers, or a label for each record."""


def rows_for(scaled: Scaled) -> list[list[object]]:
    """The records as a heuristic gets them: floats on the scale on which losses are measured.

    They are divided by what standardises them, not moved. What is no number is as it is.
    """
    table, weights = scaled.table, scaled.weights
    columns: dict[str, list[Any]] = {a.name: list(a.cells) for a in table.others}
    for column, weight in zip(table.columns, weights, strict=True):
        factor = sqrt(weight)
        columns[column.name] = [float(column[i]) * factor for i in range(scaled.n)]
    return [list(row) for row in zip(*(columns[name] for name in table.names), strict=True)]


def own_contenders(
    scaled: Scaled, heuristics: Mapping[str, Heuristic], groups: Mapping[str, Groups]
) -> list[Contender]:
    """Return the caller's own contenders by their names.

    Raises InvalidParameter for what is no function, InvalidPartition for what are no groups.
    """
    made = []
    for name, heuristic in heuristics.items():
        if not callable(heuristic):
            raise InvalidParameter(f"the heuristic {name} is not a function of rows and k")
        made.append(_contender(name, _asked(heuristic, rows_for(scaled))))
    for name, given in groups.items():
        made.append(_contender(name, _given(partition_of(given, scaled.n))))
    return made


def _asked(heuristic: Heuristic, rows: Sequence[Sequence[Any]]) -> Callable[..., Partition]:
    def run(space: Any, k: int, choices: Any) -> Partition:
        with redirect_stdout(sys.stderr):
            return partition_of(heuristic([list(row) for row in rows], k), len(rows))

    return run


def _given(partition: Partition) -> Callable[..., Partition]:
    def run(space: Any, k: int, choices: Any) -> Partition:
        return partition

    return run


def _contender(name: str, run: Callable[..., Partition]) -> Contender:
    spec = Specification(
        name=name,
        title=name,
        source="not stated",
        run=run,
        largest_group=lambda k: None,
        guarantees="not stated",
        ties=(),
        decisions=(),
        cost="not stated",
        needs="Dissimilarities",
    )
    return Contender(name, spec, {})
