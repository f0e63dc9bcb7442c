"""Put all files of vectors into one archive of a wheel: they repeat each other's tables."""

from __future__ import annotations

import tarfile
from io import BytesIO
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDER = "oracle/conformance/vectors"


class ArchiveOfVectors(BuildHookInterface[Any]):
    """The build's hook; the wheel's `exclude` leaves the files themselves out."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the archive beside the wheel and have it taken in."""
        if self.target_name != "wheel" or version == "editable":
            return
        archive = Path(self.directory) / "vectors.tar.xz"
        archive.parent.mkdir(parents=True, exist_ok=True)
        with tarfile.open(archive, "w:xz") as target:
            for path in sorted((Path(self.root) / FOLDER).glob("*.json")):
                entry = tarfile.TarInfo(path.name)
                content = path.read_bytes()
                entry.size = len(content)
                target.addfile(entry, BytesIO(content))
        build_data["force_include"][str(archive)] = f"{FOLDER}/{archive.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Leave nothing but the wheel in the folder of packages."""
        (Path(self.directory) / "vectors.tar.xz").unlink(missing_ok=True)
