"""IGD, blocking by a k-d tree, and the transportation problem of constrained k-means."""

from __future__ import annotations

import os
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from test_second_phase import cost, drawn, run_of

from oracle.conformance.vectors.optima import optima
from refagg import exact_space
from refagg.catalogue import CATALOGUE
from refagg.engine.transportation import Transportation
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.language.random_stream import seeded

TABLES = int(os.environ.get("TABLES", "40"))
"""Random tables of each property; the long version has 2000."""


@pytest.mark.parametrize("start", ["mdav", "md", "cbfs"])
def test_igd_never_raises_the_sse_and_is_never_below_the_optimum(start: str) -> None:
    random, lower = Random(start), 0
    for _ in range(TABLES):
        rows, k = drawn(random, 9)
        before = cost(rows, run_of(start, rows, k))
        after = cost(rows, run_of("igd", rows, k, start=start))
        least, _ = optima([tuple(map(Fraction, row)) for row in rows], k, "none")
        assert least <= after <= before
        lower += after < before
    assert lower


def test_blocks_hold_groups() -> None:
    random = Random(2)
    for _ in range(TABLES):
        rows, k = drawn(random, 30)
        least = random.randint(1, 9)
        blocks = run_of("mondrian", rows, max(k, least), cut="relaxed").groups
        found = run_of("kd-blocks", rows, k, least=str(least))
        for group in found.groups:
            assert sum(set(group) <= set(block) for block in blocks) == 1
        assert k <= found.smallest() <= found.largest() < 2 * k


def test_assignments_cost_least() -> None:
    """By looking at all of them; and every one of the least cost is offered."""
    random, tied = Random(3), 0
    for _ in range(TABLES):
        n, c = random.randint(2, 6), random.randint(1, 3)
        least = random.randint(0, n // c)
        most = random.randint(-(-n // c), n)
        costs = [[random.randrange(4) for _ in range(c)] for _ in range(n)]
        legal = [
            chosen
            for chosen in product(range(c), repeat=n)
            if all(least <= chosen.count(centre) <= most for centre in range(c))
        ]
        cheapest = min(sum(costs[i][j] for i, j in enumerate(chosen)) for chosen in legal)
        best = [x for x in legal if sum(costs[i][j] for i, j in enumerate(x)) == cheapest]
        found = Transportation(costs, least, most)
        assert tuple(found.centre_of) in best
        assert found.total() == cheapest
        for record in range(n):
            paths = found.as_good(record, range(record), 0)
            fixed = found.centre_of[:record]
            offered = {found.centre_of[record], *paths}
            assert offered == {x[record] for x in best if list(x[:record]) == fixed}
            chosen = random.choice(sorted(offered))
            if chosen != found.centre_of[record]:
                found.turn(record, paths[chosen], range(record))
            assert tuple(found.centre_of) in best
            assert found.centre_of[record] == chosen
        tied += len(best) > 1
    assert tied > TABLES // 4


@pytest.mark.parametrize("sizes", ["free", "even"])
def test_rounds_of_constrained_k_means_never_raise_the_sse(sizes: str) -> None:
    random = Random(sizes)
    for _ in range(TABLES // 2):
        rows, k = drawn(random, 18)
        n = len(rows)
        losses = []
        for rounds in (1, 2, 100):
            run = CATALOGUE["constrained-k-means"].run
            found = run(exact_space(rows), k, Choices(stream=seeded(7)), sizes=sizes, rounds=rounds)
            losses.append(cost(rows, found))
            assert k <= found.smallest() <= found.largest() < 2 * k
            if sizes == "even":
                assert found.largest() - found.smallest() <= 1
                assert len(found.groups) == n // k
        assert losses == sorted(losses, reverse=True)


def test_where_igd_ends_no_record_can_leave_a_large_group_for_less() -> None:
    random, looked_at = Random(5), 0
    for _ in range(TABLES // 2):
        rows, k = drawn(random, 16)
        groups = run_of("igd", rows, k, start="cbfs").groups
        least = cost(rows, Partition(groups))
        for group in groups:
            for record, other in product(group if len(group) > k else (), groups):
                if other != group:
                    rest = [g for g in groups if g not in (group, other)]
                    moved = tuple(r for r in group if r != record), (*other, record)
                    assert cost(rows, Partition((*rest, *moved))) >= least
                    looked_at += 1
    assert looked_at > TABLES
