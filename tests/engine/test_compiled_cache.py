"""What is compiled runs where no folder can be written, too."""

from __future__ import annotations

from typing import Any

import pytest

numba = pytest.importorskip("numba")

from refagg.engine.compiled import compiled  # noqa: E402


def double(number: int) -> int:
    return 2 * number


def test_without_a_folder_to_keep_it_a_function_is_compiled_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_folder(self: Any) -> None:
        raise RuntimeError("cannot cache function 'double': no locator available")

    assert compiled(double)._cache.cache_path
    monkeypatch.setattr(numba.core.dispatcher.Dispatcher, "enable_caching", no_folder)
    assert compiled(double)(21) == 42
