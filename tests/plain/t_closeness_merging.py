"""Groups of another algorithm, merged."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from importlib import import_module
from typing import Any

from plain.emd import merged, parted
from plain.geometry import Point


def partition(
    points: Sequence[Point], k: int, start: str, confidential: int, t: Fraction
) -> list[list[int]]:
    quasi, secret = parted(points, confidential)
    module: Any = import_module("plain." + start.replace("-", "_"))
    return merged(quasi, secret, sorted(map(sorted, module.partition(quasi, k))), t)
