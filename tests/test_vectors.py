"""The vectors: their files, their schema, and answers by means that share nothing with them."""

from __future__ import annotations

import json
from fractions import Fraction
from importlib import import_module
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest

from oracle.conformance.vectors import Vector, claims, vectors_of
from oracle.conformance.vectors.expectations import TOO_RANDOM
from oracle.conformance.vectors.files import FOLDER, SCHEMA, as_data, file_name
from oracle.conformance.vectors.generate import CLAIMS
from oracle.conformance.vectors.vector import Groups, groups_of, numbers_of
from refagg.catalogue import CATALOGUE


def data_of(claim: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((FOLDER / file_name(claim)).read_text(encoding="utf-8"))
    return data


EVERY = [vector for claim in CLAIMS for vector in vectors_of(claim)]


def test_every_algorithm_has_at_least_twenty_vectors() -> None:
    assert set(claims()) == {*CATALOGUE, "any k-partition", "optimal"}
    for claim in claims():
        assert len(vectors_of(claim)) >= 20, claim


def test_ids_are_those_of_the_topics_and_each_is_there_once() -> None:
    assert len({vector.id for vector in EVERY}) == len(EVERY)
    for vector in EVERY:
        name = vector.case.claim.replace(" ", "-")
        number = vector.id.removeprefix(name + "-")[:3]
        assert vector.id == f"{name}-{number}-{vector.topic}"


@pytest.mark.parametrize("claim", CLAIMS)
def test_files_are_what_the_schema_says(claim: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    data = data_of(claim)
    jsonschema.Draft202012Validator(schema).validate(data)
    assert {flag for vector in data["vectors"] for flag in vector["flags"]} == set(data["flags"])


def test_what_is_read_is_what_is_written() -> None:
    for claim in CLAIMS:
        written = data_of(claim)["vectors"]
        assert [as_data(vector) for vector in vectors_of(claim)] == written


# Independent answers


def plain_results(vector: Vector, orders: int) -> set[Groups]:
    """What an independent implementation gives in some orders of the records.

    It takes the record of the lowest number where several will do, so that another order is
    another way of breaking ties.
    """
    case = vector.case
    module: Any = import_module("plain." + case.claim.replace("-", "_"))
    settings = CATALOGUE[case.claim].settings(case.parameters)
    rows = scaled_rows(vector)
    random = Random(vector.id)
    found = set()
    for number in range(orders):
        order = list(range(len(rows)))
        if number:
            random.shuffle(order)
        groups = module.partition([rows[record] for record in order], case.k, **settings)
        found.add(groups_of([order[record] for record in group] for group in groups))
    return found


def scaled_rows(vector: Vector) -> list[list[Fraction]]:
    """The values, or z-scores times whatever makes them rational: their weights are squares."""
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
    name
    for name in CATALOGUE
    if (Path(__file__).parent / f"plain/{name.replace('-', '_')}.py").exists()
]

IN_ORDER = ("mdav-argus", "v-mdav", "blocks-in-file-order")
"""These depend on the order of the records by definition: only the given order is compared."""


@pytest.mark.parametrize("claim", [name for name in PLAIN if name not in TOO_RANDOM])
def test_independent_implementations_give_what_is_listed(claim: str) -> None:
    for vector in vectors_of(claim):
        if vector.expectation.kind in ("unique", "choice"):
            several = vector.expectation.kind == "choice" and claim not in IN_ORDER
            found = plain_results(vector, 12 if several else 1)
            assert found <= set(vector.expectation.partitions), vector.id
