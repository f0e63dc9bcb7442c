"""Wrong programs that claim to be fuzzy microaggregation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import nan
from random import SystemRandom
from typing import Any

import numpy as np

from refagg.language.random_stream import RandomStream, seeded

from . import fuzzy_programs as p
from .fuzzy_programs import Drawn, Points, Settings, Steps
from .implementation import Implementation, Program, Rows, implementation, stream_for

RIGHT = Steps()


def _not_squared(gaps: Sequence[float], given: Settings, stage: str) -> list[float]:
    m = given[f"m{stage}"]
    return p.shares(gaps, {**given, f"m{stage}": 2 * m - 1}, stage)


def _always(name: str, value: float) -> Callable[[Sequence[float], Settings, str], list[float]]:
    return lambda gaps, given, stage: p.shares(gaps, {**given, name: value}, stage)


def _first_for_both(gaps: Sequence[float], given: Settings, stage: str) -> list[float]:
    return p.shares(gaps, given, "1")


def _exchanged(gaps: Sequence[float], given: Settings, stage: str) -> list[float]:
    return p.shares(gaps, given, {"1": "2", "2": "1"}[stage])


def _nothing_at_0(gaps: Sequence[float], given: Settings, stage: str) -> list[float]:
    return p.shares(gaps, given, stage) if min(gaps) else [1 / len(gaps)] * len(gaps)


def _nan_at_0(gaps: Sequence[float], given: Settings, stage: str) -> list[float]:
    return p.shares(gaps, given, stage) if min(gaps) else [nan] * len(gaps)


def _raised(gaps: Sequence[float], given: Settings, stage: str) -> list[float]:
    return p.shares([gap + 0.01 for gap in gaps], given, stage)


def _by_u(rows: Rows, members: Points, before: Points, given: Settings) -> Points:
    return p.means(rows, members, before, {**given, "m1": 1})


def _whole_sum(rows: Rows, members: Points, before: Points, given: Settings) -> Points:
    """The denominator is the sum of u, where it has to be that of u^m."""
    made = p.means(rows, members, before, given)
    m = float(given["m1"])
    sums = [(sum(u**m for u in own), sum(own)) for own in zip(*members, strict=True)]
    return [[x * a / b for x in row] for row, (a, b) in zip(made, sums, strict=True)]


def _medoids(rows: Rows, members: Points, before: Points, given: Settings) -> Points:
    made = p.means(rows, members, before, given)
    return [list(min(rows, key=lambda row: p.distances(row, [centre]))) for centre in made]


def _city(point: p.Point, centres: Points) -> list[float]:
    return [sum(abs(x - v) for x, v in zip(point, centre, strict=True)) for centre in centres]


def _first_records(rows: Rows, c: int, stream: RandomStream) -> Points:
    return [list(row) for row in rows[:c]]


def _with_equal_ones(rows: Rows, c: int, stream: RandomStream) -> Points:
    return [list(row) for row in stream.sample(rows, c)]


def _nearest(chances: Sequence[float], stream: RandomStream, m2: float) -> int:
    return list(chances).index(max(chances))


def _always_drawn(chances: Sequence[float], stream: RandomStream, m2: float) -> int:
    return p.always_draw(chances, stream)


def _any_centre(chances: Sequence[float], stream: RandomStream, m2: float) -> int:
    return stream.randbelow(len(chances))


def _from_the_last(chances: Sequence[float], stream: RandomStream, m2: float) -> int:
    return len(chances) - 1 - p.home(chances[::-1], stream, m2)


def _twice(chances: Sequence[float], stream: RandomStream, m2: float) -> int:
    stream.uniform()
    return p.home(chances, stream, m2)


def _rows(change: Callable[[Rows, Drawn], Any]) -> Callable[[Rows, Drawn, int], Any]:
    return lambda rows, drawn, k: {"released": change(rows, drawn)}


def _swapped(rows: Rows, drawn: Drawn) -> Points:
    values = drawn.rows()
    values[0], values[-1] = values[-1], values[0]
    return values


def _group_means(rows: Rows, drawn: Drawn) -> Points:
    values = drawn.rows()
    for group in drawn.groups():
        columns = list(zip(*(rows[r] for r in group), strict=True))
        for record in group:
            values[record] = [sum(column) / len(column) for column in columns]
    return values


def _medoid_rows(rows: Rows, drawn: Drawn) -> Points:
    return [list(min(rows, key=lambda r: p.distances(r, [row]))) for row in drawn.rows()]


def _last_unmasked(rows: Rows, drawn: Drawn) -> Points:
    return [*drawn.rows()[:-1], list(rows[-1])]


def _with_nan(rows: Rows, drawn: Drawn) -> Points:
    """Of centres that coincide with a record the values are 0/0."""
    own = [list(row) for row in rows]
    return [[nan] * len(row) if row in own else row for row in drawn.rows()]


def _beyond(rows: Rows, drawn: Drawn) -> Points:
    """The sum of the weights lacks a record: centres are too far from 0."""
    n = len(rows)
    return [[x * n / (n - 1) if n > 1 else x for x in row] for row in drawn.rows()]


def _in_binary32(rows: Rows, drawn: Drawn) -> Points:
    return [[float(np.float32(x)) for x in row] for row in drawn.rows()]


def _in_other_groups(rows: Rows, drawn: Drawn, k: int) -> Any:
    count = len(drawn.centres)
    turned = [(i + 1) % count for i in drawn.homes[:-1]] + drawn.homes[-1:]
    return {"groups": replace(drawn, homes=turned).groups(), "released": drawn.rows()}


def _with_sse(change: Callable[[float], float]) -> Callable[[Rows, Drawn, int], Any]:
    def tell(rows: Rows, drawn: Drawn, k: int) -> Any:
        pairs = zip(rows, drawn.rows(), strict=True)
        sse = sum((x - y) ** 2 for a, b in pairs for x, y in zip(a, b, strict=True))
        return {"released": drawn.rows(), "sse": change(sse)}

    return tell


def _no_guarantee(drawn: Drawn, k: int, guarantee: str) -> Drawn:
    return drawn


def _for_one_less(drawn: Drawn, k: int, guarantee: str) -> Drawn:
    return p.guaranteed(drawn, k - 1, guarantee)


def _the_other(drawn: Drawn, k: int, guarantee: str) -> Drawn:
    return p.guaranteed(drawn, k, {"redraw": "merge", "merge": "redraw"}[guarantee])


def _next_seed(given: dict[str, Any]) -> RandomStream:
    return seeded((given.get("seed") or 0) + 1)


def _fresh(given: dict[str, Any]) -> RandomStream:
    return seeded(SystemRandom().randrange(2**32))


def _first_draw_lost(given: dict[str, Any]) -> RandomStream:
    stream = stream_for(given)
    stream.uniform()
    return stream


def _limit_ignored(records: Rows, k: int, **given: Any) -> Any:
    return p.program()(records, k, **{**given, "limit": 100})


STEPS: dict[str, Steps] = {
    "memberships fall with distances, not with their squares": Steps(shares=_not_squared),
    "m1 is 2, whatever is asked": Steps(shares=_always("m1", 2)),
    "m2 is 2, whatever is asked": Steps(shares=_always("m2", 2)),
    "a record on a centre belongs to all alike": Steps(shares=_nothing_at_0),
    "a record on a centre belongs to nobody knows whom": Steps(shares=_nan_at_0),
    "distances are kept 0.01 away from 0": Steps(shares=_raised),
    "distances add differences, not squares": Steps(distances=_city),
    "centres weigh records by u, not u^m": Steps(means=_by_u),
    "sums of u^m are divided by sums of u": Steps(means=_whole_sum),
    "centres are records": Steps(means=_medoids),
    "the first records are the start": Steps(start=_first_records),
    "the start may have equal records": Steps(start=_with_equal_ones),
    "the nearest centre has each record": Steps(home=_nearest),
    "any centre may have a record": Steps(home=_any_centre),
    "draws count centres from the last": Steps(home=_from_the_last),
    "two draws for each record": Steps(home=_twice),
    "records are drawn from the last to the first": Steps(order=lambda n: range(n)[::-1]),
    "one centre more": Steps(centres=lambda n, k: n // k + 1),
    "one centre less": Steps(centres=lambda n, k: max(1, n // k - 1)),
    "it ends where centres move by a tenth": Steps(stop=0.1),
    "another seed": Steps(stream=_next_seed),
    "no seed": Steps(stream=_fresh),
    "the first draw is lost": Steps(stream=_first_draw_lost),
    "the first and last released rows change places": Steps(tell=_rows(_swapped)),
    "means of the groups are released": Steps(tell=_rows(_group_means)),
    "records are released for centres": Steps(tell=_rows(_medoid_rows)),
    "the last record keeps its values": Steps(tell=_rows(_last_unmasked)),
    "a centre on a record is 0/0": Steps(tell=_rows(_with_nan)),
    "one record is missing in denominators": Steps(tell=_rows(_beyond)),
    "centres are rounded to binary32": Steps(tell=_rows(_in_binary32)),
    "the last row is not released": Steps(tell=_rows(lambda rows, drawn: drawn.rows()[:-1])),
    "records are released as they are": Steps(tell=_rows(lambda rows, drawn: rows)),
    "groups are not those of the rows": Steps(tell=_in_other_groups),
    "the SSE is negative": Steps(tell=_with_sse(lambda sse: -1 - sse)),
    "the SSE is half of it": Steps(tell=_with_sse(lambda sse: sse / 2)),
    "a record is in no group": Steps(tell=lambda rows, drawn, k: drawn.groups()[1:]),
}
"""Programs with one step that is wrong, asked with the default parameters."""


def wrong_fuzzy() -> Iterator[Implementation]:
    for words, steps in STEPS.items():
        yield implementation(f"fuzzy: {words}", "fuzzy", words, p.program(steps))
    for words, program, asked in _with_parameters():
        yield implementation(f"fuzzy: {words}", "fuzzy", words, program, asked)
    words = "records are not standardised"
    scaled = p.program()
    yield implementation(f"fuzzy: {words}", "fuzzy", words, _unscaled(scaled), {}, "population")


def _unscaled(program: Program) -> Program:
    return lambda records, k, standardise="none", **given: program(records, k, **given)


def _with_parameters() -> Iterator[tuple[str, Program, dict[str, str]]]:
    both, other = {"m2": "3"}, p.program(replace(RIGHT, shares=_first_for_both))
    yield "m2 is ignored, m1 counts for both", other, both
    yield "m1 and m2 are exchanged", p.program(replace(RIGHT, shares=_exchanged)), both
    lam = p.program(replace(RIGHT, shares=_always("lambda2", 1)))
    yield "lambda2 is ignored", lam, {"kind": "efcm", "lambda2": "1/100"}
    yield "the limit is ignored", _limit_ignored, {"limit": "1"}
    always = p.program(replace(RIGHT, home=_always_drawn))
    yield "what is certain is drawn all the same", always, {"m1": "1"}
    crisp = p.program(replace(RIGHT, home=_any_centre))
    yield "m2 = 1 draws a centre", crisp, {"m2": "1"}
    for guarantee in ("redraw", "merge"):
        asked = {"guarantee": guarantee}
        yield f"{guarantee} does nothing", p.program(replace(RIGHT, ends=_no_guarantee)), asked
        less = p.program(replace(RIGHT, ends=_for_one_less))
        yield f"{guarantee} leaves groups of k-1", less, asked
        yield f"{guarantee} does what the other does", p.program(Steps(ends=_the_other)), asked
