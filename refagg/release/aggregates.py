"""Aggregates that replace a group's values, for attributes of any kind.

They are computed attribute by attribute. A number is replaced by an aggregate of numbers, an
ordinal category by a median, a nominal one by a mode, a sequence by a prototype.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from refagg.data.aggregate import AGGREGATIONS, Operator, Weights, aggregated, mean
from refagg.data.aggregate_kinds import JOINT_AGGREGATES, KIND_AGGREGATES
from refagg.data.kinds import KINDS, Events, Value
from refagg.data.tables import Attribute, Table
from refagg.errors import InvalidParameter
from refagg.language.lists import check_one_of
from refagg.language.partition import Group, Partition, Record
from refagg.spaces.dissimilarities.dissimilarity import Function
from refagg.spaces.dissimilarities.prototypes import PROTOTYPES
from refagg.spaces.dissimilarities.similarities import dissimilarity as named

DEFAULTS = {"ordinal": "median", "nominal": "joint-mode", "sequence": "medoid"}
"""How a group's values become one, kind by kind, unless something else is asked for. No combination
of nominal categories is released that no record of the group has.
"""

OPERATORS = {
    "numeric": AGGREGATIONS,
    "ordinal": tuple(KIND_AGGREGATES["ordinal"]),
    "nominal": (*KIND_AGGREGATES["nominal"], *JOINT_AGGREGATES),
    "sequence": tuple(PROTOTYPES),
}


@dataclass(frozen=True, slots=True)
class Aggregates:
    """The operators of each kind by `name`.

    That of numbers is a function, too. `dissimilarity` is that by which sequences have prototypes.
    With sampling `weights` of the records, the mean of numbers is weighted.
    """

    numbers: Operator
    names: Mapping[str, str]
    dissimilarity: str | Function = "oss"
    weights: Weights = None


def operators_of(given: Mapping[str, str]) -> dict[str, str]:
    """The operators of kinds by name, with the defaults. Raises InvalidParameter."""
    if not isinstance(given, Mapping):
        raise InvalidParameter(
            f"aggregates are {given!r}; name an operator for each kind, as {{'nominal': 'mode'}}"
        )
    for kind, name in given.items():
        check_one_of(kind, KINDS, "there is no kind", others="there are")
        said = f"a {kind} attribute cannot be aggregated by"
        check_one_of(name, OPERATORS[kind], said, others="there are")
    return DEFAULTS | dict(given)


def aggregated_table(table: Table, partition: Partition, how: Aggregates) -> Table:
    """The table in which every record has its group's aggregates."""
    cells = [list(attribute.cells) for attribute in table.others]
    for group in partition.groups if table.others else ():
        values = [choices[0] for choices in admissible_others(table, group, how)]
        for column, value in zip(cells, values, strict=True):
            for record in group:
                column[record] = value
    others = tuple(
        Attribute(a.name, a.kind, tuple(column))
        for a, column in zip(table.others, cells, strict=True)
    )
    numbers = aggregated(table.numbers, partition, how.numbers, how.weights)
    return Table(numbers.columns, others, table.order)


def admissible_others(
    table: Table, group: Group, how: Aggregates
) -> list[tuple[str | Events, ...]]:
    """Return the admissible values of a group's other attributes.

    There are some for each attribute that is not a number. The first is the library's. Nominal
    attributes that are aggregated together have the values of `admissible_combinations`.
    """
    nominal = [a.name for a in table.others if a.kind.name == "nominal"]
    combinations = admissible_combinations(table, group, how)
    together = dict(zip(nominal, zip(*combinations, strict=True), strict=False))
    found: list[tuple[str | Events, ...]] = []
    for attribute in table.others:
        values = attribute.values(group)
        kind, operator = attribute.kind, how.names[attribute.kind.name]
        if attribute.name in together:
            found.append(together[attribute.name])
        elif kind.name == "sequence":
            events = [value for value in values if isinstance(value, tuple)]
            own = how.dissimilarity
            measure = named(own) if isinstance(own, str) else own
            found.append(tuple(PROTOTYPES[operator](events, measure)))
        else:
            found.append(tuple(KIND_AGGREGATES[kind.name][operator](values, kind)))
    return found


def admissible_combinations(
    table: Table, group: Group, how: Aggregates
) -> tuple[tuple[Value, ...], ...]:
    """Return the admissible combinations of a group's nominal values.

    The library's is the first. None where there are no nominal attributes, or they are aggregated
    one by one.
    """
    operator = JOINT_AGGREGATES.get(how.names["nominal"])
    if operator is None or not any(a.kind.name == "nominal" for a in table.others):
        return ()
    return operator([nominal_values(table, record) for record in group])


def nominal_values(table: Table, record: Record) -> tuple[str | Events, ...]:
    """The combination of nominal categories that a record has."""
    return tuple(a.cells[record] for a in table.others if a.kind.name == "nominal")


MEANS = Aggregates(mean, {"numeric": "mean", **DEFAULTS})
"""What is released unless something else is asked for."""
