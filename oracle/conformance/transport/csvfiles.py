"""Adapter to a program that reads and writes CSV files.

The program is started again for each case.

Its command is words with placeholders in braces.
"""

from __future__ import annotations

import csv
import io
import os
import re
import stat
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory

from oracle.conformance.judge.model import ANY_PARTITION, BY_STATUS, OPTIMAL, Answer, Case
from oracle.conformance.transport import processes
from oracle.conformance.transport.functions import answer_of_columns, binary64_text, column_names
from oracle.conformance.transport.protocol import Unintelligible
from refagg.catalogue import specification
from refagg.errors import InvalidParameter

LEAST_OF_A_SHELL = 126
"""From here on an exit status tells of a program that was not found, or killed."""


class CsvProgram:
    """Program that is asked case after case by CSV files.

    It is an `Adapter`, to be closed.

    The command has the placeholders {input}, {output}, {k} and others (docs/conformance.md). An
    exit status from 1 to 125 is a refusal. Raises InvalidParameter.
    """

    def __init__(self, command: Sequence[str], claim: str) -> None:
        self.template = template_of(command, claim)
        self._folder = TemporaryDirectory(prefix="oracle-csv-", ignore_cleanup_errors=True)

    def close(self) -> None:
        """Remove the folder."""
        self._folder.cleanup()

    def __call__(self, case: Case, seconds: float) -> Answer:
        """Ask, and wait for at most `seconds`.

        Nothing that the program does is raised.
        """
        began = time.monotonic()
        folder = Path(self._folder.name) / "case"
        try:
            folder.mkdir()
            answer = self._asked(case, folder, began + seconds)
        except (processes.Misbehaved, Unintelligible) as reason:
            answer = Answer(errored=str(reason).replace("in time", f"within {seconds:g} seconds"))
        except OSError as error:
            answer = Answer(errored=f"the files of the case cannot be handled: {error}")
        finally:
            _removed(folder)
        return replace(answer, seconds=time.monotonic() - began)

    def _asked(self, case: Case, folder: Path, deadline: float) -> Answer:
        """Return the answer. Raises Misbehaved, Unintelligible, OSError."""
        names = column_names(case)
        if not names:
            return Answer(unsupported="a CSV file has no records without attributes")
        try:
            text = _csv_text(case, names)
        except OverflowError:
            return Answer(unsupported="a value is outside the range of binary64")
        source, target = folder / "input.csv", folder / "output.csv"
        source.write_text(text, encoding="utf-8", errors="replace", newline="")
        longest = max(processes.LINE, processes.LONGER * len(text))
        words = self.template.filled(case, str(source), str(target))
        if refused := _run(words, target, longest, deadline):
            return Answer(refused=refused)
        header, *rows = _rows(_content(target, longest))
        return answer_of_columns(header, rows, names)


