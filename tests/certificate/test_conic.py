"""Bounds by vectors: below every partition whatever the numbers, and rejected where altered."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import lcm
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.certificate import kernel
from oracle.certificate.kernel import Conic, Rejected, conic_bound
from oracle.optima.solving import solve
from refagg.data.tables import table_of
from tests.certificate import altered
from tests.certificate.test_certificate import (
    Json,
    Request,
    at,
    changed,
    judged,
    least,
    leaves,
    others,
    reason,
    sealed,
    written,
)
from tests.strategies import examples

FIVE = [(0,), (1,), (2,), (10,), (11,)]
"""The example of docs/certificate.md: with k = 2 the least SSE is 5/2, which is 15 units."""


def squares(rows: Sequence[Sequence[int]]) -> list[list[int]]:
    return [[sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) for b in rows] for a in rows]


def plain(n: int, **changes: object) -> Conic:
    """Multipliers that are all 0, but for these."""
    return Conic([], 1, [0] * n, 0, [1] * n, [[]] * n, [])._replace(**changes)


def test_without_multipliers_each_record_has_its_nearest() -> None:
    """By hand: a pair costs 3 times its distance of 1, as seen from each end; 15 / 2 units."""
    assert conic_bound(plain(5), squares(FIVE), range(2, 4), 1, "here") == 8


def test_a_price_of_groups_by_hand() -> None:
    """At the price -4 a row has 3 * (4 + 1) in a pair; of three, 2 * (4 + 1 + 1) is less for
    record 1 only. Two groups are paid 6 * 4 each, and (4 * 15 + 12 - 48) / 2 = 12."""
    priced = plain(5, most=-4)
    assert conic_bound(priced, squares(FIVE), range(2, 4), 1, "here") == 12


def test_products_of_vectors_lower_distances() -> None:
    """Records 3 and 4 have 2 and -2: products -4 between them, which raise 1 to 5, and 4 of their
    own. So nothing is gained: 3 * (5 - 4) each, and 8 units as before."""
    vectors = plain(5, vectors=[[], [], [], [2], [-2]])
    assert conic_bound(vectors, squares(FIVE), range(2, 4), 1, "here") == 8


def test_a_triangle_of_two_records_by_hand() -> None:
    """Between records 0 and 1 the distance 1 is 6 as seen from 0, who has 3 * 4 with record 2
    then, and -4 as seen from 1, who has 3 * -4; half of 12 - 12 + 9, rounded up, is 5."""
    moved = plain(5, triangles=[(0, 1, 0, 5)])
    assert conic_bound(moved, squares(FIVE), range(2, 4), 1, "here") == 5


def test_a_triangle_by_hand() -> None:
    """Three equal records. Record 0 has -10 of its own and 10 to the others: 3 * 0 in a pair.
    Record 1 has -10 to record 2, 3 * -10 in a pair; record 2 has nothing. Half of -30 is -15."""
    bent = plain(3, unit=2, triangles=[(0, 1, 2, 5)])
    assert conic_bound(bent, [[0] * 3] * 3, range(2, 4), 1, "here") == -15


def test_vectors_as_long_and_entries_as_great_as_they_may_be() -> None:
    """A record alone costs nothing; the square of its vector is taken from that."""
    longest = plain(1, vectors=[[0] * kernel.MOST_VECTOR])
    assert conic_bound(longest, [[0]], range(1, 2), 1, "here") == 0
    greatest = plain(1, vectors=[[-kernel.MOST_ENTRY]])
    assert conic_bound(greatest, [[0]], range(1, 2), 1, "here") == -(10**12) // 2


small = st.integers(-20, 20)


@st.composite
def instances(draw: st.DrawFn) -> tuple[Request, Conic]:
    """Records, and any multipliers."""
    n = draw(st.integers(3, 8))
    k = draw(st.integers(1, n // 2 + 1))
    rows = draw(st.lists(st.tuples(small, small), min_size=n, max_size=n))
    records = st.integers(0, n - 1)
    triangle = st.tuples(records, records, records, st.integers(0, 40))
    cone = Conic(
        [],
        draw(st.integers(1, 3)),
        draw(st.lists(small, min_size=n, max_size=n)),
        draw(st.integers(-40, 0)),
        draw(st.lists(st.integers(-3, 3), min_size=n, max_size=n)),
        draw(st.lists(st.lists(st.integers(-9, 9), max_size=3), min_size=n, max_size=n)),
        draw(st.lists(triangle, max_size=6)),
    )
    return Request(tuple(rows), k, min(n, draw(st.integers(k, n)))), cone


def is_below(request: Request, cone: Conic) -> bool:
    """True if the bound is not above the least SSE, found by enumeration."""
    assert request.largest is not None
    sizes, truth = range(request.k, request.largest + 1), least(request)
    bound = conic_bound(cone, squares(request.rows), sizes, 1, "here")
    return truth is None or bound <= truth * lcm(*sizes)


@examples(30)
@given(instances())
def test_any_multipliers_prove_a_true_bound(instance: tuple[Request, Conic]) -> None:
    assert is_below(*instance)


def test_a_wrong_sign_would_prove_too_much_and_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three pairs of equal records, whose least SSE is 0. A triangle with the price -40 raises the
    distance of record 0 from itself by 40, and those that fall are to records far away."""
    request = Request(((0,), (100,), (-100,), (0,), (100,), (-100,)), 2, 3)
    cone = plain(6, triangles=[(0, 1, 2, -40)])
    with pytest.raises(Rejected, match="expected records and a price"):
        is_below(request, cone)
    monkeypatch.setattr(kernel, "demand", lambda *_: None)
    assert not is_below(request, cone)


