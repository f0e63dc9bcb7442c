"""Case, checked and read: its table and its algorithm's run.

It says how the algorithm that the case names would be run.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from oracle.conformance.judge.model import ANY_PARTITION, OPTIMAL, Case
from oracle.conformance.judge.values import table_of_case_texts
from refagg.catalogue import specification
from refagg.constraints.equations import Constraint
from refagg.data.standardise import RANGE, Scaled, standardise
from refagg.data.tables import Table
from refagg.errors import InvalidBlocks, InvalidParameter, UnknownParameter
from refagg.language.number_texts import number_of
from refagg.language.partition import check_k
from refagg.release.aggregates import MEANS, Aggregates
from refagg.release.blocks import blocks_for, strata_members
from refagg.release.edits import check_edits
from refagg.release.method import Method, method_of
from refagg.spaces.absolute import GOWER
from refagg.spaces.dissimilarities.similarities import dissimilarity as named


@dataclass(frozen=True, slots=True)
class Question:
    """Case that makes sense.

    `method` is None where no algorithm is claimed.

    `blocks` are the names of the attributes that are grouped together, `strata` the records
    within which groups are formed.
    """

    case: Case
    table: Table
    method: Method | None
    blocks: tuple[tuple[str, ...], ...]
    strata: tuple[tuple[str, list[int]], ...]
    constraints: tuple[Constraint, ...] = ()

    @property
    def stated_method(self) -> Method:
        """Return the method, where it is stated."""
        assert self.method is not None
        return self.method

    @property
    def noise(self) -> bool:
        """Return True if the algorithm forms no groups."""
        return self.method is not None and self.method.specification.yields == "deviations"

    @property
    def centres(self) -> bool:
        """Return True if centres are released, which no group of records determines."""
        return self.method is not None and self.method.specification.yields == "centres"

    @property
    def draws_values(self) -> bool:
        """Return True if released values depend on draws, not on groups alone."""
        return self.noise or self.centres

    @property
    def by_attribute(self) -> bool:
        """Return True if attributes or blocks have groups of their own."""
        return len(self.blocks) > 1

    @property
    def least(self) -> int:
        """Return the size that every group must have."""
        if self.method is None:
            return self.case.k
        return self.method.specification.smallest_group(self.case.k, **self.method.parameters)

    @property
    def publishes(self) -> bool:
        """Return True if released values are other than aggregates of the groups."""
        return self.method is not None and self.method.specification.publish is not None

    @property
    def releases_means(self) -> bool:
        """Return True if released values are the means of groups.

        These determine the SSE.
        """
        own = self.publishes or self.draws_values
        return not (own or self.constraints or self.case.sampling_weights)

    @property
    def aggregates(self) -> Aggregates:
        """Return the aggregates with which groups are released."""
        if self.method is None or self.publishes:
            return MEANS
        return self.method.operators()

    def scaled(self) -> Scaled:
        """Return the table on the scale on which the SSE is measured."""
        return standardise(self.table, self.scale)

    @property
    def scale(self) -> str:
        """Return the scale of numbers: beside declared kinds, by their range."""
        return case_scale(self.case)


def case_scale(case: Case) -> str:
    """Return the scale of the numbers of a case. Raises InvalidParameter."""
    if case.kinds and case.standardise != "none":
        raise InvalidParameter("values of declared kinds have distances of their own scale")
    return RANGE if case.kinds else case.standardise


def question_of(case: Case) -> Question:
    """Read the case. Raises an error if it is invalid.

    EmptyTable, RaggedRow, NotANumber, NotFinite, InvalidK, KTooLarge, UnknownAlgorithm,
    UnknownParameter, InvalidParameter, NotUnivariate, InvalidBlocks, ShapeMismatch,
    InvalidConstraintText, InconsistentConstraints, UnknownColumn; with kinds also InvalidKind,
    MissingValue, UnknownCategory, UnsupportedArithmetic.
    """
    scale = case_scale(case)
    table = table_of_case_texts(case.records, case.kinds)
    check_k(case.k, table.n, "the case")
    standardise(table, scale)
    strata = tuple(strata_members(case.strata or None, table.n, case.k))
    blocks = _named_blocks(case, table)
    if case.claim in (ANY_PARTITION, OPTIMAL):
        if case.parameters:
            raise UnknownParameter(f"{case.claim!r} has no parameters")
        if case.shape:
            raise InvalidParameter(f"{case.claim!r} is asked of tables only")
        return Question(case, table, None, (table.names,), strata)
    spec = specification(case.claim)
    if case.seed is not None and type(case.seed) is not int:
        raise InvalidParameter(f"the seed is {case.seed!r}; it must be an integer")
    method = method_of(
        spec,
        case.k if spec.takes_k else 1,
        standardise=scale,
        parameters=case.parameters,
        seed=0 if spec.random else None,
        series=case.series or None,
        times=[number_of(time, "a time") for time in case.times] or None,
        constraints=case.constraints,
        dissimilarity=case.dissimilarity or "oss",
        sampling_weights=case.sampling_weights or None,
    )
    _check_shape(case, spec.yields)
    method.check(table)
    if case.series:
        method.grouping(table)
    names = blocks_for(spec, blocks, table.names)
    if method.constraints:
        check_edits(method.constraints, names, table)
    seeded = replace(method, seed=case.seed if spec.random else None)
    return Question(case, table, seeded, tuple(map(tuple, names)), strata, method.constraints)


def _check_shape(case: Case, yields: str) -> None:
    """Raise InvalidParameter for unsupported shapes of records.

    They are not asked of records that are more than a table.
    """
    if case.dissimilarity and case.dissimilarity != GOWER:
        named(case.dissimilarity)
    if case.shape and yields != "partition":
        raise InvalidParameter(f"{case.claim} is asked of tables only")
    if case.kinds and set(case.shape) - {"dissimilarity"}:
        raise InvalidParameter(
            "records of declared kinds have no series, constraints, strata, blocks or weights here"
        )
    if case.series and case.standardise != "none":
        raise InvalidParameter("series are not standardised")


def _named_blocks(case: Case, table: Table) -> list[list[str]] | None:
    """Return the blocks of attributes by their names. Raises InvalidBlocks."""
    if not case.blocks:
        return None
    for j in [j for block in case.blocks for j in block]:
        if not 0 <= j < len(table.names):
            raise InvalidBlocks(f"a block names attribute {j}; there are {len(table.names)}")
    return [[table.names[j] for j in block] for block in case.blocks]
