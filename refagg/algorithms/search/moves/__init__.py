"""Local search: exchanges of records that lower the SSE.

The exchanges are among groups; what they lead to is here too.
"""
