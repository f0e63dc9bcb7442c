"""What tests share: where reference data are, if they are anywhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def _folder(variable: str) -> Path:
    folder = os.environ.get(variable)
    if not folder:
        pytest.skip(f"{variable} is not set: reference data are not available")
    return Path(folder)


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder with census.csv, tarragona.csv and eia.csv."""
    return _folder("REFAGG_DATA")


@pytest.fixture(scope="session")
def peers_folder() -> Path:
    """The folder with files released by other tools."""
    return _folder("REFAGG_PEERS")
