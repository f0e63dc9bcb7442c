"""Small inputs that ask for much are answered in little time and memory."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.black_box.bombs import BOMBS, READ, Bomb, asked, prepared

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded by Linux")

QUICK = {"workbook of laughs", "parquet of a long text", "signs"}
"""Some that take seconds; the others are long tests."""


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in BOMBS],
)
def test_it_is_answered(name: str, tmp_path: Path) -> None:
    answer = asked(prepared(BOMBS[name], tmp_path), tmp_path)
    assert not answer.wrong(), answer.error


@pytest.mark.long
def test_what_takes_much_is_found(tmp_path: Path) -> None:
    """A plain file has no bound: this one is not compressed."""
    bomb = Bomb(lambda: b"a\n" + b"1\n" * 10_000_000, READ)
    assert asked(prepared(bomb, tmp_path), tmp_path).wrong() == "too much memory"
