"""Column generation, its parts and its proofs, against going through all groups and partitions."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import replace
from heapq import nsmallest
from itertools import chain, combinations
from math import lcm
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from suites import one_in

from oracle.executors import Here
from oracle.functions.optima import Proof, verify
from oracle.optima import state, tree
from oracle.optima.certify import certificate
from oracle.optima.clock import Clock, OutOfTime
from oracle.optima.columns import Outcome, Part, Solver, solver_for
from oracle.optima.cuts import SHAPES, Cut, Fractional, triple
from oracle.optima.master import Bounds, Duals, duals_between, reduced_costs, repaired_duals
from oracle.optima.pricing import CutCosts, Geometry, Prices, Pricing, Restriction, geometry_of
from oracle.optima.problem import Problem, sse_problem
from oracle.optima.relaxation import ColumnPool
from oracle.optima.root import by_anchor, least_duals
from oracle.optima.separation import LEAST_VIOLATION, new_cuts, violated_triples
from oracle.optima.solving import solve
from oracle.optima.tree import Node, Open, Prover
from refagg import datasets, microaggregate
from refagg.data.standardise import standardise
from refagg.data.tables import Table, table_of
from refagg.errors import NoPartition
from refagg.release.measures import sse
from tests.certificate.test_certificate import Request, judged_text, least
from tests.strategies import examples

Group = tuple[int, ...]
Found = tuple[int, Group]


# Pricing


@st.composite
def cuts(draw: st.DrawFn, n: int) -> Cut:
    """A triple, one of the other shapes, or any weights below the divisor, for 0 .. n-1."""
    shapes = [shape for shape in (((1, 1, 1), 2), *SHAPES) if len(shape[0]) <= n]
    divisor = draw(st.integers(2, 5))
    weights = tuple(draw(st.lists(st.integers(0, divisor - 1), min_size=1, max_size=n)))
    if shapes and draw(st.booleans()):
        weights, divisor = draw(st.sampled_from(shapes))
    records = sorted(draw(st.permutations(range(n)))[: len(weights)])
    return Cut(tuple(records), tuple(draw(st.permutations(weights))), divisor)


@st.composite
def searches(draw: st.DrawFn, restricted: bool = True) -> Pricing:
    """A search in distances that need not keep the triangle inequality."""
    n = draw(st.integers(2, 9))
    k = draw(st.integers(1, min(4, n)))
    sizes = range(k, min(n, draw(st.integers(k, 2 * k + 1))) + 1)
    rows = [[0] * n for _ in range(n)]
    for a, b in combinations(range(n), 2):
        rows[a][b] = rows[b][a] = draw(st.integers(0, 30))
    geometry = geometry_of(rows, sizes, draw(st.sampled_from([1, 4])))
    unit = geometry.shares[sizes[0]] * sizes[0]
    price = st.integers(-20 * unit, 40 * unit)
    prices = Prices(
        draw(st.lists(price, min_size=n, max_size=n)),
        draw(st.integers(-20 * unit, 5 * unit)),
        draw(st.dictionaries(cuts(n), st.integers(-30 * unit, 0), max_size=4)),
    )
    pairs = st.sets(st.sampled_from(list(combinations(range(n), 2))), max_size=int(restricted))
    return Pricing(
        geometry,
        prices,
        draw(st.integers(-20 * unit, 20 * unit)),
        Restriction(frozenset(draw(pairs)), frozenset(draw(pairs))),
    )


def priced(geometry: Geometry, prices: Prices) -> list[Found]:
    """All groups with their reduced costs, written out."""
    scale = geometry.shares[geometry.sizes[0]] * geometry.sizes[0]
    assert scale % lcm(*geometry.sizes) == 0
    found = []
    for size in geometry.sizes:
        for group in combinations(range(geometry.n), size):
            pairs = sum(geometry.rows[a][b] for a, b in combinations(group, 2))
            value = scale * pairs // size
            value -= sum(prices.records[record] for record in group) + prices.group
            for cut, price in prices.cuts.items():
                weights = dict(zip(cut.records, cut.weights, strict=True))
                value -= price * (sum(weights.get(record, 0) for record in group) // cut.divisor)
            found.append((value, group))
    return found


def sought(pricing: Pricing) -> list[Found]:
    """The groups within the limit that the restriction allows."""
    restriction = pricing.restriction
    return [
        (value, group)
        for value, group in priced(pricing.geometry, pricing.prices)
        if value <= pricing.limit
        and all((a in group) == (b in group) for a, b in restriction.together)
        and not any(a in group and b in group for a, b in restriction.apart)
    ]


def dearest(prices: Prices, group: Group) -> int:
    return max(group, key=lambda record: (prices.records[record], -record))


@examples(6)
@given(searches())
def test_pricing_finds_every_group(pricing: Pricing) -> None:
    n = pricing.geometry.n
    assert sorted(pricing.groups(range(n))) == sorted(sought(pricing))
    parts = [pricing.groups(range(first, n, 3)) for first in range(3)]
    assert sorted(found for part in parts for found in part) == sorted(sought(pricing))


@examples(6)
@given(searches())
def test_no_group_costs_less_than_by_least_distances(pricing: Pricing) -> None:
    duals = least_duals(pricing.geometry)
    assert all(reduced >= 0 for reduced, _ in priced(pricing.geometry, duals.prices()))


def test_equal_distances_leave_nothing_above_least_distances() -> None:
    """Three groups of 2 at distance 6 cost 3 each, on a scale of 6 for sizes of 2 and 3."""
    rows = [[0 if i == j else 6 for j in range(6)] for i in range(6)]
    assert least_duals(geometry_of(rows, range(2, 4))).bound(Bounds(2, 3)) == 6 * 9


@examples(4)
@given(searches(), st.integers(1, 4))
def test_pricing_keeps_enough_of_each_anchor_and_size(pricing: Pricing, enough: int) -> None:
    few = Pricing(
        pricing.geometry, pricing.prices, pricing.limit, pricing.restriction, None, enough
    )
    by_place: dict[tuple[int, int], list[Found]] = {}
    for value, group in sought(pricing):
        place = (dearest(pricing.prices, group), len(group))
        by_place.setdefault(place, []).append((value, group))
        assert by_anchor([(value, group)], pricing.prices) == {place[0]: [(value, group)]}
    expected = [found for part in by_place.values() for found in nsmallest(enough, part)]
    assert sorted(few.groups(range(pricing.geometry.n))) == sorted(expected)


@examples(4)
@given(searches(), st.integers(0, 9))
def test_pricing_within_reach(pricing: Pricing, reach: int) -> None:
    geometry, prices = pricing.geometry, pricing.prices
    near = Pricing(geometry, prices, pricing.limit, pricing.restriction, reach)
    expected = []
    for value, group in sought(pricing):
        anchor = dearest(prices, group)
        others = [j for j in range(geometry.n) if j != anchor]
        others.sort(key=lambda j: (geometry.rows[anchor][j], j))
        if set(group) - {anchor} <= set(others[:reach]):
            expected.append((value, group))
    assert sorted(near.groups(range(geometry.n))) == sorted(expected)


@examples(2)
@given(searches())
def test_what_groups_owe_to_cuts(pricing: Pricing) -> None:
    prices, geometry = pricing.prices, pricing.geometry
    cut_costs = CutCosts(prices.cuts)
    duals = Duals(prices.records, 0, prices.group, prices.cuts)
    every = priced(geometry, prices)
    groups = [group for _, group in every]
    reduced = reduced_costs(duals, [geometry.cost(group) for group in groups], groups)
    for (value, group), other in zip(every, reduced, strict=True):
        cost = geometry.cost(group)
        assert prices.reduced(cost, group) == other == value
        paid = sum(prices.records[record] for record in group) + prices.group
        assert cut_costs.whole(group) == value - cost + paid
        assert cut_costs.whole(group[::-1]) == cut_costs.whole(group)


# Duals


@examples(4)
@given(searches(restricted=False))
def test_repaired_duals_leave_no_negative_reduced_cost(pricing: Pricing) -> None:
    geometry, prices = pricing.geometry, pricing.prices
    duals = Duals(prices.records, 0, min(0, prices.group), prices.cuts)
    negative = [found for found in priced(geometry, duals.prices()) if found[0] < 0]
    better = repaired_duals(duals, negative)
    left = priced(geometry, better.prices())
    assert min(value for value, _ in left) >= 0
    assert all(a <= b for a, b in zip(better.records, duals.records, strict=True))
    if negative:  # lowered no further than until some group that was negative costs nothing
        assert any(value == 0 for value, group in left if group in {g for _, g in negative})
    else:
        assert better == duals


@examples(4)
@given(searches(restricted=False))
def test_what_duals_prove_is_no_more_than_any_partition_costs(pricing: Pricing) -> None:
    geometry, prices = pricing.geometry, pricing.prices
    n, sizes = geometry.n, geometry.sizes
    bounds = Bounds(-(-n // sizes[-1]), n // sizes[0])
    assume(bounds.fewest <= bounds.most)
    duals = Duals(prices.records, 7, min(0, prices.group), prices.cuts)
    duals = repaired_duals(duals, [f for f in priced(geometry, duals.prices()) if f[0] < 0])
    cost = {group: geometry.cost(group) for _, group in priced(geometry, prices)}
    cheapest = least_cover(tuple(range(n)), cost)
    assert cheapest is not None
    assert duals.bound(bounds) <= cheapest


def least_cover(left: Group, cost: dict[Group, int]) -> int | None:
    """The least cost of groups that hold each record once."""
    if not left:
        return 0
    found = []
    for size in range(len(left)):
        for others in combinations(left[1:], size):
            group = (left[0], *others)
            if group in cost:
                rest = least_cover(tuple(r for r in left if r not in group), cost)
                if rest is not None:
                    found.append(cost[group] + rest)
    return min(found, default=None)


def test_duals_between_two() -> None:
    cut, other = triple((0, 1, 2)), triple((1, 2, 3))
    best = Duals([0, 10, 20, 30], 4, -8, {cut: -8})
    latest = Duals([4, 10, 0, 32], 0, 0, {cut: -4, other: -12})
    assert duals_between(best, latest, 0.5) == Duals([2, 10, 10, 31], 2, -4, {cut: -6, other: -6})
    assert duals_between(best, latest, 1.0) == best
    assert duals_between(best, latest, 0.0) == latest


# Cuts


@st.composite
def partitions(draw: st.DrawFn) -> tuple[int, list[Group]]:
    """Records 0 .. n-1 in groups of any size."""
    labels = draw(st.lists(st.integers(0, 5), min_size=5, max_size=14))
    groups = [[r for r, own in enumerate(labels) if own == label] for label in set(labels)]
    return len(labels), [tuple(group) for group in groups]


@examples(10)
@given(partitions(), st.data())
def test_every_partition_keeps_every_cut(
    drawn: tuple[int, list[Group]], data: st.DataObject
) -> None:
    n, groups = drawn
    cut = data.draw(cuts(n))
    assert sum(map(cut.coefficient, groups)) <= cut.right
    for weights, divisor in (((1, 1, 1), 2), *SHAPES):
        records = data.draw(st.permutations(range(n)))[: len(weights)]
        shaped = Cut(tuple(records), weights, divisor)
        assert sum(map(shaped.coefficient, groups)) <= shaped.right


def test_coefficients_by_hand() -> None:
    assert [triple((5, 3, 4)).coefficient(g) for g in ((3,), (3, 4), (3, 4, 5), (1, 2))] == [
        0,
        1,
        1,
        0,
    ]
    heavy = Cut((0, 1, 2, 3, 4), (3, 2, 2, 1, 1), 5)
    assert heavy.right == 1
    assert [heavy.coefficient(g) for g in ((0, 1), (0, 3), (1, 2, 3), (1, 2), (0, 9))] == [
        1,
        0,
        1,
        0,
        0,
    ]


@st.composite
def fractional(draw: st.DrawFn) -> tuple[int, list[Group], list[float]]:
    """Groups, and by how much each is chosen: no record more than once in all."""
    n = draw(st.integers(4, 8))
    group = st.sets(st.integers(0, n - 1), min_size=2, max_size=4).map(lambda s: tuple(sorted(s)))
    groups = draw(st.lists(group, unique=True, min_size=1, max_size=12))
    if draw(st.booleans()):  # half of each pair of three records, and of each triple of four
        groups = list(dict.fromkeys([(0, 1), (0, 2), (1, 2), *combinations(range(n - 4, n), 3)]))
    shares = [draw(st.sampled_from([0, 1, 1, 2, 3])) for _ in groups]
    loads = [sum(x for g, x in zip(groups, shares, strict=True) if r in g) for r in range(n)]
    return n, groups, [x / max(1, *loads) for x in shares]


@examples(4)
@given(fractional())
def test_triples_that_are_violated_are_all_found(
    drawn: tuple[int, list[Group], list[float]],
) -> None:
    n, groups, values = drawn
    part = [(group, x) for group, x in zip(groups, values, strict=True) if 0 < x < 1]
    expected = {}
    for members in combinations(range(n), 3):
        left = sum(x for group, x in part if len(set(group) & set(members)) >= 2)
        if left > 1 + 2 * LEAST_VIOLATION:
            expected[triple(members)] = left - 1
    found = {cut: violation for violation, cut in violated_triples(Fractional(groups, values))}
    assert found == pytest.approx(expected)


@examples(4)
@given(fractional())
def test_cuts_that_are_added_are_violated(drawn: tuple[int, list[Group], list[float]]) -> None:
    n, groups, values = drawn
    solution = Fractional(groups, values)
    for cut in new_cuts(solution, n):
        left = sum(x * cut.coefficient(g) for g, x in solution.groups)
        assert left > cut.right


# The whole


def request_of(seed: int, n: int) -> Request:
    """Integers in one to three attributes, with few or many ties, or in tight triples."""
    random = Random(seed)
    k = random.choice((2, 3, 4))
    width, values = random.choice((1, 2, 3)), random.choice((4, 12, 200))
    if seed % 3 == 0:
        return Request(tuple(triples(random, n)), 2)
    rows = [tuple(random.randrange(values) for _ in range(width)) for _ in range(n)]
    return Request(tuple(rows), k)


def triples(random: Random, n: int) -> Iterator[tuple[int, int]]:
    """Records in threes, far from each other: half of each pair is the best relaxation."""
    for record in range(n):
        yield 100 * (record // 3) + random.randrange(3), random.randrange(3)


def problem_of(request: Request) -> Problem:
    return sse_problem(
        standardise(table_of(request.rows), "none"),
        request.k,
        request.largest,
        request.together,
        request.apart,
    )


def solver_of(request: Request, clock: Clock | None = None, solver: str = "cbc") -> Solver:
    """The solver before its work, as silent as can be."""
    return solver_for(
        problem_of(request),
        solver,
        Here(),
        clock or Clock(),
        lambda progress: None,
        None,
        lambda work: None,
    )


def verdict_on(request: Request, work: Solver, outcome: Outcome) -> Proof:
    text = json.dumps(certificate(work.problem, outcome))
    return judged_text(text, request.rows)


@pytest.mark.parametrize("seed", one_in(4, range(36)))
def test_instances_are_proved_with_closed_trees(seed: int) -> None:
    request = request_of(seed, 9 + seed % 6)
    work = solver_of(request, solver="cbc" if seed % 2 else "highs")
    outcome = work.run()
    truth = least(request)
    assert outcome.closed
    assert outcome.value == outcome.bound == truth
    verdict = verdict_on(request, work, outcome)
    assert verdict.optimal
    assert verdict.value == truth


def proved_over_all_groups(request: Request) -> Solver:
    """A solver of which the tree begins with all groups, and not with the relaxation."""
    work = solver_of(request, solver="highs")
    pool = ColumnPool((group, work.geometry.cost(group)) for group in work.problem.groups())
    first = Node(Duals([0] * request.n, 0, 0, {}), next=Node())
    assert first.next is not None
    prover = Prover(
        work.setting,
        work.problem.cost,
        work.root.target,
        work.clock,
        work.keep,
        lambda prover, columns, cuts: None,
        unit=work.scale.unit * work.scale.common,
        slack=work.scale.grain - 1,
    )
    prover.prove(Open(first.next, pool, [], 0))
    work.tree = first
    return work


def nodes(node: Node | None) -> Iterator[Node]:
    if node is not None:
        yield node
        for part in (node.next, node.together, node.apart):
            yield from nodes(part)


@pytest.mark.long
def test_trees_without_cuts_and_with_little_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Divisions have to do it."""
    monkeypatch.setattr(tree, "new_cuts", lambda solution, n: [])
    divisions = 0
    for seed in range(0, 60, 3):
        request = request_of(seed, 9 + seed % 6)
        work = proved_over_all_groups(request)
        outcome = work.outcome()
        assert outcome.closed
        assert outcome.value == least(request)
        assert verdict_on(request, work, outcome).optimal
        divisions += sum(node.pair is not None for node in nodes(work.tree))
    assert divisions >= 20


