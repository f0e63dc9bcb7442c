"""`solve()` against the truth: every partition looked at, by a program of a few lines.

`tests/instances.py` holds that program and the comparisons that the benchmarks repeat at length.
"""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from instances import (
    CERTIFIED,
    COMPARED,
    THOROUGH,
    Group,
    Instance,
    agreement,
    divisions,
    drawn_rows,
    integers,
    least_cost,
    partition_cost,
    proved,
    solvers,
    squared_error,
    tie_rich,
)
from strategies import (
    VARIANTS,
    Number,
    Request,
    Rows,
    Variant,
    any_table,
    few_values,
    numbers_of,
    partition,
    tables,
)

from oracle.optima import METHODS, Optimum, solve, solving
from oracle.optima.clock import Progress
from oracle.optima.problem import general_problem
from refagg import sse
from refagg.data.standardise import standardise
from refagg.data.tables import table_of
from refagg.errors import (
    InvalidConstraint,
    InvalidK,
    InvalidParameter,
    KTooLarge,
    MissingValue,
    NoPartition,
    NotATable,
    RefaggError,
)
from refagg.language.partition import Partition
from tests.suites import one_in

Pair = tuple[int, int]

ANY_COST = ("exhaustive", "subsets", "ilp")
"""The methods that take any cost."""

FOR_SSE = (*ANY_COST, "columns")
"""The methods that take any constraints."""


# The truth itself


def test_a_start_is_one_for_columns() -> None:
    """However few the records are, for which `auto` would take the subsets."""
    rows = [[1], [2], [9], [8]]
    found = solve([[*row, 0] for row in rows], 2, start=Partition.of([[0, 1], [2, 3]], 4))
    assert (found.method, found.value) == ("columns", 1)


@pytest.mark.parametrize(
    ("n", "k", "number"),
    # Partitions without singletons (OEIS A000296), with all groups of 3 or more (A006505).
    [(4, 1, 15), (6, 2, 41), (8, 2, 715), (10, 2, 17722), (8, 3, 92), (10, 3, 2557), (9, 4, 127)],
)
def test_the_truth_looks_at_every_partition_once(n: int, k: int, number: int) -> None:
    found = [frozenset(groups) for groups in divisions(n, k)]
    assert len(found) == len(set(found)) == number


# Agreement


def test_all_methods_agree_with_the_truth() -> None:
    assert agreement(COMPARED, seed=1) == COMPARED


def test_certificates_of_integer_instances_are_accepted() -> None:
    draw = random.Random(2)
    instances = [integers(draw) for _ in range(CERTIFIED)]
    assert [instance for instance in instances if not proved(instance)] == []


@pytest.mark.parametrize(("how", "less"), [("population", 0), ("sample", 1)])
def test_z_scores(how: str, less: int) -> None:
    """Each attribute counts by its share of its own SST, times n or n - 1."""
    draw = random.Random(3)
    for _ in range(4 if THOROUGH else 2):
        instance = tie_rich(draw)
        every = tuple(range(instance.n))
        parts = [squared_error([(value,) for value in c]) for c in zip(*instance.rows, strict=True)]

        def cost(group: Group, every: Group = every, parts: Any = tuple(parts)) -> Fraction:
            shares = (p(group) / p(every) for p in parts if p(every))
            return sum(shares, Fraction(0)) * (len(every) - less)

        truth = least_cost(instance.n, instance.k, cost)
        for method in FOR_SSE:
            assert solve(instance.rows, instance.k, method, how=how).value == truth


@pytest.mark.skipif(len(solvers()) < 2, reason="HiGHS is not installed")
@pytest.mark.parametrize("method", ["ilp", "columns"])
def test_highs_and_cbc_give_the_same_values(method: str) -> None:
    draw = random.Random(4)
    for n in (10, 12):
        instance = Instance(drawn_rows(draw, n, 2, 50), 3)
        values = {solve(instance.rows, 3, method, solver=s).value for s in solvers()}
        assert len(values) == 1, instance


# Costs of very different magnitudes

