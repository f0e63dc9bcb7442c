"""Player of an algorithm's run: records, text and steps.

The run is played forwards and backwards.

`frames` says what is known after each step, `places` where records are, `text` which lines of the
algorithm a step carries out; `scene` puts them together, with a dendrogram of clusters that merge,
and `page` writes them as HTML with `player.css` and `player.js`.
"""
