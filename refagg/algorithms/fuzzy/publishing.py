"""Release of centres, on the scale of the data.

They are released for the records that were drawn to them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from refagg.algorithms.fuzzy.microaggregation import FuzzyGroups
from refagg.constraints.system import FloatProjector, System
from refagg.cursors.rows import values_at
from refagg.data.tables import Table, column_of
from refagg.language.partition import Partition, Record
from refagg.language.space import Coordinates
from refagg.linear_algebra.matrices import root

Values = Sequence[Fraction]
Part = tuple[Sequence[Record], FuzzyGroups]
"""The records of a stratum, and the result in it, which numbers them from 0."""


def at_centres(
    table: Table, parts: Sequence[Part], project: Callable[[Values], Values] | None = None
) -> tuple[Partition, Table, tuple[Sequence[Values], ...]]:
    """Return the partition by centres, the released table, and the centres.

    The partition has the records of one centre in each group; in the table they have the values of
    the centre; the values of all centres are there for each stratum. `project` puts values on
    constraints exactly, where centres meet them up to rounding.
    """
    released: list[Values] = [()] * table.n
    groups, values = [], []
    for records, made in parts:
        points: Sequence[Values] = centre_values(made)
        points = list(map(project, points)) if project else points
        values.append(points)
        for point, group in zip(points, made.groups, strict=True):
            if group:
                groups.append([records[member] for member in group])
                for record in groups[-1]:
                    released[record] = point
    columns = zip(table.names, zip(*released, strict=True), strict=True)
    masked = Table(tuple(column_of(name, v) for name, v in columns))
    return Partition.of(groups, table.n), masked, tuple(values)


def centre_values(made: FuzzyGroups) -> list[tuple[Fraction, ...]]:
    """Return the centres as values of the attributes.

    For a constant attribute they all have its value.
    """
    return values_at(made.centres, made.origin, made.weights)


def coordinate_projection(space: Coordinates, system: System) -> FloatProjector:
    """Return the projection of centres on constraints of values.

    The centres are in coordinates of this space. Raises InconsistentConstraints where constant
    attributes keep them from being met.
    """
    return system.float_projector(space.origin, [root(weight) for weight in space.weights])
