"""A plain heuristic twice, the second time on the average vectors, and the plain genetic algorithm
in each macrogroup, on one random stream."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from plain import genetic, mdav, mdav_2k, mdav_single
from plain.geometry import Point, middle_of
from plain.stream import Stream


def partition(
    points: Sequence[Point],
    k: int,
    heuristic: str,
    macrogroup: int,
    population: int,
    mutation: Fraction,
    crossover: Fraction,
    iterations: int,
    seed: int = 7,
) -> list[list[int]]:
    stream = Stream(seed)
    small = by_heuristic(points, k, heuristic)
    vectors = [middle_of(points, group) for group in small]
    done = []
    for numbers in by_heuristic(vectors, macrogroup, heuristic):
        start = [small[number] for number in numbers]
        ids = sorted(i for group in start for i in group)
        settings = (population, mutation, crossover, iterations)
        done += genetic.evolve(points, k, stream, ids, start, settings)
    return done


def by_heuristic(points: Sequence[Point], size: int, heuristic: str) -> list[list[int]]:
    """Groups in the order of their first records."""
    if len(points) < 2 * size:
        return [list(range(len(points)))]
    if heuristic == "mdav-2k":
        found = mdav_2k.partition(points, size, "block")
    else:
        found = {"mdav": mdav, "mdav-single": mdav_single}[heuristic].partition(points, size)
    return sorted(map(sorted, found))
