"""The examples of help(): whoever pastes them after `import refagg` gets what they promise."""

from __future__ import annotations

import doctest

import pytest

import refagg
from refagg.functions import FUNCTIONS


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_the_examples_of_help_run_as_they_stand(name: str) -> None:
    names = {"refagg": refagg}
    text = FUNCTIONS[name].__doc__ or ""
    examples = doctest.DocTestParser().get_doctest(text, names, name, None, None)
    assert examples.examples, f"help(refagg.{name}) has no example"
    said: list[str] = []
    assert doctest.DocTestRunner().run(examples, out=said.append).failed == 0, "".join(said)
