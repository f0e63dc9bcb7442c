"""The vectors: their files, their schema, and answers by means that share nothing with them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from oracle.conformance.vectors import Vector, claims, vectors_of
from oracle.conformance.vectors.files import FOLDER, SCHEMA, as_data, file_name
from oracle.conformance.vectors.generate import CLAIMS
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


def _rows(vector: Vector) -> list[list[str]]:
    return [list(row) for row in vector.case.records]
