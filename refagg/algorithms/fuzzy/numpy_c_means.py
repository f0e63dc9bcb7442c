"""The same clustering as `c_means`, in arrays: for large files, with the extra `[numpy]`.

The formulas and their order are those of `c_means` and `memberships`; sums are taken in another
order. Distances are roots of sums of squares instead of `math.dist`: two records nearer to each
other than 1e-160 times the largest coordinate have the distance 0.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, Any

from refagg.algorithms.fuzzy.c_means import (
    LIMIT,
    TOLERANCE,
    FuzzyRun,
    Projection,
    Rows,
    Stopping,
    alternated,
    check_rows,
    check_stopping,
    run_of,
)
from refagg.algorithms.fuzzy.memberships import MembershipFunction, membership_function
from refagg.errors import MissingExtra

if TYPE_CHECKING:
    import numpy as np
else:
    try:
        import numpy as np
    except ModuleNotFoundError:
        np = None

Array = Any


def fuzzy_c_means(
    rows: Rows,
    centres: Rows,
    *,
    kind: str = "fcm",
    m: float | None = None,
    lam: float | None = None,
    project: Projection | None = None,
    tolerance: float = TOLERANCE,
    limit: int = LIMIT,
    membership: MembershipFunction | None = None,
    demand: bool = False,
) -> FuzzyRun:
    """As `c_means.fuzzy_c_means`. Raises MissingExtra if NumPy is not installed."""
    if np is None:
        raise MissingExtra("numpy is not installed: pip install '.[numpy]' in the checkout")
    membership = membership or membership_function(kind, m, lam)
    check_stopping(tolerance, limit)
    check_rows(rows, centres)
    data = _Data(rows)
    at = _projected(np.array(centres, dtype=float), project)
    at, logs, levels, moved = alternated(
        at,
        lambda at: _log_memberships(data, at, membership),
        lambda logs, before: _centres(data, logs, membership, before, project),
        lambda before, at: float(np.abs(at - before).max()) / data.width if data.width else 0.0,
        Stopping(tolerance, limit, demand),
    )
    return run_of(at.tolist(), np.exp(logs).T.tolist(), levels, membership, moved, tolerance)


class _Data:
    """The records, less a middle value of each attribute, which sums are taken from."""

    def __init__(self, rows: Rows) -> None:
        self.rows = np.array(rows, dtype=float)
        self.base = np.sort(self.rows, axis=0)[len(rows) // 2]
        self.shifted = self.rows - self.base
        self.width = float((self.rows.max(axis=0) - self.rows.min(axis=0)).max())

    def distances(self, centres: Array) -> Array:
        """From each centre (rows of the result) to each record (columns)."""
        size = max(float(np.abs(self.rows).max()), float(np.abs(centres).max())) or 1.0
        unit = 2.0 ** np.frexp(size)[1]
        squares = np.zeros((len(centres), len(self.rows)))
        off = np.empty_like(squares)
        for column, coordinates in zip(self.rows.T / unit, centres.T / unit, strict=True):
            np.subtract.outer(coordinates, column, out=off)
            off *= off
            squares += off
        return np.sqrt(squares, out=squares) * unit


def _log_memberships(
    data: _Data, centres: Array, membership: MembershipFunction
) -> tuple[Array, float]:
    """The logarithms of memberships, one row for each centre, and the level."""
    distances = data.distances(centres)
    nearest = distances.min(axis=0)
    with np.errstate(divide="ignore", over="ignore", under="ignore", invalid="ignore"):
        logs = _LOGS[membership.kind](distances, nearest, membership.parameter)
        whole = np.exp(logs).sum(axis=0)
        level = float(_levels(nearest, logs, whole, membership).sum())
    logs -= np.log(whole)
    return logs, level


def _fcm(distances: Array, nearest: Array, m: float) -> Array:
    logs = np.log(distances)
    np.subtract(logs.min(axis=0), logs, out=logs)
    logs *= 2 / (m - 1)
    on_centres = nearest == 0
    if on_centres.any():
        logs[:, on_centres] = _crisp(distances[:, on_centres], 0.0, 1.0)
    return logs


def _efcm(distances: Array, nearest: Array, lam: float) -> Array:
    return lam * ((nearest - distances) * (nearest + distances))


def _crisp(distances: Array, nearest: Array | float, one: float) -> Array:
    return np.where(distances == nearest, 0.0, -inf)


_LOGS: dict[str, Callable[[Array, Array, float], Array]] = {
    "fcm": _fcm,
    "efcm": _efcm,
    "crisp": _crisp,
}


def _levels(nearest: Array, logs: Array, whole: Array, membership: MembershipFunction) -> Array:
    """For each record the generalised mean of its squared distances."""
    if membership.kind == "crisp":
        return nearest**2
    mean = whole / len(logs)
    log_mean = np.log(mean)
    close = mean >= 0.5
    if close.any():
        log_mean[close] = np.log1p(np.expm1(logs[:, close]).mean(axis=0))
    if membership.kind == "efcm":
        return nearest**2 - log_mean / membership.parameter
    return np.where(
        nearest > 0, np.exp(2 * np.log(nearest) + (1 - membership.exponent) * log_mean), 0.0
    )


def _centres(
    data: _Data,
    logs: Array,
    membership: MembershipFunction,
    before: Array,
    project: Projection | None,
) -> Array:
    greatest = logs.max(axis=1, keepdims=True)
    empty = np.isneginf(greatest[:, 0])
    weights = logs - np.where(np.isneginf(greatest), 0.0, greatest)
    weights *= membership.exponent
    np.exp(weights, out=weights)
    with np.errstate(divide="ignore", invalid="ignore"):
        means = data.base + (weights @ data.shifted) / weights.sum(axis=1, keepdims=True)
    means[empty] = before[empty]
    for i in np.flatnonzero((weights == 0).any(axis=1) & ~empty):
        # The mean of equal records is exactly what they are; see `c_means.Columns.mean`.
        counting = data.rows[weights[i] > 0]
        if (counting == counting[0]).all():
            means[i] = counting[0]
    return _projected(means, project)


def _projected(centres: Array, project: Projection | None) -> Array:
    return np.array([project(row) for row in centres.tolist()]) if project else centres
