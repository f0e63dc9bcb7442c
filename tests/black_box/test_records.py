"""The outputs of all commands on the shipped data are those that are recorded."""

from __future__ import annotations

import sys

import pytest

from .records import RECORDS, difference, is_recorded
from .scripts import TOPICS

SINCE = {"algorithm-fuzzy": (3, 12), "constraints": (3, 12), "help": (3, 13)}
"""The versions of Python that print something else: sum() of floats compensates rounding since
3.12, argparse writes options in another way since 3.13."""


@pytest.mark.parametrize("topic", [topic for topic in TOPICS if is_recorded(topic)])
def test_outputs_are_as_recorded(topic: str) -> None:
    if sys.version_info >= SINCE.get(topic, (4,)):
        pytest.skip(f"recorded with Python 3.11; {sys.version.split()[0]} prints this differently")
    lines = difference(topic)
    assert not lines, "\n".join(lines)


def test_each_record_has_a_topic() -> None:
    """What has no record yet is named by tests/algorithms/test_complete.py."""
    recorded = {path.stem for path in RECORDS.iterdir()}
    assert recorded <= set(TOPICS)
    assert {
        topic for topic in set(TOPICS) - recorded if not topic.startswith("algorithm-")
    } == set()
