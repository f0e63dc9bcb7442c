"""Changed lines of k-Ward and secure-k-Ward."""

from __future__ import annotations

from .mutant import REMAINING, Mutant


def shared(mistake: str, algorithm: str, line: str, changed: str) -> Mutant:
    """A mistake in the steps that the k-Ward algorithms share."""
    return Mutant(mistake, algorithm, line, changed, "k_ward")


def cheapest(mistake: str, algorithm: str, line: str, changed: str) -> Mutant:
    """A mistake in what finds the pairs that it costs least to merge."""
    return Mutant(mistake, algorithm, line, changed, "refagg.engine.ward_pairs")


MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "the most distant pair is sought among all records",
        "k-ward",
        'R.most_distant_pair("pair")',
        'Cursor(R.space, R.choices).most_distant_pair("pair")',
    ),
    Mutant(
        "in k-Ward s may be in the group of r",
        "k-ward",
        '"near r", r, k, without={s}',
        '"near r", r, k',
    ),
    Mutant("the first groups have k+1 records", "k-ward", '"near r", r, k', '"near r", r, k + 1'),
    Mutant(
        "the group of s is around r too",
        "k-ward",
        'R.group("near s", s, k)',
        'R.group("near s", r, k, without={s})',
    ),
    cheapest(
        "the cost is the distance of the centroids",
        "k-ward",
        "Fraction(size * m, size + m)",
        "Fraction(1)",
    ),
    cheapest(
        "the cost has the sum of the sizes in it, not their product",
        "k-ward",
        "Fraction(size * m, size + m)",
        "Fraction(size + m)",
    ),
    shared(
        "merging ends when one more group is below k",
        "k-ward",
        "while C.engine.small:",
        "while C.engine.small > 1:",
    ),
    shared(
        "large groups are never divided",
        "k-ward",
        "if len(records) < 2 * k",
        "if len(records) < P.space.n or len(records) < 2 * k",
    ),
    shared(
        "exactly 2k records are one group",
        "k-ward",
        "if len(records) < 2 * k",
        "if len(records) <= 2 * k",
    ),
    cheapest(
        "two groups of k or more may merge",
        "k-ward-univariate",
        "if size < self._k or m < self._k:",
        "if True:",
    ),
    cheapest(
        "only groups below k may merge",
        "k-ward",
        "if size < self._k or m < self._k:",
        "if size < self._k and m < self._k:",
    ),
    cheapest(
        "the best of a group is the dearest of its sizes",
        "k-ward-univariate",
        "self._best[number] = min(costs.values())",
        "self._best[number] = max(costs.values())",
    ),
    cheapest(
        "a group whose nearest partners are gone is not looked at again",
        "k-ward-univariate",
        "if self._last_partner(number) is None:",
        "if not self._near[number]:",
    ),
    Mutant(
        "both first groups are at the low end",
        "k-ward-univariate",
        '1 if which == "smallest" else -1',
        "1",
        REMAINING,
    ),
    Mutant(
        "secure-k-Ward has groups of k+1",
        "secure-k-ward",
        "k_ward_univariate(P, k)",
        "k_ward_univariate(P, min(k + 1, P.space.n))",
    ),
    Mutant(
        "secure-k-Ward begins at the low end twice",
        "secure-k-ward",
        '1 if which == "smallest" else -1',
        "1",
        REMAINING,
    ),
    cheapest(
        "partners of any cost merge",
        "k-ward",
        "if cost <= bound and partner",
        "if partner",
    ),
)
