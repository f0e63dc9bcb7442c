"""The proved program: it is proved without axioms, and nothing that leaves a check out is."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from oracle.commands.verify_command import FOLDER, proved, told_by
from refagg.data.known_optima import ListedOptimum, known_optima
from refagg.datasets import DATASETS
from refagg.errors import CheckerUnavailable
from tests.certificate import altered
from tests.certificate import test_certificate as by_hand
from tests.certificate import test_conic as by_vectors

COQC = shutil.which("coqc")
TEXT = (FOLDER / "proved" / "kernel.v").read_text()


def compiled(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "kernel.v").write_text(text)
    command = [str(COQC), "kernel.v"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def _built() -> None:
    try:
        proved()
    except CheckerUnavailable as reason:
        pytest.skip(str(reason))


@pytest.mark.long
@pytest.mark.skipif(COQC is None, reason="coqc is not installed")
def test_the_theorem_is_proved_without_axioms(tmp_path: Path) -> None:
    done = compiled(TEXT, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "Closed under the global context"
    assert "Print Assumptions accepted_is_true." in TEXT
    assert not {"Admitted", "Axiom", "admit", "Parameter"} & set(re.findall(r"\w+", TEXT))


@pytest.mark.long
@pytest.mark.skipif(COQC is None, reason="coqc is not installed")
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("(1 <=? unit d) &&", ""),
        ("&& (0 <=? fewest d)", ""),
        ("&& (most d <=? 0)", ""),
        ("&& (snd x <=? 0))", "&& true)"),
        ("(fst x <? n)%nat && (0 <=? snd x)", "true"),
        ("(1 <=? divisor c) &&", ""),
        ("fewest d * - (- Z.of_nat n / Z.of_nat (largest c))",
         "fewest d * (Z.of_nat n / Z.of_nat (k c))"),
        ("(slack <? keys least)", "(slack <=? keys least)"),
        ("let most := slack - keys (firstn m sorted)",
         "let most := slack - keys (firstn missing sorted)"),
        ("(filter (fun x => fst x <=? slack) l)", "(filter (fun x => fst x <? slack) l)"),
        ("s * least j m / 2", "s * least j m"),
        ("s * least j m / 2", "s * least j (S m) / 2"),
        ("(slack - (key - half missing j))", "(slack - key)"),
        ("(y j <? y anchor) || ((y j =? y anchor) && (j <? anchor)%nat)", "(y j <? y anchor)"),
        ("(limit + y p anchor + each p)", "(limit + y p anchor)"),
        ("if forallb (fun x => 0 <=? fst x) reduced", "if true"),
        ("filter (fun x => fst x <=? limit) reduced", "filter (fun x => fst x <? limit) reduced"),
        ("if enough - grain <? b then", "if true then"),
        ("(Z.max 1 (parts c * g))", "(Z.max 1 (2 * parts c * g))"),
        ("Some (Z.min x y)", "Some x"),
        ("Qceiling (value c * per_unit c * inject_Z (whole c)) - 1)",
         "Qceiling (value c * per_unit c * inject_Z (whole c)) - 2)"),
        ("if spread l =? 0 then (0, 1) else lowest (un * (n * (n - 1)))",
         "if spread l =? 0 then (0, 1) else lowest (un * (n * n))"),
        ("fun i j => e i j / common d)) e", "fun i j => e i j / common d + 1)) e"),
        ("then Qle_bool (bound c) (value c)", "then true"),
        ("Z.max 0 proved in", "Z.max 1 proved in"),
        ("=? Qnum (value c) * Qnum (per_unit c)", "<=? Qnum (value c) * Qnum (per_unit c)"),
        ("(1 <=? step x) &&", ""),
        ("&& (highest x <=? 0)", ""),
        ("&& (0 <=? p)) (triangles x)", ") (triangles x)"),
        ("(i, (i, - p)); (j, (h, - p))", "(j, (h, - p))"),
        ("- scale i * scale j * dot", "+ scale i * scale j * dot"),
        ("- (level i + level j)", "- level i"),
        ("(filter (fun j => negb (j =? i)%nat) (seq 0 n))", "(seq 0 n)"),
        ("(firstn (pred s) others)", "(firstn s others)"),
        ("- (- twice / 2)", "1 - (- twice / 2)"),
    ],
)  # fmt: skip
def test_a_program_that_leaves_something_out_is_not_proved(
    right: str, wrong: str, tmp_path: Path
) -> None:
    assert right in TEXT
    assert compiled(TEXT.replace(right, wrong, 1), tmp_path).returncode != 0


@pytest.mark.long
@pytest.mark.usefixtures("_built")
@pytest.mark.parametrize("made", by_hand.HANDMADE)
def test_a_proof_by_hand_is_accepted(made: altered.Made, tmp_path: Path) -> None:
    data = altered.sealed(made())
    proof, table = tmp_path / "proof.json", by_hand.written(tmp_path, by_hand.rows_for(data))
    proof.write_text(by_hand.json.dumps(data))
    assert told_by("proved", proof, table) == [f"accepted optimal {data['value']}"]


@pytest.mark.long
@pytest.mark.usefixtures("_built")
def test_the_proved_program_agrees_on_vectors(tmp_path: Path) -> None:
    by_vectors.agree(["proved"], tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(11, 16))
@pytest.mark.usefixtures("_built")
def test_all_checkers_agree_on_5000_altered_certificates(seed: int) -> None:
    counts = altered.compare(1000, seed, altered.installed())
    assert counts["rejected"] > 300
    assert counts["accepted optimal"] + counts["accepted bound"] > 30


@by_hand.IN_CHECKOUT
@pytest.mark.long
@pytest.mark.reference_data
@pytest.mark.usefixtures("_built")
@pytest.mark.parametrize("known", known_optima(), ids=lambda known: f"{known.dataset}-{known.k}")
def test_the_shipped_certificates_are_accepted(known: ListedOptimum, data_folder: Path) -> None:
    table = data_folder / DATASETS[known.dataset].file
    certificate = by_hand.FOLDER / f"{known.dataset}-{known.k}.json.gz"
    told = told_by("proved", certificate, table)
    assert told == [f"accepted {'optimal' if known.optimal else 'bound'} {known.bound}"]