FAR = [[0, 0], [9, 1], [1, 9], [8, 8], [10**6, 0], [10**6 + 9, 1], [10**6 + 1, 9], [10**6 + 8, 8]]


@pytest.mark.parametrize("solver", solvers())
def test_clusters_far_apart(solver: str) -> None:
    """A group across the two clusters costs 10^11, beside which a solver sees no other cost."""
    found = solve([*FAR, [0, 2], [9, 3]], 2, "ilp", solver=solver)
    # (0, 0) (0, 2): 2; (9, 1) (9, 3): 2; (1, 9) (8, 8): 25; and 41 and 25 in the far cluster.
    assert (found.status, found.value, found.bound) == ("optimal", 95, 95)


@pytest.mark.parametrize("solver", solvers())
def test_a_program_that_finds_the_optimum_leaves_nothing_to_divide(solver: str) -> None:
    """Its partition is so much cheaper than the first one that no group is left that could gain."""
    sequences = ["c", "c>b>b", "b>b>a>a", "b", "a>c>b>b", "a>c>c>c", "b>b>c", "c", "a>a"]
    rows, kinds = [(text,) for text in sequences], {"x1": "sequence:>"}
    scaled = standardise(table_of(rows, kinds=kinds), "range")
    by_search = solve(scaled, 2, "subsets", dissimilarity="normalised-levenshtein")
    found = solve(scaled, 2, "ilp", solver=solver, dissimilarity="normalised-levenshtein")
    assert (found.status, found.value, found.bound) == ("optimal", by_search.value, by_search.value)


@pytest.mark.parametrize("solver", solvers())
def test_what_a_program_over_all_groups_calls_optimal_is(solver: str) -> None:
    draw = random.Random(5)
    for _ in range(12 if THOROUGH else 4):
        n, far = draw.randint(6, 9), 10 ** draw.randint(3, 12)
        rows = [[draw.randint(0, 9) + far * draw.randint(0, 2) for _ in "xy"] for _ in range(n)]
        apart = draw.sample(list(combinations(range(n), 2)), draw.choice((0, 2)))
        try:
            truth = solve(rows, 2, "exhaustive", apart=apart)
        except NoPartition:
            continue
        found = solve(rows, 2, "ilp", apart=apart, solver=solver)
        assert (found.status, found.value, found.bound) == ("optimal", truth.value, truth.value)


@pytest.mark.parametrize("method", FOR_SSE)
@pytest.mark.parametrize("solver", solvers())
def test_no_partition_keeps_these_pairs_apart(method: str, solver: str) -> None:
    """Each record can join two others, no three fit together: five have no partition in pairs."""
    apart = [(0, 1), (2, 4), (1, 3), (2, 3), (0, 4)]
    with pytest.raises(NoPartition):
        solve([[0], [5], [3], [2], [5]], 2, method, apart=apart, solver=solver)


@pytest.mark.parametrize("solver", solvers())
def test_where_only_0_would_be_less(solver: str) -> None:
    """By hand: two pairs of equal records, and one of 0 and 1; the target of a proof is 0."""
    found = solve([(1,), (0,), (1,), (1,), (0,), (0,)], 2, "columns", largest=2, solver=solver)
    assert (found.status, found.value) == ("optimal", Fraction(1, 2))


def test_costs_below_0_and_of_any_denominator() -> None:
    def cost(group: list[int]) -> Fraction:
        return Fraction(sum(group) ** 2 % 17 - 9, sum(group) % 5 + 1)

    for n in (5, 8):
        records = list(range(3, 3 + n))
        values = {method: solve(records, 2, method, cost=cost, largest=n) for method in ANY_COST}
        assert len({found.value for found in values.values()}) == 1
        assert values["ilp"].bound == values["ilp"].value


# What "auto" takes


@pytest.mark.parametrize(
    ("rows", "options", "method"),
    [
        ([[1], [2], [3], [4]], {}, "univariate"),
        ([[1], [2], [3], [4]], {"together": [(0, 3)]}, "subsets"),
        ([[1, 2]] * 12, {}, "subsets"),
        ([[1, 2]] * 13, {}, "columns"),
        (["a", "b", "c", "d"], {"cost": len}, "subsets"),
        (["a"] * 22, {"cost": lambda group: len(set(group))}, "ilp"),
    ],
)
def test_auto(rows: Any, options: dict[str, Any], method: str) -> None:
    assert solve(rows, 2, **options).method == method


