"""What publications print, and what this library computes: claims as data, verdicts computed.

`claims` says what a claim is, one module for each source lists its claims, `ledger` computes
them. No result is stored anywhere.
"""
