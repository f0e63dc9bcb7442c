"""Pairs divide all cases before groups are listed, where a list would be too long."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from oracle.certificate.kernel import Rejected, certificate_of, check, seal
from oracle.optima import columns, solve
from oracle.optima.clock import Progress
from oracle.optima.master import Duals
from oracle.optima.root import balanced

Rows = list[list[int]]
Proof = dict[str, Any]

TABLES = (15, 20, 26)
"""Numbers of tables whose relaxation is a partition in neither half before the first division."""


@pytest.fixture(autouse=True)
def _no_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists of two groups at most, and no cuts."""
    monkeypatch.setattr(columns, "LISTED", 2)
    monkeypatch.setattr(columns, "new_cuts", lambda *_: [])


def drawn(seed: int) -> Rows:
    random = Random(seed)
    return [[random.randint(0, 9), random.randint(0, 9)] for _ in range(13)]


def checked(certificate: object, rows: Rows) -> Proof:
    """Return the proof of a certificate that the kernel accepts."""
    text = json.dumps(certificate)
    check(certificate_of(text, "the certificate"), [tuple(map(Fraction, row)) for row in rows])
    proof: Proof = json.loads(text)["proof"]
    return proof


@pytest.mark.parametrize("seed", TABLES)
def test_the_optimum_is_found_and_proved_by_parts(seed: int) -> None:
    rows = drawn(seed)
    found = solve(rows, 3, "columns")
    assert (found.status, found.value) == ("optimal", solve(rows, 3, "subsets").value)
    proof = checked(found.certificate, rows)
    assert "pair" in proof
    assert not proof["filters"]


@pytest.mark.parametrize("seed", TABLES)
def test_halves_are_no_proof_of_each_other(seed: int) -> None:
    rows = drawn(seed)
    whole = json.loads(json.dumps(solve(rows, 3, "columns").certificate))
    proof = whole["proof"]
    for halves in (("apart", "apart"), ("together", "together")):
        both = dict(zip(("together", "apart"), map(proof.__getitem__, halves), strict=True))
        altered = {**whole, "proof": {**proof, **both}, "seal": ""}
        altered["seal"] = seal(altered)
        with pytest.raises(Rejected):
            checked(altered, rows)


@pytest.mark.parametrize("seed", TABLES)
@pytest.mark.parametrize("calls", [3, 6, 9, 12])
def test_a_run_that_is_ended_goes_on_with_open_parts(tmp_path: Path, seed: int, calls: int) -> None:
    rows, left, state = drawn(seed), iter(range(calls)), tmp_path / "state.json"

    def stop(_: Progress) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt

    first = solve(rows, 3, "columns", report=stop, state=state)
    second = solve(rows, 3, "columns", state=state)
    value = solve(rows, 3, "subsets").value
    assert first.bound is not None
    assert first.bound <= value <= first.value
    checked(first.certificate, rows)
    assert (second.status, second.value) == ("optimal", value)
    checked(second.certificate, rows)


def test_prices_of_records_that_are_together_are_balanced() -> None:
    """Their sum is kept, and what they differ by among others: 5 + 9 + 1 is 3 + 9 + 3."""
    like = Duals([3, 9, 8, 4], 0, 0, {})
    given = Duals([5, 9, 70, 1], 2, -1, {})
    assert balanced(given, like, [(0, 1), (1, 3)]) == Duals([3, 9, 70, 3], 2, -1, {})
    assert balanced(given, None, [(0, 3)]) == Duals([3, 9, 70, 3], 2, -1, {})
    assert balanced(given, like, []) == given


@pytest.mark.parametrize("seed", TABLES)
def test_a_finished_run_by_parts_is_remembered(tmp_path: Path, seed: int) -> None:
    rows, state = drawn(seed), tmp_path / "state.json"
    first, seen = solve(rows, 3, "columns", state=state), list[Progress]()
    second = solve(rows, 3, "columns", state=state, report=seen.append)
    assert not seen
    assert second.certificate == first.certificate
