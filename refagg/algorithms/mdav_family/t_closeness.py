"""t-closeness: groups with nearly the file's distribution of a confidential attribute.

Source: J. Soria-Comas, J. Domingo-Ferrer, D. Sanchez, S. Martinez, "t-Closeness through
microaggregation: strict privacy with enhanced utility preservation", IEEE TKDE 27 (2015) 3098-3110.
The introduction was read, and the code for the size of groups in another implementation (mu-ANT);
the steps are recollected.

The table has quasi-identifiers, on which distances are measured, and one `confidential` attribute,
named by its number, which counts in no distance. (The only attribute of a table is both.) The
distance of a group C from the file is the earth mover's distance over the m different values in
their order: EMD(C) = sum_i |P_i - Q_i| / (m - 1), P_i and Q_i being the proportions of the records
of C, and of all records, with at most the i-th value; 0 if m is 1. It is rational, so tests are
exact.

t-closeness-merging:
  1. An algorithm forms groups, `start`, by the quasi-identifiers.
  2. While the greatest EMD of a group is more than t, that group is merged with the group whose
     centroid is nearest. This ends, since a single group of all records has EMD 0.

t-closeness-k-anonymity-first, while there are records:
  1. If fewer than 2k are left, they are a group. Else the record x_r most distant from the average
     of the remaining records and its k-1 nearest records are C.
  2. The other remaining records y are examined, the nearest to x_r first, while EMD(C) > t. The
     record of C whose replacement by y gives the least EMD leaves C for y, if that EMD is less than
     EMD(C).
  3. C is a group. The same is done, if records remain, for the one that is most distant from x_r.
Then:
  4. groups are merged as in step 2 of t-closeness-merging.

t-closeness-first:
  1. l is k, or n / (2 (n-1) t + 1) rounded up if that is more; l grows by (n mod l) / (n / l), both
     quotients rounded down.
  2. In the order of the confidential values the records are cut into l strata of n / l, rounded
     down; the middle one (of an even number, the lower) has n mod l records more.
  3. While records remain: a group is formed of the record most distant from the average of the
     remaining records, x_r, and of the nearest to it in every other stratum; then one is formed of
     the record most distant from x_r in the same way. While the middle stratum has more records
     than there are groups still to be formed, a group takes two of them.
Where l divides n and all confidential values differ, EMD is at most (n-l) / (2 (n-1) l), which is
at most t: no group needs to be checked.

`refagg mask` replaces the confidential values by those of the groups as well. To release them
as they are, the groups are given to a release of the other attributes, `found` being the partition:
`refagg.microaggregate(frame, k, lambda space, k, run: found, quasi_identifiers=[...])`.

Example, with paper and pencil: quasi-identifiers 0, 1, 2, 10, 11, 12 and confidential values 1 to 6
with k = 2. {0, 1, 2} has EMD 3/10, the sum of 1/6, 2/6, 3/6, 2/6 and 1/6 over 5. With t = 3/10 they
stay, with 1/4 the two groups of MDAV are merged. For the third algorithm and t = 1/4, l is 6/(10/4
+ 1) = 12/7, rounded up 2: the strata are {1, 2, 3} and {4, 5, 6}. 0 is x_r, with 10; 12 is most
distant from it, with 2; 1 and 11 are left.

>>> import refagg
>>> rows = [[0, 1], [1, 2], [2, 3], [10, 4], [11, 5], [12, 6]]
>>> options = {"confidential": 1, "standardise": "none"}
>>> refagg.t_closeness_merging(rows, k=3, t="3/10", **options).groups
((0, 1, 2), (3, 4, 5))
>>> refagg.t_closeness_merging(rows, k=3, t="1/4", **options).groups
((0, 1, 2, 3, 4, 5),)
>>> refagg.t_closeness_first(rows, k=2, t="1/4", **options).groups
((0, 3), (1, 4), (2, 5))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial, wraps
from math import ceil
from typing import Any

from refagg.algorithms.mdav_family.second_phase import STARTS, start_ties
from refagg.cursors.groups import Groups
from refagg.cursors.remaining import Cursor, difference
from refagg.engine.transportation import Proportions
from refagg.errors import InvalidParameter
from refagg.language.choices import Choices, FinalGroups, OnSpace
from refagg.language.partition import Partition, Record
from refagg.language.specification import OpenChoice, Specification, attribute, choice, proportion


def emd(Q: Proportions, C: Sequence[Record]) -> Fraction:
    """Return a group's distance from the file.

    It is sum_i |P_i - Q_i| / (m - 1).
    """
    m = len(Q)
    return Q.gaps(C) / (m - 1) if m > 1 else Fraction(0)


def t_closeness_merging(R: Cursor, k: int, Q: Proportions, t: Fraction, start: str) -> Groups:
    G = Groups.by(STARTS[start], R, k, start).by_first_record(grow=True)  # 1.
    return merged_until_close(G, Q, t)


def merged_until_close(G: Groups, Q: Proportions, t: Fraction) -> Groups:
    """Step 2 of t-closeness-merging: merge groups until all are close."""
    distances = {number: emd(Q, G[number]) for number in G.numbers()}
    while G.choices.goes_on(max(distances.values()) > t, "merger"):
        G.reached(G.numbers())
        worst = G.greatest("worst", distances)
        other = G.nearest_group("near worst", worst)
        G.merge(worst, other)
        del distances[worst]
        distances[other] = emd(Q, G[other])
    return G


def t_closeness_k_anonymity_first(R: Cursor, k: int, Q: Proportions, t: Fraction) -> Groups:
    while R.at_least(1):
        x_r = R.farthest("x_r", R.average())
        R.form(group_around(R, k, Q, t, x_r))  # 1. and 2.
        if len(R):
            R.form(group_around(R, k, Q, t, R.farthest("x_s", x_r)))  # 3.
    return merged_until_close(Groups.formed(R), Q, t)  # 4.


def group_around(R: Cursor, k: int, Q: Proportions, t: Fraction, seed: Record) -> list[Record]:
    if len(R) < 2 * k:
        return R.records  # 1.
    C = [seed, *R.nearest("near", seed, k - 1)]
    looked_at = set(C)
    while len(looked_at) < len(R) and R.choices.goes_on(emd(Q, C) > t, "exchange"):
        y = R.closest("y", seed, without=looked_at)  # 2.
        looked_at.add(y)
        replaced = [emd(Q, [*C[:i], *C[i + 1 :], y]) for i in range(len(C))]
        if min(replaced) < emd(Q, C):
            C[C.index(R.least("leaves", C, replaced))] = y
    return C


def t_closeness_first(R: Cursor, k: int, Q: Proportions, t: Fraction) -> Cursor:
    strata = strata_of(R, Q, size_needed(len(R), k, t))
    while R.at_least(1, kept=tuple(map(tuple, strata))):
        x_r = R.farthest("x_r", R.average())
        strata = one_of_each(R, strata, x_r)  # 3.
        if len(R):
            strata = one_of_each(R, strata, R.farthest("x_s", x_r))
    return R


def size_needed(n: int, k: int, t: Fraction) -> int:
    """Step 1: return the size that t needs."""
    size = max(k, ceil(n / (2 * (n - 1) * t + 1)))
    return size + n % size // (n // size)


def strata_of(R: Cursor, Q: Proportions, number: int) -> list[list[Record]]:
    """Step 2: divide the records into strata of the confidential attribute."""
    n, left = len(R), R.records
    strata = []
    for place in range(number):
        size = n // number + (n % number if place == (number - 1) // 2 else 0)
        strata.append(R.least_of("stratum", left, [Q.ranks[record] for record in left], size))
        left = difference(left, strata[-1])
    return strata


def one_of_each(R: Cursor, strata: Sequence[list[Record]], seed: Record) -> list[list[Record]]:
    """Step 3 for one seed: form its group from the strata.

    Return what is left of the strata.
    """
    to_form = min(map(len, strata))
    group, left = R.begin(seed), []
    for stratum in strata:
        wanted = (2 if len(stratum) > to_form else 1) - (seed in stratum)
        for record in R.nearest_for("near in stratum", seed, wanted, stratum):
            R.add(record, group)
        left.append(difference(stratum, group))
    R.close(group)
    return left


def on_quasi_identifiers(text: Callable[..., FinalGroups]) -> OnSpace:
    """Make a `run` from a text on quasi-identifiers and confidential attribute.

    The text takes (R, k, Q, t, ...).
    """

    @wraps(text)
    def run_on(
        space: Any, k: int, choices: Choices, confidential: int, **parameters: Any
    ) -> Partition:
        if confidential >= space.width:
            raise InvalidParameter(
                f"confidential is {confidential}; there are {space.width}, from 0"
            )
        quasi = space.without(confidential) if space.width > 1 else space
        Q = Proportions(space.attribute(confidential))
        return text(Cursor(quasi, choices), k, Q, **parameters).partition()

    return run_on


_X_R = "the record most distant from the average of the remaining records"
_PARAMETERS = (
    attribute("confidential", "which attribute is confidential", stated=True),
    proportion("t", Fraction(1, 4), "the greatest EMD of a group from the file"),
)


def _merging_ties(step: str) -> tuple[OpenChoice, ...]:
    near = "the group whose centroid is nearest to that of the group with the greatest EMD"
    return (
        OpenChoice("worst", step, "the group with the greatest EMD", "group", "EMD"),
        OpenChoice("near worst", step, near, "group"),
    )


_specification = partial(
    Specification,
    source="Soria-Comas, Domingo-Ferrer, Sanchez and Martinez 2015, IEEE TKDE 27:3098-3110",
    largest_group=lambda k, **parameters: None,
    guarantees="groups of at least k records with an EMD of at most t",
    decisions=(93,),
    parameters=_PARAMETERS,
    needs="Numeric",
)

SPECIFICATION_MERGING = _specification(
    name="t-closeness-merging",
    title="t-closeness by merging (the group farthest from the file, with the nearest)",
    run=on_quasi_identifiers(t_closeness_merging),
    ties=(*start_ties("1"), *_merging_ties("2")),
    cost="the start, and O(n) EMDs and O(n^2 / k) distances of centroids",
    parameters=(choice("start", tuple(STARTS), "the algorithm that forms groups"), *_PARAMETERS),
)

SPECIFICATION_K_ANONYMITY_FIRST = _specification(
    name="t-closeness-k-anonymity-first",
    title="t-closeness, k-anonymity first (records are exchanged while groups are formed)",
    run=on_quasi_identifiers(t_closeness_k_anonymity_first),
    ties=(
        OpenChoice("x_r", "1", _X_R),
        OpenChoice("near", "1", "the k-1 nearest records to the seed"),
        OpenChoice("y", "2", "the nearest record to the seed that was not looked at"),
        OpenChoice("leaves", "2", "the record without which EMD is least", measure="EMD"),
        OpenChoice("x_s", "3", "the record most distant from x_r"),
        *_merging_ties("4"),
    ),
    cost="O(n^2 / k) distances and O(n^2) EMDs",
)

SPECIFICATION_FIRST = _specification(
    name="t-closeness-first",
    title="t-closeness first (groups take records of every stratum of confidential values)",
    run=on_quasi_identifiers(t_closeness_first),
    guarantees="groups of l or l+1 records, l >= k; an EMD of at most (n-l) / (2 (n-1) l) <= t "
    "if l divides n and all confidential values differ",
    ties=(
        OpenChoice(
            "stratum", "2", "the records with the least confidential values", measure="rank"
        ),
        OpenChoice("x_r", "3", _X_R),
        OpenChoice("near in stratum", "3", "the nearest records to the seed in a stratum"),
        OpenChoice("x_s", "3", "the record most distant from x_r"),
    ),
    cost="O(n^2 / l) distances, O(n) memory",
)
