"""Certificates: what the solver writes is accepted, and nothing that is false is.

The truth comes from a dynamic program over sets of records, written here, which knows neither
distances nor prices. A certificate may be changed in any way and sealed again; then it is
rejected, or what it says is still true of the data.
"""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from copy import deepcopy
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from hashlib import sha256
from itertools import combinations
from math import lcm
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from oracle.certificate import check
from oracle.certificate.check import Proof, verify
from oracle.certificate.errors import Rejected
from oracle.certificate.exhaust import TooLong, cheapest_partition
from oracle.certificate.instance import Instance, weights_of
from oracle.certificate.reading import read_certificate
from oracle.certificate.search import Duals, groups_within
from oracle.optima import columns
from oracle.optima.solving import solve
from refagg.data.datasets import DATASETS, load
from refagg.data.known_optima import Known, known_optima
from refagg.data.standardise import standardise
from refagg.data.tables import table_of
from refagg.errors import InvalidConstraint, NoPartition
from refagg.language.partition import Partition
from refagg.release.measures import information_loss, sse, sst
from tests.places import ROOT
from tests.strategies import duplicates, examples, few_values, many_values, tables
from tests.suites import all_but

Json = dict[str, Any]
Group = tuple[int, ...]
Pair = tuple[int, int]
Path_ = tuple[str | int, ...]


# The truth


@dataclass(frozen=True)
class Request:
    """Records of integers, and what is asked of their partitions.

    `weights` are those of the attributes; `largest` is None for no limit.
    """

    rows: tuple[tuple[int, ...], ...]
    k: int
    largest: int | None = None
    together: tuple[Pair, ...] = ()
    apart: tuple[Pair, ...] = ()
    weights: tuple[Fraction, ...] | None = None

    @property
    def n(self) -> int:
        return len(self.rows)

    def allows(self, group: Sequence[int]) -> bool:
        return (
            self.k <= len(group) <= (self.largest or self.n)
            and all((a in group) == (b in group) for a, b in self.together)
            and not any(a in group and b in group for a, b in self.apart)
        )

    def cost(self, group: Sequence[int]) -> Fraction:
        """The squared deviations of a group from its mean."""
        total = Fraction(0)
        weights = self.weights or [Fraction(1)] * len(self.rows[0])
        for attribute, weight in enumerate(weights):
            values = [self.rows[record][attribute] for record in group]
            squares = len(values) * sum(x * x for x in values) - sum(values) ** 2
            total += weight * Fraction(squares, len(values))
        return total


@cache
def least(request: Request) -> Fraction | None:
    """The least SSE of a partition, over all partitions; None if there is none."""
    n = request.n
    groups = (g for size in range(request.k, n + 1) for g in combinations(range(n), size))
    exact = {sum(1 << r for r in g): request.cost(g) for g in groups if request.allows(g)}
    scale = lcm(1, *(cost.denominator for cost in exact.values()))
    costs = {members: int(cost * scale) for members, cost in exact.items()}

    @cache
    def best(left: int) -> int | None:
        if left == 0:
            return 0
        first = left & -left
        others = others_in = left ^ first
        found = None
        while True:
            cost = costs.get(first | others_in)
            if cost is not None and (rest := best(others ^ others_in)) is not None:
                found = cost + rest if found is None else min(found, cost + rest)
            if others_in == 0:
                return found
            others_in = (others_in - 1) & others

    whole = best((1 << n) - 1)
    return None if whole is None else Fraction(whole, scale)


def scaling(rows: Sequence[Sequence[int]], how: str) -> tuple[Fraction, ...]:
    """1 / variance of each attribute, 0 if it is constant; 1 without standardisation."""
    if how == "none":
        return (Fraction(1),) * len(rows[0])
    weights = []
    for column in zip(*rows, strict=True):
        squares = sum((x - Fraction(sum(column), len(column))) ** 2 for x in column)
        divisor = len(column) if how == "population" else len(column) - 1
        weights.append(Fraction(divisor / squares) if squares else Fraction(0))
    return tuple(weights)


def is_true(verdict: Proof, data: Json, rows: Sequence[tuple[int, ...]]) -> bool:
    """Is what a certificate says, and what the checker makes of it, true of the rows?"""
    request = Request(
        tuple(rows),
        data["k"],
        data["largest"],
        tuple(map(tuple, data["together"])),
        tuple(map(tuple, data["apart"])),
        scaling(rows, data["instance"]["standardise"]),
    )
    groups = data["partition"]
    truth = least(request)
    return (
        truth is not None
        and sorted(r for g in groups for r in g) == list(range(len(rows)))
        and all(map(request.allows, groups))
        and sum(map(request.cost, groups)) == verdict.value == Fraction(data["value"])
        and verdict.bound <= truth <= verdict.value
        and Fraction(data["bound"]) <= truth
        and (not verdict.optimal or verdict.value == truth)
    )


# Files


def written(folder: Path, rows: Sequence[Sequence[int]], names: Sequence[str] = ()) -> Path:
    """The rows as a CSV file, with columns x1, x2, ... or of these names."""
    path = folder / "data.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(names or [f"x{j + 1}" for j in range(len(rows[0]))])
        writer.writerows(rows)
    return path


def judged_text(
    text: str, rows: Sequence[Sequence[int]], executor: Executor | None = None
) -> Proof:
    """The verdict on the text of a certificate."""
    with TemporaryDirectory() as name:
        path = Path(name) / "certificate.json"
        path.write_text(text)
        return verify(path, written(Path(name), rows), executor=executor)


def sealed(data: Json) -> Json:
    """The certificate with the seal that belongs to it."""
    content = {key: value for key, value in data.items() if key != "seal"}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return {**content, "seal": sha256(text.encode()).hexdigest()}


def judged(data: Json, rows: Sequence[Sequence[int]], executor: Executor | None = None) -> Proof:
    """The verdict on a certificate that is sealed anew."""
    return judged_text(json.dumps(sealed(data)), rows, executor)


def reason(data: Json, rows: Sequence[Sequence[int]], executor: Executor | None = None) -> str:
    """Why a certificate is rejected, although it is sealed."""
    with pytest.raises(Rejected) as rejected:
        judged(data, rows, executor)
    return str(rejected.value)


# Certificates by hand


def certificate(
    rows: Sequence[Sequence[int]],
    k: int,
    largest: int,
    partition: Sequence[Sequence[int]],
    proof: Json,
    bound: Fraction | None = None,
) -> Json:
    """A certificate in units of 1 / lcm(sizes), without constraints; an optimum by default."""
    names = [f"x{j + 1}" for j in range(len(rows[0]))]
    lines = [json.dumps(names), *(",".join(map(str, row)) for row in rows)]
    value = sum(map(Request(tuple(map(tuple, rows)), k).cost, partition))
    return {
        "format": "refagg certificate 2",
        "instance": {
            "records": len(rows),
            "attributes": names,
            "standardise": "none",
            "digest": sha256("\n".join(lines).encode()).hexdigest(),
        },
        "objective": "sse",
        "k": k,
        "largest": largest,
        "together": [],
        "apart": [],
        "partition": [list(group) for group in partition],
        "value": str(value),
        "bound": str(value if bound is None else bound),
        "per_unit": "1",
        "parts": 1,
        "proof": proof,
    }


