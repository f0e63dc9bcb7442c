"""A quicker certificate proves the same, in fewer steps."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("highspy")
pytest.importorskip("numba")
pytest.importorskip("scipy")

from oracle.certificate import kernel
from oracle.certificate.kernel import Checker, Distances, Scope, check
from oracle.optima import solve
from oracle.optima.cuts import Cut
from refagg.data.standardise import standardise
from refagg.data.tables import table_of
from tests.certificate.fewercuts import anew, without_cuts
from tests.certificate.quicker import quickened, searches
from tests.certificate.test_certificate import written


def checked(whole: dict[str, Any], data: Path) -> tuple[int, Fraction, Checker]:
    """The steps of an accepted certificate, its bound, and a checker."""
    c = kernel.certificate_of(json.dumps({**whole, "seal": kernel.seal(whole)}), "this one")
    rows = kernel.read_rows(data, c.attributes)
    check(c, rows)
    checker = Checker(c, Distances(rows, c.standardise, c.per_unit))
    checker.node(c.proof, Scope(c.together, c.apart, None))
    return checker.steps, c.bound, checker


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_prices_are_shifted_between_records_that_are_together(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    rows = [[random.randrange(100) for _ in range(2)] for _ in range(40)]
    whole: Any = solve(rows, 3, "columns", how="none", together=[(0, 1), (2, 3)]).certificate
    data = written(tmp_path, rows)
    [(duals, _, _)] = searches(whole["proof"], [])
    y, high = duals["records"], max(duals["records"])
    for a, b in whole["together"]:  # as a solver may leave them: only their sum matters to it
        y[a], y[b] = y[a] + high // 2, y[b] - high // 2
    before, bound, checker = checked(whole, data)
    sums = [y[a] + y[b] for a, b in whole["together"]], sum(y)
    after = quickened(json.loads(json.dumps(whole)), checker)
    steps, same, _ = checked(after, data)
    [(duals, _, _)] = searches(after["proof"], [])
    y = duals["records"]
    assert steps < before
    assert same == bound
    assert ([y[a] + y[b] for a, b in whole["together"]], sum(y)) == sums


def test_steps_are_counted_as_the_kernel_takes_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    random = Random(4)
    rows = [[random.randrange(10**6) for _ in range(2)] for _ in range(30)]
    whole: Any = solve(rows, 4, "columns", how="none").certificate
    [(duals, _, _)] = searches(whole["proof"], [])
    whole["proof"] = {"filters": [], "costs": "rounded", "duals": duals}
    whole["bound"] = "0"
    steps, _, checker = checked(whole, written(tmp_path, rows))
    quickened(whole, checker)
    counted, _, _, now, _ = capsys.readouterr().out.split()
    assert counted == now  # nothing is to be shifted
    assert abs(int(counted) - steps) <= steps / 500  # bounds are seldom equal


@pytest.mark.parametrize("seed", range(4))
def test_without_a_cut_no_group_pays_more(seed: int) -> None:
    random = Random(seed)
    prices = [random.randrange(100) for _ in range(9)]
    cuts = {}
    for size, divisor in ((3, 2), (5, 3), (4, 2)):
        records = tuple(sorted(random.sample(range(9), size)))
        weights = tuple(random.randrange(1, 4) for _ in records)
        cuts[Cut(records, weights, divisor)] = -random.randrange(1, 50)
    less, kept = without_cuts(prices, cuts, set(range(8)))
    assert all(8 in cut.records for cut in kept)
    for size in range(1, 6):
        for group in combinations(range(9), size):
            paid = [
                sum(y[i] for i in group)
                + sum(p * cut.coefficient(group) for cut, p in charged.items())
                for y, charged in ((prices, cuts), (less, kept))
            ]
            assert paid[1] <= paid[0]


def test_a_bound_without_any_cut_goes_on_from_another(tmp_path: Path) -> None:
    random = Random(7)
    rows = [[random.randrange(1000) for _ in range(2)] for _ in range(60)]
    whole: Any = solve(rows, 4, "columns", how="none", time_limit=0).certificate
    _, before, checker = checked(json.loads(json.dumps(whole)), written(tmp_path, rows))
    scaled = standardise(table_of(rows), "none")
    after = json.loads(json.dumps(anew(scaled, checker, 1.0, None)))
    assert all(duals["cuts"] == [] for duals, _, _ in searches(after["proof"], []))
    assert checked(after, written(tmp_path, rows))[1] > before
