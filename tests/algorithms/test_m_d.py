"""Where the tests of m-d are.

`pytest --algorithm m-d` runs those that are for it alone.

- tests/algorithms/test_spanning_tree.py
- tests/plain/m_d.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/m-d.json: tests/conformance/test_vectors.py
- [[m-d]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-m-d.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
