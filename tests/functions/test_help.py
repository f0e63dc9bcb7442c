"""The examples of help(): whoever pastes them after `import refagg` gets what they promise."""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Iterator
from types import ModuleType

import pytest

import oracle
import refagg
from refagg.functions import FUNCTIONS

WITHOUT = {"hunt", "method_of", "read_audit", "reproduce"}
"""Functions without an example: they take long, or files, or make what other examples show."""


def public() -> Iterator[tuple[ModuleType, str, str]]:
    """Each function and class of both packages, and each member of a class, with its docstring."""
    for module in (refagg, oracle):
        for name in sorted({*dir(module), *module.__all__}):
            value = getattr(module, name)
            home = getattr(value, "__module__", None) or ""
            if name.startswith("_") or not home.startswith(("refagg", "oracle")):
                continue
            if inspect.isfunction(value) or inspect.isclass(value):
                yield module, name, value.__doc__ or ""
            if inspect.isclass(value):
                for member in dir(value):
                    text = getattr(inspect.getattr_static(value, member), "__doc__", None)
                    if text and not member.startswith("_"):
                        yield module, f"{name}.{member}", text


def run(module: ModuleType, name: str, text: str) -> int:
    """Run the examples of a docstring after `import` alone; how many there are."""
    examples = doctest.DocTestParser().get_doctest(
        text, {module.__name__: module}, name, None, None
    )
    said: list[str] = []
    assert doctest.DocTestRunner().run(examples, out=said.append).failed == 0, "".join(said)
    return len(examples.examples)


PUBLIC = {f"{module.__name__}.{name}": (module, name, text) for module, name, text in public()}


@pytest.mark.parametrize("name", PUBLIC)
def test_the_examples_of_help_run_as_they_stand(name: str) -> None:
    module, own, text = PUBLIC[name]
    function = inspect.isfunction(getattr(module, own, None))
    assert run(module, own, text) or not function or own in WITHOUT, f"{name} has no example"


def test_every_algorithm_is_among_them() -> None:
    assert {f"refagg.{name}" for name in FUNCTIONS} <= PUBLIC.keys()


def test_a_name_that_was_not_imported_is_seen() -> None:
    with pytest.raises(AssertionError, match="NameError"):
        run(refagg, "planted", ">>> Partition.of([[0]]).groups\n((0,),)")
