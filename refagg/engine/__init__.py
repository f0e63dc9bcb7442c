"""Engines that make the verbs of the language fast.

Each piece has a naive twin in the tests.
"""
