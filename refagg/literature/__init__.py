"""Printed claims of publications as data, with computed verdicts.

`claims` says what a claim is, one module for each source lists its claims, `ledger` computes
them. No result is stored anywhere.
"""
