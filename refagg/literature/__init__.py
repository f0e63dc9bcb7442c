"""The printed numbers of the literature, and what the library gets in their place."""
