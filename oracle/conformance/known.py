"""Known failures, with the reasons.

They are in a file that makes a run in CI pass in spite of them.

Each line is `NAME: reason`. A name is the id of a vector (`mdav-017-duplicates`) or the name of a
cause (`run/x_s`), as they are printed with each failure; `*` and `?` stand for any signs. Empty
lines, and lines that begin with #, say nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from oracle.conformance.judge.causes import VALUES, cause_of
from oracle.conformance.judge.model import WRONG, Judgement
from refagg.data.textfiles import read_text
from refagg.errors import InvalidParameter
from refagg.language.number_texts import shortened


@dataclass(frozen=True, slots=True)
class KnownFailures:
    """Known failures: patterns of names, with reasons."""

    entries: tuple[tuple[str, str], ...] = ()

    def reason(self, *names: str) -> str | None:
        """Return the reason listed for one of these names.

        None if there is none.

        A cause that shows with some kind of values is known if the cause itself is.
        """
        names += tuple(name.rpartition("/")[0] for name in names if name.endswith(VALUES))
        for pattern, reason in self.entries:
            if any(fnmatchcase(name, pattern) for name in names):
                return reason
        return None

    def of(self, judgement: Judgement) -> str | None:
        """Return why an answer to a vector is a known failure.

        None if it is not known to be wrong, or is right.
        """
        if judgement.status not in WRONG:
            return None
        return self.reason(judgement.case.id, cause_of(judgement))

    def stale(self, judgements: Iterable[Judgement]) -> list[tuple[str, str]]:
        """Return the entries whose vectors no longer fail.

        They name vectors that were asked.
        """
        asked = list(judgements)
        return [entry for entry in self.entries if _is_stale(entry[0], asked)]


NOTHING = KnownFailures()


def _is_stale(pattern: str, judgements: Collection[Judgement]) -> bool:
    statuses = {j.status for j in judgements if fnmatchcase(j.case.id, pattern)}
    return "passed" in statuses and statuses.isdisjoint(WRONG)


def known_in(path: Path) -> KnownFailures:
    """Return the failures that a file lists. Raises FileUnreadable, InvalidParameter."""
    entries = []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, _, reason = (part.strip() for part in line.partition(":"))
        if not name or not reason:
            raise InvalidParameter(
                f"{path}, line {number}: {shortened(line.strip())} gives no reason; "
                "write NAME: reason"
            )
        entries.append((name, reason))
    return KnownFailures(tuple(entries))
