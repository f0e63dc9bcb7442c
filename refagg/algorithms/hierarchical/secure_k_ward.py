"""Secure-k-Ward: groups of k-Ward with values not near the originals.

These are the published values.

Source: Y. Li, S. Zhu, L. Wang, S. Jajodia, "A privacy-enhanced microaggregation method",
Foundations of Information and Knowledge Systems, LNCS 2284 (2002) 148-159. What is known of it
comes from A. Valls, C. Gomez-Alonso, KSHC: a tolerance level, a security ratio, an intra-group step
that keeps the loss of a group small, and an inter-group step that makes the groups more
homogeneous, by a smaller standard deviation. The steps below are ours.

The mean of a group can be close to a value of the group, which it then discloses. A record with the
value x is secure under a published y if |x - y| is at least tau; a group is secure if at least the
proportion rho of its records are.

Steps:
  1. The groups are those of k-Ward for one attribute.
  2. (intra-group) A group that is secure under its mean is published with the mean. For any other,
     `below` is the greatest y below the mean under which it is secure, and `above` the least y
     above: publishing y adds n (y - mean)^2 to the SSE of a group of n records, so each of these
     two loses least on its side.
  3. (inter-group) Each of those groups takes the one of its two that is nearer to its mean: of
     all choices this makes the standard deviation of the originals around the published values
     least. Where both are equally near, the sums decide: such groups are visited in falling order
     of n (above - below), and each takes the one that leaves the absolute sum of all n (y - mean)
     so far the smaller; `below` if both leave the same. Groups that are equal in this order are
     visited by their means, then by their lowest records.

`eps` is the tolerance level: with tolerance "relative", tau is eps |x|; with "absolute", tau is
eps, in the unit of the attribute. With eps = 0 or rho = 0 every group is secure, and the
release is that of k-Ward.

Like any algorithm it returns the partition; the specification's `publish` gives the values, which
are computed exactly and on the original scale, even where the groups are formed in binary64. The
SSE of the release is that of the published values.

Example, with paper and pencil: 8, 10, 12 with eps = 1/10 and rho = 1, so that tau is 0.8, 1 and
1.2. The mean 10 is one of the values. Going down from it, y is 1 from 10 at 9, which is far
enough from 8 and 12: `below` is 9. Going up, 11 is 1 from 10 but too near to 12, and 13.2 is
the first that is far enough: `above` is 13.2. They are 1 and 3.2 from the mean: 9 is published.

>>> from fractions import Fraction
>>> from refagg.algorithms.hierarchical.secure_k_ward import published_values
>>> values = [Fraction(x) for x in (8, 10, 12)]
>>> published_values(values, [(0, 1, 2)], Fraction(1, 10), Fraction(1), "relative")
[Fraction(9, 1)]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from refagg.algorithms.hierarchical.k_ward import UNIVARIATE, k_ward_univariate
from refagg.cursors.parts import Parts, on_parts
from refagg.language.partition import Group
from refagg.language.specification import Specification, choice, non_negative, proportion

ZERO = Fraction(0)


def secure_k_ward(P: Parts, k: int, eps: Fraction, rho: Fraction, tolerance: str) -> None:
    k_ward_univariate(P, k)  # 1.


def published_values(
    values: Sequence[Fraction],
    groups: Sequence[Group],
    eps: Fraction,
    rho: Fraction,
    tolerance: str,
) -> list[Fraction]:
    """The published value of each group."""
    # 2.
    secured = []
    for group in groups:
        taus = [eps * abs(values[r]) if tolerance == "relative" else eps for r in group]
        secured.append(_secured([values[r] for r in group], taus, rho))
    # 3.
    chosen = [s.nearer for s in secured]
    total = sum((s.moved(y) for s, y in zip(secured, chosen, strict=True) if y is not None), ZERO)
    open_ = [number for number, y in enumerate(chosen) if y is None]
    for number in sorted(open_, key=lambda number: secured[number].place):
        s = secured[number]
        y = min((s.below, s.above), key=lambda y: abs(total + s.moved(y)))
        chosen[number] = y
        total += s.moved(y)
    return [y for y in chosen if y is not None]


@dataclass(frozen=True, slots=True)
class _Secured:
    """The secure values of a group next to its mean.

    They are the mean itself, or one on each side.
    """

    size: int
    mean: Fraction
    below: Fraction
    above: Fraction

    @property
    def nearer(self) -> Fraction | None:
        """Return the secure value nearer to the mean.

        None where both are equally near.
        """
        down, up = self.mean - self.below, self.above - self.mean
        if down == up:
            return None if down else self.mean
        return self.below if down < up else self.above

    def moved(self, y: Fraction) -> Fraction:
        """Return the change of the sum when y is published."""
        return self.size * (y - self.mean)

    @property
    def place(self) -> tuple[Fraction, Fraction]:
        """Return the place of the group in the order of visits."""
        return -self.size * (self.above - self.below), self.mean


def _secured(values: Sequence[Fraction], taus: Sequence[Fraction], rho: Fraction) -> _Secured:
    size = len(values)
    mean = sum(values, Fraction(0)) / size

    def secure(y: Fraction) -> bool:
        pairs = zip(values, taus, strict=True)
        return sum(abs(x - y) >= tau for x, tau in pairs) >= rho * size

    if secure(mean):
        return _Secured(size, mean, mean, mean)
    # Where a group becomes secure as y goes down, y is just far enough below one of the records.
    down = [x - tau for x, tau in zip(values, taus, strict=True)]
    up = [x + tau for x, tau in zip(values, taus, strict=True)]
    below = max(y for y in down if y < mean and secure(y))
    above = min(y for y in up if y > mean and secure(y))
    return _Secured(size, mean, below, above)


SPECIFICATION = Specification(
    name="secure-k-ward",
    title="secure-k-Ward (k-Ward with published values that are not too near the originals)",
    source="Li, Zhu, Wang and Jajodia 2002, FoIKS, LNCS 2284:148-159; the outline only",
    run=on_parts(secure_k_ward),
    guarantees="groups of k to 2k-1 records; in each, the share rho of the records is at least "
    "the tolerance away from the published value",
    ties=UNIVARIATE.ties,
    decisions=(24, 26, 27),
    cost=UNIVARIATE.cost,
    heights=UNIVARIATE.heights,
    parameters=(
        non_negative(
            "eps", Fraction(1, 10), "how far a published value must be from a secure record"
        ),
        proportion(
            "rho", Fraction(1, 2), "the share of the records of a group that must be secure"
        ),
        choice("tolerance", ("relative", "absolute"), "eps times the record's size, or eps itself"),
    ),
    needs="Numeric",
    attributes="one",
    publish=published_values,
)
