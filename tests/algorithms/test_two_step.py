"""Where the tests of two-step are.

`pytest --algorithm two-step` runs those that are for it alone.

- tests/algorithms/test_genetic.py
- tests/plain/two_step.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/two-step.json: tests/conformance/test_vectors.py
- [[two-step]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-two-step.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
