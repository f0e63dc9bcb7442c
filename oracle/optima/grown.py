"""Rank-1 cuts of other shapes than triples, grown around records.

The code is compiled by Numba. Around each record, and for each shape, records are taken one after
the other by what they add to the left side. Then each record in turn is exchanged for the best one
among those near, as long as that helps. In Python this would take longer than the cuts save.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from oracle.optima.cuts import LARGER, SHAPES, Cut, Fractional
from refagg.engine.compiled import compiled

Ints = NDArray[np.int64]
Numbers = NDArray[np.float64]
Marks = NDArray[np.bool_]
Solution = tuple[Numbers, Ints, Ints, Ints, Ints]

LEFT_OVER = 0.1
"""What weight that is left over by the divisor counts, as a share of a whole."""

LEAST_GAIN = 1e-9
"""A record is only exchanged for one that adds more than this."""

SWEEPS = 4
"""The number of times that each record of a cut may be exchanged."""

ENOUGH = 1e-3
"""A cut that is violated by less is not worth a row."""

FEW = 30
"""With fewer cuts, more are sought."""


@dataclass(frozen=True, slots=True)
class GrownArrays:
    """Fractional solution as arrays.

    Each `_start` says where the entries of a number begin. Groups that touch a record, and the
    records that share a group with it.
    """

    values: Numbers
    touch_start: Ints
    touching: Ints
    near_start: Ints
    near: Ints

    @classmethod
    def of(cls, solution: Fractional, n: int) -> GrownArrays:
        values = np.array([x for _, x in solution.groups])
        touching = _lists([solution.touching.get(record, []) for record in range(n)])
        near = _lists([sorted(solution.neighbours.get(record, ())) for record in range(n)])
        return cls(values, *touching, *near)

    def parts(self) -> Solution:
        """Return the arrays in the order that compiled functions expect."""
        return self.values, self.touch_start, self.touching, self.near_start, self.near


def grown_cuts(solution: Fractional, n: int) -> list[tuple[float, Cut]]:
    """Return violated cuts of SHAPES and LARGER, in any order.

    Their left side exceeds the right one by ENOUGH. If there are few, the search begins around each
    pair of near records too.
    """
    arrays = GrownArrays.of(solution, n)
    found = _around(arrays, [(record, -1) for record in sorted(solution.neighbours)])
    if len(found) < FEW:
        found |= _around(arrays, sorted(solution.shared))
    return [(violation, cut) for cut, violation in found.items()]


def _around(arrays: GrownArrays, seeds: list[tuple[int, int]]) -> dict[Cut, float]:
    found: dict[Cut, float] = {}
    begun = np.array(seeds, dtype=np.int64).reshape(-1, 2)
    for weights, divisor in (*SHAPES, *LARGER):
        right = sum(weights) // divisor
        shape = np.array(weights, dtype=np.int64)
        chosen, left = _grown(arrays.parts(), begun, shape, divisor)
        good = left > right + ENOUGH
        for members, value in zip(chosen[good].tolist(), left[good].tolist(), strict=True):
            order = sorted(zip(members, weights, strict=True))
            cut = Cut(tuple(r for r, _ in order), tuple(w for _, w in order), divisor)
            found[cut] = value - right
    return found


def _lists(lists: list[list[int]]) -> tuple[Ints, Ints]:
    """Return lists as one array, and where each begins."""
    start = np.cumsum([0, *map(len, lists)])
    return start, np.array([entry for own in lists for entry in own], dtype=np.int64)


def _gain(solution: Solution, inside: Ints, record: int, weight: int, divisor: int) -> float:
    """Return what a record adds to the left side.

    A little is added for the remainder by the divisor. `inside` are the weights that groups have
    already.
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


def _put(solution: Solution, inside: Ints, record: int, weight: int) -> None:
    """Add a weight to all groups that touch a record."""
    _, touch_start, touching, _, _ = solution
    for group in touching[touch_start[record] : touch_start[record + 1]]:
        inside[group] += weight


def _beside(solution: Solution, part: Ints, candidates: Ints, seen: Marks) -> int:
    """Fill in the records that share a group with a part.

    Returns how many there are. `seen` is for this function; it marks no record.
    """
    _, _, _, near_start, near = solution
    for record in part:
        seen[record] = True
    number = 0
    for other in part:
        for record in near[near_start[other] : near_start[other + 1]]:
            if not seen[record]:
                seen[record] = True
                candidates[number] = record
                number += 1
    for record in part:
        seen[record] = False
    for record in candidates[:number]:
        seen[record] = False
    return number


def _best(solution: Solution, inside: Ints, candidates: Ints, weight: int, divisor: int) -> int:
    """Return the candidate that adds the most; -1 without candidates.

    Of several it is the first.
    """
    best, most = -1, -1.0
    for candidate in candidates:
        gain = _gain(solution, inside, candidate, weight, divisor)
        if gain > most:
            best, most = candidate, gain
    return best


def _exchanged(
    solution: Solution,
    inside: Ints,
    part: Ints,
    shape: Ints,
    divisor: int,
    candidates: Ints,
    seen: Marks,
) -> bool:
    """Exchange each record in turn for the best one near the others.

    Returns True if any was better.
    """
    changed = False
    for position in range(len(part)):
        old, weight = part[position], shape[position]
        _put(solution, inside, old, -weight)
        others = np.concatenate((part[:position], part[position + 1 :]))
        near = _beside(solution, others, candidates, seen)
        new = _best(solution, inside, candidates[:near], weight, divisor)
        least = _gain(solution, inside, old, weight, divisor) + LEAST_GAIN
        if new >= 0 and _gain(solution, inside, new, weight, divisor) > least:
            part[position] = new
            changed = True
        _put(solution, inside, part[position], weight)
    return changed


def _left(solution: Solution, inside: Ints, part: Ints, divisor: int) -> float:
    """Return the left side of the cut of a part.

    The weights inside are 0 again afterwards.
    """
    values, touch_start, touching, _, _ = solution
    left = 0.0
    for record in part:
        for group in touching[touch_start[record] : touch_start[record + 1]]:
            left += values[group] * (inside[group] // divisor)
            inside[group] = 0
    return left


def _grown(solution: Solution, seeds: Ints, shape: Ints, divisor: int) -> tuple[Ints, Numbers]:
    """Return the records found around each seed.

    Returned, too, is the left side of their cut; 0 if too few records are near. A seed is one
    record and -1, or two.
    """
    n, size = len(solution[3]), len(shape)
    chosen = np.full((len(seeds), size), -1, dtype=np.int64)
    left = np.zeros(len(seeds))
    inside = np.zeros(len(solution[0]), dtype=np.int64)
    candidates, seen = np.empty(n, dtype=np.int64), np.zeros(n, dtype=np.bool_)
    for number in range(len(seeds)):
        part, filled = chosen[number], 0
        for weight in shape:
            record = seeds[number, filled] if filled < 2 else -1
            if record < 0:
                near = _beside(solution, part[:filled], candidates, seen)
                record = _best(solution, inside, candidates[:near], weight, divisor)
            if record < 0:
                break
            part[filled] = record
            filled += 1
            _put(solution, inside, record, weight)
        for _ in range(SWEEPS if filled == size else 0):
            if not _exchanged(solution, inside, part, shape, divisor, candidates, seen):
                break
        total = _left(solution, inside, part[:filled], divisor)
        left[number] = total if filled == size else 0.0
    return chosen, left


_gain, _put, _beside, _best = map(compiled, (_gain, _put, _beside, _best))
_exchanged, _left, _grown = map(compiled, (_exchanged, _left, _grown))
