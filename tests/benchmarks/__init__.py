"""Measurements, printed: each compares in one run, and no test depends on its times."""
