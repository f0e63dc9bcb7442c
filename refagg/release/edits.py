"""Releases that meet constraints between attributes.

Aggregates are moved to the nearest values that meet them.

Files have edits to pass, such as net + tax = gross. Means of records that pass them pass them too;
where records do not, each group's mean is replaced by the point nearest to it that does, in the
metric in which the release is measured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from refagg.constraints.checking import ROUNDED, Violation, violations
from refagg.constraints.equations import Constraint, parse_constraint
from refagg.constraints.rounding import Rounding, forced, is_constant, rounding_of
from refagg.constraints.system import check_consistent, system_of
from refagg.data.tables import Table, with_numbers
from refagg.errors import InvalidBlocks, InvalidKind, InvalidParameter, UnknownColumn
from refagg.language.lists import check_one_of, listed
from refagg.language.number_texts import as_json, digits_of, number_text
from refagg.language.partition import Partition


def constraints_of(given: Sequence[Constraint | str]) -> tuple[Constraint, ...]:
    """The constraints of a method, read if they are texts.

    Raises InvalidConstraintText, InconsistentConstraints, InvalidParameter.
    """
    expected = "give a list of texts, as ['net + tax = gross'], also where there is only one"
    read = tuple(map(_constraint, listed(given, "constraints are", expected)))
    check_consistent(read)
    return read


def _constraint(given: object) -> Constraint:
    if isinstance(given, Constraint):
        return given
    if isinstance(given, str):
        return parse_constraint(given)
    raise InvalidParameter(f"a constraint is {given!r}; give a text, as 'net + tax = gross'")


def check_edits(
    constraints: Sequence[Constraint], blocks: Sequence[Sequence[str]], table: Table
) -> None:
    """Raise UnknownColumn, InvalidKind, InvalidBlocks unless each is between numbers of a block."""
    names = [name for block in blocks for name in block]
    kinds = {other.name: other.kind.name for other in table.others}
    for constraint in constraints:
        for name in constraint.coefficients:
            if name in kinds:
                raise InvalidKind(
                    f"constraint {constraint.text!r} names {name!r}, which is {kinds[name]}; "
                    "constraints are between numbers"
                )
            said = f"constraint {constraint.text!r} names"
            check_one_of(name, names, said, UnknownColumn, "what is microaggregated is")
        if not any(within([constraint], block) for block in blocks):
            raise InvalidBlocks(
                f"constraint {constraint.text!r} is between attributes of several blocks, "
                "which are microaggregated by themselves"
            )


def within(constraints: Sequence[Constraint], names: Sequence[str]) -> list[Constraint]:
    """Return the constraints that are between these attributes."""
    return [c for c in constraints if {*c.coefficients} <= {*names}]


def projected(
    released: Table,
    partition: Partition,
    constraints: Sequence[Constraint],
    weights: Sequence[Fraction],
) -> Table:
    """Project each group's released row onto the constraints.

    The row moves to the nearest one that meets them. `weights` are those of the squared distance,
    as in `refagg.data.standardise.Scaled`.
    """
    project = system_of(constraints, released.numbers.names).projector(weights)
    rows: list[tuple[Fraction, ...]] = [()] * released.n
    for group in partition.groups:
        nearest = project(released.row(group[0]))
        for record in group:
            rows[record] = nearest
    return with_numbers(released, zip(*rows, strict=True))


def rounding_that_meets(
    constraints: Sequence[Constraint], names: Sequence[str], decimals: int | None
) -> Rounding | None:
    """Return the rounding to decimals that meets the constraints.

    None if no rounding is requested, or if there is none.
    """
    if decimals is None or not constraints:
        return None
    return rounding_of(system_of(constraints, names), decimals)


def rounding_lines(
    rounding: Rounding | None, names: Sequence[str], decimals: int
) -> tuple[list[str], list[str]]:
    """Return lines about a rounding under constraints and its defects."""
    if rounding is None:
        return [], [
            f"with {decimals} decimals the constraints cannot be met exactly: whichever attributes "
            "are computed from the others, some have no finite decimals; each value is rounded "
            "for itself"
        ]
    computed = [f"{names[one.position]} ({places})" for one, places in rounding.computed]
    return [
        f"rounded to {decimals} decimals; computed from the others, so that the constraints are "
        f"met exactly (with decimals): {', '.join(computed)}"
    ], []


def forced_lines(constraints: Sequence[Constraint], table: Table) -> list[str]:
    """Return a warning for each attribute that constraints make constant.

    The attribute itself is not constant.
    """
    if not constraints:
        return []
    return [
        f"the constraints force {table.columns[position].name} to be {number_text(value)} "
        "in every record"
        for position, value in forced(system_of(constraints, table.numbers.names))
        if not is_constant(table.columns[position], value)
    ]


def edit_facts(
    constraints: Sequence[Constraint], files: Mapping[str, Table]
) -> list[dict[str, object]]:
    """Return each constraint's violation by each file, ready for JSON."""
    found = _of_files(constraints, files)
    return [
        {"constraint": constraint.text}
        | {name.replace(" ", "_"): _as_data(found[name][i]) for name in files}
        for i, constraint in enumerate(constraints)
    ]


def _of_files(
    constraints: Sequence[Constraint], files: Mapping[str, Table]
) -> dict[str, list[Violation]]:
    """The violations of each file.

    An original is as it is written; what was computed from it is granted the rounding of binary64.
    """
    original = files.get("original")
    return {
        name: violations(table, constraints)
        if name == "original"
        else violations(table, constraints, ROUNDED, original)
        for name, table in files.items()
    }


def _as_data(violation: Violation) -> dict[str, Any]:
    return {
        "largest": as_json(violation.largest),
        "mean_absolute": as_json(violation.mean_abs),
        "root_mean_square": as_json(violation.root_mean_square)["decimal"],
        "violated_records": violation.count_violated,
        "tolerance": str(violation.tolerance),
        "first_largest_record": violation.worst,
    }


def edit_lines(constraints: Sequence[Constraint], files: Mapping[str, Table]) -> list[str]:
    """Return lines about each constraint's violation by each file."""
    lines, found = [], _of_files(constraints, files)
    for i, constraint in enumerate(constraints):
        lines.append(f"constraint {constraint.text}")
        lines += [f"  {name}: {_line(found[name][i], t.n)}" for name, t in files.items()]
    return lines


def _line(violation: Violation, n: int) -> str:
    if not violation.count_violated:
        if not violation.largest:
            return f"met exactly by all {n} records"
        return f"met by all {n} records up to rounding (at most {_short(violation.largest)})"
    return (
        f"violated by {violation.count_violated} of {n} records: "
        f"largest deviation {_short(violation.largest)} (record {violation.worst}), "
        f"mean {_short(violation.mean_abs)}, "
        f"root mean square {digits_of(violation.root_mean_square, 6)}"
    )


def _short(value: Fraction) -> str:
    return str(value) if value.denominator == 1 and value < 10**6 else digits_of(value, 6)
