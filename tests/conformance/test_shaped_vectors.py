"""Vectors of sequences, series, constraints, strata and blocks, and programs that overlook them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from importlib import import_module
from itertools import pairwise
from math import sqrt
from typing import Any

import pytest
from plain import kshc
from plain.dissimilarities import PLAIN as MEASURES
from suites import one_in

from oracle.conformance.judge.judging import judge
from oracle.conformance.judge.model import Answer, Case, Judgement
from oracle.conformance.judge.strictness import Strictness
from oracle.conformance.running import Asking, run_cases
from oracle.conformance.serve import own
from oracle.conformance.transport.functions import Function
from oracle.conformance.transport.protocol import Unintelligible, case_of, request_of
from oracle.conformance.vectors import Vector, meets, meets_blocks, vectors_of
from oracle.conformance.vectors.generate import TAKE_SHAPES
from oracle.conformance.vectors.vector import groups_of
from refagg.catalogue import CATALOGUE
from refagg.errors import InvalidBlocks, InvalidParameter, ShapeMismatch

Rows = Sequence[Sequence[Fraction]]
Groups = list[list[int]]

CLAIMS = TAKE_SHAPES["shapes"]


def shaped(claim: str) -> list[Vector]:
    several = claim == "individual-ranking"
    every = vectors_of(claim)
    other = [v for v in every if v.case.dissimilarity != "gower"]
    return [v for v in other if v.case.shape or (several and v.id.split("-")[2].startswith("35"))]


def plainly(claim: str, rows: Rows, k: int, parameters: dict[str, str], seed: Any) -> Groups:
    module: Any = import_module("plain." + claim.replace("-", "_"))
    given = CATALOGUE[claim].settings(parameters) | ({} if seed is None else {"seed": seed})
    groups: Groups = module.partition(rows, k, **given)
    return groups


class Plain:
    """A program by definition. What it is told to forget, it does as if it were not asked."""

    def __init__(self, claim: str, *forgets: str, answers: str = "released") -> None:
        self.claim, self.forgets, self.answers = claim, forgets, answers

    def __call__(
        self,
        records: Any,
        k: int,
        standardise: str = "none",
        seed: int | None = None,
        kinds: Sequence[str] = (),
        dissimilarity: str = "oss",
        series: str = "",
        times: Sequence[float] = (),
        constraints: Sequence[str] = (),
        strata: Sequence[str] = (),
        blocks: Sequence[Sequence[int]] = (),
        sampling_weights: Sequence[float] = (),
        **parameters: Any,
    ) -> Any:
        settings = {name: str(value) for name, value in parameters.items()}
        if kinds:
            return kshc.grouped(
                self.matrix(records, dissimilarity), k, settings.get("linkage", "single")
            )
        rows = [[Fraction(cell) for cell in row] for row in records]
        check(rows, k, times, strata, constraints)
        counts = [Fraction(w).limit_denominator(100) for w in sampling_weights or [1.0] * len(rows)]
        if len(counts) != len(rows) or min(counts) <= 0:
            raise ValueError("weights do not fit")
        weights = [
            deviation(column) if standardise != "none" else Fraction(1)
            for column in zip(*rows, strict=True)
        ]
        each = CATALOGUE[self.claim].attributes == "each"
        width = len(rows[0])
        parts = [list(block) for block in blocks] or (
            [[j] for j in range(width)] if each else [list(range(width))]
        )
        if "blocks" in self.forgets:
            parts = [list(range(width))]
        found = [
            self.grouped(rows, part, k, settings, seed, (series, times, strata, weights))
            for part in parts
        ]
        if self.answers == "groups":
            return {"groups": found[0]} if len(found) == 1 else {"blocks": found}
        if "sampling" in self.forgets:
            counts = [Fraction(1)] * len(rows)
        released = self.values(rows, parts, found, constraints, (weights, counts))
        return {"released": [[str(cell) for cell in row] for row in released]}

    def matrix(self, records: Any, name: str) -> Any:
        words = [tuple(row[0].split(">")) if row[0] else () for row in records]
        if not all(all(word) for word in words):
            raise ValueError("an event has no name")
        measure = MEASURES["levenshtein" if "dissimilarity" in self.forgets else name]
        if "events" in self.forgets:
            words = [tuple("".join(word)) for word in words]
        return [[measure(a, b) for b in words] for a in words]

    def grouped(
        self, rows: Rows, part: list[int], k: int, settings: Any, seed: Any, how: Any
    ) -> Groups:
        series, times, strata, weights = how
        points = [[row[j] / weights[j] for j in part] for row in rows]
        if series == "sts" and "series" not in self.forgets:
            points = [slopes(row, () if "times" in self.forgets else times) for row in points]
        labels = ["" for _ in rows] if "strata" in self.forgets or not strata else list(strata)
        found = []
        for label in dict.fromkeys(labels):
            own_records = [i for i, text in enumerate(labels) if text == label]
            inside = [points[i] for i in own_records]
            if "scale" in self.forgets:  # each stratum has a scale of its own
                local = [
                    deviation(column)
                    for column in zip(
                        *[[rows[i][j] for j in part] for i in own_records], strict=True
                    )
                ]
                inside = [
                    [rows[i][j] / w for j, w in zip(part, local, strict=True)] for i in own_records
                ]
            groups = plainly(self.claim, inside, k, settings, seed)
            found += [[own_records[i] for i in group] for group in groups]
        return found

    def values(
        self, rows: Rows, parts: Any, found: Any, constraints: Any, how: Any
    ) -> list[list[Fraction]]:
        weights, counts = how
        released = [list(row) for row in rows]
        for part, groups in zip(parts, found, strict=True):
            for group in groups:
                for j in part:
                    total = sum(counts[i] for i in group)
                    mean = sum(rows[i][j] * counts[i] for i in group) / total
                    for i in group:
                        released[i][j] = mean
        if "constraints" in self.forgets:
            return released
        metric = [Fraction(1)] * len(weights) if "metric" in self.forgets else weights
        if "together" in self.forgets:
            for text in constraints:
                released = [nearest(row, [equation(text, len(row))], metric) for row in released]
            return released
        known = [equation(text, len(rows[0])) for text in constraints]
        return [nearest(row, known, metric) for row in released]


def check(rows: Rows, k: int, times: Any, strata: Any, constraints: Any) -> None:
    if any(strata.count(label) < k for label in strata):
        raise ValueError("a stratum is too small")
    if times and (len(times) != len(rows[0]) or any(a >= b for a, b in pairwise(times))):
        raise ValueError("times do not fit")
    known = [equation(text, len(rows[0])) for text in constraints]
    if any(a == c and b != d for a, b in known for c, d in known):
        raise ValueError("a contradiction")


def deviation(column: Sequence[Fraction]) -> Fraction:
    mean = sum(column, Fraction(0)) / len(column)
    variance = sum((x - mean) ** 2 for x in column) / len(column)
    return Fraction(sqrt(variance)).limit_denominator(10**15) if variance else Fraction(1)


def slopes(row: Sequence[Fraction], times: Sequence[float]) -> list[Fraction]:
    when = [Fraction(t) for t in times] or [Fraction(t) for t in range(len(row))]
    steps = zip(pairwise(row), pairwise(when), strict=True)
    return [(y - x) / (t - s) for (x, y), (s, t) in steps]


EQUATIONS = {
    "x1 + x2 = x3": ([1, 1, -1], 0),
    "x1 = 2*x2": ([1, -2, 0], 0),
    "0.3*x1 + 1/2 = x2 - 4": ([Fraction(3, 10), -1, 0], Fraction(-9, 2)),
    "x1 + x2 = 0": ([1, 1, 0], 0),
    "x1 + x2 = 3": ([1, 1, 0], 3),
    "x1 + x2 = 4": ([1, 1, 0], 4),
}
"""Each as coefficients and what they sum up to, by hand."""


def equation(text: str, width: int) -> tuple[list[Fraction], Fraction]:
    coefficients, constant = EQUATIONS[text]
    padded = [*map(Fraction, coefficients), *[Fraction(0)] * width]
    return padded[:width], Fraction(constant)


def nearest(row: Sequence[Fraction], known: Any, deviations: Sequence[Fraction]) -> list[Fraction]:
    """Lagrange's multipliers for one or two equations, by the rule of Cramer."""
    if not known:
        return list(row)
    squares = [d * d for d in deviations]

    def dot(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
        return sum((x * y * s for x, y, s in zip(a, b, squares, strict=True)), Fraction(0))

    off = [sum(a * x for a, x in zip(c, row, strict=True)) - b for c, b in known]
    if len(known) == 1:
        multipliers = [off[0] / dot(known[0][0], known[0][0])]
    else:
        (a, _), (b, _) = known
        whole = dot(a, a) * dot(b, b) - dot(a, b) ** 2
        multipliers = [
            (off[0] * dot(b, b) - off[1] * dot(a, b)) / whole,
            (off[1] * dot(a, a) - off[0] * dot(a, b)) / whole,
        ]
    moved = list(row)
    for (c, _), m in zip(known, multipliers, strict=True):
        moved = [x - m * a * s for x, a, s in zip(moved, c, squares, strict=True)]
    return moved


# Two ways to the same answers


@pytest.mark.parametrize("claim", [*CLAIMS, "individual-ranking", "random-seed"])
def test_independent_programs_give_what_is_listed(claim: str) -> None:
    looked_at = 0
    for vector in shaped(claim):
        if vector.expectation.kind == "reject":
            continue
        found = Function(Plain(claim, answers="groups"))(vector.case, 60)
        if vector.expectation.blocks:
            assert meets_blocks(vector, found.blocks or ()), vector.id
        else:
            assert meets(vector, found.groups), (vector.id, found)
        looked_at += 1
    assert looked_at >= {"individual-ranking": 6, "random-seed": 1}.get(claim, 17)


@pytest.mark.parametrize("answers", one_in(2, ["groups", "released"]))
@pytest.mark.parametrize("claim", [*CLAIMS, "individual-ranking"])
def test_right_programs_pass(claim: str, answers: str) -> None:
    for judgement in judged(claim, Plain(claim, answers=answers)):
        untold = answers == "groups" and judgement.case.constraints
        assert judgement.status == ("not judged" if untold else "passed"), judgement


@pytest.mark.parametrize("claim", [*CLAIMS, "individual-ranking"])
def test_the_library_passes(claim: str) -> None:
    for judgement in run_cases(own, shaped(claim)):
        assert judgement.status == "passed", judgement


IN_SHORT = Asking(strict=Strictness(explain=False, blame=False))
"""Whether an answer is right, and not why it is wrong."""


def judged(claim: str, program: Callable[..., Any]) -> list[Judgement]:
    sane = [v for v in shaped(claim) if v.expectation.kind != "reject"]
    return list(run_cases(Function(program), sane, IN_SHORT))


# Programs that overlook what they are asked


@pytest.mark.parametrize("claim", one_in(4, ["mdav", "md", "hac", "kshc"]))
@pytest.mark.parametrize(
    "forgets",
    one_in(3, ["series", "strata", "times", "scale", "constraints", "together", "metric"]),
)
@pytest.mark.parametrize("answers", one_in(2, ["groups", "released"]))
def test_who_forgets_something_fails(claim: str, forgets: str, answers: str) -> None:
    if answers == "groups" and forgets in ("constraints", "together", "metric"):
        return
    statuses = [j.status for j in judged(claim, Plain(claim, forgets, answers=answers))]
    assert statuses.count("failed") >= 1
    assert statuses.count("passed") >= 3


@pytest.mark.parametrize("claim", ["mdav", "kshc"])
def test_who_does_not_weight_means_fails(claim: str) -> None:
    found = judged(claim, Plain(claim, "sampling"))
    wrong = {j.case.id: j.check for j in found if j.status == "failed"}
    assert len(wrong) == 6
    assert set(wrong.values()) == {"aggregates"}
    untold = judged(claim, Plain(claim, "sampling", answers="groups"))
    assert all(j.status == "passed" for j in untold if j.case.sampling_weights)


def test_weighted_means_and_their_sse_by_hand() -> None:
    """(2 1 + 4) / 3 = 2, and (10 + 12/2) / 1.5 = 32/3: the SSE is 1 + 4 + 4/9 + 16/9."""
    rows = (("1",), ("4",), ("10",), ("12",))
    case = Case("c", "mdav", 2, rows, sampling_weights=("2", "1", "1", "1/2"))
    groups, values = ((0, 1), (2, 3)), (("2",), ("2",), ("32/3",), ("32/3",))
    assert judge(case, Answer(groups=groups, released=values, sse="65/9")).status == "passed"
    assert judge(case, Answer(released=values)).status == "passed"
    found = judge(case, Answer(groups=groups, released=values, sse="6.5"))
    assert (found.status, found.check) == ("failed", "SSE")  # 6.5 is that of plain means
    means = (("5/2",), ("5/2",), ("11",), ("11",))
    assert judge(case, Answer(groups=groups, released=means)).check == "aggregates"
    assert judge(case, Answer(released=means)).status == "failed"


@pytest.mark.parametrize("claim", ["mdav", "md", "kshc"])
def test_who_forgets_blocks_fails(claim: str) -> None:
    found = {j.case.id: j for j in judged(claim, Plain(claim, "blocks"))}
    failed = [j for j in found.values() if j.status == "failed"]
    assert len(failed) >= 4
    assert all(j.case.blocks for j in failed)


@pytest.mark.parametrize("forgets", ["dissimilarity", "events"])
def test_who_measures_sequences_in_another_way_fails(forgets: str) -> None:
    found = judged("kshc", Plain("kshc", forgets))
    failed = [j for j in found if j.status == "failed"]
    assert len(failed) >= 1
    assert all(j.case.dissimilarity for j in failed)


@pytest.mark.parametrize(
    "measure", ["oss", "hamming", "levenshtein", "normalised-levenshtein", "lcs"]
)
def test_each_dissimilarity_is_told_from_the_others(measure: str) -> None:
    """A program that takes one for all fails with each of the others."""

    def one_for_all(
        records: Any, k: int, kinds: Any, dissimilarity: str, linkage: str = "single"
    ) -> Any:
        return Plain("kshc")(records, k, kinds=kinds, dissimilarity=measure, linkage=linkage)

    sequences = [v for v in vectors_of("kshc") if v.case.dissimilarity and v.expectation.partitions]
    failed = {
        j.case.dissimilarity
        for j in run_cases(Function(one_for_all), sequences, IN_SHORT)
        if j.status == "failed"
    }
    assert failed == set(MEASURES) - {measure}


def test_strata_that_are_joined_are_told_from_equal_values() -> None:
    """By hand: in each stratum 0 and 1, and 8 and 9; the means are equal across strata."""
    rows = tuple((text,) for text in "01890189")
    case = Case("joined", "mdav", 2, rows, strata=tuple("aaaabbbb"))
    together = ((0, 1, 4, 5), (2, 3, 6, 7))
    apart = ((0, 1), (2, 3), (4, 5), (6, 7))
    means = tuple((text,) for text in ("1/2", "1/2", "17/2", "17/2") * 2)
    assert judge(case, Answer(groups=apart)).status == "passed"
    assert judge(case, Answer(released=means)).status == "passed"
    found = judge(case, Answer(groups=together))
    assert (found.status, found.check) == ("failed", "well formed")
    found = judge(case, Answer(groups=together, released=means))
    assert (found.status, found.check) == ("failed", "well formed")


def test_the_sse_of_blocks_is_added_up_by_hand() -> None:
    """{0, 2} and {10, 14} cost 2 and 8; {1, 1} and {5, 6} nothing and 1/2."""
    rows = (("0", "1"), ("10", "5"), ("2", "6"), ("14", "1"))
    case = Case("added", "mdav", 2, rows, blocks=((0,), (1,)))
    blocks = (((0, 2), (1, 3)), ((0, 3), (1, 2)))
    assert judge(case, Answer(blocks=blocks, sse="10.5")).status == "passed"
    assert judge(case, Answer(blocks=blocks, sse="10")).check == "SSE"
    assert judge(case, Answer(blocks=blocks[::-1])).status == "failed"
    assert judge(case, Answer(blocks=blocks[:1])).check == "well formed"
    one = judge(case, Answer(groups=blocks[0]))
    assert (one.status, one.check) == ("failed", "well formed")
    assert "each of 2 blocks has its own" in one.reason


# The protocol


def test_requests_carry_what_makes_records_more_than_a_table() -> None:
    rows = (("1", "2"), ("3", "5"))
    case = Case(
        "c", "mdav", 1, rows, strata=("a", "b"), blocks=((1,), (0,)), constraints=("x1 = 2",)
    )
    request = request_of(case)
    assert request["strata"] == ["a", "b"]
    assert request["blocks"] == [[1], [0]]
    assert "series" not in request
    assert case_of(request) == case
    for wrong in (
        {"strata": "ab"},
        {"sampling_weights": [1]},
        {"blocks": [1]},
        {"series": 1},
        {"constraints": [1]},
    ):
        with pytest.raises(Unintelligible):
            case_of(request | wrong)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"blocks": ((0, 2),)}, InvalidBlocks),
        ({"blocks": ((0,),)}, InvalidBlocks),
        ({"series": "manhattan"}, InvalidParameter),
        ({"series": "sts", "standardise": "population"}, InvalidParameter),
        ({"sampling_weights": ("1", "1", "1", "0")}, InvalidParameter),
        ({"sampling_weights": ("1", "x", "1", "1")}, InvalidParameter),
        ({"sampling_weights": ("1", "1", "1")}, ShapeMismatch),
        ({"sampling_weights": ("1",) * 4, "constraints": ("x1 = x2",)}, InvalidParameter),
        ({"dissimilarity": "gower"}, InvalidParameter),
        ({"claim": "optimal", "strata": ("a", "a", "a", "a")}, InvalidParameter),
        ({"claim": "gaussian-noise", "k": 1, "series": "euclidean"}, InvalidParameter),
    ],
)
def test_cases_are_checked(change: dict[str, Any], error: type[Exception]) -> None:
    given: dict[str, Any] = {"claim": "mdav", "k": 2} | change
    rows = (("1", "2"), ("3", "5"), ("4", "4"), ("0", "0"))
    case = Case("c", given.pop("claim"), given.pop("k"), rows, **given)
    with pytest.raises(error):
        judge(case, Answer(groups=((0, 1, 2, 3),)))


def test_groups_in_another_order_are_the_same() -> None:
    [vector] = [v for v in vectors_of("mdav") if v.topic == "each-attribute-by-itself"]
    blocks = [groups_of(partitions[0]) for partitions in vector.expectation.blocks]
    assert meets_blocks(vector, [groups[::-1] for groups in blocks])
    assert not meets_blocks(vector, blocks[:2])
    assert not meets(vector, blocks[0])
