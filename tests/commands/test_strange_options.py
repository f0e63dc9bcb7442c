"""Options that ask for nothing, for too much, or have signs in their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.black_box.session import run_words

MASK = ["refagg", "mask", "in.csv", "--algorithm", "mdav", "-k", "2", "-o", "out.csv"]
BOTH = ["in.csv", "in.csv", "-k", "2"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in.csv").write_text("a\n1\n2\n3\n4\n")
    (tmp_path / "signs.csv").write_text("a=1,b=c\n1,x\n2,y\n30,x\n40,x\n")
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        [*MASK, "--strata", "a"],
        [*MASK, "--sampling-weights", "a"],
        [*MASK, "--confidential", "a", "--missing", "drop"],
        [*MASK, "--confidential", "a", "--missing", "group-apart"],
        ["refagg", "measure", "in.csv", "in.csv", "--confidential", "a"],
        ["refagg", "compare", "in.csv", "-k", "2", "--confidential", "a", "--missing", "drop"],
        ["oracle", "audit", "in.csv", "-k", "2", "--confidential", "a"],
        ["oracle", "audit", *BOTH, "--strata", "a", "--missing", "drop"],
        ["oracle", "audit", *BOTH, "--confidential", "a", "--missing", "as-released"],
        ["oracle", "audit", *BOTH, "--key", "a"],
        ["oracle", "optimum", "in.csv", "-k", "2", "--confidential", "a", "--missing", "drop"],
        ["oracle", "identify", *BOTH, "--confidential", "a"],
    ],
)
def test_no_column_is_left(words: list[str], folder: Path) -> None:
    ran = run_words(words, folder)
    assert ran.status == 2, ran.out
    assert "in.csv has no column left for a quasi-identifier: 'a' is " in ran.err
    assert not (folder / "out.csv").exists()


def test_names_hold_equal_signs(folder: Path) -> None:
    kinds = ["--kind", "a=1=numeric", "--kind", "b=c=nominal"]
    weights = ["--weight", "b=c=1/2", "--weight", "a=1=2"]
    words = ["--algorithm", "mdav", "-k", "2", *kinds, *weights]
    assert run_words(["refagg", "mask", "signs.csv", *words, "-o", "out.csv"], folder).status == 0
    assert (folder / "out.csv").read_text() == "a=1,b=c\n1.5,x\n1.5,x\n35,x\n35,x\n"
    audit = ["oracle", "audit", "signs.csv", "out.csv", *words]
    assert run_words(audit, folder).status == 0
    ran = run_words([*audit, "--kind", "b=c=nominal"], folder)
    assert "--kind is given twice for 'b=c'" in ran.err


def test_events_between_equal_signs(folder: Path) -> None:
    (folder / "in.csv").write_text("way\na=b\na=b\nc=d\nc=d\n")
    ran = run_words([*MASK[:4], "kshc", *MASK[5:], "--kind", "way=sequence:="], folder)
    assert ran.status == 0, ran.err


@pytest.mark.parametrize("size", ["9" * 400 + "GB", "1e9GB", "0.5", "inf GB", "9" * 10 + "MB"])
def test_sizes_beyond_all_measure(size: str, folder: Path) -> None:
    ran = run_words([*MASK, "--max-decompressed", size], folder)
    assert ran.status == 2
    assert "the size is " in ran.err
    assert len(ran.err) < 200


@pytest.mark.parametrize("seconds", ["1e10", "1e300", "inf", "1e-9"])
def test_limits_of_time_that_no_clock_has(seconds: str, folder: Path) -> None:
    words = ["oracle", "optimum", "in.csv", "-k", "2", "--certificate", "proof.json"]
    assert run_words(words, folder).status == 0
    for _ in range(10):
        ran = run_words(
            ["oracle", "verify", "proof.json", "in.csv", "--time-limit", seconds], folder
        )
        over = "could not be checked within 1e-09 s (--time-limit)" in ran.err
        assert (ran.status == 0 and ran.out.startswith("accepted")) or (over and seconds == "1e-9")
