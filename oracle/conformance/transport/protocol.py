"""Protocol of implementations in any language: one JSON object a line.

See docs/conformance.md.

A request is a case; a reply has groups or labels, released rows, or both, or it says why not.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from numbers import Rational
from typing import Any

from oracle.conformance.judge.model import SHAPES, Answer, Case
from refagg.language.number_texts import index_of

VERSION = 1

GREATEST = 10**18 - 1
"""The greatest record number that an answer may hold; Python writes no number of 4300 digits."""

KEYS = ("groups", "labels", "blocks", "released", "refused", "unsupported", "errored")
"""A reply has at least one of these."""


class Unintelligible(Exception):
    """A line is no reply, or no request; the message says why."""


def request_of(case: Case) -> dict[str, object]:
    """Return the request that asks for a case.

    >>> request_of(Case("c1", "mdav", 2, (("0",), ("1.5",))))["records"]
    [['0'], ['1.5']]
    """
    return {"version": VERSION, "id": case.id, "claim": case.claim, **question_data(case)}


def question_data(case: Case) -> dict[str, object]:
    """Return the question of a case without its claim.

    It has the form that requests and files of vectors have.
    """
    return {
        "k": case.k,
        "parameters": dict(case.parameters),
        "standardise": case.standardise,
        "seed": case.seed,
        **({"kinds": list(case.kinds)} if case.kinds else {}),
        **{name: _as_lists(value) for name, value in case.shape.items()},
        "records": [list(row) for row in case.records],
    }


def shape_from(data: Mapping[str, object]) -> dict[str, Any]:
    """Return the members of SHAPES as keywords of a case.

    They make records more than a table. Raises Unintelligible.
    """
    return {name: _part_of_shape(name, data[name]) for name in SHAPES if name in data}


def _part_of_shape(name: str, value: Any) -> Any:
    if name in ("dissimilarity", "series"):
        if isinstance(value, str):
            return value
        raise Unintelligible(f"{name} must be a text, not {shown_value(value)}")
    if name == "blocks":
        if _rows(value):
            return tuple(tuple(whole(j, "an attribute") for j in block) for block in value)
        raise Unintelligible(f"blocks must be lists of attribute numbers, not {shown_value(value)}")
    if _sequence(value) and all(isinstance(text, str) for text in value):
        return tuple(value)
    raise Unintelligible(f"{name} must be a list of texts, not {shown_value(value)}")


def _as_lists(value: object) -> object:
    return [_as_lists(item) for item in value] if isinstance(value, tuple) else value


def request_line(case: Case) -> bytes:
    """Return the request as sent: one line of ASCII."""
    return json.dumps(request_of(case)).encode("ascii") + b"\n"


DESCRIBE = "describe"
"""The id of the request for a description."""


def describe_line(claim: str) -> bytes:
    """Return the request for a description.

    A program that does not know it has to refuse it.
    """
    request = request_of(Case(DESCRIBE, claim, 0, ())) | {DESCRIBE: True}
    return json.dumps(request).encode("ascii") + b"\n"


def described_in(line: bytes) -> object:
    """Return what a reply says in `describes`.

    None if it says nothing of the kind.

    >>> described_in(b'{"id": "describe", "describes": {"scales": ["sample"]}}')
    {'scales': ['sample']}
    """
    try:
        reply = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return reply.get("describes") if isinstance(reply, dict) else None


def case_of(request: object) -> Case:
    """Return the case that a request asks for.

    Its values are not looked at. Raises Unintelligible.
    """
    if not isinstance(request, dict) or request.get("version") != VERSION:
        raise Unintelligible(f"not a request of version {VERSION}")
    records: Any = request.get("records")
    parameters = request.get("parameters", {})
    if not _rows(records) or not all(isinstance(v, str) for row in records for v in row):
        raise Unintelligible("records must be rows of texts")
    if not isinstance(parameters, dict):
        raise Unintelligible("parameters must be an object")
    kinds: Any = request.get("kinds", [])
    if not _sequence(kinds) or not all(isinstance(kind, str) for kind in kinds):
        raise Unintelligible("kinds must be a list of texts")
    return Case(
        str(request.get("id")),
        str(request.get("claim")),
        request.get("k"),  # type: ignore[arg-type]  # what k is may be the question
        tuple(map(tuple, records)),
        {str(name): str(value) for name, value in parameters.items()},
        str(request.get("standardise", "none")),
        request.get("seed"),
        tuple(kinds),
        **shape_from(request),
    )


def reply_of(case: Case, answer: Answer) -> dict[str, Any]:
    """Return the reply that gives an answer."""
    reply: dict[str, Any] = {"id": case.id}
    if answer.groups is not None:
        reply["groups"] = [list(group) for group in answer.groups]
    if answer.blocks is not None:
        reply["blocks"] = [[list(group) for group in groups] for groups in answer.blocks]
    if answer.released is not None:
        reply["released"] = [list(row) for row in answer.released]
    for key in ("sse", "refused", "unsupported", "errored"):
        if getattr(answer, key) is not None:
            reply[key] = getattr(answer, key)
    return reply


def reply_from(line: bytes, case: Case) -> Answer:
    """Return the answer in a line. Raises Unintelligible.

    >>> reply_from(b'{"id": "c1", "labels": [0, 1, 0]}', Case("c1", "mdav", 1, ())).groups
    ((0, 2), (1,))
    """
    try:
        reply = json.loads(line, parse_float=_decimal, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise Unintelligible(f"not JSON: {error}; the line is {shown_value(line)}") from None
    if not isinstance(reply, dict):
        raise Unintelligible(f"not a JSON object: {shown_value(line)}")
    if "id" not in reply or str(reply["id"]) != case.id:
        reply_id = shown_value(reply.get("id"))
        raise Unintelligible(f"the reply is for {reply_id}, but the request was {case.id!r}")
    return answer_of(reply)


def answer_of(reply: Mapping[str, Any]) -> Answer:
    """Return the answer in a reply.

    The keys of the reply are checked for their types. Raises Unintelligible.
    """
    if not any(reply.get(key) is not None for key in KEYS):
        raise Unintelligible(f"the reply has none of {', '.join(KEYS)}")
    groups, labels, released = (reply.get(key) for key in ("groups", "labels", "released"))
    if groups is not None and labels is not None:
        raise Unintelligible("the reply has groups and labels; give only one of them")
    blocks = reply.get("blocks")
    if blocks is not None and not (_sequence(blocks) and all(map(_rows, blocks))):
        raise Unintelligible(f"blocks must be the groups of each block, not {shown_value(blocks)}")
    sse = reply.get("sse")
    return Answer(
        groups_of_labels(labels) if labels is not None else _groups(groups),
        None if released is None else _released(released),
        None if sse is None else answer_number_text(sse, "sse"),
        _message(reply, "refused"),
        _message(reply, "unsupported"),
        _message(reply, "errored"),
        blocks=None if blocks is None else tuple(_groups(groups) or () for groups in blocks),
    )


def groups_of_labels(labels: Any) -> tuple[tuple[int, ...], ...]:
    """Return the records with equal labels, together. Raises Unintelligible.

    Labels are integers or texts; 0.0 and 1.0, as arrays of floats have them, are integers.

    >>> groups_of_labels([0.0, 1, 0, 1.0])
    ((0, 2), (1, 3))
    """
    if not _sequence(labels):
        raise Unintelligible(f"labels must be a list, not {shown_value(labels)}")
    members: dict[int | str, list[int]] = {}
    for record, label in enumerate(labels):
        plain = int(label) if isinstance(label, float) and label.is_integer() else label
        key = plain if isinstance(plain, str) else whole(plain, f"the label of record {record}")
        members.setdefault(key, []).append(record)
    return tuple(map(tuple, members.values()))


def whole(value: object, what: str) -> int:
    """Return an integer, of whatever type. Raises Unintelligible."""
    number = None if isinstance(value, bool) else index_of(value)
    if number is None:
        raise Unintelligible(f"{what} must be an integer, not {shown_value(value)}")
    if abs(number) > GREATEST:
        raise Unintelligible(f"{what} must be an integer of at most 18 digits")
    return number


def answer_number_text(value: object, what: str) -> str:
    """Return the text of a number, or a text as it is.

    The judge reads the text. Raises Unintelligible.

    Integers and fractions keep all their digits; a float is the decimal that it is printed as.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or value is None or not hasattr(value, "__float__"):
        raise Unintelligible(f"{what} must be a number or its text, not {shown_value(value)}")
    exact = isinstance(value, Rational) or not hasattr(value, "is_integer")
    try:
        return str(value) if exact else repr(float(value))
    except (ValueError, OverflowError):
        raise Unintelligible(f"{what} is a number of too many digits") from None


