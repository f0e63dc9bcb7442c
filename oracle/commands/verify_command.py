"""`oracle verify`: check of a certificate by the kernel or another checker.

The other checkers are the twin of the kernel and the proved program.

The twin is in JavaScript. The proved program is extracted from oracle/certificate/proved/kernel.v
by Coq and compiled by OCaml when it is asked for the first time, and kept in the user's cache.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from oracle.certificate.kernel import Rejected
from oracle.commands.terminating import ended_after
from oracle.functions.optima import check_name, verify
from refagg.commands.options import DELIMITER, argument
from refagg.data.textfiles import Format, check_input
from refagg.errors import CheckerUnavailable, FileUnreadable
from refagg.options.fields import Option
from refagg.terminal import NOW, in_lines, one_line

FOLDER = Path(__file__).parent.parent / "certificate"

CHECKERS = {
    "python": "python (oracle/certificate/kernel.py)",
    "node": "node (oracle/certificate/checker.js)",
    "proved": "proved (extracted from oracle/certificate/proved/kernel.v)",
}

SOURCES = ("kernel.v", "extract.v", "main.ml")

BUILT_BY = (
    "coqc kernel.v",
    "coqc extract.v",
    "ocamlfind ocamlopt -O3 -package zarith,unix -linkpkg kernel.mli kernel.ml main.ml -o proved",
)

DEEP = (
    "ulimit -v 7000000 2>/dev/null; "
    'ulimit -s unlimited 2>/dev/null || ulimit -s "$(ulimit -Hs)"; exec "$0" "$@"'
)
"""Lists of millions of groups are walked by recursion; 7 GB are ten times what ships needs."""


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


def verdicts(checker: str, files: Sequence[tuple[Path, Path]], delimiter: str = ",") -> list[str]:
    """Return a line for each certificate and its data.

    The checker is node or proved.

    Raises CheckerUnavailable, Rejected for a path with a tab or another character that is not
    printed, and OSError if a file cannot be read.
    """
    command = [*program(checker), "--many", delimiter]
    for path in {path for pair in files for path in pair}:
        check_name(path)
        path.open("rb").close()
    text = "".join(f"{certificate}\t{data}\n" for certificate, data in files)
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise CheckerUnavailable(f"{checker} broke off with the status {done.returncode}")
    return done.stdout.splitlines()


def program(checker: str) -> list[str]:
    """Return the command of node or proved. Raises CheckerUnavailable."""
    if checker == "proved":
        return ["sh", "-c", DEEP, str(proved())]
    node = shutil.which("node")
    if node is None:
        raise CheckerUnavailable("Node is not installed, which runs checker.js")
    return [node, str(FOLDER / "checker.js")]


def proved() -> Path:
    """Return the proved program, built if necessary.

    Raises CheckerUnavailable.
    """
    content = b"".join((FOLDER / "proved" / name).read_bytes() for name in SOURCES)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "refagg"
    built = cache / f"proved-{sha256(content).hexdigest()[:16]}"
    if not built.exists():
        missing = [name for name in ("coqc", "ocamlfind", "gzip") if shutil.which(name) is None]
        if missing:
            raise CheckerUnavailable(
                f"{', '.join(missing)} is not installed: the proved program is built by Coq 8.16, "
                "OCaml, findlib and zarith (Debian: coq ocaml-findlib libzarith-ocaml-dev)"
            )
        cache.mkdir(parents=True, exist_ok=True)
        build(cache, built)
    return built


def build(cache: Path, built: Path) -> None:
    """Prove, extract and compile the program, elsewhere first. Raises CheckerUnavailable."""
    with TemporaryDirectory(dir=cache) as name:
        for source in SOURCES:
            shutil.copy(FOLDER / "proved" / source, name)
        for command in BUILT_BY:
            words = command.split()
            done = subprocess.run(words, cwd=name, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                reason = (done.stderr or done.stdout).strip()[-500:]
                raise CheckerUnavailable(f"the proved program is not built: {words[0]}: {reason}")
        os.replace(Path(name) / "proved", built)


MOST_SECONDS = 3600.0
"""A check takes no longer unless it may."""


COMMAND = (
    argument("certificate", "CERTIFICATE.json"),
    argument("input", "IN.csv"),
    DELIMITER,
    Option(
        "python, node (checker.js), or proved (extracted from Coq; built at its first use)",
        "python",
        name="checker",
        choices=CHECKERS,
    ),
    Option(
        f"stop after S seconds with status 2 (default: {MOST_SECONDS:g}, ten times what the "
        "largest shipped certificate needs)",
        MOST_SECONDS,
        name="time_limit",
        read=float,
        metavar="S",
    ),
)


def run(given: argparse.Namespace) -> int:
    """Carry out the command; return the exit status.

    It is 0 if the certificate is accepted, 1 if it is rejected. Raises FileUnreadable, TimeOver.
    """
    Format(given.delimiter).check()
    for path in (given.certificate, given.input):
        check_input(path)
    NOW.starts(f"checking {given.certificate}")
    with ended_after(given.time_limit, "the certificate could not be checked"):
        try:
            lines = told_by(given.checker, given.certificate, given.input, given.delimiter)
            status = 0
        except Rejected as reason:
            lines, status = [one_line(f"rejected: {reason}")], 1
        except OSError as error:
            raise FileUnreadable(f"{error.filename} cannot be read: {error.strerror}") from None
    print(in_lines([*lines, f"checker: {CHECKERS[given.checker]}"]))
    return status
