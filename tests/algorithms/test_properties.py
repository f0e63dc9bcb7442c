"""What every algorithm of the catalogue must do, whatever the table.

Everything is parametrised from the catalogue, so that a new algorithm is tested
without being added here.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import (
    VARIANTS,
    Number,
    Request,
    Rows,
    Variant,
    all_results,
    any_table,
    boundaries,
    duplicates,
    each,
    equal_records,
    examples,
    few_values,
    many_values,
    numbers_of,
    partition,
    requests,
    some_choices,
    some_numbers,
    standardisations,
    tables,
    tie_breakers,
    variants,
)

from refagg import exact_space, float_space
from refagg.catalogue import CATALOGUE
from refagg.language.event import CUT, DRAW, LINKED, ORDERED, STAND, Event
from refagg.language.partition import Partition, Record
from refagg.language.ties import HIGHEST, LOWEST, Comparison, Nearest, TiedCandidates
from tests.suites import all_but

EXACT = [variant for variant in VARIANTS if variant.exact]
FLOATS = [variant for variant in VARIANTS if "float" in variant.specification.arithmetic]
BOTH = [variant for variant in FLOATS if variant.exact]

LEGAL = [variant for variant in VARIANTS if variant.legal]

in_each = each(VARIANTS)
in_each_legal = each(LEGAL)
in_each_exact = each(EXACT)
in_each_in_floats = each(FLOATS)
in_both_arithmetics = each(BOTH)

ORDER_DEPENDENT = {
    "mdav-argus": "by definition the end that stands first in the row takes its records first",
    "v-mdav[squared,2k-1]": "leftovers join in record order, and the first can fill a group",
    "v-mdav[plain,2k-1]": "leftovers join in record order, and the first can fill a group",
    "blocks-in-file-order": "by definition groups follow the order of the records",
}
"""The variants whose result may change with the order of the records where nothing is tied."""

DIRECTED = {
    f"{name}{order}]": "the first group is at the end that the order names"
    for name in ("individual-ranking[", "projection[attribute,", "pppca[")
    for order in ("ascending", "descending")
} | {
    f"mondrian[{cut}]": "values equal to the median, and the odd record, are with the lesser ones"
    for cut in ("strict", "relaxed")
}
DIRECTED |= {
    f"kd-blocks[{within}]": "blocks are cut as by relaxed Mondrian" for within in ("mdav", "cbfs")
} | {
    "t-closeness-first": "the middle stratum is the lower of two",
    "insensitive": "the first group is at the corner of the lower ends",
}
"""The variants whose result may change when the values change their signs."""

BY_NUMBER = {
    f"projection[attribute,{order}]": "the attribute is named by its number"
    for order in ("either", "ascending", "descending")
} | {
    f"mondrian[{cut}]": "of attributes of the same width, as in the file, the first is taken"
    for cut in ("strict", "relaxed")
}
BY_NUMBER |= dict.fromkeys(
    (
        "t-closeness-first",
        "t-closeness-k-anonymity-first",
        *tuple(f"t-closeness-merging[{start}]" for start in ("mdav", "md", "cbfs")),
    ),
    "the confidential attribute is named by its number",
) | {f"kd-blocks[{within}]": "of attributes of one width the first" for within in ("mdav", "cbfs")}
BY_NUMBER["insensitive"] = "of corners that differ from all used ones alike, the first is taken"
BY_NUMBER |= {
    f"pppca[{order}]": "the sign is that of the first loading"
    for order in ("ascending", "descending")
}
"""The variants whose result may change with the order of the attributes."""

SCALE_DEPENDENT = dict.fromkeys(
    ("genetic", "one-step", "two-step"), "its fitness 1/(SSE + 1) is on the scale of the data"
)
"""The algorithms whose draws decide otherwise when all squared distances are multiplied."""


def assert_legal(variant: Variant, request: Request, result: Partition) -> None:
    assert Partition.of(result.groups, request.n) == result
    assert variant.smallest(request.k, **request.numbers) <= result.smallest()
    largest = variant.largest(request.k, **request.numbers)
    assert largest is None or result.largest() <= largest


# Sizes


@in_each
@given(st.data())
def test_groups_have_legal_sizes(variant: Variant, data: st.DataObject) -> None:
    request = data.draw(requests(variant))
    how, tie_breaker = data.draw(standardisations), data.draw(tie_breakers)
    assert_legal(variant, request, partition(variant, request, how, some_choices(tie_breaker)))


@in_each
@given(st.data())
def test_groups_have_legal_sizes_where_a_loop_just_starts_or_ends(
    variant: Variant, data: st.DataObject
) -> None:
    cells = data.draw(st.sampled_from([few_values, many_values]))
    table = [row[: variant.width] for row in data.draw(tables(15, cells))]
    numbers = data.draw(numbers_of(variant))
    for k in (1, 2, 3, 5):
        for n in boundaries(k):
            request = Request(table[:n], k, numbers)
            assert_legal(variant, request, partition(variant, request))


@in_each_in_floats
@given(st.data())
def test_groups_have_legal_sizes_in_floats(variant: Variant, data: st.DataObject) -> None:
    request = data.draw(requests(variant))
    how, tie_breaker = data.draw(standardisations), data.draw(tie_breakers)
    scale = data.draw(st.sampled_from([Fraction(10) ** e for e in (-300, -9, 0, 12, 300)]))
    if variant.specification.name == "insensitive":  # its domain does not move with the values
        scale = Fraction(1)
    rows = [[float(cell * scale) for cell in row] for row in request.rows]
    result = variant(
        float_space(rows, how), request.k, some_choices(tie_breaker), **request.numbers
    )
    assert_legal(variant, request, result)


@in_each_legal
@given(st.data())
def test_k_of_1_gives_singletons(variant: Variant, data: st.DataObject) -> None:
    rows = [row[: variant.width] for row in data.draw(st.integers(1, 9).flatmap(any_table))]
    request = Request(rows, 1, data.draw(numbers_of(variant)))
    result = partition(variant, request, choices=some_choices(data.draw(tie_breakers)))
    assert result == Partition.of([[record] for record in range(len(rows))])


@in_each_legal
@given(st.data())
def test_as_many_records_as_k_give_one_group(variant: Variant, data: st.DataObject) -> None:
    rows = [row[: variant.width] for row in data.draw(st.integers(1, 9).flatmap(any_table))]
    request = Request(rows, len(rows), data.draw(numbers_of(variant)))
    result = partition(variant, request, choices=some_choices(data.draw(tie_breakers)))
    assert result == Partition.of([range(len(rows))])


@in_each_exact
@given(st.data())
def test_equal_records_have_legal_groups(variant: Variant, data: st.DataObject) -> None:
    request = data.draw(requests(variant, equal_records))
    how, tie_breaker = data.draw(standardisations), data.draw(tie_breakers)
    assert_legal(variant, request, partition(variant, request, how, some_choices(tie_breaker)))


# Invariance


def mapped(rows: Rows, function: Any) -> Rows:
    """Each cell replaced by function(cell, number of its attribute)."""
    return [tuple(function(x, j) for j, x in enumerate(row)) for row in rows]


def carried(request: Request, factors: Sequence[Number], offsets: Sequence[Number]) -> Request:
    """Each value times a factor and plus an offset; a domain that is given moves with them."""
    rows = mapped(request.rows, lambda x, j: x * factors[j] + offsets[j])
    numbers: dict[str, Any] = dict(request.numbers)
    if "lower" in numbers:
        both = list(zip(factors, offsets, strict=True))[: len(rows[0])]
        numbers["lower"] = tuple(numbers["lower"] * factor + offset for factor, offset in both)
        numbers["width"] = tuple(numbers["width"] * factor for factor, _ in both)
    return Request(rows, request.k, numbers)


def amounts(least: int, most: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(least, most), min_size=4, max_size=4)


@in_each_exact
@examples(Fraction(1, 2))
@given(st.data())
def test_adding_a_constant_changes_nothing(variant: Variant, data: st.DataObject) -> None:
    request, how = data.draw(requests(variant)), data.draw(standardisations)
    offsets = data.draw(st.one_of(st.just([10**12, -(10**12), 10**12, 1]), amounts(-50, 50)))
    moved = carried(request, [1] * 4, offsets)
    assert partition(variant, moved, how) == partition(variant, request, how)


@in_each_exact
@examples(Fraction(1, 2))
@given(st.data())
def test_a_common_factor_changes_nothing(variant: Variant, data: st.DataObject) -> None:
    if variant.specification.name in SCALE_DEPENDENT:
        pytest.skip(SCALE_DEPENDENT[variant.specification.name])
    request = data.draw(requests(variant))
    factor = data.draw(
        st.one_of(
            st.sampled_from([Fraction(10) ** 200, Fraction(1, 10**200)]),
            st.fractions(Fraction(1, 1000), 1000, max_denominator=1000),
        )
    )
    scaled = carried(request, [factor] * 4, [0] * 4)
    assert partition(variant, scaled) == partition(variant, request)


@in_each_exact
@examples(Fraction(1, 2))
@given(st.data())
def test_a_factor_for_each_attribute_changes_nothing_between_z_scores(
    variant: Variant, data: st.DataObject
) -> None:
    request = data.draw(requests(variant))
    how = data.draw(st.sampled_from(["population", "sample"]))
    factors = data.draw(amounts(1 if str(variant) in DIRECTED else -9, 9).filter(all))
    scaled = carried(request, [Fraction(x, 10**j) for j, x in enumerate(factors)], [0] * 4)
    assert partition(variant, scaled, how) == partition(variant, request, how)


@in_each_exact
@examples(Fraction(1, 2))
@given(st.data())
def test_the_divisor_of_the_variance_changes_nothing(variant: Variant, data: st.DataObject) -> None:
    if variant.specification.name in SCALE_DEPENDENT:
        pytest.skip(SCALE_DEPENDENT[variant.specification.name])
    request = data.draw(requests(variant))
    assert partition(variant, request, "sample") == partition(variant, request, "population")


@in_each_exact
@examples(Fraction(1, 2))
@given(st.data())
def test_the_order_of_the_attributes_changes_nothing(variant: Variant, data: st.DataObject) -> None:
    if str(variant) in BY_NUMBER:
        pytest.skip(BY_NUMBER[str(variant)])
    request, how = data.draw(requests(variant)), data.draw(standardisations)
    order = data.draw(st.permutations(range(len(request.rows[0]))))
    turned = replace(request, rows=[tuple(row[j] for j in order) for row in request.rows])
    assert partition(variant, turned, how) == partition(variant, request, how)


def every_result(variant: Variant, request: Request) -> set[Partition]:
    """The results of all ways to break the ties."""
    return set(
        all_results(
            lambda tie_breaker: partition(variant, request, choices=some_choices(tie_breaker)), 200
        )
    )


def shuffled(request: Request, order: Sequence[int]) -> Request:
    """Record i of the new request is record order[i] of the old one."""
    return replace(request, rows=[request.rows[record] for record in order])


def renamed(result: Partition, order: Sequence[int]) -> Partition:
    return Partition.of([[order[record] for record in group] for group in result.groups])


@in_each_exact
@examples(Fraction(1, 2))
@given(st.data())
def test_the_order_of_the_records_changes_nothing_but_names(
    variant: Variant, data: st.DataObject
) -> None:
    if variant.specification.random:
        pytest.skip("what is drawn from the random stream are record numbers")
    if str(variant) in ORDER_DEPENDENT:
        pytest.skip(ORDER_DEPENDENT[str(variant)])
    table = data.draw(
        st.sampled_from([lambda n: tables(n, many_values), lambda n: tables(n, few_values)])
    )
    request = data.draw(requests(variant, table, most=11))
    order = data.draw(st.permutations(range(request.n)))
    results = every_result(variant, shuffled(request, order))
    assert {renamed(result, order) for result in results} == every_result(variant, request)


@pytest.mark.parametrize("name", ORDER_DEPENDENT)
def test_the_order_of_the_records_matters_where_it_is_said_to(name: str) -> None:
    [variant] = [variant for variant in VARIANTS if str(variant) == name]
    random = Random(0)
    numbers = some_numbers(variant)
    for _ in range(5000):
        rows: Rows = [
            tuple(random.randrange(1000) for _ in range(min(variant.width, 2))) for _ in range(13)
        ]
        request = Request(rows, 3 + random.randrange(2), numbers)
        turned = shuffled(request, order := list(range(13))[::-1])
        choices = some_choices()
        result = partition(variant, request, choices=choices)
        if not choices.ties and result != renamed(partition(variant, turned), order):
            return
    pytest.fail(f"{name} did not depend on the order of the records in 5000 tables")


ROWS: Rows = [(1, 9), (2, 1), (3, 5), (4, 8), (5, 2)]
LATER: Rows = [(7, 8), (9, 6), (8, 3), (0, 7)]
FALLING: Rows = [(1, 9), (2, 7), (3, 5), (4, 2), (5, 1)]


def told(name: str, falling: bool) -> tuple[Variant, Request]:
    """The variant of this name and records that show in which direction it looks."""
    [variant] = [variant for variant in VARIANTS if str(variant) == name]
    if name == "insensitive":  # the third corner is of any two
        return variant, Request(ROWS + LATER, 2, {"lower": 0, "width": 9})
    numbers: dict[str, Number] = {"least": 2} if name.startswith("kd-blocks") else {}
    return variant, Request(FALLING if falling else ROWS, 2, numbers)


@pytest.mark.parametrize("name", DIRECTED)
def test_the_sign_of_the_values_matters_where_it_is_said_to(name: str) -> None:
    variant, request = told(name, falling=name == "t-closeness-first")
    negated = carried(request, [-1] * 2, [0] * 2)
    if "lower" in request.numbers:  # the lower end of what is negated was the upper one
        negated = replace(negated, numbers={"lower": -9, "width": 9})
    assert partition(variant, request) != partition(variant, negated)


@pytest.mark.parametrize("name", BY_NUMBER)
def test_the_order_of_the_attributes_matters_where_it_is_said_to(name: str) -> None:
    variant, request = told(name, falling=name.startswith("pppca"))
    turned = replace(request, rows=[row[::-1] for row in request.rows])
    assert partition(variant, request) != partition(variant, turned)


# Arithmetic


@in_both_arithmetics
@examples(2)
@given(st.data())
def test_floats_and_exact_arithmetic_agree_on_small_whole_numbers_at_any_scale(
    variant: Variant, data: st.DataObject
) -> None:
    few = data.draw(st.sampled_from([few_values, st.integers(-200, 200)]))
    table = data.draw(st.sampled_from([duplicates, lambda n: tables(n, few)]))
    request = data.draw(requests(variant, table))
    how = data.draw(st.sampled_from(["none", "population"]))
    offset = data.draw(st.sampled_from([0, 10**12]))
    scale = data.draw(st.sampled_from([1, Fraction(10) ** 250, Fraction(10) ** -250]))
    if variant.specification.name == "insensitive":  # its domain does not move with the values
        offset, scale = 0, 1
    rows = mapped(request.rows, lambda x, _: (x + offset) * scale)
    tie_breaker = data.draw(st.sampled_from([LOWEST, HIGHEST]))
    exact, floats = (
        variant(space, request.k, some_choices(tie_breaker), **request.numbers)
        for space in (exact_space(rows, how), float_space(rows, how))
    )
    assert floats == exact


# Runs


@in_each
@given(st.data())
def test_the_same_request_has_the_same_result_with_and_without_a_trace(
    variant: Variant, data: st.DataObject
) -> None:
    request, how = data.draw(requests(variant)), data.draw(standardisations)
    result = partition(variant, request, how)
    assert partition(variant, request, how) == result
    assert partition(variant, request, how, some_choices(trace=True)) == result


@in_each
@given(st.data())
def test_without_ties_the_tie_rules_agree(variant: Variant, data: st.DataObject) -> None:
    request = data.draw(requests(variant, lambda n: tables(n, many_values)))
    runs = some_choices(LOWEST), some_choices(HIGHEST)
    low, high = (partition(variant, request, choices=choices) for choices in runs)
    assume(runs[0].ties == 0)
    assert runs[1].ties == 0
    assert high == low


def chosen_in(trace: list[Event]) -> list[Event]:
    happened = ("iteration", "together", "group", "merged", "apart", STAND, ORDERED, LINKED, CUT)
    told = ("note: ", "group of ", DRAW)
    return [e for e in trace if e.name not in happened and not e.name.startswith(told)]


@in_each
@given(st.data())
def test_every_choice_is_one_that_the_specification_lists(
    variant: Variant, data: st.DataObject
) -> None:
    request = data.draw(requests(variant))
    choices = some_choices(trace=True)
    partition(variant, request, choices=choices)
    assert choices.trace is not None
    listed = {tied.name for tied in variant.specification.ties}
    assert {event.name for event in chosen_in(choices.trace)} <= listed
    assert choices.ties == sum(event.tied > 1 for event in chosen_in(choices.trace))


@pytest.mark.parametrize(
    "name",
    all_but((n for n, s in CATALOGUE.items() if s.yields == "partition"), ["clustmcdpca"]),
)
def test_every_choice_that_the_specification_lists_is_met(name: str) -> None:
    random = Random(1)
    missing = {tied.name for tied in CATALOGUE[name].ties}
    rare = RARE | ({"axis"} if name == "mcdpca" else set())
    numbers = {p.name: OFTEN[p.name] for p in CATALOGUE[name].parameters if p.name in OFTEN}
    for _ in range(500):
        width = random.randrange(1, 3)
        most = random.choice([14, 14, 50])  # macrogroups need many records
        rows: Rows = [
            tuple(random.randrange(9) for _ in range(width))
            for _ in range(random.randrange(5, most))
        ]
        for variant in variants(CATALOGUE[name]):
            choices = some_choices(trace=True)
            request = Request(
                [row[: variant.width] for row in rows],
                random.choice([2, 3, 4, 5]),
                some_numbers(variant) | numbers,
            )
            partition(variant, request, "population", choices)
            missing -= {event.name for event in choices.trace or ()}
        if missing <= rare:
            return
    assert missing <= rare


OFTEN: dict[str, Number] = {"t": Fraction(1, 20), "least": 12}
"""Values with which choices are met that others seldom lead to."""

RARE = {f"division: {name}" for name in ("last x_r", "near last x_r", "near leftover")}
"""Choices that need a group of 2k+1 or 3k records; `test_second_phase` has tables with these. The
axis of mcdpca needs half of the records to vary as much along two attributes: it has a vector.
"""


# What a run tells its tie-breaker


@dataclass(slots=True)
class Listener:
    """The lowest tie rule, and what it was told."""

    told: list[tuple[str, frozenset[Record]]] = field(default_factory=list)
    made: int = 0
    states: dict[Hashable, int] = field(default_factory=dict)
    """After how many choices the run was in each state first."""
    returned: bool = False
    """Was it in a state again, after more choices? The same choices would lead to it for ever."""

    def choose(self, name: str, tie: TiedCandidates[Any]) -> Any:
        self.made += 1
        return LOWEST.choose(name, tie)

    def choose_nearest(
        self, name: str, near: Nearest[Record], same_group_as: Record | None
    ) -> tuple[Record, ...]:
        self.made += 1
        return LOWEST.choose_nearest(name, near, same_group_as)

    def decide(self, name: str, comparison: Comparison) -> bool:
        self.made += 1
        return LOWEST.decide(name, comparison)

    def iteration(self, remaining: Collection[Record], kept: Hashable) -> None:
        groups = frozenset(records for kind, records in self.told if kind != "iteration")
        self.reached(("iteration", groups, kept))
        self.told.append(("iteration", frozenset(remaining)))

    def reached(self, state: Hashable) -> None:
        self.returned |= self.states.setdefault(state, self.made) < self.made

    def together(self, records: Sequence[Record]) -> None:
        self.told.append(("together", frozenset(records)))

    def closed(self, records: Sequence[Record]) -> None:
        self.told.append(("closed", frozenset(records)))


def broken_promise(variant: Variant, request: Request) -> str | None:
    """What a run said that is not so in its result."""
    listener = Listener()
    result = partition(variant, request, choices=some_choices(listener))
    if listener.returned:
        return "it ends, though it was in one state twice"
    groups = set(map(frozenset, result.groups))
    left = set(range(request.n))
    closed = []
    for kind, records in listener.told:
        if kind == "iteration":
            if records != left:
                return f"{sorted(records)} are said to remain, {sorted(left)} do"
            continue
        left -= records
        if not any(records <= group for group in groups):
            return f"{sorted(records)} are said to be together"
        if kind == "closed":
            closed.append(records)
            if records not in groups:
                return f"{sorted(records)} are said to be a group"
    return None if len(closed) == len(groups) == len(set(closed)) else "each group closes once"


@in_each_exact
@given(st.data())
def test_a_run_keeps_what_it_promises_to_its_tie_breaker(
    variant: Variant, data: st.DataObject
) -> None:
    request = data.draw(requests(variant))
    assert broken_promise(variant, request) is None
