"""The least sum of absolute deviations, against all partitions and the library's medians.

The expected values come from `statistics.median` and from partitions that are listed here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from statistics import median

import pytest

import oracle
from oracle.commands.main import main
from refagg.errors import InvalidParameter

Rows = list[list[int]]


def partitions(records: list[int], k: int) -> Iterator[list[list[int]]]:
    """All partitions of records into groups of at least k, of any size."""
    if not records:
        yield []
        return
    first, rest = records[0], records[1:]
    for chosen in range(1 << len(rest)):
        company = [record for place, record in enumerate(rest) if chosen >> place & 1]
        others = [record for record in rest if record not in company]
        if len(company) + 1 >= k:
            yield from ([[first, *company], *more] for more in partitions(others, k))


def deviation(rows: Rows, group: list[int], divisors: list[Fraction]) -> Fraction:
    """Absolute deviations from the medians; a constant attribute has the divisor 0."""
    total = Fraction(0)
    for column, divisor in zip(zip(*rows, strict=True), divisors, strict=True):
        values = [Fraction(column[record]) for record in group]
        if divisor:
            total += sum(abs(x - median(values)) for x in values) / divisor
    return total


def divisors(rows: Rows, how: str) -> list[Fraction]:
    ranges = [Fraction(max(c) - min(c)) for c in zip(*rows, strict=True)]
    return ranges if how == "range" else [Fraction(1)] * len(ranges)


@pytest.mark.parametrize("how", ["none", "range"])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_methods_find_the_least_deviation(how: str, k: int) -> None:
    random = Random(f"{how} {k}")
    for _ in range(4):
        n, p, top = random.randint(k, 7), random.randint(1, 3), random.choice([2, 9, 10**12])
        rows = [[random.randint(-top, top) for _ in range(p)] for _ in range(n)]
        parts = divisors(rows, how)
        least = min(
            sum(deviation(rows, group, parts) for group in groups)
            for groups in partitions(list(range(n)), k)
        )
        methods = ["auto", "exhaustive", "subsets", "ilp", *(["univariate"] if p == 1 else [])]
        for method in methods:
            found = oracle.optimum(
                rows,
                k,
                objective="absolute",
                standardise=how,  # type: ignore[arg-type]
                method=method,  # type: ignore[arg-type]
            )
            assert (found.status, found.value, found.bound) == ("optimal", least, least)
            groups = [list(group) for group in found.partition.groups]
            assert sum(deviation(rows, group, parts) for group in groups) == least
            assert min(map(len, groups)) >= k


def test_one_attribute_by_the_shortest_path() -> None:
    random = Random(3)
    for _ in range(60):
        n, k = random.randint(1, 9), random.randint(1, 4)
        if n < k:
            continue
        rows = [[random.randint(0, 12)] for _ in range(n)]
        largest = random.choice([None, None, 2 * k - 1, n])
        found = [
            oracle.optimum(
                rows,
                k,
                objective="absolute",
                standardise="none",
                method=method,  # type: ignore[arg-type]
                largest=largest,
            ).value
            for method in ("univariate", "subsets")
        ]
        assert found[0] == found[1]


def test_pairs_that_are_together_or_apart() -> None:
    rows = [[1], [2], [10], [11]]
    found = oracle.optimum(rows, 2, objective="absolute", standardise="none", apart=[(0, 1)])
    assert (found.value, found.method) == (18, "subsets")  # by hand: 9 + 9, however they are paired
    found = oracle.optimum(rows, 2, objective="absolute", standardise="none", together=[(0, 2)])
    assert found.value == 18


def test_weights_count_once() -> None:
    found = oracle.optimum(
        [[0, 0], [1, 10]],
        2,
        objective="absolute",
        kinds={"x1": "numeric", "x2": "numeric"},
        standardise="range",
        weights={"x2": 3},
    )
    assert found.value == 1 + 3


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"standardise": "population"}, "the scale can be none or range"),
        ({"method": "columns"}, "columns computes the SSE"),
        ({"method": "univariate"}, "univariate needs one attribute"),
        (
            {"kinds": {"x2": "nominal"}},
            "deviations are those of numbers, and 'x2' is nominal",
        ),
        ({"cost": len}, "a cost is an objective of its own"),
    ],
)
def test_what_cannot_be_proved_is_refused(given: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        oracle.optimum([[1, 2], [3, 4], [5, 7]], 2, objective="absolute", **given)  # type: ignore[arg-type]


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, out = tmp_path / "in.csv", tmp_path / "out.json"
    table.write_text("x\n1\n2\n9\n8\n30\n")
    words = ["optimum", str(table), "-k", "2", "--objective", "absolute", "--standardise", "none"]
    assert main([*words, "--json", str(out)]) == 0
    # Medians 1.5 and 9: 1 + (1 + 0 + 21). All around 8: 7 + 6 + 1 + 0 + 22 = 36.
    assert "sum of absolute deviations 23, information loss 63.88889 %" in capsys.readouterr().out
    data = json.loads(out.read_text())
    assert (data["objective"], data["absolute_deviation_exact"]) == ("absolute", "23")
    assert main([*words, "--certificate", str(tmp_path / "c.json")]) == 2
    assert "a certificate covers the SSE" in capsys.readouterr().err
