"""Algorithms that group the records around those farthest from the centroid."""
