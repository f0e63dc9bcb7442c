"""X in arrays: what `refagg.cursors.rows.Rows` answers, for many records; needs `[big]`.

Distances, logarithms and exponentials are those of NumPy, and sums are added in its order, so that
memberships and centres differ from those of the plain cursor in their last digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from refagg.errors import needed
from refagg.terminal import NOW

with needed("pip install '.[big]' in the checkout"):
    import numpy as np

Array = Any
Row = Sequence[float]


class MembershipKind(Protocol):
    """Kind of memberships with its parameter.

    The parameter is m or lambda; the power is that of memberships in means.
    """

    @property
    def kind(self) -> str: ...

    @property
    def parameter(self) -> float: ...

    @property
    def exponent(self) -> float: ...


class ArrayRows:
    """The records, less a middle value of each attribute."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = np.array(rows, dtype=float)
        self.base: Array = np.sort(self.rows, axis=0)[len(self.rows) // 2]
        self.off = self.rows - self.base
        self.widest_range = float((self.rows.max(axis=0) - self.rows.min(axis=0)).max())

    def iterations(self, most: int) -> Iterator[int]:
        """Count iterations, of which there can be fewer."""
        return NOW.each(range(most), "iterations", at_most=True)

    def memberships(self, u: MembershipKind, centres: Sequence[Row]) -> tuple[Array, float]:
        """Return the logarithms of the memberships, and their level.

        There is a row for each record.
        """
        distances = self._distances(np.array(centres, dtype=float) - self.base)
        nearest = distances.min(axis=1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = FORMULAS[u.kind](distances, nearest, u.parameter)
        total = np.exp(logs).sum(axis=1, keepdims=True)
        level = float(LEVELS[u.kind](nearest, total / distances.shape[1], u.parameter).sum())
        logs -= np.log(total)
        return logs, level

    def _distances(self, centres: Array) -> Array:
        squares = np.zeros((len(self.off), len(centres)))
        for mine, theirs in zip(self.off.T, centres.T, strict=True):
            gap = mine[:, None] - theirs
            gap *= gap
            squares += gap
        return np.sqrt(squares, out=squares)

    def centres(
        self, u: MembershipKind, log_u: Array, before: Sequence[Row]
    ) -> Iterator[list[float]]:
        """Return the weighted means of all records, by attribute; see `Rows.mean`."""
        greatest = log_u.max(axis=0)
        weights = np.exp(u.exponent * (log_u - np.where(greatest > -np.inf, greatest, 0.0)))
        totals = weights.sum(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            means = self.base + (weights.T @ self.off) / totals[:, None]
        partly = (weights == 0).any(axis=0)
        for i, old in enumerate(before):
            if not totals[i]:
                yield list(old)
            elif partly[i] and (alike := self._alike(weights[:, i])) is not None:
                yield alike
            else:
                yield means[i].tolist()

    def _alike(self, weights: Array) -> list[float] | None:
        """Return the record that all those with a weight equal.

        None if they are not all equal.
        """
        some = self.rows[weights != 0]
        row: list[float] = some[0].tolist()
        return row if (some == some[0]).all() else None

    def moved(self, before: Sequence[Row], after: Sequence[Row]) -> float:
        """Return the farthest move of a centre's coordinate, in widest ranges."""
        if not self.widest_range:
            return 0.0
        return float(np.abs(np.array(before) - np.array(after)).max()) / self.widest_range

    def listed(self, log_u: Array) -> list[list[float]]:
        """Return the memberships as lists, a row for each record."""
        rows: list[list[float]] = np.exp(log_u).tolist()
        return rows


def _crisp(distances: Array, nearest: Array, parameter: float) -> Array:
    return np.where(distances == nearest, 0.0, -np.inf)


def _fcm(distances: Array, nearest: Array, m: float) -> Array:
    logs = 2 / (m - 1) * (np.log(nearest) - np.log(distances))
    return np.where(nearest > 0, logs, _crisp(distances, nearest, m))


def _efcm(distances: Array, nearest: Array, lam: float) -> Array:
    return lam * ((nearest - distances) * (nearest + distances))


Formula = Callable[[Array, Array, float], Array]

FORMULAS: dict[str, Formula] = {"fcm": _fcm, "efcm": _efcm, "crisp": _crisp}
"""The logarithms of memberships, less the greatest of the record: `MembershipFunction.logs`."""


def _fcm_level(nearest: Array, mean: Array, m: float) -> Array:
    with np.errstate(divide="ignore"):
        return np.where(nearest > 0, np.exp(2 * np.log(nearest) + (1 - m) * np.log(mean)), 0.0)


LEVELS: dict[str, Formula] = {
    "fcm": _fcm_level,
    "efcm": lambda nearest, mean, lam: nearest * nearest - np.log(mean) / lam,
    "crisp": lambda nearest, mean, parameter: nearest * nearest,
}
"""The levels of records, from the mean of their exponentials: `MembershipFunction.level`."""


def poisson_binomials(probabilities: Sequence[Row], k: int) -> list[list[float]]:
    """Return for each column the probabilities of the sizes 0 .. k-1.

    They equal to the last digit those computed one by one.
    """
    sizes = np.zeros((len(probabilities[0]), k))
    sizes[:, 0] = 1
    for row in np.array(probabilities)[:, :, None]:
        smaller = sizes[:, :-1] * row
        sizes *= 1 - row
        sizes[:, 1:] += smaller
    found: list[list[float]] = sizes.tolist()
    return found
