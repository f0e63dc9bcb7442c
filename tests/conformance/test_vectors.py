"""The vectors: their files, their schema, and answers by means that share nothing with them."""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from importlib import import_module
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import settings
from places import ROOT
from plain.kinds import mixed
from suites import one_in

from oracle.commands.main import main
from oracle.conformance.judge.judging import Strictness, judge
from oracle.conformance.judge.model import Answer, Case
from oracle.conformance.judge.senseless import CATEGORIES
from oracle.conformance.vectors import (
    Expectation,
    Origin,
    Vector,
    claims,
    meets,
    meets_blocks,
    vectors_of,
)
from oracle.conformance.vectors.casefiles import topic_of
from oracle.conformance.vectors.expectations import (
    TOO_RANDOM,
    Explored,
    Noting,
    algorithm_on_case,
    explored,
    in_parts,
)
from oracle.conformance.vectors.files import FOLDER, file_name, vector_data
from oracle.conformance.vectors.generate import (
    case_on_topic,
    claim_file_text,
    groups_of_text,
    topics_of,
    vector_made,
)
from oracle.conformance.vectors.optima import optima, partitions_within
from oracle.conformance.vectors.vector import Groups, groups_of, numbers_of, sse_of
from oracle.optima.allgroups import exhaustive
from oracle.optima.clock import Clock
from oracle.optima.problem import sse_problem
from oracle.optima.solving import solve
from refagg import microaggregate, table_of
from refagg.catalogue import CATALOGUE
from refagg.data.standardise import standardise
from refagg.data.textfiles import schema_file
from refagg.errors import (
    EmptyTable,
    InconsistentConstraints,
    InvalidK,
    InvalidParameter,
    InvalidReference,
    KTooLarge,
    MissingValue,
    NotANumber,
    NotFinite,
    NotUnivariate,
    RaggedRow,
    ShapeMismatch,
    UnknownCategory,
)
from refagg.language.choices import Choices
from refagg.language.random_stream import seeded
from refagg.release.result import Release


