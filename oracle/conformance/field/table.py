"""The implementations that the field consists of, from implementations.toml."""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
ADAPTERS = FOLDER.parent / "adapters"
CHECKOUTS = "FIELD_CHECKOUTS"
"""The variable that names the folder of checkouts, each in OWNER/NAME below it."""


def checkouts() -> Path:
    """Return the folder of checkouts.

    If none is named, it is a folder that does not exist.
    """
    return Path(os.environ.get(CHECKOUTS, "no-checkouts")).expanduser()


@dataclass(frozen=True, slots=True)
class Ask:
    """Claim of an implementation, and the way to ask it.

    `options` are those of a hunt.
    """

    algorithm: str
    python: str
    command: str
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Note:
    """Finding by reading the source.

    It has its causes, the type of the fault, its effect and place.

    `severity` is one of `SEVERITIES` where the answer alone does not tell it. `reported` is the
    date on which the maintainers were told, and `upstream` the address of the report or answer.
    """

    causes: Sequence[str]
    type: str
    effect: str
    line: str = ""
    text: str = ""
    severity: str = ""
    reported: str = ""
    upstream: str = ""


@dataclass(frozen=True, slots=True)
class Member:
    """Implementation that is examined.

    It has the version that is examined, what has to be there, and what it claims.
    """

    name: str
    version: str
    language: str
    about: str
    asks: tuple[Ask, ...]
    link: str = ""
    distribution: str = ""
    checkout: str = ""
    needs: tuple[str, ...] = ()
    version_command: tuple[str, ...] = ()
    compile: str = ""
    notes: tuple[Note, ...] = ()

    def missing(self) -> str:
        """Return what has to be installed first; empty if nothing.

        Without it the implementation cannot be asked.
        """
        for program in self.needs:
            if shutil.which(program) is None:
                return f"the program {program}"
        if self.checkout and not (checkouts() / self.checkout).is_dir():
            return f"a checkout of {self.link}, {self.checkout} in the folder {CHECKOUTS} names"
        there = self._version()
        if there == self.version:
            return ""
        return f"{self.name} {self.version}" + (f", not {there}" if there else "")

    def _version(self) -> str:
        """Return the installed version.

        It is that of the table where nothing tells it.
        """
        if self.distribution:
            try:
                return installed_version(self.distribution)
            except PackageNotFoundError:
                return ""
        if self.version_command:
            try:
                done = subprocess.run(
                    self.version_command, capture_output=True, text=True, timeout=60, check=False
                )
            except (OSError, subprocess.TimeoutExpired):
                return ""
            return done.stdout.strip() if done.returncode == 0 else ""
        return self.version

    def note(self, cause: str) -> Note | None:
        """Return the note about a cause."""
        for note in self.notes:
            if any(fnmatchcase(cause, pattern) for pattern in note.causes):
                return note
        return None


@cache
def members() -> tuple[Member, ...]:
    """Return all implementations, in the order of the file."""
    with (FOLDER / "implementations.toml").open("rb") as file:
        return tuple(_member(name, data) for name, data in tomllib.load(file).items())


def _member(name: str, data: Mapping[str, Any]) -> Member:
    facts = {key.replace("-", "_"): value for key, value in data.items()}
    asks = tuple(_ask(dict(ask)) for ask in facts.pop("asks"))
    notes = tuple(Note(**note) for note in facts.pop("notes", ()))
    lists = {key: tuple(value) for key, value in facts.items() if isinstance(value, list)}
    return Member(name=name, asks=asks, notes=notes, **facts | lists)


def _ask(data: dict[str, Any]) -> Ask:
    algorithm, python, command = (data.pop(key, "") for key in ("algorithm", "python", "command"))
    return Ask(algorithm, python, command, data)
