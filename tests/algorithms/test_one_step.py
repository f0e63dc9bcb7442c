"""Where the tests of one-step are.

`pytest --algorithm one-step` runs those that are for it alone.

- tests/algorithms/test_c_means.py
- tests/algorithms/test_genetic.py
- tests/plain/one_step.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/one-step.json: tests/conformance/test_vectors.py
- [[one-step]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-one-step.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
