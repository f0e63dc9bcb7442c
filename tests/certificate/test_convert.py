"""Certificates of earlier formats become certificates of the present one, which prove the same."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from oracle.certificate.kernel import Rejected, certificate_of, check
from tests.certificate.convert import converted, main
from tests.certificate.test_certificate import HALVES, SIX, by_cuts, written

ROWS = [tuple(map(Fraction, row)) for row in SIX]


def old(proof: dict[str, Any], number: int = 2) -> dict[str, Any]:
    """A certificate of the optimum of SIX as earlier formats wrote it, but for the seal."""
    new = by_cuts()
    names = ("records", "attributes", "standardise", "digest")
    data = {key: value for key, value in new.items() if key not in (*names, "cuts")}
    instance = {name: new[name] for name in names}
    about = {"format": f"refagg certificate {number}", "instance": instance, "objective": "sse"}
    return {**data, **about, "proof": proof, "seal": ""}


def duals(prices: list[int], bound: int, cuts: Any = (), unit: int | None = None) -> dict[str, Any]:
    data = {"records": prices, "fewest": 0, "most": 0, "cuts": list(cuts), "bound": bound}
    return {"duals": data if unit is None else {**data, "unit": unit}}


CUTS = [[[0, 1, 2], [1, 1, 1], 2, -2], [[3, 4, 5], [1, 1, 1], 2, -2]]
OPEN = duals([6, -3, 6, 6, -3, 6], 18)

PROOFS: dict[str, tuple[dict[str, Any], int]] = {
    "units": (duals([3, 0, 3, 3, 0, 3], 24, CUTS, 3), 2),
    "no units": (duals([9, 0, 9, 9, 0, 9], 24, [[*cut[:3], -6] for cut in CUTS]), 1),
    "searched to the end": ({**OPEN, "searched": True}, 2),
    "searched below": ({**OPEN, "next": {**duals([0] * 6, 0), "searched": True}}, 1),
    "divided": (
        {
            **OPEN,
            "pair": [0, 1],
            "together": {**duals([0] * 6, 0), "next": {**duals([0] * 6, 0), "searched": True}},
            "apart": {**duals([1, 1, -1, 0, 0, 0], 1), "infeasible": True},
        },
        2,
    ),
}


@pytest.mark.parametrize("name", PROOFS)
def test_what_was_proved_is_proved(name: str) -> None:
    proof, number = PROOFS[name]
    new = certificate_of(json.dumps(converted(old(proof, number), ROWS)), "new")
    check(new, ROWS)
    assert (new.value, new.bound, new.partition) == (4, 4, HALVES)


def test_a_bound_that_was_proved_is_proved() -> None:
    """By hand: the prices add up to 18, in units of 1/6."""
    new = certificate_of(json.dumps(converted({**old(OPEN), "bound": "3"}, ROWS)), "new")
    check(new, ROWS)
    assert (new.value, new.bound) == (4, 3)


def test_a_search_that_finds_something_cheaper() -> None:
    worse = old({**duals([0] * 6, 0), "searched": True})
    worse |= {"partition": [[0, 1], [2, 3], [4, 5]], "value": "33", "bound": "33"}
    with pytest.raises(Rejected, match="cheaper partition"):
        converted(worse, ROWS)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, data, after = tmp_path / "old.json", written(tmp_path, SIX), tmp_path / "new.json"
    before.write_text(json.dumps(old({**OPEN, "searched": True})))
    assert main([str(before), str(data), str(after)]) == 0
    check(certificate_of(after.read_text(), "new"), ROWS)
    before.write_text(json.dumps(old(OPEN)))
    after.unlink()
    assert main([str(before), str(data), str(after)]) == 1
    assert "certificate.bound: 4 is claimed, which is not proved" in capsys.readouterr().out
    assert not after.exists()
