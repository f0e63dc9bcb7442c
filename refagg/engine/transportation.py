"""Cheapest assignment of records to centres that each take a limited number.

The transportation problem, by successive shortest paths. Each record is first where it costs least;
then one unit after the other goes, along the cheapest path over other centres, from a centre that
has too many to one that has free capacity, or too few. Between two centres a path costs what the
cheapest record costs more there. Potentials keep all costs from being less than 0. The outside is a
centre of its own: what one centre has less than it may, or more than it must.

The assignment of rows to columns of a matrix is that of H. W. Kuhn 1955 (the Hungarian method), by
the shortest augmenting paths of R. Jonker and A. Volgenant 1987. A column that takes several rows
stands for as many equal ones. `Proportions` say how far the values of a group are from the file's.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import inf
from typing import Any

from refagg.language.partition import Record
from refagg.language.ties import Magnitude
from refagg.terminal import NOW


class Transportation:
    """An assignment of least cost.

    It has `centre_of` each record, and what is known about it. `costs` are those of each record at
    each centre; every centre has `least` to `most` records.
    """

    def __init__(self, costs: Sequence[Sequence[Magnitude]], least: int, most: int) -> None:
        self._costs, self._limits = costs, (least, most)
        self._c = len(costs[0])
        self.centre_of = [row.index(min(row)) for row in costs]
        self.members: list[set[int]] = [set() for _ in range(self._c)]
        for record, centre in enumerate(self.centre_of):
            self.members[centre].add(record)
        self._potential: list[Magnitude] = [0] * (self._c + 1)
        self._steps: list[list[tuple[Magnitude, int]]] = [[] for _ in range(self._c)]
        for centre in range(self._c):
            self._look(centre)
        self._solve()

    def total(self) -> Magnitude:
        """Return the cost of the assignment."""
        return sum(self._costs[record][centre] for record, centre in enumerate(self.centre_of))

    def extra(self, record: int, centre: int) -> Magnitude:
        """Return the least extra cost of having the record at a centre."""
        own, row, p = self.centre_of[record], self._costs[record], self._potential
        return max(0, row[centre] - row[own] - p[centre] + p[own])

    def as_good(
        self, record: int, settled: Collection[int], slack: Magnitude
    ) -> dict[int, list[int]]:
        """Return the other optimal centres of a record.

        The record can have them at the least cost without moving a settled record. With each the
        centres over which others give up a place, from that centre to the record's own. Costs
        within the slack are equal.
        """
        own = self.centre_of[record]
        near = [c for c in range(self._c) if c != own and self.extra(record, c) <= slack]
        if not near:
            return {}
        free = {own: [own]}  # from which centres there is a way to the own one
        waiting = [own]
        while waiting:
            after = waiting.pop()
            for before in range(self._c + 1):
                if before not in free and self._open(before, after, {*settled, record}, slack):
                    free[before] = [before, *free[after]]
                    waiting.append(before)
        return {centre: free[centre] for centre in near if centre in free}

    def turn(self, record: int, path: Sequence[int], settled: Collection[int]) -> None:
        """Move the record to the first centre of a path.

        Others give up a place along it.
        """
        mover = record
        for centre, after in pairwise(path):
            following = self._cheapest(centre, after, {*settled, record})
            if mover >= 0:
                self._move(mover, centre)
            mover = following
        if mover >= 0:
            self._move(mover, path[-1])

    # Successive shortest paths

    def _solve(self) -> None:
        outside, (least, most) = self._c, self._limits
        flow = [min(max(len(group), least), most) for group in self.members]
        excess = [len(group) - f for group, f in zip(self.members, flow, strict=True)]
        excess.append(sum(flow) - len(self.centre_of))
        for _ in NOW.each(range(sum(e for e in excess if e > 0)), "moves"):
            source = next(v for v, e in enumerate(excess) if e > 0)
            path = self._path(source, flow, excess)
            for a, b in pairwise(path):
                if b == outside:
                    flow[a] += 1
                elif a == outside:
                    flow[b] -= 1
                else:
                    self._move(self._steps[a][b][1], b)
            excess[path[0]] -= 1
            excess[path[-1]] += 1
            for centre in path:
                if centre != outside:
                    self._look(centre)

    def _path(self, source: int, flow: Sequence[int], excess: Sequence[int]) -> list[int]:
        """The cheapest path to a centre that lacks records; the potentials follow."""
        cost: list[Magnitude] = [inf] * (self._c + 1)
        cost[source], before = 0, {source: source}
        left = set(range(self._c + 1))
        p = self._potential
        while True:
            at = min(left, key=lambda v: (cost[v], v))
            if excess[at] < 0:
                break
            left.remove(at)
            for other in left:
                step = self._step(at, other, flow)
                if step is None:
                    continue
                reached = cost[at] + max(0, step + p[at] - p[other])
                if reached < cost[other]:
                    cost[other], before[other] = reached, at
        for v in range(self._c + 1):
            p[v] += cost[at] if cost[v] == inf else min(cost[v], cost[at])
        path = [at]
        while path[-1] != source:
            path.append(before[path[-1]])
        return path[::-1]

    def _step(self, a: int, b: int, flow: Sequence[int]) -> Magnitude | None:
        """Return the cost of moving a unit from a to b.

        None if there is no way.
        """
        least, most = self._limits
        if b == self._c:
            return 0 if flow[a] < most else None
        if a == self._c:
            return 0 if flow[b] > least else None
        return self._steps[a][b][0] if self.members[a] else None

    def _look(self, centre: int) -> None:
        """The cheapest record of a centre to move to each other one."""
        rows, group = self._costs, sorted(self.members[centre])
        self._steps[centre] = [
            min((rows[r][other] - rows[r][centre], r) for r in group) if group else (0, -1)
            for other in range(self._c)
        ]

    def _move(self, record: int, centre: int) -> None:
        self.members[self.centre_of[record]].remove(record)
        self.members[centre].add(record)
        self.centre_of[record] = centre

    # Other assignments of the same cost

    def _open(self, a: int, b: int, settled: Collection[int], slack: Magnitude) -> bool:
        """Return True if moving a unit from a to b is free."""
        least, most = self._limits
        outside, p = self._c, self._potential
        if outside in (a, b):
            allowed = len(self.members[a]) < most if b == outside else len(self.members[b]) > least
            return allowed and abs(p[a] - p[b]) <= slack
        return self._cheapest(a, b, settled, slack) >= 0

    def _cheapest(self, a: int, b: int, settled: Collection[int], slack: Magnitude = inf) -> int:
        """Return the record of `a` whose move to `b` costs least.

        -1 if there is none within the slack.
        """
        if self._c in (a, b):
            return -1
        free = [(self.extra(r, b), r) for r in self.members[a] if r not in settled]
        cost, record = min(free, default=(inf, -1))
        return record if cost <= slack else -1


Cost = int | float | Fraction


def cheapest_assignment(costs: Sequence[Sequence[Cost]], places: Sequence[int]) -> list[int]:
    """Return the column of each row at the least total cost.

    There must be enough places. Exact where the costs are.

    >>> cheapest_assignment([[1, 5], [2, 9], [3, 4]], [2, 1])
    [0, 0, 1]
    """
    return Assignment(costs, places).columns


class Assignment:
    """Rows assigned so far, and the prices of full columns.

    The rows were assigned one after the other.
    """

    def __init__(self, costs: Sequence[Sequence[Cost]], places: Sequence[int]) -> None:
        self._costs, self._places = costs, places
        self._rows: list[list[int]] = [[] for _ in places]
        self._prices: list[Cost] = [0] * len(places)
        self.columns = [-1] * len(costs)
        for row in range(len(costs)):
            self._assign(row)

    def _assign(self, row: int) -> None:
        """Assign the row to a place.

        Rows that had one move along the shortest path.
        """
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


class Proportions:
    """Cumulative proportions of the records, by value.

    For each of the different values it is the proportion of the records with at most this value.
    """

    def __init__(self, values: Sequence[Any]) -> None:
        place = {value: i for i, value in enumerate(sorted(set(values)))}
        self.ranks = [place[value] for value in values]
        """The place of each record's value among the different ones, from 0."""
        ordered = sorted(self.ranks)
        self._up_to = [bisect_right(ordered, i) for i in range(len(place))]
        self._sums = [0, *accumulate(self._up_to)]

    def __len__(self) -> int:
        """The number of different values."""
        return len(self._up_to)

    def gaps(self, group: Sequence[Record]) -> Fraction:
        """Return the sum of |P_i - Q_i| over the values.

        P are the proportions in the group, Q those in the file. Between two values of the group P_i
        does not change and Q_i rises, so that the sign of the difference turns once.
        """
        n, size = len(self.ranks), len(group)
        ranks = sorted([self.ranks[record] for record in group])
        total = sum(
            self._between(first, after, count * n, size)
            for count, (first, after) in enumerate(pairwise([0, *ranks, len(self)]))
        )
        return Fraction(total, n * size)

    def _between(self, first: int, after: int, mine: int, size: int) -> int:
        """Return the sum of |mine - size * records up to i|.

        It is taken over some ranks i, with which the second term increases.
        """
        turn = bisect_left(self._up_to, mine, first, after, key=lambda count: size * count)
        below = mine * (turn - first) - size * (self._sums[turn] - self._sums[first])
        above = size * (self._sums[after] - self._sums[turn]) - mine * (after - turn)
        return below + above
