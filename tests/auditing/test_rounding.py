"""What rounding can do to right releases is granted, from the data that went in, and no more."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import oracle
from oracle.auditing.driver import Check
from oracle.conformance.judge.judging import judge
from oracle.conformance.judge.model import Answer, Case
from refagg import microaggregate
from refagg.catalogue import CATALOGUE
from tests.black_box.session import run_words

Rows = Sequence[Sequence[Any]]


def checked(original: Any, released: Any, k: int, **options: Any) -> dict[str, Check]:
    made = oracle.audit(original, released, k=k, **options)
    return {check.name: check for check in made.checks}


def column(*values: Any) -> list[list[Any]]:
    return [[Fraction(value)] for value in values]


# Zeros: what has cancelled does not bound what rounding did

ZEROS = [[0, 0], [9, 4], [0, 0], [9, 4], [30, 1], [30, 1]]


@pytest.mark.parametrize(("zero", "status"), [(-(2.0**-52), "holds"), (-1e-12, "fails")])
def test_zeros_need_not_come_back_as_zeros(zero: float, status: str) -> None:
    """The second column is 4 wide: 12 * 2^-53 * (0 + 4) is 5.3e-15."""
    released = [[x, zero if y == 0 else y] for x, y in ZEROS]
    found = checked(ZEROS, released, 2, algorithm="mdav")
    assert found["aggregates"].status == status


def numbers(random: Random, n: int) -> list[float]:
    kind = random.choice(("zeros", "zeros", "ints", "gauss", "offset", "far", "decades"))
    draw = {
        "zeros": lambda: random.choice((0, 0, 0, random.randrange(-5, 6))),
        "ints": lambda: random.randrange(-50, 50),
        "gauss": lambda: random.gauss(0, 1),
        "offset": lambda: 10**9 + random.randrange(100),
        "far": lambda: 10**15 + random.randrange(1000),
        "decades": lambda: 10 ** random.uniform(-6, 9),
    }[kind]
    return [float(draw()) for _ in range(n)]


def divided(random: Random, n: int, k: int) -> list[list[int]]:
    records = random.sample(range(n), n)
    cuts = range(0, n - n % k, k)
    return [records[i : i + k if i < cuts[-1] else n] for i in cuts]


def labels(groups: Sequence[Sequence[int]]) -> list[int]:
    number = {record: i for i, group in enumerate(groups) for record in group}
    return [number[record] for record in range(len(number))]


@pytest.mark.parametrize("ways", ["plain", "z0", "z1", "range", "running", "15", "rounded"])
def test_means_of_numpy_programs_are_accepted_and_spoilt_ones_are_not(ways: str) -> None:
    np = pytest.importorskip("numpy")
    random = Random(ways)
    for _ in range(15):
        k, width = random.choice((2, 3, 4)), random.randrange(1, 4)
        n = random.randrange(k, 4 * k + 3)
        x = np.array([numbers(random, n) for _ in range(width)]).T
        groups = divided(random, n, k)
        shift, unit = np.zeros(width), np.ones(width)
        if ways in ("z0", "z1"):
            shift, unit = x.mean(axis=0), x.std(axis=0, ddof=int(ways[1]))
        if ways == "range":
            shift, unit = x.min(axis=0), x.max(axis=0) - x.min(axis=0)
        unit[unit == 0] = 1
        z, y = (x - shift) / unit, x.copy()
        for group in groups:
            mean = z[group].mean(axis=0)
            if ways == "running":
                mean = z[group[0]]
                for number, record in enumerate(group[1:], 2):
                    mean = mean + (z[record] - mean) / number
            y[group] = mean * unit + shift
        if ways == "15":
            y = np.vectorize(lambda v: float(f"{v:.15g}"))(y)
        if ways == "rounded":
            y = np.round(y, 2)
        given = {"k": k, "partition": labels(groups), "anonymity": "none"}
        assert checked(x.tolist(), y.tolist(), **given)["aggregates"].status == "holds"
        spoilt = y.copy()
        size = np.abs(x).max(axis=0) + 1
        spoilt[groups[0]] += size * 1e-8 + 0.06 if ways == "rounded" else size * 1e-11
        assert checked(x.tolist(), spoilt.tolist(), **given)["aggregates"].status == "fails"


SYSTEMS = [
    (["x1 + x2 = x3"], [[1, 1, -1]], [0]),
    (["x1 + x2 = x3", "x1 = 2*x2"], [[1, 1, -1], [1, -2, 0]], [0, 0]),
    (["x1 + x2 + x3 = 100"], [[1, 1, 1]], [100]),
    (["3*x1 = 7*x2"], [[3, -7, 0]], [0]),
    (["x1 = 1.001*x2", "x2 = x3"], [[1, -1.001, 0], [0, 1, -1]], [0, 0]),
]


@pytest.mark.parametrize("way", ["pinv", "lstsq", "normal"])
@pytest.mark.parametrize("scale", ["none", "population"])
def test_projections_of_numpy_programs_are_accepted_and_spoilt_ones_are_not(
    way: str, scale: str
) -> None:
    np = pytest.importorskip("numpy")
    random = Random(way + scale)
    for _ in range(12):
        k = random.choice((2, 3))
        n = random.randrange(k + 1, 4 * k + 3)
        texts, rows, right = random.choice(SYSTEMS)
        zeros, step = random.random() < 0.6, random.choice((0, 3))
        x = np.array(
            [
                [
                    random.choice((0, 0, random.randrange(-5, 6))) * 10.0 ** (step * j)
                    if zeros
                    else 10.0**6 + random.randrange(100)
                    for j in range(3)
                ]
                for _ in range(n)
            ]
        )
        if (x.max(axis=0) == x.min(axis=0)).any():
            continue
        groups = divided(random, n, k)
        unit = np.ones(3) if scale == "none" else x.std(axis=0)
        a, y = np.array(rows, float) * unit, x.copy()
        for group in groups:
            z = (x[group] / unit).mean(axis=0)
            off = a @ z - np.array(right, float)
            if way == "pinv":
                z = z - np.linalg.pinv(a) @ off
            elif way == "lstsq":
                z = z - np.linalg.lstsq(a, off, rcond=None)[0]
            else:
                z = z - a.T @ np.linalg.solve(a @ a.T, off)
            y[group] = z * unit
        given = {"k": k, "partition": labels(groups), "anonymity": "none"}
        given |= {"constraints": texts, "standardise": scale}
        found = checked(x.tolist(), y.tolist(), **given)
        assert {found[n].status for n in ("aggregates", "constraints")} == {"holds"}, found
        y[groups[0]] += np.array([1e-3, 0, 0]) * np.abs(x).max()
        found = checked(x.tolist(), y.tolist(), **given)
        assert "fails" in {found[n].status for n in ("aggregates", "constraints")}, found


def test_what_has_cancelled_is_not_accused_of_a_residual() -> None:
    """(0, -3, 0) and (0, -3, 2): what rounding leaves is beside 3, not beside what is left."""
    options: dict[str, Any] = {"constraints": ["x1 + x2 = x3", "x1 = 2*x2"], "standardise": "none"}
    rows = [[0, -3, 0], [0, -3, 2]]
    exact = microaggregate(rows, 2, **options).released.row(0)
    for off, status in ((1.8e-15, "holds"), (1e-9, "fails")):
        released = [[float(exact[0]) + off, float(exact[1]), float(exact[2])]] * 2
        assert checked(rows, released, 2, **options)["constraints"].status == status


# Large offsets

FAR = column(1000000000000100, 1000000000000500, 1000000000000900)


@pytest.mark.parametrize(
    ("value", "status"),
    [
        ("1000000000000500", "holds"),
        ("1000000000000500.4", "holds"),  # 14 * 2^-53 * 10^15 is 1.55
        ("1000000000000503", "fails"),
        ("1000000000000000", "fails"),
        ("1000000000000900", "fails"),
        ("1000001000000000", "fails"),
    ],
)
def test_means_far_from_0_are_means(value: str, status: str) -> None:
    found = checked(FAR, column(*[value] * 3), 3)["aggregates"]
    assert found.status == status
    assert ("digit" in found.summary) == (value == "1000000000000000")


def test_few_digits_are_told_with_what_they_do() -> None:
    """7 digits of 10^15 are units of 10^9; in the other group they are all that there is."""
    low, high = [10**15 + i for i in (100, 500, 900)], [1234567 * 10**9 + i for i in (0, 3, 6)]
    released = column(*[10**15] * 3, *[1234567 * 10**9] * 3)
    found = checked(column(*low, *high), released, 3)["aggregates"]
    assert found.status == "holds"
    assert "rounded to 7 significant digits" in found.summary
    lone = column(*[10**15 + i * 10**6 for i in (100, 500, 3100)], *[1234567 * 10**9 + 1] * 3)
    assert checked(lone, released, 3)["aggregates"].status == "fails"


def test_a_loss_of_more_than_everything_is_never_told_without_a_warning() -> None:
    """123456.5 and 123456.9 written with 6 digits: each is off by more than they differ."""
    rows, released = column("123456.5", "123456.9"), column(123457, 123457)
    found = checked(rows, released, 2)["aggregates"]
    assert found.status == "holds"
    [warning] = found.witness
    assert warning.startswith("warning: x1 loses 325 % of its variation")  # (.25 + .01) / .08
    assert warning.endswith("by what is released rounded to integers")
    asked = checked(FAR, column(*[10**15] * 3), 3, tolerance="1e-9")["aggregates"]
    assert asked.status == "holds"
    assert "warning: x1 loses 334.4 %" in asked.witness[0]


def test_differences_that_rounding_hides_are_not_judged() -> None:
    """At 10^15 floats are multiples of 1/8, and 1.5 off is within rounding."""
    rows = column(*[Fraction(10**15) + Fraction(i, 8) for i in (1, 2, 4)])
    found = checked(rows, column(*[10**15 + Fraction(13, 8)] * 3), 3)["aggregates"]
    assert found.status == "not judged"
    assert found.summary.startswith("the differences of x1 are smaller than what rounding can do")


def test_one_group_of_all_has_no_warning() -> None:
    assert not checked(column(0, 1, 5), column(2, 2, 2), 3)["aggregates"].witness


def test_a_run_that_needs_much_is_not_judged() -> None:
    """By hand, of 0 9 10 19 20 with k = 2, 20 is farthest from the mean 11.6 but for 0, which is
    the first: its nearest is 9. To take 10, 81 and 100 must count as equal, but for 19 %. Of
    0 8 13 17 18 it is 8, and 64 and 169 differ by 62 %."""
    base = 10**15
    rows = column(*(base + i for i in (0, 8, 13, 17, 18)))
    halves = column(*(base + i for i in (0, 9, 10, 19, 20)))
    right, near, wrong = [0, 0, 1, 1, 1], [0, 1, 0, 1, 1], [0, 1, 0, 1, 1]
    found = {
        name: checked(table, table, 2, partition=own, algorithm="mdav", standardise="none")
        for name, table, own in (
            ("right", halves, right),
            ("near", halves, near),
            ("wrong", rows, wrong),
        )
    }
    statuses = {name: checks["run of mdav"].status for name, checks in found.items()}
    assert statuses == {"right": "holds", "near": "not judged", "wrong": "fails"}
    assert "only with a relative error of 0.19" in found["near"]["run of mdav"].summary
    texts = tuple((str(base + i),) for i in (0, 9, 10, 19, 20))
    judged = judge(Case("near", "mdav", 2, texts), Answer(groups=((0, 2), (1, 3, 4))))
    assert (judged.status, judged.check) == ("not judged", "run")


# Rounded groups fall together


def mask_and_audit(folder: Path, text: str, *words: str, decimals: str) -> tuple[int, str]:
    (folder / "in.csv").write_text(text)
    made = run_words(
        ["refagg", "mask", "in.csv", *words, "--decimals", decimals, "-o", "out.csv"], folder
    )
    assert made.status in (0, 2), made.err
    if made.status == 2:
        return 0, made.err
    audited = run_words(["oracle", "audit", "in.csv", "out.csv", *words], folder)
    return audited.status, audited.out + audited.err


def test_groups_that_fall_together_are_told_apart_by_the_replay(tmp_path: Path) -> None:
    """The means 1/2 and -1/2 are both released as 0: together they are exactly 0."""
    values = "0 1 1 1 0 -2 -1 2 -1 2 0 0 -1 -2"
    text = "\n".join(["a", *values.split(), ""])
    words = ("--algorithm", "mdav", "-k", "2")
    status, out = mask_and_audit(tmp_path, text, *words, decimals="0")
    assert status == 0, out


@pytest.mark.parametrize(("last", "status"), [("9 9 20 20", "holds"), ("15 15 15 15", "fails")])
def test_groups_that_could_not_fall_together_are_not_a_run(last: str, status: str) -> None:
    """15 is 14.5 rounded, the mean of 9 and 20, which MDAV does not group."""
    rows, released = column(0, 1, -1, 0, 9, 9, 20, 20), column(0, 0, 0, 0, *last.split())
    found = checked(rows, released, 2, algorithm="mdav")
    assert found["aggregates"].status == "holds"
    assert found["run of mdav"].status == status


FORMING = [name for name, spec in CATALOGUE.items() if spec.yields == "partition" and spec.takes_k]


@pytest.mark.parametrize("name", FORMING)
def test_own_releases_of_coarse_integers_are_accepted(name: str, tmp_path: Path) -> None:
    random, spec = Random(name), CATALOGUE[name]
    for decimals in "001":
        k = random.choice((2, 3))
        n, width = random.randrange(2 * k, 5 * k), 1 if spec.attributes != "any" else 2
        rows = [",".join(str(random.randrange(-3, 4)) for _ in range(width)) for _ in range(n)]
        words = ["--algorithm", name, "-k", str(k), *(["--seed", "1"] if spec.random else [])]
        words += [word for one in spec.first_attributes() for word in ("--param", f"{one}=0")]
        if any(parameter.name == "iterations" for parameter in spec.parameters):
            words += ["--param", "iterations=20"]
        if spec.publish is None and random.random() < 0.3:
            words += ["--aggregate", random.choice(("median", "mode", "onestep"))]
        text = "\n".join([",".join("xy"[:width]), *rows]) + "\n"
        status, out = mask_and_audit(tmp_path, text, *words, decimals=decimals)
        assert status == 0, f"{words} --decimals {decimals}\n{text}{out}"


def test_a_mode_that_is_not_that_of_all_is_not_judged_without_the_groups() -> None:
    """1 is the mode of 1 1 5 5, and of no other group of two or more; only the run says so."""
    rows = column(1, 1, 5, 5, 5, 5)
    found = checked(rows, column(*[1] * 6), 2, aggregate="mode")["aggregates"]
    assert (found.status, "may be several groups" in found.summary) == ("not judged", True)
    run = checked(rows, column(*[1] * 6), 2, aggregate="mode", algorithm="mdav")
    assert run["run of mdav"].status == "fails"


# Published values


@pytest.mark.parametrize("strata", [False, True])
def test_secure_k_ward_is_judged_by_what_it_publishes(strata: bool) -> None:
    """By hand: 8, 10, 12 with eps = 1/10 and rho = 1 are published as 9 (see the algorithm)."""
    rows = column(8, 10, 12, 80, 100, 120)
    given: dict[str, Any] = {"algorithm": "secure-k-ward", "parameters": {"rho": 1}}
    if strata:
        given["strata"] = list("aaabbb")
    right = column(9, 9, 9, 90, 90, 90)
    found = checked(rows, right, 3, **given)
    assert {check.status for check in found.values()} == {"holds"}
    for wrong in ([10] * 3 + [100] * 3, [9] * 3 + [132] * 3, [9] * 3 + [91] * 3):
        assert checked(rows, column(*wrong), 3, **given)["aggregates"].status == "fails"
    other = column(9, 9, 90, 9, 90, 90)
    assert "fails" in {check.status for check in checked(rows, other, 3, **given).values()}


def test_secure_k_ward_with_groups_that_fall_together() -> None:
    """All values are 1, so that 9/10 and 11/10 are as near to each group's mean: the first of two
    groups of two takes 9/10, the second 11/10, which makes the sum 0."""
    rows = column(*[1] * 4)
    given: dict[str, Any] = {"algorithm": "secure-k-ward", "parameters": {"rho": 1}}
    for released, status in (
        ("0.9 0.9 1.1 1.1", "holds"),
        ("0.9 0.9 0.9 0.9", "fails"),
        ("1.1 1.1 1.1 1.1", "fails"),
    ):
        found = checked(rows, column(*released.split()), 2, **given)
        assert found["run of secure-k-ward"].status == status, released


def test_what_publishes_values_is_audited_by_itself() -> None:
    with pytest.raises(Exception, match="audit it by itself"):
        checked(column(1, 2), column(1, 2), 2, algorithm=["mdav", "secure-k-ward"])


def test_published_values_are_identified_by_what_is_published() -> None:
    """Zeros are two groups; 90 and 91 are published as 81, a tenth below 90, with rho = 1."""
    rows = [[x] for x in (0, 0, 0, 0, 10, 20, 31, 7, 22, 90, 91)]
    released = microaggregate(rows, 2, "secure-k-ward", parameters={"rho": 1}).values(exact=True)
    table = [[value] for value in released["x1"]]
    assert table[9:] == [[81], [81]]
    given: dict[str, Any] = {"k": 2, "algorithm": "secure-k-ward", "standardise": "none"}
    found = oracle.identify(rows, table, parameters={"rho": [1, "1/2"]}, **given).candidates
    assert {c.parameters.get("rho"): c.status for c in found} == {
        "1": "possible",
        None: "ruled out",
    }


@pytest.mark.parametrize(
    ("mean", "released", "status"),
    [
        ("1000", "999.995", "fails"),  # the six digits of 1000 are 1000.00
        ("999.9996", "1000", "holds"),
        ("1000.004", "1000", "holds"),
        ("1000.006", "1000", "fails"),
        ("-1000", "-999.995", "fails"),
    ],
)
def test_digits_next_to_a_power_of_ten_are_the_finer_ones(
    mean: str, released: str, status: str
) -> None:
    original = column(mean, mean, "3.00001", "3.00003")
    other = column(released, released, "3.00002", "3.00002")
    made = checked(original, other, 2)["aggregates"]
    assert made.status == status
    assert status == "fails" or "6 significant digits" in made.summary
