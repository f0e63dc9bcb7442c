"""Where the tests of mstp are.

`pytest --algorithm mstp` runs those that are for it alone.

- tests/algorithms/test_second_phase.py
- tests/algorithms/test_spanning_tree.py
- tests/plain/mstp.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/mstp.json: tests/conformance/test_vectors.py
- [[mstp]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-mstp.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
