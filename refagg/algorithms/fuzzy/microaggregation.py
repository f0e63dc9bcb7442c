"""Fuzzy microaggregation: centres drawn by memberships replace the records.

Each record is replaced by a centre that is drawn by its memberships.

Source: V. Torra, "Fuzzy clustering-based microaggregation to achieve probabilistic k-anonymity
for data with constraints", Journal of Intelligent & Fuzzy Systems 2020, Algorithm 1.
The start of step 1, the bound of step 2 and what is reported are ours (decisions 62, 63, 65).

Steps:
  1. Fuzzy c-means (`c_means`) with m1, or lambda1, gives the centres. They start at c different
     records that are drawn, and move, again and again, to the mean of all records weighted by
     their memberships; under linear constraints, to the nearest point that meets these. c = 0
     stands for floor(n/k).
  2. With m2, or lambda2, each record has a membership in each of these centres. No distance is
     taken to be less than CLAMP times the widest range of an attribute. With m2 = 1 the record
     belongs to the nearest centre.
  3. Each record is drawn to one centre, with its memberships as probabilities, and its values
     are replaced by those of the centre.
  4. Ours, with `guarantee`: groups of fewer than k records are dissolved (`assignment`).

k is the *expected* size of a group only if memberships are spread evenly over n/k centres;
otherwise it is only the average of the expected sizes. A release is not k-anonymous by
construction: `Sizes` says how probable smaller groups are. Where a draw falls between two results
of exp or log that differ in their last digits, the release depends on the platform.

>>> import refagg
>>> from fractions import Fraction
>>> from refagg.language.choices import Choices
>>> from refagg.language.random_stream import scripted
>>> space = refagg.float_space([[0], [2], [10], [12]])
>>> settings = {"kind": "fcm", "c": 2, "m1": Fraction(1), "m2": Fraction(1), "lambda1": Fraction(1)}
>>> settings |= {"lambda2": Fraction(1), "limit": 10, "guarantee": "none"}

The records 0 and 3 are drawn; with m1 = 1 the centres are 1 and 11, less the middle value 10.

>>> run = refagg.specification("fuzzy").run
>>> result = run(space, 2, Choices(stream=scripted([0, 2])), **settings)
>>> result.centres, result.assignment, result.sizes.expected
([[-9.0], [1.0]], [0, 0, 1, 1], [2.0, 2.0])
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import repeat
from math import dist
from sys import float_info
from typing import Any

from refagg.algorithms.fuzzy.assignment import CLAMP, GUARANTEES, TIES, Drawing, assigned
from refagg.algorithms.fuzzy.c_means import FuzzyRun, Projection, drawn_records, fuzzy_c_means
from refagg.algorithms.fuzzy.memberships import MembershipFunction, membership_function
from refagg.algorithms.fuzzy.sizes import Sizes, sizes_of
from refagg.cursors.rows import Rows, told_centres
from refagg.language.choices import Choices
from refagg.language.number_texts import number_text
from refagg.language.space import Real
from refagg.language.specification import Specification, choice, integer, positive

SAME = 1e-9
"""A centre this share of the widest range from a record is that record."""

TOLERANCE = 1e-6
"""Centres are found when none moves by more than this share of the widest range."""


@dataclass(frozen=True, slots=True)
class FuzzyGroups:
    """Centres, the records drawn to each of them, and the expected sizes."""

    k: int
    clustering: FuzzyRun
    probabilities: list[list[float]] = field(repr=False)
    """For each record those of being drawn to each centre (step 2)."""
    drawn: list[int] = field(repr=False)
    """For each record the number of its centre after step 3."""
    assignment: list[int] = field(repr=False)
    """For each record the number of the centre that is released for it, after step 4."""
    sizes: Sizes = field(repr=False)
    guarantee: str
    did: str
    """What the guarantee did, in words."""
    origin: tuple[Fraction, ...] = field(repr=False)
    """With `weights`, what the coordinates of centres mean; see `Coordinates`."""
    weights: tuple[Fraction, ...] = field(repr=False)
    on_records: list[int] = field(repr=False)
    """The centres that are records, and so release what they should hide."""

    @property
    def centres(self) -> list[list[float]]:
        """Return the centres on the scale of the space's rows."""
        return self.clustering.centres

    @property
    def groups(self) -> list[list[int]]:
        """The records of each centre; some have none."""
        groups: list[list[int]] = [[] for _ in self.centres]
        for record, number in enumerate(self.assignment):
            groups[number].append(record)
        return groups


