"""Pictures inside a page: matplotlib's SVG without what is of use only in a file of its own.

The page's colours take the place of the picture's, so that it follows light and dark. All names
get the picture's own prefix, since a page may hold many pictures.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

_BEFORE = re.compile(r"\A.*?(?=<svg\b)", re.DOTALL)
_ASIDE = re.compile(r"<metadata>.*?</metadata>|<style\b.*?</style>|<!--.*?-->", re.DOTALL)
_OPENING = re.compile(r"<svg\b[^>]*>")
_VIEW = re.compile(r'viewBox="([^"]+)"')
_STYLE = re.compile(r'style="[^"]*"')
_COLOUR = re.compile(r"#[0-9a-f]{6}\b")


def inline(svg: str, name: str, title: str, description: str, colours: Mapping[str, str]) -> str:
    """A picture to be put into a page under a name that nothing else there has.

    `colours` has for colours of the picture, "#rrggbb", the page's names for them.
    """
    svg = _ASIDE.sub("", _BEFORE.sub("", svg))
    svg = re.sub(r'\bid="', f'id="{name}-', svg)
    svg = re.sub(r'\b(?:xlink:)?href="#', f'href="#{name}-', svg)
    svg = svg.replace("url(#", f"url(#{name}-")
    svg = _STYLE.sub(lambda style: _in_colours(style[0], colours), svg)
    opening = _OPENING.search(svg)
    view = opening and _VIEW.search(opening[0])
    if not opening or not view:
        raise ValueError("no picture in SVG")
    width = float(view[1].split()[2])
    start = (
        f'<svg viewBox="{view[1]}" style="width: {width / 12:.4g}rem" role="img" '
        f'aria-labelledby="{name}-title {name}-about">\n'
        f'<title id="{name}-title">{escape(title)}</title>\n'
        f'<desc id="{name}-about">{escape(description)}</desc>'
    )
    return start + svg[opening.end() :].rstrip()


def _in_colours(style: str, colours: Mapping[str, str]) -> str:
    return _COLOUR.sub(lambda c: f"var(--{colours[c[0]]})" if c[0] in colours else c[0], style)
