"""Dissimilarities for the tests of KSHC: continuous, tied, constant, and OSS of event sequences.

They are drawn from `random.Random`, so that the nightly script can draw very many.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random

Matrix = list[list[int | Fraction]]
Events = Sequence[str]


def symmetric(n: int, entry: Callable[[int, int], int | Fraction]) -> Matrix:
    """The matrix with entry(i, j) for i < j, and 0 on the diagonal."""
    matrix: Matrix = [[0] * n for _ in range(n)]
    for j in range(n):
        for i in range(j):
            matrix[i][j] = matrix[j][i] = entry(i, j)
    return matrix


def oss(a: Events, b: Events) -> Fraction:
    """The ordering-based dissimilarity of two sequences, by its definition."""
    if not a and not b:
        return Fraction(0)
    shift = common = 0
    for symbol in set(a) & set(b):
        first = [place for place, event in enumerate(a) if event == symbol]
        second = [place for place, event in enumerate(b) if event == symbol]
        pairs = list(zip(first, second, strict=False))
        common += len(pairs)
        shift += sum(abs(p - q) for p, q in pairs)
    total, longest = len(a) + len(b), max(len(a), len(b))
    return (Fraction(shift, longest) + total - 2 * common) / total


def continuous(random: Random, n: int) -> Matrix:
    """Any dissimilarities, hardly two of them equal."""
    return symmetric(n, lambda i, j: random.randrange(1, 1 << 40))


def tie_free(random: Random, n: int) -> Matrix:
    """Distinct powers of 1024: averages of different ones, at most 1023 each, are never equal."""
    number = n * (n - 1) // 2
    exponents = random.sample(range(number), number)
    return symmetric(n, lambda i, j: 1024 ** exponents.pop())


def tied(random: Random, n: int) -> Matrix:
    """Few different dissimilarities, 0 among them."""
    values = random.choice((2, 3, 5))
    return symmetric(n, lambda i, j: random.randrange(values))


def constant(random: Random, n: int) -> Matrix:
    """One dissimilarity for all pairs; all records are equal if it is 0."""
    value = random.randrange(3)
    return symmetric(n, lambda i, j: value)


def euclidean(random: Random, n: int) -> Matrix:
    """Squared distances in the plane."""
    points = [(random.randrange(30), random.randrange(30)) for _ in range(n)]
    return symmetric(
        n, lambda i, j: sum((x - y) ** 2 for x, y in zip(points[i], points[j], strict=True))
    )


def by_oss(random: Random, n: int) -> Matrix:
    """OSS of sequences of up to 5 events, empty ones among them."""
    symbols = "abcdef"[: random.choice((1, 3, 6))]
    sequences = [random.choices(symbols, k=random.randrange(6)) for _ in range(n)]
    return symmetric(n, lambda i, j: oss(sequences[i], sequences[j]))


KINDS = (continuous, tie_free, tied, constant, euclidean, by_oss)


def any_matrix(random: Random, most: int) -> tuple[Matrix, int]:
    """A matrix of one of these kinds for at most so many records, and a k that it allows."""
    n = random.randrange(1, most + 1)
    k = random.choice((random.randrange(1, n + 1), min(n, 2), min(n, 3)))
    return random.choice(KINDS)(random, n), k
