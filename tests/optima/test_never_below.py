"""The comparison of all algorithms with the optimum: some tables, and whether it can fail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from oracle.optima import Optimum
from refagg.data.standardise import Scaled
from refagg.language.partition import Partition
from refagg.release import measures
from tests.instances import solvers
from tests.optima import never_below
from tests.optima.drawn_tables import SEQUENCE, Drawn
from tests.optima.never_below import compared, sizes_are_promised
from tests.strategies import VARIANTS, Variant


@pytest.mark.parametrize("tables", [50, pytest.param(2000, marks=pytest.mark.long)])
def test_nothing_is_below_the_optimum(tables: int) -> None:
    counts = compared(tables, seed=5)
    assert counts.wrong == []
    assert counts.refined == tables * 3 // 5 * len(never_below.STARTS)
    assert counts.tables["numeric"] == 3 * tables // 5
    assert counts.tables["sequence"] == tables // 5
    assert {"nominal, numeric", "nominal, sequence", "numeric, ordinal"} < set(counts.tables)
    assert counts.solved["ilp"] == tables // 5 * len(solvers())
    assert counts.solved["columns"] == counts.solved["ilp"] * 3 // 5


def named(name: str) -> Variant:
    return next(variant for variant in VARIANTS if str(variant) == name)


def faults(monkeypatch: pytest.MonkeyPatch, tables: int, *variants: str) -> list[str]:
    """What is wrong with some tables and only these algorithms: the texts before the colon."""
    monkeypatch.setattr(never_below, "VARIANTS", list(map(named, variants)))
    monkeypatch.setattr(never_below, "STARTS", [])
    return [text.split(":")[0] for text in compared(tables, seed=5).wrong]


def test_costs_by_hand() -> None:
    numbers = Drawn([(0, 0), (2, 0), (0, 4), (9, 9)], 2, "none")
    assert numbers.cost([(0, 1)]) == 2
    assert numbers.cost([(0, 1, 2)]) == Fraction(4 + 16 + 20, 3)
    alone = Drawn([("a>b",), ("a>c",), ("b>c",)], 2, "range", (SEQUENCE,), "hamming")
    assert alone.cost([(0, 1, 2)]) == (Fraction(1, 2) + 1 + Fraction(1, 2)) / 3
    beside = Drawn([("low", "a>b"), ("mid", "a>c")], 2, "range", ("nominal", SEQUENCE), "hamming")
    assert beside.cost([(0, 1)]) == (1 + Fraction(1, 4)) / 2
    by_gower = Drawn(
        [("low", 0), ("mid", 4), ("low", 3)], 2, "range", ("nominal", "numeric"), "gower"
    )
    assert by_gower.cost([(0, 1)]) == (1 + 1) / Fraction(2) / 2
    assert by_gower.cost([(0, 2)]) == (0 + Fraction(3, 4)) / Fraction(2) / 2


def test_a_measure_that_forgets_the_last_attribute_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    right = measures.groups_sse

    def forgetful(scaled: Scaled, groups: Any) -> Fraction:
        weights = (*scaled.weights[:-1], Fraction(0))
        return right(replace(scaled, weights=weights), groups)

    monkeypatch.setattr(measures, "groups_sse", forgetful)
    found = set(faults(monkeypatch, 10, "mdav"))
    assert "another cost by the measure" in found
    assert any(text.startswith("a partition that does not cost") for text in found)


def test_a_measure_of_kinds_that_forgets_a_group_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    right = measures.within_dissimilarity
    monkeypatch.setattr(
        measures, "within_dissimilarity", lambda space, groups: right(space, list(groups)[1:])
    )
    assert set(faults(monkeypatch, 10, "kshc[single]")) == {"another cost by the measure"}


def wrong_bound(found: Optimum, table: Drawn) -> Optimum:
    assert found.bound is not None
    return replace(found, bound=found.bound - Fraction(1, 10**9))


def wrong_value(found: Optimum, table: Drawn) -> Optimum:
    value = found.value - Fraction(1, 10**9)
    return replace(found, value=value, bound=value)


def moved(table: Drawn, partition: Partition) -> Partition:
    """Another partition that is dearer, one record of a group exchanged; or the same."""
    groups = list(partition.groups)
    others = []
    for b, group in enumerate(groups[1:], 1):
        for x in groups[0]:
            for y in group:
                first = tuple(y if r == x else r for r in groups[0])
                second = tuple(x if r == y else r for r in group)
                others.append([first, *groups[1:b], second, *groups[b + 1 :]])
    return Partition.of(max([groups, *others], key=table.cost), table.n)


def moved_group(found: Optimum, table: Drawn) -> Optimum:
    return replace(found, partition=moved(table, found.partition))


def false_optimum(found: Optimum, table: Drawn) -> Optimum:
    partition = moved(table, found.partition)
    value = table.cost(partition.groups)
    return replace(found, partition=partition, value=value, bound=value)


def another_k(found: Optimum, table: Drawn) -> Optimum:
    if found.certificate is None:
        return found
    return replace(found, certificate={**found.certificate, "k": table.k + 1})


@pytest.mark.parametrize(
    ("defect", "texts"),
    [
        (wrong_bound, ["optimal, "]),
        (wrong_value, ["a partition that does not cost"]),
        (moved_group, ["a partition that does not cost"]),
        (false_optimum, ["below the optimum", "the certificate proves another"]),
        (another_k, ["the certificate is rejected"]),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_wrong_optimum_is_noticed(
    defect: Callable[[Optimum, Drawn], Optimum], texts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    right = never_below.solved
    monkeypatch.setattr(
        never_below, "solved", lambda table, *rest: defect(right(table, *rest), table)
    )
    found = faults(monkeypatch, 10, "mdav", "local-search[mdav]")
    assert found
    assert all(any(text.startswith(start) for start in texts) for text in found), found


def test_an_integer_program_that_says_another_optimum_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    right = never_below.solved

    def solved(table: Drawn, method: str, *rest: Any) -> Optimum:
        found = right(table, method, *rest)
        return false_optimum(found, table) if method == "ilp" else found

    monkeypatch.setattr(never_below, "solved", solved)
    assert {text.split(",")[0] for text in faults(monkeypatch, 10)} == {"optimal"}


def test_a_refiner_that_makes_things_worse_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """MDAV in the place of what improves it, and the other way round."""
    worse = [(start, refiner) for refiner, start in never_below.STARTS]
    monkeypatch.setattr(never_below, "VARIANTS", [])
    monkeypatch.setattr(never_below, "STARTS", worse)
    wrong = compared(10, seed=5).wrong
    assert any(text.startswith("higher cost than local-search[mdav]: mdav of") for text in wrong)


def test_sizes_are_held_to_what_is_promised() -> None:
    for groups, right in (
        ([(0, 1, 2), (3, 4, 5)], True),
        ([(0, 1), (2, 3, 4, 5)], False),
        ([(0, 1, 2, 3, 4, 5)], False),
    ):
        assert sizes_are_promised(named("mdav"), 6, 3, Partition.of(groups)) == right
