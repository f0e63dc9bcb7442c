"""A release as a value: data, method, released values, loss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import fsum, inf
from typing import Any

from refagg.algorithms.fuzzy.microaggregation import FuzzyGroups
from refagg.data.csvfiles import json_number
from refagg.data.foreign import Renewed, rebuilt
from refagg.data.kinds import Kind, Value
from refagg.data.missing import Part
from refagg.data.moments import plain_number
from refagg.data.tables import Attribute, Column, Table
from refagg.errors import InvalidBlocks
from refagg.language.number_texts import as_json, float_or
from refagg.language.partition import Partition
from refagg.language.specification import Specification
from refagg.notebook import Overview, Overviewed, brief, stars
from refagg.release.edits import edit_facts
from refagg.release.method import Method, method_facts
from refagg.release.report import loss_json, loss_names
from refagg.release.risk import release_classes
from refagg.release.trace import Trace, trace_facts


@brief
class BlockResult:
    """One block of attributes: its partition and what the run met."""

    names: tuple[str, ...]
    partition: Partition
    sse: Fraction = field(repr=False)
    """Of groups with other attributes than numbers, the dissimilarity within them."""
    ties: int
    traces: tuple[tuple[str, Trace], ...] = field(repr=False)
    """The trace of each stratum (named "" where there are none), with its own record numbers."""
    centres: tuple[tuple[str, FuzzyGroups], ...] = field(default=(), repr=False)
    """Of what yields centres, the result in each stratum, with its own record numbers."""
    centre_values: tuple[Sequence[Sequence[Fraction]], ...] = field(default=(), repr=False)
    """The values of the centres of each stratum."""

    def group_facts(self) -> dict[str, object]:
        """Return for a report the groups and their sizes."""
        return {
            "groups": [list(group) for group in self.partition.groups],
            "sizes": {str(s): c for s, c in self.partition.sizes().items()},
        }

    def centre_facts(self) -> dict[str, object]:
        """Return for a report the released centres of each stratum.

        It is empty if no centres were released.
        """
        if not self.centres:
            return {}
        facts = [
            {"stratum": name, "values": [list(map(json_number, row)) for row in values]}
            | facts_of(made)
            for (name, made), values in zip(self.centres, self.centre_values, strict=True)
        ]
        return {"centres": facts}

    def trace_facts(self, specification: Specification) -> dict[str, object]:
        """Return for a report the steps of each stratum.

        They have all digits, and are there if a trace was kept.
        """
        kept = [
            {"stratum": name, "steps": trace_facts(specification, trace)}
            for name, trace in self.traces
            if trace
        ]
        return {"traces": kept} if kept else {}


@dataclass(frozen=True, slots=True, repr=False)
class Release(Overviewed):
    """A released table, with its origin and its loss."""

    method: Method
    original: Table
    released: Table
    blocks: tuple[BlockResult, ...]
    sse: Fraction
    """What was lost; where not all attributes are numbers, the dissimilarity within groups."""
    sst: Fraction
    """The same for one group of all records."""
    source: Any = field(default=None, repr=False, compare=False)
    """The data that it was made from, as they were given."""
    dropped: tuple[int, ...] | None = None
    """The records of the data that were left out as they lack a value, if that was asked for."""

    @property
    def parts(self) -> tuple[tuple[Part, Release], ...]:
        """Return the released records of the data, with their release.

        The form is that of `ReleaseApart`.
        """
        gone = set(self.dropped or ())
        n = self.original.n + len(gone)
        kept = [record for record in range(n) if record not in gone]
        return ((Part(kept, self.original.names), self),)

    def to_frame(self, *, exact: bool = False) -> Any:
        """Return the released table in the caller's own type.

        It is one of pandas, polars, NumPy, Arrow or rows. The index, the columns that are no
        quasi-identifiers, and the types of categories, dates and booleans are as they were. Means
        of numbers, of integers, too, are floats (nullable or of Arrow, as the column is; Decimal
        and Fraction where the column holds such objects); with `exact`, fractions (in rows,
        mappings and columns of objects). Dates and times are rounded to the unit of their type, or
        to what their texts write. Raises UnfitColumn.
        """
        if self.source is None:
            return self.values(exact)
        return rebuilt(self.source, self.renewed(), exact)

    def renewed(self) -> dict[str, Renewed]:
        """The new cells of each attribute, as `rebuilt` takes them."""
        both = zip(self.original.attributes, self.released.attributes, strict=True)
        return {ours.name: _renewed(ours, theirs) for ours, theirs in both}

    def values(self, exact: bool = False) -> dict[str, list[Any]]:
        """The released values by attribute; numbers are floats, with `exact` fractions.

        Dates and datetimes (naive, in UTC where there is a time zone) are Python's, booleans bool.
        """
        return {
            attribute.name: [_shown(v, attribute.kind, exact) for v in attribute.values(range(n))]
            for n in [self.released.n]
            for attribute in self.released.attributes
        }

    def overview(self) -> Overview:
        """Return the overview that notebooks show.

        Its picture has the groups of the first block.
        """
        method, table, block = self.method, self.original, self.blocks[0]
        columns = table.select(block.names).columns
        points = [[float_or(inf, c[record]) for c in columns[:2]] for record in range(table.n)]
        lost, total = float_or(inf, self.sse), float_or(inf, self.sst)
        if len(columns) < 2:  # beside each other
            points = [[*point, 0.0][:2] if point else [0.0, 0.0] for point in points]
        return Overview(
            f"Release by {method.specification.name}, k = {method.k}: {table.n} records, "
            f"{len(table.names)} attributes, {loss_names(table)[2]} {lost:.6g} of {total:.6g}",
            self.values,
            stars(points, block.partition.groups, [*(c.name for c in columns[:2]), "", ""]),
            listed=False,
        )

    @property
    def partition(self) -> Partition:
        """The partition, where all attributes are one block. Raises InvalidBlocks otherwise."""
        if len(self.blocks) > 1:
            raise InvalidBlocks("the attributes are in several blocks, each with its own partition")
        return self.blocks[0].partition

    @property
    def k_reached(self) -> int:
        """Return the smallest number of records that share a released row."""
        return release_classes(self.released).smallest()

    def report(self) -> dict[str, Any]:
        """The release in numbers, ready for JSON; records are numbered from 0."""
        method = self.method
        lost, whole, _ = loss_names(self.original)
        return {
            "algorithm": method.specification.name,
            "source": method.specification.source,
            "yields": method.specification.yields,
            **method_facts(method),
            "records": self.original.n,
            "attributes": list(self.original.names),
            "blocks": [
                {
                    "attributes": list(block.names),
                    **block.group_facts(),
                    lost: as_json(block.sse),
                    "ties_met": block.ties,
                    **block.centre_facts(),
                    **block.trace_facts(method.specification),
                }
                for block in self.blocks
            ],
            "k_reached": self.k_reached,
            lost: as_json(self.sse),
            whole: as_json(self.sst),
            "information_loss_percent": loss_json(self.sse, self.sst),
            "constraints": edit_facts(
                method.constraints, {"original": self.original, "released": self.released}
            ),
            **self._of_kinds(),
            **self._of_missing(),
        }

    def _of_missing(self) -> dict[str, object]:
        """Return the records left out, if the policy was to drop them.

        Groups have the numbers of the release.
        """
        if self.dropped is None:
            return {}
        return {"missing": {"policy": "drop", "dropped": list(self.dropped)}}

    def _of_kinds(self) -> dict[str, Any]:
        """Return further facts of a release with other attributes than numbers."""
        method, table = self.method, self.original
        if not table.others:
            timed = {a.name: a.kind.title for a in table.columns if a.kind.timed}
            weighted = {"sampling_weights": True} if method.sampling_weights else {}
            return ({"kinds": timed} if timed else {}) | weighted
        facts: dict[str, Any] = {
            "kinds": {a.name: a.kind.title for a in table.attributes},
            "dissimilarity": str(getattr(method.dissimilarity, "name", method.dissimilarity)),
            "weights": {name: str(value) for name, value in method.weights.items()},
            "aggregates": {"numeric": method.aggregate, **method.aggregates},
        }
        if len(self.blocks) == 1:
            [block] = self.blocks
            facts |= block.group_facts() | {"ties_met": block.ties}
        return facts


def _renewed(ours: Column | Attribute, theirs: Column | Attribute) -> Renewed:
    """Return the new cells of a column.

    They are numbers, or the first records that have the released category or sequence.
    """
    if isinstance(theirs, Column):
        return Renewed(ours.kind, theirs.values(range(len(theirs.numerators))))
    places: dict[Any, int] = {}
    for record, cell in enumerate(ours.labels):
        places.setdefault(cell, record)
    foreign = {record: cell for record, cell in enumerate(theirs.cells) if cell not in places}
    records = [places.get(cell, record) for record, cell in enumerate(theirs.cells)]
    return Renewed(ours.kind, (), records, foreign)


def _shown(value: Value, kind: Kind, exact: bool) -> Any:
    if isinstance(value, Fraction):
        return value if exact else plain_number(value, kind)
    return value == "true" if kind.type == "boolean" else value


def facts_of(made: FuzzyGroups) -> dict[str, object]:
    """The result in numbers, ready for JSON."""
    realised = [len(group) for group in made.groups]
    low, high = made.sizes.bounds
    return {
        "k_anonymous_by_construction": False,
        "centres": len(made.centres),
        "iterations": made.clustering.iterations,
        "converged": made.clustering.converged,
        "last_move": made.clustering.moved,
        "objective": made.clustering.objectives[-1],
        "level": made.clustering.levels[-1],
        "expected_sizes": made.sizes.expected,
        "standard_deviations_of_sizes": made.sizes.spread,
        "realised_sizes": realised,
        "centres_without_records": realised.count(0),
        "centres_that_are_records": len(made.on_records),
        "smallest_group": min(filter(None, realised)),
        "probability_smaller_than_k": made.sizes.small,
        "expected_groups_smaller_than_k": fsum(made.sizes.small),
        "probability_of_some_group_smaller_than_k": {"at_least": low, "at_most": high},
        "guarantee": made.guarantee,
        "guarantee_did": made.did,
    }


def centre_lines(results: Sequence[tuple[str, FuzzyGroups]]) -> list[str]:
    """Return lines about the result in each stratum, for a reader."""
    return [
        (f"stratum {stratum}: " if stratum else "") + line
        for stratum, result in results
        for line in _lines(result)
    ]


def _lines(result: FuzzyGroups) -> list[str]:
    known, sizes = facts_of(result), result.sizes
    low, high = sizes.bounds
    often = " to ".join(dict.fromkeys((f"{low:.4g}", f"{high:.4g}")))
    ended = "converged" if result.clustering.converged else "NOT CONVERGED"
    return [
        f"centres: {known['centres']}, {known['centres_without_records']} without records, "
        f"{len(result.on_records)} that are records themselves; "
        f"{ended} after {known['iterations']} iterations",
        f"sizes: expected {min(sizes.expected):.4g} to {max(sizes.expected):.4g}, "
        f"smallest realised {known['smallest_group']}",
        "not k-anonymous by construction: before any guarantee, the probability that some "
        f"group has fewer than {result.k} records is {often}",
        f"guarantee {result.guarantee}: {result.did}",
    ]
