"""`refagg.compare`: several algorithms on one table of any kind.

Heuristics and groups of one's own stand beside the algorithms of the catalogue. A comparison is
given as text, as rows for a CSV file, and as data for JSON.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import sqrt
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsIndex

from refagg.catalogue import algorithm_of, specified
from refagg.comparison.compare import (
    CHOICES,
    ComparisonRow,
    ComparisonSetting,
    Contender,
    Results,
    check_ks,
    check_labels,
    contenders_of,
    in_order,
)
from refagg.comparison.compare import compare_contenders as run_all
from refagg.comparison.references import Reference, references_of, shipped_references
from refagg.data.standardise import Scaled, checked_weights
from refagg.errors import BeyondFloats, InvalidParameter
from refagg.language.number_texts import as_json, number_text
from refagg.language.partition import Partition, check_k
from refagg.language.specification import parameter_text
from refagg.options.fields import WHOLE, given_options, keywords, only, option, options_of
from refagg.options.grouping import Grouping
from refagg.options.layout import Layout
from refagg.options.publishing import Publishing
from refagg.options.scales import scaled_and_measure
from refagg.release.evaluation import Groups, partition_of
from refagg.release.report import loss_json, loss_names

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
    rows: object, k: SupportsIndex | Sequence[SupportsIndex] = 3, **options: Unpack[CompareOptions]
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
    names = [one if isinstance(one, str) else algorithm_of(one).name for one in algorithms or ()]
    own = list(_named(given["heuristics"])), dict(given["groups"] or {})
    if any(own) and algorithms is not None and not names:
        contenders = []
    else:
        contenders = contenders_of(None if algorithms is None else ",".join(names))
    scaled, by = scaled_and_measure(rows, given, OPTIONS)
    table = scaled.table
    ks = [check_k(one, table.n) for one in (k if isinstance(k, Sequence) else [k])]
    check_ks(ks, table.n)
    exact = checked_weights(table, given["weights"] or {})
    stated = {name: exact[name] for name in given["weights"] or {}}
    contenders += own_contenders(scaled, *own)
    check_labels([one.label for one in contenders])
    aggregates = dict(given["aggregates"] or {})
    setting = ComparisonSetting(
        scaled.how, given["arithmetic"], given["seed"], by, stated, aggregates
    )
    known = [one for one in given["references"] if isinstance(one, Reference)]
    paths = [path for path in given["references"] if not isinstance(path, Reference)]
    for path in paths:
        if not isinstance(path, (str, PathLike)):
            what = f"references has a {type(path).__name__}"
            raise InvalidParameter(f"{what}; give names of certificates' files, or References")
    known += references_of(list(map(Path, paths)), scaled, ks, stated, by)
    known += shipped_references(scaled, set(ks) - {reference.k for reference in known})
    return run_all(table, contenders, ks, setting, known, given["report"])


Named = Iterable[tuple[str, "Heuristic"]]


def _named(heuristics: Mapping[str, Heuristic] | Sequence[Heuristic]) -> Named:
    """Return heuristics with names, their own where none is given."""
    if isinstance(heuristics, Mapping):
        return heuristics.items()
    return [(getattr(one, "__name__", repr(one)), one) for one in heuristics]


Heuristic = Callable[..., Any]
"""A function of rows and k that returns groups of record numbers, or a label for each record."""


def rows_for(scaled: Scaled) -> list[list[object]]:
    """Return the records as a heuristic gets them.

    Numbers are floats on the scale on which losses are measured. They are divided by what
    standardises them, not moved. What is not a number is as it is. Raises BeyondFloats.
    """
    table, weights = scaled.table, scaled.weights
    columns: dict[str, list[Any]] = {a.name: list(a.cells) for a in table.others}
    for column, weight in zip(table.columns, weights, strict=True):
        factor = sqrt(weight)
        try:
            columns[column.name] = [float(column[i]) * factor for i in range(scaled.n)]
        except OverflowError:
            text = f"{column.name!r} has a value beyond binary64; measure it in another unit"
            raise BeyondFloats(text) from None
    return [list(row) for row in zip(*(columns[name] for name in table.names), strict=True)]


def own_contenders(
    scaled: Scaled, heuristics: Named, groups: Mapping[str, Groups]
) -> list[Contender]:
    """Return the caller's own contenders by their names.

    Raises InvalidParameter for what is no function, InvalidPartition for what are not groups.
    """
    made = []
    for name, heuristic in heuristics:
        if not callable(heuristic):
            raise InvalidParameter(f"the heuristic {name} is not a function of rows and k")
        made.append(_contender(name, partial(_asked, heuristic, rows_for(scaled))))
    for name, given in groups.items():
        made.append(_contender(name, partial(_given, partition_of(given, scaled.n))))
    return made


def _asked(
    heuristic: Heuristic, rows: Sequence[Sequence[object]], space: object, k: int, choices: object
) -> Partition:
    with redirect_stdout(sys.stderr):
        return partition_of(heuristic([list(row) for row in rows], k), len(rows))


def _given(partition: Partition, space: object, k: int, choices: object) -> Partition:
    return partition


def _contender(name: str, run: Callable[..., Partition]) -> Contender:
    spec = replace(specified(run, name), title=name, needs="Dissimilarities")
    return Contender(name, spec, {})


FORMAT = "refagg compare 1"

HEADER = (
    *("k", "algorithm", "parameters", "status", "sse", "sse_exact", "information_loss_percent"),
    *("information_loss_percent_exact", "groups", "smallest_group", "largest_group", "ties_met"),
    *("seconds", "arithmetic", "reference", "above_reference_percent"),
    *("above_reference_percent_exact", "note"),
)

_NOTHING = {"decimal": None, "exact": None}


def header(results: Results) -> list[str]:
    """The names of the columns: HEADER, with the loss by its name."""
    lost = loss_names(results.table)[0]
    return [lost + name[3:] if name in ("sse", "sse_exact") else name for name in HEADER]


def text_lines(results: Results, order: str = "given") -> list[str]:
    """A table for each k, its columns aligned."""
    setting, table = results.setting, results.table
    lines = [
        f"records {table.n}, attributes {len(table.names)}, "
        f"standardise {setting.standardise}, arithmetic {setting.arithmetic}"
    ]
    for k, rows in in_order(results, order):
        reference = results.reference(k)
        found = f"; {reference.kind} from {reference.source}" if reference else ""
        lines += ["", f"k = {k}{found}", *_aligned(results, rows, reference)]
    return lines


def _aligned(
    results: Results, rows: Sequence[ComparisonRow], reference: Reference | None
) -> list[str]:
    lost = "loss" if results.table.others else "SSE"
    heads = [lost, "IL %", "groups", "smallest", "largest", "ties", "seconds"]
    if reference:
        heads.append(f"% above the {reference.kind}")
    cells = [_cells(results, row)[: len(heads)] for row in rows]
    labels = [row.contender.label for row in rows]
    notes = [
        f"{row.status}: {row.note}" if row.status != "done" else f"({row.note})" if row.note else ""
        for row in rows
    ]
    if reference:
        labels.insert(0, reference.kind)
        cells.insert(0, _reference_cells(results, reference))
        notes.insert(0, "")
    widths = [max(len(row[i]) for row in [heads, *filter(None, cells)]) for i in range(len(heads))]
    margin = max(map(len, [*labels, "algorithm"]))

    def line(label: str, row: Sequence[str], note: str) -> str:
        columns = [cell.rjust(width) for cell, width in zip(row, widths, strict=False)]
        return "  ".join([label.ljust(margin), *columns, " ".join(note.split())]).rstrip()

    return [line("algorithm", heads, "")] + [
        line(*parts) for parts in zip(labels, cells, notes, strict=True)
    ]


def _cells(results: Results, row: ComparisonRow) -> list[str]:
    figures = row.figures
    if figures is None:
        return []
    return [
        _decimals(figures.sse, 6),
        _decimals(results.loss(figures.sse), 4),
        *map(str, (figures.groups, figures.smallest, figures.largest, figures.ties)),
        f"{figures.seconds:.2f}",
        _decimals(results.above(row), 4),
    ]


def _reference_cells(results: Results, reference: Reference) -> list[str]:
    sizes = ["-"] * 3
    if partition := reference.partition:
        counts = (len(partition.groups), partition.smallest(), partition.largest())
        sizes = list(map(str, counts))
    loss = results.loss(reference.least)
    return [_decimals(reference.least, 6), _decimals(loss, 4), *sizes, "-", "-", "-"]


def _decimals(value: Fraction | None, places: int) -> str:
    """Format a number with `places` decimals.

    A great or small number has twelve digits.
    """
    if value is None:
        return "-"
    if value and not Fraction(1, 10 ** (places - 2)) <= abs(value) < 10**9:
        return number_text(float(value) if abs(value) < 10**9 else value)
    return f"{float(value):.{places}f}"


def as_rows(results: Results, order: str = "given") -> list[list[str]]:
    """Return the rows of a CSV file under `header`.

    What is not known is an empty cell.
    """
    return [
        ["" if cell is None else str(cell) for cell in _flat(results, row)]
        for _, rows in in_order(results, order)
        for row in rows
    ]


def _flat(results: Results, row: ComparisonRow) -> list[Any]:
    """Return the cells of a row; an exact number has two."""
    data = _row_data(results, row)
    exact = (loss_names(results.table)[0], "information_loss_percent", "above_percent")
    data["parameters"] = ",".join(f"{name}={value}" for name, value in data["parameters"].items())
    cells: list[Any] = []
    for name, value in data.items():
        cells += (value or _NOTHING).values() if name in exact else [value]
    return cells


def comparison_data(results: Results, order: str = "given") -> dict[str, object]:
    """The comparison ready for JSON."""
    setting, table = results.setting, results.table
    lost, whole, _ = loss_names(table)
    return {
        "format": FORMAT,
        "records": table.n,
        "attributes": list(table.names),
        "standardise": setting.standardise,
        "arithmetic": setting.arithmetic,
        "seed": setting.seed,
        "k": list(results.ks),
        whole: as_json(results.sst),
        "references": [
            {"k": r.k, "kind": r.kind, lost: as_json(r.least), "source": r.source}
            for r in results.references
        ],
        "rows": [_row_data(results, row) for _, rows in in_order(results, order) for row in rows],
    }


def _row_data(results: Results, row: ComparisonRow) -> dict[str, Any]:
    figures, above = row.figures, results.above(row)
    reference = results.reference(row.k)
    spec = row.contender.specification
    return {
        "k": row.k,
        "algorithm": spec.name,
        "parameters": {n: parameter_text(v) for n, v in row.contender.shown().items()},
        "status": row.status,
        loss_names(results.table)[0]: as_json(figures.sse) if figures else None,
        "information_loss_percent": loss_json(figures.sse, results.sst) if figures else None,
        "groups": figures.groups if figures else None,
        "smallest_group": figures.smallest if figures else None,
        "largest_group": figures.largest if figures else None,
        "ties_met": figures.ties if figures else None,
        "seconds": round(figures.seconds, 4) if figures else None,
        "arithmetic": figures.arithmetic if figures else None,
        "reference": reference.kind if reference and above is not None else None,
        "above_percent": None if above is None else as_json(above),
        "note": row.note,
    }
