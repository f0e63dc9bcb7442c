"""MDAV as programs write it that were tried on small numbers: wrong on files as offices have.

Values that do not fit their type, texts that are sorted, digits that are cut, counters that are
too short, parts of a file that are never looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from math import copysign, log1p

import numpy as np

from . import whole
from .implementation import Groups, Program, Rows

column = whole.by_column


def in_32_bits(number: float) -> float:
    """A whole number that wraps around as an int of C does."""
    return float((int(number) + 2**31) % 2**32 - 2**31)


def fits(*points: whole.Point) -> bool:
    """Are these whole numbers of 32 bits? Others are calculated with as they are."""
    return all(value == int(value) and abs(value) < 2**31 for point in points for value in point)


def wrapped_squares(a: whole.Point, b: whole.Point) -> float:
    total = whole.squared(a, b)
    return in_32_bits(total) if fits(a, b) else total


def unsigned_squares(a: whole.Point, b: whole.Point) -> float:
    total = whole.squared(a, b)
    return total % 2**32 if fits(a, b) else total


def saturated_squares(a: whole.Point, b: whole.Point) -> float:
    total = whole.squared(a, b)
    return min(total, 2.0**31 - 1) if fits(a, b) else total


def squares_in_binary32(a: whole.Point, b: whole.Point) -> float:
    differences = np.array(a, dtype=np.float32) - np.array(b, dtype=np.float32)
    with np.errstate(over="ignore"):
        return float((differences * differences).sum(dtype=np.float32))


def squares_in_64_bits(a: whole.Point, b: whole.Point) -> float:
    """Of whole numbers of 32 bits; squares of others are floats."""
    if not fits(a, b):
        return whole.squared(a, b)
    total = sum((int(x) - int(y)) ** 2 for x, y in zip(a, b, strict=True))
    return float((total + 2**63) % 2**64 - 2**63)


def whole_roots(a: whole.Point, b: whole.Point) -> float:
    return float(int(whole.squared(a, b) ** 0.5))


def at_most(limit: float) -> whole.Distance:
    """A comparison that starts from a "largest" number, which is too small."""
    return lambda a, b: min(whole.squared(a, b), limit)


def without_zeros(a: whole.Point, b: whole.Point) -> float:
    """Attributes that are 0 in one of two records are left out, as missing ones are."""
    pairs = [(x, y) for x, y in zip(a, b, strict=True) if x and y]
    return sum((x - y) ** 2 for x, y in pairs) * len(a) / len(pairs) if pairs else 0.0


def first(number: int) -> whole.Distance:
    return lambda a, b: whole.squared(a[:number], b[:number])


def filled_zeros(values: list[float]) -> list[float]:
    """Many zeros are missing values, and become the mean of the others."""
    there = [value for value in values if value]
    if not there or 3 * len(there) > 2 * len(values):
        return values
    return [value or sum(there) / len(there) for value in values]


def no_zeros(rows: list[list[float]]) -> list[list[float]]:
    """A record of which most is 0 is moved to the others."""
    most = max((abs(value) for row in rows for value in row), default=0.0)
    return [[most] * len(row) if 2 * row.count(0.0) > len(row) > 1 else row for row in rows]


def two_digits(values: list[float]) -> list[float]:
    """Years without their century."""
    return [value % 100 if 1800 <= value < 2100 else value for value in values]


def clipped(values: list[float]) -> list[float]:
    """In a file of some length, the greatest two values are cut to the third."""
    top = sorted(values)[-3] if len(values) > 20 else max(values)
    return [min(value, top) for value in values]


def digits(number: int) -> whole.Prepare:
    """As `printf("%g")` writes decimals into a file between two steps."""
    return column(lambda values: [x if x == int(x) else float(f"{x:.{number}g}") for x in values])


def places(number: int) -> whole.Prepare:
    return column(lambda values: [round(value, number) for value in values])


def in_logarithms(values: list[float]) -> list[float]:
    return [copysign(log1p(abs(value)), value) for value in values]


def as_text(values: list[float]) -> list[float]:
    """The places of whole numbers of three and more digits that are sorted as texts."""
    if any(value != int(value) or value < 100 for value in values):
        return values
    order = sorted({f"{value:g}" for value in values})
    return [float(order.index(f"{value:g}")) for value in values]


def eight_bytes(values: list[float]) -> list[float]:
    """Decimals in a field of eight characters."""
    return [x if x == int(x) else float(f"{x:.2f}"[:8]) for x in values]


def as_factor(values: list[float]) -> list[float]:
    """Whole numbers of five digits are codes, numbered as they come."""
    if any(value != int(value) or not 1000 <= value < 100000 for value in values):
        return values
    seen = list(dict.fromkeys(values))
    return [float(seen.index(value)) for value in values]


def years_from_1970(values: list[float]) -> list[float]:
    return [max(value - 1970, 0.0) if 1800 <= value < 2100 else value for value in values]


def tied_within(share: float) -> Program:
    """The farthest record is the first that is nearly as far as any."""

    def near(records: Rows, k: int) -> Groups:
        largest = max(abs(value) for row in records for value in row) or 1.0
        unit = (share * largest) ** 2 if largest < 1e300 else 1.0
        return whole.mdav(
            [list(map(float, row)) for row in records],
            k,
            lambda a, b: float(int(whole.squared(a, b) / unit)),
        )

    return lambda records, k, **given: near(records, k)


def chunks(size: int) -> Program:
    """A file that is read in pieces, each grouped by itself."""

    def program(records: Rows, k: int, **given: object) -> Groups:
        groups: Groups = []
        starts = list(range(0, max(len(records) - k + 1, 1), size))
        for start, end in zip(starts, [*starts[1:], len(records)], strict=True):
            own = [list(map(float, row)) for row in records[start:end]]
            groups += [[start + i for i in group] for group in whole.mdav(own, k)]
        return groups

    return program


def labels(change: Callable[[int], int]) -> Program:
    """Groups whose numbers do not fit the type in which they are kept."""

    def program(records: Rows, k: int, **given: object) -> list[int]:
        found = whole.mdav([list(map(float, row)) for row in records], k)
        by_record = {i: change(number) for number, group in enumerate(found) for i in group}
        return [by_record[i] for i in range(len(records))]

    return program


def first_fifty(records: Rows, k: int, **given: object) -> Groups:
    """A table of fifty rows: the others are put into the last group."""
    groups = whole.mdav([list(map(float, row)) for row in records[:50]], min(k, 50))
    groups[-1] += range(50, len(records))
    return groups


def least_k(most: int) -> Program:
    return lambda records, k, **given: whole.mdav(
        [list(map(float, row)) for row in records], min(k, most)
    )


def sums_in_binary32(points: list[whole.Point], ids: list[int]) -> list[float]:
    total = np.zeros(len(points[0]), dtype=np.float32)
    for i in ids:
        total += np.array(points[i], dtype=np.float32)
    return [float(x) for x in total / np.float32(len(ids))]


def root_in_binary32(a: whole.Point, b: whole.Point) -> float:
    """A distance that is stored in a smaller type."""
    with np.errstate(over="ignore"):
        return float(np.float32(whole.squared(a, b) ** 0.5))


def sums_in_32_bits(points: list[whole.Point], ids: list[int]) -> list[float]:
    if not fits(*(points[i] for i in ids)):
        return whole.mean_point(points, ids)
    columns = zip(*(points[i] for i in ids), strict=True)
    return [in_32_bits(sum(values)) / len(ids) for values in columns]


def whole_means(points: list[whole.Point], ids: list[int]) -> list[float]:
    """In a table of whole numbers of some digits."""
    means = whole.mean_point(points, ids)
    return list(map(round, means)) if fits(*points) and max(map(max, points)) > 1000 else means


made = whole.program

ON_REAL_DATA: dict[str, Program] = {
    "squares of differences wrap around at 32 bits": made(distance=wrapped_squares),
    "squares of differences wrap around at 32 bits without a sign": made(distance=unsigned_squares),
    "squares of differences stop at 2^31": made(distance=saturated_squares),
    "squares of differences wrap around at 64 bits": made(distance=squares_in_64_bits),
    "squares of differences are in binary32": made(distance=squares_in_binary32),
    "distances are stored in binary32": made(distance=root_in_binary32),
    "sums wrap around at 32 bits": made(middle=sums_in_32_bits),
    "sums are in binary32": made(middle=sums_in_binary32),
    "means are rounded to whole numbers": made(middle=whole_means),
    "distances are cut to whole numbers": made(distance=whole_roots),
    "no distance is greater than 10^9": made(distance=at_most(1e9)),
    "no distance is greater than 10^12": made(distance=at_most(1e12)),
    "values wrap around at 32 bits": made(column(lambda v: [in_32_bits(x) for x in v])),
    "zeros are left out as missing": made(distance=without_zeros),
    "records with many zeros are moved": made(no_zeros),
    "zeros are filled in as missing": made(column(filled_zeros)),
    "years have two digits": made(column(two_digits)),
    "years are counted from 1970": made(column(years_from_1970)),
    "outliers are cut": made(column(clipped)),
    "six digits of decimals are kept": made(digits(6)),
    "seven digits of decimals are kept": made(digits(7)),
    "one decimal is kept": made(places(1)),
    "values are taken as logarithms": made(column(in_logarithms)),
    "numbers are sorted as texts": made(column(as_text)),
    "decimals have eight characters": made(column(eight_bytes)),
    "large whole numbers are codes": made(column(as_factor)),
    "distances are compared to a thousandth of the largest value": tied_within(1e-3),
    "three attributes are looked at": made(distance=first(3)),
    "five attributes are looked at": made(distance=first(5)),
    "a file is read in pieces of 32": chunks(32),
    "a file is read in pieces of 1000": chunks(1000),
    "fifty records are looked at": first_fifty,
    "groups are numbered to 127": labels(lambda number: min(number, 127)),
    "groups are numbered in 7 bits": labels(lambda number: number % 128),
    "groups are numbered in 8 bits": labels(lambda number: number % 256),
    "k is at most 5": least_k(5),
    "k is at most 6": least_k(6),
}
"""What is wrong, and the program."""