def fuzzy(
    space: Real[Any],
    k: int,
    choices: Choices,
    kind: str,
    c: int,
    m1: Fraction,
    m2: Fraction,
    lambda1: Fraction,
    lambda2: Fraction,
    limit: int,
    guarantee: str,
    project: Projection | None = None,
) -> FuzzyGroups:
    """Return centres and an assignment of records to them.

    `project` puts a centre on the constraints.
    """
    first, second = step_membership(kind, m1, lambda1), step_membership(kind, m2, lambda2)
    # 1.
    clustering = clustered(space, c or max(1, space.n // k), choices, first, limit, project)
    if not clustering.converged:
        choices.note(f"not converged within {limit} iterations", ())
    # 2., 3. and 4.
    return fuzzy_groups(space, k, choices, clustering, second, guarantee)


def clustered(
    space: Real[Any],
    c: int,
    choices: Choices,
    membership: MembershipFunction,
    limit: int,
    project: Projection | None = None,
    tolerance: float = TOLERANCE,
) -> FuzzyRun:
    """Step 1: compute c centres."""
    rows = space.rows
    drawn = drawn_records(rows, c, choices.stream)
    choices.drew("first centres", drawn, space.n)

    return fuzzy_c_means(
        rows,
        [list(rows[record]) for record in drawn],
        membership=membership,
        project=project,
        tolerance=tolerance,
        limit=limit,
        watch=told_centres(space, choices, membership.objective),
    )


def fuzzy_groups(
    space: Real[object],
    k: int,
    choices: Choices,
    clustering: FuzzyRun,
    membership: MembershipFunction,
    guarantee: str = "none",
) -> FuzzyGroups:
    """Steps 2 to 4, for the centres of a clustering."""
    drawing = drawing_of(space, choices, clustering, membership)  # 2.
    made = assigned(drawing, k, guarantee)  # 3.
    rows = space.rows
    width = Rows(rows).widest_range
    on_records = [
        i
        for i, centre in enumerate(clustering.centres)
        if min(map(dist, rows, repeat(centre))) <= SAME * width
    ]
    return FuzzyGroups(
        k,
        clustering,
        made.probabilities,
        made.drawn,
        made.assignment,
        sizes_of(made.probabilities, k),
        guarantee,
        made.did,
        space.origin,
        space.weights,
        on_records,
    )


def drawing_of(
    space: Real[Any], choices: Choices, clustering: FuzzyRun, membership: MembershipFunction
) -> Drawing:
    """Return the data for draws to the centres of a clustering.

    The draws depend on all of it.
    """
    rows = space.rows
    return Drawing(
        space, rows, clustering.centres, membership, CLAMP * Rows(rows).widest_range, choices
    )


def step_membership(kind: str, m: Fraction, lam: Fraction) -> MembershipFunction:
    """Return the membership function of one step.

    FCM with m = 1 is crisp.
    """
    if kind == "efcm":
        return membership_function(kind, lam=float(lam))
    return membership_function("crisp") if m == 1 else membership_function(kind, m=float(m))


def _inapplicable(
    m1: Fraction, m2: Fraction, lambda1: Fraction, lambda2: Fraction, **settings: object
) -> str:
    for name, m in (("m1", m1), ("m2", m2)):
        if m < 1 or m > float_info.max or float(m) == 1 != m:
            given = number_text(m)
            return f"{name} is {given}; it must be 1, for crisp clusters, or a float greater than 1"
    for name, lam in (("lambda1", lambda1), ("lambda2", lambda2)):
        if not float_info.min <= lam <= float_info.max:
            return f"{name} is {number_text(lam)}; it must be a normal float greater than 0"
    return ""


def _largest(k: int, **settings: object) -> None:
    """Return None: no size is the greatest possible."""


def _smallest(k: int, guarantee: str, **settings: object) -> int:
    return 1 if guarantee == "none" else k


SPECIFICATION = Specification(
    name="fuzzy",
    title="fuzzy microaggregation (k records for each centre on average)",
    source="Torra 2020, Fuzzy clustering-based microaggregation, Algorithm 1",
    run=fuzzy,
    largest_group=_largest,
    smallest_group=_smallest,
    guarantees="none by construction: sizes of groups are random, with an expected size of k only "
    "where memberships are even; with `guarantee` no group that is drawn has fewer than k records",
    ties=TIES,
    decisions=(61, 62, 63, 64, 65, 66, 68, 69, 70, 71, 72),
    cost="O(n c) distances, logarithms and exponentials in each iteration",
    parameters=(
        choice("kind", ("fcm", "efcm"), "fuzzy c-means, or the one with an entropy term"),
        integer("c", 0, 0, "the number of centres; 0 is floor(n/k)"),
        positive("m1", Fraction(3, 2), "the fuzziness by which fcm finds centres, 1 is crisp"),
        positive("m2", Fraction(3, 2), "the fuzziness by which records are drawn, 1 is crisp"),
        positive("lambda1", Fraction(1), "the weight of distances by which efcm finds centres"),
        positive("lambda2", Fraction(1), "the weight of distances by which records are drawn"),
        integer("limit", 100, 1, "the most iterations"),
        choice("guarantee", GUARANTEES, "what is done with groups of fewer than k records"),
    ),
    needs="Real",
    arithmetic=("float",),
    yields="centres",
    random=True,
    inapplicable=_inapplicable,
)
