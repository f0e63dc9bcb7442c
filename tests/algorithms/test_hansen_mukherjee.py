"""Where the tests of hansen-mukherjee are.

`pytest --algorithm hansen-mukherjee` runs those that are for it alone.

- tests/algorithms/test_shortest_path.py
- tests/plain/hansen_mukherjee.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/hansen-mukherjee.json: tests/conformance/test_vectors.py
- [[hansen-mukherjee]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-hansen-mukherjee.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
