"""The command `refagg`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from refagg.algorithms.fuzzy.microaggregation import centre_lines
from refagg.catalogue import CATALOGUE, specification
from refagg.commands.compare_command import add_compare
from refagg.commands.dendrogram_command import check_dendrogram, check_one_run, write_dendrogram
from refagg.commands.frame_command import (
    add_kind_options,
    check_no_kinds,
    mask_frame,
    measure_frame,
)
from refagg.commands.options import (
    add_constraint_options,
    add_method_options,
    add_scale_options,
    add_table_options,
    blocks_of,
    check_no_constraints,
    constraints_of,
    guarded,
    method_options,
    quasi_identifiers,
)
from refagg.constraints import Rounding
from refagg.data import datasets
from refagg.data.csvfiles import (
    MOST_DECIMALS,
    Sheet,
    check_outputs,
    decimal_text,
    read_header,
    read_sheet,
    read_table,
    write_csv,
    write_json,
)
from refagg.data.standardise import standardise
from refagg.errors import InvalidK, InvalidParameter
from refagg.language.specification import Specification
from refagg.language.ties import HOUSE_RULES
from refagg.literature import distances, genetic, ledger
from refagg.literature.verdicts import VERDICTS, Row
from refagg.release.edits import (
    edit_facts,
    edit_lines,
    forced_lines,
    rounding_lines,
    rounding_that_meets,
)
from refagg.release.facts import class_facts, loss_facts, loss_line, measure_lines, risk_facts
from refagg.release.masking import ARITHMETICS, Release, masked, method_of
from refagg.release.trace import trace_lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit status is 0, or 2 if the request could not be carried out."""
    return guarded(lambda: _run(arguments))


def _run(arguments: Sequence[str] | None) -> int:
    given = _parser().parse_args(arguments)
    return int(given.run(given))


@cache
def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="refagg", description="Microaggregation as published, exactly."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    algorithms = commands.add_parser("algorithms", help="list the algorithms, or describe one")
    algorithms.add_argument("name", nargs="?", metavar="NAME")
    algorithms.add_argument("--json", action="store_true", help="print JSON")
    algorithms.set_defaults(run=_algorithms)

    mask = commands.add_parser("mask", help="microaggregate a CSV file")
    mask.add_argument("input", type=Path, metavar="IN.csv")
    mask.add_argument("--algorithm", required=True, metavar="NAME")
    mask.add_argument("-k", type=int, help="the least size of a group, if groups are formed")
    mask.add_argument("-o", "--output", type=Path, required=True, metavar="OUT.csv")
    mask.add_argument("--json", type=Path, metavar="REPORT", help="write a report with the groups")
    mask.add_argument("--arithmetic", choices=ARITHMETICS, help="default: exact where possible")
    mask.add_argument("--ties", choices=HOUSE_RULES, default="lowest")
    mask.add_argument("--seed", type=int, help="of what is drawn at random")
    mask.add_argument("--decimals", type=int, metavar="D", help="round released values")
    mask.add_argument("--trace", action="store_true", help="print each step of the run")
    mask.add_argument(
        "--dendrogram", type=Path, metavar="FILE", help="draw the mergers: .txt, .png, .svg, .pdf"
    )
    add_table_options(mask)
    add_method_options(mask)
    add_constraint_options(mask)
    add_kind_options(mask)
    mask.set_defaults(run=_mask)

    add_compare(commands)

    measure = commands.add_parser("measure", help="what a release loses and discloses")
    measure.add_argument("original", type=Path, metavar="ORIGINAL.csv")
    measure.add_argument("released", type=Path, metavar="RELEASED.csv")
    measure.add_argument("--json", type=Path, metavar="REPORT")
    measure.add_argument("--all-risks", action="store_true", help="however long it takes")
    add_table_options(measure)
    add_scale_options(measure)
    add_constraint_options(measure)
    add_kind_options(measure)
    measure.set_defaults(run=_measure)

    datasets = commands.add_parser("datasets", help="list the data sets, or fetch one")
    datasets.add_argument("action", nargs="?", choices=["fetch", "export"])
    datasets.add_argument("name", nargs="?", metavar="NAME")
    datasets.add_argument("target", nargs="?", metavar="URL|FILE")
    datasets.set_defaults(run=_datasets)

    reproduce = commands.add_parser("reproduce", help="recompute the numbers of the literature")
    reproduce.add_argument("sources", nargs="*", metavar="SOURCE")
    reproduce.add_argument("--arithmetic", choices=ARITHMETICS, default="float")
    reproduce.add_argument("--json", type=Path, metavar="REPORT")
    reproduce.set_defaults(run=_reproduce)
    return parser


