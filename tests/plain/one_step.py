"""Macrogroups by a plain heuristic, and the plain genetic algorithm in each, on one random
stream."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from plain import genetic, mdav, mdav_2k, mdav_single
from plain.geometry import Point
from plain.stream import Stream


def partition(
    points: Sequence[Point],
    k: int,
    heuristic: str,
    macrogroup: int,
    macrogroup_records: int,
    population: int,
    mutation: Fraction,
    crossover: Fraction,
    iterations: int,
    seed: int = 7,
) -> list[list[int]]:
    stream = Stream(seed)
    size = macrogroup_records or macrogroup * k
    if len(points) < 2 * size:
        parts = [list(range(len(points)))]
    elif heuristic == "mdav-2k":
        parts = mdav_2k.partition(points, size, "block")
    else:
        parts = {"mdav": mdav, "mdav-single": mdav_single}[heuristic].partition(points, size)
    done = []
    for part in sorted(map(sorted, parts)):
        settings = (population, mutation, crossover, iterations)
        done += genetic.evolve(points, k, stream, part, [], settings)
    return done
