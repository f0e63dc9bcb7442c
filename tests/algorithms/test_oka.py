"""Where the tests of oka are.

`pytest --algorithm oka` runs those that are for it alone.

- tests/algorithms/test_rivals.py
- tests/plain/oka.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/oka.json: tests/conformance/test_vectors.py
- [[oka]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-oka.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
