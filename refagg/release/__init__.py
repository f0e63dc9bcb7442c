"""Masking: from data to a release, its loss and its disclosure.

It also says what a release still discloses.
"""
