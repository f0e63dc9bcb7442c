"""Where the tests of mhm are.

`pytest --algorithm mhm` runs those that are for it alone.

- tests/algorithms/test_paths.py
- tests/algorithms/test_shortest_path.py
- tests/plain/mhm.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/mhm.json: tests/conformance/test_vectors.py
- [[mhm]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-mhm.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
