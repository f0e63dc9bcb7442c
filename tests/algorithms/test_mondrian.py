"""Where the tests of mondrian are.

`pytest --algorithm mondrian` runs those that are for it alone.

- tests/algorithms/test_igd.py
- tests/algorithms/test_rivals.py
- tests/plain/mondrian.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/mondrian.json: tests/conformance/test_vectors.py
- [[mondrian]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-mondrian.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
