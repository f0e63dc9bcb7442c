"""Transfers of single records between clusters, with the history of all steps written down."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from plain.geometry import Point, gap, middle_of


class Run:
    def __init__(self, points: Sequence[Point], chosen: Sequence[int]) -> None:
        self.points, self.n, self.c = points, len(points), len(chosen)
        self.home, self.second = [0] * self.n, [0] * self.n
        for i in range(self.n):
            far = [gap(points[i], points[j]) for j in chosen]
            keys = [(far[g], chosen[g] != i, g) for g in range(self.c)]
            order = sorted(range(self.c), key=keys.__getitem__)
            self.home[i], self.second[i] = order[0], order[-1 if self.c == 1 else 1]
        self.log: list[tuple[str, int, set[int]]] = []
        """For each step its stage, the round, and the clusters that it changed."""

    def cost(self, i: int, g: int) -> Fraction:
        group = [j for j in range(self.n) if self.home[j] == g]
        m = len(group)
        squared = gap(self.points[i], middle_of(self.points, group))
        return squared * m / (m - 1 if g == self.home[i] else m + 1)

    def live(self, g: int, number: int) -> bool:
        optimal = [changed for stage, _, changed in self.log if stage == "optimal"]
        quick = [changed for stage, r, changed in self.log if (stage, r) == ("quick", number - 1)]
        return number == 0 or any(g in changed for changed in optimal[1 - self.n :] + quick)

    def alone(self, i: int) -> bool:
        return self.home.count(self.home[i]) == 1

    def swapped(self, i: int) -> set[int]:
        """The clusters that change, if it costs less in the second one."""
        if self.cost(i, self.second[i]) >= self.cost(i, self.home[i]):
            return set()
        self.home[i], self.second[i] = self.second[i], self.home[i]
        return {self.home[i], self.second[i]}

    def optimal(self, number: int) -> bool:
        for i in range(self.n):
            changed: set[int] = set()
            if not self.alone(i):
                every, second = self.live(self.home[i], number), self.second[i]
                others = [second, *(g for g in range(self.c) if g not in (self.home[i], second))]
                may = [g for g in others if every or g == second or self.live(g, number)]
                self.second[i] = min(may, key=lambda g, i=i: self.cost(i, g))
                changed = self.swapped(i)
            self.log.append(("optimal", number, changed))
        return any(changed for _, _, changed in self.log[-self.n :])

    def quick(self, number: int) -> None:
        i = stayed = 0
        while stayed < self.n:
            recent = {g for _, _, changed in self.log[1 - self.n :] for g in changed}
            asked = not self.alone(i) and {self.home[i], self.second[i]} & recent
            changed = self.swapped(i) if asked else set()
            stayed = 0 if changed else stayed + 1
            self.log.append(("quick", number, changed))
            i = (i + 1) % self.n


def clusters(points: Sequence[Point], chosen: Sequence[int], rounds: int) -> list[list[int]]:
    run = Run(points, chosen)
    for number in range(rounds if run.c > 1 else 0):
        if not run.optimal(number):
            break
        run.quick(number)
    return [[i for i in range(run.n) if run.home[i] == g] for g in range(run.c)]
