"""Replay of an algorithm: its runs for all ways of breaking ties.

Could the algorithm have given these groups? There is one run for each way of breaking ties.
"""
