"""A case, checked and read: its table, and how the algorithm that it names would be run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from oracle.auditing.ladder import Case as Audited
from oracle.auditing.ladder import Groups, Rung
from oracle.auditing.rendering import Cell, recognise
from oracle.conformance.judge.model import ANY_PARTITION, OPTIMAL, Case
from oracle.conformance.judge.values import table_of_case_texts
from refagg.catalogue import specification
from refagg.data.standardise import RANGE, Scaled, standardise
from refagg.data.tables import Column, Table
from refagg.errors import InvalidParameter, NotUnivariate, UnknownParameter
from refagg.language.partition import Group, check_k
from refagg.release.method import Method, method_of


@dataclass(frozen=True, slots=True)
class Question:
    """A case that makes sense. `method` is None where no algorithm is claimed."""

    case: Case
    table: Table
    method: Method | None

    @property
    def noise(self) -> bool:
        """Does the algorithm form no groups?"""
        return self.method is not None and self.method.specification.yields == "deviations"

    @property
    def centres(self) -> bool:
        """Are centres released, which no group of records determines?"""
        return self.method is not None and self.method.specification.yields == "centres"

    @property
    def draws_values(self) -> bool:
        """Are values released that depend on draws, not on groups alone?"""
        return self.noise or self.centres

    @property
    def by_attribute(self) -> bool:
        """Has each of several attributes groups of its own?"""
        each = self.method is not None and self.method.specification.attributes == "each"
        return each and len(self.table.names) > 1

    @property
    def least(self) -> int:
        """The size that every group must have."""
        if self.method is None:
            return self.case.k
        smallest = self.method.specification.smallest_group
        return smallest(self.case.k, **self.method.parameters)

    @property
    def publishes(self) -> bool:
        """Are values released that are no aggregates of the groups?"""
        return self.method is not None and self.method.specification.publish is not None

    def scaled(self) -> Scaled:
        """The table on the scale on which the SSE is measured."""
        return standardise(self.table, self.scale)

    @property
    def scale(self) -> str:
        """How numbers are standardised: beside declared kinds, by their range."""
        return scale_of(self.case)

    def published_rung(self, audited: Audited, groups: Groups, tolerance: Fraction) -> Rung:
        """Are the released values those that the algorithm publishes for the groups?"""
        assert self.method is not None
        publish = self.method.specification.publish
        assert publish is not None
        [ours], [theirs] = audited.original.columns, audited.released.columns
        values = publish(
            ours.values(range(audited.original.n)),
            groups.partition.groups,
            **self.method.parameters,
        )
        found = list(_cells(theirs, groups.partition.groups, values))
        rendering = recognise(theirs, found, tolerance)
        if rendering is None or not rendering.faithful:
            worst = max(found, key=lambda cell: cell.error)
            line = f"released with {worst.released}, published should be {worst.aggregate}"
            return Rung("aggregates", "fails", "not the values that it publishes", (line,))
        return Rung("aggregates", "holds", f"values as published, {rendering.name}")


def _cells(theirs: Column, groups: Sequence[Group], values: Sequence[Fraction]) -> list[Cell]:
    return [
        Cell(value, theirs[record], len(group), abs(value))
        for group, value in zip(groups, values, strict=True)
        for record in group
    ]


def scale_of(case: Case) -> str:
    """How the numbers of a case are standardised. Raises InvalidParameter."""
    if case.kinds and case.standardise != "none":
        raise InvalidParameter("values of declared kinds have distances of their own scale")
    return RANGE if case.kinds else case.standardise


def question_of(case: Case) -> Question:
    """The case, read. Raises what is wrong with it.

    EmptyTable, RaggedRow, NotANumber, NotFinite, InvalidK, KTooLarge, UnknownAlgorithm,
    UnknownParameter, InvalidParameter, NotUnivariate; with kinds also InvalidKind, MissingValue,
    UnknownCategory, UnsupportedArithmetic.
    """
    scale = scale_of(case)
    table = table_of_case_texts(case.records, case.kinds)
    check_k(case.k, table.n, "the case")
    standardise(table, scale)
    if case.claim in (ANY_PARTITION, OPTIMAL):
        if case.parameters:
            raise UnknownParameter(f"{case.claim!r} has no parameters")
        return Question(case, table, None)
    spec = specification(case.claim)
    if spec.attributes == "one" and len(table.names) > 1:
        raise NotUnivariate(f"{spec.name} works on one attribute; there are {len(table.names)}")
    if case.seed is not None and type(case.seed) is not int:
        raise InvalidParameter(f"the seed is {case.seed!r}; it must be a whole number")
    method = method_of(
        spec,
        case.k if spec.takes_k else 1,
        standardise=scale,
        parameters=case.parameters,
        seed=0 if spec.random else None,
    )
    method.check(table)
    return Question(case, table, replace(method, seed=case.seed if spec.random else None))
