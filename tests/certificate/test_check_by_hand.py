"""The parts of the checker at their limits, all numbers by hand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import pytest

from oracle.certificate import kernel
from oracle.certificate.kernel import (
    Checker,
    Distances,
    Duals,
    Prices,
    Rejected,
    certificate_of,
    check_request,
)
from tests.certificate.test_certificate import (
    SIX,
    Json,
    by_cuts,
    certificate,
    duals,
    judged,
    leaf,
    reason,
    request_by_hand,
    sealed,
)

FOUR = [(0,), (1,), (3,), (4,)]
"""Two pairs, which cost 1 unit each; the target is 1."""


def of_four(*filters: Json, proved: Json, bound: int | None = None) -> Json:
    claimed = None if bound is None else Fraction(bound)
    return certificate(FOUR, 2, 2, [[0, 1], [2, 3]], leaf(proved, *filters), claimed)


def counted(data: Json) -> tuple[int, int]:
    """The nodes and the groups that the checker counts."""
    rows = [tuple(map(Fraction, row)) for row in FOUR]
    return kernel.check(certificate_of(json.dumps(sealed(data)), "here"), rows)


# Requests and prices


@pytest.mark.parametrize(
    "others",
    [
        {"together": [(0, 1)]},
        {"apart": [(1, 0)]},
        {"cuts": [([0, 1], [0, 0], 1)]},
        {"cuts": [([], [], 1)]},
    ],
)
def test_a_request_about_all_records(others: dict[str, Any]) -> None:
    check_request(request_by_hand(2, 1, 2, **others))


@pytest.mark.parametrize(("fewest", "most"), [(-1, 0), (0, 1)])
def test_the_number_of_groups_has_no_price_of_the_other_sign(fewest: int, most: int) -> None:
    with pytest.raises(Rejected, match="here: expected 2 prices"):
        Prices(request_by_hand(2, 1, 2), Duals(1, [0, 0], fewest, most, []), "here")


def test_the_price_of_a_cut_may_be_0_and_no_more() -> None:
    request = request_by_hand(2, 1, 2, cuts=[([0, 1], [1, 1], 2)])
    free = Prices(request, Duals(1, [3, 4], 0, 0, [(0, 0)]), "here")
    assert (free.bound, free.paid((0, 1))) == (7, 7)
    with pytest.raises(Rejected, match=r"here.cuts\[0\]: expected a cut and a price <= 0"):
        Prices(request, Duals(1, [3, 4], 0, 0, [(0, 1)]), "here")


# Distances


def test_distances_of_fractions() -> None:
    rows = [(Fraction(1, 2),), (Fraction(1, 3),)]
    between = Distances(rows, "none", Fraction(1))
    assert Fraction(between.exact(0, 1), between.common) == Fraction(1, 36)


def test_the_matrix_of_distances_is_rounded_down() -> None:
    """0, 3 and 5 have 9, 25 and 4; half of them is 4 1/2, 12 1/2 and 2."""
    between = Distances([(Fraction(0),), (Fraction(3),), (Fraction(5),)], "none", Fraction(1, 2))
    assert between.rounded() == [[0, 4, 12], [4, 0, 2], [12, 2, 0]]


@pytest.mark.parametrize(("far", "digits"), [(9, 2), (10, 3), (11, 3)])
def test_distances_have_so_many_digits(
    far: int, digits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel, "LONGEST", 2)
    between = Distances([(Fraction(0),), (Fraction(far),)], "none", Fraction(1))
    if digits <= 2:
        assert between.rounded() == [[0, 81], [81, 0]]
    else:
        with pytest.raises(Rejected, match="limit of 2 digits"):
            between.rounded()


# What a node proves


def test_nothing_costs_less_than_0() -> None:
    low = leaf(duals([-1] * 6))
    assert judged(certificate(SIX, 2, 3, [[0, 1, 2], [3, 4, 5]], low, Fraction(0)), SIX).bound == 0
    more = certificate(SIX, 2, 3, [[0, 1, 2], [3, 4, 5]], low, Fraction(1, 6))
    assert "which is not proved" in reason(more, SIX)


def test_vectors_prove_a_bound_in_units_of_all_sizes() -> None:
    """Without multipliers 8 units of 1/6: see `test_conic.py`."""
    nothing: dict[str, Any] = {"filters": [], "unit": 1, "records": [0] * 5, "most": 0}
    nothing |= {"scales": [1] * 5, "vectors": [[]] * 5, "triangles": []}
    data = certificate(SIX[:5], 2, 3, [[0, 1, 2], [3, 4]], nothing, Fraction(8, 6))
    assert judged(data, SIX[:5]).bound == Fraction(4, 3)
    assert "which is not proved" in reason({**data, "bound": "3/2"}, SIX[:5])


def test_a_pair_that_costs_one_unit_less_than_it_pays_is_found() -> None:
    """At the limit of the search, whatever the bound: in a leaf, in a filter, by its number."""
    raised = duals([1, 1, 1, 0])
    told = "has a negative reduced cost"
    assert f"proof.duals: group (0, 1) {told}" in reason(of_four(proved=raised), FOUR)
    filtered = of_four(raised, proved=duals([1, 0, 1, 0]))
    assert f"proof.filters[0]: group (0, 1) {told}" in reason(filtered, FOUR)
    by_number = of_four(proved=duals([1, 0, 0, 0], fewest=1), bound=1)
    assert f"group (0, 1) {told}" in reason(by_number, FOUR)


def test_only_filters_list_groups_and_only_those_within_the_gap() -> None:
    """All prices 0 leave the gap of 1, in which both pairs are; a bound of 2 leaves none."""
    proof = duals([1, 0, 1, 0])
    assert counted(of_four(proved=proof)) == (1, 0)
    assert counted(of_four(proved=duals([0] * 4), bound=0)) == (1, 0)
    assert counted(of_four(duals([0] * 4), proved=proof)) == (1, 2)
    assert counted(of_four(proof, proved=proof)) == (1, 0)


def test_as_many_groups_and_steps_as_there_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    filtered = of_four(duals([0] * 4), proved=duals([1, 0, 1, 0]))
    monkeypatch.setattr(kernel, "MOST_GROUPS", 2)
    assert counted(filtered) == (1, 2)
    monkeypatch.setattr(kernel, "MOST_GROUPS", 1)
    assert "over the limit of 1 groups" in reason(filtered, FOUR)


# The search


def on_a_line(n: int) -> Checker:
    """A checker of groups of all the records 0 .. n-1, at these places of a line."""
    return at_places(range(n), n)


def at_places(places: Iterable[int], size: int) -> Checker:
    """A checker of groups of this size, whose costs are the squares of distances added up."""
    rows = [(Fraction(place),) for place in places]
    return Checker(request_by_hand(len(rows), size, size), Distances(rows, "none", Fraction(1)))


def looked_at(places: Sequence[int], size: int, limit: int, *prices: int) -> tuple[object, int]:
    """The groups that a search finds, and the records that it looks at."""
    checker = at_places(places, size)
    of_all = Prices(checker.c, Duals(1, [*(prices or [0] * len(places))], 0, 0, []), "here")
    return [group for _, group in checker.search(of_all, limit)], checker.steps


def all_of_four(checker: Checker, limit: int) -> list[tuple[int, tuple[int, ...]]]:
    free = Prices(checker.c, Duals(1, [0] * 4, 0, 0, []), "here")
    return list(checker.search(free, limit))


def test_no_group_beyond_the_limit_is_looked_at() -> None:
    """0, 1, 2 and 3: the pairs cost 1 + 1 + 1 + 4 + 4 + 9 = 20."""
    assert all_of_four(on_a_line(4), 20) == [(20, (0, 1, 2, 3))]
    assert all_of_four(on_a_line(4), 19) == []


def test_steps_are_the_records_that_could_join(monkeypatch: pytest.MonkeyPatch) -> None:
    """At first there are 4; to the first of them 3 could join, then 2, then 1."""
    checker = on_a_line(4)
    assert checker.steps == 0
    all_of_four(checker, 20)
    assert checker.steps == 10
    monkeypatch.setattr(kernel, "MOST_STEPS", 10)
    assert all_of_four(on_a_line(4), 20) == [(20, (0, 1, 2, 3))]
    monkeypatch.setattr(kernel, "MOST_STEPS", 9)
    with pytest.raises(Rejected, match=r"certificate.proof: over the limit of 9 steps"):
        all_of_four(on_a_line(4), 20)


def test_what_has_no_room_beside_the_nearest_others_is_left_out() -> None:
    """Pairs of 0, 2, 10 and 14: halves of the least squares are 2, 2, 8 and 8. With 4 to spend, 2
    and 2 fit and 8 does not beside a 2, so that one record could join the first. With 3 none do."""
    assert looked_at([0, 2, 10, 14], 2, 4) == ([(0, 1)], 4 + 1)
    assert looked_at([0, 2, 10, 14], 2, 3) == ([], 4)


def test_a_distance_to_those_chosen_is_added() -> None:
    """Pairs of 0, 2 and 4 cost 4, 4 and 16; halves of the least squares are 2, 2 and 2."""
    assert looked_at([0, 2, 4], 2, 4) == ([(0, 1), (1, 2)], 3 + 2 + 1)


def test_too_few_records_that_fit_are_not_looked_at() -> None:
    """One group of 0, 0, 10 and 20. The three least squares of each add up to 500, 500, 300, 900;
    halves less prices are -350, -350, 150 and 450. With -450 to spend 100 is left beside the three
    least, so that two records fit, where four are needed."""
    assert looked_at([0, 0, 10, 20], 4, -450, 600, 600, 0, 0) == ([], 4)


def test_a_proof_of_cuts_lists_no_group() -> None:
    rows = [tuple(map(Fraction, row)) for row in SIX]
    assert kernel.check(certificate_of(json.dumps(sealed(by_cuts())), "here"), rows) == (1, 0)
