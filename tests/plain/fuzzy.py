"""Fuzzy microaggregation, with 30 digits."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from plain.decimals import DIGITS, Row, real, squared, uniform
from plain.stream import Stream

Rows = Sequence[Row]

STILL = Decimal("1e-6")
"""Centres that move by less than this share of the widest range are found; no distance counts as a
smaller share when records are drawn."""


def release(
    points: Sequence[Sequence[Fraction | int]], k: int, guarantee: str, seed: int, **given: Any
) -> tuple[list[list[Decimal]], list[int]]:
    """The centres, and for each record the number of its centre."""
    with localcontext(DIGITS):
        rows, stream = [[real(x) for x in row] for row in points], Stream(seed)
        wide = max(max(column) - min(column) for column in zip(*rows, strict=True))
        at = beginnings(rows, given["c"] or max(1, len(rows) // k), stream)
        for _ in range(given["limit"]):
            before, at = at, means(rows, at, given)
            if all(
                abs(x - y) <= STILL * wide
                for a, b in zip(before, at, strict=True)
                for x, y in zip(a, b, strict=True)
            ):
                break
        floor = (STILL * wide) ** 2
        gaps = [[max(squared(row, centre), floor) for centre in at] for row in rows]
        everyone = list(range(len(at)))
        homes = [drawn(own, everyone, given, stream) for own in gaps]
        while guarantee != "none":
            small = [i for i in everyone if 0 < homes.count(i) < k]
            if not small:
                break
            gone = min(small, key=homes.count)
            left = [i for i in everyone if i in homes and i != gone]
            nearest = min(left, key=lambda i: squared(at[gone], at[i]))
            for record, own in enumerate(gaps):
                if homes[record] == gone:
                    homes[record] = (
                        nearest if guarantee == "merge" else drawn(own, left, given, stream)
                    )
        return at, homes


def beginnings(rows: Rows, c: int, stream: Stream) -> list[Row]:
    chosen: list[Row] = []
    while len(chosen) < c:
        others = [row for row in rows if row not in chosen] or rows
        chosen.append(others[stream.below(len(others))])
    return chosen


def shares(gaps: Row, stage: str, given: dict[str, Any]) -> list[Decimal]:
    """The memberships at these squared distances."""
    m, least = real(given[f"m{stage}"]), min(gaps)
    if given["kind"] == "efcm":
        raw = [(real(given[f"lambda{stage}"]) * (least - gap)).exp() for gap in gaps]
    elif m == 1 or not least:
        raw = [Decimal(gap == least) for gap in gaps]
    else:
        raw = [(least / gap) ** (1 / (m - 1)) for gap in gaps]
    return [share / sum(raw) for share in raw]


def means(rows: Rows, at: Rows, given: dict[str, Any]) -> list[Row]:
    members = [shares([squared(row, centre) for centre in at], "1", given) for row in rows]
    power = real(given["m1"]) if given["kind"] == "fcm" else Decimal(1)
    found: list[Row] = []
    for i, centre in enumerate(at):
        weights = [own[i] ** power if own[i] else Decimal(0) for own in members]
        total = sum(weights)
        found.append(
            [
                sum((w * x for w, x in zip(weights, column, strict=True)), Decimal(0)) / total
                for column in zip(*rows, strict=True)
            ]
            if total
            else centre
        )
    return found


def drawn(gaps: Row, among: Sequence[int], given: dict[str, Any], stream: Stream) -> int:
    """The number of one of these centres; what is certain is not drawn."""
    own = [gaps[i] for i in among]
    if given["kind"] == "fcm" and given["m2"] == 1:
        return among[own.index(min(own))]
    chances = shares(own, "2", given)
    if float(max(chances)) == 1:
        return among[chances.index(max(chances))]
    level = uniform(stream) * sum(chances)
    for number, chance in zip(among, chances, strict=True):
        level -= chance
        if level < 0:
            return number
    return among[-1]
