"""`oracle audit`: from files to a verdict, as text and as JSON."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from oracle.auditing.alike import OWN, RULES
from oracle.auditing.cells import check_none_missing
from oracle.auditing.other_columns import told, unexamined
from oracle.auditing.privacy import promises_of
from oracle.auditing.stored_files import NotStored
from oracle.commands import audited_files
from oracle.commands.alike_options import in_sets, released_cells, sets_in, write_violations
from oracle.commands.audited_files import (
    AUDITED,
    Engine,
    refuse_in,
    released_sheet,
    run_facts,
    tables_of,
)
from oracle.commands.demo import demo
from oracle.commands.missing_values import (
    audit_with_missing,
    by_equality,
    check_unused,
    needs_numbers,
)
from oracle.functions.audits import (
    ALONE,
    OPTIONS,
    Audit,
    Auditing,
    Promising,
    audit,
    audit_of_cells,
)
from oracle.report.pages import check_report
from refagg.catalogue import specification
from refagg.commands.options import (
    CONSTRAINTS,
    FILES,
    HOW_MADE,
    JSON,
    LONG,
    METHOD,
    MISSING,
    add,
    add_kind_options,
    announce,
    argument,
    blocks_of,
    constraints_of,
    format_of,
    kind_texts,
    kinds_of,
    lines_beside,
    measure_of,
    method_options,
    names_of,
    sampling_of,
    shown,
)
from refagg.data.csvfiles import (
    Sheet,
    check_outputs,
    other_delimiter,
    read_header,
    read_sheet,
    write_json,
)
from refagg.data.missing import APART, AS_RELEASED, DROP, REJECT
from refagg.data.tables import Table, check_columns
from refagg.errors import InvalidParameter, NotANumber, ShapeMismatch, UnknownColumn
from refagg.language.specification import parameters
from refagg.options.fields import Option, only, options_of, values_of
from refagg.options.readers import number
from refagg.release.partition_files import read_partition
from refagg.terminal import warn_of_squares

COMMAND = (
    argument("original", "ORIGINAL.csv", nargs="?"),
    argument(
        "released",
        "RELEASED.csv",
        "one or more releases; if only one file is given, it is a release without its original",
        nargs="*",
    ),
    shown(METHOD, "k", default=None, meaning="claimed minimum group size"),
    AUDITED["algorithm"],
    METHOD["seed"],
    *options_of(Auditing, Promising, without=("confidential",)).values(),
    JSON,
    AUDITED["report"],
    Option("audit three releases of data that ship with the project", False, name="demo"),
    *FILES,
    MISSING.of(default=None, choices=(REJECT, DROP, APART, AS_RELEASED, *RULES)),
    AUDITED["sets"],
    *only(AUDITED, "sets_of", "violations", "engine", "memory").values(),
    *HOW_MADE,
    *CONSTRAINTS,
)
"""What is usual for missing values depends on whether there is an original."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options: the files, the claims and the outputs."""
    add(parser, COMMAND)
    add_kind_options(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Carry out the command; the exit status is that of the verdict, of several the worst."""
    if given.demo:
        return demo(given)
    if given.original and not given.released and given.k is not None:
        return _alone(given)
    given.missing = given.missing or REJECT
    _check(given)
    if len(given.released) > 1:
        if given.violations:
            raise InvalidParameter("--violations is for one release")
        return _several(given)
    [given.released] = given.released
    began = time.monotonic()
    made, engine = _audit(given)
    with lines_beside(given.json, given.violations):
        print(made)
    if given.violations:
        write_violations(given.violations, made, released_sheet(given))
    _write(given, made, f"Audit of {given.released.name}", engine, began)
    return made.verdict.exit_status


WORST = (1, 2, 0)
"""Exit statuses of audits, the worst first: something fails, or is not judged, or all holds."""

WORDS = {0: "holds", 1: "fails", 2: "not judged"}


def _several(given: argparse.Namespace) -> int:
    """Audit one release after the other; a line for each at the end."""
    lines, data, statuses, releases = [], [], [], []
    for path in given.released:
        one, began = argparse.Namespace(**{**vars(given), "released": path}), time.monotonic()
        made, engine = _audit(one)
        print(f"{path}\n{made}\n")
        statuses.append(made.verdict.exit_status)
        lines.append(f"{path}: {WORDS[statuses[-1]]}")
        run = run_facts(one, engine, began) if given.json or given.report else {}
        data.append({"released": str(path), **made.verdict.as_data(), "run": run})
        if given.report:
            releases.append((str(path), made.release(run)))
    print("\n".join(lines))
    if given.json:
        write_json(given.json, {"format": "refagg audits 1", "audits": data})
    if given.report:
        from oracle.report.release import write_releases  # needs Jinja2 and matplotlib

        title = f"Audits of {len(releases)} releases of {given.original.name}"
        write_releases(releases, given.report, title, given.line)
    return min(statuses, key=WORST.index)


def _alone(given: argparse.Namespace) -> int:
    """Audit a release without its original."""
    what = "without the original: an audit needs ORIGINAL.csv, RELEASED.csv and -k"
    refuse_in(given, (*ALONE, "sets_of", "violations", "report"), what)
    given.missing = given.missing or OWN
    if given.missing not in (*RULES, REJECT):
        raise InvalidParameter(f"--missing {given.missing} needs the original")
    path, began, sets = given.original, time.monotonic(), sets_in(given)
    promised = promises_of(given.l_diversity, given.t_closeness)
    _check_files(given, [path])
    sheet = read_sheet(path, format_of(given))
    cells = released_cells(sheet, given)
    if given.missing == REJECT:
        check_none_missing(cells, sheet.place)
    made = audit_of_cells(
        cells,
        given.k,
        given.missing,
        sets,
        (
            {name: sheet.column(name) for name in names_of(given.confidential) or ()},
            promised,
            kinds_of(given),
        ),
    )
    looked_at = {*cells.names, *(names_of(given.confidential) or ())}
    others = {name: sheet.column(name) for name in sheet.header if name not in looked_at}
    made = made.beside(told(unexamined(others), len(sheet.rows)))
    with lines_beside(given.json, given.violations):
        print(made)
    if given.violations:
        write_violations(given.violations, made, sheet)
    _write(given, made, f"Audit of {path.name}", Engine("python"), began)
    return made.verdict.exit_status


def _write(
    given: argparse.Namespace, made: Audit, title: str, engine: Engine, began: float
) -> None:
    """Write the results as JSON and as a page, where these are asked for."""
    if not given.json and not given.report:
        return
    facts = run_facts(given, engine, began)
    if given.json:
        write_json(given.json, made.verdict.as_data() | {"run": facts})
    if given.report:
        made.write_report(given.report, title, given.line, facts)


ESSENTIAL = {
    "original": "the original file",
    "released": "the released file",
    "k": "option -k (the least size of a group)",
}


def _check(given: argparse.Namespace) -> None:
    """A look at what is asked. Raises InvalidParameter, OutputUnwritable."""
    for name in ("original", "released", "k"):
        if getattr(given, name) in (None, []):
            raise InvalidParameter(
                f"missing {ESSENTIAL[name]}; an audit needs ORIGINAL.csv, RELEASED.csv and -k"
            )
    if given.param and not given.algorithm:
        raise InvalidParameter("--param needs --algorithm")
    if given.tolerance is not None:
        number(given.tolerance, "tolerance")
    _check_options(given)
    inputs = [given.original, *given.released]
    inputs += [path for path in (given.partition, given.certificate, given.centres) if path]
    _check_files(given, inputs)


def _check_options(given: argparse.Namespace) -> None:
    """Read the options, so that what is wrong with them is said before a library is asked for."""
    for name in given.algorithm:
        specification(name)
    sets_in(given)
    kinds_of(given)
    promises_of(given.l_diversity, given.t_closeness)
    method_options(given)
    if given.missing != REJECT:
        check_unused(given, given.missing)
    header = read_header(given.original, format_of(given))
    with other_delimiter(header):
        for names in (names_of(given.columns), names_of(given.confidential)):
            check_columns(names or [], header, str(given.original))


def _check_files(given: argparse.Namespace, inputs: Sequence[Path]) -> None:
    """Check that the outputs could be written. Raises OutputUnwritable, MissingExtra last."""
    check_outputs([given.json, given.violations], inputs)
    if given.report:
        others = [path for path in (given.json, given.violations) if path]
        check_report(given.report, [*inputs, *others])


def _audit(given: argparse.Namespace) -> tuple[Audit, Engine]:
    engine = audited_files.engine_of(given)
    if engine.name != "python":
        try:
            return audited_files.in_store(given, engine), engine
        except NotStored as reason:
            engine = Engine("python", engine.name, str(reason))
    made = _in_python(given)
    if given.sets is not None or given.sets_of is not None or given.violations:
        made = in_sets(made, given)
    return made, engine


UNLIMITED = (
    "; --time-limit starts no further run, but ends none, and Ctrl-C keeps the checks that are made"
)
"""What is said of runs that can take long."""


def _in_python(given: argparse.Namespace) -> Audit:
    if given.missing != REJECT:
        return audit_with_missing(given, _judged)
    try:
        original, released = tables_of(given)
    except NotANumber as error:
        if needs_numbers(given):
            raise
        try:
            return by_equality(given)
        except (ShapeMismatch, UnknownColumn):
            raise error from None
    more = given.strata or given.sampling_weights
    sheet = read_sheet(given.original, format_of(given)) if more else None
    made = _judged(given, original, released, sheet, blocks_of(given.blocks, original.names))
    return made.beside(audited_files.checks_of_others(given, original.names))


OF_AUDIT = options_of(
    Auditing, Promising, without=("key", "may_change", "partition", "confidential")
)
"""The options that tables are audited with as they were read."""


def _judged(
    given: argparse.Namespace,
    original: Table,
    released: Table,
    sheet: Sheet | None,
    blocks: Sequence[Sequence[str]] | None,
) -> Audit:
    """The audit of tables in which nothing is missing; strata and weights are in the sheet."""
    _announce(given)
    strata = sheet.column(given.strata) if sheet and given.strata else None
    weights = sampling_of(sheet, given) if sheet and given.sampling_weights else None
    costs = {name: specification(name).cost for name in given.algorithm}
    warn_of_squares(costs, original.n, UNLIMITED)
    return audit(
        original,
        released,
        given.k,
        algorithm=given.algorithm,
        kinds=kind_texts(given) or None,
        dissimilarity=measure_of(given),
        constraints=constraints_of(given),
        blocks=blocks,
        strata=strata,
        sampling_weights=weights,
        partition=read_partition(given.partition, original.n) if given.partition else None,
        confidential=_confidential(given),
        **values_of(vars(given), only(OPTIONS, "seed", *OF_AUDIT)),
        **method_options(given),
    )


def _confidential(given: argparse.Namespace) -> dict[str, list[str]]:
    """The confidential columns of the release, where something is promised of them."""
    if not given.l_diversity and not given.t_closeness:
        return {}
    sheet = released_sheet(given)
    return {name: sheet.column(name) for name in names_of(given.confidential) or ()}


def _announce(given: argparse.Namespace) -> None:
    """Say which algorithms are replayed long: no limit of time interrupts one run."""
    settings = parameters(given.param)
    specs = [specification(name) for name in given.algorithm if given.seed is not None]
    iterations = {s.name: s.settings(settings).get("iterations", 0) for s in specs if s.random}
    if long := [name for name, number in iterations.items() if int(number) >= LONG]:
        announce(long, "--param iterations=N as it was made makes it shorter")
