"""By how much released values may be off: each margin is neither wider nor narrower than said."""

from __future__ import annotations

from fractions import Fraction

import pytest

import oracle
from oracle.auditing.rendering import half_digit
from oracle.commands.main import main


@pytest.mark.parametrize(
    ("value", "digits", "half"),
    [
        ("123456", 3, "500"),
        ("99999", 2, "500"),
        ("100000", 2, "5000"),
        ("-0.0123", 2, "0.0005"),
        ("1/3", 3, "0.0005"),
        ("0", 5, "0"),
    ],
)
def test_half_a_unit_of_the_last_significant_digit(value: str, digits: int, half: str) -> None:
    """By hand: of 123456 the third digit counts thousands."""
    assert half_digit(Fraction(value), digits) == Fraction(half)


@pytest.mark.parametrize(("value", "status"), [("104.00001", 0), ("104.1", 1), ("150", 1)])
def test_a_tolerance_admits_no_more_than_it_says(tmp_path, value, status) -> None:  # type: ignore[no-untyped-def]
    """The mean of 100 and 108 is 104; a millionth of it is 0.000104."""
    for name, cells in (("original", ["100", "108"]), ("released", [value] * 2)):
        (tmp_path / f"{name}.csv").write_text("\n".join(["x", *cells, ""]), encoding="utf-8")
    files = [str(tmp_path / "original.csv"), str(tmp_path / "released.csv")]
    assert main(["audit", *files, "-k", "2", "--tolerance", "1e-6"]) == status


def test_numbers_are_longer_than_python_writes_them() -> None:
    """By hand: 2^19000 has 5720 digits; the mean of it and of its neighbour but one is between."""
    far = 2**19000
    original = [[far], [far + 2], [5], [7]]
    assert oracle.audit(original, [[far + 1], [far + 1], [6], [6]], 2).ok
    assert not oracle.audit(original, [[far + 1], [far + 1], [6], [7]], 2).ok
