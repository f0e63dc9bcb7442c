"""A run of an algorithm, played: its records, its text and its steps, forwards and backwards.

`frames` says what is known after each step, `places` where records are, `growth` how a dendrogram
grows, `text` which lines of the algorithm a step carries out; `scene` puts them together, and
`page` writes them as HTML with `player.css` and `player.js`.
"""

from __future__ import annotations

from refagg.comparison.player.frames import ALONE, groups_in, shown_frames
from refagg.comparison.player.page import fragment, write_player
from refagg.comparison.player.scene import (
    Run,
    Scene,
    scene_of_items,
    scene_of_release,
    scene_of_run,
)

__all__ = [
    "ALONE",
    "Run",
    "Scene",
    "fragment",
    "groups_in",
    "scene_of_items",
    "scene_of_release",
    "scene_of_run",
    "shown_frames",
    "write_player",
]
