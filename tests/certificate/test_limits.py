"""Files that are longer than any certificate are refused in a second and 100 MB."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from oracle.certificate import kernel
from refagg.data.known_optima import known_optima
from tests.certificate import altered
from tests.certificate.test_certificate import (
    FOLDER,
    IN_CHECKOUT,
    SIX,
    by_cuts,
    certificate,
    duals,
    leaf,
    reason,
    written,
)

SECONDS, MEGABYTES = 0.6, 100
"""Seconds beyond the start of the command, which takes a third of a second, or one."""

Write = Callable[[Path], object]


def of_scale(per_unit: str) -> Write:
    text = json.dumps(altered.sealed({**by_cuts(), "per_unit": per_unit}))
    return lambda path: path.write_bytes(gzip.compress(text.encode()))


def of_nodes(path: Path) -> None:
    data = by_cuts()
    data["proof"] = [{}] * kernel.MOST_OBJECTS
    path.write_text(json.dumps(altered.sealed(data)))


LONG: dict[str, tuple[Write, str]] = {
    "a scale of 3990 digits": (of_scale("1" + "0" * 3990), "2200"),
    "a scale of 500 digits": (of_scale("1" + "0" * 500), "digits"),
    "64 MB of braces": (lambda path: path.write_bytes(gzip.compress(b"{}" * 2**25)), "bytes"),
    "a list of braces": (
        lambda path: path.write_bytes(gzip.compress(b"[" + b"{}," * 2**24 + b"{}]")),
        "bytes",
    ),
    "too many nodes": (of_nodes, "objects"),
}


MEASURED = """
import resource, subprocess, sys
told = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE).stdout.decode()
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, told)
"""
"""A small program, as a process begins with the size of the one that started it."""


def ended(command: list[str]) -> tuple[str, float, float]:
    """What a command prints, its seconds of CPU time and megabytes."""
    measured = [sys.executable, "-c", MEASURED, *command]
    done = subprocess.run(measured, stdout=subprocess.PIPE, text=True, check=True)
    seconds, megabytes, told = done.stdout.split(" ", 2)
    return told, float(seconds), float(megabytes)


@cache
def started(*command: str) -> float:
    """The seconds of CPU time in which a command refuses next to nothing."""
    with TemporaryDirectory() as folder:
        short, rows = Path(folder, "short.json"), written(Path(folder), SIX)
        short.write_text("{}")
        return ended([*command, str(short), str(rows)])[1]


@pytest.mark.parametrize("checker", ["python", "node"])
@pytest.mark.parametrize("what", LONG)
def test_what_is_too_long_is_refused_at_once(what: str, checker: str, tmp_path: Path) -> None:
    proof, rows = tmp_path / "proof.json.gz", written(tmp_path, SIX)
    write, word = LONG[what]
    write(proof)
    if checker == "node" and altered.NODE is None:
        pytest.skip("node is not installed")
    python = [sys.executable, "-m", "oracle", "verify"]
    command = python if checker == "python" else [str(altered.NODE), str(altered.CHECKER)]
    told, seconds, megabytes = ended([*command, str(proof), str(rows)])
    assert told.startswith("rejected: ")
    assert word in told
    assert "limit" in told
    assert seconds - started(*command) < SECONDS
    assert megabytes < MEGABYTES


@IN_CHECKOUT
def test_shipped_certificates_need_a_tenth_of_the_limits() -> None:
    for known in known_optima():
        path = FOLDER / f"{known.dataset}-{known.k}.json.gz"
        assert 10 * path.stat().st_size <= kernel.MOST_PACKED
        assert 10 * len(str(known.value)) // 2 <= kernel.MOST_DIGITS


def test_a_group_that_is_larger_than_what_python_can_nest_is_rejected() -> None:
    rows, free = [(0,)] * 1199 + [(1,)], duals([0] * 1200)
    data = certificate(rows, 1200, 1200, [[*range(1200)]], leaf(free, free))
    assert "too large" in reason(data, rows)
