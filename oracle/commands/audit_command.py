"""`oracle audit`: from files to a verdict, as text and as JSON."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from oracle.auditing.anonymity import (
    JOINT,
    NONE,
    ON_AVERAGE,
    PROMISES,
    check_numeric_promise,
    check_promise,
)
from oracle.auditing.distance import Yardstick
from oracle.auditing.ladder import Case
from oracle.auditing.partitions import read_partition
from oracle.auditing.tolerance import TOLERANCE
from oracle.auditing.verdict import Verdict, judge_release
from oracle.commands import fuzzy_command
from oracle.commands.audit_kinds_command import audit_frames
from oracle.commands.demo import demo
from oracle.report.pages import check_report
from refagg.catalogue import specification
from refagg.commands.frame_command import add_kind_options, check_no_kinds
from refagg.commands.options import (
    LONG,
    add_constraint_options,
    add_method_options,
    add_table_options,
    announce,
    blocks_of,
    check_no_constraints,
    constraints_of,
    method_options,
    number,
    quasi_identifiers,
)
from refagg.data.csvfiles import check_outputs, read_header, read_sheet, read_table, write_json
from refagg.errors import InvalidParameter
from refagg.language.specification import Specification
from refagg.release.masking import Method, method_of, strata_members


def add_options(parser: argparse.ArgumentParser) -> None:
    """What to judge, and by what."""
    parser.add_argument("original", type=Path, nargs="?", metavar="ORIGINAL.csv")
    parser.add_argument("released", type=Path, nargs="?", metavar="RELEASED.csv")
    parser.add_argument("-k", type=int, help="the least size of a group that is claimed")
    parser.add_argument(
        "--algorithm",
        nargs="+",
        default=[],
        metavar="NAME",
        help="algorithms of which the release should be a possible run, each its own rung",
    )
    parser.add_argument(
        "--tolerance",
        help="the relative difference up to which squared distances count as tied, and released "
        "values as right, where exact arithmetic says otherwise (default: what rounding can do to "
        "these data, 1e-9 for most)",
    )
    parser.add_argument(
        "--anonymity",
        choices=PROMISES,
        default="joint",
        help="what the release promises: k records alike over all quasi-identifiers (joint, the "
        "default), within each block of attributes only, on average over the draws (fuzzy), or "
        "nothing (noise)",
    )
    parser.add_argument(
        "--partition", type=Path, metavar="FILE", help="the groups (JSON or CSV), if known"
    )
    parser.add_argument("--seed", type=int, help="of the tape of algorithms that draw from one")
    parser.add_argument("--limit", type=int, default=2000, help="runs to look at where ties abound")
    parser.add_argument(
        "--seconds",
        type=float,
        default=20.0,
        metavar="S",
        help="of the processor for these runs, for each algorithm and block (default 20)",
    )
    parser.add_argument(
        "--optimum",
        type=float,
        metavar="SECONDS",
        help="say how far the groups are from the optimum, or from the best bound found in so long",
    )
    parser.add_argument(
        "--certificate", type=Path, metavar="FILE", help="the proof of the optimum, if it is known"
    )
    parser.add_argument(
        "--centres", type=Path, metavar="FILE", help="of fuzzy, if published (CSV, or its report)"
    )
    parser.add_argument("--all-risks", action="store_true", help="however long it takes")
    parser.add_argument("--json", type=Path, metavar="REPORT")
    parser.add_argument(
        "--report", type=Path, metavar="DIR", help="write a page for a browser into this folder"
    )
    parser.add_argument("--demo", action="store_true", help="audit releases of shipped data")
    add_table_options(parser)
    add_method_options(parser)
    add_constraint_options(parser)
    add_kind_options(parser)
    parser.set_defaults(run=audit)


def audit(given: argparse.Namespace) -> int:
    """Carry out the command; the exit status is that of the verdict."""
    if given.demo:
        return demo(given)
    tolerance = _checked(given)
    if given.kind:
        check_no_constraints(given)
        check_promise(given.anonymity, (JOINT, NONE), "kinds are declared")
        return audit_frames(given, TOLERANCE if tolerance is None else tolerance)
    check_no_kinds(given)
    methods = _methods(given)
    if fuzzy_command.NAME in given.algorithm or given.centres is not None:
        applicable = (JOINT, ON_AVERAGE, NONE)
        check_promise(given.anonymity, applicable, "fuzzy has no blocks of attributes")
        within = TOLERANCE if tolerance is None else tolerance
        return fuzzy_command.audit_fuzzy(given, methods[0], within)
    case = _case(given, methods[0])
    blocks = _blocks(given, methods, case.original.names)
    check_numeric_promise(given.anonymity, 1 if blocks is None else len(blocks))
    long = [m.specification.name for m in methods if _replayed_long(m)]
    if long and given.algorithm:
        announce(long, "--param iterations=N as it was made makes it shorter")
    verdict = judge_release(
        case,
        methods if given.algorithm else [],
        blocks,
        tolerance,
        standardised=methods[0].standardise,
        yardstick=_yardstick(given),
        limit=given.limit,
        seconds=given.seconds,
        all_risks=given.all_risks,
        constraints=methods[0].constraints,
        anonymity=given.anonymity,
    )
    print("\n".join(verdict.lines()))
    if given.json:
        write_json(given.json, verdict.as_data())
    if given.report:
        _report(given, verdict, case, methods[0].standardise)
    return verdict.exit_status


def _replayed_long(method: Method) -> bool:
    """Does one run of it take long, which no limit of time interrupts?"""
    return method.seed is not None and int(method.parameters.get("iterations", 0)) >= LONG


def _checked(given: argparse.Namespace) -> Fraction | None:
    """The tolerance, after a look at what is asked. Raises InvalidParameter, OutputUnwritable."""
    for name in ("original", "released", "k"):
        if getattr(given, name) is None:
            hint = _swallowed(given.algorithm)
            raise InvalidParameter(
                f"an audit needs ORIGINAL.csv, RELEASED.csv and -k; no {name}{hint}"
            )
    inputs = [given.original, given.released, given.partition, given.certificate, given.centres]
    inputs = [path for path in inputs if path]
    check_outputs([given.json], inputs)
    if given.report:
        check_report(given.report, [*inputs, *([given.json] if given.json else [])])
    if given.limit < 1:
        raise InvalidParameter(f"the limit is {given.limit}; at least 1 run has to be looked at")
    if not given.seconds > 0:
        raise InvalidParameter(f"--seconds is {given.seconds:g}; it must be more than 0")
    return _tolerance(given.tolerance)


def _swallowed(names: Sequence[str]) -> str:
    """A hint where files stand behind --algorithm, which takes all names that follow."""
    files = [name for name in names if os.path.isfile(name)]
    return f" (put {' '.join(files)} before --algorithm, which takes several names)" * bool(files)


def _case(given: argparse.Namespace, method: Method) -> Case:
    """What is audited, read from the files."""
    names = quasi_identifiers(given, read_header(given.original, given.delimiter), given.original)
    original = read_table(given.original, names, given.missing, given.delimiter)
    released = read_table(given.released, names, given.missing, given.delimiter)
    strata = None
    if given.strata:
        strata = read_sheet(given.original, given.delimiter).column(given.strata)
    return Case(
        original,
        released,
        given.k,
        read_partition(given.partition, original.n) if given.partition else None,
        strata_members(strata, original.n, 1),
        method.operator(),
    )


def _blocks(
    given: argparse.Namespace, methods: Sequence[Method], names: Sequence[str]
) -> list[list[str]] | None:
    """The blocks given; each attribute by itself for algorithms that work on each by itself."""
    if given.blocks is None and all(m.specification.attributes == "each" for m in methods):
        return [[name] for name in names]
    return blocks_of(given.blocks, names)


def _report(given: argparse.Namespace, verdict: Verdict, case: Case, how: str) -> None:
    from oracle.report.release import write_release

    title = f"Audit of {given.released.name}"
    write_release(
        verdict.blocks,
        verdict.facts,
        case,
        how,
        given.report,
        title,
        given.line,
        verdict.together,
    )


def _methods(given: argparse.Namespace) -> list[Method]:
    """The methods of all algorithms named; of MDAV, for the options that need none, if none is."""
    options = method_options(given) | {"constraints": constraints_of(given)}
    if not given.algorithm and given.param:
        raise InvalidParameter("--param needs --algorithm")
    specs = [specification(name) for name in given.algorithm or ["mdav"]]
    if given.seed is not None and not any(spec.random for spec in specs):
        raise InvalidParameter("--seed needs an --algorithm that draws from the tape of a seed")
    return [_method(spec, given, options) for spec in specs]


def _method(spec: Specification, given: argparse.Namespace, options: dict[str, Any]) -> Method:
    """The method; one that draws has no seed if none is given, and then cannot be replayed."""
    k = given.k if spec.takes_k else 1
    any_seed = 0 if spec.random else None
    method = method_of(spec, k, seed=any_seed, **options)
    return replace(method, seed=given.seed) if spec.random else method


def _yardstick(given: argparse.Namespace) -> Yardstick | None:
    if given.certificate is None and given.optimum is None:
        return None
    if given.certificate is not None and given.optimum is not None:
        raise InvalidParameter("--certificate and --optimum are two ways to the same rung")
    if given.optimum is not None and not given.optimum >= 0:
        raise InvalidParameter(f"--optimum is {given.optimum}; it must be at least 0 seconds")
    return Yardstick(given.certificate, given.optimum)


def _tolerance(text: str | None) -> Fraction | None:
    if text is None:
        return None
    tolerance = number(text, "tolerance")
    if not 0 <= tolerance < 1:
        raise InvalidParameter(f"tolerance is {text}; it must be at least 0 and less than 1")
    return tolerance
