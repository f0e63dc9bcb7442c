"""What `refagg mask` and `refagg measure` do with attributes of declared kinds."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from refagg.commands.dendrogram_command import write_dendrogram
from refagg.commands.options import number, quasi_identifiers
from refagg.data.csvfiles import Sheet, decimal_text, read_sheet, write_csv, write_json
from refagg.data.frames import Attribute, Frame, Kind, Value, frame_of, kind_of
from refagg.errors import InvalidKind, InvalidParameter
from refagg.language.numerals import as_json, digits_of
from refagg.language.specification import parameters
from refagg.language.ties import house_rule
from refagg.release.facts import loss_json
from refagg.release.general import (
    FrameRelease,
    Protection,
    frame_classes,
    frame_linkage,
    loss_of,
    protected,
    protection_of,
)
from refagg.release.measures import check_same_shape
from refagg.release.trace import trace_lines
from refagg.spaces.dissimilarities.prototypes import PROTOTYPES
from refagg.spaces.dissimilarities.similarities import DISSIMILARITIES

NUMBERS_ONLY = {
    "significant_digits": None,
    "standardise": "population",
    "trim": None,
    "blocks": None,
    "strata": None,
    "arithmetic": None,
    "series": None,
    "times": None,
}
"""Options that mean nothing where kinds are declared, with the values that say nothing."""


def add_kind_options(parser: argparse.ArgumentParser) -> None:
    """Attributes of other kinds than numbers."""
    kinds = parser.add_argument_group(
        "attributes that are not all numbers", "exact; every quasi-identifier must be declared"
    )
    kinds.add_argument(
        "--kind",
        action="append",
        default=[],
        metavar="NAME=KIND",
        help="numeric, nominal, nominal:red|green, ordinal:low<mid<high, or sequence:> with "
        "what stands between events",
    )
    kinds.add_argument(
        "--weight", action="append", default=[], metavar="NAME=W", help="of an attribute (1)"
    )
    kinds.add_argument(
        "--dissimilarity",
        choices=tuple(DISSIMILARITIES),
        default="oss",
        help="of sequences of events",
    )
    kinds.add_argument(
        "--aggregate-kind",
        action="append",
        default=[],
        metavar="KIND=OPERATOR",
        help="ordinal=median|convex-median|mode, nominal=joint-mode|mode, "
        f"sequence={'|'.join(PROTOTYPES)}",
    )


def check_no_kinds(given: argparse.Namespace) -> None:
    """Raise InvalidParameter for options that apply to declared kinds only, without any."""
    for name, nothing in (("weight", []), ("aggregate_kind", []), ("dissimilarity", "oss")):
        if getattr(given, name) != nothing:
            raise InvalidParameter(
                f"--{name.replace('_', '-')} needs attributes declared by --kind"
            )


def mask_frame(given: argparse.Namespace) -> int:
    """Carry out `refagg mask` with declared kinds."""
    how = protection_from(given)
    if given.dendrogram:
        how = replace(how, trace=True)
    sheet = read_sheet(given.input, given.delimiter)
    frame = frame_from(sheet, given)
    release = protected(frame, how)
    report = release.report()
    if given.trace:
        for line in trace_lines(how.specification, release.trace):
            print(line)
    rows = released_rows(sheet, release.released, given.decimals)
    write_csv(given.output, sheet.header, rows, given.delimiter)
    if given.dendrogram:
        heights = how.specification.heights
        write_dendrogram(given.dendrogram, release.trace, release.partition, heights)
    if given.json:
        write_json(given.json, report)
    print("\n".join(_mask_lines(release)))
    return 0


def _mask_lines(release: FrameRelease) -> list[str]:
    sizes = ", ".join(f"{count} of {size}" for size, count in release.partition.sizes().items())
    k_reached = frame_classes(release.released).smallest()
    name = release.protection.specification.name
    return [
        f"{name}: groups: {sizes}; ties met: {release.ties}",
        f"records {release.original.n}, attributes {len(release.original.attributes)}, "
        f"k reached {k_reached}",
        _loss_line(release.within, release.total),
    ]


def measure_frame(given: argparse.Namespace) -> int:
    """Carry out `refagg measure` with declared kinds: of what is released, whatever made it."""
    original = frame_from(read_sheet(given.original, given.delimiter), given)
    released = frame_from(read_sheet(given.released, given.delimiter), given)
    check_same_shape(original, released)
    weights = weights_from(given)
    classes = frame_classes(released)
    within, total = loss_of(original, classes, given.dissimilarity, weights)
    linked = frame_linkage(original, released, given.dissimilarity, weights)
    report = {
        "kinds": {a.name: a.kind.name for a in original.attributes},
        "dissimilarity": given.dissimilarity,
        "within_dissimilarity": as_json(within),
        "whole_dissimilarity": as_json(total),
        "information_loss_percent": loss_json(within, total),
        "classes": len(classes.groups),
        "sizes": {str(size): count for size, count in classes.sizes().items()},
        "k_reached": classes.smallest(),
        "record_linkage": float(linked),
    }
    if given.json:
        write_json(given.json, report)
    print(_loss_line(within, total))
    print(f"classes of equal rows {len(classes.groups)}, k reached {classes.smallest()}")
    print(f"records linked by least dissimilarity: {float(linked):.4%}")
    return 0


def _loss_line(within: Fraction, total: Fraction) -> str:
    share = (
        f"{digits_of(100 * within / total, 10)} %" if total else "undefined (all records are equal)"
    )
    return (
        f"dissimilarity within groups {digits_of(within, 10)}, of the whole file "
        f"{digits_of(total, 10)}, information loss {share}"
    )


def protection_from(given: argparse.Namespace) -> Protection:
    """The way to release that the options describe. Raises InvalidParameter and more."""
    check_numbers_only(given)
    if given.k is None:
        raise InvalidParameter("-k is needed: the least size of a group")
    ties = getattr(given, "ties", "lowest")
    return protection_of(
        given.algorithm,
        given.k,
        house_rule(ties, given.seed),
        dissimilarity=given.dissimilarity,
        weights=weights_from(given),
        aggregates=aggregates_from(given),
        seed=given.seed,
        trace=getattr(given, "trace", False),
        parameters=parameters(given.param),
    )


def check_numbers_only(given: argparse.Namespace) -> None:
    """Raise InvalidParameter for options that mean nothing where kinds are declared."""
    for name, nothing in NUMBERS_ONLY.items():
        if getattr(given, name, nothing) != nothing:
            raise InvalidParameter(
                f"--{name.replace('_', '-')} applies to numbers only, but kinds are declared"
            )


def aggregates_from(given: argparse.Namespace) -> dict[str, str]:
    """The operators by kind. Raises InvalidParameter."""
    aggregates = _pairs(given.aggregate_kind, "--aggregate-kind")
    if given.aggregate != "mean":
        aggregates.setdefault("numeric", given.aggregate)
    return aggregates


def weights_from(given: argparse.Namespace) -> dict[str, Fraction]:
    """The weights of attributes, by name. Raises InvalidParameter."""
    pairs = _pairs(given.weight, "--weight")
    return {name: number(text, f"the weight of {name}") for name, text in pairs.items()}


def kinds_from(given: argparse.Namespace) -> dict[str, Kind]:
    """The declared kinds, by attribute. Raises InvalidKind, InvalidParameter."""
    return {name: kind_of(text) for name, text in _pairs(given.kind, "--kind").items()}


def _pairs(texts: Sequence[str], option: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise InvalidParameter(f"{option} {text!r} is not of the form NAME=VALUE")
        if name in pairs:
            raise InvalidParameter(f"{option} is given twice for {name!r}")
        pairs[name] = value
    return pairs


def frame_from(sheet: Sheet, given: argparse.Namespace) -> Frame:
    """The quasi-identifiers of a file as a frame; messages name the file and its lines.

    Raises InvalidKind for one that is not declared, and what `frame_of` raises.
    """
    names = quasi_identifiers(given, sheet.header, sheet.path)
    kinds = kinds_from(given)
    for name in names:
        if name not in kinds:
            raise InvalidKind(
                f"{sheet.path}: of what kind column {name!r} is has not been declared; "
                "declare it with --kind, or name it in --confidential"
            )
    positions = [sheet.header.index(name) for name in names]
    rows = [[row[position] for position in positions] for row in sheet.rows]
    return frame_of(
        rows,
        names,
        kinds,
        lambda row, name: f"{sheet.path}, line {sheet.lines[row]}, column {name!r}",
    )


def released_rows(sheet: Sheet, released: Frame, decimals: int | None) -> list[list[str]]:
    """The rows of a file with the released values in their places."""
    rows = [list(row) for row in sheet.rows]
    for attribute in released.attributes:
        position = sheet.header.index(attribute.name)
        for record, value in enumerate(attribute.values):
            rows[record][position] = value_text(attribute, value, decimals)
    return rows


def value_text(attribute: Attribute, value: Value, decimals: int | None = None) -> str:
    """A value as text for a file."""
    if isinstance(value, tuple):
        return attribute.kind.separator.join(value)
    return decimal_text(value, decimals) if isinstance(value, Fraction) else value
