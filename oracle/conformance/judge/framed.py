"""Cases whose attributes are of declared kinds: their frames, and the rungs of answers.

Distances, centroids and aggregates are those of `refagg mask --kind` (docs/kinds.md), the rungs
those of `oracle audit --kind`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from oracle.auditing import frames
from oracle.auditing.ladder import Rung
from oracle.conformance.judge.model import ANY_PARTITION, OPTIMAL, Answer, Case
from oracle.conformance.judge.readings import Malformed, partition_of
from oracle.conformance.judge.rungs import flagged, large_groups, sizes_rung
from oracle.conformance.judge.values import row_width
from refagg.data.frames import Frame, frame_of, kind_of
from refagg.errors import (
    EmptyTable,
    InvalidKind,
    InvalidParameter,
    MissingValue,
    NotANumber,
    NotFinite,
    RaggedRow,
    UnknownCategory,
    UnknownParameter,
    UnsupportedArithmetic,
)
from refagg.language.numerals import number_of
from refagg.language.partition import check_k
from refagg.language.ties import LOWEST
from refagg.release.general import Protection, protection_of
from refagg.spaces.dissimilarities.similarities import dissimilarity as named


def frame_of_case(case: Case) -> Frame:
    """The records of a case.

    Raises EmptyTable, RaggedRow, InvalidKind, InvalidParameter, MissingValue, NotANumber,
    NotFinite, UnknownCategory, InvalidK, KTooLarge.
    """
    if case.standardise != "none":
        raise InvalidParameter("values of declared kinds have distances of their own scale")
    if set(case.shape) - {"dissimilarity"}:
        raise InvalidParameter("records of declared kinds are asked as they are")
    frame = _frame(case.records, case.kinds)
    check_k(case.k, frame.n, "the case")
    return frame


def _frame(rows: Sequence[Sequence[str]], kinds: Sequence[str]) -> Frame:
    width = row_width(rows)
    if len(kinds) != width:
        raise InvalidKind(f"{len(kinds)} kinds are declared for {width} attributes")
    declared = [kind_of(text) for text in kinds]
    names = [f"x{j + 1}" for j in range(width)]
    cells = [
        [
            number_of(cell, f"record {number}") if kind.name == "numeric" and cell.strip() else cell
            for cell, kind in zip(row, declared, strict=True)
        ]
        for number, row in enumerate(rows)
    ]
    return frame_of(cells, names, dict(zip(names, declared, strict=True)))


def protection_of_case(case: Case) -> Protection:
    """How the algorithm of a case would be run; where there is none, how values are released.

    Raises UnknownAlgorithm, UnknownParameter, InvalidParameter, UnsupportedArithmetic.
    """
    if case.claim == OPTIMAL:
        raise UnsupportedArithmetic("the optimum is that of numbers")
    if case.claim == ANY_PARTITION and case.parameters:
        raise UnknownParameter(f"{case.claim!r} has no parameters")
    name = "mdav" if case.claim == ANY_PARTITION else case.claim
    measure = case.dissimilarity or "oss"
    named(measure)
    how = protection_of(
        name, case.k, LOWEST, seed=0, parameters=case.parameters, dissimilarity=measure
    )
    return replace(how, seed=case.seed if how.specification.random else None)


def framed_rungs(case: Case, answer: Answer, tolerance: Fraction, limit: int) -> Iterator[Rung]:
    """The rungs from the second on. Raises Malformed, and what is wrong with the case."""
    frame, how = frame_of_case(case), protection_of_case(case)
    partition = None if answer.groups is None else partition_of(answer.groups, frame.n)
    released = None if answer.released is None else _released(answer.released, case, frame)
    yield Rung("well formed", "holds", f"{frame.n} records")
    least = how.specification.smallest_group(case.k, **how.parameters)
    audited = frames.FrameCase(frame, released or frame, least, partition)
    sizes = sizes_rung(audited.groups, least) if released is None else frames.size_rung(audited)
    yield flagged(sizes, large_groups(audited.groups, case.k))
    if released is not None:
        yield frames.value_rung(audited, how)
    if case.claim != ANY_PARTITION:
        yield _run(audited, how, tolerance, limit)


def _run(audited: frames.FrameCase, how: Protection, tolerance: Fraction, limit: int) -> Rung:
    exact = frames.run_rung(audited, how, Fraction(0), limit)
    if exact.status != "fails" or not tolerance:
        return replace(exact, name="run")
    near = frames.run_rung(audited, how, tolerance, limit)
    return flagged(replace(near, name="run"), "numerical" if near.status == "holds" else "")


def _released(rows: tuple[tuple[str, ...], ...], case: Case, original: Frame) -> Frame:
    if len(rows) != original.n:
        raise Malformed(f"{len(rows)} rows are released for {original.n} records")
    try:
        return _frame(rows, case.kinds)
    except (EmptyTable, RaggedRow, InvalidKind, NotANumber, NotFinite) as reason:
        raise Malformed(f"released rows: {reason}") from None
    except (MissingValue, UnknownCategory) as reason:
        raise Malformed(f"released rows: {reason}") from None
