"""State of the field: implementations by others, and their results.

It also says how they are asked.
"""
