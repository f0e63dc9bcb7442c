"""Result pages: what a judgement found, as a page for a browser and as JSON beside it."""
