"""What the spaces that derive from a protocol have of it, by records on a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refagg.language.space import Centroids
from refagg.language.ties import Number, Ranking, as_it_is


class Line(Centroids[Any]):
    """Records that are whole numbers."""

    def __init__(self, *places: int) -> None:
        self.places = places

    @property
    def n(self) -> int:
        return len(self.places)

    def squared(self, a: int, b: int) -> Number:
        return (self.places[a] - self.places[b]) ** 2

    def distances(self, origin: int, records: Sequence[int]) -> Ranking[int]:
        return Ranking(records, [self.squared(origin, other) for other in records], as_it_is)


LINE: Any = Line.__new__(Line)
LINE.__init__(0, 1, 5, 9)


def test_records_are_a_new_list_of_numbers() -> None:
    assert LINE.records() == [0, 1, 2, 3]
    assert LINE.records() is not LINE.records()


def test_dissimilarities_are_squared_distances() -> None:
    assert LINE.between(1, 3) == 64


def test_the_four_verbs() -> None:
    distances = LINE.distances(0, [0, 1, 2, 3])
    assert LINE.farthest(distances).candidates == (3,)
    assert LINE.farthest(distances, {3}).candidates == (2,)
    assert LINE.closest(distances).candidates == (0,)
    assert LINE.closest(distances, {0}).candidates == (1,)
    near = LINE.nearest(2, distances)
    assert (near.certain, near.tied) == ((0,), (1,))
    assert LINE.nearest(2, distances, {0}).tied == (2,)


def test_distances_from_the_nearest_of_several_records() -> None:
    assert LINE.distances_to_any([0, 2], [1, 3]).values == [1, 16]
