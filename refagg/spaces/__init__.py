"""The spaces in which records live.

`protocol` says what a space offers; the other modules offer it.
"""
