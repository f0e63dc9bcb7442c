"""Answers that are drawn: fuzzy microaggregation and noise, with and without the seed of a
random stream."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import log, sqrt
from random import Random
from typing import Any

import pytest
from faulty.fuzzy_programs import Steps, program
from faulty.noise_programs import Noise, noise

from oracle.auditing.drawn import allowed_for, margins_of
from oracle.conformance.judge.judging import judge
from oracle.conformance.judge.model import Answer, Case, Judgement
from oracle.conformance.judge.noise import LARGEST
from oracle.conformance.transport.functions import Function
from refagg.algorithms.fuzzy.c_means import drawn_records
from refagg.data.tables import Table, table_of
from refagg.language.random_stream import seeded

Rows = Sequence[Sequence[Any]]
CRISP = {"m1": "1", "m2": "1"}


def texts(rows: Rows) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(map(str, row)) for row in rows)


def fuzzy(
    records: Rows, released: Rows | None = None, seed: int | None = 7, k: int = 2, **given: Any
) -> Judgement:
    """The verdict on an answer to a question with these records."""
    groups, sse = given.pop("groups", None), given.pop("sse", None)
    case = Case("drawn", given.pop("claim", "fuzzy"), k, texts(records), given, seed=seed)
    return judge(case, Answer(groups, None if released is None else texts(released), sse))


def noisy(records: Rows, released: Rows | None, seed: int | None = 7, **given: Any) -> Judgement:
    return fuzzy(records, released, seed, claim="gaussian-noise", **given)


def verdict(judgement: Judgement) -> tuple[str, str]:
    return judgement.status, judgement.check


# Fuzzy microaggregation, without a seed

FOUR = [(0,), (0,), (10,), (10,)]


def test_without_a_seed_draws_are_not_judged() -> None:
    assert verdict(fuzzy(FOUR, [(0,), (10,), (0,), (10,)], None)) == ("not judged", "run")


def test_there_are_no_more_rows_than_centres() -> None:
    """n = 4 and k = 2 make two centres, c = 3 makes three."""
    three = [(0,), (1,), (9,), (9,)]
    judged = fuzzy(FOUR, three, None)
    assert verdict(judged) == ("failed", "aggregates")
    assert judged.reason == "3 groups, but there are 2 centres"
    assert fuzzy(FOUR, three, None, c="3").status == "not judged"
    assert verdict(fuzzy(FOUR, None, None, groups=((0,), (1,), (2, 3)))) == ("failed", "aggregates")


def test_a_centre_is_in_the_range_of_the_records() -> None:
    judged = fuzzy(FOUR, [(0,), (0,), ("10.01",), ("10.01",)], None)
    assert verdict(judged) == ("failed", "aggregates")
    assert judged.witness == ("record 2 is released with (1001/100); x1 has the range (0, 10)",)


def test_a_group_is_released_with_one_row() -> None:
    judged = fuzzy(FOUR, [(0,), (10,), (10,), (10,)], None, groups=((0, 1), (2, 3)))
    assert verdict(judged) == ("failed", "aggregates")
    assert judged.witness == ("record 1 is released with (10), record 0 with (0)",)


def test_the_sse_is_that_of_the_released_values() -> None:
    """1 to 0 is 1 and 10 to 8 is 4: 2 (1 + 4) = 10."""
    rows = [(1,), (1,), (8,), (8,)]
    assert fuzzy(FOUR, rows, None, sse="10").status == "not judged"
    assert verdict(fuzzy(FOUR, rows, None, sse="0")) == ("failed", "SSE")
    assert verdict(fuzzy(FOUR, rows, None, sse="-1")) == ("failed", "SSE")


# With a seed


def test_two_values_are_the_centres_of_crisp_clusters() -> None:
    """Whatever is drawn, the start is 0 and 10, where the centres stay."""
    for seed in range(5):
        assert verdict(fuzzy(FOUR, FOUR, seed, **CRISP)) == ("passed", "run")
        judged = fuzzy(FOUR, [(0,), (0,), (10,), (0,)], seed, **CRISP)
        assert verdict(judged) == ("failed", "run")
        assert judged.witness == ("record 3 is released with (0); the seed gives (10)",)


def test_groups_alone_are_judged_too() -> None:
    assert fuzzy(FOUR, groups=((0, 1), (2, 3)), **CRISP).status == "passed"
    judged = fuzzy(FOUR, groups=((0, 2), (1, 3)), **CRISP)
    assert verdict(judged) == ("failed", "run")
    assert judged.witness == ("the seed gives 0 1 | 2 3",)


def test_centres_that_coincide_may_be_one_group_or_several() -> None:
    """All records are equal, so that both centres are; m2 = 1 lets every tie fall either way."""
    equal = [(5,)] * 4
    for groups in (((0, 1, 2, 3),), ((0, 3), (1, 2))):
        assert fuzzy(equal, groups=groups, **CRISP).status == "passed"


def test_released_values_may_be_rounded() -> None:
    """0, 0, 1 and 10, 10, 11 have the centres 1/3 and 31/3, from a start on either side."""
    six = [(0,), (0,), (1,), (10,), (10,), (11,)]
    values = [(x[0],) for x in six]
    seed = next(s for s in range(99) if abs(_gap([tuple(map(float, v)) for v in values], s)) > 5)
    rows = [("0.333333",)] * 3 + [("10.333333",)] * 3
    assert fuzzy(six, rows, seed, 3, **CRISP).status == "passed"
    off = [("0.333331",)] * 3 + [("10.333333",)] * 3
    assert verdict(fuzzy(six, off, seed, 3, **CRISP)) == ("failed", "run")


def _gap(rows: Rows, seed: int) -> float:
    """How far the records are apart that are the first two centres."""
    first, second = drawn_records(rows, 2, seeded(seed))
    return float(rows[first][0] - rows[second][0])


def test_what_depends_on_rounding_is_not_judged() -> None:
    """1 is as near to one centre as to the other: the least change of it moves both centres."""
    rows = [(0.0,), (0.0,), (1.0,), (2.0,), (2.0,)]
    seed = next(s for s in range(99) if abs(_gap(rows, s)) == 2)
    records = [(int(x),) for (x,) in rows]
    low, high = Fraction(1, 5), Fraction(9, 5)
    for middle in (low, high):
        right = [(low,), (low,), (middle,), (high,), (high,)]
        assert fuzzy(records, right, seed, **CRISP).status == "passed"
    judged = fuzzy(records, [(low,)] * 3 + [(low,), (high,)], seed, **CRISP)
    assert verdict(judged) == ("not judged", "run")


def test_values_whose_squares_are_beyond_all_floats_are_not_judged() -> None:
    huge = [("1e200",), ("2e200",), ("3e200",), ("4e200",)]
    judged = fuzzy(huge, [("1e200",)] * 4)
    assert verdict(judged) == ("not judged", "run")


def random_table(random: Random) -> list[list[float]]:
    width, n, most = random.randint(1, 3), random.randint(6, 14), random.choice([3, 20, 1000])
    return [[float(random.randint(-most, most)) for _ in range(width)] for _ in range(n)]


SETTINGS: tuple[dict[str, str], ...] = (
    {},
    {"m1": "3", "m2": "2"},
    {"m2": "1"},
    {"kind": "efcm", "lambda1": "1/9", "lambda2": "1/9"},
    {"guarantee": "redraw"},
    {"guarantee": "merge", "c": "4"},
)


@pytest.mark.parametrize("given", SETTINGS, ids=str)
def test_a_plain_program_passes_and_no_record_of_it_may_be_elsewhere(given: dict[str, str]) -> None:
    """The program of tests/faulty, which shares no step with the library; then one row is
    changed."""
    random, adapter, failed = Random(str(given)), Function(program(Steps())), 0
    for seed in range(8):
        case = Case("plain", "fuzzy", 2, texts(random_table(random)), given, seed=seed)
        answer = adapter(case, 10)
        assert answer.released is not None
        assert judge(case, answer).status == "passed"
        rows = list(answer.released)
        other = next((row for row in rows if row != rows[-1]), None)
        if other is not None:
            spoilt = judge(case, Answer(released=(*rows[:-1], other)))
            assert spoilt.status != "passed", (case, spoilt)
            failed += spoilt.status == "failed"
    assert failed >= 4


def test_a_guarantee_of_k_is_judged_without_a_seed() -> None:
    rows = [(0,), (10,), (10,), (10,)]
    assert fuzzy(FOUR, rows, None).status == "not judged"
    assert verdict(fuzzy(FOUR, rows, None, guarantee="merge")) == ("failed", "k-anonymous")


# Noise


def test_without_a_seed_noise_is_not_judged_but_what_it_cannot_do_is() -> None:
    """The deviations of 0, 0, 10, 10 are 5, and noise has the root of 1/10 of that."""
    assert verdict(noisy(FOUR, FOUR, None)) == ("not judged", "run")
    least = 13 * 5 * sqrt(0.1)
    assert noisy(FOUR, [(0,), (0,), (10,), (10 + least - 0.01,)], None).status == "not judged"
    judged = noisy(FOUR, [(0,), (0,), (10,), (10 + least + 0.01,)], None)
    assert verdict(judged) == ("failed", "aggregates")


def test_the_polar_method_makes_no_larger_deviate() -> None:
    """u and v are multiples of 2^-52, so that s is at least 2^-104, and |u| at most root(s)."""
    assert sqrt(-2 * log(2.0**-104)) < LARGEST


def test_what_has_no_noise_stays() -> None:
    constant = [(x, 7) for (x,) in FOUR]
    changed = [(x, 8) for x, _ in constant]
    assert verdict(noisy(constant, changed, None)) == ("failed", "aggregates")
    assert noisy(FOUR, FOUR, amount="0").status == "passed"
    assert verdict(noisy(FOUR, [(1,), (0,), (10,), (10,)], amount="0")) == ("failed", "aggregates")


def test_noise_releases_values_not_groups() -> None:
    judged = noisy(FOUR, None, groups=((0, 1), (2, 3)))
    assert verdict(judged) == ("failed", "aggregates")


@pytest.mark.parametrize("kind", ["independent", "correlated"])
def test_a_plain_program_of_noise_passes_and_its_values_are_not_exchanged(kind: str) -> None:
    random, adapter = Random(kind), Function(noise(Noise()))
    for seed in range(8):
        table = texts(random_table(random))
        case = Case("plain", "gaussian-noise", 1, table, {"kind": kind}, seed=seed)
        answer = adapter(case, 10)
        assert answer.released is not None
        assert judge(case, answer).status == "passed"
        turned = Answer(released=answer.released[::-1])
        assert judge(case, turned).status == "failed"


# Disturbances


def table(*rows: tuple[Any, ...]) -> Table:
    return table_of([list(row) for row in rows])


def test_disturbances_keep_equal_records_equal_and_constants_constant() -> None:
    original = table((1, 7), (1, 7), (2, 7), (3, 7))
    margins = margins_of(original, Fraction(1, 100))
    changed = margins.disturbed(original, 1)
    assert changed.row(0) == changed.row(1)
    assert [changed.row(r)[1] for r in range(4)] == [7] * 4
    moved = [abs(changed.row(r)[0] - original.row(r)[0]) for r in range(4)]
    assert all(0 < m <= margins.sizes[0] for m in moved)
    mirrored = margins.disturbed(original, -1)
    sums = [changed.row(r)[0] + mirrored.row(r)[0] for r in range(4)]
    assert sums == [2 * original.row(r)[0] for r in range(4)]


def test_a_choice_in_the_middle_of_a_run_depends_on_rounding() -> None:
    """Once a record is as near to one centre as to the other; from there two runs are possible."""
    rows = [(0, 0), (0, 0), (0, 0), (3, 0), (0, 5), (3, 0), (6, 8), (7, 0), (9, 1), (0, 0)]
    far = {6: ("5.6", "1.8"), 5: ("5.6", "1.8"), 7: ("5.6", "1.8"), 8: ("5.6", "1.8")}
    near = ("0", "1")
    released = [far.get(record, near) for record in range(10)]
    assert fuzzy(rows, released, 11, 4, m1="1").status != "failed"


def test_margins_are_those_of_sums_in_floats() -> None:
    """8 n units of 2^-53 of the largest value, 1e-9 of the range, and the tolerance of a gap."""
    margins = margins_of(table((10**12,), (10**12 + 1,), (10**12 + 5,)), Fraction(1, 10))
    units = Fraction(8 * 3 * (10**12 + 5), 2**53)
    assert margins.sizes == (units + Fraction(5, 10**9) + Fraction(1, 10),)


def test_the_margin_of_a_constant_is_that_of_binary32_at_most() -> None:
    [size] = margins_of(table((7,), (7,)), Fraction(1, 10)).sizes
    assert size == Fraction(8 * 2 * 7, 2**53) + Fraction(7, 2**20)


def told(*values: str) -> Table:
    return table(*((Fraction(value),) for value in values))


def test_digits_that_are_released_say_what_is_allowed() -> None:
    original = table((0,), (1,), (3,))
    two = allowed_for(original, told("0.25", "1", "3"), Fraction(0))
    margin = margins_of(original, Fraction(0)).sizes[0]
    assert two.at(0, Fraction(1)) == Fraction(1, 200) + margin
    six = allowed_for(original, told("1234.56", "0.01", "3"), Fraction(0))
    assert six.at(0, Fraction(98765)) == Fraction(1, 20) + margin
