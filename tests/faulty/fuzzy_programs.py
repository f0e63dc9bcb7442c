"""Fuzzy microaggregation in floats as other programs write it, with places to go wrong in.

Each step is a function in `Steps`; `program(Steps(...))` is a program with some of them changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, sqrt
from statistics import pstdev
from typing import Any

from refagg.language.random_stream import RandomStream

from .implementation import Program, Rows, settings_of, stream_for

Point = Sequence[float]
Points = list[list[float]]
Settings = dict[str, Any]
Shares = Callable[[Sequence[float], Settings, str], list[float]]


def distances(point: Point, centres: Points) -> list[float]:
    return [sqrt(sum((x - v) * (x - v) for x, v in zip(point, c, strict=True))) for c in centres]


def shares(gaps: Sequence[float], given: Settings, stage: str) -> list[float]:
    """The memberships of a record at these distances, in the stage "1" or "2"."""
    least, m = min(gaps), float(given[f"m{stage}"])
    if given["kind"] == "efcm":
        weight = float(given[f"lambda{stage}"])
        raw = [exp(weight * (least - d) * (least + d)) for d in gaps]
    elif m == 1 or least == 0:
        raw = [float(d == least) for d in gaps]
    else:
        raw = [(least / d) ** (2 / (m - 1)) for d in gaps]
    return [x / sum(raw) for x in raw]


def mean_of(rows: Rows, weights: Sequence[float]) -> list[float]:
    """The weighted mean; of equal records it is what they are."""
    counting = {tuple(row) for row, w in zip(rows, weights, strict=True) if w}
    if len(counting) == 1:
        return list(counting.pop())
    total = sum(weights)
    return [
        sum(w * x for w, x in zip(weights, column, strict=True)) / total
        for column in zip(*rows, strict=True)
    ]


def means(rows: Rows, members: Points, before: Points, given: Settings) -> Points:
    """The new centres; one without members stays."""
    power = float(given["m1"]) if given["kind"] == "fcm" else 1.0
    columns = list(zip(*members, strict=True))
    return [
        mean_of(rows, [u**power for u in own]) if any(own) else list(old)
        for own, old in zip(columns, before, strict=True)
    ]


def start(rows: Rows, c: int, stream: RandomStream) -> Points:
    """Records that differ, each drawn from those that differ from all before."""
    left, chosen = list(rows), []
    while left and len(chosen) < c:
        chosen.append(left[stream.randbelow(len(left))])
        left = [row for row in left if row != chosen[-1]]
    while len(chosen) < c:
        chosen.append(rows[stream.randbelow(len(rows))])
    return [list(row) for row in chosen]


def draw(chances: Sequence[float], stream: RandomStream) -> int:
    """No draw is made of what is certain."""
    return chances.index(1.0) if max(chances) == 1 else always_draw(chances, stream)


def always_draw(chances: Sequence[float], stream: RandomStream) -> int:
    level, reached = stream.uniform() * sum(chances), 0.0
    for number, chance in enumerate(chances):
        reached += chance
        if level < reached:
            return number
    return len(chances) - 1


def home(chances: Sequence[float], stream: RandomStream, m2: float) -> int:
    return list(chances).index(max(chances)) if m2 == 1 else draw(chances, stream)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A run: the centres, for each record the number of its centre, and what was drawn by."""

    centres: Points
    homes: list[int]
    chances: Points
    stream: RandomStream

    def rows(self) -> Points:
        return [list(self.centres[i]) for i in self.homes]

    def groups(self) -> list[list[int]]:
        numbers = sorted(set(self.homes))
        return [[r for r, i in enumerate(self.homes) if i == number] for number in numbers]


