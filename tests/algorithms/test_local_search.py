"""Where the tests of local-search are.

`pytest --algorithm local-search` runs those that are for it alone.

- tests/algorithms/test_local.py
- tests/plain/local_search.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/local-search.json: tests/conformance/test_vectors.py
- [[local-search]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-local-search.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
