"""The command of a program that reads a file and writes one: words with placeholders in braces."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from oracle.conformance.judge.model import ANY_PARTITION, OPTIMAL, Case
from oracle.conformance.transport.columns import binary64_text, column_names
from refagg.catalogue import specification
from refagg.errors import InvalidParameter

NEEDED = ("input", "output", "k")
NAMES = (*NEEDED, "standardise", "seed", "columns")
"""The placeholders, beside the parameters of the algorithm."""

_PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_-]*)\}")


@dataclass(frozen=True, slots=True)
class Template:
    """A command with placeholders, and the parameters of the algorithm with their defaults."""

    words: tuple[str, ...]
    defaults: dict[str, str]

    def names(self) -> set[str]:
        """The placeholders that it has."""
        return {name for word in self.words for name in _PLACEHOLDER.findall(word)}

    def filled(self, case: Case, source: str, target: str) -> list[str]:
        """The command for a case; what a value says is not filled again."""
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
    """The command, checked. Raises InvalidParameter.

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
    """The parameters of the algorithm with their defaults."""
    if claim in (ANY_PARTITION, OPTIMAL):
        return {}
    parameters = specification(claim).parameters
    return {each.name: binary64_text(str(each.default)) for each in parameters}