def data_of(claim: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((FOLDER / file_name(claim)).read_text(encoding="utf-8"))
    return data


CLAIMS = claims()
ALGORITHMS = [name for name in CATALOGUE if name in CLAIMS]
"""Those that have vectors."""

EVERY = [vector for claim in CLAIMS for vector in vectors_of(claim)]


def test_every_algorithm_has_at_least_twenty_vectors() -> None:
    """One without any is named by tests/algorithms/test_complete.py."""
    assert set(claims()) <= {*CATALOGUE, "any k-partition", "optimal"}
    for claim in claims():
        assert len(vectors_of(claim)) >= 20, claim


def test_ids_are_those_of_the_topics_and_each_is_there_once() -> None:
    assert len({vector.id for vector in EVERY}) == len(EVERY)
    for vector in EVERY:
        name = vector.case.claim.replace(" ", "-")
        number = vector.id.removeprefix(name + "-")[:3]
        assert vector.id == f"{name}-{number}-{vector.topic}"


@pytest.mark.parametrize("claim", one_in(8, CLAIMS))
def test_files_are_what_the_schema_says(claim: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(schema_file("vectors").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    data = data_of(claim)
    jsonschema.Draft202012Validator(schema).validate(data)
    assert {flag for vector in data["vectors"] for flag in vector["flags"]} == set(data["flags"])


def test_what_is_read_is_what_is_written() -> None:
    for claim in CLAIMS:
        written = data_of(claim)["vectors"]
        assert [vector_data(vector) for vector in vectors_of(claim)] == written


# Independent answers


def plain_results(vector: Vector, orders: int) -> set[Groups]:
    """What an independent implementation gives in some orders of the records.

    It takes the record of the lowest number where several will do, so that another order is
    another way of breaking ties.
    """
    case = vector.case
    module: Any = import_module("plain." + case.claim.replace("-", "_"))
    settings = CATALOGUE[case.claim].settings(case.parameters)
    settings |= {} if case.seed is None else {"seed": case.seed}
    random = Random(vector.id)
    found = set()
    for number in range(orders):
        rows = scaled_rows(vector, last=number % 2 == 1)
        order = list(range(len(rows)))
        if number:
            random.shuffle(order)
        groups = module.partition([rows[record] for record in order], case.k, **settings)
        found.add(groups_of([order[record] for record in group] for group in groups))
    return found


def scaled_rows(vector: Vector, last: bool = False) -> list[Any]:
    """The values, or z-scores times whatever makes them rational: their weights are squares."""
    if vector.case.kinds:
        return list(mixed(vector.case.records, vector.case.kinds, last))
    rows = numbers_of(vector.case.records)
    if vector.case.standardise == "none":
        return rows
    columns = []
    for column in zip(*rows, strict=True):
        mean = sum(column, Fraction(0)) / len(column)
        variance = sum((x - mean) ** 2 for x in column) / len(column)
        root = Fraction(sqrt(variance)).limit_denominator(10**15) if variance else Fraction(1)
        columns.append([(x - mean) / root for x in column])
    return [list(row) for row in zip(*columns, strict=True)]


PLAIN = [
    name for name in ALGORITHMS if (ROOT / f"tests/plain/{name.replace('-', '_')}.py").exists()
]

IN_ORDER = ("mdav-argus", "v-mdav", "blocks-in-file-order", "k-member", "oka")
"""These depend on the order of the records by definition: only the given order is compared."""


PLAINLY = {"md": 30, "k-ward": 30, "k-ward-univariate": 30, "secure-k-ward": 30}
PLAINLY |= {"genetic": 12, "one-step": 12, "two-step": 12}
"""Of these, which are slow by definition, larger vectors are compared only with many examples."""
if settings().max_examples < 25:  # the quick profile
    PLAINLY |= {"igd": 8, "one-step": 6}


def compared(vector: Vector) -> bool:
    """Has a plain program an answer to it? Other shapes than tables: test_shaped_vectors.py."""
    case = vector.case
    few = settings().max_examples <= 100 and len(case.records) > PLAINLY.get(case.claim, 60)
    if case.claim == "insensitive" and case.standardise != "none":  # its domain is that of the file
        return False
    return bool(vector.expectation.partitions) and not (in_parts(case) or case.dissimilarity or few)


@pytest.mark.parametrize("claim", one_in(22, PLAIN))
def test_independent_implementations_give_what_is_listed(claim: str) -> None:
    for vector in vectors_of(claim):
        if compared(vector):
            several = vector.expectation.kind == "choice" and claim not in IN_ORDER
            several &= vector.case.seed is None  # draws are of positions in the order
            found = plain_results(vector, 6 if several else 1)
            assert found <= set(vector.expectation.partitions), vector.id


BY_GROUP = ("near group", "near leftover", "last size")
"""Ties of groups: these plain implementations break them by the order in which groups were formed,
which another order of the records does not change."""


@pytest.mark.long
@pytest.mark.parametrize("claim", ["mdav", "mdav-2k", "mdav-single", "iv-mdav", "md", "kshc"])
def test_independent_implementations_give_everything_that_is_listed(claim: str) -> None:
    """Where lists are short and records few, so that 60 orders are enough."""
    by_tie = {case_on_topic(claim, topic).id: topic.tie for topic in topics_of(claim)}
    looked_at = 0
    for vector in vectors_of(claim):
        few = len(vector.expectation.partitions) <= 4 and len(vector.case.records) <= 7
        if not compared(vector):
            continue
        if vector.expectation.kind == "choice" and few and by_tie[vector.id] not in BY_GROUP:
            assert plain_results(vector, 60) == set(vector.expectation.partitions), vector.id
            looked_at += 1
    assert looked_at >= 4


@pytest.mark.long
def test_hansen_mukherjee_is_optimal_on_every_vector() -> None:
    for vector in vectors_of("hansen-mukherjee"):
        if vector.expectation.partitions:
            rows = numbers_of(vector.case.records)
            if len(rows) > 11:  # too many partitions to look at each
                least = solve(rows, vector.case.k, "columns").value
            else:
                least, _ = optima(rows, vector.case.k)
            assert {sse_of(rows, groups) for groups in vector.expectation.partitions} == {least}


def test_the_least_sse_is_that_of_another_search() -> None:
    for vector in vectors_of("optimal"):
        expected = vector.expectation
        if expected.sse and len(vector.case.records) <= 9:
            table = table_of(numbers_of(vector.case.records))
            problem = sse_problem(standardise(table, "none"), vector.case.k)
            found = exhaustive(problem, Clock(None))
            assert found is not None
            assert problem.value(found) == Fraction(expected.sse)


@pytest.mark.parametrize("claim", CLAIMS)
def test_answers_by_hand_are_those_of_the_enumeration(claim: str) -> None:
    for topic in topics_of(claim):
        if topic.expect:
            by_hand = {groups_of_text(text) for text in topic.expect}
            if claim == "optimal":
                found = optima(numbers_of(topic.records), topic.k)[1]
                assert set(found) == by_hand
            else:
                assert explored(case_on_topic(claim, topic)).partitions == by_hand


def test_the_components_of_the_eleven_firms_are_possible() -> None:
    printed = ((0, 1, 9), (2, 3, 4), (5, 6, 7, 8, 10))
    [vector] = [v for v in vectors_of("mu-approx") if v.topic == "eleven-firms"]
    assert meets(vector, printed)
    assert judge(vector.case, Answer(groups=printed)).status == "passed"


# Ties


def ties_met(vector: Vector) -> set[str]:
    """The choices that are open in some runs."""
    if vector.case.claim not in TOO_RANDOM:
        return explored(vector.case, 300).tied
    noted = Explored()
    for seed in range(5):
        choices = Choices(Noting(noted, (), (), None), seeded(seed))
        algorithm_on_case(vector.case)(choices)
    return noted.tied


@pytest.mark.parametrize("claim", one_in(4, ALGORITHMS))
def test_every_tie_has_a_vector_in_which_it_is_met(claim: str) -> None:
    """But for some of those that divide large groups: few small tables have a group of 3k."""
    by_number = {vector.id.removeprefix(f"{claim}-")[:3]: vector for vector in vectors_of(claim)}
    shown = {topic.tie: by_number[topic.number] for topic in topics_of(claim) if topic.tie}
    ties = {tie.name for tie in CATALOGUE[claim].ties}
    assert ties - {name for name in ties if name.startswith("division: ")} <= set(shown) <= ties
    for name, vector in shown.items():
        assert name in ties_met(vector), vector.id


# Up to date


def is_slow(vector: Vector) -> bool:
    """Is it known from its file that there are more runs than are looked at?"""
    many = vector.case.claim in ("k-means", "k-modes", "oka") and vector.case.seed is None
    many |= len(vector.case.records) > PLAINLY.get(vector.case.claim, 60)
    return vector.expectation.kind == "free" or many


@pytest.mark.parametrize("claim", one_in(22, CLAIMS))
def test_files_are_what_the_generator_makes(claim: str) -> None:
    """Expectations that take long are made anew by `generate --check` only."""
    vectors, topics = vectors_of(claim), topics_of(claim)
    assert [vector.id for vector in vectors] == [case_on_topic(claim, topic).id for topic in topics]
    written = (FOLDER / file_name(claim)).read_text(encoding="utf-8")
    assert claim_file_text(claim, vectors) == written
    for vector, topic in zip(vectors, topics, strict=True):
        if is_slow(vector) and claim not in (*TOO_RANDOM, "any k-partition", "optimal"):
            made = case_on_topic(claim, topic)
            assert (vector.case, vector.reason) == (made, topic.reason)
        else:
            assert vector_made(claim, topic) == vector, vector.id


# The library itself


ERRORS = {
    "k too small": InvalidK,
    "k too large": KTooLarge,
    "not a number": NotANumber,
    "not finite": (NotFinite, MissingValue),
    "missing value": MissingValue,
    "not a category": UnknownCategory,
    "no series": InvalidParameter,
    "no weights": (InvalidParameter, ShapeMismatch),
    "contradiction": InconsistentConstraints,
    "ragged row": RaggedRow,
    "empty table": EmptyTable,
    "several attributes": NotUnivariate,
}


def released_by_the_library(vector: Vector, **options: Any) -> Release:
    case = vector.case
    # The empty text is a sequence without events, and no missing value.
    events = {j for j, kind in enumerate(case.kinds) if kind.startswith("sequence")}
    texts = {j for j, kind in enumerate(case.kinds) if kind != "numeric"}
    rows = [
        [
            cell if j in events or (cell and j in texts) else cell_of(cell)
            for j, cell in enumerate(r)
        ]
        for r in case.records
    ]
    method: dict[str, Any] = {"parameters": case.parameters, "standardise": case.standardise}
    method |= {key: value for key, value in case.shape.items() if key != "blocks"}
    if case.times:
        method["times"] = [Fraction(time) for time in case.times]
    if case.blocks:
        method["blocks"] = [[f"x{j + 1}" for j in block] for block in case.blocks]
    if case.kinds:
        kinds = {f"x{j + 1}": kind for j, kind in enumerate(case.kinds)}
        method |= {"kinds": kinds, "standardise": "range"}
    if CATALOGUE[case.claim].random:
        method["seed"] = 1 if case.seed is None else case.seed
    return microaggregate(rows, k=case.k, algorithm=case.claim, **{**method, **options})


def cell_of(text: str) -> Any:
    try:
        return Fraction(text)
    except ValueError:
        return {"": None, "NaN": float("nan"), "inf": float("inf")}.get(text, text)


@pytest.mark.parametrize("claim", ALGORITHMS)
def test_the_library_rejects_what_must_be_rejected(claim: str) -> None:
    assert set(ERRORS) == set(CATEGORIES)
    for vector in vectors_of(claim):
        if vector.expectation.kind == "reject":
            with pytest.raises(ERRORS[vector.expectation.category]):
                released_by_the_library(vector)
            assert meets(vector, None)
            assert not meets(vector, [range(len(vector.case.records))])


@pytest.mark.parametrize("claim", [name for name in ALGORITHMS if name not in TOO_RANDOM])
@pytest.mark.parametrize("ties", one_in(2, ["lowest", "highest"]))
def test_the_library_meets_its_vectors(claim: str, ties: str) -> None:
    for vector in vectors_of(claim):
        if vector.expectation.kind != "reject":
            release = released_by_the_library(vector, ties=ties)
            if vector.expectation.blocks:
                assert isinstance(release, Release)
                blocks = [block.partition.groups for block in release.blocks]
                assert meets_blocks(vector, blocks), vector.id
                continue
            groups = release.partition.groups
            assert meets(vector, groups), vector.id
            assert not meets(vector, None)


def test_noise_leaves_what_it_must_leave() -> None:
    fixed = 0
    for vector in vectors_of("gaussian-noise"):
        if vector.expectation.kind == "free":
            release = released_by_the_library(vector)
            assert isinstance(release, Release)
            released = release.released
            for record, row in enumerate(vector.expectation.released):
                for column, cell in zip(released.columns, row, strict=True):
                    fixed += cell is not None
                    assert cell is None or column[record] == Fraction(cell)
    assert fixed > 50


# Whether an answer is what is expected


def free(sse: str = "") -> Vector:
    case = Case("any-001-x", "any k-partition", 2, tuple((str(x),) for x in (0, 2, 5, 9, 9)))
    origin = Origin("hand", "")
    return Vector(case, "x", "all", "", (), origin, Expectation("free", least=2, sse=sse))


def test_free_answers_are_partitions_of_all_records_with_enough_in_each_group() -> None:
    assert meets(free(), [[4, 3], [0, 1, 2]])
    assert meets(free(), [range(5)])
    for wrong in ([[0, 1], [2, 3]], [[0, 1, 2, 3], [4]], [[0, 1], [1, 2, 3, 4]], [[0, 1, 2, 3, 5]]):
        assert not meets(free(), wrong)
    # {5, 9, 9} costs 32/3 and {0, 2} costs 2.
    assert meets(free("38/3"), [[0, 1], [2, 3, 4]])
    assert not meets(free("38/3"), [[0, 2], [1, 3, 4]])


@pytest.mark.parametrize(
    "claim", one_in(6, ["md", "mdav", "hansen-mukherjee", "v-mdav", "hac", "optimal"])
)
def test_the_judge_says_what_the_vector_says(claim: str) -> None:
    judged = 0
    for vector in vectors_of(claim):
        if len(vector.case.records) > 7 or not vector.expectation.partitions:
            continue
        if vector.case.constraints:
            continue  # these are judged by released values
        listed = set(vector.expectation.partitions)
        everything = [groups_of(groups) for groups in k_partitions(vector)]
        some = Random(vector.id).sample(everything, min(4, len(everything)))
        for groups in {*list(listed)[:4], *some}:
            passed = judge(vector.case, Answer(groups=groups), strict=QUIET).status == "passed"
            assert passed == meets(vector, groups), (vector.id, groups)
            judged += 1
    assert judged > 50


QUIET = Strictness(tolerance=Fraction(0), explain=False, blame=False)


def k_partitions(vector: Vector) -> list[list[tuple[int, ...]]]:
    """All partitions into groups of at least k."""
    n, k = len(vector.case.records), vector.case.k
    free_of_cost = partitions_within(tuple(range(n)), k, lambda group: 0, 0, [None])
    return [groups for _, groups in free_of_cost]


# The command


def test_a_vector_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vectors", "show", "optimal-070-labels-of-sorted-values"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert "claim optimal, k=2; step all" in shown
    assert shown[-2:] == ["expected: unique, SSE 1", "  0 2 | 1 3"]


def test_vectors_are_listed_by_algorithm_and_flag(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vectors", "list", "--algorithm", "mdav", "--flag", "bad-input"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "mdav-090-k-of-0" in [line.split()[0] for line in lines]
    assert all("  reject  " in line for line in lines)
    assert main(["vectors", "list", "--algorithm", "nobody"]) == 2
    assert main(["vectors", "show", "mdav-999-nothing"]) == 2


def test_exported_files_say_what_the_vectors_say(tmp_path: Path) -> None:
    folder = tmp_path / "cases"
    assert main(["vectors", "export", str(folder), "--algorithm", "md"]) == 0
    with (folder / "expectations.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    assert set(rows) == {vector.id for vector in vectors_of("md")}
    for vector in vectors_of("md"):
        with (folder / f"{vector.id}.csv").open(encoding="utf-8", newline="") as file:
            _, *records = csv.reader(file)
        assert tuple(map(tuple, records)) == vector.case.records
        texts = rows[vector.id]["partitions"].split("; ") if rows[vector.id]["partitions"] else []
        partitions = [groups_of_text(text.replace("/", "|")) for text in texts]
        assert tuple(partitions) == vector.expectation.partitions
    assert (folder / "README.md").read_text(encoding="utf-8").startswith("# Vectors")
    assert main(["vectors", "export", str(folder)]) == 2  # nothing is overwritten


def test_case_files_with_mistakes_are_refused() -> None:
    for block in ("1 topic\nk: 2", "001 topic\nkk: 2", "001 a topic\nk: 2"):
        with pytest.raises(InvalidReference):
            topic_of(block, "here")
