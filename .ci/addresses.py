"""The addresses of a package: those of the repository that builds it, as its workflow names it."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

RELATIVE = re.compile(r"(!?)(\[[^][]*\])\((?![a-z]+:|#)([^()\s]+)\)")
"""A link to a file of the repository, or a picture that is one."""

PAPER = {"The paper of MDAV": "https://doi.org/10.1007/s10618-005-0007-5"}


class Addresses(MetadataHookInterface):
    """The hook of the metadata; without a repository there are no addresses to name."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the addresses of the repository that GITHUB_REPOSITORY names, as OWNER/NAME."""
        server = os.environ.get("GITHUB_SERVER_URL", "https://github.com")
        name = os.environ.get("GITHUB_REPOSITORY", "")
        at = f"{server}/{name}"
        own = {
            "Source": at,
            "Documentation": f"{at}/tree/HEAD/docs",
            "Changelog": f"{at}/blob/HEAD/CHANGELOG.md",
            "Issues": f"{at}/issues",
        }
        metadata["urls"] = (own if name else {}) | PAPER
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        readme = with_absolute_links(text, at) if name else text
        metadata["readme"] = {"content-type": "text/markdown", "text": readme}


def with_absolute_links(text: str, at: str) -> str:
    """Return a text whose links work where only the text is shown, as in a package index."""

    def absolute(link: re.Match[str]) -> str:
        picture, name, path = link.groups()
        return f"{picture}{name}({at}/{'raw' if picture else 'blob'}/HEAD/{path})"

    return RELATIVE.sub(absolute, text)
