"""The site: `python -m sphinx -W --keep-going -b html docs docs/_site` builds it."""

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from generate import write_pages

import refagg

project = "refagg"
author = "The refagg maintainers"
release = version = refagg.__version__
extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_site", "README.md"]
html_theme = "furo"
html_title = "refagg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sphinx = False
highlight_language = "text"


def setup(app: Any) -> None:
    app.connect("builder-inited", lambda app: write_pages(Path(app.srcdir)))
