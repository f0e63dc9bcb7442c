"""The search for violated rank-1 cuts, compiled by Numba.

Around each record, and for each shape, records are taken one after the other by what they add to
the left side, as in `cuts.violated_others`. Then each record in turn is exchanged for the best one
among those near, as long as that helps. In Python this would take too long.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np

from oracle.optima.cuts import LARGER, LEAST_VIOLATION, SHAPES, Cut, Fractional, triple

LEFT_OVER = 0.1
"""What weight that is left over by the divisor counts, as a share of a whole."""

LEAST_GAIN = 1e-9
"""A record is only exchanged for one that adds more than this."""

FEW = 30
"""With fewer cuts, more are looked for."""

SWEEPS = 4
"""So many times each record of a cut may be exchanged."""


@dataclass(frozen=True, slots=True)
class Arrays:
    """A fractional solution as arrays; each `_start` says where the entries of a number begin.

    Groups that touch a record, and the records that share a group with it.
    """

    values: Any
    touch_start: Any
    touching: Any
    near_start: Any
    near: Any

    @classmethod
    def of(cls, solution: Fractional, n: int) -> Arrays:
        values = np.array([x for _, x in solution.groups])
        touching = _lists([solution.touching.get(record, []) for record in range(n)])
        near = _lists([sorted(solution.neighbours.get(record, ())) for record in range(n)])
        return cls(values, *touching, *near)

    def parts(self) -> tuple[Any, Any, Any, Any, Any]:
        """As the compiled functions take them."""
        return self.values, self.touch_start, self.touching, self.near_start, self.near


def violated_triples(solution: Fractional, n: int) -> list[tuple[float, Cut]]:
    """All 3-subset-row cuts that the solution violates by LEAST_VIOLATION, in any order."""
    arrays = Arrays.of(solution, n)
    room = 10_000
    while True:
        members = np.empty((room, 3), dtype=np.int64)
        left = np.empty(room)
        number = _triples(arrays.parts(), 1 + LEAST_VIOLATION, members, left)
        if number <= room:
            found = zip(members[:number].tolist(), left[:number].tolist(), strict=True)
            violations = {tuple(sorted(records)): value - 1 for records, value in found}
            return [(violation, triple(records)) for records, violation in violations.items()]
        room *= 10


def violated(solution: Fractional, n: int) -> list[tuple[float, Cut]]:
    """Cuts of SHAPES and LARGER that the solution violates by LEAST_VIOLATION, in any order.

    If there are few, the search begins around each pair of near records too.
    """
    arrays = Arrays.of(solution, n)
    found = _violated(arrays, [(record, -1) for record in sorted(solution.neighbours)])
    if len(found) < FEW:
        found |= _violated(arrays, sorted(solution.shared))
    return [(violation, cut) for cut, violation in found.items()]


def _violated(arrays: Arrays, seeds: list[tuple[int, int]]) -> dict[Cut, float]:
    found: dict[Cut, float] = {}
    begun = np.array(seeds, dtype=np.int64).reshape(-1, 2)
    for weights, divisor in (*SHAPES, *LARGER):
        right = sum(weights) // divisor
        shape = np.array(weights, dtype=np.int64)
        chosen, left = _grown(arrays.parts(), begun, shape, divisor)
        good = left > right + LEAST_VIOLATION
        for members, value in zip(chosen[good].tolist(), left[good].tolist(), strict=True):
            order = sorted(zip(members, weights, strict=True))
            cut = Cut(tuple(r for r, _ in order), tuple(w for _, w in order), divisor)
            found[cut] = value - right
    return found


def _lists(lists: list[list[int]]) -> tuple[Any, Any]:
    """Lists as one array, and where each begins."""
    start = np.cumsum([0, *map(len, lists)])
    return start, np.array([entry for own in lists for entry in own], dtype=np.int64)


def _gain(solution: Any, inside: Any, record: int, weight: int, divisor: int) -> float:
    """What a record adds to the left side, and a little for what is left over by the divisor.

    `inside` are the weights that groups have already.
    """
    values, touch_start, touching, _, _ = solution
    gain = 0.0
    for group in touching[touch_start[record] : touch_start[record + 1]]:
        before = inside[group]
        after = before + weight
        whole = after // divisor - before // divisor
        rest = after % divisor - before % divisor
        gain += values[group] * (whole + LEFT_OVER * rest / divisor)
    return gain


def _put(solution: Any, inside: Any, record: int, weight: int) -> None:
    """Add a weight to all groups that touch a record."""
    _, touch_start, touching, _, _ = solution
    for group in touching[touch_start[record] : touch_start[record + 1]]:
        inside[group] += weight


def _beside(solution: Any, part: Any, position: int, candidates: Any, seen: Any) -> int:
    """Fill in the records near those of a part, but for the one in a position; how many there are.

    Places that are not filled yet hold -1. `seen` is for this function; it marks no record.
    """
    _, _, _, near_start, near = solution
    others = [record for place, record in enumerate(part) if place != position and record >= 0]
    for record in others:
        seen[record] = True
    number = 0
    for other in others:
        for record in near[near_start[other] : near_start[other + 1]]:
            if not seen[record]:
                seen[record] = True
                candidates[number] = record
                number += 1
    for record in others:
        seen[record] = False
    for record in candidates[:number]:
        seen[record] = False
    return number


def _exchanged(
    solution: Any, inside: Any, part: Any, position: int, weight: int, divisor: int,
    candidates: Any, seen: Any,
) -> bool:  # fmt: skip
    """Put the best record near the others into a position. Is it another one than before?"""
    old = part[position]
    best, most = old, -1.0
    if old >= 0:
        _put(solution, inside, old, -weight)
        most = _gain(solution, inside, old, weight, divisor) + LEAST_GAIN
    for candidate in candidates[: _beside(solution, part, position, candidates, seen)]:
        gain = _gain(solution, inside, candidate, weight, divisor)
        if gain > most:
            best, most = candidate, gain
    part[position] = best
    if best >= 0:
        _put(solution, inside, best, weight)
    return bool(best != old)


def _grown(  # noqa: C901
    solution: Any, seeds: Any, shape: Any, divisor: int
) -> tuple[Any, Any]:
    """The records found around each seed, and the left side of their cut; 0 if too few are near.

    A seed is one record and -1, or two.
    """
    values = solution[0]
    size = len(shape)
    chosen = np.full((len(seeds), size), -1, dtype=np.int64)
    left = np.zeros(len(seeds))
    inside = np.zeros(len(values), dtype=np.int64)
    candidates = np.empty(len(solution[3]), dtype=np.int64)
    seen = np.zeros(len(solution[3]), dtype=np.bool_)
    for number in range(len(seeds)):
        part = chosen[number]
        for position in range(size):
            if position < 2 and seeds[number, position] >= 0:
                part[position] = seeds[number, position]
                _put(solution, inside, part[position], shape[position])
            else:
                _exchanged(
                    solution, inside, part, position, shape[position], divisor, candidates, seen
                )
        if part.min() >= 0:
            for _ in range(SWEEPS):
                changed = False
                for position in range(size):
                    changed |= _exchanged(
                        solution, inside, part, position, shape[position], divisor, candidates, seen
                    )
                if not changed:
                    break
        for position in range(size):
            if part[position] >= 0:
                _, touch_start, touching, _, _ = solution
                record = part[position]
                for group in touching[touch_start[record] : touch_start[record + 1]]:
                    left[number] += values[group] * (inside[group] // divisor)
                    inside[group] = 0
        if part.min() < 0:
            left[number] = 0.0
    return chosen, left


def _triples(solution: Any, least: float, members: Any, left: Any) -> int:  # noqa: C901
    """Fill in the triples whose left side exceeds `least`, some repeatedly; how many there are."""
    values, touch_start, touching, near_start, near = solution
    n = len(touch_start) - 1
    count = np.zeros(len(values), dtype=np.int64)
    found = 0
    for a in range(n):
        for group in touching[touch_start[a] : touch_start[a + 1]]:
            count[group] += 1
        for at in range(near_start[a], near_start[a + 1]):
            b = near[at]
            with_both = 0.0
            for group in touching[touch_start[b] : touch_start[b + 1]]:
                if count[group] == 1:
                    with_both += values[group]
                count[group] += 1
            for c in near[at + 1 : near_start[a + 1]]:
                total = with_both
                for group in touching[touch_start[c] : touch_start[c + 1]]:
                    if count[group] == 1:
                        total += values[group]
                if total > least:
                    if found < len(left):
                        members[found, 0], members[found, 1], members[found, 2] = a, b, c
                        left[found] = total
                    found += 1
            for group in touching[touch_start[b] : touch_start[b + 1]]:
                count[group] -= 1
        for group in touching[touch_start[a] : touch_start[a + 1]]:
            count[group] = 0
    return found


_gain = numba.njit(cache=True)(_gain)
_put = numba.njit(cache=True)(_put)
_beside = numba.njit(cache=True)(_beside)
_exchanged = numba.njit(cache=True)(_exchanged)
_grown = numba.njit(cache=True)(_grown)
_triples = numba.njit(cache=True)(_triples)
