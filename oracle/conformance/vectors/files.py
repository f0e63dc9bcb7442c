"""Vectors as JSON files, one for each claim: reading and writing.

`refagg/schemas/vectors.schema.json` says what they may contain, for every language. The files
repeat each other's tables, so that a wheel has them in one archive, a fifth as large.
"""

from __future__ import annotations

import json
import tarfile
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from types import NoneType
from typing import Any

from oracle.conformance.judge.senseless import CATEGORIES
from oracle.conformance.transport.protocol import VERSION, Unintelligible, case_of, question_data
from oracle.conformance.vectors.flags import FLAGS
from oracle.conformance.vectors.vector import Expectation, Origin, Vector
from refagg.data.textfiles import read_text
from refagg.errors import FileUnreadable, InvalidParameter, UnknownAlgorithm
from refagg.language.lists import question_for

FORMAT = "refagg vectors 1"
TYPES: dict[str, Any] = {"id": str, "k": int, "standardise": str, "seed": (int, NoneType)}
EXPECTED: dict[str, Callable[[dict[str, Any]], bool] | None] = {
    "unique": None,
    "choice": None,
    "reject": lambda expected: expected["category"] in CATEGORIES,
    "free": lambda expected: isinstance(expected["least"], int),
}
"""The kinds of expectations, and what has to be true of them."""
FOLDER = Path(__file__).parent
ARCHIVE = FOLDER / "vectors.tar.xz"


def file_name(claim: str) -> str:
    """Return the name of the file of a claim."""
    return f"{slug(claim)}.json"


def slug(claim: str) -> str:
    """Return a claim as it begins the ids of its vectors."""
    return claim.replace(" ", "-")


@cache
def texts() -> dict[str, str]:
    """Return the files of vectors by their names.

    They are those of the folder, or of a wheel's archive.
    """
    if not ARCHIVE.exists():
        files = sorted(FOLDER.glob("*.json"))
        return {path.name: path.read_text(encoding="utf-8") for path in files}
    with tarfile.open(ARCHIVE) as archive:
        members = [(entry.name, archive.extractfile(entry)) for entry in archive]
        return {name: file.read().decode() for name, file in members if file is not None}


def file_of(claim: str) -> Path:
    """Return the file that has the vectors of a claim."""
    return ARCHIVE if ARCHIVE.exists() else FOLDER / file_name(claim)


@cache
def claims() -> tuple[str, ...]:
    """Return the claims that have vectors, in alphabetic order."""
    return tuple(json.loads(text)["claim"] for text in texts().values())


@cache
def vectors_of(claim: str) -> tuple[Vector, ...]:
    """Return the vectors of a claim. Raises UnknownAlgorithm if there are none."""
    data = json.loads(texts().get(file_name(claim), "{}"))
    if data.get("claim") != claim:
        meant = question_for(claim, claims()).strip() or f"there are {', '.join(claims())}"
        raise UnknownAlgorithm(f"there are no vectors of {claim!r}; {meant}")
    return tuple(_vector(claim, vector) for vector in data["vectors"])


def vector_of(identity: str) -> Vector:
    """Return the vector of this id. Raises UnknownAlgorithm."""
    for claim in claims():
        if identity.startswith(slug(claim) + "-"):
            for vector in vectors_of(claim):
                if vector.id == identity:
                    return vector
    raise unknown_vector(identity, [v.id for claim in claims() for v in vectors_of(claim)])


def unknown_vector(identity: str, known: Iterable[str]) -> UnknownAlgorithm:
    """Return the error for an id that no vector has."""
    meant = question_for(identity, known)
    why = f"there is no vector {identity!r}; {meant}`oracle vectors list` lists them"
    return UnknownAlgorithm(why)


def vectors_in(path: Path, claim: str) -> tuple[Vector, ...]:
    """Return the vectors of a file, which have this claim.

    The file is as `oracle hunt --save` writes it, and must be of this claim.

    Raises FileUnreadable, InvalidParameter.
    """
    try:
        data = json.loads(read_text(path))
        found = tuple(_vector(data["claim"], vector) for vector in data["vectors"])
    except (ValueError, TypeError, LookupError, RecursionError, Unintelligible) as error:
        raise FileUnreadable(f"{path} is not a file of vectors ({error!r})") from None
    if data["claim"] != claim:
        raise InvalidParameter(f"{path} has vectors of {data['claim']!r}, not of {claim!r}")
    return found


def _vector(claim: str, data: dict[str, Any]) -> Vector:
    """Return a vector. Raises LookupError, TypeError, ValueError, Unintelligible."""
    for key, types in TYPES.items():
        if not isinstance(data[key], types):
            raise TypeError(f"{key} is {data[key]!r}")
    case = case_of({**data, "version": VERSION, "claim": claim})
    expected = dict(data["expectation"])
    right = EXPECTED[expected["kind"]]
    if right and not right(expected):
        raise ValueError(f"the expectation is {expected!r}")
    names = ("partitions", "released", "blocks")
    partitions, released, blocks = (expected.pop(name, ()) for name in names)
    expectation = Expectation(
        partitions=tuple(tuple(map(tuple, groups)) for groups in partitions),
        released=tuple(map(tuple, released)),
        blocks=tuple(tuple(tuple(map(tuple, groups)) for groups in block) for block in blocks),
        **expected,
    )
    return Vector(
        case,
        data["topic"],
        data["step"],
        data["reason"],
        tuple(data["flags"]),
        Origin(**data["origin"]),
        expectation,
        tuple(data.get("seen", ())),
    )


# Writing


def file_text(claim: str, source: str, vectors: Sequence[Vector]) -> str:
    """Return the text of the file of a claim.

    It is a header, and each vector with a line for each of its facts.
    """
    used = sorted({flag for vector in vectors for flag in vector.flags})
    header = {
        "format": FORMAT,
        "claim": claim,
        "source": source,
        "flags": {flag: FLAGS[flag] for flag in used},
    }
    lines = [f"{_text(key)}: {_text(value)}" for key, value in header.items()]
    blocks = [
        ",\n".join(f"   {_text(key)}: {_text(value)}" for key, value in vector_data(vector).items())
        for vector in vectors
    ]
    body = ",\n".join(f"  {{\n{block}\n  }}" for block in blocks)
    return "{\n " + ",\n ".join(lines) + ',\n "vectors": [\n' + body + "\n ]\n}\n"


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=True)


def vector_data(vector: Vector) -> dict[str, object]:
    """Return a vector as it stands in its file."""
    case, origin = vector.case, vector.origin
    extras = {"link": origin.link, "confirmed": origin.confirmed}
    return {
        "id": case.id,
        "topic": vector.topic,
        "step": vector.step,
        "reason": vector.reason,
        "flags": list(vector.flags),
        **({"seen": list(vector.seen)} if vector.seen else {}),
        "origin": {"kind": origin.kind, "text": origin.text}
        | {key: text for key, text in extras.items() if text},
        **question_data(case),
        "expectation": expectation_data(vector.expectation),
    }


def expectation_data(expected: Expectation) -> dict[str, object]:
    """Return an expectation without what does not apply to its kind."""
    everything = {
        "partitions": [[list(group) for group in groups] for groups in expected.partitions],
        "blocks": [
            [[list(group) for group in groups] for groups in block] for block in expected.blocks
        ],
        "category": expected.category,
        "least": expected.least,
        "greatest": expected.greatest,
        "sse": expected.sse,
        "released": [list(row) for row in expected.released],
    }
    return {"kind": expected.kind} | {key: value for key, value in everything.items() if value}
