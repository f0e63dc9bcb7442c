"""Where the tests of t-closeness-merging are.

`pytest --algorithm t-closeness-merging` runs those that are for it alone.

- tests/plain/t_closeness_merging.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/t-closeness-merging.json: tests/conformance/test_vectors.py
- [[t-closeness-merging]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-t-closeness-merging.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
