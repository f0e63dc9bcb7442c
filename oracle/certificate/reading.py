"""A certificate as plain data, read from JSON. docs/certificate.md describes the format."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from oracle.certificate.errors import Rejected
from oracle.certificate.search import Cut

FORMAT = "refagg certificate 1"

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
    """The certificate in a file. Raises Rejected."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"), parse_float=_no_float)
    except (OSError, ValueError, RecursionError) as error:
        raise Rejected(f"{path} cannot be read as JSON: {error}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise Rejected(f"{path} is not of the format {FORMAT!r}")
    if data.get("seal") != seal(data):
        raise Rejected("the content does not belong to its seal: something in it was changed")
    try:
        return _certificate(data)
    except (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError) as error:
        raise Rejected(f"the certificate is not well formed: {error!r}") from None


def _no_float(text: str) -> float:
    raise ValueError(f"{text} is not a whole number; a certificate has no others")


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
        [str(name) for name in instance["attributes"]],
        instance["standardise"],
        str(instance["digest"]),
        _whole(data["k"]),
        _whole(data["largest"]),
        [_pair(pair) for pair in data["together"]],
        [_pair(pair) for pair in data["apart"]],
        [tuple(map(_whole, group)) for group in data["partition"]],
        Fraction(str(data["value"])),
        Fraction(str(data["bound"])),
        Fraction(str(data["per_unit"])),
        _whole(data["parts"]),
        _node(data["proof"]),
    )


def _node(data: dict[str, Any]) -> Node:
    _only(data, {"duals", "infeasible", "searched", "pair", "together", "apart", "next"})
    if ("pair" in data) != ("together" in data) or ("pair" in data) != ("apart" in data):
        raise ValueError("a division needs a pair and both of its halves")
    if ("pair" in data) + ("next" in data) + ("searched" in data) > 1:
        raise ValueError("a node is divided, goes on, or is searched to the end")
    return Node(
        _duals(data["duals"]) if "duals" in data else None,
        data.get("infeasible", False) is True,
        data.get("searched", False) is True,
        _pair(data["pair"]) if "pair" in data else None,
        _node(data["together"]) if "pair" in data else None,
        _node(data["apart"]) if "pair" in data else None,
        _node(data["next"]) if "next" in data else None,
    )


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
        raise ValueError(f"unknown: {', '.join(sorted(unknown))}")


def _pair(data: Any) -> Pair:
    a, b = map(_whole, data)
    return a, b


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{value!r} is not a whole number")
    return value