def duals(
    prices: Sequence[int], bound: int, cuts: Sequence[Any] = (), fewest: int = 0, most: int = 0
) -> Json:
    data = {"records": list(prices), "fewest": fewest, "most": most, "cuts": list(cuts)}
    return {"duals": {**data, "bound": bound}}


def infeasible(prices: Sequence[int], bound: int) -> Json:
    return {**duals(prices, bound), "infeasible": True}


SIX = [(0,), (1,), (2,), (10,), (11,), (12,)]
"""Two triples. A pair of neighbours costs 3 units, a triple 12; the target is 23."""

HALVES = [[0, 1, 2], [3, 4, 5]]


def by_cuts() -> Json:
    """The proof of the optimum of SIX by a 3-subset-row cut for each triple."""
    cuts = [[[0, 1, 2], [1, 1, 1], 2, -6], [[3, 4, 5], [1, 1, 1], 2, -6]]
    return certificate(SIX, 2, 3, HALVES, duals([9, 0, 9, 9, 0, 9], 24, cuts))


def by_tree() -> Json:
    """The same by two divisions; each half with the pair apart is infeasible."""
    second = {
        **duals([0, 0, 12, 6, -3, 6], 21),
        "pair": [3, 4],
        "together": duals([0, 0, 12, 0, 0, 12], 24),
        "apart": infeasible([0, 0, 0, 1, 1, -1], 1),
    }
    root = {
        **duals([6, -3, 6, 6, -3, 6], 18),
        "pair": [0, 1],
        "together": {**duals([0, 0, 0, 0, 0, 0], 0), "next": second},
        "apart": infeasible([1, 1, -1, 0, 0, 0], 1),
    }
    return certificate(SIX, 2, 3, HALVES, root)


def by_counting() -> Json:
    """The optimum of five records, by the greatest number of groups."""
    return certificate(SIX[:5], 2, 3, [[0, 1, 2], [3, 4]], duals([9, 0, 9, 4, 5], 15, most=-6))


def by_search() -> Json:
    """The optimum of SIX by what is left of its groups."""
    root = {**duals([6, -3, 6, 6, -3, 6], 18), "next": {**duals([0] * 6, 0), "searched": True}}
    return certificate(SIX, 2, 3, HALVES, root)


def by_units() -> Json:
    """The proof of `by_cuts`, with prices in multiples of three."""
    cuts = [[[0, 1, 2], [1, 1, 1], 2, -2], [[3, 4, 5], [1, 1, 1], 2, -2]]
    proof = duals([3, 0, 3, 3, 0, 3], 24, cuts)
    proof["duals"]["unit"] = 3
    return certificate(SIX, 2, 3, HALVES, proof)


HANDMADE = [by_cuts, by_tree, by_counting, by_search, by_units]


def rows_for(data: Json) -> list[tuple[int]]:
    return SIX[: data["instance"]["records"]]


@pytest.mark.parametrize("made", HANDMADE)
def test_a_proof_by_hand_is_accepted(made: Callable[[], Json]) -> None:
    data = made()
    verdict = judged(data, rows_for(data))
    assert verdict.optimal
    assert is_true(verdict, data, rows_for(data))


def test_the_lines_of_a_verdict() -> None:
    data = {**by_search(), "apart": [[0, 3]]}
    assert judged(data, SIX).lines() == [
        "accepted: SSE 4 is optimal: no partition of the 6 records into groups of 2 to 3 (k = 2) "
        "with 0-3 apart has less; attributes x1, as they are",
        "proof: 2 nodes, 16 groups within their gaps",
    ]
    data["bound"] = "7/3"
    assert judged(data, SIX).lines()[:2] == [
        "accepted: no partition of the 6 records into groups of 2 to 3 (k = 2) with 0-3 apart has "
        "an SSE below 7/3; attributes x1, as they are",
        "the partition has 4",
    ]


def test_the_example_of_the_documentation_is_accepted(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "certificate.md").read_text()
    blocks = dict(re.findall(r"```(text|json)\n(.*?)```", text, re.DOTALL))
    (tmp_path / "five.csv").write_text(blocks["text"])
    (tmp_path / "five.json").write_text(blocks["json"])
    verdict = verify(tmp_path / "five.json", tmp_path / "five.csv")
    assert (verdict.optimal, verdict.value, verdict.nodes) == (True, Fraction(5, 2), 1)
    costs = re.findall(r"\| (\d(?: \d)+) \| (\d+) \| (-?\d+) (?=\|)", text)
    assert len(costs) == 20
    for name, cost, pays in costs:
        group = tuple(map(int, name.split()))
        assert 6 * Request(tuple(SIX[:5]), 2).cost(group) == int(cost)
        assert sum([9, 0, 9, 4, 5][record] for record in group) - 6 == int(pays) <= int(cost)


# What the solver writes


