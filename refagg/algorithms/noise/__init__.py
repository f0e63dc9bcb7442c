"""Added noise, for comparison with microaggregation.

It is not microaggregation itself.
"""
