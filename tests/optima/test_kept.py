"""The relaxation that HiGHS keeps has the optima of the one that PuLP makes anew each time."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from oracle.optima.cuts import Cut, triple
from oracle.optima.master import UNITS, Bounds, Setting, kept_by, linear
from oracle.optima.solver import SolverAnswer
from refagg.language.partition import Group

pytest.importorskip("highspy")

N = 9
GROUPS = [group for size in (2, 3) for group in combinations(range(N), size)]
BOUNDS = Bounds(3, 4)


def dual_bound(answer: SolverAnswer, cuts: list[Cut]) -> float:
    """What the duals prove, if their signs are right."""
    records, (fewest, most), prices = (
        answer.duals[:N],
        answer.duals[N : N + 2],
        answer.duals[N + 2 :],
    )
    assert fewest >= -1e-6
    assert max([most, *prices]) <= 1e-6
    rights = sum(p * cut.right for p, cut in zip(prices, cuts, strict=True))
    return sum(records) + BOUNDS.fewest * fewest + BOUNDS.most * most + rights


@pytest.mark.parametrize("seed", range(3))
def test_groups_cuts_and_costs_that_come_and_go(seed: int) -> None:
    random = Random(seed)
    costs = {group: random.randrange(1, 1000) for group in GROUPS}
    kept = kept_by("highs", N, BOUNDS)
    for step in range(25):
        groups: list[Group] = random.sample(GROUPS, random.randrange(len(GROUPS) + 1))
        cuts = [triple(random.sample(range(N), 3)) for _ in range(random.randrange(6))]
        cuts += [Cut((0, 1, 2, 3, 4), (1, 1, 1, 1, 1), 2)] if step % 2 else []
        cuts = list(dict.fromkeys(cuts))
        own = [0 if step % 7 == 6 else costs[group] for group in groups]
        alone = [random.choice([300, 5000])] * N
        settings = [Setting(N, BOUNDS, 1000, "highs", program) for program in (kept, None)]
        one, other = (linear(own, groups, alone, cuts, setting) for setting in settings)
        assert one.objective == pytest.approx(other.objective, rel=1e-7, abs=1e-6)
        assert dual_bound(one, cuts) == pytest.approx(one.objective, rel=1e-7, abs=1e-6)
        assert len(one.values) == len(groups) + N
        paid = zip([*own, *alone], one.values, strict=True)
        assert sum(c * x for c, x in paid) * UNITS / 1000 == pytest.approx(one.objective, abs=1e-4)
        for record in range(N):
            inside = [
                x for g, x in zip(groups, one.values[: len(groups)], strict=True) if record in g
            ]
            assert sum(inside) + one.values[len(groups) + record] == pytest.approx(1)