def _algorithms(given: argparse.Namespace) -> int:
    chosen = [specification(given.name)] if given.name else list(CATALOGUE.values())
    if given.json:
        print(json.dumps([_as_data(spec) for spec in chosen], indent=2))
    elif given.name:
        print("\n".join(_description(chosen[0])))
    else:
        width = max(map(len, CATALOGUE))
        for spec in chosen:
            print(f"{spec.name:<{width}}  {spec.title}\n{'':<{width}}  {spec.source}")
    return 0


def _as_data(spec: Specification) -> dict[str, Any]:
    return {
        "name": spec.name,
        "title": spec.title,
        "source": spec.source,
        "needs": spec.needs,
        "yields": spec.yields,
        "arithmetic": list(spec.arithmetic),
        "guarantees": spec.guarantees,
        "cost": spec.cost,
        "decisions": list(spec.decisions),
        "parameters": [
            {
                "name": parameter.name,
                "default": str(parameter.default),
                "allowed": parameter.allowed,
                "meaning": parameter.meaning,
            }
            for parameter in spec.parameters
        ],
        "ties": [{"name": t.name, "step": t.step, "meaning": t.meaning} for t in spec.ties],
    }


def _description(spec: Specification) -> list[str]:
    data = _as_data(spec)
    lines = [f"{spec.name}: {spec.title}", f"source: {spec.source}"]
    lines += [f"guarantees: {spec.guarantees}", f"cost: {spec.cost}"]
    lines.append(f"arithmetic: {', '.join(spec.arithmetic)}")
    lines += [
        f"parameter {p['name']} (default {p['default']}): {p['meaning']}; {p['allowed']}"
        for p in data["parameters"]
    ]
    lines += [f"open choice in step {t['step']}: {t['name']}, {t['meaning']}" for t in data["ties"]]
    lines.append(f"decisions: {', '.join(map(str, spec.decisions))}")
    return lines


def _mask(given: argparse.Namespace) -> int:
    if given.decimals is not None and not 0 <= given.decimals <= MOST_DECIMALS:
        raise InvalidParameter(
            f"decimals is {given.decimals}; it must be at least 0 and at most {MOST_DECIMALS}"
        )
    check_outputs([given.output, given.json, given.dendrogram], [given.input])
    check_dendrogram(given.dendrogram, specification(given.algorithm))
    if given.kind:
        check_no_constraints(given)
        return mask_frame(given)
    check_no_kinds(given)
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
    release = masked(sheet.numeric(names, given.missing), method, blocks, strata)
    report = release.report()
    if given.trace:
        _print_trace(release)
    rounding = rounding_that_meets(method.constraints, names, given.decimals)
    rows = _released_rows(sheet, release, given.decimals, rounding)
    write_csv(given.output, sheet.header, rows, given.delimiter)
    if given.dendrogram:
        [block] = release.blocks
        [(_, trace)] = block.traces
        heights = method.specification.heights
        write_dendrogram(given.dendrogram, trace, block.partition, heights)
    files = {"original": release.original}
    if method.constraints:
        files["released file"] = replace(sheet, rows=rows).numeric(names)
        files["released before writing"] = release.released
        report["constraints"] = edit_facts(method.constraints, files)
        warn(forced_lines(method.constraints, release.original))
    remarks: list[str] = []
    if method.constraints and given.decimals is not None:
        remarks, amiss = rounding_lines(rounding, names, given.decimals)
        report["rounding"] = {"decimals": given.decimals, "remarks": [*remarks, *amiss]}
        warn(amiss)
    if given.json:
        write_json(given.json, report)
    lines = [
        *_block_lines(release),
        *remarks,
        f"records {release.original.n}, attributes {len(names)}, k reached {release.k_reached}",
        loss_line(report, report["standardise"]),
        *edit_lines(method.constraints, files),
    ]
    print("\n".join(lines))
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
    return rows


