"""By how much released values may be off: each margin is neither wider nor narrower than said."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

import oracle
from oracle.auditing.rendering import Cell, granted, half_digit, renderings
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


@pytest.mark.parametrize("digits", [2, 6, 15])
def test_what_fits_by_its_error_fits_with_less_of_it(digits: int) -> None:
    """Less error, or more magnitude and aggregate; without an error, anything fits."""
    random = Random(digits)
    ways = list(renderings(3, lambda: digits, granted(Fraction(1, 10**5)), Fraction(50)))
    fitting = 0
    for _ in range(2000):
        size, unit, off = random.randint(1, 5), 10**6, random.randint(0, 10 ** random.randint(0, 6))
        low, least = (random.randint(0, 10 ** random.randint(1, 12)) for _ in "ab")
        total, most = (more + random.randint(0, 10**9) for more in (low, least))
        worse = Cell(size * low, size, low - off, size * unit, size, size * least)
        less = random.choice([-1, 1]) * random.randint(0, off)
        better = Cell(size * total, size, total - less, size * unit, size, size * most)
        exact = Cell(size * low, size, low, size * unit, size, size * least)
        assert all(way.fits(exact) for way in ways)
        for way in ways:
            fitting += way.by_error and way.fits(worse) and off > 0
            assert not (way.by_error and way.fits(worse)) or way.fits(better), way.name
    assert fitting > 1000


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
