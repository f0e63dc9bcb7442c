"""The checkers of certificates: the kernel, and its twin in JavaScript."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from oracle.certificate.reading import Rejected
from oracle.functions.proofs import verify
from refagg.errors import CheckerUnavailable

FOLDER = Path(__file__).parent.parent / "certificate"

CHECKERS = {
    "python": "python (oracle/certificate/check.py)",
    "node": "node (oracle/certificate/checker.js)",
}


def told_by(checker: str, certificate: Path, data: Path, delimiter: str = ",") -> list[str]:
    """Return what a checker says of an accepted certificate, in lines.

    Raises Rejected with its reason, OSError, and CheckerUnavailable if what it needs is not
    installed.
    """
    if checker == "python":
        return verify(certificate, data, delimiter=delimiter).lines()
    [told] = verdicts(checker, [(certificate, data)], delimiter)
    if not told.startswith("accepted "):
        raise Rejected(told.removeprefix("rejected: "))
    return [told]


def verdicts(checker: str, files: list[tuple[Path, Path]], delimiter: str = ",") -> list[str]:
    """Return a line for each certificate and its data, by one that is no part of Python.

    Raises CheckerUnavailable, OSError.
    """
    text = "".join(f"{certificate}\t{data}\n" for certificate, data in files)
    command = [*program(checker), "--many", delimiter]
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.splitlines()


def program(checker: str) -> list[str]:
    """Return the command of a checker that is no part of Python. Raises CheckerUnavailable."""
    node = shutil.which("node")
    if node is None:
        raise CheckerUnavailable("Node is not installed, which runs checker.js")
    return [node, str(FOLDER / "checker.js")]
