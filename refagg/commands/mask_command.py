"""`refagg mask`: a CSV file microaggregated, with a report."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from refagg.algorithms.fuzzy.microaggregation import centre_lines
from refagg.catalogue import specification
from refagg.commands.dendrogram_command import check_dendrogram, check_one_run, write_dendrogram
from refagg.commands.options import (
    add_constraint_options,
    add_kind_options,
    add_method_options,
    add_table_options,
    blocks_of,
    constraints_of,
    measure_of,
    method_options,
    quasi_identifiers,
    table_from,
)
from refagg.constraints import Rounding
from refagg.data.csvfiles import (
    MOST_DECIMALS,
    Sheet,
    check_outputs,
    decimal_text,
    read_sheet,
    write_csv,
    write_json,
)
from refagg.errors import InvalidK, InvalidParameter
from refagg.language.ties import TIE_RULES
from refagg.release.edits import (
    edit_facts,
    edit_lines,
    forced_lines,
    rounding_lines,
    rounding_that_meets,
)
from refagg.release.masking import Release, masked
from refagg.release.method import method_of
from refagg.release.report import loss_line
from refagg.release.trace import trace_lines
from refagg.spaces.dissimilarities.own import measure_for
from refagg.spaces.of_tables import ARITHMETICS
from refagg.terminal import in_lines, one_line


def add_options(parser: argparse.ArgumentParser) -> None:
    """What to mask, how, and where to."""
    parser.add_argument("input", type=Path, metavar="IN.csv")
    parser.add_argument("--algorithm", required=True, metavar="NAME")
    parser.add_argument("-k", type=int, help="the least size of a group, if groups are formed")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="OUT.csv")
    parser.add_argument(
        "--json", type=Path, metavar="REPORT", help="write a report with the groups"
    )
    parser.add_argument("--arithmetic", choices=ARITHMETICS, help="default: exact where possible")
    parser.add_argument("--ties", choices=TIE_RULES, default="lowest")
    parser.add_argument("--seed", type=int, help="of what is drawn at random")
    parser.add_argument("--decimals", type=int, metavar="D", help="round released values")
    parser.add_argument("--trace", action="store_true", help="print each step of the run")
    parser.add_argument(
        "--dendrogram", type=Path, metavar="FILE", help="draw the mergers: .txt, .png, .svg, .pdf"
    )
    add_table_options(parser)
    add_method_options(parser)
    add_constraint_options(parser)
    add_kind_options(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Carry out the command."""
    if given.decimals is not None and not 0 <= given.decimals <= MOST_DECIMALS:
        raise InvalidParameter(
            f"decimals is {given.decimals}; it must be at least 0 and at most {MOST_DECIMALS}"
        )
    check_outputs([given.output, given.json, given.dendrogram], [given.input])
    check_dendrogram(given.dendrogram, specification(given.algorithm))
    method = method_of(
        given.algorithm,
        _k_of(given),
        arithmetic=given.arithmetic,
        ties=given.ties,
        seed=given.seed,
        trace=given.trace or given.dendrogram is not None,
        constraints=constraints_of(given),
        **method_options(given),
    )
    sheet = read_sheet(given.input, given.delimiter)
    names = quasi_identifiers(given, sheet.header, given.input)
    blocks = blocks_of(given.blocks, names)
    strata = sheet.column(given.strata) if given.strata else None
    check_one_run(given.dendrogram, len(blocks or [names]), len(set(strata or [""])))
    table = table_from(sheet, names, given)
    method = replace(method, dissimilarity=measure_for(table, measure_of(given)))
    release = masked(table, method, blocks, strata)
    report = release.report()
    if given.trace:
        _print_trace(release)
    numeric = release.original.numbers.names
    rounding = rounding_that_meets(method.constraints, numeric, given.decimals)
    rows = _released_rows(sheet, release, given.decimals, rounding)
    write_csv(given.output, sheet.header, rows, given.delimiter)
    if given.dendrogram:
        [block] = release.blocks
        [(_, trace)] = block.traces
        heights = method.specification.heights
        write_dendrogram(given.dendrogram, trace, block.partition, heights)
    files = {"original": release.original}
    if method.constraints:
        files["released file"] = replace(sheet, rows=rows).numeric(numeric)
        files["released before writing"] = release.released
        report["constraints"] = edit_facts(method.constraints, files)
        warn(forced_lines(method.constraints, release.original))
    remarks: list[str] = []
    if method.constraints and given.decimals is not None:
        remarks, amiss = rounding_lines(rounding, numeric, given.decimals)
        report["rounding"] = {"decimals": given.decimals, "remarks": [*remarks, *amiss]}
        warn(amiss)
    if given.json:
        write_json(given.json, report)
    lines = [
        *_block_lines(release),
        *remarks,
        f"records {release.original.n}, attributes {len(names)}, k reached {release.k_reached}",
        loss_line(report),
        *edit_lines(method.constraints, files),
    ]
    print(in_lines(lines))
    return 0


def _k_of(given: argparse.Namespace) -> int:
    """k, which only algorithms that form groups need. Raises UnknownAlgorithm, InvalidK."""
    if given.k is None and specification(given.algorithm).takes_k:
        raise InvalidK(f"no k is given, but {given.algorithm} forms groups; give -k")
    return 1 if given.k is None else int(given.k)


def _block_lines(release: Release) -> list[str]:
    """What became of each block of attributes, for a reader."""
    lines = []
    for block in release.blocks:
        where = f" on {', '.join(block.names)}" if len(release.blocks) > 1 else ""
        sizes = ", ".join(f"{count} of {size}" for size, count in block.partition.sizes().items())
        text = f"groups: {sizes}; ties met: {block.ties}"
        if release.method.specification.yields == "deviations":
            text = "values were changed one by one; there are no groups, nothing is k-anonymous"
        lines.append(f"{release.method.specification.name}{where}: {text}")
        lines += centre_lines(block.centres)
    return lines


def _released_rows(
    sheet: Sheet, release: Release, decimals: int | None, rounding: Rounding | None
) -> list[list[str]]:
    """The rows of the file, with the released values as text."""
    rows = [list(row) for row in sheet.rows]
    table, places = release.released, [decimals] * len(release.released.columns)
    if rounding:
        table, places = rounding.rounded(table), [*rounding.places(len(places))]
    for column, own in zip(table.columns, places, strict=True):
        position = sheet.header.index(column.name)
        texts: dict[int, str] = {}
        for record, number in enumerate(column.numerators):
            if number not in texts:
                texts[number] = decimal_text(column[record], own)
            rows[record][position] = texts[number]
    for other in table.others:
        position = sheet.header.index(other.name)
        for row, cell in zip(rows, other.cells, strict=True):
            row[position] = cell if isinstance(cell, str) else other.kind.separator.join(cell)
    return rows


def warn(lines: Sequence[str]) -> None:
    """Tell what is not wrong, but perhaps not meant."""
    for line in lines:
        print(f"warning: {one_line(line)}", file=sys.stderr)


def _print_trace(release: Release) -> None:
    for block in release.blocks:
        for stratum, trace in block.traces:
            where = f"block {', '.join(block.names)}" + (f", stratum {stratum}" if stratum else "")
            events = trace_lines(release.method.specification, trace)
            print(in_lines([where, *(f"  {line}" for line in events)]))