@pytest.fixture(autouse=True)
def _few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numpy")
    monkeypatch.setattr("oracle.optima.cones.MOST_ROUNDS", 6)


@pytest.mark.parametrize("seed", range(12))
def test_what_the_program_finds_is_a_bound_and_accepted(seed: int) -> None:
    """Of up to 9 records; at least the bound of nearest neighbours, up to rounding."""
    random = Random(seed)
    n, k = random.randrange(4, 10), random.randrange(2, 4)
    rows = tuple((random.randrange(30), random.randrange(30)) for _ in range(n))
    found = solve(table_of(rows), k, "semidefinite")
    truth = least(Request(rows, k))
    assert truth is not None
    assert found.bound is not None
    assert found.bound <= truth <= found.value
    sizes = range(k, min(n, 2 * k - 1) + 1)
    nearest = Fraction(conic_bound(plain(n), squares(rows), sizes, 1, "here"), lcm(*sizes))
    assert found.bound >= nearest * Fraction(9, 10) - 1
    assert judged(json.loads(json.dumps(found.certificate)), rows).bound == found.bound


@cache
def proof_of_some() -> tuple[Json, list[tuple[int, ...]]]:
    """A certificate of a bound below the value."""
    random = Random(5)
    rows = [(random.randrange(50), random.randrange(50)) for _ in range(12)]
    found = solve(table_of(rows), 4, "semidefinite")
    assert found.status == "feasible"
    return json.loads(json.dumps(found.certificate)), rows


def test_a_bound_that_is_not_proved_is_rejected() -> None:
    data, rows = proof_of_some()
    more = Fraction(data["bound"]) + Fraction(1, 10**30)
    assert "which is not proved" in reason({**data, "bound": str(more)}, rows)


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        (("most",), 1, "most <= 0"),
        (("unit",), 0, "unit >= 1"),
        (("scales",), [1], "expected 12 vectors"),
        (("vectors", 0), [10**6 + 1], "over the limit"),
        (("vectors", 0), [1] * 9001, "over the limit"),
        (("triangles",), [[0, 12, 0, 1]], r"triangles[0]: expected records"),
        (("triangles",), [[0, 1, 2, -1]], r"triangles[0]: expected records"),
        (("triangles",), [[0, -1, 2, 1]], r"triangles[0]: expected records"),
        (("triangles",), [[0, 1, 2]], r"triangles[0]"),
    ],
)
def test_what_is_no_multiplier_is_rejected(
    path: tuple[str | int, ...], value: object, expected: str
) -> None:
    data, rows = proof_of_some()
    assert expected in reason(changed(data, ("proof", *path), value), rows)


def agree(checkers: Sequence[str], folder: Path) -> None:
    """On a certificate, and some with numbers changed, claiming the same bound or a tenth less."""
    data, rows = proof_of_some()
    random, pairs, table = Random(1), [], written(folder, rows)
    for number in range(120):
        less = str(Fraction(data["bound"]) * random.choice([Fraction(1), Fraction(9, 10)]))
        made = {**data, "bound": less}
        for _ in range(min(number, 1)):
            path = random.choice([path for path in leaves(data) if path[0] == "proof"])
            made = changed(made, path, random.choice(others(at(data, path))))
        pairs.append((folder / f"{number}.json", table))
        pairs[-1][0].write_text(json.dumps(sealed(made)))
    counts = altered.compared(pairs, rows, checkers)
    assert counts["accepted bound"] > 5
    assert counts["rejected"] > 5


@pytest.mark.skipif(altered.NODE is None, reason="needs Node")
def test_the_second_checker_agrees(tmp_path: Path) -> None:
    agree(["node"], tmp_path)
