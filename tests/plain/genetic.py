"""A genetic algorithm over lists of labels, on Fractions, from the random stream of a seed."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from plain.geometry import Point, gap, middle_of, most_central_group, most_distant, nearest_first
from plain.stream import Stream


def partition(
    points: Sequence[Point],
    k: int,
    population: int,
    mutation: Fraction,
    crossover: Fraction,
    iterations: int,
    seed: int = 7,
) -> list[list[int]]:
    ids = list(range(len(points)))
    settings = (population, mutation, crossover, iterations)
    return evolve(points, k, Stream(seed), ids, [], settings)


def evolve(
    points: Sequence[Point],
    k: int,
    stream: Stream,
    ids: list[int],
    start: list[list[int]],
    settings: tuple[int, Fraction, Fraction, int],
) -> list[list[int]]:
    population, mutation, crossover, iterations = settings
    if k == 1:
        return [[i] for i in ids]
    if len(ids) < 2 * k:
        return [ids]
    count = len(ids) // k
    everybody = [[label(start, i) for i in ids]] if start else []
    while len(everybody) < population:
        everybody.append(random_labels(stream, ids, count, k))
    best = everybody[0]
    for one in everybody:
        if sse(points, ids, one) < sse(points, ids, best):
            best = one
    for _ in range(iterations):
        chosen = offspring(points, stream, ids, everybody, (mutation, crossover), count)
        everybody = [best]
        for one in chosen:
            mended = mend(points, k, ids, one, count)
            everybody.append(mended)
            if sse(points, ids, mended) < sse(points, ids, best):
                best = mended
    return [group for group in grouped(ids, best, count) if group]


def offspring(
    points: Sequence[Point],
    stream: Stream,
    ids: list[int],
    everybody: list[list[int]],
    shares: tuple[Fraction, Fraction],
    count: int,
) -> list[list[int]]:
    mutation, crossover = shares
    weights = [pocket(points, ids, one) for one in everybody]
    chosen = [
        list(everybody[spin(weights, Fraction(stream.below(2**53), 2**53))]) for _ in everybody[1:]
    ]
    for first in range(0, len(chosen) - 1, 2):
        if stream.below(crossover.denominator) < crossover.numerator:
            cut = stream.below(len(ids) - 1) + 1
            a, b = chosen[first], chosen[first + 1]
            a[cut:], b[cut:] = b[cut:], a[cut:]
    for one in chosen:
        if stream.below(mutation.denominator) < mutation.numerator:
            place = stream.below(len(ids))
            one[place] = (one[place] + stream.below(count - 1) + 1) % count
    return chosen


def label(groups: list[list[int]], i: int) -> int:
    return next(number for number, group in enumerate(groups) if i in group)


def grouped(ids: list[int], labels: list[int], count: int) -> list[list[int]]:
    return [[i for i, own in zip(ids, labels, strict=True) if own == g] for g in range(count)]


def random_labels(stream: Stream, ids: list[int], count: int, k: int) -> list[int]:
    left, taken = list(ids), list[int]()
    while left:
        taken.append(left.pop(stream.below(len(left))))
    home = {i: position // k for position, i in enumerate(taken[: count * k])}
    for i in taken[count * k :]:
        free = [g for g in range(count) if list(home.values()).count(g) < 2 * k - 1]
        home[i] = free[stream.below(len(free))]
    return [home[i] for i in ids]


def sse(points: Sequence[Point], ids: list[int], labels: list[int]) -> Fraction:
    total = Fraction(0)
    for group in grouped(ids, labels, max(labels) + 1):
        if group:
            total += sum(gap(points[i], middle_of(points, group)) for i in group)
    return total


def pocket(points: Sequence[Point], ids: list[int], labels: list[int]) -> int:
    worst = sse(points, ids, [0] * len(ids))
    return int(2**40 * (worst + 1) / (sse(points, ids, labels) + 1))


def spin(weights: list[int], share: Fraction) -> int:
    stop = share * sum(weights)
    for number, weight in enumerate(weights):
        if stop < weight:
            return number
        stop -= weight
    raise AssertionError("a share is less than 1")


def mend(
    points: Sequence[Point], k: int, ids: list[int], labels: list[int], count: int
) -> list[int]:
    groups = grouped(ids, labels, count)
    for g in range(count):
        while len(groups[g]) > 2 * k - 1:
            i = most_distant(points, middle_of(points, groups[g]), groups[g])
            groups[g].remove(i)
            free = [h for h in range(count) if groups[h] and len(groups[h]) < 2 * k - 1]
            if free:
                centres = [middle_of(points, groups[h]) for h in free]
                groups[free[most_central_group(points, points[i], centres)]].append(i)
            else:
                groups[groups.index([])].append(i)
    for g in range(count):
        while 0 < len(groups[g]) < k:
            spare = [i for h in range(count) if len(groups[h]) > k for i in groups[h]]
            i = nearest_first(points, middle_of(points, groups[g]), spare)[0]
            groups[label(groups, i)].remove(i)
            groups[g].append(i)
    return [label(groups, i) for i in ids]
