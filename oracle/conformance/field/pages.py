"""Words for results of the field: claims, verdicts, and a summary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from oracle.conformance.field.results import Result, status_of, worst


def programs(results: Sequence[Result]) -> list[Result]:
    """Return the results of programs by others.

    The project's own examples have no link.
    """
    return [result for result in results if result["implementation"]["link"]]


def verdict(asked: Mapping[str, Any]) -> str:
    """Return the verdict on a claim.

    It is the worst of its findings, or that nothing was found.

    >>> verdict({"findings": [{"severity": "refuses"}]})
    'refuses'
    """
    found = {"right": "nothing found", "not judged": "not judged"}
    return worst(asked["findings"]) or found[status_of(asked)]


def summary(results: Sequence[Result]) -> str:
    """Return a summary of the programs.

    It says how many there are, in which languages, and what was found of them.
    """
    shown = programs(results)
    written = [result["implementation"]["language"] for result in shown]
    languages = sorted(set(" and ".join(written).split(" and ")))
    verdicts = [verdict(asked) for result in shown for asked in result["asked"]]
    parts = [f"{len(shown)} programs by others, in {', '.join(languages)}, claim"]
    parts += [f"{len(verdicts)} times to be an algorithm."]
    for name in dict.fromkeys(sorted(verdicts, key=verdicts.count, reverse=True)):
        parts.append(f"{name.capitalize()}: {verdicts.count(name)}.")
    return " ".join(parts)


def claim_text(asked: Mapping[str, Any]) -> str:
    """Return the algorithm with its parameters.

    >>> claim_text({"algorithm": "mondrian", "parameters": {"cut": "relaxed"}})
    'mondrian, cut = relaxed'
    """
    parameters = (f"{name} = {value}" for name, value in asked["parameters"].items())
    return ", ".join([asked["algorithm"], *parameters])
