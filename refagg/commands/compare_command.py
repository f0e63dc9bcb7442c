"""The command `refagg compare`: algorithms in tables and pictures.

They stand side by side.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from refagg.commands import options
from refagg.commands.costs import FORCE, Size, tell_costs
from refagg.comparison import compare, comparing
from refagg.comparison.principal import plane
from refagg.comparison.references import Reference, references_of
from refagg.data.csvfiles import check_outputs, write_csv, write_json
from refagg.data.missing import APART
from refagg.data.standardise import standardise
from refagg.data.tables import Table
from refagg.errors import EmptyTable, InvalidParameter, UndefinedMeasure
from refagg.language.importing import function_named
from refagg.language.number_texts import shortened
from refagg.options import readers
from refagg.options.fields import WHOLE, Option, options_of
from refagg.release.evaluation import Groups
from refagg.release.measures import loss_within
from refagg.release.partition_files import read_partition
from refagg.spaces.dissimilarities.own import measure_for
from refagg.terminal import in_lines

if TYPE_CHECKING:
    from refagg.comparison.plot_geometry import Point
    from refagg.comparison.plots import Panel, Series

EVERY = 1.0
"""Seconds between two lines of progress."""

MOST_PANELS = 30
"""The most panels of a scatter."""


def _whole_numbers(text: str) -> list[int]:
    """The numbers between commas. Raises InvalidParameter."""
    try:
        return [int(number) for number in text.split(",")]
    except ValueError:
        raise InvalidParameter(
            f"k is {shortened(text)}; it can be an integer, or several with commas: 3,4,5"
        ) from None


COMPARING = options_of(comparing.Comparing)

COMMAND = (
    options.argument("input", "IN.csv"),
    Option(
        "minimum group sizes",
        name="k",
        flags=("-k",),
        read=_whole_numbers,
        required=True,
        metavar="K,L,...",
    ),
    COMPARING["algorithms"].of(flags=("--algorithm",), metavar="A,B,..."),
    COMPARING["heuristics"].of(flags=("--python",), repeated=True, metavar="MODULE:FUNCTION"),
    COMPARING["groups"].of(
        repeated=True,
        read=Path,
        metavar="FILE",
        meaning="your own groups (JSON or CSV), to compare with the algorithms",
    ),
    COMPARING["arithmetic"],
    COMPARING["seed"],
    FORCE,
    Option("order of the rows", "given", name="sort", choices=compare.ORDERS),
    COMPARING["references"].of(
        flags=("--reference",),
        repeated=True,
        read=Path,
        metavar="FILE.json",
        meaning="the optimum or a bound, written by `oracle optimum --json`",
    ),
    options.output("csv", "OUT.csv", "write the rows as a table"),
    options.output("json", "OUT.json", "write the results as JSON"),
    options.output("plot", "OUT.png|svg|pdf", "plot the information loss by k", WHOLE),
    options.output("scatter", "OUT.png|svg|pdf", "plot the groups on two principal axes", WHOLE),
    *options.FILES,
    options.MISSING,
    *options.SCALE,
)


def run(given: argparse.Namespace) -> int:
    """Carry out the command.

    Return 0, or 1 if an algorithm raised an error.
    """
    outputs = [given.csv, given.json, given.plot, given.scatter]
    check_outputs(outputs, [given.input, *given.reference, *given.groups])
    contenders = compare.contenders_of(given.algorithm)
    heuristics = {name: function_named(name) for name in given.python}
    number = len(contenders) + len(heuristics) + len(given.groups)
    check_pictures(given, number)
    options.check_no_kinds(given)
    if given.missing == APART:
        return _apart(given, contenders, heuristics)
    table = options.input_table(given)
    compare.check_ks(given.k, table.n)
    weights, measure = readers.weights(given.weight), measure_for(table, options.measure_of(given))
    scaled = standardise(table, options.scale_of(given), weights=weights)
    if given.plot and not loss_within(scaled, [range(table.n)], measure):
        raise UndefinedMeasure("SST is 0: all records are equal, there is no loss to draw")
    if given.scatter and table.others:
        raise InvalidParameter(
            f"a scatter plot needs numbers, but {table.others[0].name!r} holds none"
        )
    points = plane(scaled) if given.scatter else None
    references = references_of(given.reference, scaled, given.k, weights, measure)
    _announce(given, contenders, table)
    report = reporter(number * len(given.k), given.quiet)
    groups = {str(path): read_partition(path, table.n) for path in given.groups}
    results = _compared(given, table, contenders, heuristics, report, references, groups)
    with options.lines_beside(given.csv, given.json):
        print(in_lines([*comparing.text_lines(results, given.sort), *_unknown(given, results)]))
    # Pictures first: if there is nothing to draw, no file is written.
    if given.plot:
        plot(results, given.plot)
    if points:
        scatter(results, *points, given.scatter)
    if given.csv:
        write_csv(given.csv, comparing.header(results), comparing.as_rows(results, given.sort))
    if given.json:
        write_json(given.json, comparing.comparison_data(results, given.sort))
    return _status([results])


def _status(made: Sequence[compare.Results]) -> int:
    return 1 if any(row.status == "failed" for results in made for row in results.rows) else 0


def _announce(
    given: argparse.Namespace, contenders: Sequence[compare.Contender], table: Table
) -> None:
    """Say beforehand what takes long. Raises BeyondMemory."""
    wanted = {}
    for one in contenders:
        if one.specification.attributes != "one" or len(table.names) == 1:
            with suppress(InvalidParameter):  # it is skipped
                one.specification.stated(one.given, table.names)
                wanted[one.label] = one.specification, one.settings
    tell_costs(given, wanted, [Size(table.n, len(table.names), k) for k in given.k])


def _compared(
    given: argparse.Namespace,
    table: Table,
    contenders: Sequence[compare.Contender],
    heuristics: Mapping[str, comparing.Heuristic],
    report: Callable[[compare.ComparisonRow], None],
    references: Sequence[Reference] = (),
    groups: Mapping[str, Groups] | None = None,
) -> compare.Results:
    """The comparison on one table, as the options say."""
    return comparing.compare(
        table,
        given.k,
        algorithms=[contender.label for contender in contenders],
        standardise=options.scale_of(given),
        kinds={} if given.kind else None,
        weights=readers.weights(given.weight),
        dissimilarity=options.measure_of(given),
        aggregates=readers.aggregates(given.aggregate_kind),
        arithmetic=given.arithmetic,
        seed=given.seed,
        references=references,
        report=report,
        heuristics=heuristics,
        groups=groups,
    )


def _apart(
    given: argparse.Namespace,
    contenders: Sequence[compare.Contender],
    heuristics: Mapping[str, comparing.Heuristic],
) -> int:
    """A comparison for each pattern of missing values."""
    options.refuse_whole(given, COMMAND)
    facts, line, found = options.parts_apart(given, max(given.k))
    both = [(part, table) for part, table in found if table is not None]
    if not both:
        raise EmptyTable("every record lacks all values")
    _announce(given, contenders, max((table for _, table in both), key=lambda one: one.n))
    number = len(both) * (len(contenders) + len(heuristics)) * len(given.k)
    report = reporter(number, given.quiet)
    made = []
    for part, table in both:
        compare.check_ks(given.k, table.n)
        results = _compared(options.of_part(given, part), table, contenders, heuristics, report)
        made.append((part, results))
    with options.lines_beside(given.csv, given.json):
        print(line)
        for part, results in made:
            print(in_lines(["", part.title, *comparing.text_lines(results, given.sort)]))
    if given.csv:
        rows = [
            [", ".join(part.lacking), *row]
            for part, results in made
            for row in comparing.as_rows(results, given.sort)
        ]
        write_csv(given.csv, ["lacking", *comparing.header(made[0][1])], rows)
    if given.json:
        compared = [
            {"lacking": [*p.lacking]} | comparing.comparison_data(r, given.sort) for p, r in made
        ]
        write_json(given.json, {"format": comparing.FORMAT, "parts": compared, "missing": facts})
    return _status([results for _, results in made])


def _unknown(given: argparse.Namespace, results: compare.Results) -> list[str]:
    """Return advice how to learn the optimum.

    It is for groups of the user's own that are compared without it.
    """
    if not (given.python or given.groups):
        return []
    path = shlex.quote(str(given.input))
    return [
        f"the optimum for k = {k} is not known here: `oracle optimum {path} -k {k}"
        f"{options.table_words(given)} --json best-{k}.json` finds it or a bound, "
        f"--reference best-{k}.json compares with it"
        for k in results.ks
        if results.reference(k) is None
    ]


def check_pictures(given: argparse.Namespace, contenders: int) -> None:
    """Raise MissingExtra or InvalidParameter if pictures cannot be drawn.

    The pictures are those requested.
    """
    if not given.plot and not given.scatter:
        return
    from refagg.comparison.plots import check_picture

    check_picture(given.plot)
    check_picture(given.scatter)
    panels = contenders * len(given.k)
    if given.scatter and panels > MOST_PANELS:
        raise InvalidParameter(
            f"the scatter would have {panels} panels; {MOST_PANELS} are possible: choose some "
            "algorithms with --algorithm"
        )


def reporter(number: int, quiet: bool) -> Callable[[compare.ComparisonRow], None]:
    """Prints progress to standard error, not more often than `EVERY` seconds."""
    done, last = 0, time.perf_counter()

    def report(row: compare.ComparisonRow) -> None:
        nonlocal done, last
        done += 1
        now = time.perf_counter()
        if now - last >= EVERY and not quiet:
            last = now
            text = f"{done} of {number}: {row.contender.label}, k = {row.k}: {row.status}"
            print(text, file=sys.stderr, flush=True)

    return report


def plot(results: compare.Results, path: Path) -> None:
    """Draw the information loss of all rows that have one."""
    from refagg.comparison.plots import draw_losses

    known = {}
    for reference in results.references:
        if (loss := results.loss(reference.least)) is not None:
            known[reference.k] = (reference.kind, float(loss))
    draw_losses(series_of(results), known, path)


def series_of(results: compare.Results) -> list[Series]:
    """A series for each contender."""
    from refagg.comparison.plots import Series

    done = [row for row in results.rows if row.figures]
    bad = {row.contender.label for row in done if not row.comparable}
    return [Series(label, own, label not in bad) for label, own in results.losses.items()]


def scatter(
    results: compare.Results, points: Sequence[Point], labels: tuple[str, str], path: Path
) -> None:
    """Draw the groups of all rows that are one partition."""
    from refagg.comparison.plots import draw_scatter

    panels = panels_of(results)
    if not panels:
        raise InvalidParameter("no algorithm has groups that could be drawn")
    draw_scatter(points, labels, panels, path)


def panels_of(results: compare.Results) -> list[Panel]:
    """Return a panel for each row with one partition.

    The title of a panel has the loss.
    """
    from refagg.comparison.plots import Panel

    panels = []
    for row in results.rows:
        if row.figures and row.figures.partition:
            loss = results.loss(row.figures.sse)
            share = "" if loss is None else f", IL {float(loss):.2f} %"
            title = f"{row.contender.label}, k = {row.k}: {row.figures.groups} groups{share}"
            panels.append(Panel(title, row.figures.partition.groups))
    return panels
