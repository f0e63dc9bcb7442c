"""The search for violated rank-1 cuts, compiled by Numba.

Around each record, and for each shape, records are taken one after the other by what they add to
the left side, as in `cuts.violated_others`. Then each record in turn is exchanged for the best one
among those near, as long as that helps. Both cuts are given. In Python this would take too long.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np

from oracle.optima.cuts import LARGER, LEAST_VIOLATION, SHAPES, Cut, Fractional, triple

LEFT_OVER = 0.1
"""What weight that is left over by the divisor counts, as a share of a whole."""

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


def violated_triples(solution: Fractional, n: int) -> list[tuple[float, Cut]]:
    """All 3-subset-row cuts that the solution violates by LEAST_VIOLATION, in any order."""
    arrays = Arrays.of(solution, n)
    room = 10_000
    while True:
        members = np.empty((room, 3), dtype=np.int64)
        left = np.empty(room)
        number = _triples(
            arrays.values, arrays.touch_start, arrays.touching, arrays.near_start, arrays.near,
            1 + LEAST_VIOLATION, members, left,
        )  # fmt: skip
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
    found = _violated(arrays, [(record, -1) for record in sorted(solution.neighbours)], n)
    if len(found) < FEW:
        found |= _violated(arrays, sorted(solution.shared), n)
    return [(violation, cut) for cut, violation in found.items()]


def _violated(arrays: Arrays, seeds: list[tuple[int, int]], n: int) -> dict[Cut, float]:
    found: dict[Cut, float] = {}
    begun = np.array(seeds, dtype=np.int64).reshape(-1, 2)
    for weights, divisor in (*SHAPES, *LARGER):
        right = sum(weights) // divisor
        shape = np.array(weights, dtype=np.int64)
        chosen, left = _grown(
            arrays.values, arrays.touch_start, arrays.touching, arrays.near_start, arrays.near,
            begun, shape, divisor, n,
        )  # fmt: skip
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


def _gain(
    values: Any,
    touch_start: Any,
    touching: Any,
    inside: Any,
    record: int,
    weight: int,
    divisor: int,
) -> float:
    gain = 0.0
    for entry in range(touch_start[record], touch_start[record + 1]):
        group = touching[entry]
        before = inside[group]
        after = before + weight
        whole = after // divisor - before // divisor
        rest = after % divisor - before % divisor
        gain += values[group] * (whole + LEFT_OVER * rest / divisor)
    return gain


def _grown(  # noqa: C901
    values: Any, touch_start: Any, touching: Any,
    near_start: Any, near: Any, seeds: Any, shape: Any, divisor: int, n: int,
) -> tuple[Any, Any]:  # fmt: skip
    """The records found around each seed, and the left side of their cut; 0 if too few are near.

    A seed is one record and -1, or two.
    """
    size = len(shape)
    chosen = np.full((len(seeds), size), -1, dtype=np.int64)
    left = np.zeros(len(seeds))
    inside = np.zeros(len(values), dtype=np.int64)
    taken = np.zeros(n, dtype=np.bool_)
    seen = np.full(n, -1, dtype=np.int64)
    candidates = np.empty(n, dtype=np.int64)
    part = np.full(size, -1, dtype=np.int64)
    stamp = 0
    for number in range(len(seeds)):
        for position in range(size):
            part[position] = -1
        complete = True
        for sweep in range(1 + SWEEPS):
            changed = False
            for position in range(size):
                old = part[position]
                if old >= 0:
                    taken[old] = False
                    for entry in range(touch_start[old], touch_start[old + 1]):
                        inside[touching[entry]] -= shape[position]
                stamp += 1
                amount = 0
                if sweep == 0 and position < 2 and seeds[number, position] >= 0:
                    candidates[0] = seeds[number, position]
                    amount = 1
                else:
                    for other in range(size):
                        if other == position or part[other] < 0:
                            continue
                        a = part[other]
                        for entry in range(near_start[a], near_start[a + 1]):
                            b = near[entry]
                            if not taken[b] and seen[b] != stamp:
                                seen[b] = stamp
                                candidates[amount] = b
                                amount += 1
                best, most = old, -1.0
                if old >= 0:
                    most = 1e-9 + _gain(
                        values, touch_start, touching, inside, old, shape[position], divisor
                    )
                for i in range(amount):
                    gain = _gain(
                        values, touch_start, touching, inside, candidates[i], shape[position],
                        divisor,
                    )  # fmt: skip
                    if gain > most:
                        best, most = candidates[i], gain
                if best < 0:
                    complete = False
                    break
                changed = changed or best != old
                part[position] = best
                taken[best] = True
                for entry in range(touch_start[best], touch_start[best + 1]):
                    inside[touching[entry]] += shape[position]
            if not complete or not changed:
                break
        for position in range(size):
            record = part[position]
            if record < 0:
                continue
            taken[record] = False
            for entry in range(touch_start[record], touch_start[record + 1]):
                group = touching[entry]
                left[number] += values[group] * (inside[group] // divisor)
                inside[group] = 0
        if not complete:
            left[number] = 0.0
        else:
            for position in range(size):
                chosen[number, position] = part[position]
    return chosen, left


def _triples(  # noqa: C901
    values: Any, touch_start: Any, touching: Any, near_start: Any, near: Any, least: float,
    members: Any, left: Any,
) -> int:  # fmt: skip
    """Fill in the triples whose left side exceeds `least`, some repeatedly; how many there are."""
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
_grown = numba.njit(cache=True)(_grown)
_triples = numba.njit(cache=True)(_triples)
