"""`oracle audit`: from files to a verdict, as text and as JSON."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from oracle.auditing.alike import OWN, RULES
from oracle.auditing.audit_files import SEVERAL
from oracle.auditing.privacy import promises_of
from oracle.commands import audited_files as files
from oracle.commands.demo import demo
from oracle.commands.terminating import terminable
from oracle.functions.audits import ALONE, OPTIONS, Audit, Auditing, Promising, audit, audit_release
from oracle.report.pages import check_written
from oracle.stores.files import NotStored
from refagg.catalogue import specification
from refagg.commands import options
from refagg.commands.costs import FORCE, records_by_stratum, run_sizes, tell_costs
from refagg.data import csvfiles
from refagg.data.missing import APART, AS_RELEASED, DROP, REJECT
from refagg.data.tables import check_columns
from refagg.errors import InvalidParameter
from refagg.options import readers
from refagg.options.fields import Option, only, options_of, values_of
from refagg.options.readers import number

COMMAND = (
    options.argument("original", "ORIGINAL.csv", nargs="?"),
    options.argument(
        "released",
        "RELEASED.csv",
        "one or more releases; if only one file is given, it is a release without its original",
        nargs="*",
    ),
    options.METHOD["k"].of(default=None, meaning="claimed minimum group size"),
    files.AUDITED["algorithm"],
    options.METHOD["seed"],
    *options_of(Auditing, Promising, without=("confidential",)).values(),
    FORCE,
    options.JSON,
    files.AUDITED["report"],
    Option("audit three releases of data that ship with the project", False, name="demo"),
    *options.FILES,
    options.MISSING.of(default=None, choices=(REJECT, DROP, APART, AS_RELEASED, *RULES)),
    files.AUDITED["sets"],
    *only(files.AUDITED, "sets_of", "violations", "engine", "memory").values(),
    *options.HOW_MADE,
    *options.CONSTRAINTS,
)
"""What is usual for missing values depends on whether there is an original."""


def run(given: argparse.Namespace) -> int:
    """Carry out the command.

    The exit status is that of the verdict, of several the worst.
    """
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
    return _give_out(given, made, partial(files.released_sheet, given), engine, began)


WORST = (1, 2, 0)
"""Exit statuses of audits, the worst first: something fails, or is not judged, or all holds."""


def _several(given: argparse.Namespace) -> int:
    """Audit one release after the other.

    There is a line for each at the end.
    """
    lines, data, statuses, releases = [], [], [], []
    for path in given.released:
        one, began = argparse.Namespace(**{**vars(given), "released": path}), time.monotonic()
        made, engine = _audit(one)
        print(f"{path}\n{made}\n")
        statuses.append(made.verdict.exit_status)
        lines.append(f"{path}: {made.status}")
        run = files.run_facts(one, engine, began) if given.json or given.report else {}
        data.append({"released": str(path), **made.verdict.as_data(), "run": run})
        if given.report:
            releases.append((str(path), made.release(run)))
    print("\n".join(lines))
    if given.json:
        csvfiles.write_json(given.json, {"format": SEVERAL, "audits": data})
    if given.report:
        from oracle.report.release import write_releases  # needs Jinja2 and matplotlib

        title = f"Audits of {len(releases)} releases of {given.original.name}"
        write_releases(releases, given.report, title, given.line)
    return min(statuses, key=WORST.index)


def _alone(given: argparse.Namespace) -> int:
    """Audit a release without its original."""
    what = "without the original: an audit needs ORIGINAL.csv, RELEASED.csv and -k"
    files.refuse_in(given, (*ALONE, "sets_of", "violations", "report"), what)
    given.missing = given.missing or OWN
    if given.missing not in (*RULES, REJECT):
        raise InvalidParameter(f"--missing {given.missing} needs the original")
    path, began = given.original, time.monotonic()
    check_written([given.json, given.violations], given.report, [path])
    sheet = csvfiles.read_sheet(path, options.format_of(given))
    made = audit_release(
        sheet,
        given.k,
        quasi_identifiers=options.quasi_identifiers(given, sheet.header, path),
        missing=given.missing,
        sets=files.sets_in(given),
        kinds=options.kind_texts(given),
        **values_of(vars(given), only(ALONE, *options_of(Promising))),
    )
    return _give_out(given, made, lambda: sheet, files.Engine("python"), began)


def _give_out(
    given: argparse.Namespace,
    made: Audit,
    sheet: Callable[[], csvfiles.Sheet],
    engine: files.Engine,
    began: float,
) -> int:
    """Print the verdict, write the requested files, and return the exit status.

    `sheet` returns the released file.
    """
    with options.lines_beside(given.json, given.violations):
        print(made)
    if given.violations:
        files.write_violations(given.violations, made, sheet())
    facts = files.run_facts(given, engine, began) if given.json or given.report else {}
    if given.json:
        csvfiles.write_json(given.json, made.verdict.as_data() | {"run": facts})
    if given.report:
        title = f"Audit of {(given.released or given.original).name}"
        made.write_report(given.report, title, given.line, facts)
    return made.verdict.exit_status


ESSENTIAL = {
    "original": "the original file",
    "released": "the released file",
    "k": "option -k (the least size of a group)",
}


def _check(given: argparse.Namespace) -> None:
    """Check the request. Raises InvalidParameter, OutputUnwritable."""
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
    check_written([given.json, given.violations], given.report, inputs)


def _check_options(given: argparse.Namespace) -> None:
    """Check the options before a library is needed.

    What is wrong with them is then said first.
    """
    for name in given.algorithm:
        specification(name)
    files.sets_in(given)
    options.kinds_of(given)
    if given.l_diversity or given.t_closeness:
        promises_of(given.l_diversity, given.t_closeness)
    options.method_options(given)
    if given.missing != REJECT:
        _check_policy(given)
    header = csvfiles.read_header(given.original, options.format_of(given))
    with csvfiles.other_delimiter(header):
        for names in (options.names_of(given.columns), options.names_of(given.confidential)):
            check_columns(names or [], header, str(given.original))


def _check_policy(given: argparse.Namespace) -> None:
    """Raise InvalidParameter for an option that cannot be had with a policy."""
    if given.missing in (AS_RELEASED, *RULES):
        files.refuse_in(given, files.EQUAL, f"with --missing {given.missing}")
    elif given.missing == APART:
        options.refuse_whole(given, files.AUDITED.values())


def _audit(given: argparse.Namespace) -> tuple[Audit, files.Engine]:
    engine = files.engine_of(given)
    if engine.name != "python":
        try:
            with terminable():  # there is a folder to remove
                return files.in_store(given, engine), engine
        except NotStored as reason:
            engine = files.Engine("python", engine.name, str(reason))
    return _in_python(given), engine


UNLIMITED = (
    "; --time-limit starts no further run, but ends none, and Ctrl-C keeps the checks that are made"
)
"""What is said of runs that can take long."""

PASSED_ON = only(OPTIONS, "seed", *options_of(Auditing, Promising))
"""The options that an audit takes as they were read."""


def _in_python(given: argparse.Namespace) -> Audit:
    """Audit both files; strata and weights are columns of the original."""
    original, released, names = files.files_of(given)
    kinds = options.declared(given, original, names)
    if given.missing not in (AS_RELEASED, *RULES):
        options.check_no_key(original, released, names, given)
    _announce(given, original, names)
    by_record: dict[str, Any] = {}
    if isinstance(original, csvfiles.Sheet):
        by_record["strata"] = original.column(given.strata) if given.strata else None
        weights = options.sampling_of(original, given) if given.sampling_weights else None
        by_record["sampling_weights"] = weights
    asked = options.method_options(given) | values_of(vars(given), PASSED_ON)
    if not given.kind or given.missing != APART:  # parts have the scale of the whole file
        asked["standardise"] = given.standardise
    with options.other_columns(given):
        return audit(
            original,
            released,
            given.k,
            algorithm=given.algorithm,
            missing=given.missing,
            quasi_identifiers=names,
            kinds=kinds,
            dissimilarity=options.measure_of(given),
            constraints=options.given_constraints(given) or (),
            blocks=options.blocks_of(given.blocks, names),
            sets=files.sets_in(given),
            **by_record,
            **asked,
        )


def _announce(given: argparse.Namespace, original: options.Data, names: Sequence[str]) -> None:
    """Announce the algorithms whose replay takes long.

    No limit of time interrupts one run.

    Raises BeyondMemory.
    """
    specs = [specification(name) for name in given.algorithm]
    settings = readers.parameters(given.param)
    sizes = run_sizes(given, names, given.k, records_by_stratum(given, original))
    wanted = {s.name: (s, settings) for s in specs if given.seed is not None or not s.random}
    tell_costs(given, wanted, sizes, UNLIMITED)
