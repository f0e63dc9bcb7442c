"""A certificate as plain data, read from JSON. docs/certificate.md describes the format.

The classes are the format: a JSON object has the keys of its class, those with a default may be
left out, and each value has the type of its field.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from oracle.certificate.errors import Rejected
from oracle.certificate.instance import Pair
from oracle.certificate.search import Duals
from oracle.certificate.table import content_of

FORMAT = "refagg certificate 2"

READABLE = ("refagg certificate 1", FORMAT)
"""Formats that are read; the first has no units of prices, so that each is 1."""

MOST_DIGITS, MOST_DIGITS_OF_INTEGERS = 2100, 200
"""A numerator or denominator, and an integer, have no more digits than this: ten times what the
certificates need that ship."""

MOST_NODES = 35_000
"""A proof has no more nodes than this: ten times those of the largest one that ships."""

_FRACTION = re.compile(r"(-?\d+)(?:/([1-9]\d*))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Node:
    """A part of a proof: duals, then a division, a further part, or nothing for a leaf."""

    duals: Duals | None = None
    infeasible: bool = False
    searched: bool = False
    pair: Pair | None = None
    together: Node | None = None
    apart: Node | None = None
    next: Node | None = None


@dataclass(frozen=True, slots=True)
class Data:
    """What a certificate is about."""

    records: int
    attributes: list[str]
    standardise: Literal["none", "population", "sample"]
    digest: str


@dataclass(frozen=True, slots=True)
class Certificate:
    """What is claimed, and its proof."""

    format: str
    instance: Data
    objective: Literal["sse"]
    k: int
    largest: int
    together: list[Pair]
    apart: list[Pair]
    partition: list[list[int]]
    value: Fraction
    bound: Fraction
    per_unit: Fraction
    parts: int
    proof: Node
    seal: str


def seal(data: Mapping[str, Any]) -> str:
    """SHA-256 of everything in a certificate but the seal itself."""
    content = {key: value for key, value in data.items() if key != "seal"}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def read_certificate(path: Path) -> Certificate:
    """The certificate in a file, which may be compressed by gzip. Raises Rejected, OSError."""
    return certificate_of(content_of(path), path)


def certificate_of(text: str, where: str | Path) -> Certificate:
    """The certificate in a text; `where` it is, for messages. Raises Rejected."""
    hooks: dict[str, Any] = {"parse_float": _no_float, "parse_constant": _no_float}
    if text.count("{") > 2 * MOST_NODES + 2:
        raise Rejected(f"{where} has more than the {MOST_NODES} nodes that are the limit")
    try:
        data = json.loads(text, parse_int=_bounded, object_pairs_hook=_no_key_twice, **hooks)
    except (ValueError, RecursionError) as error:
        raise Rejected(f"{where} cannot be read as JSON: {error}") from None
    if not isinstance(data, dict) or data.get("format") not in READABLE:
        raise Rejected(f"{where} is not of the format {FORMAT!r}")
    try:
        certificate: Certificate = _read(Certificate, data)
        sealed = seal(data)
    except (TypeError, ValueError, RecursionError) as error:
        raise Rejected(f"the certificate is not well formed: {error}") from None
    if certificate.seal != sealed:
        raise Rejected("the content does not belong to its seal: something in it was changed")
    return certificate


def _no_float(text: str) -> float:
    raise ValueError(f"{text} is not an integer; a certificate has no others")


def _bounded(text: str, most: int = MOST_DIGITS_OF_INTEGERS) -> int:
    if len(text) > most:
        raise ValueError(f"a number of {len(text)} digits; {most} are the limit")
    return int(text)


def _no_key_twice(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise ValueError("an object has the same key twice")
    return data


_types: Callable[[Any], dict[str, Any]] = cache(get_type_hints)


def _read(kind: Any, data: Any) -> Any:
    """The data as a value of a type. Raises ValueError, TypeError if they are none."""
    inner = get_args(kind)
    if NoneType in inner:
        return _read(inner[0], data)
    if kind is Fraction:
        return _fraction(data)
    if isinstance(data, dict) and hasattr(kind, "__dataclass_fields__"):
        types = _types(kind)
        if unknown := data.keys() - types.keys():
            raise ValueError(f"unknown: {', '.join(map(repr, sorted(unknown)))}")
        return kind(**{key: _read(types[key], value) for key, value in data.items()})
    if isinstance(data, list) and get_origin(kind) is list:
        return [_read(inner[0], value) for value in data]
    if isinstance(data, list) and get_origin(kind) is tuple:
        return tuple(_read(each, value) for each, value in zip(inner, data, strict=True))
    if data not in inner and type(data) is not kind:
        expected = " or ".join(map(repr, inner)) or _names.get(kind, "what belongs here")
        raise TypeError(f"{data!r} is not {expected}")
    return data


_names = {int: "an integer", str: "a text", bool: "true or false"}


def _fraction(value: Any) -> Fraction:
    """The number that "p" or "p/q" stands for, in ASCII digits, or an integer."""
    match = _FRACTION.fullmatch(str(value))
    if match is None or type(value) not in (str, int):
        raise ValueError(f"{value!r} is not p or p/q")
    return Fraction(_bounded(match[1], MOST_DIGITS), _bounded(match[2] or "1", MOST_DIGITS))
