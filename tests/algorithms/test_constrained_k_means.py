"""Where the tests of constrained-k-means are.

`pytest --algorithm constrained-k-means` runs those that are for it alone.

- tests/algorithms/test_igd.py
- tests/plain/constrained_k_means.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/constrained-k-means.json: tests/conformance/test_vectors.py
- [[constrained-k-means]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-constrained-k-means.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
