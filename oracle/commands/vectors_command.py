"""Command `oracle vectors`: cases listed, explained, or written as plain files.

It says which cases there are, and what one is about.
"""

from __future__ import annotations

import argparse
import json

from oracle.conformance.summary import shape_text
from oracle.conformance.vectors.export import export, groups_text
from oracle.conformance.vectors.files import vector_of
from oracle.conformance.vectors.flags import FLAGS
from oracle.conformance.vectors.release import badge, release
from oracle.conformance.vectors.vector import Vector
from oracle.functions.implementations import vectors
from refagg.commands.options import add, argument
from refagg.data.csvfiles import write_json
from refagg.data.textfiles import read_text
from refagg.errors import FileUnreadable
from refagg.options.fields import Option
from refagg.terminal import in_lines


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the parts of the command."""
    parts = parser.add_subparsers(required=True, metavar="WHAT")
    listed = parts.add_parser("list", help="list the vectors, one to a line")
    _add_choice(listed)
    listed.set_defaults(run=_list)
    show = parts.add_parser("show", help="show a vector: the table and the expected result")
    add(show, [argument("id", "ID", read=str)])
    show.set_defaults(run=_show)
    plain = parts.add_parser("export", help="write CSV files, and a file with the expected results")
    add(plain, [argument("folder", "DIR", "a new folder, or an empty one")])
    _add_choice(plain)
    plain.set_defaults(run=_export)
    whole = parts.add_parser("release", help="write a zip, a Python package and an npm package")
    add(whole, [argument("folder", "DIR", "the folder to write them into")])
    whole.set_defaults(run=_release)
    shown = parts.add_parser("badge", help="write a badge from the JSON file of oracle conform")
    add(shown, [argument("judged", "CONFORM.json", "what --json of oracle conform wrote")])
    add(shown, [argument("target", "BADGE.json", "the badge, in the form of shields.io")])
    shown.set_defaults(run=_badge)


def _add_choice(parser: argparse.ArgumentParser) -> None:
    meaning = "only the vectors of this algorithm, 'any k-partition' or 'optimal'"
    flag = Option("only vectors with this flag", name="flag", choices=sorted(FLAGS))
    add(parser, [Option(meaning, name="algorithm", metavar="NAME"), flag])


def _list(given: argparse.Namespace) -> int:
    for vector in vectors(given.algorithm, given.flag):
        print(f"{vector.id}  {vector.expectation.kind}  {vector.reason}")
    return 0


def _export(given: argparse.Namespace) -> int:
    found = vectors(given.algorithm, given.flag)
    export(found, given.folder)
    print(f"{len(found)} vectors are in {given.folder}; README.md says what the files mean")
    return 0


def _release(given: argparse.Namespace) -> int:
    print("\n".join(map(str, release(given.folder))))
    return 0


def _badge(given: argparse.Namespace) -> int:
    try:
        judged = json.loads(read_text(given.judged))
        claims = {one["case"]["claim"] for one in judged["judgements"]}
        made = badge(judged["by_status"], ", ".join(sorted(claims)))
    except (ValueError, KeyError, TypeError):
        raise FileUnreadable(
            f"{given.judged} has no results; `oracle conform --json {given.judged}` writes them"
        ) from None
    write_json(given.target, made)
    print(made["message"])
    return 0


def _show(given: argparse.Namespace) -> int:
    print(in_lines(lines_of(vector_of(given.id))))
    return 0


def lines_of(vector: Vector) -> list[str]:
    """Return a vector for a reader."""
    case, origin, expected = vector.case, vector.origin, vector.expectation
    parameters = [f"{name}={value}" for name, value in case.parameters.items()]
    scale = [] if case.standardise == "none" else ["z-scores"]
    stream = [] if case.seed is None else [f"the random stream of {case.seed}"]
    facts = [case.claim, f"k={case.k}", *parameters, *scale, *stream]
    return [
        vector.id,
        vector.reason,
        f"claim {', '.join(facts)}; step {vector.step}",
        *(f"flag {flag}: {FLAGS[flag]}" for flag in vector.flags),
        f"origin: {origin.kind}, {origin.text} {origin.link}".rstrip(),
        *([f"confirmed: {origin.confirmed}"] if origin.confirmed else []),
        *([f"seen in {', '.join(vector.seen)}"] if vector.seen else []),
        *([f"attributes: {', '.join(case.kinds)}"] if case.kinds else []),
        *(f"{name}: {shape_text(value)}" for name, value in case.shape.items()),
        "records:",
        *(f"  {number}: {' '.join(row)}" for number, row in enumerate(case.records)),
        f"expected: {expected.kind}{_bounds(vector)}",
        *(f"  {groups_text(groups, ' | ')}" for groups in expected.partitions),
        *(
            f"  block {number}: {groups_text(groups, ' | ')}"
            for number, block in enumerate(expected.blocks)
            for groups in block
        ),
        *(f"  {' '.join(cell or '?' for cell in row)}" for row in expected.released),
    ]


def _bounds(vector: Vector) -> str:
    expected = vector.expectation
    facts = {"category": expected.category, "SSE": expected.sse}
    sizes = {"groups of at least": expected.least, "and at most": expected.greatest}
    told = [f"{name} {value}" for name, value in (facts | sizes).items() if value]
    return f", {' '.join(told)}" if told else ""
