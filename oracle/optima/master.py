"""Linear program over a pool of groups, and what its duals prove.

Every record is in exactly one group chosen; the number of groups lies between its bounds;
the cuts hold. Duals come from the solver in floating point. They are rounded to integers
and lowered where a group has a negative reduced cost; then they prove a lower bound, exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import compress
from math import gcd, isfinite
from operator import add, mul
from typing import TYPE_CHECKING

from oracle.optima.clock import GivenUp
from oracle.optima.cuts import Cut
from oracle.optima.pricing import CutCosts, Found, Prices
from oracle.optima.solver import LinearConstraint, SolverAnswer, solve_program
from refagg.errors import SolverFailed
from refagg.language.partition import Group

if TYPE_CHECKING:
    from oracle.optima.kept import Kept

UNITS = 100_000.0
"""Objectives are brought to this magnitude before a solver sees them."""

ROUNDING = 1e-4
"""A solver may violate a row by this, and a cost by this share of UNITS."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The least and the greatest number of groups of a partition."""

    fewest: int
    most: int


@dataclass(frozen=True, slots=True)
class Setting:
    """The setting that all programs over the same records share.

    `magnitude` is the order of the total cost; `solver` is one of SOLVERS.
    """

    n: int
    bounds: Bounds
    magnitude: int
    solver: str
    kept: Kept | None = None


@dataclass(frozen=True, slots=True)
class Duals:
    """Whole multipliers of the constraints.

    They are those of the records, of `number of groups >= fewest` (at least 0), of
    `number of groups <= most` (at most 0), and of the cuts (at most 0).
    """

    records: list[int]
    fewest: int
    most: int
    cuts: dict[Cut, int]

    def prices(self) -> Prices:
        return Prices(self.records, self.fewest + self.most, self.cuts)

    def all(self) -> list[int]:
        """Return all multipliers."""
        return [*self.records, self.fewest, self.most, *self.cuts.values()]

    def unit(self) -> int:
        """Return the greatest common divisor of all; 1 if all are 0."""
        return gcd(*self.all()) or 1

    def changed(self, change: Callable[[int], int]) -> Duals:
        """Return the duals with every multiplier changed."""
        cuts = {cut: change(price) for cut, price in self.cuts.items()}
        return Duals(list(map(change, self.records)), change(self.fewest), change(self.most), cuts)

    def mixed(self, other: Duals, mix: Callable[[int, int], int]) -> Duals:
        """Return the duals mixed, multiplier by multiplier, with others."""
        prices = {
            cut: mix(self.cuts.get(cut, 0), other.cuts.get(cut, 0))
            for cut in {**self.cuts, **other.cuts}
        }
        return Duals(
            list(map(mix, self.records, other.records)),
            mix(self.fewest, other.fewest),
            mix(self.most, other.most),
            {cut: price for cut, price in prices.items() if price},
        )

    def in_multiples(self, unit: int) -> Duals:
        """Return the duals rounded down to multiples of `unit`.

        That raises every reduced cost.
        """
        return self.changed(lambda price: price - price % unit)

    def bound(self, bounds: Bounds) -> int:
        """Return the bound proved if no reduced cost is negative."""
        return (
            sum(self.records)
            + self.fewest * bounds.fewest
            + self.most * bounds.most
            + sum(price * cut.right for cut, price in self.cuts.items())
        )


def kept_by(solver: str, n: int, bounds: Bounds) -> Kept | None:
    """Return the relaxation as HiGHS keeps it, where that is the solver."""
    if solver != "highs":
        return None
    from oracle.optima.kept import Kept  # needs highspy

    return Kept(n, bounds.fewest, bounds.most)


def linear(
    costs: Sequence[int],
    groups: Sequence[Group],
    alone: Sequence[int],
    cuts: Sequence[Cut],
    setting: Setting,
) -> SolverAnswer:
    """Return the linear relaxation; its costs are divided by `magnitude` / UNITS.

    A record may also be left alone, at the cost that `alone` gives it, so that there is always a
    solution; these choices come after the groups. Raises SolverFailed if the answer is invalid,
    GivenUp if the solver was ended.
    """
    scale = UNITS / setting.magnitude
    scaled = [cost * scale for cost in (*costs, *alone)]
    if setting.kept is not None:
        kept = setting.kept.solve(scaled[: len(groups)], groups, scaled[len(groups) :], cuts)
        if kept.status == "optimal" and _fault(kept, scaled, groups, cuts, setting) is None:
            return kept
    columns = [*groups, *((record,) for record in range(setting.n))]
    rows = _rows(columns, len(groups), setting)
    rows += [_cut_row(cut, groups) for cut in cuts]
    answer = solve_program(scaled, rows, solver=setting.solver)
    if answer.status == "unknown":
        raise GivenUp
    fault = f"it ended with {answer.status!r}"
    if answer.status == "optimal":
        fault = _fault(answer, scaled, groups, cuts, setting) or ""
    if fault:
        raise SolverFailed(f"{setting.solver} solved a linear program wrongly: {fault}")
    return answer


def _fault(
    answer: SolverAnswer,
    costs: Sequence[float],
    groups: Sequence[Group],
    cuts: Sequence[Cut],
    setting: Setting,
) -> str | None:
    """Return the reason why an answer is no optimum.

    None if its costs and rows agree. Cuts are not looked at: an answer that violates one has only a
    lower cost.
    """
    n, values, duals = setting.n, answer.values, answer.duals
    if (len(values), len(duals)) != (len(costs), n + 2 + len(cuts)):
        return f"{len(values)} values and {len(duals)} duals"
    if not all(map(isfinite, (answer.objective, *values, *duals))):
        return "a number that is not finite"
    if min(values) < -ROUNDING or not _covers(values, groups, setting):
        return "values that do not cover each record once"
    right = [*[1] * n, setting.bounds.fewest, setting.bounds.most, *(cut.right for cut in cuts)]
    by_duals = sum(map(mul, duals, right))
    for cost in (sum(map(mul, values, costs)), by_duals):
        if abs(cost - answer.objective) > ROUNDING * max(UNITS, abs(answer.objective)):
            return f"the objective is {answer.objective}, but values or duals make it {cost}"
    return None


