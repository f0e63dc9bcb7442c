"""Hunts for what is more than a table: who is right is not accused, who forgets is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from suites import one_in

import oracle
from oracle.conformance.hunting.hunt import Hunt, run_hunt
from oracle.conformance.hunting.strategies import HUNTED, wanted
from oracle.conformance.judge.model import Adapter, Answer, Case
from oracle.conformance.serve import own
from oracle.conformance.transport.functions import Function
from refagg.errors import InvalidParameter
from tests.conformance.test_shaped_vectors import Plain

PATIENT = 90.0
"""Seconds; the number of questions ends the searches of these tests, on any machine."""

CLAIMS = ("mdav", "mdav-single", "md", "v-mdav", "hac", "kshc")


def hunted(
    adapter: Adapter, claim: str, shape: str, tries: int, shrinking: float = 2.0, **how: object
) -> Hunt:
    asked = wanted(claim, shape=shape, k=(1, 4), most=14, **how)  # type: ignore[arg-type]
    return run_hunt(adapter, asked, budget=PATIENT, tries=tries, shrinking=shrinking)


PAIRS = [(claim, shape) for claim in CLAIMS for shape in HUNTED if shape != "sequences"]


@pytest.mark.parametrize("pair", [*one_in(18, PAIRS), ("kshc", "sequences")], ids=str)
def test_the_project_itself_is_not_accused(pair: tuple[str, str]) -> None:
    claim, shape = pair
    if claim == "kshc" and shape in ("kinds", "gower"):
        pytest.skip("ties between merged clusters are many: it is left to the vectors")
    found = hunted(own, claim, shape, 50)
    assert [f.judgement for f in found.findings] == []
    assert found.statuses["passed"] >= 40, found.statuses


@pytest.mark.parametrize(
    "shape", one_in(5, ["strata", "series", "blocks", "constraints", "sampling_weights"])
)
def test_plain_programs_are_not_accused(shape: str) -> None:
    found = hunted(Function(Plain("mdav")), "mdav", shape, 50)
    assert [f.judgement for f in found.findings] == []
    assert found.exit_status == 0


FORGETS = [
    ("mdav", "series", "series"),
    ("md", "series", "times"),
    ("mdav", "strata", "strata"),
    ("v-mdav", "blocks", "blocks"),
    ("mdav", "constraints", "constraints"),
    ("mdav", "constraints", "together"),
    ("md", "sampling_weights", "sampling"),
    ("kshc", "sequences", "dissimilarity"),
    ("kshc", "sequences", "events"),
]


@pytest.mark.parametrize("forgotten", one_in(9, FORGETS), ids="-".join)
def test_who_forgets_something_is_found(forgotten: tuple[str, str, str]) -> None:
    claim, shape, forgets = forgotten
    found = hunted(Function(Plain(claim, forgets)), claim, shape, 300)
    [finding] = found.findings
    assert finding.judgement.status == "failed"
    case = finding.judgement.case
    assert len(case.records) <= 9
    assert bool(case.kinds) if shape == "sequences" else shape in case.shape


@pytest.mark.parametrize("forgets", one_in(2, ["scale", "metric"]))
def test_who_forgets_the_scale_is_found(forgets: str) -> None:
    claim = "mdav"
    shape = "strata" if forgets == "scale" else "constraints"
    adapter = Function(Plain(claim, forgets))
    found = hunted(adapter, claim, shape, 300, 0.2, standardise="population")
    assert [f.judgement.status for f in found.findings] == ["failed"]


def with_kinds(change: Callable[[str], str]) -> Adapter:
    """The project's own answer to another question."""

    def adapter(case: Case, seconds: float) -> Answer:
        other = replace(case, kinds=tuple(map(change, case.kinds)))
        return replace(own(other, seconds), released=None)

    return adapter


@pytest.mark.parametrize(
    "change",
    one_in(
        3,
        [
            lambda kind: "nominal" if kind.startswith("ordinal") else kind,
            lambda kind: "ordinal:low<Medium<medial<medium" if kind.startswith("ordinal") else kind,
            lambda kind: "ordinal:medium<Medium<medial<low" if kind == "nominal" else kind,
        ],
    ),
)
def test_who_measures_categories_in_another_way_is_found(change: Callable[[str], str]) -> None:
    found = hunted(with_kinds(change), "mdav", "kinds", 300, 0.2)
    [finding] = found.findings
    assert (finding.judgement.check, finding.judgement.status) == ("run", "failed")
    assert finding.judgement.case.kinds


def test_what_is_said_of_a_shape() -> None:
    from oracle.conformance.hunting.findings_report import hunt_lines

    found = hunted(Function(Plain("kshc", "events")), "kshc", "sequences", 300, 0.2)
    lines = "\n".join(hunt_lines(found))
    assert "kinds = sequence:>" in lines
    assert "cause: run/" in lines


def test_shapes_that_cannot_be_asked() -> None:
    with pytest.raises(InvalidParameter, match="mdav takes no sequences"):
        wanted("mdav", shape="sequences")
    for claim, why in (("gaussian-noise", "tables only"), ("secure-k-ward", "publish means")):
        with pytest.raises(InvalidParameter, match=why):
            wanted(claim, shape="sampling_weights")
    with pytest.raises(InvalidParameter, match="kinds are not standardised"):
        wanted("mdav", shape="kinds", standardise="sample")
    with pytest.raises(InvalidParameter, match="the shape is"):
        oracle.hunt(lambda records, k: [], "mdav", shape="trees")  # type: ignore[arg-type]
