"""`refagg reproduce`: the numbers that the literature prints, computed anew."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from refagg.data.csvfiles import check_outputs, write_bytes, write_json
from refagg.errors import InvalidParameter
from refagg.literature import distances, genetic, ledger
from refagg.literature.page import page
from refagg.literature.verdicts import VERDICTS, Row
from refagg.spaces.of_tables import ARITHMETICS


def add_options(parser: argparse.ArgumentParser) -> None:
    """Which numbers, and in what to compute them."""
    parser.add_argument("sources", nargs="*", metavar="SOURCE")
    parser.add_argument("--arithmetic", choices=ARITHMETICS, default="float")
    parser.add_argument(
        "--without-random", action="store_true", help="leave out what is computed from many seeds"
    )
    parser.add_argument("--json", type=Path, metavar="REPORT")
    parser.add_argument("--html", type=Path, metavar="PAGE", help="the printed tables, as a page")
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Carry out the command."""
    check_outputs([given.json, given.html], [])
    tables: dict[str, Callable[[str], Sequence[Any]]] = {
        distances.KEY: _distances,
        genetic.KEY: _genetic,
    }
    chosen = [source.casefold() for source in given.sources]
    sources = [source for source in given.sources if source.casefold() not in tables]
    if given.html and given.sources and not sources:
        raise InvalidParameter(f"--html shows printed tables, and {', '.join(chosen)} has none")
    report: list[dict[str, Any]] = []
    rows: list[Row] = []
    if sources or not given.sources:
        rows = _ledger(sources, given.arithmetic, not given.without_random)
        report += [row.as_data() for row in rows]
    for key, table in tables.items():
        if key in chosen or (not chosen and not (given.without_random and key == genetic.KEY)):
            report += [row.as_data() for row in table(given.arithmetic)]
    if given.json:
        write_json(given.json, report)
    if given.html:
        write_bytes(given.html, page(rows, ledger.SOURCES).encode())
    return 0


def _ledger(sources: list[str], arithmetic: str, random: bool) -> list[Row]:
    rows = []
    for row in ledger.rows(sources or None, arithmetic, random):
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
