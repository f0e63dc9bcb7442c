"""The schemas of all JSON that the commands write, a file for each format.

`NAME.schema.json` describes the format "refagg NAME VERSION", which is the member `format` of what
it describes; its `$id` is `urn:refagg:NAME:VERSION`. docs/stability.md says when a version changes.
"""

from __future__ import annotations

from pathlib import Path


def schema_file(name: str) -> Path:
    """Return the schema of a format.

    >>> schema_file("audit").name
    'audit.schema.json'
    """
    return Path(__file__).with_name(f"{name}.schema.json")
