"""Counterexample as a vector, for a regression test.

The question that was found to be answered wrongly is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from oracle.conformance.hunting.findings import Finding
from oracle.conformance.judge.model import OPTIMAL, Case
from oracle.conformance.judge.questions import question_of
from oracle.conformance.judge.senseless import senseless
from oracle.conformance.judge.sizes import rows_of_case
from oracle.conformance.judge.texts import partition_of_text
from oracle.conformance.vectors.files import file_text, slug
from oracle.conformance.vectors.vector import Expectation, Origin, Vector, groups_of, sse_of
from refagg.catalogue import CATALOGUE
from refagg.data.csvfiles import write_bytes

TOPIC = "hunted"


def save(path: Path, findings: Sequence[Finding]) -> None:
    """Write the counterexamples as a file of vectors.

    The file is valid by the schema. All counterexamples share a claim.
    """
    claim = findings[0].judgement.case.claim
    source = CATALOGUE[claim].source if claim in CATALOGUE else "by definition"
    vectors = [counterexample_vector(one, number) for number, one in enumerate(findings, 1)]
    write_bytes(path, file_text(claim, source, vectors).encode("ascii"))


def counterexample_vector(finding: Finding, number: int) -> Vector:
    """Return the counterexample with the correct answers, where they can be listed."""
    judgement = finding.judgement
    case = replace(judgement.case, id=f"{slug(judgement.case.claim)}-{number:03}-{TOPIC}")
    if case.standardise == "sample":  # the same scale but for a common factor
        case = replace(case, standardise="population")
    expectation = expectation_of(case, judgement.expected)
    listed = expectation.kind != "free"
    how = (
        "all ways to break the ties were enumerated" if listed else "by the definition of the claim"
    )
    return Vector(
        case,
        TOPIC,
        judgement.check,
        f"A program was wrong here: {judgement.reason}",
        ("bug",),
        Origin("enumerated", f"found by a hunt; {how}"),
        expectation,
    )


def expectation_of(case: Case, texts: Sequence[str]) -> Expectation:
    """Return the correct answers to a case.

    They are those listed, or all of the right sizes and SSE, or a rejection.
    """
    if why := senseless(case):
        return Expectation("reject", category=why)
    partitions = tuple(sorted(groups_of(partition_of_text(text).groups) for text in texts))
    if case.claim == OPTIMAL and case.standardise == "none" and partitions:
        least = sse_of(rows_of_case(case), partitions[0])
        return Expectation("free", least=case.k, sse=str(Fraction(least)))
    if case.claim == OPTIMAL or not partitions:
        return Expectation("free", least=question_of(case).least)
    return Expectation("unique" if len(partitions) == 1 else "choice", partitions)
