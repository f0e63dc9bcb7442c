"""Linear relaxation that HiGHS keeps and resumes from its last basis.

What `master.linear` asks for differs little from one time to the next. Groups and cuts that are new
are added as columns and rows; those that are not asked for any more are closed by their bounds.
It is used where `highspy` is installed and HiGHS is chosen; answers are those of
`solver.solve_program`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import highspy
import numpy as np

from oracle.optima.cuts import Cut
from oracle.optima.solver import SolverAnswer, silence_highs
from refagg.language.partition import Group

FULL = 3
"""The program is made again when it has this multiple of the columns that are asked for."""


class Kept:
    """The relaxation over the groups that were asked for so far.

    Rows: one for each record, then the least and the greatest number of groups, then the cuts.
    Columns: each record alone, then the groups.
    """

    def __init__(self, n: int, fewest: int, most: int) -> None:
        self.n, self.fewest, self.most = n, fewest, most
        self._begin()

    def _begin(self) -> None:
        n, inf = self.n, highspy.kHighsInf
        silence_highs()
        self.program = highspy.Highs()
        for option, value in (("output_flag", False), ("presolve", "off"), ("solver", "simplex")):
            self.program.setOptionValue(option, value)
        self.columns: dict[Group, int] = {}
        self.costs = np.zeros(n)
        self.closed = np.zeros(n, dtype=bool)
        self.holding: list[list[Group]] = [[] for _ in range(n)]
        self.rows: dict[Cut, int] = {}
        self.used: set[Cut] = set()
        self.touching: list[list[Cut]] = [[] for _ in range(n)]
        empty = np.array([], dtype=np.int32)
        lower = np.array([1.0] * n + [self.fewest, -inf])
        upper = np.array([1.0] * n + [inf, self.most])
        self.program.addRows(n + 2, lower, upper, 0, empty, empty, np.array([]))
        self._add_columns([[(i, 1.0), (n, 1.0)] for i in range(n)])

    def solve(
        self, costs: Sequence[float], groups: Sequence[Group], alone: Sequence[float],
        cuts: Sequence[Cut],
    ) -> SolverAnswer:  # fmt: skip
        """Solve as `solver.solve_program` does.

        The values are those of the groups and then of the records alone.
        """
        if len(self.columns) > FULL * (len(groups) + self.n):
            self._begin()
        self._use(cuts)
        self._add([group for group in groups if group not in self.columns])
        places = np.array([self.columns[group] for group in groups], dtype=np.int32)
        self._open(places)
        self._price(np.concatenate([np.arange(self.n, dtype=np.int32), places]), [*alone, *costs])
        self.program.run()
        solved = self.program.getModelStatus() == highspy.HighsModelStatus.kOptimal
        if not solved:
            return SolverAnswer("unknown", float("nan"), [], [])
        solution = self.program.getSolution()
        values = np.array(solution.col_value)
        duals = np.array(solution.row_dual)
        rows = [*range(self.n + 2), *(self.rows[cut] for cut in cuts)]
        objective = self.program.getInfo().objective_function_value
        chosen = [*values[places].tolist(), *values[: self.n].tolist()]
        return SolverAnswer("optimal", objective, chosen, duals[rows].tolist())

    def _add(self, groups: Sequence[Group]) -> None:
        """Add columns for groups that have none."""
        entries = []
        for group in groups:
            self.columns[group] = self.n + len(self.columns)
            own = [(record, 1.0) for record in group] + [(self.n, 1.0), (self.n + 1, 1.0)]
            for cut in {cut for record in group for cut in self.touching[record]}:
                if coefficient := cut.coefficient(group):
                    own.append((self.rows[cut], float(coefficient)))
            for record in group:
                self.holding[record].append(group)
            entries.append(own)
        self.costs = np.concatenate([self.costs, np.zeros(len(groups))])
        self.closed = np.concatenate([self.closed, np.zeros(len(groups), dtype=bool)])
        self._add_columns(entries)

    def _add_columns(self, entries: Sequence[Sequence[tuple[int, float]]]) -> None:
        if not entries:
            return
        number = len(entries)
        upper = np.full(number, highspy.kHighsInf)
        self.program.addCols(number, np.zeros(number), np.zeros(number), upper, *_sparse(entries))

    def _use(self, cuts: Sequence[Cut]) -> None:
        """Enforce these cuts, and no others."""
        for cut in cuts:
            if cut not in self.rows:
                self._add_cut(cut)
        wanted = set(cuts)
        for cut in wanted ^ self.used:
            right = cut.right if cut in wanted else highspy.kHighsInf
            self.program.changeRowBounds(self.rows[cut], -highspy.kHighsInf, right)
        self.used = wanted

    def _add_cut(self, cut: Cut) -> None:
        entries = []
        for group in {group for record in cut.records for group in self.holding[record]}:
            if coefficient := cut.coefficient(group):
                entries.append((self.columns[group], float(coefficient)))
        self.rows[cut] = self.n + 2 + len(self.rows)
        for record in cut.records:
            self.touching[record].append(cut)
        inf = highspy.kHighsInf
        self.program.addRows(1, np.array([-inf]), np.array([inf]), *_sparse([entries]))

    def _open(self, places: Any) -> None:
        """Allow these groups, and no others."""
        closed = np.ones(len(self.closed), dtype=bool)
        closed[: self.n] = False
        closed[places] = False
        changed = np.flatnonzero(closed != self.closed).astype(np.int32)
        upper = np.where(closed[changed], 0.0, highspy.kHighsInf)
        self.program.changeColsBounds(len(changed), changed, np.zeros(len(changed)), upper)
        self.closed = closed

    def _price(self, places: Any, costs: Sequence[float]) -> None:
        new = np.array(costs)
        changed = np.flatnonzero(new != self.costs[places])
        where = places[changed]
        self.program.changeColsCost(len(changed), where, new[changed])
        self.costs[where] = new[changed]


def _sparse(lines: Sequence[Sequence[tuple[int, float]]]) -> tuple[int, object, object, object]:
    """Return the entries of some rows or columns, as HiGHS takes them."""
    starts = np.cumsum([0, *map(len, lines)])[:-1].astype(np.int32)
    entries = [entry for line in lines for entry in line]
    indices = np.array([index for index, _ in entries], dtype=np.int32)
    return len(entries), starts, indices, np.array([value for _, value in entries], dtype=float)
