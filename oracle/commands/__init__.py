"""Command `oracle`: options, files and texts.

What it prints is computed elsewhere.
"""
