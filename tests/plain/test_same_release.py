"""Algorithms that form no groups against the plain ones, which have 30 digits and draw from their
own random stream: the centres and who is drawn to them, and the noise of every value."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from plain import fuzzy, gaussian_noise
from refagg import float_space, specification
from refagg.algorithms.fuzzy.publishing import centre_values
from refagg.language.choices import Choices
from refagg.language.random_stream import seeded
from tests.suites import one_in

Rows = list[list[int]]

TABLES = 3

FUZZY: tuple[dict[str, Any], ...] = (
    {},
    {"m1": "3", "m2": "2"},
    {"m2": "1"},
    {"m1": "1", "m2": "3"},
    {"m1": "5/4", "m2": "5/4", "guarantee": "redraw"},
    {"kind": "efcm", "lambda1": "1/90000", "lambda2": "1/90000"},
    {"kind": "efcm", "lambda1": "1/5000", "lambda2": "1/90000", "guarantee": "redraw"},
    {"m2": "2", "guarantee": "merge", "c": "4"},
    {"m2": "2", "guarantee": "redraw", "c": "4", "limit": "3"},
)

NOISE: tuple[dict[str, Any], ...] = (
    {"kind": "independent"},
    {"kind": "correlated"},
    {"kind": "correlated", "amount": "9/10"},
)


def tables(seed: object, width: int = 3) -> list[Rows]:
    random = Random(str(seed))
    return [
        [[random.randrange(1000) for _ in range(width)] for _ in range(random.randint(6, 12))]
        for _ in range(TABLES)
    ]


@pytest.mark.parametrize("given", one_in(4, FUZZY), ids=str)
def test_the_centres_and_the_draws_are_the_plain_ones(given: dict[str, Any]) -> None:
    settings = specification("fuzzy").settings(given)
    for seed, rows in enumerate(tables(given)):
        space, choices = float_space(rows), Choices(stream=seeded(seed))
        found = specification("fuzzy").run(space, 2, choices, **settings)
        centres, homes = fuzzy.release(rows, 2, seed=seed, **settings)
        assert found.assignment == homes
        for ours, plain in zip(centre_values(found), centres, strict=True):
            assert [float(x) for x in ours] == pytest.approx([float(x) for x in plain], abs=1e-6)


@pytest.mark.parametrize("given", one_in(2, NOISE), ids=str)
def test_the_noise_is_the_plain_one(given: dict[str, Any]) -> None:
    settings = specification("gaussian-noise").settings(given)
    for seed, rows in enumerate(tables(given)):
        # One attribute is constant, and one depends on others.
        wider = [[*row, 7, row[0] - 2 * row[1]] for row in rows]
        choices = Choices(stream=seeded(seed))
        found = specification("gaussian-noise").run(float_space(wider), 2, choices, **settings)
        plain = gaussian_noise.deviations(wider, seed=seed, **settings)
        for ours, theirs in zip(found, plain, strict=True):
            assert ours == pytest.approx([float(x) for x in theirs], abs=1e-8)
