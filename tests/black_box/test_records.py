"""The outputs of all commands on the shipped data are those that are recorded."""

from __future__ import annotations

import pytest

from .records import RECORDS, difference
from .scripts import TOPICS


@pytest.mark.parametrize("topic", TOPICS)
def test_outputs_are_as_recorded(topic: str) -> None:
    lines = difference(topic)
    assert not lines, "\n".join(lines)


def test_each_record_has_a_topic() -> None:
    assert sorted(path.stem for path in RECORDS.iterdir()) == sorted(TOPICS)