def _csv_text(case: Case, names: Sequence[str]) -> str:
    """Return the records as they are written. Raises OverflowError."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([binary64_text(value) for value in row] for row in case.records)
    return file.getvalue()


def _run(command: Sequence[str], target: Path, longest: int, deadline: float) -> str:
    """Run a program to its end.

    Returns why it refused, if it did. Raises Misbehaved.
    """

    def look() -> None:
        with suppress(OSError):
            _check_size(target.lstat().st_size, longest)

    process = None
    try:
        with processes.interruptions_wait():
            process = processes.started(command)
        status = process.finish(deadline, look)
        reason = f"{BY_STATUS} {status}{_words(process, target)}"
    except processes.Misbehaved as misbehaved:
        words = _words(process, target) if process else ""
        raise processes.Misbehaved(f"{misbehaved}{words}") from None
    finally:
        if process:
            process.kill()
    if status >= LEAST_OF_A_SHELL:
        raise processes.Misbehaved(f"the program ended with {reason}")
    return reason if status else ""


def _words(process: processes.Process, target: Path) -> str:
    """Return the end of standard error.

    The name of the folder, which is always another, is left out.
    """
    said = process.last_words().replace(f"{target.parent}{os.sep}", "")
    return f"; standard error ends with {said}" if said else ""


def _content(path: Path, longest: int) -> str:
    """Return the text of the program's output file.

    Raises Misbehaved, OSError.
    """
    try:
        regular = stat.S_ISREG(path.lstat().st_mode)
    except FileNotFoundError:
        raise processes.Misbehaved("the program wrote no output file") from None
    if not regular:
        raise processes.Misbehaved("the output is not a file")
    with path.open("rb") as file:
        content = file.read(longest + 1)
    _check_size(len(content), longest)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise processes.Misbehaved(f"the output is not UTF-8 text: {error.reason}") from None


def _check_size(size: int, longest: int) -> None:
    if size > longest:
        raise processes.Misbehaved(f"an output of more than {longest} bytes")


def _rows(text: str) -> list[list[str]]:
    """Return the header and the rows.

    Empty lines at the end are none. Raises Unintelligible.
    """
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True, skipinitialspace=True))
    except csv.Error as error:
        raise Unintelligible(f"the output is not a CSV file: {error}") from None
    while rows and not rows[-1]:
        rows.pop()
    if not rows:
        raise Unintelligible("the output is empty")
    if len(rows[0]) == 1 and set(";\t|") & set(rows[0][0]):
        raise Unintelligible(f"the output has the one column {rows[0][0]!r}; commas part columns")
    return [[cell.strip() for cell in row] for row in rows]


def _removed(folder: Path) -> None:
    """Remove what a case left, whatever the program made of it."""
    with suppress(OSError):
        folder.chmod(0o700)
    rmtree(folder, ignore_errors=True)


NEEDED = ("input", "output", "k")
NAMES = (*NEEDED, "standardise", "seed", "columns")
"""The placeholders, beside the parameters of the algorithm."""

_PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_-]*)\}")


@dataclass(frozen=True, slots=True)
class Template:
    """Command with placeholders, and an algorithm's parameters.

    The parameters come with their defaults.
    """

    words: tuple[str, ...]
    defaults: dict[str, str]

    def names(self) -> set[str]:
        """Return the placeholders that it has."""
        return {name for word in self.words for name in _PLACEHOLDER.findall(word)}

    def filled(self, case: Case, source: str, target: str) -> list[str]:
        """Return the command for a case.

        What a value says is not filled again.
        """
        values = self.defaults | {
            **{name: binary64_text(value) for name, value in case.parameters.items()},
            "input": source,
            "output": target,
            "k": str(case.k),
            "standardise": case.standardise,
            "seed": str(case.seed or 0),
            "columns": ",".join(column_names(case)),
        }
        return [_PLACEHOLDER.sub(lambda found: values[found[1]], word) for word in self.words]


def template_of(words: Sequence[str], claim: str) -> Template:
    """Return the command, checked. Raises InvalidParameter.

    >>> sorted(template_of(["mask", "{input}", "{output}", "-k{k}"], "mdav").names())
    ['input', 'k', 'output']
    """
    template = Template(tuple(words), _defaults(claim))
    known = [*NAMES, *template.defaults]
    for name in sorted(template.names()):
        if name not in known:
            can_be = ", ".join(f"{{{each}}}" for each in known)
            raise InvalidParameter(
                f"the command has {{{name}}}; the placeholders of {claim} are {can_be}"
            )
    for name in NEEDED:
        if name not in template.names():
            raise InvalidParameter(
                f"the command has no {{{name}}}; it needs {{input}}, {{output}} and {{k}}"
            )
    return template


def _defaults(claim: str) -> dict[str, str]:
    """Return the parameters of the algorithm with their defaults."""
    if claim in (ANY_PARTITION, OPTIMAL):
        return {}
    parameters = specification(claim).parameters
    return {each.name: binary64_text(str(each.default)) for each in parameters}
