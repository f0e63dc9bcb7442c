"""Where the tests of k-means-spread are.

`pytest --algorithm k-means-spread` runs those that are for it alone.

- tests/algorithms/test_k_means.py
- tests/plain/k_means_spread.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/k-means-spread.json: tests/conformance/test_vectors.py
- [[k-means-spread]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-k-means-spread.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
