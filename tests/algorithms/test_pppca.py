"""PPPCA against what is known of releases of sdcMicro 5.8.1."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from suites import one_in

import refagg.commands.main


@pytest.mark.parametrize(
    "known",
    one_in(
        4,
        [
            ("tarragona", 3, 30.17011),
            ("tarragona", 10, 46.86999),
            ("census", 3, 62.3305),
            ("census", 10, 81.59873),
        ],
    ),
)
def test_the_information_loss_is_that_of_sdcmicro(
    data_folder: Path, tmp_path: Path, known: tuple[str, int, float]
) -> None:
    """Which it was measured to be on z-scores, of its groups of values as they are."""
    name, k, loss = known
    original, released = data_folder / f"{name}.csv", tmp_path / "out.csv"
    words = ["mask", str(original), "--algorithm", "pppca", "-k", str(k), "--arithmetic", "float"]
    words += ["--standardise", "none", "-o", str(released)]
    assert refagg.commands.main.main(words) == 0
    measured = tmp_path / "out.json"
    words = ["measure", str(original), str(released), "--json", str(measured)]
    assert refagg.commands.main.main(words) == 0
    found = json.loads(measured.read_text())
    assert found["information_loss_percent"]["decimal"] == pytest.approx(loss, abs=5e-6)
