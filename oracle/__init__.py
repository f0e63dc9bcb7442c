"""Judges: what was done to a file, whether it holds, and whether an algorithm could have done it."""
