"""All named measures of numbers beside NumPy and SciPy, on random tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment, minimize
from scipy.stats import rankdata

import refagg

TABLES = 8

Array = Any


def ours(name: str, x: Array, y: Array) -> dict[str, Any]:
    found: dict[str, Any] = refagg.measure(x.tolist(), y.tolist(), measures=[name])["measures"][
        name
    ]
    return found


def number(value: Any) -> float:
    return float(value["decimal"]) if isinstance(value, dict) else float(value)


def tables(seed: int) -> list[tuple[Array, Array]]:
    """Whole numbers, and the same with noise; no two released records are equal."""
    draw = np.random.default_rng(seed)
    found = []
    for _ in range(TABLES):
        n, p = draw.integers(8, 30), draw.integers(1, 4)
        x = draw.integers(-50, 50, size=(n, p)).astype(float)
        found.append((x, x + draw.integers(-400, 400, size=(n, p)) / 64))
    return found


def test_il1_and_il1s() -> None:
    for x, y in tables(1):
        kept = x != 0
        total = np.sum(100 * np.abs(x - y)[kept] / np.abs(x)[kept])
        found = ours("il1", x, y)
        assert number(found["value"]) == pytest.approx(total, rel=1e-12)
        assert number(found["mean"]) == pytest.approx(total / kept.sum(), rel=1e-12)
        total = np.sum(np.abs(x - y) / (np.sqrt(2) * np.std(x, axis=0, ddof=1)))
        found = ours("il1s", x, y)
        assert number(found["value"]) == pytest.approx(total, rel=1e-12)
        assert number(found["mean"]) == pytest.approx(total / x.size, rel=1e-12)


def test_the_three_interval_disclosures() -> None:
    percents = np.arange(1, 11) / 100
    for x, y in tables(2):
        half = np.std(x, axis=0, ddof=1)
        near = [np.mean(np.abs(x - y) <= share * half) for share in percents]
        found = ours("interval-original", x, y)
        assert number(found["value"]) == pytest.approx(np.mean(near))
        assert number(found["at_10_percent"]) == pytest.approx(near[-1])
        inside = np.all(np.abs(x - y) <= 0.05 * np.std(y, axis=0, ddof=1), axis=1)
        assert number(ours("interval-released", x, y)["value"]) == pytest.approx(np.mean(inside))
        # The rank of a released value is how many originals are less, and half of those equal.
        own = rankdata(x, axis=0)
        theirs = np.array(
            [[placed(column, v) for column, v in zip(x.T, row, strict=True)] for row in y]
        )
        near = [np.mean(np.abs(own - theirs) <= share * len(x)) for share in percents]
        assert number(ours("interval-ranks", x, y)["value"]) == pytest.approx(np.mean(near))


def placed(column: Array, value: float) -> float:
    return float(np.sum(column < value) + (np.sum(column == value) + 1) / 2)


def test_the_nearest_original() -> None:
    for x, y in tables(3):
        z, w = (rows / np.std(x, axis=0) for rows in (x, y))
        distances = np.round(((w[:, None] - z[None]) ** 2).sum(axis=2), 9)
        least = distances == distances.min(axis=1, keepdims=True)
        right = np.mean(np.diag(least) / least.sum(axis=1))
        found = refagg.measure(x.tolist(), y.tolist(), standardise="population")
        assert number(found["record_linkage"]) == pytest.approx(right)


def test_one_to_one_linkage() -> None:
    for x, y in tables(4):
        z, w = (rows / np.std(x, axis=0) for rows in (x, y))
        distances = np.sqrt(((z[:, None] - w[None]) ** 2).sum(axis=2))
        _, column = linear_sum_assignment(distances)
        if x.shape[1] == 1:
            continue  # on a line many assignments are best
        assert number(ours("one-to-one-linkage", x, y)["value"]) == pytest.approx(
            np.mean(column == np.arange(len(x)))
        )


def test_the_weights_of_probabilistic_linkage() -> None:
    """The assignment is by weights that are found by expectation and maximisation here too."""
    for x, y in tables(5):
        n = len(x)
        agree = np.abs(x[:, None] - y[None]) <= 0.1 * np.std(x, axis=0, ddof=1)
        m, u = np.full(x.shape[1], 0.9), np.clip(agree.mean(axis=(0, 1)), 1e-6, 1 - 1e-6)
        for _ in range(1000):
            ratio = np.prod(np.where(agree, m / u, (1 - m) / (1 - u)), axis=2)
            match = ratio / (n - 1 + ratio)
            before = np.concatenate([m, u])
            m = np.clip((match[..., None] * agree).sum(axis=(0, 1)) / match.sum(), 1e-6, 1 - 1e-6)
            rest = 1 - match
            u = np.clip((rest[..., None] * agree).sum(axis=(0, 1)) / rest.sum(), 1e-6, 1 - 1e-6)
            if np.max(np.abs(np.concatenate([m, u]) - before)) <= 1e-10:
                break
        weights = np.where(agree, np.log2(m / u), np.log2((1 - m) / (1 - u))).sum(axis=2)
        # Many pairs weigh the same, so that several assignments are best: these are the bounds.
        shift = 1e-6 * np.eye(n)
        shares = [
            np.mean(linear_sum_assignment(-(weights + sign * shift))[1] == np.arange(n))
            for sign in (-1, 1)
        ]
        found = number(ours("probabilistic-linkage", x, y)["value"])
        assert shares[0] - 1e-12 <= found <= shares[1] + 1e-12


@pytest.mark.parametrize("name", ["pmse", "pmse-squares"])
def test_pmse(name: str) -> None:
    for x, y in tables(6):
        both = np.vstack([x, y])
        both = (both - both.mean(axis=0)) / both.std(axis=0)
        if name == "pmse-squares":
            squares = both**2
            both = np.hstack([both, squares])
        chances = told_apart(np.hstack([np.ones((len(both), 1)), both]))
        expected = np.mean((chances - 0.5) ** 2)
        assert number(ours(name, x, y)["value"]) == pytest.approx(expected, rel=1e-4, abs=1e-9)


def told_apart(design: Array) -> Array:
    """The probability of each row that it is of the second half, by logistic regression."""
    label = np.repeat([0.0, 1.0], len(design) // 2)

    def cost(beta: Array) -> Any:
        at = design @ beta
        return np.sum(np.logaddexp(0, at) - label * at)

    def slope(beta: Array) -> Any:
        return design.T @ (1 / (1 + np.exp(-design @ beta)) - label)

    beta = minimize(cost, np.zeros(design.shape[1]), jac=slope, method="BFGS", tol=1e-10).x
    return 1 / (1 + np.exp(-design @ beta))
