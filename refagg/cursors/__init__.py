"""Cursors: the state of a running algorithm's text.

A cursor holds the records that remain, the groups and the choices.
"""
