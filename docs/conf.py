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
exclude_patterns = ["_site", "README.md", "paper"]
html_theme = "furo"
html_title = "refagg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_show_copyright = False
html_theme_options = {"top_of_page_buttons": []}
highlight_language = "text"
smartquotes = False


ACCESSIBLE = {
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="Site">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="Page">',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
    '<div class="as-printed docutils container">': (
        '<div tabindex="0" class="as-printed docutils container">'
    ),
    '<noscript>\n<div class="admonition error">': (  # of the page that searches, no other
        '<h1>Search</h1>\n<noscript>\n<div class="admonition error">'
    ),
}
"""What the theme lacks for people who use a keyboard or hear the page."""


def mend_pages(app: Any, failed: Exception | None) -> None:
    """Complete the pages that were written."""
    for page in Path(app.outdir).rglob("*.html") if failed is None else ():
        text = written = page.read_text(encoding="utf-8")
        for lacking, complete in ACCESSIBLE.items():
            text = text.replace(lacking, complete)
        if text != written:
            page.write_text(text, encoding="utf-8")


def setup(app: Any) -> None:
    app.connect("builder-inited", lambda app: write_pages(Path(app.srcdir)))
    app.connect("build-finished", mend_pages)