def shown_value(value: object) -> str:
    """Return a value for a message, cut short."""
    if isinstance(value, bytes):
        value = value[:80].decode("utf-8", "replace")
    try:
        text = repr(value[:80] if isinstance(value, (str, list, tuple)) else value)
    except Exception:  # numbers of too many digits, and objects of any kind
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= 80 else f"{text[:80]}..."


def _groups(groups: Any) -> tuple[tuple[int, ...], ...] | None:
    if groups is None:
        return None
    if not _rows(groups):
        raise Unintelligible(f"groups must be lists of record numbers, not {shown_value(groups)}")
    return tuple(tuple(whole(record, "a record") for record in group) for group in groups)


def _released(rows: Any) -> tuple[tuple[str, ...], ...]:
    if not _rows(rows):
        raise Unintelligible(f"released must be a list of rows, not {shown_value(rows)}")
    return tuple(tuple(answer_number_text(one, "a released value") for one in row) for row in rows)


def _message(reply: Mapping[str, object], key: str) -> str | None:
    value = reply.get(key)
    if value is not None and not isinstance(value, str):
        raise Unintelligible(f"{key} must be a text, not {shown_value(value)}")
    return None if value is None else value[:500]


def _rows(value: Any) -> bool:
    return _sequence(value) and all(map(_sequence, value))


def _sequence(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def _decimal(text: str) -> object:
    """Return a number with a point as text, or as an integer.

    1.0 is 1.
    """
    return int(text[:-2]) if text.endswith(".0") and len(text) < 20 else text


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not a JSON number")
