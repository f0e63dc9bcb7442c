"""A sample of the fuzzer, other cases each time; `python -m tests.black_box.fuzz` runs many."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

CASES = int(os.environ.get("REFAGG_FUZZ_CASES", "200"))
"""As many as fit into some seconds."""


def fuzzed(cases: int, seed: str) -> subprocess.CompletedProcess[str]:
    words = ["--cases", str(cases), "--seed", seed]
    return subprocess.run(
        [sys.executable, "-m", "tests.black_box.fuzz", *words],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.long
def test_nonsense_is_refused() -> None:
    seed = str(Random().randrange(10**9))
    run = fuzzed(CASES, seed)
    print(run.stdout)
    assert run.returncode == 0, f"--seed {seed}\n{run.stdout}\n{run.stderr}"
    assert f"seed {seed}: {CASES} cases" in run.stdout


def test_what_is_wrong_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that fails, says it in colours and leaves half a file."""
    import tests.black_box.fuzz as fuzz
    from tests.black_box.fuzz_cases import FuzzCase

    def bad(arguments: list[str]) -> int:
        Path(".half").write_text("1")
        print("\x1b[31m")
        if arguments[0] == "fail":
            raise KeyError(arguments[0])
        while arguments[0] == "endless":
            pass
        return 7

    monkeypatch.setitem(fuzz.PROGRAMS, "refagg", bad)
    causes = {
        word: [cause for cause, _ in fuzz.run_case(0, FuzzCase("refagg", [word]), 0.2).findings]
        for word in ("fail", "endless", "other")
    }
    left = "a temporary file is left"
    assert causes["fail"] == ["KeyError at no line of ours", left]
    assert causes["endless"][0].startswith("too slow")
    assert causes["other"] == ["exit status 7", "control characters on standard output", left]
