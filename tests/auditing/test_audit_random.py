"""The audit of algorithms that draw, that know floats only, or that form no groups."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from suites import one_in

import oracle.commands.main
import refagg.commands.main
from oracle.auditing.cases import AuditedRelease, judged_groups
from oracle.auditing.driver import Check
from oracle.auditing.rendering import Granted
from oracle.auditing.replay import run_check
from refagg import microaggregate, specification, table_of
from refagg.datasets import shipped_folder
from refagg.release.blocks import strata_members
from refagg.release.method import Method, method_of
from refagg.release.result import Release

FIRMS = shipped_folder() / "eleven-firms.csv"
QUICK = ["--param", "iterations=30"]
NAMES = ["genetic", "one-step", "two-step"]

Ran = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def released(tmp_path: Path) -> Callable[..., Path]:
    """A release of the eleven firms, with k = 2 where there are groups."""

    def mask(name: str, *options: object) -> Path:
        out = tmp_path / "out.csv"
        arguments = ["mask", FIRMS, "--algorithm", name, "-o", out, *options]
        assert refagg.commands.main.main([str(argument) for argument in arguments]) == 0
        return out

    return mask


@pytest.fixture
def audit(tmp_path: Path) -> Ran:
    """The exit status of an audit, and the last check."""

    def ran(out: Path, *options: object) -> tuple[int, dict[str, Any]]:
        report = tmp_path / "report.json"
        arguments = ["audit", FIRMS, out, *options, "--json", report]
        status = oracle.commands.main.main([str(argument) for argument in arguments])
        return status, json.loads(report.read_text())["blocks"][0]["checks"][-1]

    return ran


@pytest.mark.parametrize("name", NAMES)
def test_without_its_seed_a_random_run_is_not_judged(
    name: str, released: Callable[..., Path], audit: Ran
) -> None:
    out = released(name, "-k", 2, "--seed", 5, *QUICK)
    status, check = audit(out, "-k", 2, "--algorithm", name, *QUICK)
    assert (status, check["status"]) == (2, "not judged")
    assert check["summary"] == (f"{name} draws at random; a run can be replayed only with its seed")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("arithmetic", ["exact", "float"])
def test_with_its_seed_it_is_judged_like_others(
    name: str, arithmetic: str, released: Callable[..., Path], audit: Ran
) -> None:
    few = ["--param", "iterations=1"]
    out = released(name, "-k", 2, "--seed", 5, "--arithmetic", arithmetic, *few)
    asked = ["-k", 2, "--algorithm", name, *few]
    status, check = audit(out, *asked, "--seed", 5)
    assert (status, check["status"]) == (0, "holds")
    assert check["summary"] == "a possible run in exact arithmetic"
    assert check["details"]["seed"] == 5
    statuses = [audit(out, *asked, "--seed", seed)[0] for seed in (1, 2, 3, 4)]
    assert 1 in statuses or name == "two-step"  # whose heuristic is the best that it finds here


def test_groups_that_are_too_small_need_no_seed(released: Callable[..., Path], audit: Ran) -> None:
    out = released("mdav", "-k", 2)
    status, check = audit(out, "-k", 3, "--algorithm", "genetic")
    assert (status, check["status"]) == (1, "fails")
    assert "fewer than k records" in check["summary"]


def test_each_named_algorithm_is_judged_by_itself(
    released: Callable[..., Path], audit: Ran, tmp_path: Path
) -> None:
    out = released("mdav", "-k", 2)
    status, _ = audit(out, "-k", 2, "--algorithm", "mdav,genetic")
    assert status == 2
    checks = json.loads((tmp_path / "report.json").read_text())["blocks"][0]["checks"]
    assert [check["status"] for check in checks[-2:]] == ["holds", "not judged"]


def test_a_seed_needs_somebody_who_draws(
    released: Callable[..., Path], audit: Ran, capsys: pytest.CaptureFixture[str]
) -> None:
    out = released("mdav", "-k", 2)
    arguments = ["audit", FIRMS, out, "-k", 2, "--algorithm", "mdav", "--seed", 1]
    assert oracle.commands.main.main([str(argument) for argument in arguments]) == 2
    assert (
        "the option seed applies to random choices; no algorithm is named that draws"
        in capsys.readouterr().err
    )


def test_deviations_are_judged_by_their_seed_only(
    released: Callable[..., Path], audit: Ran
) -> None:
    out = released("gaussian-noise", "--seed", 1)
    for seed, found in ([], "not judged"), (["--seed", 1], "holds"), (["--seed", 2], "fails"):
        status, check = audit(out, "-k", 3, "--algorithm", "gaussian-noise", *seed)
        assert check["status"] == found
        assert status == 1  # it is not 3-anonymous


# Floats only


def case_of(release: Release) -> AuditedRelease:
    strata = strata_members(None, release.original.n, 1)
    return AuditedRelease(release.original, release.released, release.method.k, None, strata)


def judged(release: Release, method: Method, limit: int = 2000) -> Check:
    case = case_of(release)
    return run_check(case, judged_groups(case, Granted()), method, Fraction(1, 10**9), limit)


def floats_only() -> Method:
    """MDAV, as if it had no exact arithmetic."""
    spec = replace(specification("mdav"), arithmetic=("float",))
    return replace(method_of("mdav", 2, arithmetic="float"), specification=spec)


def test_an_algorithm_without_exact_arithmetic_is_replayed_in_binary64() -> None:
    right = microaggregate([[0], [1], [5], [6], [20], [21]], 2)
    check = judged(right, floats_only())
    assert (check.status, check.summary) == ("holds", "a possible run in binary64")


def test_what_is_no_run_in_binary64_fails_without_a_search_for_a_tolerance() -> None:
    """The mean is 500.2: 1001 is farther from it by 500.8, and 0 by 500.2; see test_admissible."""
    rows = [[0], [100], [500], [900], [1001]]
    other = microaggregate([[0], [100], [500], [900], [1000.001]], 2, ties="lowest")
    released = [[50], [50], [Fraction(2401, 3)], [Fraction(2401, 3)], [Fraction(2401, 3)]]
    release = replace(other, original=table_of(rows), released=table_of(released))
    assert judged(release, method_of("mdav", 2, standardise="none")).details["verdict"] == (
        "not admissible"
    )
    check = judged(release, floats_only())
    assert (check.status, check.details["verdict"]) == ("fails", "not admissible")
    assert check.witness


def test_too_many_ties_in_binary64_are_not_judged() -> None:
    rows = [[2], [0], [2], [0], [1], [1], [2], [0]]
    release = microaggregate(rows, 2, ties="random", seed=3)  # neither lowest nor highest
    assert judged(release, floats_only()).status == "holds"
    assert judged(release, floats_only(), limit=1).status == "not judged"


def wide_table(seed: int, path: Path) -> tuple[Path, int]:
    """30 records whose values range over 15 decades, and k."""
    draw = Random(seed)
    width, k = draw.choice((1, 1, 2, 3)), draw.choice((2, 3, 4))
    rows = [[f"{10 ** draw.uniform(-6, 9):.6g}" for _ in range(width)] for _ in range(30)]
    names = [f"x{j}" for j in range(width)]
    path.write_text("\n".join(",".join(row) for row in [names, *rows]) + "\n")
    return path, k


WIDE = (26, 8, 32)
"""Seeds of tables whose float runs need more than a relative tolerance of squared distances."""


@pytest.mark.parametrize("scale", one_in(2, ["population", "none"]))
@pytest.mark.parametrize("wide", one_in(3, WIDE))
def test_float_runs_over_many_decades_are_accepted_and_spoilt_ones_are_not(
    tmp_path: Path, scale: str, wide: int
) -> None:
    released, accepted = tmp_path / "released.csv", 0
    fresh = [secrets.randbelow(10**9)] if scale == "none" else []
    for seed in [wide, *fresh]:
        table, k = wide_table(seed, tmp_path / "in.csv")
        made = ["--algorithm", "mdav", "-k", str(k), "--standardise", scale]
        mask = ["mask", str(table), "-o", str(released), "--arithmetic", "float"]
        assert refagg.commands.main.main([*mask, *made]) == 0
        audit = ["audit", str(table), str(released), *made]
        assert oracle.commands.main.main(audit) == 0, seed
        # Records of the largest value and of the least are in different groups.
        header, *rows = released.read_text().splitlines()
        values = [float(row.split(",")[0]) for row in table.read_text().splitlines()[1:]]
        a, b = values.index(max(values)), values.index(min(values))
        rows[a], rows[b] = rows[b], rows[a]
        released.write_text("\n".join([header, *rows]) + "\n")
        accepted += oracle.commands.main.main(audit) == 0
    assert accepted == 0
