"""Pages of the executed notebooks: `docs/generate.py` writes them beside those from the code.

The notebooks themselves are executed by `python -m tests.notebooks --write`, never by a build.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DRAWN = "What the cell draws"


def write_notebooks(docs: Path) -> None:
    """Write a page for each notebook, and its pictures beside it."""
    for path in sorted((docs / "notebooks").glob("*.ipynb")):
        folder = docs / "generated" / "notebooks"
        folder.mkdir(parents=True, exist_ok=True)
        text = "\n\n".join(parts(path, folder)) + "\n"
        page = folder / f"{path.stem}.md"
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8")


def parts(path: Path, folder: Path) -> Iterator[str]:
    """Yield the cells of a notebook and their outputs; pictures are written to the folder."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    yield "---\nhide-toc: true\n---"
    for number, cell in enumerate(cells):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            yield source.replace("](../", "](../../")  # a page is one folder deeper
            continue
        yield f"```python\n{source}\n```"
        for place, output in enumerate(cell["outputs"]):
            yield shown(output, folder / f"{path.stem}-{number}-{place}.png")
    yield f"{{download}}`This page as a notebook <../../notebooks/{path.name}>`."


def shown(output: dict[str, Any], picture: Path) -> str:
    """Return an output as a block of a page: a picture, a table, or a text."""
    data = output.get("data", {"text/plain": output.get("text", "")})
    if "image/png" in data:
        picture.write_bytes(b64decode(data["image/png"]))
        return f"![{DRAWN}]({picture.name})"
    if "text/html" in data:
        return f"``````{{raw}} html\n{_table(''.join(data['text/html']))}\n``````"
    return f"```{{code-block}} text\n:class: printed\n\n{''.join(data['text/plain']).rstrip()}\n```"


def _table(html: str) -> str:
    """Return the tables of an output in the style of the site; a player is left as it is."""
    if "run-player" in html:
        return html
    html = re.sub(r"<style.*?</style>", "", html, flags=re.DOTALL).replace("<th></th>", "<td></td>")
    table = '<div class="table-wrapper docutils container" tabindex="0"><table class="docutils">'
    return re.sub(r"<table[^>]*>", table, html).replace("</table>", "</table></div>")
