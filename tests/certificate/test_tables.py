"""The checkers read tables and certificates alike, also where these are unusual."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from oracle.certificate.kernel import Rejected, data_digest
from oracle.commands.verify_command import told_by, verdicts
from refagg.errors import CheckerUnavailable
from tests.certificate import altered
from tests.certificate.test_certificate import Json, by_cuts

CHECKERS = pytest.mark.parametrize("checker", ["python", "node", "proved"])

PLAIN = "x1\n0\n1\n2\n10\n11\n12\n"


def told(checker: str, folder: Path, data: Json, table: bytes) -> str:
    """The verdict of a checker, or why the certificate is rejected."""
    (folder / "proof.json").write_text(json.dumps(altered.sealed(data)))
    (folder / "data.csv").write_bytes(table)
    if checker == "proved" and not shutil.which("coqc"):
        pytest.skip("Coq is not installed")
    try:
        return told_by(checker, folder / "proof.json", folder / "data.csv")[0]
    except CheckerUnavailable as missing:
        pytest.skip(str(missing))
    except Rejected as reason:
        return f"rejected: {reason}"


@CHECKERS
@pytest.mark.parametrize(
    "table", [PLAIN, "\tx1 \n 0\t\n1\n2  \n10\n11\n12", "y,x1\r\n" + "é,0\r\n,1\n,2\n,10\n,11\n,12"]
)
def test_blanks_and_tabs_do_not_matter(checker: str, table: str, tmp_path: Path) -> None:
    assert told(checker, tmp_path, by_cuts(), table.encode()).startswith("accepted")


@CHECKERS
@pytest.mark.parametrize("space", ["\xa0", "\u2003", "\x0b", "\x0c", "\x1c", "\ufeff", "\u200b"])
def test_no_other_white_space_is_left_out(checker: str, space: str, tmp_path: Path) -> None:
    table = PLAIN.replace("\n2\n", f"\n{space}2\n")
    assert told(checker, tmp_path, by_cuts(), table.encode()).startswith("rejected: ")


@CHECKERS
@pytest.mark.parametrize("cell", [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xc0\x80"])
def test_a_table_is_utf_8_in_every_cell(checker: str, cell: bytes, tmp_path: Path) -> None:
    table = PLAIN.encode().replace(b"x1\n0\n", b"x1,y\n0," + cell + b"\n")
    assert told(checker, tmp_path, by_cuts(), table).startswith("rejected: ")
    table = table.replace(cell, "\u20ac".encode())
    assert told(checker, tmp_path, by_cuts(), table).startswith("accepted")


@CHECKERS
def test_records_without_attributes_have_the_sse_0(checker: str, tmp_path: Path) -> None:
    data = by_cuts() | {"attributes": [], "digest": data_digest([], [()] * 6), "cuts": []}
    duals = {"unit": 1, "records": [0] * 6, "fewest": 0, "most": 0, "cuts": []}
    data |= {"proof": {"filters": [], "costs": "rounded", "duals": duals}, "value": "0"}
    data |= {"bound": "0"}
    assert told(checker, tmp_path, data, PLAIN.encode()).startswith("accepted")


@pytest.mark.parametrize("checker", ["node", "proved"])
@pytest.mark.parametrize("name", ["a\nb", "a\r\nb", "a\u2028b", "a\x85b", "a\x1cb"])
def test_each_certificate_has_one_line(checker: str, name: str, tmp_path: Path) -> None:
    good = told(checker, tmp_path, by_cuts(), PLAIN.encode())
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(altered.sealed(by_cuts() | {"attributes": [name]})))
    files = [(bad, tmp_path / "data.csv"), (tmp_path / "proof.json", tmp_path / "data.csv")]
    first, second = verdicts(checker, files)
    assert first.startswith("rejected: ")
    assert second == good


@CHECKERS
def test_an_object_with_many_keys_is_refused(checker: str, tmp_path: Path) -> None:
    data = by_cuts()
    data["proof"] |= {f"key{number}": 0 for number in range(60_000)}
    assert told(checker, tmp_path, data, PLAIN.encode()).startswith("rejected: ")
