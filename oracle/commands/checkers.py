"""The checkers of certificates: the kernel, its twin in JavaScript, and the proved program.

The proved program is extracted from oracle/certificate/proved/kernel.v by Coq and compiled by OCaml
when it is asked for the first time, and kept in the user's cache.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from oracle.certificate.reading import Rejected
from oracle.functions.proofs import verify
from refagg.errors import CheckerUnavailable

FOLDER = Path(__file__).parent.parent / "certificate"

CHECKERS = {
    "python": "python (oracle/certificate/check.py)",
    "node": "node (oracle/certificate/checker.js)",
    "proved": "proved (extracted from oracle/certificate/proved/kernel.v)",
}

SOURCES = ("kernel.v", "extract.v", "main.ml")

BUILT_BY = (
    "coqc kernel.v",
    "coqc extract.v",
    "ocamlfind ocamlopt -O3 -package zarith,unix -linkpkg kernel.mli kernel.ml main.ml -o proved",
)

DEEP = 'ulimit -s unlimited 2>/dev/null || ulimit -s "$(ulimit -Hs)"; exec "$0" "$@"'
"""Lists of millions of groups are walked by recursion."""


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
    """Return a line for each certificate and its data, by node or proved.

    Raises CheckerUnavailable, and OSError if a file cannot be read.
    """
    command = [*program(checker), "--many", delimiter]
    for path in {path for pair in files for path in pair}:
        path.open("rb").close()
    text = "".join(f"{certificate}\t{data}\n" for certificate, data in files)
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=True)
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
    """Return the proved program, which is built if it is not there. Raises CheckerUnavailable."""
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
