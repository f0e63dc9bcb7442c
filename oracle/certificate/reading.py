"""Certificates and tables as plain data, read from untrusted files.

The classes are the format of docs/certificate.md: a JSON object has the keys of its class, all of
them and no others, and each value has the type of its field. What is not so is rejected with its
place.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from fractions import Fraction
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

FORMAT = "refagg certificate 3"

MOST_PACKED, MOST_BYTES, MOST_TIMES, ALLOWED = 200_000_000, 500_000_000, 110, 1 << 20
"""Bytes of a file as it is stored, and unpacked: at most this multiple, and some more."""

MOST_DIGITS, MOST_OBJECTS, DEEPEST = 2200, 100_000, 300
"""Digits of an integer, numerator, denominator or cell; objects; nodes above a node."""


class Rejected(Exception):
    """The certificate does not prove its claim; the message says why."""


Row = tuple[Fraction, ...]
Pair = tuple[int, int]
Cut = tuple[list[int], list[int], int]
"""Records, their weights, a divisor."""


class CertificateDuals(NamedTuple):
    """Prices of constraints, in multiples of a unit.

    The price of a cut comes with the number of the cut.
    """

    unit: int
    records: list[int]
    fewest: int
    most: int
    cuts: list[Pair]


class Leaf(NamedTuple):
    """Duals prove a bound, on costs that are rounded or exact."""

    filters: list[CertificateDuals]
    costs: Literal["rounded", "exact"]
    duals: CertificateDuals


class Division(NamedTuple):
    """The records of a pair share a group, or they do not."""

    filters: list[CertificateDuals]
    pair: Pair
    together: Node
    apart: Node


class Split(NamedTuple):
    """Two nodes share the costs.

    Inside, groups that begin with one of some records have theirs, outside all others.
    """

    filters: list[CertificateDuals]
    costs: Literal["rounded", "exact"]
    first: list[int]
    limit: int
    inside: Node
    outside: Node


class Conic(NamedTuple):
    """Vectors that prove a bound (conic.py).

    They are multiples of whole vectors, with a scale for each record.
    """

    filters: list[CertificateDuals]
    unit: int
    records: list[int]
    most: int
    scales: list[int]
    vectors: list[list[int]]
    exchanges: list[tuple[int, int, int]]
    triangles: list[tuple[int, int, int, int]]


Node = Leaf | Division | Split | Conic


class Certificate(NamedTuple):
    """A claim and its proof."""

    format: str
    records: int
    attributes: list[str]
    standardise: Literal["none", "population", "sample"]
    digest: str
    k: int
    largest: int
    together: list[Pair]
    apart: list[Pair]
    partition: list[list[int]]
    value: Fraction
    bound: Fraction
    per_unit: Fraction
    parts: int
    cuts: list[Cut]
    proof: Node
    seal: str

    def __repr__(self) -> str:
        return f"<Certificate for {self.records} records, k = {self.k}>"


def read_content(path: Path) -> str:
    """Return the text of a file, unpacked if gzip has compressed it.

    Raises Rejected, OSError.
    """
    with path.open("rb") as file:
        content = file.read((most := MOST_PACKED) + 1)
    try:
        if content.startswith(b"\x1f\x8b") and len(content) <= most:
            most = min(MOST_BYTES, MOST_TIMES * len(content) + ALLOWED)
            content = gzip.GzipFile(fileobj=BytesIO(content)).read(most + 1)
        if len(content) > most:
            raise Rejected(f"{path}: more than {most} bytes, which is the limit")
        return content.decode("utf-8-sig")
    except (EOFError, OSError, zlib.error, UnicodeDecodeError) as error:
        raise Rejected(f"{path} cannot be unpacked, or is not UTF-8: {error}") from None


def read_rows(path: Path, attributes: Sequence[str], delimiter: str = ",") -> tuple[Row, ...]:
    """Read the values of these attributes.

    Raises Rejected if the file has others, OSError.
    """
    try:
        text = StringIO(read_content(path), newline="")
        lines = [line for line in csv.reader(text, delimiter=delimiter) if line] or [[]]
    except csv.Error as error:
        raise Rejected(f"{path} cannot be read: {error}") from None
    header = [name.strip() for name in lines[0]]
    if wrong := [name for name in attributes if header.count(name) != 1]:
        raise Rejected(f"{path}: expected the attribute {wrong[0]!r} once in the first line")
    places = [(name, header.index(name)) for name in attributes]
    return tuple(
        tuple(_number(line[p : p + 1], f"{path}: record {i}, {name!r}") for name, p in places)
        for i, line in enumerate(lines[1:])
    )


def _number(cells: Sequence[str], where: str) -> Fraction:
    text = "".join(cells).strip()
    match = _DECIMAL.fullmatch(text) if len(text) <= MOST_DIGITS else None
    if match is None or abs(int(match[1] or 0)) > MOST_DIGITS:
        raise Rejected(f"{where}: expected a number, found {text!r:.60}")
    return Fraction(text)


_DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE]([+-]?\d{1,4}))?", re.ASCII)


def _written(value: Fraction) -> str:
    try:
        return str(value)
    except ValueError as error:  # more digits than Python writes
        raise Rejected(f"the data: {error}") from None


def data_digest(attributes: Sequence[str], rows: Sequence[Row]) -> str:
    """Return the SHA-256 of a table.

    Hashed are the names as JSON and, each row in a line, the values in lowest terms.

    >>> data_digest(["a"], [(Fraction(1, 2),), (Fraction(3),)])[:12]
    'bafae5389fde'
    """
    lines = [json.dumps(list(attributes)), *(",".join(map(_written, row)) for row in rows)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def seal(data: Mapping[str, object]) -> str:
    """Return the SHA-256 of a certificate whose seal is empty.

    Its JSON has sorted keys and no blanks.
    """
    text = json.dumps({**data, "seal": ""}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def certificate_of(text: str, where: str) -> Certificate:
    """Read a certificate from a text; messages name it `where`. Raises Rejected."""
    if text.count("{") > MOST_OBJECTS:
        raise Rejected(f"{where}: more than {MOST_OBJECTS} objects, which is the limit")
    try:
        data = json.loads(text, parse_int=_integer, object_pairs_hook=_object)
        found = data.get("format") if isinstance(data, dict) else data
        if found != FORMAT:
            raise Rejected(f"{where}: expected {FORMAT!r}, found {found!r:.60} (docs: conversion)")
        certificate: Certificate = _read(Certificate, data, "certificate")
    except (json.JSONDecodeError, RecursionError) as error:
        raise Rejected(f"{where} cannot be read as JSON: {error}") from None
    if certificate.seal != seal(data):
        raise Rejected("certificate.seal: something in the certificate was changed")
    return certificate


class _Other(str):
    """Value that is not an integer or object, for a message."""


def _integer(text: str) -> int | _Other:
    if len(text) > MOST_DIGITS:
        return _Other(f"{len(text)} digits, over the limit of {MOST_DIGITS}")
    return int(text)


def _object(pairs: Sequence[tuple[str, object]]) -> dict[str, object] | _Other:
    data = dict(pairs)
    return data if len(data) == len(pairs) else _Other("an object with the same key twice")


def _read(kind: Any, data: Any, where: str) -> Any:
    """Return the data as a value of a type.

    Raises Rejected, with the place, for other data.
    """
    inner, origin = get_args(kind), get_origin(kind)
    if kind == Node and where.count(".") <= DEEPEST + 1:
        keys = data if isinstance(data, dict) else {}
        marks = {"pair": Division, "inside": Split, "vectors": Conic}
        kind = next((marks[key] for key in marks if key in keys), Leaf)
    if isinstance(data, dict) and hasattr(kind, "_fields"):
        types = get_type_hints(kind)
        if types.keys() != data.keys():
            raise Rejected(f"{where}: expected the keys {list(types)}, found {list(data)!s:.60}")
        return kind(**{key: _read(types[key], data[key], f"{where}.{key}") for key in types})
    if isinstance(data, list) and (origin is list or (origin is tuple and len(data) == len(inner))):
        if inner[0] is int and all(type(value) is int for value in data):
            return origin(data)  # most of a certificate is this
        kinds = inner if origin is tuple else inner * len(data)
        return origin(_read(kinds[i], value, f"{where}[{i}]") for i, value in enumerate(data))
    if kind is Fraction and type(data) is str and (match := _FRACTION.fullmatch(data)):
        return Fraction(int(match[1]), int(match[2] or "1"))
    if type(data) is kind or (type(data) is str and data in inner):
        return data
    expected = _NAMES.get(kind, kind.__name__ if isinstance(kind, type) else kind)
    raise Rejected(f"{where}: expected {expected}, found {data!r:.60}")


_FRACTION = re.compile(rf"(-?\d{{1,{MOST_DIGITS}}})(?:/([1-9]\d{{0,{MOST_DIGITS - 1}}}))?", re.A)

_NAMES = {Fraction: f'"p" or "p/q" (limit: {MOST_DIGITS})', Node: f"a node (limit: {DEEPEST} deep)"}
