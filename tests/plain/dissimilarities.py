"""The named dissimilarities of sequences by recursion on their first or last events."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

Events = tuple[str, ...]
Placed = tuple[tuple[int, str], ...]


def oss(a: Events, b: Events) -> Fraction:
    if not a and not b:
        return Fraction(0)
    distances, alone = _matched(tuple(enumerate(a)), tuple(enumerate(b)))
    f = Fraction(sum(distances), max(len(a), len(b)))
    return (f + alone) / (len(a) + len(b))


def _matched(a: Placed, b: Placed) -> tuple[list[int], int]:
    """The first event of a goes with the first equal one of b, and so on with what is left."""
    if not a:
        return [], len(b)
    (place, symbol), *rest = a
    for i, (other, same) in enumerate(b):
        if symbol == same:
            distances, alone = _matched(tuple(rest), b[:i] + b[i + 1 :])
            return [abs(place - other), *distances], alone
    distances, alone = _matched(tuple(rest), b)
    return distances, alone + 1


def hamming(a: Events, b: Events) -> Fraction:
    def differing(x: Events, y: Events) -> int:
        if not x or not y:
            return len(x) + len(y)
        return (x[0] != y[0]) + differing(x[1:], y[1:])

    return _share(differing(a, b), a, b)


@cache
def edits(a: Events, b: Events) -> int:
    if not a or not b:
        return len(a) + len(b)
    return min(
        edits(a[:-1], b) + 1,
        edits(a, b[:-1]) + 1,
        edits(a[:-1], b[:-1]) + (a[-1] != b[-1]),
    )


def levenshtein(a: Events, b: Events) -> Fraction:
    return Fraction(edits(a, b))


def normalised_levenshtein(a: Events, b: Events) -> Fraction:
    return _share(edits(a, b), a, b)


def lcs(a: Events, b: Events) -> Fraction:
    """The longest subsequence of a that is one of b, of all that a has."""

    def within(part: Events, whole: Events) -> bool:
        rest = iter(whole)
        return all(event in rest for event in part)

    def longest(taken: Events, left: Events) -> int:
        if not left:
            return len(taken) if within(taken, b) else 0
        return max(longest((*taken, left[0]), left[1:]), longest(taken, left[1:]))

    return 1 - _share(longest((), a), a, b) if a or b else Fraction(0)


def _share(count: int, a: Events, b: Events) -> Fraction:
    return Fraction(count, max(len(a), len(b))) if a or b else Fraction(0)


PLAIN: dict[str, Callable[[Events, Events], Fraction]] = {
    "oss": oss,
    "hamming": hamming,
    "levenshtein": levenshtein,
    "normalised-levenshtein": normalised_levenshtein,
    "lcs": lcs,
}
