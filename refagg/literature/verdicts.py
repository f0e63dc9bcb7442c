"""Rows of the ledger, and judgements of numbers beside printed ones."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from decimal import Decimal
from fractions import Fraction
from math import floor

EXACT = "exact"
TRUNCATED = "truncated"
MISPRINT = "misprint"
WITHIN = "within 3 standard errors"
NOISE = "within the noise"
ROUNDING = "within rounding"
DIFFERS = "differs"
NOT_PRINTED = "not printed"
NO_READING = "no reading found"
CLAIM_TRUE = "claim true"
CLAIM_FALSE = "claim false"
NO_DATA = "no data"

VERDICTS = {
    EXACT: "our number rounds to the printed digits, half up or half to even",
    TRUNCATED: "the printed digits are those of our number, truncated instead of rounded",
    MISPRINT: "our number differs, and the note says why the printed one is a misprint, or how the "
    "available text is damaged",
    WITHIN: "our number is a mean over seeds, and the printed number, its rounding apart, is "
    "within three standard errors of that mean (of the difference of both means, where the source "
    "prints its own runs)",
    NOISE: "the printed number is one random run and, its rounding apart, within three standard "
    "deviations of our runs",
    ROUNDING: "our number is computed from printed numbers, whose rounding explains the difference",
    DIFFERS: "our number differs",
    NOT_PRINTED: "what the number follows from is not printed: data, draws, or times of a machine",
    NO_READING: "our number differs, and no known reading of the source gives the printed one",
    CLAIM_TRUE: "a statement in words that the numbers confirm",
    CLAIM_FALSE: "a statement in words that the numbers refute",
    NO_DATA: "the data set may not ship with the project, and is not available",
}
"""What each verdict says."""


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One printed number or statement and what became of it.

    `ours` has as many decimals as `printed`, and is None where there is none. `note` explains any
    verdict but "exact"; for a mean it says how much single runs and the mean vary. `recipe` says
    how ours was computed.
    """

    source: str
    place: str
    printed: str
    ours: str | None
    verdict: str
    note: str
    recipe: str

    def as_data(self) -> dict[str, str | None]:
        """The row, ready for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Judged:
    """Our number as the source would print it.

    `verdict` is empty if the two do not agree.
    """

    ours: str
    verdict: str
    note: str = ""


def judged(
    value: Fraction, printed: str, places: int | None = None, margin: Fraction = Fraction(0)
) -> Judged:
    """Judge our value beside the printed one.

    Both are compared to `places` decimals (by default as many as the printed one has). `margin` is
    how far the rounding of the printed numbers from which ours follows can move it.

    >>> judged(Fraction(2, 3), "0,67"), judged(Fraction(2, 3), "0,68").verdict
    (Judged(ours='0,67', verdict='exact', note=''), '')
    >>> judged(Fraction(2, 3), "0.66")
    Judged(ours='0.67', verdict='truncated', note='it is 0.66667, truncated')
    """
    places = decimals(printed) if places is None else places
    given, roundings = printed_number(printed), rounded(value, places)
    if given in map(Fraction, roundings):
        return Judged(printed, EXACT)
    ours = roundings[0].replace(".", ",") if "," in printed else roundings[0]
    if margin and abs(value - given) <= margin + Fraction(1, 2 * 10**places):
        allows = f"the numbers it is computed from are rounded, which allows {float(margin):.1e}"
        return Judged(ours, ROUNDING, allows)
    if given == Fraction(int(value * 10**places), 10**places):
        return Judged(ours, TRUNCATED, f"it is {rounded(value, places + 3)[0]}, truncated")
    return Judged(ours, "")


def printed_number(printed: str) -> Fraction:
    """Return a printed number as a fraction.

    It is written with a comma or a point, and perhaps with a percent sign.

    >>> printed_number("8,20"), printed_number("-8%")
    (Fraction(41, 5), Fraction(-8, 1))
    """
    return Fraction(printed.rstrip("%").replace(",", "."))


def decimals(printed: str) -> int:
    """Return the number of digits after the decimal point or comma.

    >>> decimals("8,20"), decimals("799")
    (2, 0)
    """
    return len(printed.rstrip("%").replace(",", ".").partition(".")[2])


def rounded(value: Fraction, places: int) -> tuple[str, str]:
    """The value to so many decimals, half to even and half up.

    >>> rounded(Fraction(1, 8), 2)
    ('0.12', '0.13')
    """
    shifted = value * 10**places
    wholes = round(shifted), floor(shifted + Fraction(1, 2))
    even, up = (f"{Decimal(whole).scaleb(-places):f}" for whole in wholes)
    return even, up
