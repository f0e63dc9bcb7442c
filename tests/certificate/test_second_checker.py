"""The checker in JavaScript says what the one in Python says."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from oracle.certificate.kernel import Rejected
from oracle.commands.verify_command import verdicts
from refagg.data.known_optima import ListedOptimum, known_optima
from refagg.datasets import DATASETS
from tests.certificate import altered
from tests.certificate.test_certificate import (
    FOLDER,
    HANDMADE,
    IN_CHECKOUT,
    SIX,
    by_cuts,
    rows_for,
    written,
)
from tests.places import ROOT

pytestmark = pytest.mark.skipif(altered.NODE is None, reason="node is not installed")


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [str(altered.NODE), str(altered.CHECKER), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("made", HANDMADE)
def test_a_proof_by_hand_is_accepted(made: altered.Made, tmp_path: Path) -> None:
    data = altered.sealed(made())
    proof, table = tmp_path / "proof.json", written(tmp_path, rows_for(data))
    proof.write_text(json.dumps(data))
    done = run(proof, table)
    assert (done.returncode, done.stdout) == (0, f"accepted optimal {data['value']}\n")


def test_a_path_with_a_tab_is_refused_before_it_is_taken_for_two(tmp_path: Path) -> None:
    data = altered.sealed(by_cuts())
    proof, table = tmp_path / "two\tparts.json", written(tmp_path, rows_for(data))
    proof.write_text(json.dumps(data))
    with pytest.raises(Rejected, match="is not the name of a file"):
        verdicts("node", [(proof, table)])


def test_the_example_of_the_documentation(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "certificate.md").read_text()
    blocks = dict(re.findall(r"```(text|json)\n(.*?)```", text, re.DOTALL))
    (tmp_path / "five.csv").write_text(blocks["text"])
    (tmp_path / "five.json").write_text(blocks["json"])
    assert run(tmp_path / "five.json", tmp_path / "five.csv").stdout == "accepted optimal 5/2\n"


def test_a_lie_is_rejected(tmp_path: Path) -> None:
    data = by_cuts()
    data["proof"]["duals"]["records"][5] += 1
    (tmp_path / "proof.json").write_text(json.dumps(altered.sealed(data)))
    done = run(tmp_path / "proof.json", written(tmp_path, SIX))
    assert done.returncode == 1
    assert re.search(
        r"rejected: certificate.proof.duals: group \((\d, )+5\) has a negative reduced cost",
        done.stdout,
    )


def test_both_checkers_agree_on_altered_certificates() -> None:
    counts = altered.compare(200, 7, ["node"])
    assert counts["rejected"] > 50
    assert counts["accepted optimal"] + counts["accepted bound"] > 5


@IN_CHECKOUT
@pytest.mark.long
@pytest.mark.reference_data
@pytest.mark.parametrize(
    "known",
    [known for known in known_optima() if known.optimal],
    ids=lambda known: f"{known.dataset}-{known.k}",
)
def test_the_shipped_certificates_are_accepted(known: ListedOptimum, data_folder: Path) -> None:
    """Those of bounds take up to ten minutes: `python -m tests.certificate.shipped` checks them."""
    table = data_folder / DATASETS[known.dataset].file
    done = run(FOLDER / f"{known.dataset}-{known.k}.json.gz", table)
    assert done.stdout.startswith("accepted optimal ")
