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

from oracle.certificate import Rejected, demand
from oracle.certificate.conic import Conic

FORMAT = "refagg certificate 3"

MOST_PACKED, MOST_BYTES, MOST_TIMES, ALLOWED = 200_000_000, 500_000_000, 110, 1 << 20
"""Bytes of a file as it is stored, and unpacked: at most this multiple, and some more."""

MOST_DIGITS, MOST_OBJECTS, DEEPEST = 2200, 100_000, 300
"""Digits of an integer, numerator, denominator or cell; objects; nodes above a node."""


Row = tuple[Fraction, ...]
Pair = tuple[int, int]


class Duals(NamedTuple):
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

    filters: list[Duals]
    costs: Literal["rounded", "exact"]
    duals: Duals


class Division(NamedTuple):
    """The records of a pair share a group, or they do not."""

    filters: list[Duals]
    pair: Pair
    together: Node
    apart: Node


class Split(NamedTuple):
    """Two nodes share the costs.

    Inside, groups that begin with one of some records have theirs, outside all others.
    """

    filters: list[Duals]
    costs: Literal["rounded", "exact"]
    first: list[int]
    limit: int
    inside: Node
    outside: Node


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
    cuts: list[tuple[list[int], list[int], int]]
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
        demand(len(content) <= most, f"{path}: more than {most} bytes, which is the limit")
        return content.decode("utf-8-sig")
    except (EOFError, OSError, zlib.error, UnicodeDecodeError) as error:
        raise Rejected(f"{path} cannot be unpacked, or is not UTF-8: {error}") from None


def read_rows(path: Path, attributes: Sequence[str], delimiter: str = ",") -> tuple[Row, ...]:
    """Read the values of these attributes.

    Raises Rejected if the file has others, OSError.
    """
    try:
        table = csv.reader(StringIO(read_content(path), newline=""), delimiter=delimiter)
        names, *lines = [[cell.strip(" \t") for cell in line] for line in table if line] or [[]]
    except csv.Error as error:
        raise Rejected(f"{path} cannot be read: {error}") from None
    wrong = [name for name in attributes if names.count(name) != 1]
    demand(not wrong, f"{path}: expected the attributes {wrong} once in the first line")
    return tuple(
        tuple(_number(cells.get(name, ""), f"{path}: record {i}, {name!r}") for name in attributes)
        for i, cells in enumerate(dict(zip(names, line, strict=False)) for line in lines)
    )


def _number(text: str, where: str) -> Fraction:
    match = _DECIMAL.fullmatch(text)
    right = match and len(text) <= MOST_DIGITS and abs(int(match[1] or 0)) <= MOST_DIGITS
    demand(right, f"{where}: expected a number, found {text!r:.60}")
    return Fraction(text)


_DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE]([+-]?\d{1,4}))?", re.ASCII)


def data_digest(attributes: Sequence[str], rows: Sequence[Row]) -> str:
    """Return the SHA-256 of a table.

    Hashed are the names as JSON and, each row in a line, the values in lowest terms.

    >>> data_digest(["a"], [(Fraction(1, 2),), (Fraction(3),)])[:12]
    'bafae5389fde'
    """
    try:
        lines = [json.dumps(list(attributes)), *(",".join(map(str, row)) for row in rows)]
    except ValueError as error:  # more digits than Python writes
        raise Rejected(f"the data: {error}") from None
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def seal(data: Mapping[str, object]) -> str:
    """Return the SHA-256 of a certificate whose seal is empty.

    Its JSON has sorted keys and no blanks.
    """
    text = json.dumps({**data, "seal": ""}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def certificate_of(text: str, where: str) -> Certificate:
    """Read a certificate from a text; messages name it `where`. Raises Rejected."""
    demand(text.count("{") <= MOST_OBJECTS, f"{where}: over the limit of {MOST_OBJECTS} objects")
    try:
        data = json.loads(text, parse_int=_integer, object_pairs_hook=_object)
        found = data.get("format") if isinstance(data, dict) else data
        demand(found == FORMAT, f"{where}: expected {FORMAT!r} (see docs), found {found!r:.60}")
        certificate: Certificate = _read(Certificate, data, "certificate")
    except (json.JSONDecodeError, RecursionError) as error:
        raise Rejected(f"{where} cannot be read as JSON: {error}") from None
    demand(certificate.seal == seal(data), "certificate.seal: something was changed")
    return certificate


def _integer(text: str) -> object:
    """Return an integer, or what is none if it is too long."""
    return int(text) if len(text) <= MOST_DIGITS else b"over the limit of %d digits" % MOST_DIGITS


def _object(pairs: list[tuple[str, object]]) -> object:
    """Return an object, or bytes if a key is there twice."""
    data = dict(pairs)
    return data if len(data) == len(pairs) else b"an object with the same key twice"


def _read(kind: Any, data: Any, where: str) -> Any:
    """Return the data as a value of a type.

    Raises Rejected, with the place, for other data.
    """
    inner, origin = get_args(kind), get_origin(kind)
    if kind == Node and isinstance(data, dict) and where.count(".") <= DEEPEST + 1:
        kind = max(inner, key=lambda one: len(data.keys() & one._fields))
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
    if kind is Fraction and type(data) is str and _FRACTION.fullmatch(data):
        return Fraction(data)
    if type(data) is kind or (type(data) is str and data in inner):
        return data
    name = kind.__name__ if isinstance(kind, type) else kind
    raise Rejected(f"{where}: expected {_NAMES.get(kind, name)}, found {data!r:.60}")


_FRACTION = re.compile(rf"(-?\d{{1,{MOST_DIGITS}}})(?:/([1-9]\d{{0,{MOST_DIGITS - 1}}}))?", re.A)

_NAMES = {Fraction: f'"p" or "p/q" (limit: {MOST_DIGITS})', Node: f"a node (limit: {DEEPEST} deep)"}
