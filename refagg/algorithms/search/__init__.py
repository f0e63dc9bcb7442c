"""Algorithms that search for better partitions step by step."""