@pytest.fixture(autouse=True, scope="module")
def _hurry() -> Iterator[None]:
    """A tree at once: how a proof is found is not tested here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "NARROW", 10**9)
        yield


@st.composite
def requests(draw: st.DrawFn, most: int = 12, constraints: bool = True) -> Request:
    """Integers with many ties, with few, or of at most three different records."""
    k = draw(st.integers(2, 4))
    n = draw(st.integers(max(4, k), most))
    table = st.one_of(tables(n, few_values), tables(n, many_values), duplicates(n))
    pairs = st.lists(
        st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda p: p[0] < p[1]),
        max_size=2 if constraints else 0,
        unique=True,
    )
    largest = draw(st.one_of(st.none(), st.integers(k, 2 * k)))
    return Request(
        tuple(map(tuple, draw(table))), k, largest, tuple(draw(pairs)), tuple(draw(pairs))
    )


def solved(request: Request, solver: str | None = None, how: str = "none") -> Json:
    """The certificate that the solver writes. Raises what it raises."""
    found = solve(
        standardise(table_of(request.rows), how),
        request.k,
        "columns",
        largest=request.largest,
        together=request.together,
        apart=request.apart,
        solver=solver,
    )
    assert found.certificate is not None
    return found.certificate


@examples(2)
@given(requests())
def test_a_certificate_of_the_solver_is_accepted_and_its_value_is_the_optimum(
    request: Request,
) -> None:
    try:
        data = solved(request)
    except InvalidConstraint:
        assume(False)
    except NoPartition:
        assert least(request) is None
        return
    verdict = judged_text(json.dumps(data), request.rows)
    assert verdict.optimal
    assert verdict.value == least(request)
    if request.largest is None:  # the default cap must be no limitation
        data["largest"] = request.n
    assert is_true(verdict, data, request.rows)


@pytest.mark.parametrize("how", ["population", "sample"])
@pytest.mark.parametrize("seed", range(4))
def test_on_standardised_scales(seed: int, how: str) -> None:
    random = Random(seed)
    rows = tuple((random.randrange(50), random.randrange(900), 7) for _ in range(9))
    request = Request(rows, 2 + seed % 2, weights=scaling(rows, how))
    verdict = judged_text(json.dumps(solved(request, how=how)), rows)
    assert verdict.optimal
    assert verdict.value == least(request)


# Changes by accident


@pytest.mark.parametrize("made", HANDMADE)
def test_no_digit_can_be_changed(made: Callable[[], Json], tmp_path: Path) -> None:
    data = sealed(made())
    text = json.dumps(data)
    path, table = tmp_path / "changed.json", written(tmp_path, rows_for(data))
    places = [place for place, character in enumerate(text) if character.isdigit()]
    assert len(places) > 90
    for place in places:
        for step in (1, 4):
            digit = str((int(text[place]) + step) % 10)
            path.write_text(text[:place] + digit + text[place + 1 :])
            with pytest.raises(Rejected, match=r"\w{3}"):
                verify(path, table)


@pytest.mark.long
@pytest.mark.parametrize("made", HANDMADE)
def test_no_character_can_be_lost_or_added(made: Callable[[], Json], tmp_path: Path) -> None:
    data = sealed(made())
    text = json.dumps(data)
    path, table = tmp_path / "changed.json", written(tmp_path, rows_for(data))
    for place in range(len(text)):
        piece = "" if place % 2 else text[place] + "1"
        path.write_text(text[:place] + piece + text[place + 1 :])
        if same_content(path.read_text(), data):  # white space
            assert verify(path, table).optimal
            continue
        with pytest.raises(Rejected, match=r"\w{3}"):
            verify(path, table)


def same_content(text: str, data: Json) -> bool:
    try:
        return bool(json.loads(text) == data)
    except ValueError:
        return False


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "7",
        '"refagg certificate 1"',
        "[" * 5000,
        "\x00",
        '{"format": "refagg certificate 3"}',
        '{"format": "refagg certificate 2"}',
        '{"format": "refagg certificate 1", "parts": 1.0}',
        '{"format": "refagg certificate 1", "parts": 1e0}',
        '{"format": "refagg certificate 1", "parts": NaN}',
        '{"format": "refagg certificate 1", "parts": ' + "9" * 5000 + "}",
    ],
)
def test_what_is_no_certificate_is_rejected(text: str) -> None:
    with pytest.raises(Rejected):
        judged_text(text, SIX)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    data = written(tmp_path, SIX)
    with pytest.raises(FileNotFoundError):
        verify(tmp_path / "none.json", data)
    (tmp_path / "some.json").write_text(json.dumps(sealed(by_cuts())))
    with pytest.raises(FileNotFoundError):
        verify(tmp_path / "some.json", tmp_path / "none.csv")


def test_floats_are_refused_even_if_they_are_whole() -> None:
    data = by_cuts()
    text = json.dumps(sealed({**data, "parts": 1.0}))
    with pytest.raises(Rejected, match=r"1\.0 is not an integer"):
        judged_text(text, SIX)


# Changes on purpose, sealed again


def leaves(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """The paths of all numbers and texts in a certificate."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, (*path, key))
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from leaves(part, (*path, place))
    else:
        yield path


