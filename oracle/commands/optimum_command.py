"""`oracle optimum`: the least SSE of a CSV file.

It comes with its groups and its proof.
"""

from __future__ import annotations

import argparse
import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oracle.commands.terminating import terminable
from oracle.executors import executor_of
from oracle.optima.clock import Estimates, Progress, Report
from oracle.optima.searching import Searching
from refagg.commands import options
from refagg.data.csvfiles import check_outputs, write_bytes, write_json
from refagg.data.missing import APART, REJECT
from refagg.data.otherfiles import BY_ENDING
from refagg.data.standardise import RANGE, Scaled, is_plain, standardise
from refagg.data.tables import Table
from refagg.data.textfiles import COMPRESSED, compressed
from refagg.errors import InvalidParameter, OutputUnwritable
from refagg.language.number_texts import as_json, digits_of
from refagg.options import readers
from refagg.options.fields import WHOLE, options_of, values_of
from refagg.release.measures import group_deviation, information_loss, loss_within
from refagg.release.partition_files import read_partition
from refagg.release.report import loss_names
from refagg.spaces.dissimilarities.dissimilarity import Dissimilarity
from refagg.spaces.dissimilarities.own import measure_for
from refagg.spaces.of_tables import name_of
from refagg.terminal import in_lines

if TYPE_CHECKING:
    from oracle.optima.solving import Optimum

FORMAT = "refagg optimum 1"

EVERY = 1.0
"""Seconds between two lines of progress."""


VERIFIED = "write the same numbers as CSV in UTF-8, with decimal points and no missing cell"
"""What to do where a certificate is about a file that `oracle verify` does not read."""

SEARCHING = options_of(Searching, without=("cost", "executor", "report"))

COMMAND = (
    options.argument("input", "IN.csv"),
    options.METHOD["k"].of(default=None, required=True),
    *SEARCHING.values(),
    options.EXECUTOR,
    options.output(
        "certificate",
        "OUT.json",
        "write the proof; under a name that ends in .gz, compressed",
        WHOLE,
    ),
    options.output("json", "OUT.json", "write the result"),
    *options.FILES,
    options.MISSING,
    *options.SCALE,
)


def run(given: argparse.Namespace) -> int:
    """Carry out the command; return the exit status.

    It is 0 if the optimum is proved (and its certificate written), else 1.
    """
    inputs = [given.input, given.start] if given.start else [given.input]
    check_outputs([given.json, given.certificate, given.state], inputs)
    if given.certificate and given.certificate.suffix.lower() in {*COMPRESSED} - {".gz"}:
        raise OutputUnwritable(
            f"{given.certificate} cannot be written: certificates are compressed by gzip only; "
            "name it .json or .json.gz"
        )
    options.check_no_kinds(given)
    if given.missing == APART:
        return _apart(given)
    found, lines, data = _solved(given, options.input_table(given))
    print(in_lines(lines))
    if given.json:
        write_json(given.json, data)
    if given.certificate and found.certificate is not None:
        _write_certificate(given.certificate, found.certificate)
        text = given.decimal == "." and not given.encoding and given.missing == REJECT
        if not text or given.input.suffix.lower() in BY_ENDING:
            options.tell(f"`oracle verify` will not read {given.input} in this form: {VERIFIED}")
    elif given.certificate:
        print(
            f"{given.certificate} is not written: either nothing was proved before the run was "
            "ended, or the numbers have too many digits for a certificate",
            file=sys.stderr,
        )
        return 1
    return 0 if found.status == "optimal" else 1


def _apart(given: argparse.Namespace) -> int:
    """Find the optimum of each pattern of missing values.

    Groups are of records of the file.
    """
    options.refuse_whole(given, COMMAND)
    facts, line, parts = options.parts_apart(given, given.k)
    print(line)
    made, proved = [], True
    for part, table in parts:
        if table is None:
            print(f"{part.title}: they are equal, and one group loses nothing")
            continue
        found, lines, data = _solved(options.of_part(given, part), table)
        print(in_lines([f"{part.title}:", *lines]), flush=True)
        groups = [[part.records[i] for i in group] for group in found.partition.groups]
        made.append({"lacking": [*part.lacking]} | data | {"groups": groups})
        proved = proved and found.status == "optimal"
    if given.json:
        write_json(given.json, {"format": FORMAT, "parts": made, "missing": facts})
    return 0 if proved else 1


