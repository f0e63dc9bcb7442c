"""The package for R: `R CMD check` runs its example and its tests, which compute by hand in R."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

PACKAGE = ROOT / "oracle" / "conformance" / "adapters" / "r"


@pytest.mark.long
def test_the_package_passes_the_check_of_r(tmp_path: Path) -> None:
    if not shutil.which("R"):
        pytest.skip("R is not installed here")
    has = "quit(status = !requireNamespace('jsonlite', quietly = TRUE))"
    if subprocess.run(["Rscript", "-e", has], check=False).returncode:
        pytest.skip("R: the package jsonlite is not installed here")
    environment = os.environ | {"REFAGG_PYTHON": sys.executable, "PYTHONPATH": str(ROOT)}
    made = {"cwd": tmp_path, "env": environment, "capture_output": True, "text": True}
    subprocess.run(["R", "CMD", "build", str(PACKAGE)], check=True, **made)  # type: ignore[call-overload]
    [archive] = tmp_path.glob("refagg_*.tar.gz")
    words = ["R", "CMD", "check", "--no-manual", archive.name]
    ran = subprocess.run(words, check=False, **made)  # type: ignore[call-overload]
    said = ran.stdout + ran.stderr
    said += "".join(path.read_text() for path in tmp_path.glob("*.Rcheck/tests/*.fail"))
    assert ran.returncode == 0, said
    assert "WARNING" not in ran.stdout, said
