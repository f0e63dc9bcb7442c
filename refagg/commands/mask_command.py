"""`refagg mask`: a CSV file microaggregated, with a report."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat
from math import inf
from pathlib import Path
from typing import Any

from refagg.catalogue import specification
from refagg.commands import by_strata, options, pictures
from refagg.commands.costs import FORCE, Wanted, records_by_stratum, run_sizes, tell_costs
from refagg.constraints.rounding import Rounding
from refagg.data import csvfiles
from refagg.data.identifiers import hint_of_column, named_with_hints
from refagg.data.missing import APART, FROM_0, REJECT, Part, missing_facts, missing_line
from refagg.data.moments import moment_texts
from refagg.data.otherfiles import PARQUET_ENDINGS, is_parquet
from refagg.data.parquet_parts import ParquetParts
from refagg.data.standardise import Moments, moments
from refagg.data.tables import Column, Table
from refagg.data.textfiles import about_lines
from refagg.errors import InvalidK, InvalidParameter
from refagg.language.number_texts import as_json
from refagg.language.specification import Specification
from refagg.options.fields import WHOLE, Option, only
from refagg.release import edits
from refagg.release.apart import ReleaseApart
from refagg.release.blocks import numbered_parameters, strata_members
from refagg.release.masking import masked, microaggregate
from refagg.release.method import method_of
from refagg.release.report import loss_json, loss_line
from refagg.release.result import Release, centre_lines
from refagg.terminal import NOW, in_lines, one_line

FORMAT = "refagg mask 1"

COMMAND = (
    options.argument("input", "IN.csv"),
    options.METHOD["algorithm"].of(default=None, required=True, meaning="see `refagg algorithms`"),
    options.METHOD["k"].of(
        default=None, meaning="minimum group size, if the algorithm forms groups"
    ),
    Option(
        "released file; - is standard output",
        name="output",
        flags=("-o", "--output"),
        read=Path,
        required=True,
        metavar="OUT.csv",
    ),
    options.JSON.of(meaning="write a report with the groups"),
    *only(options.METHOD, "arithmetic", "ties", "seed").values(),
    Option("round released values", name="decimals", read=int, metavar="D"),
    options.METHOD["drop"],
    FORCE,
    options.METHOD["trace"].of(meaning="print each step of the run"),
    options.output("trace_page", "FILE.html", "write a page that plays each step", WHOLE),
    options.output("trace_plot", "FILE.png|svg|pdf", "draw the steps as small multiples", WHOLE),
    options.output("dendrogram", "FILE", "draw the mergers: .txt, .png, .svg, .pdf", WHOLE),
    *options.FILES,
    options.MISSING,
    *options.HOW_MADE,
    *options.CONSTRAINTS,
)


def run(given: argparse.Namespace) -> int:
    """Carry out the command."""
    spec, method = specification(given.algorithm), _checked(given)
    if by_strata.applies(given, spec, COMMAND):
        return _run_by_strata(given, spec, method)
    sheet, names = _read(given, {spec.name: (spec, method["parameters"] or {})})
    with options.other_columns(given):
        release = _released(given, sheet, names, method)
    with options.lines_beside(given.output, given.json):
        parts = [part for part, _ in release.parts]
        if given.missing != REJECT:
            print(one_line(missing_line(len(sheet.rows), given.missing, parts)))
        made = [_made(given, sheet.take(part.records), part, one) for part, one in release.parts]
        for one in made if given.trace else ():
            _print_trace(one)
        if given.trace_page or given.trace_plot:
            _show_steps(given, sheet, made[0])
        unchanged = _write_file(given, sheet, names, made)
        if given.dendrogram:
            _draw_dendrogram(given, made[0].release)
        if given.json:
            report = {"format": FORMAT} | _report(given, len(sheet.rows), made)
            csvfiles.write_json(given.json, report)
        for one in made:
            print(in_lines([*[one.part.title] * (len(made) > 1), *one.lines]))
        for line in _beside_lines(unchanged, options.names_of(given.drop) or []):
            print(one_line(line))
    return 0


def _read(given: argparse.Namespace, wanted: Wanted) -> tuple[csvfiles.Sheet, list[str]]:
    """Return the file and its quasi-identifiers; tell what a run costs.

    Of a large file this is told before it is read. Raises BeyondMemory.
    """
    path, how = given.input, options.format_of(given)
    later = by_strata.is_large(given) and not given.strata and not is_parquet(path)
    sheet = None if later else csvfiles.read_sheet(path, how)
    header = sheet.header if sheet else csvfiles.read_header(path, how)
    names = options.quasi_identifiers(given, header, path)
    strata = records_by_stratum(given, sheet) if sheet else [about_lines(path)]
    tell_costs(given, wanted, run_sizes(given, names, _k_of(given), strata))
    return sheet or csvfiles.read_sheet(path, how), names


def _run_by_strata(given: argparse.Namespace, spec: Specification, method: dict[str, Any]) -> int:
    """Carry out the command for a large file, stratum by stratum."""
    dropped, how = options.names_of(given.drop) or [], options.format_of(given)
    k, totals = _k_of(given), by_strata.Totals()
    with by_strata.Shelf() as first, by_strata.Shelf() as made:
        known = by_strata.read(given, first, k)
        names, weights = known.names, known.weights(method["standardise"])
        blocks = options.blocks_of(given.blocks, names)
        named = {"blocks": blocks, "parameters": method["parameters"]}
        changed = {"standardise": "none", "parameters": numbered_parameters(spec, named, names)}
        own = replace(method_of(spec, k, **method | changed), weights=weights)
        most = inf if given.strata else known.most(own)
        sizes = run_sizes(given, names, k, known.sizes(most))
        tell_costs(given, {spec.name: (spec, method["parameters"] or {})}, sizes, one_by_one=True)
        parquet = ParquetParts(names) if given.output.suffix.lower() in PARQUET_ENDINGS else None
        with known.divided(first, most) as rows:
            NOW.counts(len(known.counts), "strata" if given.strata else "parts")
            for stratum in known.counts:
                sheet = known.sheet.of([*chain.from_iterable(rows.some_rows(stratum))])
                table = sheet.numeric(names)
                part = own if given.strata else by_strata.within_file(own, known, table)
                release = masked(table, part, blocks)
                totals.add(release)
                done = replace(sheet, rows=_released_rows(sheet, release, given.decimals, None))
                written = done.without(dropped)
                kept = parquet.rows_of(written) if parquet else written.rows
                made.put(repeat(stratum), kept, known.held // len(known.counts) + 1)
                NOW.step()
        NOW.starts("writing")
        in_order = made.in_order(known.order)
        if parquet:
            parquet.write(given.output, written, in_order, 1 + known.held // 8)  # twice in memory
        else:
            csvfiles.write_csv(given.output, written.header, in_order, how)
        NOW.ends()
    options.tell_of_numbering(known.first, len(known.order), given)
    if given.decimals is None:
        _tell_of_digits(totals.released)
    with options.lines_beside(given.output):
        lines = _lines_by_strata(method["standardise"], spec, known, totals, k)
        print(in_lines([*lines, *_beside_lines(known.hints(dropped), dropped)]))
    return 0


def _lines_by_strata(
    scale: str, spec: Specification, known: by_strata.LargeFile, totals: by_strata.Totals, k: int
) -> Iterator[str]:
    """Yield the lines of a release that was made stratum after stratum."""
    n, lost, whole = len(known.order), totals.lost, known.sst(known.weights(scale))
    for names, sizes in totals.sizes.items():
        ties = totals.ties[names] + known.ties
        yield _groups_line(spec, names if len(totals.sizes) > 1 else (), sizes, ties)
    yield _records_line(n, len(known.names), k, min(totals.classes.values()))
    loss = {"sse": as_json(lost), "sst": as_json(whole), "standardise": scale}
    yield loss_line(loss | {"information_loss_percent": loss_json(lost, whole)})


def _checked(given: argparse.Namespace) -> dict[str, Any]:
    """The options of the method, checked before the file is read.

    Raises InvalidParameter, OutputUnwritable, and what `method_of` raises.
    """
    if given.decimals is not None and not 0 <= given.decimals <= csvfiles.MOST_DECIMALS:
        raise InvalidParameter(
            f"decimals is {given.decimals}; "
            f"it must be at least 0 and at most {csvfiles.MOST_DECIMALS}"
        )
    spec = specification(given.algorithm)
    drawn = [given.dendrogram, given.trace_page, given.trace_plot]
    csvfiles.check_outputs([given.output, given.json, *drawn], [given.input])
    pictures.check_steps(given.trace_plot)
    csvfiles.check_ending(given.output)
    pictures.check_dendrogram(given.dendrogram, spec)
    method = options.method_options(given) | {
        "arithmetic": given.arithmetic,
        "ties": given.ties,
        "seed": given.seed,
        "trace": given.trace or any(drawn),
        "constraints": options.given_constraints(given),
    }
    named = method["parameters"] or {}
    numbers = {name: value for name, value in named.items() if name not in spec.of_attributes}
    method_of(spec, _k_of(given), **method | {"parameters": numbers})
    if given.missing == APART:
        options.refuse_whole(given, COMMAND)
    return method


def _released(
    given: argparse.Namespace, sheet: csvfiles.Sheet, names: list[str], method: dict[str, Any]
) -> Release | ReleaseApart:
    """Return the release of the file.

    Records that lack the same values are released by themselves.
    """
    blocks = options.blocks_of(given.blocks, names)
    strata = sheet.column(given.strata) if given.strata else None
    pictures.check_one_run(given.dendrogram, len(blocks or [names]), len(set(strata or [""])))
    release: Release | ReleaseApart = microaggregate(
        sheet,
        _k_of(given),
        given.algorithm,
        missing=given.missing,
        quasi_identifiers=names,
        kinds=options.declared(given, sheet, names),
        blocks=blocks,
        strata=strata,
        sampling_weights=options.sampling_of(sheet, given) if given.sampling_weights else None,
        dissimilarity=options.measure_of(given),
        **method,
    )
    return release


def _write_file(
    given: argparse.Namespace, sheet: csvfiles.Sheet, names: Sequence[str], made: Sequence[_Made]
) -> dict[str, str]:
    """Write the release.

    Return the columns that it has unchanged, with what they may be.
    """
    rows = {record: row for one in made for record, row in one.rows_by_record()}
    left = replace(sheet.take(sorted(rows)), rows=[list(rows[record]) for record in sorted(rows)])
    dropped = options.names_of(given.drop) or []
    rest = {*sheet.header}.difference(names, dropped)
    categories = [name for name, of in options.kinds_of(given).items() if of.name != "numeric"]
    csvfiles.write_sheet(given.output, left.without(dropped), names, categories)
    return {name: hint_of_column(name, left.column(name)) for name in sheet.header if name in rest}


def _beside_lines(unchanged: Mapping[str, str], dropped: Sequence[str]) -> list[str]:
    """Return lines about the columns that are no quasi-identifiers."""
    told = {"released unchanged": unchanged, "dropped": dict.fromkeys(dropped, "")}
    return [f"{what}: {named_with_hints(hints)}" for what, hints in told.items() if hints]


@dataclass(frozen=True, slots=True)
class _Made:
    """The release of some records, their rows, and lines about them."""

    part: Part
    release: Release | None
    rows: Sequence[Sequence[str]]
    report: dict[str, Any]
    lines: Sequence[str]

    def rows_by_record(self) -> Iterator[tuple[int, Sequence[str]]]:
        """Yield each record of the file with its row."""
        return zip(self.part.records, self.rows, strict=True)


def _made(
    given: argparse.Namespace, sheet: csvfiles.Sheet, part: Part, release: Release | None
) -> _Made:
    """The rows of one part, and what is said of it."""
    if release is None:
        facts = {"records": len(sheet.rows), "k_reached": len(sheet.rows)}
        return _Made(part, None, sheet.rows, facts, ["nothing to mask: all values are missing"])
    columns = release.original.columns
    counting = (c.name for c in columns if options.numbers_from(c, c.numerators[0]))
    options.tell_of_numbering(counting, release.original.n, given)
    if given.decimals is None:
        _tell_of_digits({c.name: moments(c) for c in release.released.numbers.columns})
    constraints, numeric = release.method.constraints, release.original.numbers.names
    rounding = edits.rounding_that_meets(constraints, numeric, given.decimals)
    rows = _released_rows(sheet, release, given.decimals, rounding)
    report = release.report()
    files = {"original": release.original}
    remarks: list[str] = []
    if constraints:
        written = replace(sheet, rows=rows, values={})
        files["released file"] = written.table(numeric, options.declared(given, written, numeric))
        files["released before writing"] = release.released
        report["constraints"] = edits.edit_facts(constraints, files)
        warn(edits.forced_lines(constraints, release.original))
    if constraints and given.decimals is not None:
        remarks, amiss = edits.rounding_lines(rounding, numeric, given.decimals)
        report["rounding"] = {"decimals": given.decimals, "remarks": [*remarks, *amiss]}
        warn(amiss)
    lines = [
        *_block_lines(release),
        *remarks,
        _records_line(release.original.n, len(part.names), _k_of(given), report["k_reached"]),
        loss_line(report),
        *edits.edit_lines(constraints, files),
    ]
    return _Made(part, release, rows, report, lines)


FINE = 40
"""Values that are so many bits longer than their range are near the last digits of floats."""


def _tell_of_digits(released: Mapping[str, Moments]) -> None:
    """Tell of columns that lose the last digits of binary64 numbers.

    More is lost then than the report says.
    """
    for name, own in released.items():
        most = max(-own.least, own.greatest)
        if own.unit > 1 and 0 < (own.greatest - own.least) << FINE < most:
            options.tell(
                f"the numbers of {name!r} are near each other and are written as binary64 "
                "numbers, whose last digits are lost; --decimals 3, or more, writes them in full"
            )


def _draw_dendrogram(given: argparse.Namespace, release: Release | None) -> None:
    if release:
        [block] = release.blocks
        [(_, trace)] = block.traces
        heights = release.method.specification.heights
        pictures.write_dendrogram(given.dendrogram, trace, block.partition, heights)


def _show_steps(given: argparse.Namespace, sheet: csvfiles.Sheet, made: _Made) -> None:
    release = made.release
    if release is None:
        return
    strata = sheet.take(made.part.records).column(given.strata) if given.strata else None
    members = strata_members(strata, release.original.n, release.method.k)
    spec = release.method.specification
    size = f", k = {release.method.k}" if spec.takes_k else ""
    title = f"{spec.name}{size}, {given.input.name}"
    pictures.write_steps(
        release, [records for _, records in members], title, given.trace_page, given.trace_plot
    )


def _report(given: argparse.Namespace, n: int, made: Sequence[_Made]) -> dict[str, Any]:
    """Return the report of one part, or of several.

    The records of each part count from 0.
    """
    if given.missing == REJECT:
        return made[0].report
    facts = {"missing": missing_facts(n, given.missing, [one.part for one in made])}
    if len(made) == 1:
        return made[0].report | facts
    reached = min(one.report["k_reached"] for one in made)
    reports = [{"lacking": list(one.part.lacking)} | one.report for one in made]
    return {"k": given.k, "k_reached": reached, "parts": reports} | facts


def _k_of(given: argparse.Namespace) -> int:
    """k, which only algorithms that form groups need. Raises UnknownAlgorithm, InvalidK."""
    if given.k is None and specification(given.algorithm).takes_k:
        raise InvalidK(f"no k is given, but {given.algorithm} forms groups; give -k")
    return 1 if given.k is None else int(given.k)


def _block_lines(release: Release) -> list[str]:
    """Return lines about each block of attributes, for a reader."""
    lines = []
    for block in release.blocks:
        names = block.names if len(release.blocks) > 1 else ()
        sizes = block.partition.sizes()
        lines.append(_groups_line(release.method.specification, names, sizes, block.ties))
        lines += centre_lines(block.centres)
    return lines


def _groups_line(
    spec: Specification, names: Sequence[str], counts: Mapping[int, int], ties: int
) -> str:
    """Return a line with the numbers of groups by size.

    It has the names of some attributes, if any are given.
    """
    where = f" on {', '.join(names)}" if names else ""
    sizes = ", ".join(f"{count} of {size}" for size, count in sorted(counts.items()))
    text = f"groups: {sizes}; ties met: {ties}"
    if spec.yields == "deviations":
        text = "values were changed one by one; there are no groups, nothing is k-anonymous"
    return f"{spec.name}{where}: {text}"


def _records_line(n: int, attributes: int, k: int, reached: int) -> str:
    less = f": the release is not {k}-anonymous" if reached < k else ""
    return f"records {n}, attributes {attributes}, k reached {reached}{less}"


def _released_rows(
    sheet: csvfiles.Sheet, release: Release, decimals: int | None, rounding: Rounding | None
) -> list[list[str]]:
    """The rows of the file, with the released values as text."""
    rows = [list(row) for row in sheet.rows]
    kinds = {column.name: column.kind for column in release.original.columns}
    table, places = release.released, [decimals] * len(release.released.columns)
    if rounding:
        table, places = rounding.rounded(table), [*rounding.places(len(places))]
    position_of = {name: position for position, name in enumerate(sheet.header)}
    for column, own in zip(table.columns, places, strict=True):
        position = position_of[column.name]
        texts = _texts(sheet, replace(column, kind=kinds[column.name]), own)
        for row, text in zip(rows, texts, strict=True):
            row[position] = text
    for other in table.others:
        position = position_of[other.name]
        text_of = _as_written(sheet.column(other.name), release.original, other.name)
        for row, cell in zip(rows, other.cells, strict=True):
            row[position] = text_of.get(cell) or other.text(cell)
    return rows


def _texts(sheet: csvfiles.Sheet, column: Column, decimals: int | None) -> list[str]:
    """Return the released values of a numeric column as texts.

    Dates and times are written as in the file.
    """
    if column.kind.timed:
        values = column.values(range(len(column.numerators)))
        return moment_texts(column.kind, values, sheet.column(column.name))
    texts = csvfiles.decimal_texts(column, decimals)
    if sheet.how.decimal == ".":
        return texts
    return [text.replace(".", sheet.how.decimal) for text in texts]


def _as_written(texts: Sequence[str], original: Table, name: str) -> dict[object, str]:
    """Return the text of each category or sequence.

    It is that of the first record that has it.
    """
    [attribute] = original.select([name]).others
    return dict(zip(reversed(attribute.cells), reversed(texts), strict=True))


def warn(lines: Sequence[str]) -> None:
    """Tell what is not wrong, but perhaps not meant."""
    for line in lines:
        print(f"warning: {one_line(line)}", file=sys.stderr)


def _print_trace(made: _Made) -> None:
    release = made.release
    for block in release.blocks if release else ():
        for stratum, trace in block.traces:
            where = f"block {', '.join(block.names)}"
            where += f", stratum {stratum}{FROM_0}" if stratum else ""
            print(in_lines([where, *(f"  {line}" for line in trace.sentences())]))
