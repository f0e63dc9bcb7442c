"""Tours through all records, by insertion and by 2-opt.

The paths that they are opened to are here too.

The length of an edge is the squared distance of its records, so that lengths are exact.
"""

from __future__ import annotations

from refagg.algorithms.mdav_family.steps import Space
from refagg.cursors.groups import falls
from refagg.cursors.remaining import difference
from refagg.language.choices import Choices
from refagg.language.partition import Record
from refagg.language.specification import OpenChoice
from refagg.language.ties import Magnitude, greatest, least

Edge = tuple[Record, Record]


class Tour:
    """Records in their order; the first follows the last."""

    def __init__(self, space: Space, path: list[Record]) -> None:
        self.space = space
        self.records = list(path)
        self.lengths: list[Magnitude] = [
            space.raw(a, [b])[0] for a, b in zip(path, [*path[1:], path[0]], strict=True)
        ]
        """Of the edge from each place to the next."""

    def length(self) -> Magnitude:
        return sum(self.lengths)

    def edges(self) -> list[Edge]:
        """Return the edge from each place to the next.

        Between two records there is one.
        """
        here, following = self.records, [*self.records[1:], self.records[0]]
        edges = [(min(a, b), max(a, b)) for a, b in zip(here, following, strict=True)]
        return edges[:1] if len(edges) == 2 else edges

    def place_of_longest(self, choices: Choices) -> int:
        """The place before the longest edge."""
        edges = self.edges()
        tie = greatest(self.space.ranked(edges, self.lengths[: len(edges)]))
        return edges.index(choices.choose("opening", tie))

    def insert(self, choices: Choices, record: Record) -> None:
        """A record comes in where the tour is the shortest with it."""
        edges, now = self.edges(), self.length()
        near = self.space.raw(record, self.records)
        away = list(zip(near, [*near[1:], near[0]], strict=True))
        after = [now - self.lengths[i] + sum(away[i]) for i in range(len(edges))]
        place = edges.index(choices.choose("place", least(self.space.ranked(edges, after))))
        self.records.insert(place + 1, record)
        self.lengths[place : place + 1] = away[place]

    def exchange(self, choices: Choices, i: int) -> bool:
        """Exchange two edges if that makes the tour shorter.

        One is the edge after place i.

        a and b are the ends of the one, c and d those of the other: ab and cd become ac and bd.
        """
        now, last = self.length(), len(self.records) - (i == 0)  # the edge before a stays
        ends, following = self.records[i + 2 : last], [*self.records[i + 3 :], self.records[0]]
        if not ends:
            return False
        from_a = self.space.raw(self.records[i], ends)
        from_b = self.space.raw(self.records[i + 1], following[: len(ends)])
        without = now - self.lengths[i]
        kept = [without - length for length in self.lengths[i + 2 : last]]
        after = [rest + ac + bd for rest, ac, bd in zip(kept, from_a, from_b, strict=True)]
        if min(after) > now:
            return False
        at = ends.index(choices.choose("exchange", least(self.space.ranked(ends, after))))
        if not choices.decide("shorter", falls(self.space, after[at], now)):
            return False
        j = i + 2 + at
        self.records[i + 1 : j + 1] = self.records[j:i:-1]
        self.lengths[i : j + 1] = [from_a[at], *self.lengths[j - 1 : i : -1], from_b[at]]
        return True


def inserted(space: Space, choices: Choices, first: Record) -> Tour:
    """Farthest insertion: always the record most distant from the tour comes in."""
    tour = Tour(space, [first])
    outside = difference(space.records(), [first])
    distances = space.raw(first, outside)
    while outside:
        record = choices.choose("insert", greatest(space.ranked(outside, distances)))
        tour.insert(choices, record)
        at = outside.index(record)
        del outside[at], distances[at]
        distances = list(map(min, distances, space.raw(record, outside)))
    return tour


def improved_tour(choices: Choices, tour: Tour) -> Tour:
    """Improve a tour by 2-opt until no exchange shortens it.

    It goes edge by edge, again and again.
    """
    changed = True
    while changed:
        exchanged = [tour.exchange(choices, i) for i in range(len(tour.records) - 2)]
        changed = any(exchanged)
    return tour


def opened_tour(choices: Choices, tour: Tour) -> list[Record]:
    """The path that is left of a tour without its longest edge."""
    start = tour.place_of_longest(choices) + 1
    return [*tour.records[start:], *tour.records[:start]]


TIES = (
    OpenChoice("insert", "2", "the record most distant from the tour"),
    OpenChoice("place", "2", "the edge in whose place the tour is shortest with it", "pair"),
    OpenChoice("exchange", "2", "the record c of the exchange that makes the tour shortest"),
    OpenChoice("shorter", "2", "whether the exchange makes the tour shorter", "test"),
    OpenChoice("opening", "2", "the longest edge of the tour", "pair"),
)
