"""The programs in other languages that are to be copied, made ready to run."""

from __future__ import annotations

import subprocess
import tempfile
from functools import cache
from pathlib import Path
from shutil import which

import oracle.conformance.adapters

FOLDER = Path(oracle.conformance.adapters.__file__).parent

WARNINGS = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic")


def node_command() -> list[str] | None:
    """The JavaScript program; None without Node."""
    node = which("node")
    return [node, str(FOLDER / "mdav.js")] if node else None


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory()


@cache
def _compiled() -> str | None:
    compiler = which("cc")
    if compiler is None:
        return None
    target = str(Path(_folder().name, "mdav"))
    source = str(FOLDER / "mdav.c")
    subprocess.run([compiler, *WARNINGS, "-O2", "-o", target, source], check=True)
    return target


def compiled_c() -> list[str] | None:
    """The C program, compiled without a warning; None without a compiler."""
    target = _compiled()
    return [target] if target else None


def r_command(*arguments: str) -> list[str] | None:
    """The R template, "stand-in" needing no sdcMicro; None without R and jsonlite."""
    script = which("Rscript")
    if script is None:
        return None
    probe = [script, "-e", "library(jsonlite)"]
    if subprocess.run(probe, capture_output=True, check=False).returncode:
        return None
    return [script, str(FOLDER / "sdcmicro.R"), *arguments]
