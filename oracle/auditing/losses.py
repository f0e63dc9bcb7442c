"""Attributes that lose more than their variation, although their values are said to be means.

Means of groups never do, unless they are moved to constraints: then it is the rounding of what is
released. Where a file writes few
digits, that is said; where only the rounding of floats explains the values, that rounding is
coarser than the differences of the values, and nothing can be said about them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from oracle.auditing.checks import Check, Counted, Grouped, value_check
from oracle.auditing.driver import check_at
from refagg.data.standardise import variance
from refagg.data.tables import Column

Losses = Mapping[str, tuple[Fraction, Fraction]]
"""Of each attribute the squared differences, and what they would be if all records had one mean."""


def losses_of(original: Sequence[Column], released: Sequence[Column]) -> Losses:
    """Return the loss of each attribute, in its own units."""
    found = {}
    for ours, theirs in zip(original, released, strict=True):
        n, unit = len(ours.numerators), ours.denominator * theirs.denominator
        pairs = zip(ours.numerators, theirs.numerators, strict=True)
        off = sum((x * theirs.denominator - y * ours.denominator) ** 2 for x, y in pairs)
        found[ours.name] = Fraction(off, unit**2), n * variance(ours, "population")
    return found


@check_at(30)
def aggregates(case: Counted, groups: Grouped, losses: Losses) -> Check:
    """Check that the released values are the aggregates of their groups."""
    return with_warnings(value_check(case, groups), losses, case.plain)


def with_warnings(check: Check, losses: Losses, means: bool) -> Check:
    """The check of values with a line for each attribute that loses more than its variation.

    Where released should be `means`, it does not hold if only the rounding of floats explains that.
    """
    lines, unclear = [], []
    for how, names in check.details.get("renderings", {}).items():
        for name in names:
            lost, total = losses[name]
            if check.status == "holds" and 0 < total * (1 + NOTHING) < lost:
                lines.append(_warning(name, how if means else "exact", lost / total))
                unclear += [name] if means and how in OF_FLOATS and lost > MUCH * total else []
    if not lines:
        return check
    if unclear:
        text = f"the differences of {', '.join(unclear)} are smaller than what rounding can do"
        check = replace(check, status="not judged", summary=f"{text}: {check.summary}")
    details = check.details | {"warnings": lines}
    return replace(check, witness=(*lines, *check.witness), details=details)


NOTHING = Fraction(1, 10**10)
"""One group of all loses all there is, and rounding may add so much of it untold."""

MUCH = Fraction(101, 100)
"""Where rounding makes attributes lose so much, it is as large as their differences."""

OF_FLOATS = ("in binary64", "in binary32")


def _warning(name: str, how: str, share: Fraction) -> str:
    text = f"warning: {name} loses {float(100 * share):.4g} % of its variation"
    text += ", more than if every record were released with the mean of all"
    return text if how == "exact" else f"{text}, by what is released {how}"
