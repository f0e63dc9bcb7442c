"""The command `refagg`: options, files and texts.

The work itself is done elsewhere.
"""
