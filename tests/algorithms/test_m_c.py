"""Where the tests of m-c are.

`pytest --algorithm m-c` runs those that are for it alone.

- tests/algorithms/test_spanning_tree.py
- tests/plain/m_c.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/m-c.json: tests/conformance/test_vectors.py
- [[m-c]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-m-c.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
