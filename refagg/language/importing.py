"""Objects of modules outside the project, named as "module:name"."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import PurePath
from typing import Any

from refagg.errors import InvalidParameter, MissingExtra


def object_named(name: str) -> Any:
    """Import and return the object that "module:name" names.

    The module is an installed one or a file in the current directory. The current directory is
    searched last. Raises InvalidParameter, and MissingExtra if the module raises it.
    """
    module, colon, path = name.partition(":")
    if not (module and colon and path):
        raise InvalidParameter(f"{name!r} is not of the form module:function")
    if module.endswith(".py") or "/" in module:
        where = PurePath(module).with_suffix("")
        raise InvalidParameter(
            f"{name!r} names a file; name the module, {where.name}:{path}, from the folder it is in"
        )
    if "" not in sys.path:
        sys.path.append("")
    try:
        with redirect_stdout(sys.stderr):
            found: Any = importlib.import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
    except MissingExtra:
        raise
    except (Exception, SystemExit) as error:
        raise InvalidParameter(f"{name!r} cannot be loaded: {described(error)}") from None
    return found


def function_named(name: str) -> Callable[..., Any]:
    """The function that "module:function" names. Raises InvalidParameter, MissingExtra."""
    function: Callable[..., Any] = object_named(name)
    if not callable(function):
        raise InvalidParameter(f"{name!r} is not a function")
    return function


def described(error: BaseException) -> str:
    """Return the type and message of an exception of foreign code.

    The message is cut at 500 characters.
    """
    try:
        text = str(error)
    except Exception:
        text = "(its message cannot be shown)"
    return f"{type(error).__name__}: {text[:500]}"
