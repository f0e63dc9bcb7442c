"""`refagg algorithms`: the catalogue, for a reader or as JSON."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from typing import Any

from refagg.catalogue import CATALOGUE, installed, specification
from refagg.commands.options import argument
from refagg.language.specification import Specification
from refagg.options.fields import Option

FORMAT = "refagg algorithms 1"


COMMAND = (
    argument("name", "NAME", "an algorithm (default: all)", nargs="?", read=str),
    Option("print JSON", False, name="json"),
)


def run(given: argparse.Namespace) -> int:
    """Carry out the command."""
    known = (*CATALOGUE.values(), *installed().values())
    chosen = [specification(given.name)] if given.name else known
    if given.json:
        data = {"format": FORMAT, "algorithms": [_as_data(spec) for spec in chosen]}
        print(json.dumps(data, indent=2))
    elif given.name:
        print("\n".join(_description(chosen[0])))
    else:
        width = max(len(spec.name) for spec in known)
        for spec in chosen:
            print(f"{spec.name:<{width}}  {spec.title}\n{'':<{width}}  {spec.source}")
    return 0


def _as_data(spec: Specification) -> dict[str, Any]:
    return {
        "name": spec.name,
        "title": spec.title,
        "source": spec.source,
        "needs": spec.needs,
        "yields": spec.yields,
        "arithmetic": list(spec.arithmetic),
        "guarantees": spec.guarantees,
        "cost": spec.cost,
        "decisions": list(spec.decisions),
        "parameters": [
            {
                "name": parameter.name,
                "default": None if parameter.stated else str(parameter.default),
                "allowed": parameter.allowed,
                "meaning": parameter.meaning,
            }
            for parameter in spec.parameters
        ],
        "variants": {name: dict(given) for name, given in spec.variants.items()},
        "ties": [{"name": t.name, "step": t.step, "meaning": t.meaning} for t in spec.ties],
    }


def _default(text: str | None) -> str:
    return "has to be given" if text is None else f"default {text}"


def _variant(name: str, given: Mapping[str, str]) -> str:
    """Another name of an algorithm, and what it stands for."""
    settings = ", ".join(f"{parameter}={value}" for parameter, value in given.items())
    return f"{name}, with {settings}" if settings else name


def _description(spec: Specification) -> list[str]:
    data = _as_data(spec)
    lines = [f"{spec.name}: {spec.title}", f"source: {spec.source}"]
    lines += [f"guarantees: {spec.guarantees}", f"cost: {spec.cost}"]
    lines.append(f"arithmetic: {', '.join(spec.arithmetic)}")
    lines += [
        f"parameter {p['name']} ({_default(p['default'])}): {p['meaning']}; {p['allowed']}"
        for p in data["parameters"]
    ]
    lines += [f"also called {_variant(name, given)}" for name, given in spec.variants.items()]
    lines += [f"open choice in step {t['step']}: {t['name']}, {t['meaning']}" for t in data["ties"]]
    lines.append(f"decisions: {', '.join(map(str, spec.decisions))}")
    return lines
