"""Gaussian noise: its deviates, its covariances, and the way from file to file."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import islice
from math import erf, exp, log, sqrt
from pathlib import Path
from statistics import pstdev
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain.blake2b import digest
from planted.mutants import Own, planted_by
from planted.planting import changed_module
from strategies import many_values, tables

import refagg.commands.main
from refagg import float_space, microaggregate, specification
from refagg.algorithms.noise.gaussian_noise import (
    cholesky,
    correlations,
    float_root,
    gaussian_noise,
    normal_deviates,
    unit,
)
from refagg.datasets import shipped_folder
from refagg.errors import InvalidK, InvalidParameter, UnsupportedArithmetic
from refagg.language.choices import Choices
from refagg.language.random_stream import scripted, seeded
from tests.suites import one_in

FIRMS = shipped_folder() / "eleven-firms.csv"

MANY = 20_000


def deviates(seed: int, number: int = MANY) -> list[float]:
    return list(islice(normal_deviates(seeded(seed)), number))


def noise(rows: Any, seed: int = 1, how: str = "population", **given: Any) -> list[list[float]]:
    spec = specification("gaussian-noise")
    rows = spec.run(float_space(rows, how), 1, Choices(stream=seeded(seed)), **spec.settings(given))
    assert isinstance(rows, list)
    return rows


# Deviates


def test_deviates_by_hand() -> None:
    """u = 1/2, v = -1/4: s = 5/16, and the factor is the root of 32/5 ln(16/5)."""
    draws = [3 << 51, 3 << 50]
    factor = sqrt(6.4 * log(3.2))
    assert list(islice(normal_deviates(scripted(draws)), 2)) == [
        pytest.approx(factor / 2, rel=1e-14),
        pytest.approx(-factor / 4, rel=1e-14),
    ]


def test_points_outside_the_circle_and_its_centre_are_drawn_again() -> None:
    outside, centre, inside = [0, 1 << 52], [1 << 52, 1 << 52], [3 << 51, 1 << 52]
    drawn = next(normal_deviates(scripted([*outside, *centre, *inside])))
    assert drawn == pytest.approx(sqrt(8 * log(4)) / 2, rel=1e-14)


def test_the_seeded_deviates_are_those_of_the_plain_stream() -> None:
    """The first words of the random stream of seed 1, from a BLAKE2b of its own."""
    words = [int.from_bytes(digest(i.to_bytes(8, "big"), b"1", 8), "big") for i in range(60)]
    expected: list[float] = []
    for a, b in zip(words[::2], words[1::2], strict=True):
        u, v = (2 * (word % 2**53) / 2**53 - 1 for word in (a, b))
        if 0 < (s := u * u + v * v) < 1:
            expected += [u * sqrt(-2 * log(s) / s), v * sqrt(-2 * log(s) / s)]
    assert deviates(1, len(expected)) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("seed", one_in(3, [1, 2, 3]))
def test_deviates_are_normal(seed: int) -> None:
    """Chi square on 20 classes of equal probability, 19 degrees of freedom, at the level 0.001."""

    def share(x: float) -> float:
        return (1 + erf(x / sqrt(2))) / 2

    counts = [0] * 20
    for x in deviates(seed):
        counts[min(19, int(20 * share(x)))] += 1
    expected = MANY / 20
    assert sum((count - expected) ** 2 / expected for count in counts) < 43.82


@pytest.mark.parametrize("seed", one_in(3, [1, 2, 3]))
def test_the_distribution_is_nowhere_far_from_the_normal_one(seed: int) -> None:
    """Kolmogorov and Smirnov at the level 0.001: root(n) D below 1.95."""
    ordered = sorted(deviates(seed))
    shares = [(1 + erf(x / sqrt(2))) / 2 for x in ordered]
    gap = max(max(f - i / MANY, (i + 1) / MANY - f) for i, f in enumerate(shares))
    level = 2 * sum((-1) ** (j - 1) * exp(-2 * j * j * 1.95**2) for j in range(1, 9))
    assert level == pytest.approx(0.001, abs=2e-5)
    assert sqrt(MANY) * gap < 1.95


def test_both_deviates_of_a_pair_are_used_and_are_not_correlated() -> None:
    drawn = deviates(4)
    product = sum(a * b for a, b in zip(drawn[::2], drawn[1::2], strict=True)) / (MANY / 2)
    assert abs(product) < 4 / sqrt(MANY / 2)


# Covariances

THREE = [(x, 3 * x + (x * x) % 7, (x * 37) % 23) for x in range(40)]


def covariances(rows: Sequence[Sequence[float]], centred: bool) -> list[list[float]]:
    columns = list(zip(*rows, strict=True))
    means = [sum(column) / len(rows) if centred else 0.0 for column in columns]
    return [
        [
            sum((x - m) * (y - o) for x, y in zip(a, b, strict=True)) / len(rows)
            for b, o in zip(columns, means, strict=True)
        ]
        for a, m in zip(columns, means, strict=True)
    ]


@pytest.mark.parametrize("kind", ["independent", "correlated"])
@pytest.mark.parametrize("how", one_in(3, ["none", "population", "sample"]))
def test_means_and_covariances_are_within_five_standard_errors(kind: str, how: str) -> None:
    amount = Fraction(1, 4)
    target = covariances(THREE, centred=True)
    drawn = [
        row for seed in range(150) for row in noise(THREE, seed, how, kind=kind, amount=amount)
    ]
    found = covariances(drawn, centred=False)
    for i in range(3):
        spread = sqrt(target[i][i] / 4)
        assert abs(sum(row[i] for row in drawn) / len(drawn)) < 5 * spread / sqrt(len(drawn))
        for j in range(3):
            expected = target[i][j] / 4 if kind == "correlated" or i == j else 0.0
            # The variance of a product of normal deviates is s_ii s_jj + s_ij^2.
            error = sqrt((target[i][i] * target[j][j] / 16 + expected**2) / len(drawn))
            assert abs(found[i][j] - expected) < 5 * error


def test_an_attribute_that_depends_on_others_gets_dependent_noise() -> None:
    rows = [(x, (x * x) % 11, 7, 2 * x - 3 * ((x * x) % 11) + 5) for x in range(30)]
    for one, two, constant, both in noise(rows, kind="correlated"):
        assert constant == 0
        assert both == pytest.approx(2 * one - 3 * two, abs=1e-9)


def test_the_factor_by_hand() -> None:
    """(1, 3/5, 1) with the root of 1 - 9/25 = 4/5; a third equal to the first has none left."""
    factor = cholesky([[1, 0.6, 1], [0.6, 1, 0.6], [1, 0.6, 1]])
    assert factor == [
        [1, 0, 0],
        [pytest.approx(0.6), pytest.approx(0.8), 0],
        [1, 0, 0],
    ]


@given(st.integers(1, 12).flatmap(lambda n: tables(n, many_values)))
def test_the_factor_gives_the_correlations_back(rows: Any) -> None:
    scores = [unit(column)[0] for column in zip(*rows, strict=True)]
    matrix = correlations(scores)
    factor = cholesky(matrix)
    for i, a in enumerate(factor):
        assert not any(a[i + 1 :])
        for j, b in enumerate(factor):
            product = sum(x * y for x, y in zip(a, b, strict=True))
            assert product == pytest.approx(matrix[i][j], abs=1e-5)


@pytest.mark.parametrize(("own", "kept"), [(-53, 0), (-50, 0), (-40, 0), (-38, 2.0**-19)])
@pytest.mark.parametrize("sign", [1, -1])
def test_what_rounding_leaves_of_a_dependent_attribute_is_nothing(
    own: int, kept: float, sign: int
) -> None:
    """Of the second variance 2^own is its own, or as much less than none: rounding, up to 2^-40."""
    expected = [[1.0, 0.0], [1.0, kept if sign > 0 else 0.0]]
    assert cholesky([[1.0, 1.0], [1.0, 1 + sign * 2.0**own]]) == expected


def test_roots_beyond_floats() -> None:
    assert float_root(Fraction(4)) == 2
    assert float_root(Fraction(10) ** 600) == pytest.approx(1e300)
    assert float_root(Fraction(1, 10**600)) == pytest.approx(1e-300)


@pytest.mark.parametrize("scale", [Fraction(1, 10**250), Fraction(10**250)])
@pytest.mark.parametrize("how", ["none", "population"])
def test_noise_grows_with_the_data(scale: Fraction, how: str) -> None:
    rows = [[x * scale, 5, (x % 3) * scale] for x in range(9)]
    plain = noise([[x, 5, x % 3] for x in range(9)], kind="correlated", how=how)
    for ours, theirs in zip(noise(rows, kind="correlated", how=how), plain, strict=True):
        for x, y in zip(ours, theirs, strict=True):
            assert x == pytest.approx(float(scale) * y, rel=1e-9)


# Releases


def test_constant_columns_and_no_noise_change_nothing() -> None:
    rows = [[3, 4], [3, 9], [3, 5]]
    release = microaggregate(rows, 1, "gaussian-noise", seed=1)
    assert [row[0] for row in map(release.released.row, range(3))] == [3, 3, 3]
    assert all(release.released.columns[1][r] != release.original.columns[1][r] for r in range(3))
    release = microaggregate(rows, 1, "gaussian-noise", seed=1, parameters={"amount": 0})
    assert (release.sse, release.released) == (0, release.original)


def test_seeds_repeat() -> None:
    assert noise(THREE, 5) == noise(THREE, 5) != noise(THREE, 6)


def test_blocks_and_strata_do_not_repeat_each_others_noise() -> None:
    """With the same deviates in both, a difference of two records would be without noise."""
    data = {"a": [1, 2, 4, 1, 2, 4], "b": [1, 2, 4, 1, 2, 4]}
    strata = ["s"] * 3 + ["t"] * 3
    release = microaggregate(
        data, 1, "gaussian-noise", seed=1, blocks=[["a"], ["b"]], strata=strata
    )
    changes = {
        theirs[record] - ours[record]
        for ours, theirs in zip(release.original.columns, release.released.columns, strict=True)
        for record in range(6)
    }
    assert len(changes) == 12


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"k": 3}, InvalidK, "forms no groups, so it can be 1 only"),
        ({"seed": None}, InvalidParameter, "give a seed"),
        ({"arithmetic": "exact"}, UnsupportedArithmetic, "can be run in float"),
        ({"aggregate": "median"}, InvalidParameter, "option aggregate applies to aggregates"),
        ({"significant_digits": 6}, InvalidParameter, "gaussian-noise forms no groups"),
        ({"parameters": {"amount": 2}}, InvalidParameter, "a number from 0 to 1"),
    ],
)
def test_what_cannot_be_asked_for(options: dict[str, Any], error: type, words: str) -> None:
    given = {"k": 1, "seed": 1, **options}
    with pytest.raises(error, match=words):
        microaggregate([[1], [2], [3]], given.pop("k"), "gaussian-noise", **given)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def ran(*arguments: object) -> tuple[int, str, str]:
        status = refagg.commands.main.main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return ran


def test_from_file_to_file(run: Any, tmp_path: Path) -> None:
    out, report = tmp_path / "out.csv", tmp_path / "report.json"
    mask = ["mask", "--algorithm", "gaussian-noise", "--seed", 1, FIRMS, "-o", out]
    status, text, _ = run(*mask, "--json", report)
    assert status == 0
    assert text.startswith(
        "gaussian-noise: values were changed one by one; there are no groups, "
        "nothing is k-anonymous\n"
    )
    masked = json.loads(report.read_text())
    assert (masked["yields"], masked["k"], masked["k_reached"]) == ("deviations", 1, 1)
    first = out.read_text()
    assert run(*mask)[0] == 0
    assert out.read_text() == first
    status, text, _ = run("measure", FIRMS, out, "--json", report)
    assert status == 0
    assert "k reached 1" in text
    measured = json.loads(report.read_text())
    assert measured["sse"]["decimal"] == pytest.approx(masked["sse"]["decimal"], rel=1e-9)


def test_k_is_needed_where_groups_are_formed(run: Any, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    status, _, complaint = run("mask", "--algorithm", "mdav", FIRMS, "-o", out)
    assert status == 2
    assert complaint == "error: no k is given, but mdav forms groups; give -k\n"
    assert not out.exists()
    status, _, complaint = run(
        "mask", "--algorithm", "gaussian-noise", "-k", 3, "--seed", 1, FIRMS, "-o", out
    )
    assert status == 2
    assert "k is 3; gaussian-noise forms no groups" in complaint


# Planted defects


def noise_is_right(function: Any) -> bool:
    """Variances and correlation of the noise of 2000 records, within five standard errors."""
    rows = [[x, 3 * x + (x * 7) % 11] for x in range(2000)]  # correlation almost 1
    space = float_space(rows, "population")
    for kind, correlation in (("independent", 0.0), ("correlated", 1.0)):
        drawn = function(space, 1, Choices(stream=seeded(3)), Fraction(1, 4), kind)
        spreads = [pstdev(column) for column in zip(*rows, strict=True)]
        scores = [[float(x) / s for x, s in zip(row, spreads, strict=True)] for row in drawn]
        variances = [sum(row[j] ** 2 for row in scores) / 2000 for j in (0, 1)]
        product = sum(a * b for a, b in scores) / 2000
        # A variance of 1/4 has the standard error 1/4 sqrt(2/2000).
        if any(abs(v - 0.25) > 5 * 0.25 * 0.032 for v in variances):
            return False
        if abs(product - correlation / 4) > 5 * 0.25 * 0.032:
            return False
    return True


def test_the_noise_is_right() -> None:
    assert noise_is_right(gaussian_noise)


@pytest.mark.parametrize("planted", planted_by("tests/algorithms/test_noise.py"), ids=str)
def test_a_changed_line_of_the_noise_is_noticed(planted: Own) -> None:
    module = changed_module(planted.module, planted.change)
    assert not noise_is_right(module.gaussian_noise)
