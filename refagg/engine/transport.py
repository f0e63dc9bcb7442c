"""The cheapest assignment of rows to columns that take so many rows each.

Source: H. W. Kuhn 1955 (the Hungarian method); shortest augmenting paths as R. Jonker and A.
Volgenant 1987 have them. A column that takes several rows stands for as many equal ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Cost = int | float | Fraction


def cheapest_assignment(costs: Sequence[Sequence[Cost]], places: Sequence[int]) -> list[int]:
    """The column of each row, so that the sum of the costs is least; there are enough places.

    Exact where the costs are.

    >>> cheapest_assignment([[1, 5], [2, 9], [3, 4]], [2, 1])
    [0, 0, 1]
    """
    return Assignment(costs, places).columns


class Assignment:
    """Rows that were assigned one after the other, and the prices of the columns that are full."""

    def __init__(self, costs: Sequence[Sequence[Cost]], places: Sequence[int]) -> None:
        self._costs, self._places = costs, places
        self._rows: list[list[int]] = [[] for _ in places]
        self._prices: list[Cost] = [0] * len(places)
        self.columns = [-1] * len(costs)
        for row in range(len(costs)):
            self._assign(row)

    def _assign(self, row: int) -> None:
        """Give the row a place; rows that had one move along the shortest path."""
        prices = self._prices
        lengths = [c - price for c, price in zip(self._costs[row], prices, strict=True)]
        mover = [row] * len(lengths)
        open_columns = set(range(len(lengths)))
        left = []
        while True:
            column = min(open_columns, key=lambda j: (lengths[j], j))
            if len(self._rows[column]) < self._places[column]:
                break
            open_columns.remove(column)
            left.append(column)
            for other in self._rows[column]:
                own = self._costs[other]
                so_far = lengths[column] - own[column] + prices[column]
                for j in open_columns:
                    length = so_far + own[j] - prices[j]
                    if length < lengths[j]:
                        lengths[j], mover[j] = length, other
        for full in left:
            prices[full] += lengths[full] - lengths[column]
        self._move(row, column, mover)

    def _move(self, row: int, column: int, mover: list[int]) -> None:
        while True:
            moved = mover[column]
            before = self.columns[moved]
            self.columns[moved] = column
            self._rows[column].append(moved)
            if moved == row:
                return
            self._rows[before].remove(moved)
            column = before
