"""Sequences of events: how dissimilar two are, and what represents several."""