def _solved(given: argparse.Namespace, table: Table) -> tuple[Optimum, list[str], dict[str, Any]]:
    """Return the optimum of a table, for a reader and as data."""
    from oracle.functions.optima import optimum  # needs PuLP, which --help does not

    absolute = given.objective == "absolute"
    scale = options.scale_of(given) if given.standardise or not absolute else RANGE
    scaled = standardise(table, scale, weights=readers.weights(given.weight))
    if given.certificate and absolute:
        raise InvalidParameter("a certificate covers the SSE, not absolute deviations")
    dates = any(column.kind.timed for column in table.columns)
    if given.certificate and (dates or not is_plain(scaled)):
        raise InvalidParameter(
            "a certificate covers numeric attributes without weights or ranges; here are other "
            "kinds, dates, ranges or weights"
        )
    by_columns = given.certificate or given.state or given.start
    if by_columns and given.method not in ("auto", "columns", "semidefinite"):
        raise InvalidParameter(
            f"the method {given.method} writes no certificate and no state and takes no start; "
            "columns does"
        )
    measure = measure_for(scaled.table, options.measure_of(given))
    method: Any = "columns" if by_columns and given.method == "auto" else given.method
    asked = values_of(vars(given), SEARCHING) | {"method": method}
    asked["start"] = read_partition(given.start, table.n) if given.start else None
    asked["report"] = None if given.quiet else _reporter()
    with executor_of(given.executor) as executor, terminable():
        found = optimum(scaled, given.k, executor=executor, dissimilarity=measure, **asked)
    if absolute:
        total = group_deviation(scaled, range(scaled.n))
        key, name = "absolute_deviation", "sum of absolute deviations"
    else:
        total = loss_within(scaled, [range(scaled.n)], measure)
        key, _, name = loss_names(scaled.table)
    data = _as_data(found, scaled, total, key) | _of_kinds(given, scaled, measure)
    data |= {"objective": given.objective} if absolute else {}
    return found, _lines(found, total, name), data


def _write_certificate(path: Path, certificate: dict[str, object]) -> None:
    """Write a certificate without blanks.

    So large ones stay below what `oracle verify` reads.
    """
    text = json.dumps(certificate, separators=(",", ":")) + "\n"
    write_bytes(path, compressed(text.encode(), path.name))


def _reporter() -> Report:
    """Return a function that prints progress to standard error.

    It prints not more often than every `EVERY` seconds.
    """
    last, estimates = 0.0, Estimates()

    def report(progress: Progress) -> None:
        nonlocal last
        told = estimates.told(progress)
        if progress.seconds - last >= EVERY:
            last = progress.seconds
            print(told, file=sys.stderr, flush=True)

    return report


def _lines(found: Optimum, total: Fraction, name: str) -> list[str]:
    groups = ", ".join(f"{count} of {size}" for size, count in found.partition.sizes().items())
    lines = [f"{found.status} ({found.method}, {found.seconds:.1f} s): groups: {groups}"]
    lines.append(f"{name} {digits_of(found.value, 12)}{_share(found.value, total)}")
    if found.status != "optimal":
        if found.bound is None or found.gap is None:
            lines.append("no lower bound is known")
        else:
            lines.append(
                f"proven lower bound {digits_of(found.bound, 12)}{_share(found.bound, total)}; "
                f"remaining gap {100 * float(found.gap):.4g} %"
            )
    return lines


def _share(value: Fraction, total: Fraction) -> str:
    return f", information loss {float(information_loss(value, total)):.7g} %" if total else ""


def _of_kinds(
    given: argparse.Namespace, scaled: Scaled, measure: str | Dissimilarity
) -> dict[str, object]:
    """Return facts on the cost where kinds are declared.

    They are for the result, and say what the cost depends on.
    """
    if not given.kind:
        return {}
    return {
        "kinds": {a.name: a.kind.title for a in scaled.table.attributes},
        "weights": {name: str(weight) for name, weight in readers.weights(given.weight).items()},
        "dissimilarity": name_of(measure),
    }


def _as_data(found: Optimum, scaled: Scaled, total: Fraction, loss: str) -> dict[str, Any]:
    value = as_json(found.value)
    bound = {"decimal": None, "exact": None} if found.bound is None else as_json(found.bound)
    return {
        "format": FORMAT,
        "status": found.status,
        "method": found.method,
        "proof": found.proof,
        "standardise": scaled.how,
        loss: value["decimal"],
        f"{loss}_exact": value["exact"],
        "bound": bound["decimal"],
        "bound_exact": bound["exact"],
        "gap": None if found.gap is None else float(found.gap),
        "information_loss": float(information_loss(found.value, total)) if total else None,
        "seconds": round(found.seconds, 3),
        "groups": [list(group) for group in found.partition.groups],
    }
