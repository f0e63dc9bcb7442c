"""The records that remain, with exact answers at the cost of binary64.

Distances are estimated in binary64, with a proved error (`docs/exact.md`). Candidates are those
whose estimates are so near to the extreme one that they can be tied with it: they alone are looked
at in integers. Equal records are one *site*. The values of all others are computed when they
are asked for.

Where estimates often leave too many candidates, there is a new frame, around the records that
remain.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from contextlib import nullcontext, suppress
from fractions import Fraction
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import compress, islice
from math import hypot, sqrt
from operator import eq, lt
from typing import Any, Protocol, cast

from refagg.engine.frame import ERROR, Coordinates, Found, Framed, Query, Site, frame_of, shrink_of
from refagg.engine.lists import Lists
from refagg.engine.quadratic import Quadratic, Row, Sums, records_left
from refagg.errors import MissingExtra
from refagg.language.event import Number
from refagg.language.partition import Record
from refagg.language.ties import Later, LaterRanking, Magnitude, Nearest, Ranking, TiedCandidates

Origin = Record | Sums

Steps = Sequence[Sequence[int]]
"""Questions by numbers (`refagg.engine.foresight`)."""


FINER = 4
"""A new frame helps if its coordinates are finer by so many bits."""

FEWEST_AHEAD = 200
"""Of so few records nothing is foreseen."""

PATIENT = 2
"""After this number of times in which other questions were asked nothing is foreseen."""

DEAR, OPEN = 4, 64
"""Floats alone are not asked if they left that many questions open: one costs as much as some."""

SINGLE = 8
"""Where fewer than one in so many records repeat another one, and much is foreseen, each record is
a site of its own, so that no one has to look at equal ones."""

SUMMED = 1000
"""The rows of so many records are added at once: they may be made for that."""

REACH = 16 * ERROR
"""Times root p, what rounding can take from the sum of two distances from the middle, and more."""


class Exact(Framed, Protocol):
    """The exact space, as a pool sees it."""

    @property
    def squares(self) -> Quadratic: ...

    def shown_from(self, count: int) -> Callable[[Magnitude], Fraction]:
        """Return the function from a point's integers to squared distances.

        The point has `count` records.
        """


class PointTree(Protocol):
    """The points of sites, in any structure that answers queries.

    It builds itself again when few points are left.
    """

    def remove(self, sites: Collection[Site]) -> None: ...

    def farthest(self, query: Query, hidden: Set[Site]) -> list[Site]:
        """Return the sites at about the greatest distance."""

    def nearest(self, m: int, query: Query, hidden: Set[Site]) -> Found: ...

    def surely_nearest(self, m: int, query: Query, hidden: Set[Site]) -> list[Site] | None:
        """Return the m nearest sites, None if another can be tied."""


Plant = Callable[[Sequence[Site], Iterable[Coordinates]], PointTree]
"""A tree of some sites, with their coordinates attribute by attribute."""


ENGINES = ("auto", "plain", "lists", "arrays", "compiled")
"""Chosen by the number of records; no estimates; estimates one by one; one array; a tree that is
compiled. The last two need the extra `[big]`."""

WARM, LARGE, COLD = 500, 2_000, 20_000
"""Compiled code serves pools of WARM records and more, from the one on with which those of LARGE
and more have had COLD records in all: loading it, or even compiling it, takes its time."""

_counted = 0
"""The records of all large pools."""

ARRAY = 100, 400
"""From so many records on arrays pay: where NumPy is loaded, and where it has to be."""


def planter(engine: str, count: int) -> Plant:
    """Return what plants the points of so many records.

    `engine` is one of ENGINES without the plain one. Raises MissingExtra.
    """
    global _counted
    chosen = engine
    if engine == "auto":
        chosen = "arrays" if count >= ARRAY["numpy" not in sys.modules] else "lists"
        _counted += count if count >= LARGE else 0
        if count >= WARM and _counted >= COLD and find_spec("numba"):
            chosen = "compiled"
    with suppress(MissingExtra) if engine == "auto" else nullcontext():
        return cast(Plant, getattr(import_module(f"refagg.engine.{chosen}"), chosen.title()))
    return Lists


class FilteredPool:
    """Records of the exact space, some of which are removed over time."""

    def __init__(self, space: Exact, records: Sequence[Record], plant: Plant) -> None:
        self._space, self._plant = space, plant
        self._can_foresee = hasattr(plant, "foresee")
        self._squares = space.squares
        rows = self._squares.rows
        whole = len(records) == len(rows) and all(map(eq, records, range(len(rows))))
        self._order: Sequence[Record] = range(len(rows)) if whole else list(records)
        self._listed: list[Record] | None = None
        """Those that were there when they were last asked for."""
        self._count = len(self._order)
        self._there = bytearray([whole]) * len(rows)
        """1 for each record that is there."""
        for record in () if whole else self._order:
            self._there[record] = 1
        self._left: list[Record] = []
        """Those that are not, in the order in which they left."""
        ascending = whole or all(map(lt, self._order, self._order[1:]))
        places = {} if ascending else {record: place for place, record in enumerate(self._order)}
        self._place: Callable[[Record], int] | None = None if ascending else places.__getitem__
        self._average: Sums | None = None
        self._sums = [sum(self._squares.attribute(j, self._order)) for j in range(len(rows[0]))]
        self._subtracted = 0
        """So many of those that left are no longer in the sums."""
        self._site: dict[Record, Site] = {}
        self._members: dict[Site, list[Record]] = {}
        """Of the sites of several records; any other is the one of the record that it is called
        after."""
        first: dict[Row, Site] = {}
        for record in self._sharing():
            site = first.setdefault(rows[record], record)
            if site != record:
                self._site[record] = site
                self._members.setdefault(site, [site]).append(record)
        if len(self._site) * SINGLE < self._count and self._can_foresee:
            self._site, self._members = {}, {}
        self._shrink = shrink_of(space.tolerance)
        self._frame = space.frame
        self._tree: PointTree | None = None
        self._patience = self._wasted = 0
        self._asked: Origin | None = None
        self._last: Query | None = None
        self._open = self._ahead = self.changes = self._in_vain = 0
        """How many records have left the tree that are still there, as they were foreseen; how
        often records left otherwise, or such an answer was given up; how often the latter."""

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Record]:
        return iter(self.records)

    def __contains__(self, record: object) -> bool:
        there = self._there
        return isinstance(record, int) and 0 <= record < len(there) and there[record] == 1

    @property
    def records(self) -> list[Record]:
        """The records that are there."""
        if self._listed is None or len(self._listed) != len(self):
            before = self._listed or self._order
            self._listed = [record for record in before if self._there[record]]
        return self._listed

    def centroid(self) -> Sums:
        """The average of the records."""
        if self._average is None:
            sums = Later(partial(self._sums_when, len(self._left)))  # seldom asked for if foreseen
            self._average = Sums(self._count, sums)
        return self._average

    def remove(self, records: Collection[Record]) -> None:
        """Remove these records from the pool."""
        self._give_up()
        self.changes += 1
        self._left += records
        empty: list[Site] = []
        for record in records:
            self._count -= self._there[record]
            self._there[record] = 0
            site = self._site.get(record, record)
            members = self._members.get(site)
            if members:
                members.remove(record)
            if not members:
                empty.append(site)
        if self._tree is not None and empty:
            self._tree.remove(empty)
        self._average = None

    def _sums_when(self, left: int) -> list[int]:
        """Return the sums when so many records had left."""
        first, last = sorted((self._subtracted, left))
        sign, changed = 1 if left < self._subtracted else -1, self._left[first:last]
        if left == len(self._left) and self._count < len(changed):
            self._sums, sign, changed = [0] * len(self._sums), 1, self.records
        for start in range(0, len(changed), SUMMED):
            rows = map(self._squares.rows.__getitem__, changed[start : start + SUMMED])
            for j, total in enumerate(map(sum, zip(*rows, strict=True))):
                self._sums[j] += sign * total
        self._subtracted = left
        return self._sums[:]

    # Answers ahead

    @property
    def has_equal(self) -> bool:
        """Return True if records were equal: no answer is clear then."""
        return bool(self._site)

    @property
    def foresees(self) -> bool:
        """Return True if the engine can answer ahead.

        For that it is compiled, and no records are equal.
        """
        worth = self._in_vain < PATIENT and self._count > FEWEST_AHEAD
        exact: bool = worth and self._shrink == 1 and not self._site
        return exact and self._can_foresee

    def surely_farthest(self, origin: Origin, without: Collection[Record]) -> Record | None:
        """Return the farthest record, if floats leave no other one."""
        if self._open > OPEN:
            return None
        tree, query, hidden = self._searched(), self._query(origin), self._hidden(without)
        if query is None:
            return None
        sites = tree.farthest(query, hidden)
        return sites[0] if self._is_clear(len(sites) == 1) else None

    def surely_nearest(
        self, m: int, seed: Record, without: Collection[Record]
    ) -> list[Record] | None:
        """Return the m nearest records, in the order of their numbers, likewise."""
        sites = self._surely(m, seed, self._hidden(without)) if m else None
        return None if sites is None else sorted(sites)

    def alone(
        self, record: Record, origins: tuple[Origin, ...], without: Collection[Record]
    ) -> TiedCandidates[Record]:
        """Return the tie of a record that has no other candidate."""
        return TiedCandidates((record,), None, self._ranking(origins), without)

    def alone_nearest(
        self, records: Sequence[Record], origin: Origin, without: Collection[Record]
    ) -> Nearest[Record]:
        """Return the tie of the nearest records, which has no other candidates."""
        known, ranking = None if records else 0, self._ranking((origin,))
        return Nearest((), self._sorted(records), len(records), known, ranking, without)

    def _is_clear(self, clear: bool) -> bool:
        """Count how many more questions than expected need integers."""
        self._open = max(self._open - 1, 0) if clear else self._open + DEAR
        return clear

    def foresee(
        self, steps: Steps, factors: Sequence[Number], fixed: Origin | None, most: int
    ) -> list[int]:
        """Answer the next questions; the groups leave the tree at once."""
        tree: Any = self._searched()
        point = None if fixed is None else self._frame.point(self._point(fixed))
        if (fixed is None) != (point is None):  # too far away
            return []
        answers, self._ahead = tree.foresee(steps, list(map(sqrt, factors)), point, most)
        return list(answers)

    def remove_foreseen(self, records: Sequence[Record]) -> None:
        """Let records leave that have left the tree."""
        self._left += records
        for record in records:
            self._there[record] = 0
        self._count -= len(records)
        self._average = None
        self._ahead -= len(records)

    def _give_up(self) -> None:
        """Begin again where the tree is ahead of the questions."""
        if self._ahead > 0:
            self._tree, self._ahead = None, 0
            self.changes += 1
            self._in_vain += 1

    # Questions

    def reaches(self) -> list[tuple[Record, Magnitude]]:
        """Each record with a number that its distance from no other exceeds."""
        frame, points = self._space.frame, self._space.points
        away = [hypot(*points[record]) for record in self.records]
        wide = max(away) + REACH * sqrt(len(self._squares.weights))
        return [(r, frame.square_above(a + wide)) for r, a in zip(self.records, away, strict=True)]

    def farthest(self, origin: Origin, without: Collection[Record] = ()) -> TiedCandidates[Record]:
        """The records at the greatest distance from a record or a point."""
        tree, query, hidden = self._searched(), self._query(origin), self._hidden(without)
        if query is None:
            sites = [site for site in self._all_sites() if site not in hidden]
        else:
            sites = tree.farthest(query, hidden)
        self._wasted += len(sites) - 1
        values = self._exact(origin, sites)
        best = max(values)
        bound = self._space.tolerance.least_tied(best)
        far = [site for site, value in zip(sites, values, strict=True) if value >= bound]
        tied = self._sorted(r for site in far for r in self._visible(site, without))
        return TiedCandidates(tied, best, self._ranking((origin,)), without)

    def closest(self, origin: Origin, without: Collection[Record] = ()) -> TiedCandidates[Record]:
        """The records at the least distance from a record or a point."""
        near = self.nearest(1, origin, without)
        return TiedCandidates(near.tied, near.boundary, near.measured, without)

    def closest_to_any(self, origins: Sequence[Record]) -> TiedCandidates[Record]:
        """The records at the least distance from the nearest of some records."""
        ties = {origin: self.closest(origin) for origin in origins}
        best = min(tie.best for tie in ties.values())
        bound = self._space.tolerance.greatest_tied(best)
        tied: set[Record] = set()
        for origin, tie in ties.items():
            if tie.best <= bound:
                values = self._exact(origin, tie.candidates)
                pairs = zip(tie.candidates, values, strict=True)
                tied |= {record for record, value in pairs if value <= bound}
        return TiedCandidates(self._sorted(tied), best, self._ranking(tuple(origins)))

    def nearest(self, m: int, origin: Origin, without: Collection[Record] = ()) -> Nearest[Record]:
        """Return the m records nearest to a record or a point."""
        if m == 0:
            return self.alone_nearest((), origin, without)
        hidden = self._hidden(without)
        sure, certain = self._surely(m, origin, hidden), list[Record]()
        near = [(site, [site]) for site in sure or ()]
        if sure is None:
            found = [
                (e, site, self._visible(site, without)) for e, site in self._near(m, origin, hidden)
            ]
            query = self._query(origin)  # in the frame in which they were found
            estimate = found[_place_of(m, found)][0]
            low, high = (query.low(estimate), query.high(estimate)) if query else (0.0, 0.0)
            certain = [record for e, _, records in found if e < low for record in records]
            near = [(site, records) for e, site, records in found if low <= e <= high]
            self._wasted += len(near) - 1
        exact = self._exact(origin, [site for site, _ in near])
        values = sorted((v, site, records) for v, (site, records) in zip(exact, near, strict=True))
        boundary = values[_place_of(m - len(certain), values)][0]
        least = self._space.tolerance.least_tied(boundary)
        most = self._space.tolerance.greatest_tied(boundary)
        certain += [record for value, _, records in values if value < least for record in records]
        tied = [r for value, _, records in values if least <= value <= most for r in records]
        places = m - len(certain)
        return Nearest(
            self._sorted(certain),
            self._sorted(tied),
            places,
            boundary,
            self._ranking((origin,)),
            without,
        )

    def _surely(self, m: int, origin: Origin, hidden: Set[Site]) -> list[Site] | None:
        """Return the m nearest records, where floats leave no other way."""
        if self._site or self._open > OPEN or self._shrink != 1:
            return None
        tree, query = self._searched(), self._query(origin)
        sites = None if query is None else tree.surely_nearest(m, query, hidden)
        return sites if self._is_clear(sites is not None) else None

    def _near(self, m: int, origin: Origin, hidden: Set[Site]) -> Found:
        """Return the sites that can be of the m nearest, with estimates."""
        tree, query = self._searched(), self._query(origin)
        if query is None:
            return [(0.0, site) for site in self._all_sites() if site not in hidden]
        return tree.nearest(m, query, hidden)

    def _query(self, origin: Origin) -> Query | None:
        """Return the query in the tree's frame, None if too far away."""
        if origin != self._asked:
            self._asked = origin
            self._last = self._frame.query(self._point(origin), self._shrink)
        return self._last

    # Sites

    def _hidden(self, without: Collection[Record]) -> Set[Site]:
        """The sites (distinct points) of which every remaining record is in `without`."""
        if not self._site:
            return {record for record in without if self._there[record]}
        sites = {self._site.get(record, record) for record in without if self._there[record]}
        return {site for site in sites if not self._visible(site, without)}

    def _visible(self, site: Site, without: Collection[Record]) -> list[Record]:
        members = self._members.get(site, (site,))
        return [record for record in members if record not in without]

    def _all_sites(self) -> Sequence[Site]:
        """The sites where records remain."""
        records = self._order if len(self) == len(self._order) else self.records
        if not self._site:
            return records
        return list(dict.fromkeys([self._site.get(record, record) for record in records]))

    def _sharing(self) -> list[Record]:
        """Return all records whose row has the hash of another row."""
        rows, whole = self._squares.rows, isinstance(self._order, range)
        hashes = array("q", map(hash, rows if whole else map(rows.__getitem__, self._order)))
        if len(set(hashes)) == len(hashes):
            return []
        ordered = sorted(hashes)  # takes less memory than counts
        shared = set(compress(ordered, map(eq, ordered, islice(ordered, 1, None))))
        return list(compress(self._order, map(shared.__contains__, hashes)))

    def _sorted(self, records: Iterable[Record]) -> tuple[Record, ...]:
        return tuple(sorted(records, key=self._place))

    def _searched(self) -> PointTree:
        """Return the tree to search.

        It is built again when its estimates have ruled out too few sites.
        """
        self._give_up()
        if self._tree is None:
            return self._planted_with(self._all_sites())
        return self._replant() if self._wasted > self._patience else self._tree

    def _replant(self) -> PointTree:
        """Build the tree again, in a frame that fits the remaining sites."""
        self._tree = None  # its memory is that of the next one
        sites = self._all_sites()
        before = self._frame
        self._frame = frame_of(self._squares, sites)
        return self._planted_with(sites, self._frame.exponent < before.exponent - FINER)

    def _planted_with(self, sites: Sequence[Site], helped: bool = True) -> PointTree:
        self._wasted = 0
        self._patience = len(sites) if helped else 4 * self._patience
        self._asked = None
        self._tree = self._plant(sites, self._frame.columns(self._squares, sites))
        return self._tree

    # Exact numbers

    def _point(self, origin: Origin) -> Sums:
        return origin if isinstance(origin, Sums) else Sums(1, self._squares.rows[origin])

    def _exact(self, origin: Origin, sites: Sequence[Site]) -> list[int]:
        sums = self._point(origin)
        return self._squares.distances(sums.count, sums.values, sites)

    def _ranking(self, origins: tuple[Origin, ...]) -> Any:
        """Return the ranking of the records that remain now by distance.

        The distance of a record is that from the nearest of the origins.
        """
        return LaterRanking(partial(self._ranked, origins, len(self._left)))

    def _ranked(self, origins: tuple[Origin, ...], left: int) -> Ranking[Record]:
        """Return the ranking by distance when so many records had left."""
        items = Later(partial(records_left, self._order, self._left, left))

        def values() -> list[Magnitude]:
            each = [self._exact(origin, items) for origin in origins]
            return list(map(min, *each)) if len(each) > 1 else each[0]

        shown = self._space.shown_from(self._point(origins[0]).count)
        return Ranking(items, Later(values), shown, self._space.tolerance)


def _place_of(m: int, found: Sequence[tuple[Magnitude, Site, Sequence[Record]]]) -> int:
    """Return the place of the site that completes m records, or last."""
    for place, (_, _, records) in enumerate(found):
        m -= len(records)
        if m <= 0:
            return place
    return len(found) - 1