def warn(lines: Sequence[str]) -> None:
    """Tell what is not wrong, but perhaps not meant."""
    for line in lines:
        print(f"warning: {line}", file=sys.stderr)


def _print_trace(release: Release) -> None:
    for block in release.blocks:
        for stratum, trace in block.traces:
            print(f"block {', '.join(block.names)}" + (f", stratum {stratum}" if stratum else ""))
            for line in trace_lines(release.method.specification, trace):
                print(f"  {line}")


def _measure(given: argparse.Namespace) -> int:
    check_outputs([given.json], [given.original, given.released])
    if given.kind:
        check_no_constraints(given)
        return measure_frame(given)
    check_no_kinds(given)
    constraints = constraints_of(given)
    names = quasi_identifiers(given, read_header(given.original, given.delimiter), given.original)
    original = read_table(given.original, names, given.missing, given.delimiter)
    released = read_table(given.released, names, given.missing, given.delimiter)
    scaled = standardise(original, given.standardise)
    report = loss_facts(scaled, released)
    report |= class_facts(released) | risk_facts(scaled, released, given.all_risks)
    files = {"original": original, "released file": released}
    report["constraints"] = edit_facts(constraints, files)
    if given.json:
        write_json(given.json, report)
    print("\n".join([*measure_lines(report), *edit_lines(constraints, files)]))
    return 0


def _datasets(given: argparse.Namespace) -> int:
    if given.action is None:
        for row in datasets.listing():
            known = row.dataset
            print(f"{known.name:<22} {row.shape:>9}  {row.where}\n{'':<33}  {known.source}")
        return 0
    if given.name is None or given.target is None:
        raise InvalidParameter(f"datasets {given.action} needs a NAME and a URL or FILE")
    if given.action == "fetch":
        print(datasets.fetch(given.name, given.target))
        return 0
    table = datasets.load(given.name)
    check_outputs([Path(given.target)], [])
    rows = ([decimal_text(v) for v in table.row(record)] for record in range(table.n))
    write_csv(Path(given.target), table.names, rows)
    return 0


def _reproduce(given: argparse.Namespace) -> int:
    check_outputs([given.json], [])
    tables: dict[str, Callable[[str], Sequence[Any]]] = {
        distances.KEY: _distances,
        genetic.KEY: _genetic,
    }
    chosen = [source.casefold() for source in given.sources]
    sources = [source for source in given.sources if source.casefold() not in tables]
    report: list[dict[str, Any]] = []
    if sources or not given.sources:
        report += [row.as_data() for row in _ledger(sources, given.arithmetic)]
    for key, table in tables.items():
        if key in chosen or not chosen:
            report += [row.as_data() for row in table(given.arithmetic)]
    if given.json:
        write_json(given.json, report)
    return 0


def _ledger(sources: list[str], arithmetic: str) -> list[Row]:
    rows = []
    for row in ledger.rows(sources or None, arithmetic):
        rows.append(row)
        note = f"  {row.note}" if row.note else ""
        print(
            f"{row.source:<7} {row.place:<52} printed {row.printed:<12} "
            f"ours {row.ours or '-':<12} {row.verdict}{note}",
            flush=True,
        )
    counts = {verdict: sum(r.verdict == verdict for r in rows) for verdict in VERDICTS}
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count))
    return rows


def _distances(arithmetic: str) -> list[distances.Distance]:
    rows = []
    for row in distances.distances(arithmetic):
        if row.algorithm == distances.KEY:
            print(f"distance from the optimum, {row.dataset}, k={row.k}")
        rows.append(row)
        print(row.line(), flush=True)
    return rows


def _genetic(arithmetic: str) -> list[genetic.Row]:
    rows = []
    for row in genetic.rows(arithmetic):
        rows.append(row)
        print(row.line(), flush=True)
    return rows


if __name__ == "__main__":
    sys.exit(main())
