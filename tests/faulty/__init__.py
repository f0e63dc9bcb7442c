"""Implementations that are wrong in a known way, and right ones, for the tester to be tested on."""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = str(Path(__file__).parent.parent)
if TESTS not in sys.path:  # the plain programs import each other from there
    sys.path.insert(0, TESTS)
