"""Linear algebra, with exact ranks in rational numbers.

A rank is a fact there and no judgement.
"""
