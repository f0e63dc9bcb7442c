"""Coq accepts the proof of soundness, and none of a checker that leaves something out."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.places import ROOT

COQC = shutil.which("coqc")
TEXT = (ROOT / "docs" / "soundness.v").read_text()

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(COQC is None, reason="coqc is not installed"),
]


def compiled(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "soundness.v").write_text(text)
    command = [str(COQC), "soundness.v"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_theorem_is_proved_without_axioms(tmp_path: Path) -> None:
    done = compiled(TEXT, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "Closed under the global context"
    assert not {"Admitted", "Axiom", "admit"} & set(TEXT.replace(".", " ").split())


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("(price c <=? 0) &&", ""),
        ("(0 <=? elsewhere c)", "true"),
        ("(0 <=? fewest d) &&", ""),
        ("&& (most d <=? 0)", ""),
        ("fewest d * - (- Z.of_nat n / largest)", "fewest d * (Z.of_nat n / k)"),
        ("most d * (Z.of_nat n / k)", "most d * (Z.of_nat n / largest)"),
        ("signs d && none_negative d C", "signs d"),
        ("reduced d G <=? target - proves d", "reduced d G <? target - proves d"),
        ("forallb (fun G => pays d G <=? 0) C\n", "true\n"),
        ("&& (0 <? proves d)", "&& (0 <=? proves d)"),
        ("parts * (Qceiling (value * per_unit * inject_Z L) - 1)",
         "parts * (Qceiling (value * per_unit * inject_Z L) - 2)"),
        ("Some (lesser x y)", "Some x"),
        ("negb (has a G && has b G)", "negb (has a G || has b G)"),
        ("eqb (has a G) (has b G)", "(has a G && has b G)"),
        ("Qfloor (per_unit", "Qceiling (per_unit"),
    ],
)  # fmt: skip
def test_a_checker_that_leaves_something_out_is_not_proved(
    right: str, wrong: str, tmp_path: Path
) -> None:
    assert right in TEXT
    assert compiled(TEXT.replace(right, wrong), tmp_path).returncode != 0