def test_a_partition_that_one_part_excludes_has_its_groups_in_the_next() -> None:
    """An integer program takes all groups of the best partition, wherever that was found."""
    request = replace(request_of(0, 12), rows=tuple((3 * i % 7, i) for i in range(12)))
    work = solver_of(request)
    groups = [tuple(range(i, 12, 4)) for i in range(4)]
    assert not set(groups) <= set(work.root.pool.groups)
    work.value *= 1000
    work._enter(Part(Node(), Restriction(together=frozenset({(0, 1)}))))
    work.keep(groups)
    work._enter(Part(Node(), Restriction(apart=frozenset({(0, 1)}))))
    assert work.partition.groups == tuple(groups)
    assert set(groups) <= set(work.root.pool.groups)


def test_clusters_far_apart_are_proved_from_a_saved_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has the optimum of its own."""
    monkeypatch.setattr(tree, "new_cuts", lambda solution, n: [])
    for seed in (19, 20, 23, 27, 34, 72):
        random = Random(seed)
        clusters = [
            [(1000 * c + random.randrange(4), random.randrange(4)) for _ in range(n)]
            for c, n in enumerate(random.choices(range(5, 9), k=3))
        ]
        request = Request(tuple(chain(*clusters)), random.choice((2, 3)))
        work = solver_of(request, solver="highs")
        outcome = work.run()
        truth = sum(least(Request(tuple(rows), request.k)) for rows in clusters)
        assert outcome.value == outcome.bound == truth
        assert verdict_on(request, work, outcome).optimal
        bounds = work.setting.bounds
        saved = json.loads(json.dumps(state.node_data(work.tree, bounds)))
        again = state.node_of(saved, work.problem)
        assert verdict_on(request, work, replace(outcome, proof=again)).optimal


def test_a_list_without_a_partition_is_infeasible() -> None:
    request = Request(((0,), (1,), (2,), (3,)), 2)
    work = solver_of(request)
    node = Node()
    prover = Prover(
        work.setting,
        work.problem.cost,
        work.root.target,
        Clock(),
        work.keep,
        lambda prover, columns, cuts: None,
    )
    pool = ColumnPool((group, work.geometry.cost(group)) for group in ((0, 1), (0, 2), (0, 3)))
    prover.prove(Open(node, pool, [], 0))
    assert node.infeasible
    assert node.duals is not None
    assert node.duals.bound(work.setting.bounds) > 0
    assert max(sum(node.duals.records[record] for record in g) for g in pool.groups) <= 0


# Stopped


class Counted(Clock):
    """A clock that strikes when it has been asked so many times."""

    def __init__(self, times: int) -> None:
        super().__init__(None)
        self.times = times

    def check(self) -> None:
        self.times -= 1
        if self.times < 0:
            raise OutOfTime


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_wherever_it_is_stopped_the_bound_holds(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """At every point where the clock is looked at; the tree of an earlier stop is certified too."""
    if seed % 2:
        monkeypatch.setattr(tree, "new_cuts", lambda solution, n: [])
    request = request_of(3 * seed, 9 + seed % 4)
    truth = least(request)
    assert truth is not None
    bounds = []
    for times in range(400):
        clock = Counted(times)
        work = solver_of(request, clock, "highs")
        outcome = work.run()
        assert outcome.bound <= truth <= outcome.value
        assert outcome.closed == (outcome.bound == outcome.value)
        verdict = verdict_on(request, work, outcome)
        assert (verdict.bound, verdict.value) == (outcome.bound, outcome.value)
        bounds.append(outcome.bound)
        if clock.times >= 0:
            assert outcome.closed
            break
    else:
        pytest.fail("it never came to an end")
    assert len(set(bounds)) >= 2


@pytest.mark.parametrize("seed", one_in(3, range(12)))
def test_no_time_at_all(seed: int) -> None:
    request = request_of(seed, 9 + seed % 6)
    found = solve(request.rows, request.k, "columns", time_limit=0)
    truth = least(request)
    assert truth is not None
    assert found.bound is not None
    assert found.bound <= truth <= found.value
    assert found.status == ("optimal" if found.bound == found.value else "feasible")
    verdict = judged_text(json.dumps(found.certificate), request.rows)
    assert verdict.bound <= truth
    assert verdict.optimal == (found.status == "optimal")


# Constraints


@pytest.mark.parametrize("seed", range(12))
def test_with_constraints(seed: int) -> None:
    random = Random(seed)
    rows = tuple((random.randrange(30), random.randrange(30)) for _ in range(10))
    pairs = [tuple(sorted(random.sample(range(10), 2))) for _ in range(4)]
    request = Request(
        rows,
        2 + seed % 2,
        None if seed % 3 else 4,
        tuple((a, b) for a, b in pairs[: seed % 2 + 1]),
        tuple((a, b) for a, b in pairs[2:] if (a, b) not in pairs[:2]),
    )
    truth = least(request)
    try:
        work = solver_of(request)
    except NoPartition:
        assert truth is None
        return
    outcome = work.run()
    assert outcome.closed
    assert outcome.value == truth


# Reference data


def written(table: Table, path: Path) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(table.names)
        writer.writerows(map(table.row, range(table.n)))


@pytest.mark.long
@pytest.mark.reference_data
@pytest.mark.usefixtures("data_folder")
@pytest.mark.parametrize("n", [100, 200])
def test_the_first_records_of_census(n: int, tmp_path: Path) -> None:
    table = datasets.load("census").take(range(n))
    scaled = standardise(table)
    found = solve(scaled, 3, "columns")
    assert found.status == "optimal"
    written(table, tmp_path / "data.csv")
    (tmp_path / "certificate.json").write_text(json.dumps(found.certificate))
    verdict = verify(tmp_path / "certificate.json", tmp_path / "data.csv")
    assert verdict.optimal
    assert verdict.value == sse(scaled, found.partition)
    release = microaggregate(table, k=3, algorithm="mdav")
    assert verdict.value < sse(scaled, release.partition)
