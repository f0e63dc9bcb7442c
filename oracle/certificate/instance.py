"""The data that a certificate is about, read from a CSV file, and their squared distances.

An attribute of a standardised file weighs 1 / variance, which is rational, so that SSE is a
rational number too.
"""

from __future__ import annotations

import csv
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from io import StringIO
from math import lcm
from pathlib import Path

from oracle.certificate.errors import Rejected
from oracle.certificate.files import content_of

MOST_DIGITS = 1000
"""A cell has no more characters than this, nor a power of ten beyond it."""

_DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE]([+-]?\d{1,4}))?", re.ASCII)
_WORD = re.compile(r"[\w.-]+")

Row = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Instance:
    """Records of exact values, and the weight of each attribute in a squared distance."""

    attributes: tuple[str, ...]
    rows: tuple[Row, ...]
    weights: tuple[Fraction, ...]

    @property
    def n(self) -> int:
        return len(self.rows)


def read_rows(path: Path, attributes: Sequence[str], delimiter: str = ",") -> tuple[Row, ...]:
    """The values of these attributes. Raises Rejected if the file has others, OSError."""
    try:
        text = StringIO(content_of(path), newline="")
        header, *lines = [line for line in csv.reader(text, delimiter=delimiter) if line] or [[]]
    except csv.Error as error:
        raise Rejected(f"{path} cannot be read: {error}") from None
    header = [name.strip() for name in header]
    if any(header.count(name) != 1 for name in attributes):
        names = ", ".join(map(shown, attributes))
        raise Rejected(f"{path} does not have each of the attributes {names} once")
    places = [header.index(name) for name in attributes]
    try:
        return tuple(tuple(_value(line[place]) for place in places) for line in lines)
    except (ValueError, IndexError):
        raise Rejected(f"{path} has a row without a number for each attribute") from None


def _value(cell: str) -> Fraction:
    """The number in a cell. Raises ValueError for what is none, or is long."""
    cell = cell.strip()
    match = _DECIMAL.fullmatch(cell)
    if match is None or len(cell) > MOST_DIGITS or abs(int(match[1] or 0)) > MOST_DIGITS:
        raise ValueError(cell)
    return Fraction(cell)


def shown(name: str) -> str:
    """A name for a reader: as it is if it is a plain word, else quoted, in ASCII."""
    return name if _WORD.fullmatch(name) else json.dumps(name)


def instance_of(attributes: Sequence[str], rows: Sequence[Row], standardise: str) -> Instance:
    """The instance on a scale: "none", "population" or "sample"."""
    columns = list(zip(*rows, strict=True))
    weights = tuple(_weight(column, standardise) for column in columns)
    return Instance(tuple(attributes), tuple(rows), weights)


def _weight(column: Sequence[Fraction], standardise: str) -> Fraction:
    if standardise == "none":
        return Fraction(1)
    n = len(column)
    mean = sum(column, Fraction(0)) / n
    squares = sum(((x - mean) ** 2 for x in column), Fraction(0))
    divisor = n if standardise == "population" else max(n - 1, 1)
    return divisor / squares if squares else Fraction(0)


def digest(attributes: Sequence[str], rows: Sequence[Row]) -> str:
    """SHA-256 of the names as JSON and, each in a line, the values as fractions in lowest terms.

    >>> digest(["a"], [(Fraction(1, 2),), (Fraction(3),)])[:12]
    'bafae5389fde'
    """
    lines = [json.dumps(list(attributes)), *(",".join(map(str, row)) for row in rows)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def group_sse(instance: Instance, group: Sequence[int]) -> Fraction:
    """The sum of squared distances of some records from their mean."""
    total = Fraction(0)
    for weight, column in zip(instance.weights, zip(*instance.rows, strict=True), strict=True):
        if weight:
            values = [column[record] for record in group]
            total += weight * (sum(x * x for x in values) - sum(values) ** 2 / len(values))
    return total


@lru_cache(maxsize=2)
def distances(instance: Instance, per_unit: Fraction) -> list[list[int]]:
    """Squared distances, rounded down to whole multiples of 1 / per_unit."""
    scale = [weight * per_unit for weight in instance.weights]
    wholes = []
    for column, factor in zip(zip(*instance.rows, strict=True), scale, strict=True):
        unit = lcm(*(value.denominator for value in column))
        whole = [int(value * unit) for value in column]
        wholes.append((whole, factor / unit**2))
    common = lcm(*(factor.denominator for _, factor in wholes))
    weights = [int(factor * common) for _, factor in wholes]
    records = list(zip(*(whole for whole, _ in wholes), strict=True))
    rows: list[list[int]] = []
    for i, record in enumerate(records):
        row = [rows[j][i] for j in range(i)]
        for other in records[i:]:
            exact = 0
            for weight, x, y in zip(weights, record, other, strict=True):
                difference = x - y
                exact += weight * difference * difference
            row.append(exact // common)
        rows.append(row)
    return rows