def test_what_an_optimum_rests_on() -> None:
    rows = [[0], [1], [5], [6]]
    bounded = solve(rows, 2, "semidefinite")
    assert bounded.value == 1
    assert bounded.certificate is not None
    assert bounded.proof == ("certificate" if bounded.bound == 1 else None)
    others = [method for method in METHODS if method not in ("auto", "semidefinite")]
    proofs = {method: solve(rows, 2, method) for method in others}
    assert {method: found.proof for method, found in proofs.items()} == {
        "exhaustive": "search",
        "subsets": "search",
        "univariate": "search",
        "ilp": "search",
        "columns": "certificate",
    }
    assert {m for m, found in proofs.items() if found.certificate is not None} == {"columns"}
    assert {found.value for found in proofs.values()} == {1}
    assert {found.gap for found in proofs.values()} == {0}


# No algorithm of the catalogue is better


def better_than(
    least: Fraction, requests: Iterable[tuple[Variant, Request]], how: str = "none"
) -> list[str]:
    """The algorithms whose partition has an SSE below `least`."""
    found = []
    for variant, request in requests:
        result = partition(variant, request, how)
        if sse(standardise(table_of(request.rows), how), result) < least:
            found.append(f"{variant} of {request}")
    return found


def in_each(rows: Rows, k: int, numbers: dict[str, Mapping[str, Number]]) -> Any:
    legal = [variant for variant in VARIANTS if variant.smallest(k, **numbers[str(variant)]) >= k]
    return [(variant, Request(rows, k, numbers[str(variant)])) for variant in legal]


@given(st.data())
def test_no_algorithm_is_better_than_the_optimum(data: st.DataObject) -> None:
    n = data.draw(st.integers(4, 10))
    rows = data.draw(st.one_of(tables(n, few_values), any_table(n)))
    how = data.draw(st.sampled_from(["none", "population"]))
    numbers = {str(variant): data.draw(numbers_of(variant)) for variant in VARIANTS}
    for k in range(2, min(4, n) + 1):
        least = solve(rows, k, "subsets", how=how).value
        assert better_than(least, in_each(rows, k, numbers), how) == []


CLUSTERS: Rows = [(0, 0), (1, 0), (0, 1), (50, 50), (51, 50), (50, 51)]
"""Two clusters of three, which every algorithm finds; each has the SSE 4/3."""


@pytest.mark.long
def test_a_value_above_the_optimum_is_noticed() -> None:
    """The comparison can fail: a legal partition that is not optimal is taken for one."""
    each = in_each(CLUSTERS, 3, {str(variant): {} for variant in VARIANTS})
    assert solve(CLUSTERS, 3, "subsets").value == Fraction(8, 3)
    assert better_than(Fraction(8, 3), each) == []
    swapped = Partition.of([(0, 1, 3), (2, 4, 5)])
    assert len(better_than(sse(standardise(table_of(CLUSTERS), "none"), swapped), each)) > 0
    assert len(better_than(Fraction(8, 3) + Fraction(1, 10**9), each)) > len(VARIANTS) // 2


def test_only_a_group_that_is_too_small_is_better_than_the_optimum() -> None:
    rows = [(0, 0), (1, 0), (50, 50), (51, 50), (50, 51), (52, 50)]
    planted = Partition.of([(0, 1), (2, 3, 4, 5)])
    least = solve(rows, 3).value
    assert sse(standardise(table_of(rows), "none"), planted) < least
    assert planted.smallest() == 2
    assert solve(rows, 2).value <= sse(standardise(table_of(rows), "none"), planted)


# Any cost


def absolute_error(values: Sequence[Any]) -> Any:
    middle = median(values)
    return sum(abs(value - middle) for value in values)


def hamming_error(words: Sequence[Any]) -> int:
    """The letters that differ from the most frequent one of each position."""
    return sum(len(words) - max(Counter(letters).values()) for letters in zip(*words, strict=True))


