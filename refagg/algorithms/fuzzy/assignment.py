"""Assignment of records to centres by their memberships.

Where a centre gets too few records, they are assigned to others.

The nearest centre and the smallest group are choices of the run where several are equal.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, repeat
from math import dist, exp
from typing import Any

from refagg.algorithms.fuzzy.memberships import MembershipFunction
from refagg.language.choices import Choices
from refagg.language.event import DRAWN
from refagg.language.random_stream import RandomStream
from refagg.language.space import Real
from refagg.language.specification import OpenChoice
from refagg.language.ties import Ranking, as_it_is, least

GUARANTEES = ("none", "redraw", "merge")

CLAMP = 1e-6
"""In step 2 no distance is taken to be less than this share of the widest range."""

TIES = (
    OpenChoice(
        "nearest centre",
        "2",
        "with m2 = 1, the centre nearest to a record",
        what="centre",
        predicate="nearest to a record",
    ),
    OpenChoice("small group", "4", "the smallest group", what="group", measure="size"),
    OpenChoice(
        "joins", "4", "the group whose centre is nearest to that of the group", what="group"
    ),
)


@dataclass(frozen=True, slots=True)
class Drawing:
    """Everything that draws of records to centres depend on."""

    space: Real[Any]
    rows: Sequence[Sequence[float]]
    centres: Sequence[Sequence[float]]
    membership: MembershipFunction
    clamp: float
    choices: Choices

    def probabilities(self, record: int, among: Sequence[int]) -> list[float]:
        """Return a record's probabilities of joining these centres, which add to 1.

        For crisp clusters it is 1 for the nearest one.
        """
        if self.membership.kind == "crisp":
            nearest = self._nearest("nearest centre", self.rows[record], among, record)
            return [float(i == nearest) for i in among]
        centres = [self.centres[i] for i in among]
        distances = map(dist, repeat(self.rows[record]), centres)
        logs = self.membership.logs([max(d, self.clamp) for d in distances])
        shares = list(map(exp, logs))
        whole = sum(shares)
        return [share / whole for share in shares]

    def near(self, centre: int, among: Sequence[int]) -> int:
        """The nearest of these centres to another one."""
        return self._nearest("joins", self.centres[centre], among)

    def _nearest(
        self, name: str, point: Sequence[float], among: Sequence[int], of: int | None = None
    ) -> int:
        points = [self.space.point(self.centres[i]) for i in among]
        raw = self.space.raw(self.space.point(point), points)
        return self.choices.choose(name, least(self.space.ranked(among, raw)), of=of)


@dataclass(frozen=True, slots=True)
class Assigned:
    """Each record's probabilities, drawn centre, and final centre."""

    probabilities: list[list[float]]
    drawn: list[int]
    assignment: list[int]
    did: str
    """What the guarantee did, in words."""


def assigned(drawing: Drawing, k: int, guarantee: str) -> Assigned:
    """Steps 2 to 4 of `microaggregation`."""
    everywhere = range(len(drawing.centres))
    # 2.
    probabilities = [drawing.probabilities(r, everywhere) for r in range(drawing.space.n)]
    # 3.
    at_first = [drawn(row, drawing.choices.stream) for row in probabilities]
    for centre in sorted(set(at_first)):
        shares = enumerate(row[centre] for row in probabilities)
        drawing.choices.step(DRAWN, ((r, u) for r, u in shares if at_first[r] == centre), centre)
    # 4.
    assignment, did = enlarged(drawing, at_first, k, guarantee)
    return Assigned(probabilities, at_first, assignment, did)


def drawn(probabilities: Sequence[float], stream: RandomStream) -> int:
    """Draw a position with these probabilities.

    A position that is certain takes no draw.

    >>> from refagg.language.random_stream import scripted
    >>> drawn([0.25, 0.25, 0.5], scripted([1 << 51]))
    1
    """
    if max(probabilities) == 1:
        return probabilities.index(1)
    bounds = list(accumulate(probabilities))
    return min(bisect_right(bounds, stream.uniform() * bounds[-1]), len(bounds) - 1)


def enlarged(
    drawing: Drawing, assignment: Sequence[int], k: int, guarantee: str
) -> tuple[list[int], str]:
    """Step 4: enlarge groups to at least k records.

    Return the assignment, and in words what was done to it. Of the groups with fewer than k records
    the smallest is dissolved, until there is none: "redraw" draws its records again among the other
    groups, "merge" adds all of them to one.
    """
    result = list(assignment)
    dissolved = moved = 0
    while guarantee != "none":
        sizes = Counter(result)
        small = sorted(i for i in sizes if sizes[i] < k)
        if not small:
            break
        tie = least(Ranking(small, [sizes[i] for i in small], as_it_is))
        ends = drawing.choices.choose("small group", tie)
        others = sorted(i for i in sizes if i != ends)
        members = [record for record, i in enumerate(result) if i == ends]
        drawing.choices.note(f"group {ends} has fewer than {k} records ({guarantee})", members)
        if guarantee == "merge":
            homes = [drawing.near(ends, others)] * len(members)
        else:
            homes = [_redrawn(drawing, record, others) for record in members]
        for record, home in zip(members, homes, strict=True):
            result[record] = home
        dissolved, moved = dissolved + 1, moved + len(members)
    return result, _what(guarantee, dissolved, moved, k)


def _redrawn(drawing: Drawing, record: int, among: Sequence[int]) -> int:
    probabilities = drawing.probabilities(record, among)
    place = drawn(probabilities, drawing.choices.stream)
    drawing.choices.step(DRAWN, ((record, probabilities[place]),), among[place])
    return among[place]


def _what(guarantee: str, dissolved: int, moved: int, k: int) -> str:
    if guarantee == "none":
        return "groups that are too small were left as they are"
    how = {"redraw": "drawn again among the other groups", "merge": "merged into the nearest group"}
    return (
        f"{dissolved} groups of fewer than {k} records were dissolved, smallest first; "
        f"their records were {how[guarantee]} ({moved} moves in all)"
    )
