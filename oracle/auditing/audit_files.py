"""JSON of audits: its format, and a reader.

It reads this version and the one before.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from refagg.data.textfiles import read_json
from refagg.errors import InvalidAudit

FORMAT = "refagg audit 2"
SEVERAL = "refagg audits 2"

_BEFORE = {"refagg audit 1": FORMAT, "refagg audits 1": SEVERAL}
"""The version before, in which the checks of a block were called `rungs`."""


def read_audit(path: str | Path) -> dict[str, object]:
    """Return the audit, or the audits, in a JSON file.

    They are in the format of this version, whatever that of the file.

    Raises FileUnreadable, InvalidAudit if the file holds something else.
    """
    data = read_json(Path(path), InvalidAudit)
    found = data.get("format") if isinstance(data, dict) else None
    if found not in (FORMAT, SEVERAL, *_BEFORE):
        raise InvalidAudit(
            f'{path} is not an audit: its format is {found!r}; expected "{FORMAT}", "{SEVERAL}" '
            "or version 1 of either"
        )
    return _renewed(data)


def _renewed(data: dict[str, Any]) -> dict[str, Any]:
    blocks = [
        {("checks" if name == "rungs" else name): value for name, value in block.items()}
        for block in data.get("blocks", ())
    ]
    return (
        data
        | {"format": _BEFORE.get(data["format"], data["format"])}
        | ({"blocks": blocks} if "blocks" in data else {})
        | ({"audits": [_renewed(one) for one in data["audits"]]} if "audits" in data else {})
    )
