"""Where the tests of k-means-split are.

`pytest --algorithm k-means-split` runs those that are for it alone.

- tests/algorithms/test_k_means.py
- tests/plain/k_means_split.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/k-means-split.json: tests/conformance/test_vectors.py
- [[k-means-split]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-k-means-split.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