def branches(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """The paths of everything that is in an object or a list."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in items:
        yield (*path, key)
        if isinstance(part, (dict, list)):
            yield from branches(part, (*path, key))


def at(data: Any, path: Path_) -> Any:
    for key in path:
        data = data[key]
    return data


def changed(data: Json, path: Path_, value: Any) -> Json:
    """A copy with another value at the path."""
    copy = deepcopy(data)
    at(copy, path[:-1])[path[-1]] = value
    return copy


def without(data: Json, path: Path_) -> Json:
    """A copy without what is at the path."""
    copy = deepcopy(data)
    del at(copy, path[:-1])[path[-1]]
    return copy


def others(value: Any) -> list[Any]:
    """Values to try in the place of a value."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value - 1, value + 1, -value, 0, 2 * value, value + 1000, -(10**30), 10**30]
    if re.fullmatch(r"-?\d+(/\d+)?", value):
        exact = Fraction(value)
        return [str(exact + step) for step in (1, -1, exact, -exact, Fraction(1, 7), -exact / 2)]
    return ["", value + "x", "population", "sample"]


def true_or_rejected(data: Json, rows: Sequence[tuple[int, ...]]) -> bool:
    """Was the certificate rejected? If not, it must be true."""
    try:
        verdict = judged(data, rows)
    except Rejected:
        return True
    assert is_true(verdict, data, rows), data
    return False


@pytest.mark.parametrize("made", HANDMADE)
def test_each_value_changed_and_sealed_again(made: Callable[[], Json]) -> None:
    data = made()
    fates = [
        true_or_rejected(changed(data, path, value), rows_for(data))
        for path in leaves(data)
        for value in others(at(data, path))
        if value != at(data, path)
    ]
    assert fates.count(True) > 150
    assert False in fates  # such as another, but sufficient price


@pytest.mark.parametrize("made", HANDMADE)
def test_each_part_removed_and_sealed_again(made: Callable[[], Json]) -> None:
    data = made()
    for path in branches(data):
        true_or_rejected(without(data, path), rows_for(data))


def with_right_bounds(node: Json, n: int, k: int, largest: int) -> Json:
    """The node, the bound of each set of duals computed from its prices."""
    node = dict(node)
    if "duals" in node:
        prices = node["duals"]
        bound = sum(prices["records"]) + prices["fewest"] * -(-n // max(largest, 1))
        bound += prices["most"] * (n // max(k, 1))
        bound += sum(price * (sum(w) // d) for _, w, d, price in prices["cuts"] if d > 0)
        node["duals"] = {**prices, "bound": bound * prices.get("unit", 1)}
    for key in ("next", "together", "apart"):
        if key in node:
            node[key] = with_right_bounds(node[key], n, k, largest)
    return node


def consistent(data: Json, rows: Sequence[tuple[int, ...]]) -> Json:
    """What a careful liar would write: value and bounds that belong to the rest, an optimum."""
    request = Request(
        tuple(rows), data["k"], weights=scaling(rows, data["instance"]["standardise"])
    )
    value = str(sum(map(request.cost, data["partition"]), Fraction(0)))
    proof = with_right_bounds(data["proof"], len(rows), data["k"], data["largest"])
    return {**data, "value": value, "bound": value, "proof": proof}


PRICED = ("records", "fewest", "most", "cuts", "unit")
LIES = (*PRICED, "swap", "k", "largest", "pair", "node", "scale")


def lie_about_prices(prices: Json, data: Json, random: Random, kind: str) -> None:
    """Change some duals."""
    amount = random.choice([1, -1, 3, -3, 10, -10, 100]) * data["parts"]
    if kind == "records":
        for _ in range(random.randrange(1, 4)):
            prices["records"][random.randrange(len(prices["records"]))] += amount
    elif kind in ("fewest", "most"):
        prices[kind] += amount
    elif kind == "cuts":
        n = data["instance"]["records"]
        members = random.sample(range(n), min(n, random.randrange(2, 6)))
        weights = [random.randrange(0, 4) for _ in members]
        prices["cuts"].append([members, weights, random.randrange(1, 4), -abs(amount)])
    elif kind == "unit":
        prices["unit"] = random.choice([-1, 0, 1, 2, 3, prices.get("unit", 1) + 1])


def lie(data: Json, random: Random, kind: str) -> Json:
    """One change of a kind; the data as they are if it does not apply."""
    data = deepcopy(data)
    nodes = [path for path in branches(data) if path[-1] in ("proof", "next", "together", "apart")]
    node = random.choice([at(data, path) for path in nodes if isinstance(at(data, path), dict)])
    if kind in PRICED:
        if prices := node.get("duals"):
            lie_about_prices(prices, data, random, kind)
    elif kind == "swap" and len(data["partition"]) > 1:
        a, b = random.sample(data["partition"], 2)
        a[0], b[-1] = b[-1], a[0]
    elif kind in ("k", "largest"):
        data[kind] += random.choice([-1, 1])
    elif kind == "pair":
        data[random.choice(["together", "apart"])] = [sorted(random.sample(range(4), 2))]
    elif kind == "node":
        node.update(random.choice([{"next": {}}, {"infeasible": True}, {"searched": True}]))
    elif kind == "scale":
        data["per_unit"] = str(Fraction(data["per_unit"]) * random.choice([2, Fraction(1, 3)]))
        data["parts"] *= random.choice([1, 2])
    return data


@examples(4)
@given(
    requests(most=8),
    st.lists(st.sampled_from(LIES), min_size=1, max_size=4),
    st.randoms(use_true_random=False),
)
def test_a_careful_liar(request: Request, kinds: list[str], random: Random) -> None:
    try:
        data = solved(request)
    except (InvalidConstraint, NoPartition):
        assume(False)
    for kind in kinds:
        data = lie(data, random, kind)
    true_or_rejected(consistent(data, request.rows), request.rows)


@examples(6)
@given(
    requests(most=7, constraints=False),
    st.lists(st.integers(-40, 40), min_size=7, max_size=7),
    st.integers(-20, 20),
)
def test_prices_out_of_thin_air(request: Request, prices: list[int], each: int) -> None:
    """Any prices at all, claimed to prove just what they add up to."""
    n, k = request.n, request.k
    largest = min(n, request.largest or 2 * k - 1)
    assume(-(-n // largest) <= n // k)
    partition = some_partition(n, k, largest)
    y = [price * (each or 1) for price in prices[:n]]
    data = certificate(request.rows, k, largest, partition, duals(y, sum(y)), Fraction(0))
    unit = lcm(*range(k, largest + 1))
    for bound in (Fraction(sum(y), unit), Fraction(data["value"])):
        true_or_rejected({**data, "bound": str(bound)}, request.rows)


def some_partition(n: int, k: int, largest: int) -> list[list[int]]:
    """Runs of records, as few groups as the sizes allow."""
    count = -(-n // largest)
    return [list(range(n))[i::count] for i in range(count)]


# Lies, one by one


def test_prices_raised_over_what_a_group_costs() -> None:
    data = changed(by_cuts(), ("proof", "duals", "records"), [9, 0, 9, 9, 0, 10])
    data["proof"]["duals"]["bound"] = 25
    assert re.search(r"proof: group \((\d, )+5\) has the reduced cost -1", reason(data, SIX))


def test_prices_so_high_that_nothing_is_left_to_search() -> None:
    """The bound exceeds the target by 2, and a group has the reduced cost -1 all the same."""
    data = changed(by_cuts(), ("proof", "duals", "records"), [9, 0, 9, 9, 0, 10])
    data["proof"]["duals"]["bound"] = 25
    data["proof"]["searched"] = True
    assert "has the reduced cost -1" in reason(data, SIX)


def test_a_bound_that_the_duals_do_not_give() -> None:
    data = changed(by_cuts(), ("proof", "duals", "bound"), 25)
    assert "the duals give the bound 24, not 25" in reason(data, SIX)


@pytest.mark.parametrize("claimed", ["5", "9/2", "4000000001/1000000000"])
def test_a_bound_that_the_proof_does_not_give(claimed: str) -> None:
    data = {**by_cuts(), "bound": claimed}
    assert "the proof gives the bound 4" in reason(data, SIX)


def test_a_bound_that_only_reaches_the_target() -> None:
    """The least cost is 24 units, and 23 are proved: what costs 23 is not ruled out."""
    cuts = by_cuts()["proof"]["duals"]["cuts"]
    data = certificate(SIX, 2, 3, HALVES, duals([9, 0, 9, 9, 0, 8], 23, cuts))
    assert "the proof gives the bound 23/6, not 4" in reason(data, SIX)
    assert judged({**data, "bound": "23/6"}, SIX).bound == Fraction(23, 6)


def test_the_least_number_of_groups() -> None:
    cuts = by_cuts()["proof"]["duals"]["cuts"]
    proof = duals([8, -1, 8, 8, -1, 8], 30 - 12 + 2 * 2, cuts, fewest=2)
    assert judged(certificate(SIX, 2, 3, HALVES, proof, Fraction(22, 6)), SIX).bound == Fraction(
        11, 3
    )
    proof = duals([8, -1, 8, 8, -1, 8], 24, cuts, fewest=2)
    assert "the duals give the bound 22, not 24" in reason(by_cuts() | {"proof": proof}, SIX)


def test_less_may_be_claimed_than_is_proved() -> None:
    verdict = judged({**by_cuts(), "bound": "7/2"}, SIX)
    assert (verdict.optimal, verdict.bound) == (False, Fraction(7, 2))


OPEN = duals([6, -3, 6, 6, -3, 6], 18)
"""Prices for SIX that leave the two triples and the pairs within them."""


def test_an_open_leaf_that_is_said_to_be_closed() -> None:
    data = certificate(SIX, 2, 3, HALVES, OPEN, Fraction(3))
    verdict = judged(data, SIX)
    assert (verdict.optimal, verdict.bound) == (False, 3)
    assert "the proof gives the bound 3, not 4" in reason({**data, "bound": "4"}, SIX)


def test_a_leaf_that_is_searched_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    data = certificate(SIX, 2, 3, HALVES, {**OPEN, "searched": True})
    assert judged(data, SIX).optimal
    assert "not 4" in reason(changed(data, ("proof", "searched"), False), SIX)
    assert "not 4" in reason(without(data, ("proof", "duals")), SIX)
    assert "searched to the end" in reason(changed(data, ("proof", "next"), OPEN), SIX)
    monkeypatch.setattr(check, "STEPS", 2)
    assert "not searched to the end in 2 steps" in reason(data, SIX)


def test_a_search_that_finds_what_is_little_cheaper() -> None:
    square = [(0, 0), (1, 0), (0, 1), (1, 2)]
    proof = {**duals([0] * 4, 0), "searched": True}
    assert judged(certificate(square, 2, 2, [[0, 1], [2, 3]], proof), square).optimal
    worse = certificate(square, 2, 2, [[0, 2], [1, 3]], proof)
    assert "proof: there is a cheaper partition, of 3/2" in reason(worse, square)


def test_a_group_that_uses_up_the_whole_gap_is_passed_on() -> None:
    """In units of 1/6, {0, 1} costs 0 and {2, 3, 4} 12: what is claimed to be least costs 13."""
    rows = [(0, 0, 0), (0, 0, 0), (1, 0, 0), (1, 0, 0), (2, 1, 1)]
    nothing = duals([0] * 5, 0)
    proof = {**nothing, "next": {**nothing, "searched": True}}
    right = certificate(rows, 2, 3, [[0, 1], [2, 3, 4]], proof)
    assert judged(right, rows).value == 2
    worse = certificate(rows, 2, 3, [[2, 4], [0, 1, 3]], proof)
    assert "there is a cheaper partition, of 2" in reason(worse, rows)


def test_a_bound_in_halves_of_a_unit() -> None:
    halves = duals([12, -6, 12, 12, -6, 12], 36)
    data = {**certificate(SIX, 2, 3, HALVES, halves, Fraction(3)), "parts": 2}
    assert judged(data, SIX).bound == 3
    assert "the proof gives the bound 3, not 4" in reason({**data, "bound": "4"}, SIX)


def test_distances_are_rounded_down() -> None:
    """In tenths of a unit neighbours cost nothing, and so the groups must pay nothing."""
    data = certificate(SIX, 2, 3, HALVES, duals([1] * 6, 6)) | {"per_unit": "1/10"}
    assert "has the reduced cost -" in reason(data, SIX)
    data = certificate(SIX, 2, 3, HALVES, duals([0] * 6, 0), Fraction(0)) | {"per_unit": "1/10"}
    assert judged(data, SIX).bound == 0


def test_a_value_that_the_partition_does_not_have() -> None:
    for value in ("3", "9/2", "0", "-4"):
        assert "the partition costs 4, not" in reason({**by_cuts(), "value": value}, SIX)


def test_two_records_swapped() -> None:
    swapped = [[0, 1, 5], [3, 4, 2]]
    data = {**by_cuts(), "partition": swapped}
    assert "the partition costs" in reason(data, SIX)
    data = consistent(data, SIX)
    assert "the proof gives the bound 4, not" in reason(data, SIX)
    data["proof"]["searched"] = True
    assert "cheaper partition, of 4" in reason(data, SIX)


@pytest.mark.parametrize(
    "partition",
    [
        [[0, 1, 2], [3, 4]],
        [[0, 1, 2], [3, 4, 5], []],
        [[0, 1, 2], [2, 3, 4, 5]],
        [[0, 1, 2], [3, 4, 4]],
        [[0, 1, 2], [3, 4, 6]],
        [[0, 1, 2], [3, 4, -1]],
        [[0, 1, 2], [3, 4, 5], [0, 1]],
        [[0, 1, 2], [2, 3], [4, 5]],
        [[0, 1, 2, 3], [4, 5]],
        [[0, 1, 2], [3, 4], [5]],
        [],
    ],
)
def test_what_is_no_partition(partition: list[list[int]]) -> None:
    told = reason({**by_cuts(), "partition": partition}, SIX)
    assert re.search(r"do not hold each record once|has [014] records", told)


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("k", 3, "reduced cost"),
        ("k", 4, "do not suit"),
        ("k", 0, "do not suit"),
        ("k", 1, "reduced cost"),
        ("largest", 2, "has 3 records"),
        ("largest", 7, "do not suit"),
        ("largest", 1, "do not suit"),
        ("per_unit", "0", "must be positive"),
        ("per_unit", "-1", "must be positive"),
        ("parts", 0, "at least 1"),
        ("parts", -1, "at least 1"),
        ("together", [[0, 3]], "against the constraints"),
        ("apart", [[0, 1]], "against the constraints"),
        ("apart", [[0, 0]], "names no two records"),
        ("together", [[0, 6]], "names no two records"),
        ("together", [[6, 0]], "names no two records"),
        ("together", [[-1, 0]], "names no two records"),
        ("objective", "sae", "'sae' is not 'sse'"),
        ("format", "refagg certificate 3", "format"),
        ("unknown", 1, "unknown"),
    ],
)
def test_another_request(key: str, value: Any, words: str) -> None:
    assert words in reason({**by_cuts(), key: value}, SIX)


@pytest.mark.parametrize("made", HANDMADE)
def test_the_first_format_is_read(made: Callable[[], Json]) -> None:
    data = {**made(), "format": "refagg certificate 1"}
    assert judged(data, rows_for(data)).optimal


@pytest.mark.parametrize(
    ("unit", "words"),
    [
        (0, "cannot be multiples of 0"),
        (-3, "cannot be multiples of -3"),
        (1, "the duals give the bound 8, not 24"),
        (2, "the duals give the bound 16, not 24"),
        ("3", "'3' is not an integer"),
        (True, "True is not an integer"),
    ],
)
def test_units_of_prices(unit: Any, words: str) -> None:
    data = by_units()
    data["proof"]["duals"]["unit"] = unit
    assert words in reason(data, SIX)


def test_a_unit_that_is_too_great() -> None:
    """Prices in multiples of 4 would prove 32, but a pair of neighbours costs 3 only."""
    data = by_units()
    data["proof"]["duals"] |= {"unit": 4, "bound": 32}
    assert "has the reduced cost -" in reason(data, SIX)


def test_prices_of_the_wrong_sign() -> None:
    triple = [[0, 1, 2], [1, 1, 1], 2]
    assert "price" in reason(
        certificate(SIX, 2, 3, HALVES, duals([0] * 6, 30, [[*triple, 30]])), SIX
    )
    assert "wrong sign" in reason(certificate(SIX, 2, 3, HALVES, duals([0] * 6, 3, most=1)), SIX)
    prices = [15] * 6
    data = certificate(SIX, 2, 3, HALVES, duals(prices, 90 - 60, fewest=-30))
    assert "wrong sign" in reason(data, SIX)


@pytest.mark.parametrize(
    "cut",
    [
        [[0, 1, 2], [1, 1, 1], 0, -1],
        [[0, 1, 2], [1, 1, 1], -2, -1],
        [[0, 1, 2], [1, 1, 1], 2, 1],
        [[0, 1, 2], [1, -1, 1], 1, -1],
        [[0, 0, 2], [1, 1, 1], 2, -1],
        [[0, 1, 2], [1, 1], 2, -1],
        [[0, 1, 2], [1, 1, 1], 2],
        [[0, 1, 2], [1, 1, True], 2, -1],
    ],
)
def test_cuts_that_are_none(cut: list[Any]) -> None:
    data = by_cuts()
    data["proof"]["duals"]["cuts"].append(cut)
    assert re.search("wrong sign|one weight for each|not well formed", reason(data, SIX))


def test_a_cut_of_other_records_than_it_seems() -> None:
    """Records that do not exist only weaken a cut."""
    data = by_cuts()
    data["proof"]["duals"]["cuts"].append([[7, -1], [4, 4], 4, -3])
    data["proof"]["duals"]["bound"] -= 6
    true_or_rejected(data, SIX)


@pytest.mark.parametrize("half", ["together", "apart"])
def test_a_division_without_a_half(half: str) -> None:
    data = by_tree()
    assert "both of its halves" in reason(without(data, ("proof", half)), SIX)
    assert "not 4" in reason(changed(data, ("proof", half), {}), SIX)


def test_a_division_by_another_pair() -> None:
    assert reason(changed(by_tree(), ("proof", "pair"), [0, 3]), SIX)
    assert reason(changed(by_tree(), ("proof", "pair"), [0, 0]), SIX)
    assert reason(changed(by_tree(), ("proof", "pair"), [0, 9]), SIX)


def test_a_division_of_groups_that_nobody_has_listed() -> None:
    data = without(by_tree(), ("proof", "duals"))
    assert "before any duals" in reason(data, SIX)


def test_a_node_that_goes_on_and_is_divided() -> None:
    data = changed(by_tree(), ("proof", "next"), {})
    assert "is divided, goes on" in reason(data, SIX)


def test_a_farkas_proof_for_a_leaf_that_has_partitions() -> None:
    together = ("proof", "together")
    nothing = changed(by_tree(), together, infeasible([0] * 6, 0))
    assert "nothing proves" in reason(nothing, SIX)
    for prices in ([1, 1, -1, 0, 0, 0], [0, 0, 1, 0, 0, 0], [1, 1, 1, -1, -1, -1]):
        forged = changed(by_tree(), together, infeasible(prices, sum(prices)))
        assert re.search("pays more than nothing|nothing proves", reason(forged, SIX))
    forged = certificate(SIX, 2, 3, HALVES, infeasible([1, 1, -1, 0, 0, 0], 1))
    assert "nothing proves" in reason(forged, SIX)  # of all groups, not of a list


def test_a_farkas_proof_by_the_number_of_groups() -> None:
    # With 0 and 1 apart, {0, 2} and {1, 2} are left of the first half, and pay 2 for their records
    # and -2 as groups; of the second half the triple pays 2, a pair at most 2. At most three
    # groups: 11 + 11 - 9 + 1 + 1 + 0 - 3 * 2 = 9.
    proof = infeasible([11, 11, -9, 1, 1, 0], 9)
    proof["duals"]["most"] = -2
    data = changed(by_tree(), ("proof", "apart"), proof)
    assert judged(data, SIX).optimal


@pytest.mark.parametrize("together", [[[0, 1]], [[1, 0]], [[5, 3], [4, 3]]])
def test_a_constraint_names_its_records_in_any_order(together: list[list[int]]) -> None:
    assert judged({**by_cuts(), "together": together}, SIX).optimal


def test_no_record_is_left_without_groups_by_a_division() -> None:
    for half in ("together", "apart"):
        for record in range(6):
            alone = infeasible([int(record == other) for other in range(6)], 1)
            forged = changed(by_tree(), ("proof", half), alone)
            assert f"proof.{half}: group" in reason(forged, SIX)


def test_the_word_infeasible_alone_proves_nothing() -> None:
    assert "the bound 0" in reason(certificate(SIX, 2, 3, HALVES, {"infeasible": True}), SIX)
    data = certificate(SIX, 2, 3, HALVES, {**duals([0] * 6, 0), "next": {"infeasible": True}})
    assert "the bound 0" in reason(data, SIX)


def test_data_with_one_cell_changed(tmp_path: Path) -> None:
    rows = [(3, 5), (1, 4), (9, 2), (6, 5), (3, 8)]
    data = solved(Request(tuple(rows), 2))
    assert judged(data, rows).optimal
    for record in range(len(rows)):
        for attribute in range(2):
            cell = [list(row) for row in rows]
            cell[record][attribute] += 1
            assert "is not the data" in reason(data, cell)
    assert "is not the data" in reason(data, rows[:-1])
    assert "is not the data" in reason(data, [*rows, rows[0]])
    assert "is not the data" in reason(data, [rows[1], rows[0], *rows[2:]])


@pytest.mark.parametrize(("delimiter", "encoding"), [(";", "utf-8"), (",", "utf-8-sig")])
def test_data_as_other_programs_write_them(tmp_path: Path, delimiter: str, encoding: str) -> None:
    path, data = tmp_path / "certificate.json", tmp_path / "data.csv"
    path.write_text(json.dumps(solved(Request(((3, 5), (1, 4), (9, 2), (6, 5)), 2))))
    data.write_text("x1,x2\n3,5\n1,4\n9,2\n6,5\n".replace(",", delimiter), encoding=encoding)
    assert verify(path, data, delimiter).optimal


@pytest.mark.parametrize("rows", [[0, 2], [1, 2, 6], [4, 4, 5, 9, 9]])
def test_scores_have_as_many_squares_as_their_variance_divides_by(rows: list[int]) -> None:
    for scale, divisor in (("population", len(rows)), ("sample", len(rows) - 1)):
        values, n = [(Fraction(x),) for x in rows], len(rows)
        instance = Instance(values, weights_of(values, scale), n, n, [], [], Fraction(1), 1)
        assert instance.sse(tuple(range(n))) == divisor


def test_attributes_permuted(tmp_path: Path) -> None:
    rows = [(3, 50), (1, 40), (9, 20), (6, 50), (3, 80)]
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(solved(Request(tuple(rows), 2))))
    turned = [row[::-1] for row in rows]
    assert verify(path, written(tmp_path, turned, ["x2", "x1"])).optimal  # found by name
    with pytest.raises(Rejected, match="is not the data"):
        verify(path, written(tmp_path, turned, ["x1", "x2"]))
    with pytest.raises(Rejected, match="attributes x1, x2"):
        verify(path, written(tmp_path, rows, ["x1", "x3"]))
    with pytest.raises(Rejected, match="attributes x1, x2"):
        verify(path, written(tmp_path, rows, ["x1", "x1"]))
    data = json.loads(path.read_text())
    data["instance"]["attributes"] = ["x2", "x1"]
    assert "is not the data" in reason(data, rows)


def test_numbers_may_be_written_in_other_ways(tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(sealed(by_cuts())))
    (tmp_path / "data.csv").write_text("x1,name\n0,a\n1.0,b\n2e0,c\n1e1,d\n11,e\n12,f\n")
    assert verify(path, tmp_path / "data.csv").optimal
    (tmp_path / "data.csv").write_text("x1\n0\n1\n2\n10\n11\ntwelve\n")
    with pytest.raises(Rejected, match="without a number"):
        verify(path, tmp_path / "data.csv")


def test_a_cap_that_makes_the_claim_smaller() -> None:
    """Under a cap of 2 the pairs are optimal; the same proof is none for groups of up to 3."""
    rows = ((0,), (1,), (2,), (3,), (50,), (51,))
    data = solved(Request(rows, 2, 2))
    assert judged(data, rows).certificate.largest == 2
    assert judged(data, rows).value == least(Request(rows, 2, 2))
    rows = ((0,), (1,), (2,), (50,), (51,), (52,))
    capped = solved(Request(rows, 2, 2))
    true_or_rejected(capped, rows)
    assert reason(consistent({**capped, "largest": 3}, rows), rows)


# One group among many


def test_each_group_is_looked_at() -> None:
    """Prices that are the cost of one group and far too low for others; then higher by 1."""
    request = Request(tuple(NINE), 2, 3)
    for group in (g for size in (2, 3) for g in combinations(range(9), size)):
        cost = int(6 * request.cost(group))
        prices = [10**8 if record in group else -(10**11) for record in range(9)]
        most = cost - sum(prices[record] for record in group)
        proof = duals(prices, sum(prices) + 4 * most, most=most)
        data = certificate(NINE, 2, 3, THIRDS, proof, Fraction(sum(prices) + 4 * most, 6))
        assert judged(data, NINE).bound == Fraction(data["bound"])
        proof["duals"]["records"][group[-1]] += 1
        proof["duals"]["bound"] += 1
        assert f"group {group} has the reduced cost -1" in reason(data, NINE)


NINE = [(17 * i % 23, 1000 * (i // 3)) for i in range(9)]
THIRDS = [[0, 1, 2], [3, 4, 5], [6, 7, 8]]


@pytest.mark.parametrize("seed", range(6))
def test_the_proof_of_another_question(seed: int) -> None:
    """A liar keeps two records apart that the optimum has together, and does not say so.

    The only groups that refute it are among the last of the records, far from all others.
    """
    random = Random(seed)
    rows = [(random.randrange(300), random.randrange(300)) for _ in range(24)]
    rows += [(5000 + random.randrange(9), 5000), (5010 + random.randrange(9), 5000)]
    request = Request(tuple(rows), 2, apart=((24, 25),))
    data = solved(request)
    assert judged(data, rows).optimal
    told = reason({**data, "apart": []}, rows)
    assert re.search(r"group \((\d+, )?24, 25\) has the reduced cost -", told)


def test_a_verdict_does_not_depend_on_who_works(processes: Executor, threads: Executor) -> None:
    for seed, n in enumerate((9, 26, 66)):
        random = Random(seed)
        rows = [(random.randrange(200), random.randrange(200)) for _ in range(n)]
        data = solved(Request(tuple(rows), 2, together=((0, 5),), apart=((1, 2), (0, 3))))
        alone = judged(data, rows)
        assert alone.optimal
        forged = {**data, "apart": [], "together": []}
        assert "reduced cost" in reason(forged, rows)
        for executor in (processes, threads):
            assert judged(data, rows, executor) == alone
            assert "reduced cost" in reason(forged, rows, executor)


@pytest.fixture(scope="module")
def processes() -> Iterator[Executor]:
    with ProcessPoolExecutor(2) as executor:
        yield executor


@pytest.fixture(scope="module")
def threads() -> Iterator[Executor]:
    with ThreadPoolExecutor(2) as executor:
        yield executor


def test_a_single_record(threads: Executor) -> None:
    data = certificate([(5,)], 1, 1, [[0]], duals([0], 0))
    assert judged(data, [(5,)]).optimal
    assert judged(data, [(5,)], threads).optimal


# The searches of the checker


def with_distances(distances: list[list[int]], k: int, largest: int) -> Instance:
    """Records of which only the distances are known."""
    rows = [(Fraction(0),)] * len(distances)
    instance = Instance(rows, [Fraction(1)], k, largest, [], [], Fraction(1), 1)
    instance.__dict__["distances"] = distances
    return instance


@st.composite
def searches(draw: st.DrawFn) -> tuple[Instance, Duals, int]:
    """Distances that need not keep the triangle inequality, prices, cuts, a limit."""
    n = draw(st.integers(2, 9))
    number = st.integers(0, 30)
    distances = [[0] * n for _ in range(n)]
    for a, b in combinations(range(n), 2):
        distances[a][b] = distances[b][a] = draw(number)
    k = draw(st.integers(1, min(4, n)))
    largest = min(n, draw(st.integers(k, 2 * k + 1)))
    unit = lcm(*range(k, largest + 1))
    price = st.integers(-20 * unit, 40 * unit)
    weights = st.dictionaries(st.integers(0, n - 1), st.integers(0, 3), min_size=1, max_size=5)
    cut = st.tuples(weights, st.integers(1, 4), st.integers(-30 * unit, 0))
    duals = Duals(
        draw(st.lists(price, min_size=n, max_size=n)),
        draw(st.integers(0, 5 * unit)),
        draw(st.integers(-20 * unit, 0)),
        [(list(w), list(w.values()), divisor, p) for w, divisor, p in draw(st.lists(cut))],
        0,
    )
    pairs = st.lists(st.sampled_from(list(combinations(range(n), 2))), max_size=1)
    instance = replace(with_distances(distances, k, largest), together=draw(pairs))
    instance = replace(instance, apart=draw(pairs))
    instance.__dict__["distances"] = distances
    return instance, duals, draw(st.integers(-40 * unit, 40 * unit))


@examples(8)
@given(searches())
def test_the_search_finds_each_group_within_the_limit_once(
    drawn: tuple[Instance, Duals, int],
) -> None:
    instance, duals, limit = drawn
    expected = naive_search(instance, duals, limit)
    assert sorted(groups_within(instance, duals, limit, range(instance.n))) == expected
    anchors = [range(first, instance.n, 3) for first in range(3)]
    found = [list(groups_within(instance, duals, limit, some)) for some in anchors]
    assert sorted(priced for part in found for priced in part) == expected


def test_a_pair_whose_cost_is_the_limit_is_found() -> None:
    instance = with_distances([[0, 5, 9], [5, 0, 4], [9, 4, 0]], 2, 2)
    dear = [(4, (1, 2)), (5, (0, 1)), (9, (0, 2))]
    for limit, number in ((3, 0), (4, 1), (5, 2), (8, 2), (9, 3)):
        found = groups_within(instance, Duals([0, 0, 0], 0, 0, [], 0), limit, range(3))
        assert sorted(found) == dear[:number]


@pytest.mark.parametrize("seed", range(20))
def test_a_record_too_dear_for_the_gap_may_be_made_up_for_by_others(seed: int) -> None:
    """Groups of 4 and 5 with prices that exceed many distances."""
    random = Random(seed)
    for _ in range(10):
        size, limit = random.choice([4, 5]), random.randrange(-10, 20)
        distances = [[0] * 8 for _ in range(8)]
        for a, b in combinations(range(8), 2):
            distances[a][b] = distances[b][a] = random.randrange(12)
        instance = with_distances(distances, size, size)
        prices = [random.randrange(5, 30) for _ in range(8)]
        duals = Duals(prices, 0, -random.randrange(20), [], 0)
        found = groups_within(instance, duals, limit, range(8))
        assert sorted(found) == naive_search(instance, duals, limit)


def naive_search(instance: Instance, duals: Duals, limit: int) -> list[tuple[int, Group]]:
    """All groups with their reduced costs, written out."""
    request = Request(
        ((0,),) * instance.n, instance.k, None, tuple(instance.together), tuple(instance.apart)
    )
    sizes = range(instance.k, instance.largest + 1)
    found = []
    for group in (g for size in sizes for g in combinations(range(instance.n), size)):
        distances = sum(instance.distances[a][b] for a, b in combinations(group, 2))
        value = lcm(*sizes) // len(group) * distances - duals.fewest - duals.most
        value -= sum(duals.records[record] for record in group)
        for records, weights, divisor, price in duals.cuts:
            weight = sum(w for r, w in zip(records, weights, strict=True) if r in group)
            value -= price * (weight // divisor)
        if value <= limit and request.allows(group):
            found.append((value, group))
    return sorted(found)


@st.composite
def lists(draw: st.DrawFn) -> tuple[int, list[tuple[int, Group]], int, dict[Group, Fraction]]:
    """Records, groups with reduced costs, a budget, and the costs of the groups."""
    n = draw(st.integers(1, 8))
    group = st.sets(st.integers(0, n - 1), min_size=1, max_size=3).map(lambda s: tuple(sorted(s)))
    groups = draw(st.lists(group, unique=True, max_size=24))
    priced = [(draw(st.integers(0, 6)), g) for g in groups]
    values = st.fractions(0, 9, max_denominator=6)
    return n, priced, draw(st.integers(0, 30)), {g: draw(values) for g in groups}


def covers(
    left: tuple[int, ...], groups: Sequence[tuple[int, Group]]
) -> Iterator[list[tuple[int, Group]]]:
    """Every partition of the records into some of the groups."""
    if not left:
        yield []
        return
    for reduced, group in groups:
        if group[0] == left[0] and set(group) <= set(left):
            rest = tuple(record for record in left if record not in group)
            yield from ([(reduced, group), *others] for others in covers(rest, groups))


@examples(8)
@given(lists())
def test_the_search_to_the_end(
    drawn: tuple[int, list[tuple[int, Group]], int, dict[Group, Fraction]],
) -> None:
    """What is within the budget is found, and nothing that is no partition.

    Parts that share no record have the budget each, so that more than the budget can be found.
    """
    n, groups, budget, values = drawn
    every = [
        (sum(r for r, _ in cover), sum(values[g] for _, g in cover), cover)
        for cover in covers(tuple(range(n)), groups)
    ]
    within = [value for reduced, value, _ in every if reduced <= budget]
    found = cheapest_partition(n, groups, budget, values.__getitem__, 10**6)
    if found is None:
        assert not within
        return
    assert sorted(r for g in found.groups for r in g) == list(range(n))
    assert found.cost == sum(values[group] for group in found.groups)
    assert min(value for _, value, _ in every) <= found.cost <= min(within, default=found.cost)
    free = cheapest_partition(n, groups, 10**6, values.__getitem__, 10**6)
    assert free is not None
    assert free.cost == min(value for _, value, _ in every)


@examples(2)
@given(lists(), st.integers(0, 12))
def test_a_search_that_is_cut_short_says_so(
    drawn: tuple[int, list[tuple[int, Group]], int, dict[Group, Fraction]], steps: int
) -> None:
    n, groups, budget, values = drawn
    full = cheapest_partition(n, groups, budget, values.__getitem__, 10**6)
    try:
        short = cheapest_partition(n, groups, budget, values.__getitem__, steps)
    except TooLong:
        return
    assert short == full


# Independence


def test_the_checker_knows_nothing_of_solvers() -> None:
    program = "import sys, oracle.certificate.check; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    modules = set(done.stdout.split())
    ours = {name for name in modules if name.split(".")[0] in ("oracle", "refagg")}
    assert "oracle.certificate.check" in ours
    assert "oracle.certificate.wording" not in ours  # what no check relies on
    assert all(name == "oracle" or name.startswith("oracle.certificate") for name in ours)
    assert not {name.split(".")[0] for name in modules} & {"pulp", "highspy", "numpy", "scipy"}


# The optima that ship


FOLDER = ROOT / "tests" / "certificates"


SLOW = [one for one in known_optima() if (one.dataset, one.k) != ("census", 2)]
"""To read these certificates, of many megabytes when unpacked, takes long."""


@pytest.mark.parametrize(
    "known", all_but(known_optima(), SLOW), ids=lambda known: f"{known.dataset}-{known.k}"
)
def test_a_shipped_optimum_is_the_one_of_its_certificate(known: Known) -> None:
    certificate = read_certificate(FOLDER / f"{known.dataset}-{known.k}.json.gz")
    assert (certificate.value, certificate.bound) == (known.value, known.bound)
    instance = certificate.instance
    assert (instance.attributes, instance.digest) == (known.attributes, known.digest)
    assert Partition.of(certificate.partition) == known.partition
    assert (certificate.k, certificate.instance.standardise) == (known.k, known.standardise)
    assert certificate.largest == 2 * known.k - 1
    assert not certificate.together + certificate.apart


@pytest.mark.long
@pytest.mark.reference_data
@pytest.mark.parametrize("known", known_optima(), ids=lambda known: f"{known.dataset}-{known.k}")
def test_the_certificate_of_a_shipped_optimum_is_accepted(known: Known, data_folder: Path) -> None:
    scaled = standardise(load(known.dataset), known.standardise)
    data = data_folder / DATASETS[known.dataset].file
    verdict = verify(FOLDER / f"{known.dataset}-{known.k}.json.gz", data)
    assert verdict.optimal == known.optimal
    assert (verdict.value, verdict.bound) == (sse(scaled, known.partition), known.bound)


@pytest.mark.reference_data
def test_the_shipped_partitions_are_what_other_work_reached_or_better(data_folder: Path) -> None:
    """Two optima and one partition of other work; the others had only found worse ones."""
    losses = {}
    for known in known_optima():
        scaled = standardise(load(known.dataset), known.standardise)
        loss = information_loss(sse(scaled, known.partition), sst(scaled))
        losses[known.dataset, known.k] = f"{float(loss):.6f}"
        assert losses[known.dataset, known.k] == known.information_loss
    same = {("census", 2): "2.758267", ("census", 3): "4.667936", ("tarragona", 3): "14.467342"}
    best = {("census", 4): 6.0301, ("census", 5): 7.2404}
    best |= {("tarragona", 4): 17.1206, ("tarragona", 5): 20.1685, ("eia", 3): 0.349585}
    assert losses.items() >= same.items()
    assert losses.keys() - same.keys() <= best.keys()
    assert all(float(losses[key]) < best[key] for key in losses.keys() - same.keys())


def test_duals_give_the_bound_that_they_add_up_to_and_no_other() -> None:
    """By hand: four records at 3, no more than two groups at -2, two or more at 1: 12 - 4 + 2."""
    rows = [(0,), (1,), (8,), (9,)]
    instance = Instance(rows, [Fraction(1)], 2, 3, [], [], Fraction(1), 1)
    assert Duals([3] * 4, 1, -2, [], 10).checked_bound(instance) == 10
    for claimed in (9, 11):
        with pytest.raises(Rejected, match=f"the duals give the bound 10, not {claimed}"):
            Duals([3] * 4, 1, -2, [], claimed).checked_bound(instance)
