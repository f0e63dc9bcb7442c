"""What the study of clustering lists of Census: each check is worked out here from the digits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import dist
from pathlib import Path
from typing import Any

import pytest

from refagg import datasets
from refagg.literature import ledger
from refagg.literature.claims import Claim, sources
from refagg.literature.verdicts import LedgerRow
from tests.literature.statements import of_uoc16 as uoc16
from tests.literature.statements.of_uoc16_listings import (
    CENTRES,
    CLU,
    GROUPS,
    PROTECTED,
    SIZES,
    UNLIKE,
    VECTOR,
)

Row = tuple[int, ...]


def census() -> list[Row]:
    table = datasets.load("census")
    columns = [list(map(int, c.values(range(table.n)))) for c in table.columns]
    return list(zip(*columns, strict=True))


LISTINGS = (
    "Section 3, Census",
    "Section 4, Census",
    *(f"Section 4.1, {what}" for what in ("clu", "protected", "groups")),
    "Section 4.2, clustering vector",
)


def listing(place: str) -> list[Claim]:
    return [c for c in sources()["UOC16"].claims if f"{c.place}, ".startswith(f"{place}, ")]


def rows_of(claims: list[Claim]) -> list[LedgerRow]:
    return list(ledger.rows_of_claims(claims))


@pytest.mark.reference_data
@pytest.mark.parametrize("table", LISTINGS)
def test_what_is_listed_is_exact(table: str, data_folder: Path) -> None:
    for row in rows_of(listing(table)):
        first = int(row.place.rpartition("[")[2].rstrip("]")) if "vector" in row.place else None
        verdict = "claim true" if row.place == "Section 4.1, groups" else "exact"
        assert row.verdict == ("misprint" if first in UNLIKE else verdict), row


@pytest.mark.reference_data
@pytest.mark.parametrize(
    ("place", "wrong"),
    [
        ("Section 4, Census, record 3, ERNVAL", "56001"),
        ("Section 4.1, protected, record 1080, AGI", "36981.50"),
        ("Section 4.2, Census, kmeans(census, 3), cluster 1, AGI", "58428.83"),
    ],
)
def test_a_wrong_digit_of_a_listing_is_noticed(place: str, wrong: str, data_folder: Path) -> None:
    (given,) = listing(place)
    (row,) = rows_of([replace(given, printed=wrong)])
    assert row.verdict == "differs"


@pytest.mark.reference_data
def test_only_one_set_of_four_has_the_mean_of_a_protected_record(data_folder: Path) -> None:
    """Each record is one integer, its values the digits: sums of four have no carry."""
    base = 10**8
    codes = [sum(x * base**j for j, x in enumerate(row)) for row in census()]
    record_of = {code: record for record, code in enumerate(codes, 1)}
    assert len(record_of) == len(codes) == 1080
    assert all(0 <= 4 * x < base for row in census() for x in row)
    for group, (record, digits) in zip(GROUPS, PROTECTED.items(), strict=True):
        total = sum(int(4 * Fraction(x)) * base**j for j, x in enumerate(digits.split()))
        rest = total - codes[record - 1]
        found = set()
        for a, one in enumerate(codes, 1):
            left = rest - one
            for b in range(a + 1, 1081):
                c = record_of.get(left - codes[b - 1])
                if c is not None and len({record, a, b, c}) == 4:
                    found.add(frozenset((record, a, b, c)))
        assert found == {frozenset(group)}, record
        assert group[0] == record


@pytest.mark.reference_data
def test_the_groups_are_nearest_between_z_scores_only(data_folder: Path) -> None:
    """With distances between the values, no line of the three formed first would be as printed."""
    rows = census()
    left = set(range(1, 1081))
    for line in (270, 269, 268):
        *others, seed = map(int, CLU[line].split())
        near = sorted(left - {seed}, key=lambda r: dist(rows[r - 1], rows[seed - 1]))
        assert near[:3] != others[::-1]
        left -= {seed, *others}


def nearest_centre(row: Sequence[int]) -> str:
    centres = [list(map(float, centre.split())) for centre in CENTRES]
    apart = [dist(row, centre) for centre in centres]
    return str(apart.index(min(apart)) + 1)


def in_order(one: str, other: str) -> int:
    """The length of the longest text that both have in order."""
    best = [0] * (len(other) + 1)
    for a in one:
        before = best
        best = [0]
        for j, b in enumerate(other):
            best.append(before[j] + 1 if a == b else max(before[j + 1], best[j]))
    return best[-1]


@pytest.mark.reference_data
def test_labels_by_the_printed_centres(data_folder: Path) -> None:
    """The nearest printed centre of each record gives our labels, and what UNLIKE says of lines."""
    labels = "".join(map(nearest_centre, census()))
    assert [labels.count(label) for label in "123"] == list(map(int, SIZES.split()))
    ours = {row.place: row.ours for row in rows_of(listing("Section 4.2, clustering vector"))}
    agree = {}
    for first, printed in VECTOR.items():
        line = labels[first - 1 : first + 62]
        shown = ours[f"Section 4.2, clustering vector, [{first}]"]
        assert shown == " ".join(line[: len(printed)])
        agree[first] = (
            sum(a == b for a, b in zip(printed, line, strict=False)),
            in_order(printed, line),
        )
    assert agree == {
        1: (40, 55),
        64: (40, 55),
        127: (50, 60),
        190: (60, 61),
        253: (26, 26),
        316: (55, 55),
        379: (62, 62),
    }
    assert all(first - last == 63 for last, first in zip(VECTOR, [*VECTOR][1:], strict=False))
    for row in rows_of(listing("Section 4.2, clustering vector")):
        first = int(row.place.rpartition("[")[2].rstrip("]"))
        words = f": {agree[first][0]} of {len(VECTOR[first])} labels in their places"
        assert (words in row.note) == (first in UNLIKE)


def test_listed_groups_share_no_record() -> None:
    groups = [set(map(int, line.split())) for line in CLU.values()] + [set(g) for g in GROUPS]
    assert all(not one & other for one, other in combinations(groups, 2))


STATED = {
    "Section 5.1, Cuadro 1": True,
    "Section 5.2, Cuadro 2": True,
    "Section 5.3, random seed, as printed": False,
    "Section 5.3, random seed, measured alike": False,
    "Section 5.3, k-means, as printed": True,
    "Section 5.3, k-means, measured alike": True,
    "Section 5.3, k-means, sizes": True,
    "Section 5.3, k-means, single records": True,
    "Section 5.3, k-means, reason": True,
}


@pytest.mark.reference_data
def test_statements(data_folder: Path) -> None:
    """11.24285 / 5.6922 = 1.98, and so on: no ratio is 2 or more."""
    found = {
        row.place: row
        for row in ledger.ledger_rows(["UOC16"], random=False)
        if row.verdict.startswith("claim") and not row.place.startswith("Section 4.1")
    }
    assert {place: row.verdict == "claim true" for place, row in found.items()} == STATED
    printed = found["Section 5.3, random seed, as printed"].ours
    assert printed == "1.98 1.94 1.88 1.83 times the loss of MDAV"


def test_a_loss_that_does_not_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    swapped = dict(uoc16.TABLE_2) | {10: uoc16.TABLE_2[3]}
    monkeypatch.setattr(uoc16, "TABLE_2", swapped)
    library: Any = None
    found = uoc16.COMPUTED[""](library)
    assert {place: finding.holds for place, finding in found.items()} == {
        "Section 5.1, Cuadro 1": True,
        "Section 5.2, Cuadro 2": False,
    }
