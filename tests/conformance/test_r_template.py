"""The template in R: its protocol with a stand-in, and its call of sdcMicro with an imitation."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from shutil import which

import pytest

from oracle.conformance.judge.judging import judge
from oracle.conformance.judge.model import Case
from oracle.conformance.running import judge_vector
from oracle.conformance.transport.processes import Process
from oracle.conformance.transport.programs import Program
from oracle.conformance.vectors import vectors_of
from tests.templates import r_command

BLOCKS, ANY = "blocks-in-file-order", "any k-partition"

SIX = (("1", "2"), ("3", "1/2"), ("8", "2"), ("-4e-2", "-7/3"), (".5", "0.1"), ("1e300", "7"))


def command(*arguments: str) -> list[str]:
    found = r_command(*arguments)
    if found is None:
        pytest.skip("R: Rscript with the package jsonlite is not installed here")
    return found


@pytest.fixture(scope="module")
def stand_in() -> Iterator[Program]:
    with closing(Program(command("stand-in"))) as program:
        yield program


@pytest.mark.parametrize("claim", [BLOCKS, ANY])
def test_the_stand_in_passes_the_vectors(stand_in: Program, claim: str) -> None:
    """Among them one attribute, one group, large offsets, fractions, and what makes no sense.

    It takes no part where there are categories.
    """
    for vector in vectors_of(claim):
        judged = judge_vector(vector, stand_in(vector.case, 60.0))
        numbers = not vector.case.kinds or vector.expectation.kind == "reject"
        assert judged.status == ("passed" if numbers else "unsupported"), (vector.id, judged.reason)
    assert stand_in.starts == 1


def test_values_are_released_to_their_last_digit(stand_in: Program) -> None:
    """By hand: single records are their own means, and 17 digits tell all of binary64."""
    answer = stand_in(Case("digits", ANY, 1, SIX), 60.0)
    assert answer.released is not None
    written = [[0.0 + float(cell) for cell in row] for row in answer.released]
    assert written == [[1, 2], [3, 0.5], [8, 2], [-0.04, -7 / 3], [0.5, 0.1], [1e300, 7]]
    assert judge(Case("digits", ANY, 1, SIX), answer).status == "passed"


@pytest.mark.parametrize(
    ("records", "k"),
    [
        ((("1",), ("2",)), 3),
        ((("1",), ("2",)), 0),
        ((), 1),
        (((), ()), 1),
        ((("1",), ("2", "3")), 1),
        *[((("1",), (cell,)), 1) for cell in ("", "x", "NaN", "Inf", "NA", "1,5", "0x1A", "1/2/3")],
    ],
)
def test_what_makes_no_sense_is_refused(
    stand_in: Program, records: tuple[tuple[str, ...], ...], k: int
) -> None:
    assert stand_in(Case("bad", ANY, k, records), 60.0).refused is not None


def test_what_it_does_not_do_is_said(stand_in: Program) -> None:
    assert stand_in(Case("a", "mdav", 1, SIX), 60.0).unsupported == "not mdav"
    beyond = stand_in(Case("b", ANY, 1, (("1e999",), ("0",))), 60.0)
    assert beyond.unsupported == "values beyond binary64"


def test_seeds_scales_and_odd_ids_are_no_matter(stand_in: Program) -> None:
    case = Case('"\\ \u00e9\n', ANY, 3, SIX[:5], {}, "sample", 2**40)
    assert judge(case, stand_in(case, 60.0)).status == "passed"


def test_a_line_that_is_no_request_ends_it() -> None:
    process = Process(command("stand-in"))
    try:
        with pytest.raises(Exception, match="ended with exit status 1"):
            process.ask(b"garbage\n", time.monotonic() + 60)
    finally:
        process.kill()


# The call of sdcMicro

IMITATION = """
microaggregation <- function(obj, variables = NULL, aggr = 3, strata_variables = NULL,
                             method = "mdav", weights = NULL, nc = 8, clustermethod = "clara",
                             measure = "mean", trim = 0, varsort = 1, transf = "log") {
  stopifnot(is.data.frame(obj), method == "mdav", measure == "mean")
  if (nrow(obj) >= 2 * aggr) stop("an imitation knows one group only")
  mx <- as.data.frame(lapply(obj, function(column) rep(mean(column), length(column))))
  structure(list(x = obj, mx = mx, method = method, aggr = aggr, measure = measure),
            class = "micro")
}
"""
"""A package with the arguments and the value that the manual of sdcMicro describes. One group is
all that MDAV can form of fewer than 2k records."""


@pytest.fixture
def imitation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    words, r = command(), which("R")
    package, library = tmp_path / "sdcMicro", tmp_path / "library"
    (package / "R").mkdir(parents=True)
    library.mkdir()
    (package / "DESCRIPTION").write_text(
        "Package: sdcMicro\nVersion: 0.0\nTitle: Imitation\nLicense: MIT\n"
    )
    (package / "NAMESPACE").write_text("export(microaggregation)\n")
    (package / "R" / "microaggregation.R").write_text(IMITATION)
    assert r is not None
    install = [r, "CMD", "INSTALL", "--no-docs", f"--library={library}", str(package)]
    subprocess.run(install, check=True, capture_output=True)
    monkeypatch.setenv("R_LIBS", os.pathsep.join([str(library), os.environ.get("R_LIBS", "")]))
    with closing(Program(words)) as program:
        yield program


def test_sdcmicro_is_called_as_its_manual_says(imitation: Program) -> None:
    """Its values are released; its errors are errors of the program, not refusals."""
    z_scores = Case("z", "mdav", 3, SIX[:5], standardise="population")
    answer = imitation(z_scores, 60.0)
    assert judge(z_scores, answer).status == "passed", answer
    two = imitation(Case("two", "mdav", 2, SIX[:5], standardise="sample"), 60.0)
    assert two.errored == "an imitation knows one group only"
    assert imitation(Case("raw", "mdav", 3, SIX[:5]), 60.0).unsupported == "sdcMicro standardises"
    assert imitation(Case("few", "mdav", 6, SIX[:5]), 60.0).refused == "fewer than k records"
    any_groups = Case("any", ANY, 3, SIX[:5])
    assert judge(any_groups, imitation(any_groups, 60.0)).status == "passed"