def guaranteed(drawn: Drawn, k: int, guarantee: str) -> Drawn:
    """Groups of fewer than k are dissolved, the smallest first."""
    homes = list(drawn.homes)
    while guarantee != "none":
        sizes = {i: homes.count(i) for i in sorted(set(homes))}
        small = min((i for i in sizes if sizes[i] < k), key=sizes.__getitem__, default=None)
        if small is None:
            break
        others = [i for i in sizes if i != small]
        gaps = distances(drawn.centres[small], [drawn.centres[i] for i in others])
        nearest = others[gaps.index(min(gaps))]
        for record in [r for r, i in enumerate(homes) if i == small]:
            left = [drawn.chances[record][i] for i in others]
            if guarantee == "redraw":
                nearest = others[draw([x / sum(left) for x in left], drawn.stream)]
            homes[record] = nearest
    return Drawn(drawn.centres, homes, drawn.chances, drawn.stream)


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of a program; `floor` is the least distance there is in the second stage."""

    start: Callable[[Rows, int, RandomStream], Points] = start
    shares: Shares = shares
    distances: Callable[[Point, Points], list[float]] = distances
    means: Callable[[Rows, Points, Points, Settings], Points] = means
    home: Callable[[Sequence[float], RandomStream, float], int] = home
    ends: Callable[[Drawn, int, str], Drawn] = guaranteed
    centres: Callable[[int, int], int] = lambda n, k: max(1, n // k)
    stream: Callable[[dict[str, Any]], RandomStream] = stream_for
    stop: float = 1e-6
    floor: float = 1e-6
    order: Callable[[int], Sequence[int]] = range
    """In which order records are drawn to centres."""
    tell: Callable[[Rows, Drawn, int], Any] = lambda rows, drawn, k: {"released": drawn.rows()}


def moved(before: Points, after: Points) -> float:
    pairs = zip(before, after, strict=True)
    return max(abs(x - y) for a, b in pairs for x, y in zip(a, b, strict=True))


def found(rows: Rows, at: Points, given: Settings, steps: Steps) -> Points:
    """The centres."""
    width = max(max(column) - min(column) for column in zip(*rows, strict=True))
    for _ in range(given["limit"]):
        members = [steps.shares(steps.distances(row, at), given, "1") for row in rows]
        before, at = at, steps.means(rows, members, at, given)
        if moved(before, at) <= steps.stop * width:
            break
    return at


def run(rows: Rows, k: int, steps: Steps, keywords: dict[str, Any]) -> Drawn:
    given, stream = settings_of("fuzzy", keywords), steps.stream(keywords)
    c = given["c"] or steps.centres(len(rows), k)
    at = found(rows, steps.start(rows, c, stream), given, steps)
    least = steps.floor * max(max(column) - min(column) for column in zip(*rows, strict=True))
    chances, homes = [[0.0] * len(at) for _ in rows], [0] * len(rows)
    for record in steps.order(len(rows)):
        gaps = [max(gap, least) for gap in steps.distances(rows[record], at)]
        chances[record] = steps.shares(gaps, given, "2") if any(gaps) else [1.0 / c] * c
        homes[record] = steps.home(chances[record], stream, float(given["m2"]))
    return steps.ends(Drawn(at, homes, chances, stream), k, given["guarantee"])


def program(steps: Steps | None = None, scaled: bool = False) -> Program:
    """A program with these steps; on z-scores, if it is `scaled`."""
    chosen = steps or Steps()

    def released(records: Rows, k: int, **keywords: Any) -> Any:
        if not scaled:
            return chosen.tell(records, run(records, k, chosen, keywords), k)
        columns = list(zip(*records, strict=True))
        spreads = [pstdev(column) for column in columns]
        middles = [sum(column) / len(column) for column in columns]
        scores = [
            [(x - m) / s if s else 0.0 for x, m, s in zip(row, middles, spreads, strict=True)]
            for row in records
        ]
        drawn = run(scores, k, chosen, keywords)
        back = [
            [m + s * x for x, m, s in zip(row, middles, spreads, strict=True)]
            for row in drawn.rows()
        ]
        return {"released": back}

    return released
