"""Rank-1 cuts over subsets of records.

Every record is in exactly one group. Weigh the records of a subset with integers p,
add up those equations, divide by an integer d and round down: over the groups chosen,

    sum of floor(p(G) / d)  <=  floor(p(S) / d),    p(G) = the sum of p over G and S.

With three records of weight 1 and d = 2 this is the 3-subset-row cut: of all groups that hold
at least two of the three, one can be chosen. The cuts of four and five records used here
are the ones known from vehicle routing.

Source: M. Jepsen, B. Petersen, S. Spoorendonk, D. Pisinger, Subset-row inequalities applied to
the vehicle-routing problem with time windows, Operations Research 56 (2008) 497-511; D. Pecin,
A. Pessoa, M. Poggi, E. Uchoa, H. Santos, Limited memory rank-1 cuts for vehicle routing problems,
Operations Research Letters 45 (2017) 206-209.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

from oracle.optima.optional import COMPILED, numba_installed
from refagg.language.partition import Group, Record

LEAST_VIOLATION = 1e-3
"""Cuts that a fractional solution violates by less are not worth a row."""

SHAPES: tuple[tuple[tuple[int, ...], int], ...] = (
    ((1, 1, 1, 1, 1), 2),
    ((2, 1, 1, 1), 3),
    ((1, 1, 1, 1, 1), 3),
    ((2, 2, 1, 1, 1), 4),
    ((3, 1, 1, 1, 1), 4),
    ((3, 2, 2, 1, 1), 5),
    ((2, 2, 1, 1, 1), 3),
    ((3, 3, 2, 2, 1), 4),
)
"""Weights and divisors beyond the triples."""

LARGER: tuple[tuple[tuple[int, ...], int], ...] = (
    ((1, 1, 1, 1, 1, 1, 1), 2),
    ((2, 1, 1, 1, 1, 1, 1), 3),
    ((1, 1, 1, 1, 1, 1, 1), 4),
    ((2, 1, 1, 1, 1, 1), 4),
    ((2, 2, 1, 1, 1, 1), 3),
    ((3, 2, 2, 2, 1, 1), 4),
    ((2, 2, 2, 2, 2, 1), 4),
    ((2, 2, 2, 1, 1, 1), 5),
    ((3, 3, 2, 1, 1, 1), 4),
    ((1, 1, 1, 1, 1, 1, 1, 1), 3),
    ((1, 1, 1, 1, 1, 1, 1, 1, 1), 2),
)
"""The same of six to nine records, where the search is compiled. The weights add up to one less
than a multiple of the divisor, so that rounding down takes away the most."""


@dataclass(frozen=True, slots=True)
class Cut:
    """The cut of `records` with their `weights` and a `divisor`."""

    records: tuple[Record, ...]
    weights: tuple[int, ...]
    divisor: int

    @property
    def right(self) -> int:
        """The most that the coefficients of the chosen groups can add up to."""
        return sum(self.weights) // self.divisor

    def coefficient(self, group: Iterable[Record]) -> int:
        """How much a group counts.

        >>> Cut((0, 1, 2), (1, 1, 1), 2).coefficient((0, 2, 5))
        1
        """
        members = set(group)
        weight = sum(p for r, p in zip(self.records, self.weights, strict=True) if r in members)
        return weight // self.divisor


def triple(records: Iterable[Record]) -> Cut:
    """The 3-subset-row cut of three records."""
    return Cut(tuple(sorted(records)), (1, 1, 1), 2)


class Fractional:
    """The fractional part of a solution: groups chosen by less than one."""

    def __init__(self, groups: Sequence[Group], values: Sequence[float]) -> None:
        chosen = zip(groups, values, strict=True)
        self.groups = [(group, x) for group, x in chosen if 1e-6 < x < 1 - 1e-6]
        self.shared: Counter[tuple[Record, Record]] = Counter()
        self.touching: dict[Record, list[int]] = {}
        for number, (group, x) in enumerate(self.groups):
            for record in group:
                self.touching.setdefault(record, []).append(number)
            for pair in combinations(group, 2):
                self.shared[pair] += x  # type: ignore[assignment]
        self.neighbours: dict[Record, set[Record]] = {}
        for a, b in self.shared:
            self.neighbours.setdefault(a, set()).add(b)
            self.neighbours.setdefault(b, set()).add(a)

    def left(self, weights: dict[Record, int], divisor: int) -> float:
        """The left side of the cut with these weights."""
        numbers = {number for record in weights for number in self.touching.get(record, ())}
        total = 0.0
        for number in numbers:
            group, x = self.groups[number]
            weight = sum(weights.get(record, 0) for record in group)
            total += x * (weight // divisor)
        return total


def violated_triples(solution: Fractional) -> list[tuple[float, Cut]]:
    """All 3-subset-row cuts, with their violations."""
    found: dict[Group, float] = {}
    for a, neighbours in solution.neighbours.items():
        for b, c in combinations(sorted(neighbours), 2):
            members = tuple(sorted((a, b, c)))
            if members in found:
                continue
            found[members] = solution.left(dict.fromkeys(members, 1), 2) - 1
    violated = ((violation, members) for members, violation in found.items())
    return [(v, triple(members)) for v, members in violated if v > LEAST_VIOLATION]


def violated_others(solution: Fractional) -> list[tuple[float, Cut]]:
    """Violated cuts of the other shapes, each grown greedily around each record."""
    found: dict[Cut, float] = {}
    for weights, divisor in SHAPES:
        right = sum(weights) // divisor
        for seed in solution.neighbours:
            chosen: dict[Record, int] = {}
            inside: Counter[int] = Counter()
            near = {seed}
            best = 0.0
            for weight in weights:
                if not near:
                    break
                gains = [(_gain(solution, inside, b, weight, divisor), b) for b in near]
                _, record = max(gains)
                chosen[record] = weight
                for number in solution.touching.get(record, ()):
                    inside[number] += weight
                near = {b for a in chosen for b in solution.neighbours[a]} - chosen.keys()
            if len(chosen) == len(weights):
                best = solution.left(chosen, divisor) - right
            if best > LEAST_VIOLATION:
                records = tuple(sorted(chosen))
                found[Cut(records, tuple(chosen[r] for r in records), divisor)] = best
    return [(violation, cut) for cut, violation in found.items()]


def _gain(
    solution: Fractional, inside: Mapping[int, int], record: Record, weight: int, divisor: int
) -> float:
    """What a record adds to the left side, and a little for what is left over by the divisor.

    `inside` are the weights that groups have already, by number.
    """
    gain = 0.0
    for number in solution.touching.get(record, ()):
        before = inside.get(number, 0)
        whole, rest = divmod(before + weight, divisor)
        old_whole, old_rest = divmod(before, divisor)
        more = whole - old_whole + 0.1 * (rest - old_rest) / divisor
        gain += solution.groups[number][1] * more
    return gain


def new_cuts(solution: Fractional, n: int) -> list[Cut]:
    """Cuts that the solution violates; of other shapes only if there are few triples."""
    find_triples, find_others = violated_triples, violated_others
    if n >= COMPILED and numba_installed():
        from oracle.optima import separation

        find_triples = partial(separation.violated_triples, n=n)
        find_others = partial(separation.violated, n=n)
    triples = list(spread(_worst(find_triples(solution)), 5, n // 2 + 50))
    if len(triples) >= 20:
        return triples
    return triples + list(spread(_worst(find_others(solution)), 3, n // 8 + 10))


def _worst(cuts: Iterable[tuple[float, Cut]]) -> list[tuple[float, Cut]]:
    violated = [item for item in cuts if item[0] > LEAST_VIOLATION]
    return sorted(violated, key=lambda item: (-item[0], item[1].records, item[1].weights))


def spread(cuts: Sequence[tuple[float, Cut]], each: int, most: int) -> Iterator[Cut]:
    """The most violated cuts, with no record in more than `each` of them."""
    used: Counter[Record] = Counter()
    given = 0
    for _, cut in cuts:
        if given < most and all(used[record] < each for record in cut.records):
            used.update(cut.records)
            given += 1
            yield cut
