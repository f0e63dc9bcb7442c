"""A certificate as plain data, read from JSON. docs/certificate.md describes the format."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from oracle.certificate.errors import Rejected
from oracle.certificate.files import content_of
from oracle.certificate.search import Cut

FORMAT = "refagg certificate 1"

MOST_DIGITS = 4000
"""A number has no more digits than this; nor has a denominator."""

DEEPEST = 200
"""No node of a proof has more nodes above it."""

_FRACTION = re.compile(
    rf"(-?\d{{1,{MOST_DIGITS}}})(?:/([1-9]\d{{0,{MOST_DIGITS - 1}}}))?", re.ASCII
)

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Duals:
    """Whole multipliers, and the bound that they are said to prove."""

    records: list[int]
    fewest: int
    most: int
    cuts: list[Cut]
    bound: int


@dataclass(frozen=True, slots=True)
class Node:
    """A part of a proof: duals, then a division, a further part, or nothing for a leaf."""

    duals: Duals | None
    infeasible: bool
    searched: bool
    pair: Pair | None
    together: Node | None
    apart: Node | None
    next: Node | None


EMPTY = Node(None, False, False, None, None, None, None)


@dataclass(frozen=True, slots=True)
class Certificate:
    """What is claimed, and its proof."""

    records: int
    attributes: list[str]
    standardise: str
    digest: str
    k: int
    largest: int
    together: list[Pair]
    apart: list[Pair]
    partition: list[tuple[int, ...]]
    value: Fraction
    bound: Fraction
    per_unit: Fraction
    parts: int
    proof: Node


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
    try:
        data = json.loads(
            text,
            parse_float=_no_float,
            parse_constant=_no_float,
            parse_int=_bounded,
            object_pairs_hook=_without_duplicates,
        )
    except (ValueError, RecursionError) as error:
        raise Rejected(f"{where} cannot be read as JSON: {error}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise Rejected(f"{where} is not of the format {FORMAT!r}")
    try:
        sealed = seal(data)
        certificate = _certificate(data)
    except RecursionError:
        raise Rejected("the certificate is not well formed: it is nested too deep") from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Rejected(f"the certificate is not well formed: {error!r}") from None
    if data.get("seal") != sealed:
        raise Rejected("the content does not belong to its seal: something in it was changed")
    return certificate


def _no_float(text: str) -> float:
    raise ValueError(f"{text} is not a whole number; a certificate has no others")


def _bounded(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise ValueError(f"a number of {len(text)} digits; {MOST_DIGITS} are allowed")
    return int(text)


def _without_duplicates(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise ValueError("an object has the same key twice")
    return data


def _certificate(data: dict[str, Any]) -> Certificate:
    _only(
        data,
        {"format", "instance", "objective", "k", "largest", "together", "apart"}
        | {"partition", "value", "bound", "per_unit", "parts", "proof", "seal"},
    )
    if data["objective"] != "sse":
        raise ValueError(f"objective {data['objective']!r}")
    instance = data["instance"]
    _only(instance, {"records", "attributes", "standardise", "digest"})
    if instance["standardise"] not in ("none", "population", "sample"):
        raise ValueError(f"standardise {instance['standardise']!r}")
    return Certificate(
        _whole(instance["records"]),
        _names(instance["attributes"]),
        instance["standardise"],
        _text(instance["digest"]),
        _whole(data["k"]),
        _whole(data["largest"]),
        [_pair(pair) for pair in data["together"]],
        [_pair(pair) for pair in data["apart"]],
        [tuple(map(_whole, group)) for group in data["partition"]],
        _fraction(data["value"]),
        _fraction(data["bound"]),
        _fraction(data["per_unit"]),
        _whole(data["parts"]),
        _node(data["proof"], 0),
    )


def _node(data: dict[str, Any], above: int) -> Node:
    if above > DEEPEST:
        raise ValueError(f"a node has more than {DEEPEST} nodes above it")
    _only(data, {"duals", "infeasible", "searched", "pair", "together", "apart", "next"})
    if ("pair" in data) != ("together" in data) or ("pair" in data) != ("apart" in data):
        raise ValueError("a division needs a pair and both of its halves")
    if ("pair" in data) + ("next" in data) + ("searched" in data) > 1:
        raise ValueError("a node is divided, goes on, or is searched to the end")
    return Node(
        _duals(data["duals"]) if "duals" in data else None,
        _flag(data, "infeasible"),
        _flag(data, "searched"),
        _pair(data["pair"]) if "pair" in data else None,
        _node(data["together"], above + 1) if "pair" in data else None,
        _node(data["apart"], above + 1) if "pair" in data else None,
        _node(data["next"], above + 1) if "next" in data else None,
    )


def _flag(data: dict[str, Any], key: str) -> bool:
    value = data.get(key, False)
    if not isinstance(value, bool):
        raise TypeError(f"{key} is {value!r}, not true or false")
    return value


def _duals(data: dict[str, Any]) -> Duals:
    _only(data, {"records", "fewest", "most", "cuts", "bound"})
    cuts = []
    for records, weights, divisor, price in data["cuts"]:
        if len(set(records)) != len(records) or len(weights) != len(records):
            raise ValueError("a cut needs one weight for each of its records")
        pairs = zip(map(_whole, records), map(_whole, weights), strict=True)
        cuts.append(Cut(dict(pairs), _whole(divisor), _whole(price)))
    return Duals(
        [_whole(y) for y in data["records"]],
        _whole(data["fewest"]),
        _whole(data["most"]),
        cuts,
        _whole(data["bound"]),
    )


def _only(data: dict[str, Any], known: set[str]) -> None:
    if unknown := data.keys() - known:
        raise ValueError(f"unknown: {', '.join(map(repr, sorted(unknown)))}")


def _pair(data: Any) -> Pair:
    a, b = map(_whole, data)
    return a, b


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{value!r} is not a whole number")
    return value


def _fraction(value: Any) -> Fraction:
    """The number that "p" or "p/q" stands for, in ASCII digits, or a whole number."""
    if isinstance(value, int):
        return Fraction(_whole(value))
    match = _FRACTION.fullmatch(_text(value))
    if match is None:
        shown = repr(value if len(value) < 40 else f"{value[:40]}...")
        raise ValueError(f"{shown} is not p or p/q, of {MOST_DIGITS} digits each at most")
    return Fraction(int(match[1]), int(match[2] or 1))


def _names(value: Any) -> list[str]:
    if not isinstance(value, list) or not value:
        raise ValueError("there are no attributes")
    return [_text(name) for name in value]


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not text")
    return value
