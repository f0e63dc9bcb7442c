"""Statements of the literature, and numbers that follow from other printed ones.

`datasets/printed` keeps what was found of them and the verdict; here both are computed anew.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import pytest

from refagg import datasets
from refagg.literature import ledger, measuring
from refagg.literature.claims import Claim, Found, sources
from refagg.literature.verdicts import (
    CLAIM_FALSE,
    CLAIM_TRUE,
    DIFFERS,
    EXACT,
    MISPRINT,
    NOT_PRINTED,
    TRUNCATED,
    judged,
)
from tests.literature.statements import (
    of_ala18,
    of_dfss,
    of_mbs,
    of_mbs_runs,
    of_rb,
    of_smb06,
    of_tor,
    of_uoc16,
    of_uoc16_listings,
    of_vg,
)
from tests.literature.statements.looked_up import Compute, Finding, Library, Value

COMPUTED: dict[tuple[str, str], Compute] = {
    (key, place): compute
    for key, computed in (
        ("RB", of_rb.COMPUTED),
        ("ALA18", of_ala18.COMPUTED),
        ("SMB06", of_smb06.COMPUTED),
        ("MBS+", of_mbs.COMPUTED),
        ("MBS+", of_mbs_runs.COMPUTED),
        ("DFSS08", of_dfss.COMPUTED),
        ("UOC16", of_uoc16.COMPUTED),
        ("UOC16", of_uoc16_listings.COMPUTED),
        ("VG", of_vg.COMPUTED),
        ("TOR", of_tor.COMPUTED),
    )
    for place, compute in computed.items()
}
"""By source and the beginning of places, what computes the rest of them."""

KEPT = [
    claim
    for source in sources().values()
    for claim in source.claims
    if claim.found and claim.found.verdict != NOT_PRINTED
]
"""The claims whose verdicts are kept, but for those where there is nothing to compute."""

SLOW = {("MBS+", place) for place in of_mbs_runs.COMPUTED}


def of_library(claims: list[Claim]) -> Library:
    """A library with the data sets that the claims need."""
    names = {name for claim in claims for name in claim.needed}
    return Library(measuring.Library({name: ledger._table(name) for name in names}, None))


def claims_of(key: str, place: str, found: Mapping[str, Value]) -> list[Claim]:
    """The claims that stand at the places that were computed."""
    places = {", ".join(filter(None, (place, rest))): rest for rest in found}
    return [claim for claim in KEPT if claim.source == key and claim.place in places]


def without_noise(text: str) -> str:
    """A text, with differences by rounding alone as one word: sums of floats differ by version."""
    return re.sub(r"\b[0-9.]+e-1[5-9]\b", "by rounding", text)


def without_numbers(note: str) -> str:
    """A note without its numbers, which later Pythons add more exactly: some runs end elsewhere."""
    return re.sub(r"\d[\d.]*(e[+-]?\d+)?", "#", note)


def agrees(claim: Claim, value: Value) -> bool:
    """Is this what the file says was found?"""
    assert claim.found
    if isinstance(value, Finding):
        verdict = CLAIM_TRUE if value.holds else CLAIM_FALSE
        found = Found(without_noise(value.found), verdict, without_numbers(value.note))
        known = replace(claim.found, ours=without_noise(claim.found.ours or ""))
        return found == replace(known, note=without_numbers(known.note))
    if isinstance(value, str):
        verdict = EXACT if value == claim.printed else claim.found.verdict
        return (claim.found.ours, claim.found.verdict) == (value, verdict)
    margin = Fraction(2, 10**5) if claim.place.startswith("Table 3") else Fraction(0)
    margin = Fraction(4, 10**5) if claim.place.startswith("Table 4") else margin
    margin = Fraction(6, 10**6) if "Cuadro 1" in claim.place else margin
    margin = Fraction(6, 10**7) if "Cuadro 2" in claim.place else margin
    beside = judged(Fraction(value), claim.printed, None, margin)
    if not beside.verdict:
        return claim.found.verdict in (DIFFERS, MISPRINT) and claim.found.ours == beside.ours
    return (claim.found.ours, claim.found.verdict) == (beside.ours, beside.verdict)


def needs_reference_data(key: str, place: str) -> bool:
    names = {
        name
        for claim in KEPT
        if claim.source == key and claim.place.startswith(place or "no place")
        for name in claim.needed
    }
    return any(datasets.DATASETS[name].origin == "reference" for name in names)


def cases() -> list[object]:
    marked = []
    for key, place in COMPUTED:
        marks = [pytest.mark.long] if (key, place) in SLOW or (key == "RB" and place) else []
        if needs_reference_data(key, place):
            marks = [pytest.mark.reference_data, pytest.mark.long]
        marked.append(pytest.param(key, place, marks=marks))
    return marked


@pytest.mark.parametrize(("key", "place"), cases())
def test_what_is_kept_is_what_is_found(key: str, place: str) -> None:
    needed = [c for c in KEPT if c.source == key and c.place.startswith(place or "no place")]
    found = COMPUTED[key, place](of_library(needed))
    claims = claims_of(key, place, found)
    assert claims
    for claim in claims:
        rest = claim.place.removeprefix(place).removeprefix(", ") if place else claim.place
        assert agrees(claim, found[rest]), (claim.place, claim.found, found[rest])


def test_everything_that_is_kept_is_computed() -> None:
    """By the beginning of its place; of places without one, the sources say which there are."""
    for claim in KEPT:
        starts = [place for key, place in COMPUTED if key == claim.source]
        assert any(claim.place.startswith(place) for place in starts), claim


@pytest.mark.parametrize(
    ("found", "right"),
    [
        (Found("in 3 of 4 cells", CLAIM_TRUE, ""), True),
        (Found("in 4 of 4 cells", CLAIM_TRUE, ""), False),
        (Found("in 3 of 4 cells", CLAIM_FALSE, ""), False),
        (Found("in 3 of 4 cells", CLAIM_TRUE, "but"), False),
    ],
)
def test_another_finding_is_noticed(found: Found, right: bool) -> None:
    claim = replace(KEPT[0], found=found)
    assert agrees(claim, Finding(True, "in 3 of 4 cells")) == right


@pytest.mark.parametrize(
    ("ours", "verdict", "right"),
    [("83", EXACT, True), ("83", DIFFERS, False), ("84", EXACT, False), ("82", TRUNCATED, False)],
)
def test_another_number_is_noticed(ours: str, verdict: str, right: bool) -> None:
    claim = replace(KEPT[0], place="Table 2", printed="83", found=Found(ours, verdict, ""))
    assert agrees(claim, Fraction(250, 3)) == right


def test_only_what_is_exact_is_what_is_printed() -> None:
    for claim in KEPT:
        assert claim.found
        if claim.found.verdict not in (CLAIM_TRUE, CLAIM_FALSE):
            assert (claim.found.ours == claim.printed) == (claim.found.verdict == EXACT), claim
