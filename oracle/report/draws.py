"""What a page says of a release whose records were drawn: sizes, test, power and attacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from oracle.auditing.checks import Check

ASSIGNMENT, SIZES = "assignment", "group sizes"

STATISTICS = {
    "p_likelihood": ("likelihood", "records are at their likely centres too often, or too seldom"),
    "p_sizes": ("sizes", "group sizes are too far from the expected ones, or too near to them"),
    "p_rarest": ("rarest record", "a record is at a centre of low probability"),
    "p": ("the three together", "Bonferroni: three times the least of them, at most 1"),
}

SIZE_FACTS = ("expected_sizes", "standard_deviations_of_sizes", "realised_sizes")

ATTACKS = {
    "nearest": "nearest centre",
    "posterior": "posterior",
    "mdav_nearest": "nearest centre, on a release of MDAV",
}


@dataclass(frozen=True, slots=True)
class Size:
    """A group: its expected size, the standard deviation of its size, and its realised size."""

    number: int
    expected: float
    deviation: float
    realised: int


@dataclass(frozen=True, slots=True)
class Draws:
    """The checks of assignment and sizes in one block of attributes."""

    assignment: Check | None
    group_sizes: Check

    @property
    def sizes(self) -> list[Size]:
        """For each centre; none where the test was not made."""
        columns = [self._found.get(name, ()) for name in SIZE_FACTS]
        return [Size(number, *row) for number, row in enumerate(zip(*columns, strict=True))]

    @property
    def p_values(self) -> list[tuple[str, str, float]]:
        """A name, what a small one means, and the p-value."""
        found = self._found
        return [(*words, found[key]) for key, words in STATISTICS.items() if key in found]

    @property
    def power(self) -> Mapping[str, float]:
        """For each way of assigning records wrongly the share that the test rejects."""
        found: Mapping[str, float] = self._found.get("power", {})
        return found

    @property
    def _found(self) -> Mapping[str, Any]:
        return self.assignment.details if self.assignment else {}


def draws_of(checks: Sequence[Check]) -> Draws | None:
    """Return the facts about draws, where records were drawn."""
    named = {check.name: check for check in checks}
    return Draws(named.get(ASSIGNMENT), named[SIZES]) if SIZES in named else None


def attacks_of(facts: Mapping[str, Any]) -> list[tuple[str, Mapping[str, float]]]:
    """The attacks of the facts with their names."""
    found = facts.get("transparency_attack", {})
    return [(name, found[key]) for key, name in ATTACKS.items() if key in found]
