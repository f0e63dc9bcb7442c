"""Flags of vectors: what a case is about.

Each is explained once, in `flags.toml`.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

_EXPLAINED: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("flags.toml").read_text(encoding="utf-8")
)

FAULTS = _EXPLAINED["faults"]
"""Types of faults of findings."""

EFFECTS = _EXPLAINED["effects"]
"""What faults do to a release."""

FLAGS = _EXPLAINED["cases"] | FAULTS | EFFECTS