def sequence_error(words: Sequence[str]) -> float:
    """Half the sum of edit distances over the pairs."""
    return sum(edits(a, b) for a, b in combinations(words, 2)) / 2


def edits(a: str, b: str) -> int:
    """Insertions, deletions and substitutions that make a of b (Levenshtein)."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
    return row[-1]


def one_cost_per_group(group: Sequence[Any]) -> Fraction:
    """Dividing a group costs more, other than with any cost above."""
    return 5 + Fraction(sum(x * x for x in group), len(group))


def less_than_nothing(group: Sequence[int]) -> Fraction:
    """Costs below 0: groups of different values gain."""
    return Fraction(-len(set(group)), len(group)) - 1


def words(draw: random.Random, n: int) -> list[str]:
    return ["".join(draw.choice("abc") for _ in range(draw.randrange(1, 6))) for _ in range(n)]


def letters(draw: random.Random, n: int) -> list[tuple[str, ...]]:
    return [tuple(draw.choices("abcd", k=3)) for _ in range(n)]


KINDS: dict[str, tuple[Callable[[Any], Any], Callable[[random.Random, int], list[Any]]]] = {
    "absolute": (absolute_error, lambda draw, n: [draw.randrange(9) for _ in range(n)]),
    "decimal": (absolute_error, lambda draw, n: [Decimal(draw.randrange(9)) / 4 for _ in range(n)]),
    "hamming": (hamming_error, letters),
    "sequences": (sequence_error, words),
    "per group": (one_cost_per_group, lambda draw, n: [draw.randrange(4) for _ in range(n)]),
    "negative": (less_than_nothing, lambda draw, n: [draw.randrange(4) for _ in range(n)]),
}  # fmt: skip


def truth_of(records: Sequence[Any], k: int, cost: Callable[[Any], Any]) -> Fraction | None:
    def of_group(group: Group) -> Fraction:
        return Fraction(cost([records[record] for record in group]))

    return least_cost(len(records), k, of_group)


@pytest.mark.parametrize("kind", KINDS)
def test_any_cost(kind: str) -> None:
    cost, drawn = KINDS[kind]
    draw = random.Random(kind)
    lifted = kind in ("per group", "negative")
    for _ in range(8):
        k = draw.choice((2, 3))
        n = draw.randrange(k, 9)
        records = drawn(draw, n)
        truth = truth_of(records, k, cost)
        for method in ANY_COST:
            found = solve(records, k, method, cost=cost, largest=n if lifted else None)
            assert (found.status, found.value, found.bound) == ("optimal", truth, truth), (
                kind,
                method,
                records,
                k,
            )
            groups = found.partition.groups
            assert sum(Fraction(cost([records[r] for r in g])) for g in groups) == truth


def test_the_default_cap_presumes_that_dividing_never_costs_more() -> None:
    records = [3, 1, 4, 1, 5, 9]
    capped, lifted = (solve(records, 2, cost=one_cost_per_group, largest=m) for m in (None, 6))
    assert capped.value > lifted.value == truth_of(records, 2, one_cost_per_group)
    assert lifted.partition.sizes() == {6: 1}


@pytest.mark.parametrize("value", [None, "12", float("nan"), float("inf"), Decimal("NaN"), 1j, []])
@pytest.mark.parametrize("method", ANY_COST)
def test_a_cost_that_is_no_number(method: str, value: Any) -> None:
    with pytest.raises(
        InvalidParameter, match=r"the cost of group \(.*\): .* is not a (finite )?number"
    ):
        solve([1, 2, 3, 4], 2, method, cost=lambda group: value)


@pytest.mark.parametrize("method", ["columns", "univariate"])
def test_methods_for_the_sse_only(method: str) -> None:
    with pytest.raises(InvalidParameter, match=r"computes the SSE|can be the SSE"):
        solve([1, 2, 3, 4], 2, method, cost=len)


# Constraints


def drawn_pairs(draw: random.Random, n: int, most: int) -> list[Pair]:
    return [tuple(draw.sample(range(n), 2)) for _ in range(draw.randrange(most + 1))]  # type: ignore[misc]


def keeps(together: Sequence[Pair], apart: Sequence[Pair], largest: int) -> Callable[[Group], bool]:
    def allowed(group: Group) -> bool:
        return (
            len(group) <= largest
            and all((a in group) == (b in group) for a, b in together)
            and not any(a in group and b in group for a, b in apart)
        )

    return allowed


def outcome(instance: Instance, method: str, **options: Any) -> Fraction | type[RefaggError]:
    """The optimum, or the error that says that there is none."""
    try:
        found = solve(instance.rows, instance.k, method, **options)
    except (InvalidConstraint, NoPartition) as error:
        return type(error)
    assert found.status == "optimal", (instance, method, options)
    assert partition_cost(instance, found) == found.value
    assert all(
        keeps(options["together"], options["apart"], instance.n)(group)
        for group in found.partition.groups
    )
    return found.value


def contradictory(n: int, together: Sequence[Pair], apart: Sequence[Pair]) -> bool:
    """Must two records that must be apart also be together?"""
    label = list(range(n))
    for a, b in list(together) * n:
        label[a] = label[b] = min(label[a], label[b])
    return any(label[a] == label[b] for a, b in apart)


def test_constraints() -> None:
    """Against the truth under the constraints; with no cap, and with caps of all kinds."""
    draw = random.Random(5)
    kinds: Counter[str] = Counter()
    for _ in range(COMPARED):
        k = draw.choice((2, 3))
        n = draw.randrange(k + 2, 9)
        instance = Instance(drawn_rows(draw, n, 2, 5), k)
        together, apart = drawn_pairs(draw, n, 2), drawn_pairs(draw, n, 5)
        largest = draw.choice([None, None, k, 2 * k - 2, 2 * k - 1, 2 * k, n])
        largest = None if largest is None else max(largest, k)
        allowed = keeps(together, apart, largest or n)
        truth: Any = least_cost(n, k, squared_error(instance.rows), allowed)
        possible = -(-n // (largest or n)) <= n // k
        if truth is None:
            truth = NoPartition
            if possible and contradictory(n, together, apart):
                truth = InvalidConstraint
        kinds[truth.__name__ if isinstance(truth, type) else "solved"] += 1
        for method in FOR_SSE:
            found = outcome(instance, method, largest=largest, together=together, apart=apart)
            if truth is InvalidConstraint:
                assert found in (InvalidConstraint, NoPartition)
            else:
                assert found == truth, (instance, method, largest, together, apart)
    assert set(kinds) == {"solved", "NoPartition", "InvalidConstraint"}, kinds


@pytest.mark.parametrize("method", FOR_SSE)
def test_the_default_cap_is_large_enough_for_blocks(method: str) -> None:
    draw = random.Random(6)
    for _ in range(6):
        k, n = draw.choice((2, 3)), 8
        instance = Instance(drawn_rows(draw, n, 2, 6), k)
        block = draw.sample(range(n), draw.randrange(2, 6))
        together = [(block[0], other) for other in block[1:]]
        truth = least_cost(n, k, squared_error(instance.rows), keeps(together, (), n))
        for largest in (None, n):
            options: dict[str, Any] = {"largest": largest, "together": together, "apart": ()}
            assert outcome(instance, method, **options) == truth


def test_a_block_of_more_than_2k_records_is_one_group() -> None:
    rows = [[0, 0], [9, 0], [0, 9], [9, 9], [5, 5], [100, 0], [101, 0]]
    found = solve(rows, 2, together=[(0, 1), (1, 2), (2, 3), (3, 4)])
    assert found.partition.groups == ((0, 1, 2, 3, 4), (5, 6))


@pytest.mark.parametrize("method", FOR_SSE)
def test_pairs_that_exclude_each_other(method: str) -> None:
    rows = [[0, 0], [1, 0], [9, 9], [9, 8]]
    with pytest.raises(InvalidConstraint, match="records 0 and 2 must be apart"):
        solve(rows, 2, method, together=[(0, 1), (2, 1)], apart=[(2, 0)])
    with pytest.raises(NoPartition):
        solve(rows, 2, method, apart=list(combinations(range(3), 2)))
    with pytest.raises(NoPartition, match="3 records must be together"):
        solve(rows, 2, method, together=[(0, 1), (2, 1)], largest=2)


# Requests that are wrong


def forbidden(group: Any) -> Any:
    raise AssertionError("work was begun")


SMALL: Any = [[1, 5], [2, 6], [3, 7], [4, 8]]


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"k": 0}, InvalidK, "k is 0"),
        ({"k": -1}, InvalidK, "k is -1"),
        ({"k": 2.0}, InvalidK, "k is 2.0"),
        ({"k": True}, InvalidK, "k is True"),
        ({"k": 5}, KTooLarge, "only 4 records"),
        ({"method": "best"}, InvalidParameter, "method is 'best'"),
        ({"how": "ranges"}, InvalidParameter, "standardisation is 'ranges'"),
        ({"time_limit": -1}, InvalidParameter, "time limit is -1"),
        ({"time_limit": float("nan")}, InvalidParameter, "time limit is nan"),
        ({"largest": 1}, InvalidParameter, "largest size is 1"),
        ({"largest": 2.5}, InvalidParameter, "largest size is 2.5"),
        ({"k": 3, "largest": 3}, NoPartition, "groups of 3 to 3"),
        ({"together": [(0, 4)]}, InvalidConstraint, "together names record 4"),
        ({"apart": [(-1, 2)]}, InvalidConstraint, "apart names record -1"),
        ({"apart": [(1, 1)]}, InvalidConstraint, "record 1 with itself"),
        ({"method": "univariate"}, InvalidParameter, "univariate needs one attribute"),
        ({"method": "columns", "solver": "glpk"}, InvalidParameter, "solver is 'glpk'"),
        ({"method": "ilp", "solver": "glpk"}, InvalidParameter, "solver is 'glpk'"),
        ({"method": "subsets", "solver": "glpk"}, InvalidParameter, "solver is 'glpk'"),
        ({"method": "subsets", "state": Path("s")}, InvalidParameter, "subsets has no state"),
        ({"method": "ilp", "start": Partition.of([range(4)])}, InvalidParameter, "ilp"),
    ],
)
def test_wrong_requests(options: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        solve(SMALL, **{"k": 2, **options})


def test_wrong_requests_about_any_cost_are_errors_before_it_is_computed() -> None:
    wrong: list[tuple[dict[str, Any], type[Exception]]] = [
        ({"k": 0}, InvalidK),
        ({"k": 5}, KTooLarge),
        ({"method": "columns"}, InvalidParameter),
        ({"time_limit": -0.1}, InvalidParameter),
        ({"method": "ilp", "solver": "glpk"}, InvalidParameter),
        ({"together": [(0, 1)], "apart": [(0, 1)]}, InvalidConstraint),
    ]
    for options, error in wrong:
        with pytest.raises(error):
            solve("abcd", cost=forbidden, **{"k": 2, **options})


@pytest.mark.parametrize(
    "start", [[(0,), (1, 2, 3)], [(0, 1), (2, 3, 4)], [(0, 1, 2, 3)], [(0, 2), (1, 3)]]
)
def test_a_start_that_is_not_allowed(start: list[Group]) -> None:
    """Too small, of other records, too large, and against a constraint."""
    with pytest.raises(InvalidParameter, match="partition to start with"):
        solve(SMALL, 2, "columns", largest=3, start=Partition.of(start), apart=[(1, 3)])


def test_wrong_tables() -> None:
    with pytest.raises(NotATable):
        solve("abcd", 2)
    with pytest.raises(MissingValue):
        solve([[1], [None]], 2)


# Time limits


@pytest.mark.parametrize("limit", [0, 0.05])
@pytest.mark.parametrize("method", ["auto", "columns", "exhaustive", "subsets"])
def test_a_time_limit_is_kept(method: str, limit: float) -> None:
    instance = Instance(drawn_rows(random.Random(7), 80, 3, 1000), 3)
    start = time.monotonic()
    found = solve(instance.rows, 3, method, time_limit=limit)
    assert time.monotonic() - start < 3
    check_feasible(instance, found)
    assert found.status == "feasible"
    if method in ("exhaustive", "subsets"):
        assert found.bound == 0


@pytest.mark.parametrize("limit", [0, 0.05, 0.5])
@pytest.mark.parametrize("n", [60, pytest.param(100, marks=pytest.mark.long)])
def test_what_is_known_when_the_time_is_over(n: int, limit: float) -> None:
    instance = Instance(drawn_rows(random.Random(n), n, 1, 100_000), 3)
    truth = solve(instance.rows, 3, "univariate").value
    found = solve(instance.rows, 3, "columns", time_limit=limit)
    assert found.bound is not None
    assert found.bound <= truth <= found.value
    check_feasible(instance, found)


def test_the_time_limit_of_an_integer_program() -> None:
    instance = Instance(drawn_rows(random.Random(8), 26, 2, 1000), 3)
    for limit in (0, 0.05, 0.3):
        check_feasible(instance, solve(instance.rows, 3, "ilp", time_limit=limit))
    start = time.monotonic()
    a_million_groups = Instance(drawn_rows(random.Random(8), 44, 2, 1000), 3)
    check_feasible(a_million_groups, solve(a_million_groups.rows, 3, "ilp", time_limit=0.1))
    assert time.monotonic() - start < 3
    with pytest.raises(InvalidParameter, match="columns"):
        solve(drawn_rows(random.Random(8), 80, 2, 1000), 3, "ilp")


def test_any_cost_has_no_bound_when_the_time_is_over() -> None:
    for method in ANY_COST:
        found = solve(list(range(16)), 3, method, cost=absolute_error, time_limit=0)
        assert (found.status, found.bound, found.gap) == ("feasible", None, None)
        assert found.partition.smallest() >= 3


def check_feasible(instance: Instance, found: Optimum) -> None:
    """What holds of every result, whether or not the time was enough."""
    assert partition_cost(instance, found) == found.value
    assert found.bound is not None
    assert found.gap is not None
    assert 0 <= found.bound <= found.value
    assert 0 <= found.gap <= 1
    assert found.status in ("optimal", "feasible")
    assert (found.status == "optimal") == (found.proof is not None)
    if found.status == "optimal":
        assert found.bound == found.value


# Interruption, and going on


PLANE = drawn_rows(random.Random(9), 60, 2, 1000)


def interrupted_after(calls: int) -> Callable[[Progress], None]:
    """A report that presses Ctrl-C at its last call."""
    left = iter(range(calls))

    def report(progress: Progress) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt

    return report


def rounds_of(progress: Sequence[Progress]) -> int:
    """How many rounds of the relaxation were reported."""
    return len({p.round for p in progress if p.phase == "root" and p.round})


@pytest.fixture(scope="module")
def whole() -> tuple[Optimum, int]:
    """The optimum of PLANE, and the rounds that it takes."""
    seen: list[Progress] = []
    found = solve(PLANE, 3, "columns", report=seen.append)
    assert found.status == "optimal"
    return found, rounds_of(seen)


@pytest.mark.parametrize("calls", [0, 3, 6])
def test_an_interrupted_run_gives_what_it_has(whole: tuple[Optimum, int], calls: int) -> None:
    found = solve(PLANE, 3, "columns", report=interrupted_after(calls))
    check_feasible(Instance(PLANE, 3), found)
    assert found.status == "feasible"
    assert found.bound is not None
    assert found.bound <= whole[0].value <= found.value


@pytest.mark.parametrize("share", one_in(3, [0.5, 0.0, 0.9]))
def test_a_run_goes_on_from_its_state(
    tmp_path: Path, whole: tuple[Optimum, int], share: float
) -> None:
    state = tmp_path / "state.json"
    stop = interrupted_after(int(share * whole[1]))
    first = solve(PLANE, 3, "columns", report=stop, state=state)
    assert first.status == "feasible"
    seen: list[Progress] = []
    second = solve(PLANE, 3, "columns", report=seen.append, state=state)
    assert (second.status, second.value) == ("optimal", whole[0].value)
    if share:
        assert rounds_of(seen) < whole[1]


def test_a_finished_state_is_as_good_as_the_result(
    tmp_path: Path, whole: tuple[Optimum, int]
) -> None:
    state, seen = tmp_path / "state.json", list[Progress]()
    solve(PLANE, 3, "columns", state=state)
    again = solve(PLANE, 3, "columns", report=seen.append, state=state)
    assert (again.status, again.value) == ("optimal", whole[0].value)
    assert rounds_of(seen) < whole[1]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A state of PLANE."""
    path = tmp_path / "state.json"
    solve(PLANE, 3, "columns", report=interrupted_after(3), state=path)
    return path


