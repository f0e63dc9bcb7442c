"""Halves of halves, and another algorithm in each that is small enough."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from plain import mondrian
from plain.geometry import Point


def partition(points: Sequence[Point], k: int, within: str, least: int) -> list[list[int]]:
    module: Any = import_module("plain." + within)
    groups = []
    for block in mondrian.partition(points, max(k, least), "relaxed"):
        ids = sorted(block)
        inside = module.partition([points[i] for i in ids], k)
        groups += [[ids[i] for i in group] for group in inside]
    return groups
