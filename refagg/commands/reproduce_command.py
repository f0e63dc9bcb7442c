"""`refagg reproduce`: the numbers that the literature prints, computed again."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from math import fsum
from time import process_time
from typing import Any

from refagg.commands.options import JSON, METHOD, argument, output, tell
from refagg.data.csvfiles import check_outputs, write_bytes, write_json
from refagg.errors import InvalidParameter
from refagg.literature.claims import sources
from refagg.literature.distances import FIRST
from refagg.literature.distances import KEY as OPTIMUM
from refagg.literature.page import ledger_page
from refagg.literature.reproducing import LEDGER, printed_parts
from refagg.literature.verdicts import VERDICTS
from refagg.options.fields import Option
from refagg.terminal import NOW, kept

FORMAT = "refagg reproduce 1"

COMMAND = (
    argument("sources", "SOURCE", "sources (default: all)", nargs="*", read=str),
    METHOD["arithmetic"].of(meaning="arithmetic (default: the faster for each number)"),
    Option(
        "skip results that need many seeds, and tables that no source prints unless you name them",
        False,
        name="without_random",
    ),
    JSON,
    output("html", "PAGE", "write the published tables as a page"),
)


def run(given: argparse.Namespace) -> int:
    """Carry out the command."""
    check_outputs([given.json, given.html], [])
    found = printed_parts(given.sources, given.arithmetic, not given.without_random)
    if given.html and LEDGER not in found:
        names = ", ".join(source.casefold() for source in given.sources)
        raise InvalidParameter(f"--html shows printed tables, and {names} has none")
    shown = {LEDGER: _ledger, OPTIMUM: _distances}
    told: dict[str, list[Any]] = {key: [] for key in found}
    for key, rows in found.items():
        with kept():
            for row in shown.get(key, _lines)(_until_interrupted(rows)):
                told[key].append(row)
        if NOW.interrupted:
            break
        if not told[key]:
            tell(f"{key}: no data set of it is available; REFAGG_DATA names their folder")
    if given.json:
        data = [row.as_data() for rows in told.values() for row in rows]
        write_json(given.json, {"format": FORMAT, "rows": data})
    if given.html:
        references = {key: source.reference for key, source in sources().items()}
        write_bytes(given.html, ledger_page(told[LEDGER], references, not NOW.interrupted).encode())
    return 0


def _until_interrupted(rows: Iterator[object]) -> Iterator[object]:
    with kept():
        yield from rows


def _ledger(rows: Iterator[Any]) -> Iterator[Any]:
    counts, seconds, start = Counter[str](), dict[str, float](), process_time()
    for row in rows:
        now = process_time()
        seconds[row.source] = seconds.get(row.source, 0.0) + now - start
        start = now
        note = f"  {row.note}" if row.note else ""
        print(
            f"{row.source:<7} {row.place:<52} printed {row.printed:<12} "
            f"ours {row.ours or '-':<12} {row.verdict}{note}",
            flush=True,
        )
        counts[row.verdict] += 1
        yield row
    print(", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict]))
    each = ", ".join(f"{source} {spent:.0f}" for source, spent in seconds.items())
    tell(f"{fsum(seconds.values()):.0f} CPU seconds: {each}")


def _distances(rows: Iterator[Any]) -> Iterator[Any]:
    for row in rows:
        if row.algorithm in FIRST:
            what = "the optimum" if row.algorithm == FIRST[0] else "a proved bound"
            print(f"distance from {what}, {row.dataset}, k={row.k}")
        print(row.line(), flush=True)
        yield row


def _lines(rows: Iterator[Any]) -> Iterator[Any]:
    for row in rows:
        print(row.line(), flush=True)
        yield row