@pytest.mark.parametrize(
    "other",
    [
        {"k": 4},
        {"how": "population"},
        {"largest": 4},
        {"apart": [(0, 1)]},
        {"together": [(0, 1)]},
        {"records": PLANE[:-1]},
        {"records": ((0, 0), *PLANE[1:])},
    ],
)
def test_the_state_of_another_problem(saved: Path, other: dict[str, Any]) -> None:
    before = saved.read_bytes()
    with pytest.raises(InvalidParameter, match="state of another problem"):
        solve(**{"records": PLANE, "k": 3, "method": "columns", "state": saved, **other})
    assert saved.read_bytes() == before


def without(key: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda data: {name: value for name, value in data.items() if name != key}


@pytest.mark.parametrize(
    "spoilt",
    [
        without("pool"),
        without("partition"),
        without("tree"),
        without("seal"),
        lambda data: {**data, "partition": [[0, 1, 2]]},
        lambda data: {**data, "partition": [[r, r + 30] for r in range(30)]},
        lambda data: {**data, "partition": [[0, 0, 1], *data["partition"][1:]]},
        lambda data: {**data, "pool": data["pool"][1:]},
        lambda data: {**data, "alone": data["alone"][1:]},
        lambda data: {**data, "tree": {"duals": {**data["tree"]["duals"], "records": [0]}}},
        lambda data: {**data, "bound": "high"},
        lambda data: [data],
    ],
)
def test_a_spoilt_state(saved: Path, spoilt: Callable[[Any], Any]) -> None:
    saved.write_text(json.dumps(spoilt(json.loads(saved.read_text()))))
    with pytest.raises(InvalidParameter, match=r"state\.json is not the state of a run"):
        solve(PLANE, 3, "columns", state=saved)


@pytest.mark.parametrize("share", [0.0, 0.5, 0.99])
def test_a_truncated_state(saved: Path, share: float) -> None:
    text = saved.read_bytes()
    saved.write_bytes(text[: int(share * len(text))])
    with pytest.raises(InvalidParameter, match=r"state\.json is not the state of a run"):
        solve(PLANE, 3, "columns", state=saved)


def test_a_start_is_not_made_worse() -> None:
    rows = drawn_rows(random.Random(10), 40, 2, 100)
    best = solve(rows, 3, "columns")
    again = solve(rows, 3, "columns", start=best.partition, time_limit=0)
    assert again.value == best.value


def test_more_pairs_than_the_memory_holds_are_refused_beforehand() -> None:
    rows = [(record, -record) for record in range(10_001)]
    with pytest.raises(InvalidParameter, match="of 10001 records they are too many, 10000 are"):
        solve(rows, 3)
    assert solve([row[:1] for row in rows], 3).status == "optimal"  # needs no pairs


def test_a_partition_in_the_order_of_the_file_has_the_sizes_that_are_allowed() -> None:
    for n, k in ((1, 1), (5, 5), (7, 3), (8, 3), (11, 4), (12, 4), (23, 5)):
        for largest in range(k, 2 * k):
            if -(-n // largest) <= n // k:
                problem = general_problem(range(n), k, len, largest)
                partition = problem.in_file_order()
                assert partition is not None
                assert problem.feasible(partition)


def test_what_is_interrupted_before_it_began_has_some_partition(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(solving, "solver_for", interrupted)
    found = solve([(record, 0) for record in range(20)], 3, "columns")
    assert (found.status, found.bound) == ("feasible", 0)
    assert min(map(len, found.partition.groups)) == 3
