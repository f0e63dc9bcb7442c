"""Fuzzy microaggregation: draws, sizes against enumeration and simulation, guarantees, releases."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import exp, fsum, prod, sqrt
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import any_table, examples, some_choices

from refagg import datasets, float_space, microaggregate, table_of
from refagg.algorithms.fuzzy.assignment import CLAMP, Drawing, drawn, enlarged
from refagg.algorithms.fuzzy.memberships import membership_function
from refagg.algorithms.fuzzy.microaggregation import FuzzyGroups, fuzzy_groups
from refagg.algorithms.fuzzy.publishing import centre_values
from refagg.algorithms.fuzzy.sizes import poisson_binomial, sizes_of, some_small
from refagg.catalogue import CATALOGUE
from refagg.commands.main import main
from refagg.data.standardise import standardise
from refagg.errors import InconsistentConstraints, InvalidParameter, StreamExhausted
from refagg.language.choices import Choices
from refagg.language.random_stream import scripted, seeded
from refagg.language.ties import HIGHEST, LOWEST
from refagg.release.result import facts_of

FUZZY = CATALOGUE["fuzzy"]
ROWS = [(0, 1), (1, 0), (2, 2), (7, 8), (9, 8), (8, 6), (1, 9), (0, 8), (4, 5)]

shares = st.lists(st.floats(0, 1), min_size=1, max_size=4)


def clustered(
    rows: Any, k: int, seed: int = 1, choices: Choices | None = None, **given: Any
) -> FuzzyGroups:
    choices = choices or Choices(stream=seeded(seed))
    result: FuzzyGroups = FUZZY.run(float_space(rows), k, choices, **FUZZY.settings(given))
    return result


def table_of_shares(data: st.DataObject, n: int, c: int) -> list[list[float]]:
    """For each of n records the probabilities of c groups."""
    rows = []
    for _ in range(n):
        parts = data.draw(st.lists(st.integers(0, 5), min_size=c, max_size=c).filter(any))
        rows.append([part / sum(parts) for part in parts])
    return rows


# Draws


def test_draws_by_hand() -> None:
    half = 1 << 52
    assert drawn([0.5, 0.25, 0.25], scripted([half - 1])) == 0
    assert drawn([0.5, 0.25, 0.25], scripted([half])) == 1
    assert drawn([0.5, 0.0, 0.5], scripted([half])) == 2
    assert drawn([0.0, 1.0], scripted([])) == 1
    assert drawn([0.5, 0.5 - 2**-53], scripted([(1 << 53) - 1])) == 1


def test_frequencies_of_draws() -> None:
    """10000 draws, within four standard deviations."""
    stream, p = seeded(3), [0.1, 0.0, 0.6, 0.3]
    counts = Counter(drawn(p, stream) for _ in range(10_000))
    assert counts[1] == 0
    for i, share in enumerate(p):
        assert abs(counts[i] - 10_000 * share) <= 4 * sqrt(10_000 * share * (1 - share))


def test_one_draw_for_each_record_after_those_of_the_start() -> None:
    half = 1 << 52
    script = [0, 0, *[half] * len(ROWS)]
    clustered(ROWS, 4, choices=Choices(stream=scripted(script)))
    with pytest.raises(StreamExhausted):
        clustered(ROWS, 4, choices=Choices(stream=scripted(script[:-1])))


# Sizes


@given(shares, st.integers(1, 5))
def test_sizes_of_a_group_by_enumeration(shares: list[float], k: int) -> None:
    found = poisson_binomial(shares, k)
    for size in range(k):
        ways = [way for way in product((0, 1), repeat=len(shares)) if sum(way) == size]
        p = fsum(
            prod(s if joins else 1 - s for s, joins in zip(shares, way, strict=True))
            for way in ways
        )
        assert found[size] == pytest.approx(p, abs=1e-12)


def test_sizes_in_arrays_are_those_one_by_one() -> None:
    arrays = pytest.importorskip("refagg.engine.array_rows")
    random = Random(3)
    rows = []
    for _ in range(50):
        shares = [random.choice((0.0, 1e-300, random.random())) for _ in range(4)]
        rows.append([x / (sum(shares) or 1) for x in shares])
    for k in (1, 2, 7, 60):
        found = arrays.poisson_binomials(rows, k)
        assert found == [poisson_binomial(group, k) for group in zip(*rows, strict=True)]


@given(st.data())
@examples(Fraction(1, 2))
def test_all_sizes_by_enumeration(data: st.DataObject) -> None:
    n, c = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 3))
    k = data.draw(st.integers(1, n))
    rows = table_of_shares(data, n, c)
    joint, expected, single = 0.0, [0.0] * c, [0.0] * c
    for way in product(range(c), repeat=n):
        p = prod(rows[record][i] for record, i in enumerate(way))
        sizes = [way.count(i) for i in range(c)]
        joint += p * any(0 < size < k for size in sizes)
        for i, size in enumerate(sizes):
            expected[i] += p * size
            single[i] += p * (0 < size < k)
    found = sizes_of(rows, k)
    assert found.some_small == pytest.approx(joint, abs=1e-12)
    assert found.expected == pytest.approx(expected, abs=1e-12)
    assert found.small == pytest.approx(single, abs=1e-12)
    assert max(found.small) <= joint + 1e-12
    assert joint <= fsum(found.small) + 1e-12


def test_too_many_possibilities_leave_bounds() -> None:
    rows = [[0.25] * 4] * 12
    exact = some_small(rows, 3)
    assert exact is not None
    many = sizes_of([[0.05] * 20] * 60, 3)
    assert many.some_small is None
    # One group has 1 or 2 of 60 with probability 60 p q^59 + 1770 p^2 q^58, p = 1/20.
    one = 60 * 0.05 * 0.95**59 + 1770 * 0.05**2 * 0.95**58
    assert many.bounds == (pytest.approx(one), 1.0)


def test_sizes_by_simulation() -> None:
    """Expected sizes and their spread, within three standard errors; 2000 releases."""
    runs, stream = 2000, seeded(11)
    first = clustered(ROWS * 3, 9, m1=2, m2=3)
    realised, small = [], 0
    for _ in range(runs):
        counts = Counter(drawn(row, stream) for row in first.probabilities)
        sizes = [counts[i] for i in range(3)]
        realised.append(sizes)
        small += any(0 < size < 9 for size in sizes)
    for i, sizes in enumerate(zip(*realised, strict=True)):
        expected, spread = first.sizes.expected[i], first.sizes.spread[i]
        assert 1 < spread < 3
        assert abs(np.mean(sizes) - expected) <= 3 * spread / sqrt(runs)
        # The variance of n draws has the standard error variance * root(2/n), nearly.
        assert abs(np.var(sizes) - spread**2) <= 3 * spread**2 * sqrt(2 / runs)
    p = first.sizes.some_small
    assert p is not None
    assert 0.1 < p < 0.99
    assert abs(small / runs - p) <= 3 * sqrt(p * (1 - p) / runs)


# The algorithm


def test_probabilities_by_hand() -> None:
    """Step 2 has its own m, and a clamp: one centre at record 0, another at distance 4."""
    space = float_space([[0], [4], [2]])
    clustering = clustered([[0], [4], [2]], 1, c=2, m1=1).clustering
    assert sorted(clustering.centres) == [[-2], [1]] or sorted(clustering.centres) == [[-1], [2]]
    for m in (2.0, 50.0):
        choices = Choices(stream=seeded(1))
        made = fuzzy_groups(space, 1, choices, clustering, membership_function("fcm", m=m))
        for record, (x,) in enumerate(space.rows):
            d = [max(abs(x - v), 4 * CLAMP) ** (-2 / (m - 1)) for (v,) in clustering.centres]
            assert made.probabilities[record] == pytest.approx([p / sum(d) for p in d])


def test_a_record_on_a_centre_can_be_drawn_elsewhere() -> None:
    """Without a clamp, a large m would leave it there for certain."""
    space = float_space([[0], [8]])
    clustering = clustered([[0], [8]], 1, c=2).clustering
    assert sorted(clustering.centres) == [[-8], [0]]
    made = fuzzy_groups(
        space, 1, Choices(stream=seeded(1)), clustering, membership_function("fcm", m=50)
    )
    share = CLAMP ** (2 / 49)
    assert min(made.probabilities[0]) == pytest.approx(share / (1 + share))


def test_centres_that_are_records_are_counted() -> None:
    """With a large m centres stay on the records that they start at."""
    assert len(clustered(ROWS, 3, m1=50).on_records) == 3
    assert clustered(ROWS, 3, m1=2).on_records == []
    assert facts_of(clustered(ROWS, 3, m1=50))["centres_that_are_records"] == 3


def test_crisp_assignment_asks_about_ties() -> None:
    space = float_space([[0], [2], [1]])
    for tie_breaker, expected in ((LOWEST, 0), (HIGHEST, 1)):
        clustering = clustered([[0], [2]], 1, c=2, m1=1).clustering
        low = [[-1.0], [1.0]]
        made = fuzzy_groups(
            space, 1, Choices(tie_breaker), _at(clustering, low), membership_function("crisp")
        )
        assert made.assignment == [0, 1, expected]
        assert made.probabilities[2][expected] == 1


def _at(clustering: Any, centres: list[list[float]]) -> Any:
    return replace(clustering, centres=centres)


def test_crisp_everything_is_k_means() -> None:
    made = clustered(ROWS, 3, m1=1, m2=1)
    assert made.clustering.converged
    points = float_space(ROWS).rows
    for centre, group in zip(made.centres, made.groups, strict=True):
        if group:
            mean = np.mean([points[record] for record in group], axis=0)
            assert centre == pytest.approx(mean)
    for record, row in enumerate(points):
        d = [np.linalg.norm(np.subtract(row, centre)) for centre in made.centres]
        assert d[made.assignment[record]] == pytest.approx(min(d))


@given(st.data())
@examples(1)
def test_any_table(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 12))
    k = data.draw(st.integers(1, n))
    rows = data.draw(any_table(n))
    settings = {
        "kind": data.draw(st.sampled_from(["fcm", "efcm"])),
        "c": data.draw(st.integers(0, n)),
        "m1": data.draw(st.sampled_from([1, Fraction(10001, 10000), 2, 1000])),
        "m2": data.draw(st.sampled_from([1, Fraction(10001, 10000), 2, 1000])),
        "lambda1": data.draw(st.sampled_from([Fraction(1, 10**12), 1, 10**6])),
        "lambda2": data.draw(st.sampled_from([Fraction(1, 10**12), 1, 10**6])),
        "guarantee": data.draw(st.sampled_from(["none", "redraw", "merge"])),
        "limit": 20,
    }
    choices = some_choices(trace=True)
    made = clustered(rows, k, choices=choices, **settings)
    assert len(made.centres) == (settings["c"] or n // k)
    assert sorted(r for group in made.groups for r in group) == list(range(n))
    least = FUZZY.smallest_group(k, **FUZZY.settings(settings))
    assert all(len(group) >= least for group in made.groups if group)
    assert fsum(made.sizes.expected) == pytest.approx(n)
    for row in made.probabilities:
        assert fsum(row) == pytest.approx(1)
    if settings["guarantee"] == "none":
        assert made.assignment == made.drawn
    json.dumps(facts_of(made), allow_nan=False)


def test_the_same_seed_gives_the_same_release() -> None:
    one, two = (clustered(ROWS, 3, seed=5) for _ in range(2))
    assert one == two
    assert any(clustered(ROWS, 3, seed=s).drawn != one.drawn for s in range(6, 12))


@pytest.mark.parametrize("name", ["m1", "m2"])
@pytest.mark.parametrize("value", ["1/2", "0.99", Fraction(10**30 + 1, 10**30)])
def test_m_is_1_or_a_float_above(name: str, value: Any) -> None:
    with pytest.raises(InvalidParameter, match=f"{name} is"):
        FUZZY.settings({name: value})


# Guarantees


def scene(stream: Sequence[int] = ()) -> Drawing:
    """Six records and centres at 0, 10, 14 and 30."""
    space = float_space([[0], [1], [10], [11], [14], [30]])
    off = float(space.origin[0])
    centres = [[x - off] for x in (0.0, 10.0, 14.0, 30.0)]
    return Drawing(
        space,
        space.rows,
        centres,
        membership_function("crisp"),
        0.0,
        Choices(stream=scripted(stream)),
    )


def test_merging_by_hand() -> None:
    # The groups 2 and 3 have one record each; 2 is the lower one and joins 10, then 30 does.
    result, did = enlarged(scene(), [0, 0, 1, 1, 2, 3], 2, "merge")
    assert result == [0, 0, 1, 1, 1, 1]
    assert did == (
        "2 groups of fewer than 2 records were dissolved, smallest first; "
        "their records were merged into the nearest group (2 moves in all)"
    )


def test_redrawing_by_hand() -> None:
    # k = 3: the group of record 5 goes first; crisp, it is drawn to centre 14 at once. Then 0 and
    # 1 are a group of 2, as are the others: {0, 1} goes to 10. {4, 5} are the last small one.
    result, _ = enlarged(scene(), [0, 0, 1, 1, 2, 3], 3, "redraw")
    assert result == [1] * 6


def test_a_redraw_is_a_draw() -> None:
    """A group of one is drawn again between two others at equal distances."""
    space = float_space([[0], [0], [4], [8], [8]])
    centres = [[-4.0], [0.0], [4.0]]
    for draw, home in ((0, 0), ((1 << 53) - 1, 2)):
        drawing = Drawing(
            space,
            space.rows,
            centres,
            membership_function("fcm", m=2),
            0.0,
            Choices(stream=scripted([draw])),
        )
        assert enlarged(drawing, [0, 0, 1, 2, 2], 2, "redraw")[0] == [0, 0, home, 2, 2]


def test_nothing_is_done_where_nothing_is_small() -> None:
    for guarantee in ("none", "redraw", "merge"):
        result, did = enlarged(scene(), [0, 0, 1, 1, 2, 2], 2, guarantee)
        assert result == [0, 0, 1, 1, 2, 2]
        assert did.startswith("groups that are too small" if guarantee == "none" else "0 groups")


# Releases


def test_released_rows_are_centres_on_the_scale_of_the_data() -> None:
    data = [(x + 10**9, 7, Fraction(y, 1000)) for x, y in ROWS]
    release = microaggregate(data, 3, "fuzzy", seed=4, parameters={"c": 3})
    [(_, made)] = release.blocks[0].centres
    values = centre_values(made)
    weights = standardise(table_of(data)).weights
    assert weights[1] == 0
    for record, number in enumerate(made.assignment):
        assert release.released.row(record) == values[number]
        assert values[number][1] == 7
        for x, u, w, median in zip(
            values[number], made.centres[number], weights, (10**9 + 2, 7, 0.006), strict=True
        ):
            assert float(x - Fraction(str(median))) * sqrt(w) == pytest.approx(u * bool(w))
    report = release.report()
    facts = report["blocks"][0]["centres"][0]
    assert report["yields"] == "centres"
    assert facts["k_anonymous_by_construction"] is False
    assert sum(facts["realised_sizes"]) == 9
    assert fsum(facts["expected_sizes"]) == pytest.approx(9)


def test_strata_draw_on() -> None:
    release = microaggregate(ROWS * 2, 3, "fuzzy", seed=4, strata=[0] * 9 + [1] * 9)
    (_, first), (_, second) = release.blocks[0].centres
    assert [label for label, _ in release.blocks[0].centres] == ["0", "1"]
    assert first.drawn != second.drawn or first.centres != second.centres
    assert all(len({r // 9 for r in group}) == 1 for group in release.partition.groups)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "give a seed"),
        ({"seed": 1, "aggregate": "median"}, "to aggregates of groups; fuzzy releases centres"),
        ({"seed": 1, "significant_digits": 6}, "releases centres"),
        ({"seed": 1, "parameters": {"c": 10}}, "c is 10"),
    ],
)
def test_what_cannot_be_asked_for(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        microaggregate(ROWS, 3, "fuzzy", **options)


def test_the_command_says_that_it_is_not_k_anonymous(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given, out, report = (tmp_path / name for name in ("in.csv", "out.csv", "report.json"))
    given.write_text("a,b\n" + "".join(f"{x},{y}\n" for x, y in ROWS))
    base = ["mask", str(given), "--algorithm", "fuzzy", "--seed", "2", "-o", str(out)]
    assert main([*base, "-k", "3", "--json", str(report)]) == 0
    printed = capsys.readouterr().out
    assert "not k-anonymous by construction" in printed
    assert "fewer than 3 records is" in printed
    assert "guarantee none: groups that are too small were left" in printed
    facts = json.loads(report.read_text())["blocks"][0]["centres"][0]
    assert set(facts) >= {"expected_sizes", "realised_sizes", "iterations", "converged"}
    merge = ["--param", "guarantee=merge", "--param", "limit=1"]
    assert main([*base, "-k", "4", *merge]) == 0
    printed = capsys.readouterr().out
    assert "NOT CONVERGED after 1 iterations" in printed
    assert "guarantee merge:" in printed
    assert main(base) == 2
    assert "no k is given" in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.reference_data
def test_census_with_a_guarantee() -> None:
    table = datasets.load("census")
    parameters = {"c": 20, "limit": 10, "m2": "1.2"}
    for guarantee in ("redraw", "merge"):
        release = microaggregate(
            table, 30, "fuzzy", seed=1, parameters=parameters | {"guarantee": guarantee}
        )
        assert release.partition.smallest() >= 30
        assert release.k_reached >= 30


def test_efcm_memberships_in_step_2() -> None:
    made = clustered(ROWS, 3, kind="efcm", lambda1=1, lambda2="1/10")
    for row, shares in zip(float_space(ROWS).rows, made.probabilities, strict=True):
        d = [sum((x - v) ** 2 for x, v in zip(row, c, strict=True)) for c in made.centres]
        e = [exp(-x / 10) for x in d]
        assert shares == pytest.approx([x / sum(e) for x in e])


# Constraints


BOOKS = [(10, 2, 13), (20, 5, 24), (31, 6, 37), (100, 20, 121), (110, 24, 134), (95, 19, 114)]


@pytest.mark.parametrize("how", ["none", "sample"])
@pytest.mark.parametrize("kind", ["fcm", "efcm"])
def test_released_centres_meet_the_constraints(how: str, kind: str) -> None:
    release = microaggregate(
        table_of(BOOKS, ["net", "tax", "gross"]),
        3,
        "fuzzy",
        seed=1,
        standardise=how,
        parameters={"kind": kind, "m1": "1.2"},
        constraints=["net + tax = gross", "2*net + 2*tax = 2*gross"],
    )
    for record in range(6):
        net, tax, gross = release.released.row(record)
        assert net + tax == gross
    [(_, made)] = release.blocks[0].centres
    for net, tax, gross in centre_values(made):
        assert float(net + tax) == pytest.approx(float(gross), rel=1e-9)


def test_constraints_that_the_data_meet_change_nothing() -> None:
    books = table_of([(x, y, x + y) for x, y, _ in BOOKS], ["net", "tax", "gross"])
    plain, bound = (
        microaggregate(books, 3, "fuzzy", seed=1, constraints=given)
        for given in ([], ["net + tax = gross"])
    )
    for record in range(6):
        assert list(map(float, bound.released.row(record))) == pytest.approx(
            list(map(float, plain.released.row(record))), rel=1e-12
        )


def test_a_constant_attribute_can_keep_constraints_from_being_met() -> None:
    data = table_of([(x, 1) for x in range(6)], ["a", "b"])
    with pytest.raises(InconsistentConstraints, match="constant"):
        microaggregate(data, 2, "fuzzy", seed=1, constraints=["b = 2"])