def _covers(values: Sequence[float], groups: Sequence[Group], setting: Setting) -> bool:
    """Return True if values cover each record once.

    They have to sum to 1 for each record, and to a possible number of groups.
    """
    covered = list(values[len(groups) :])
    for group, x in compress(zip(groups, values, strict=False), values):
        for record in group:
            covered[record] += x
    number, fewest, most = sum(values), setting.bounds.fewest, setting.bounds.most
    return (
        all(abs(x - 1) <= ROUNDING for x in covered)
        and number >= fewest - ROUNDING * setting.n
        and sum(values[: len(groups)]) <= most + ROUNDING * setting.n
    )


def check_duals(
    duals: Duals, setting: Setting, alone: Sequence[int], reduced: Iterable[int]
) -> None:
    """Raise SolverFailed unless duals suit the costs that the solver saw.

    `reduced` are the reduced costs of its groups. An integer has been rounded.
    """
    room = 2 * setting.n + 10 * len(duals.cuts) + int(ROUNDING * setting.magnitude)
    single = min(cost - y - duals.fewest for cost, y in zip(alone, duals.records, strict=True))
    if min(single, *reduced, 0) < -room:
        raise SolverFailed(
            f"{setting.solver} solved a linear program wrongly: the duals leave a reduced cost "
            "far below 0"
        )


def integer_choice(
    costs: Sequence[int],
    groups: Sequence[Group],
    setting: Setting,
    seconds: float | None = None,
    start: Sequence[int] | None = None,
) -> list[Group] | None:
    """Return the best choice among the solver's groups, or None.

    Raises SolverFailed if it claims that what is no partition is optimal.
    """
    scale = UNITS / setting.magnitude
    rows = _rows(groups, len(groups), setting)
    answer = solve_program(
        [cost * scale for cost in costs],
        rows,
        integer=True,
        solver=setting.solver,
        time_limit=seconds,
        start=start,
    )
    chosen = [group for group, x in zip(groups, answer.values, strict=False) if x > 0.5]
    partition = sorted(record for group in chosen for record in group) == list(range(setting.n))
    if answer.status == "optimal" and not partition:
        raise SolverFailed(f"{setting.solver} chose groups that are no partition")
    return chosen if answer.status in ("optimal", "feasible") and partition else None


def _rows(groups: Sequence[Group], real: int, setting: Setting) -> list[LinearConstraint]:
    """Return the rows of records and of numbers of groups.

    Only the first `real` columns are groups.
    """
    members: list[list[tuple[int, float]]] = [[] for _ in range(setting.n)]
    for number, group in enumerate(groups):
        for record in group:
            members[record].append((number, 1.0))
    every = [(number, 1.0) for number in range(len(groups))]
    counts = [
        LinearConstraint(every, ">=", setting.bounds.fewest),
        LinearConstraint(every[:real], "<=", setting.bounds.most),
    ]
    return [LinearConstraint(entries, "=", 1) for entries in members] + counts


def _cut_row(cut: Cut, groups: Sequence[Group]) -> LinearConstraint:
    members = set(cut.records)
    entries = [
        (number, float(coefficient))
        for number, group in enumerate(groups)
        if not members.isdisjoint(group) and (coefficient := cut.coefficient(group))
    ]
    return LinearConstraint(entries, "<=", cut.right)


def rounded_duals(answer: SolverAnswer, cuts: Sequence[Cut], n: int, magnitude: int) -> Duals:
    """Return the duals of an answer as integers with the right signs.

    They are not yet repaired. Those of records are rounded down by one more, which leaves no group
    of the solver's own with a reduced cost below 0 for rounding alone.
    """
    whole = [round(dual * magnitude / UNITS) for dual in answer.duals]
    prices = {cut: min(0, price) for cut, price in zip(cuts, whole[n + 2 :], strict=True)}
    return Duals(
        [y - 1 for y in whole[:n]],
        max(0, whole[n]),
        min(0, whole[n + 1]),
        {cut: price for cut, price in prices.items() if price},
    )


def repaired_duals(duals: Duals, found: Iterable[Found]) -> Duals:
    """Return duals without a negative reduced cost of a group.

    To that end the prices of records are lowered. `found` are all groups that have one. The worst
    are seen to first; that helps others too.
    """
    y = list(duals.records)
    before = duals.records
    for reduced, group in sorted(found):
        now = reduced + sum(before[record] - y[record] for record in group)
        if now < 0:
            share, more = divmod(-now, len(group))
            for position, record in enumerate(group):
                y[record] -= share + (position < more)
    return Duals(y, duals.fewest, duals.most, duals.cuts)


def reduced_costs(duals: Duals, costs: Sequence[int], groups: Sequence[Group]) -> list[int]:
    """Return the reduced cost of each group."""
    y, group_price = duals.records, duals.fewest + duals.most
    reduced = [
        cost - group_price - sum(map(y.__getitem__, group))
        for cost, group in zip(costs, groups, strict=True)
    ]
    return (
        list(map(add, reduced, map(CutCosts(duals.cuts).whole, groups))) if duals.cuts else reduced
    )


def duals_between(best: Duals, latest: Duals, weight: float) -> Duals:
    """Return duals between the latest and the best.

    They are `weight` of the way from the latest to the best.
    """
    return best.mixed(latest, lambda a, b: b + round(weight * (a - b)))
