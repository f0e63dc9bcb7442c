"""Where the project is, and copies of what it ships."""

from pathlib import Path
from shutil import copytree, ignore_patterns

ROOT = Path(__file__).resolve().parent.parent


def copied_datasets(place: str | Path) -> Path:
    """Copy the tables that ship to a folder, without the certificates, which are large."""
    return Path(copytree(ROOT / "datasets", place, ignore=ignore_patterns("certificates")))
