"""A shorter certificate proves the same."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest

pytest.importorskip("highspy")
pytest.importorskip("scipy")

from oracle.certificate import kernel
from oracle.certificate.kernel import check
from oracle.optima import columns, solve, tree
from tests.certificate.shorter import rewriter_of, shortened
from tests.certificate.test_certificate import written


@pytest.mark.parametrize("seed", [1, 2, 4])
@pytest.mark.parametrize("longest", [0, 10**6])
def test_what_was_proved_is_proved_in_less(seed: int, longest: int, tmp_path: Path) -> None:
    random = Random(seed)
    rows = [[random.randrange(100) for _ in range(2)] for _ in range(48)]
    none = {"new": lambda *_: [], "attribute": "new_cuts"}
    with patch.object(columns, **none), patch.object(tree, **none):
        before = solve(rows, 3, "columns", how="none").certificate
    assert before is not None
    old, data = tmp_path / "old.json", written(tmp_path, rows)
    old.write_text(json.dumps(before))
    after = json.dumps(shortened(before, rewriter_of(data, old, longest)))
    c = kernel.certificate_of(after, "shorter")
    check(c, kernel.read_rows(data, c.attributes))
    assert (str(c.value), str(c.bound)) == (before["value"], before["bound"])
    assert len(after) < len(json.dumps(before))
