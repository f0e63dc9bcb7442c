"""Round trips, each change by measuring the whole trip anew."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from plain.geometry import Point, gap, middle, most_distant


def legs(trip: list[int]) -> list[tuple[int, int]]:
    return list(zip(trip, trip[1:] + trip[:1], strict=True))


def measured(points: Sequence[Point], trip: list[int]) -> Fraction:
    return sum((gap(points[a], points[b]) for a, b in legs(trip)), Fraction(0))


def grown(points: Sequence[Point]) -> list[int]:
    everybody = list(range(len(points)))
    trip = [most_distant(points, middle(points), everybody)]
    while len(trip) < len(points):
        away = {i: min(gap(points[i], points[j]) for j in trip) for i in everybody if i not in trip}
        new = min(away, key=lambda i: (-away[i], i))
        places = range(1, len(trip) + 1) if len(trip) != 2 else [1]
        trips = [([*trip[:p], new, *trip[p:]], sorted(legs(trip)[p - 1])) for p in places]
        trip = min(trips, key=lambda option: (measured(points, option[0]), option[1]))[0]
    return trip


def untangled(points: Sequence[Point], way: list[int]) -> list[int]:
    trip, n = way, len(way)
    while True:
        before = trip
        for i in range(n - 2):
            turned = [trip[: i + 1] + trip[j:i:-1] + trip[j + 1 :] for j in range(i + 2, n)]
            best = min(turned, key=lambda t: (measured(points, t), t[i + 1]))
            if measured(points, best) < measured(points, trip):
                trip = best
        if trip == before:
            return trip


def path(points: Sequence[Point], trip: list[int]) -> list[int]:
    """Opened at its longest leg."""
    places = range(len(trip)) if len(trip) != 2 else [0]
    last = min(
        places, key=lambda p: (-gap(*(points[i] for i in legs(trip)[p])), sorted(legs(trip)[p]))
    )
    return trip[last + 1 :] + trip[: last + 1]
