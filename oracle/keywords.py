"""The options of functions as types: `keywords.pyi`, which is generated."""
