"""How long a computation may take, and how far it has come."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from refagg.language.number_texts import digits_of


class OutOfTime(Exception):
    """The time is over; what was found so far is kept by whoever catches this."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a computation stands. Costs are exact; None where nothing is known yet."""

    phase: str
    round: int
    columns: int
    cuts: int
    bound: Fraction | None
    incumbent: Fraction | None
    seconds: float

    @property
    def gap(self) -> Fraction | None:
        """The share of the incumbent that is not proved yet."""
        if self.bound is None or self.incumbent is None:
            return None
        return gap(self.incumbent, self.bound)

    def line(self) -> str:
        """The progress in a line of text.

        >>> Progress("root", 2, 500, 7, Fraction(9), Fraction(10), 1.25).line()
        '1.2 s  root 2: 500 columns, 7 cuts, incumbent 10, bound 9, gap 10 %'
        """
        values = (("incumbent", self.incumbent), ("bound", self.bound))
        shown = [f"{name} {digits_of(v, 10)}" for name, v in values if v is not None]
        shown += [f"gap {digits_of(100 * self.gap, 4)} %"] if self.gap is not None else []
        head = f"{self.seconds:.1f} s  {self.phase} {self.round}"
        return ", ".join([f"{head}: {self.columns} columns, {self.cuts} cuts", *shown])


Report = Callable[[Progress], None]


def gap(value: Fraction, bound: Fraction) -> Fraction:
    """The share of a value that lies above a lower bound; 0 if the value is 0."""
    return (value - bound) / value if value else Fraction(0)


class Clock:
    """A deadline that is asked for at every step that may take long."""

    def __init__(self, limit: float | None = None) -> None:
        self._start = time.monotonic()
        self._limit = limit

    @property
    def seconds(self) -> float:
        """Since the start."""
        return time.monotonic() - self._start

    def left(self, at_most: float | None = None) -> float | None:
        """The seconds that remain, `at_most` so many; None if there is no limit."""
        if self._limit is None:
            return at_most
        left = max(0.0, self._limit - self.seconds)
        return left if at_most is None else min(left, at_most)

    def check(self) -> None:
        """Raise OutOfTime once the limit is reached."""
        if self._limit is not None and self.seconds >= self._limit:
            raise OutOfTime
