"""Time limit and progress of a computation."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from refagg.language.number_texts import digits_of
from refagg.terminal import UNKNOWN, about, duration


class OutOfTime(Exception):
    """The time limit is reached.

    The caller that catches this keeps what was found so far.
    """


class GivenUp(Exception):
    """Work cannot go on; what was found is kept.

    One reason is that a solver's process was ended.
    """


@dataclass(frozen=True, slots=True)
class Progress:
    """State of a computation.

    Costs are exact; a field is None where nothing is known yet.
    """

    phase: str
    round: int
    columns: int
    cuts: int
    bound: Fraction | None
    incumbent: Fraction | None
    seconds: float
    closed: float | None = None
    """In the tree: the share of all cases that is closed."""
    limit: float | None = None
    """Seconds from the start after which the computation ends."""

    @property
    def gap(self) -> Fraction | None:
        """Return the share of the incumbent that is not proved yet."""
        if self.bound is None or self.incumbent is None:
            return None
        return gap(self.incumbent, self.bound)

    def line(self) -> str:
        """Return the progress in a line of text.

        >>> Progress("root", 2, 500, 7, Fraction(9), Fraction(10), 1.25, None, 60.0).line()
        '1.2 s  root 2: 500 columns, 7 cuts, incumbent 10, bound 9, gap 10 %, at most 59 s left'
        """
        values = (("incumbent", self.incumbent), ("bound", self.bound))
        shown = [f"{name} {digits_of(v, 10)}" for name, v in values if v is not None]
        shown += [f"gap {digits_of(100 * self.gap, 4)} %"] if self.gap is not None else []
        if self.limit is not None and self.limit > self.seconds:
            shown.append(f"at most {duration(self.limit - self.seconds)} left")
        head = f"{self.seconds:.1f} s  {self.phase} {self.round}"
        return ", ".join([f"{head}: {self.columns} columns, {self.cuts} cuts", *shown])


class Estimates:
    """Estimates of the remaining time, from the history of a computation.

    In the tree it is that of the share that is open, at the speed so far. Before the tree nothing
    says how long it will be; the estimate says how fast the gap falls.
    """

    def __init__(self) -> None:
        self.first: Progress | None = None
        self.gaps: list[tuple[float, Fraction]] = []

    def told(self, progress: Progress) -> str:
        """Return the progress in a line, with the estimate."""
        limited = progress.limit is not None and progress.limit > progress.seconds
        left = self._of_tree(progress) or ("" if limited else UNKNOWN)
        return ", ".join(filter(None, [progress.line(), self._gap_before(progress), left]))

    def _of_tree(self, progress: Progress) -> str:
        if progress.closed is None:
            return ""
        if self.first is None or self.first.closed is None:
            self.first = progress
            return ""
        gained = progress.closed - self.first.closed
        passed = progress.seconds - self.first.seconds
        return f"{about(passed * (1 - progress.closed) / gained)} at this speed" if gained else ""

    def _gap_before(self, progress: Progress) -> str:
        if progress.gap is None:
            return ""
        since = progress.seconds - LOOKS_BACK
        self.gaps = [(then, gap) for then, gap in self.gaps if then >= since]
        self.gaps.append((progress.seconds, progress.gap))
        then, gap = self.gaps[0]
        passed = progress.seconds - then
        return (
            f"{duration(passed)} ago the gap was {digits_of(100 * gap, 4)} %" if passed >= 1 else ""
        )


LOOKS_BACK = 60.0
"""Seconds."""

Report = Callable[[Progress], None]


def gap(value: Fraction, bound: Fraction) -> Fraction:
    """Return the share of a value above a lower bound.

    It is 0 if the value is 0.
    """
    return (value - bound) / value if value else Fraction(0)


class Clock:
    """Deadline that every possibly long step checks."""

    def __init__(self, limit: float | None = None) -> None:
        self._start = time.monotonic()
        self.limit = limit
        """The time limit in seconds from the start, if any."""

    @property
    def seconds(self) -> float:
        """Return the seconds since the start."""
        return time.monotonic() - self._start

    def left(self, at_most: float | None = None) -> float | None:
        """Return the seconds that remain; None if there is no limit.

        They are capped at `at_most`, which is the result where there is no limit.
        """
        if self.limit is None:
            return at_most
        left = max(0.0, self.limit - self.seconds)
        return left if at_most is None else min(left, at_most)

    def check(self) -> None:
        """Raise OutOfTime once the limit is reached."""
        if self.limit is not None and self.seconds >= self.limit:
            raise OutOfTime
