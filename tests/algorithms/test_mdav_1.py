"""Where the tests of mdav-1 are.

`pytest --algorithm mdav-1` runs those that are for it alone.

- tests/algorithms/test_rivals.py
- tests/algorithms/test_second_phase.py
- tests/plain/mdav_1.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/mdav-1.json: tests/conformance/test_vectors.py
- [[mdav-1]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-mdav-1.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
