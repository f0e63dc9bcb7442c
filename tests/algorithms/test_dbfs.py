"""Where the tests of dbfs are.

`pytest --algorithm dbfs` runs those that are for it alone.

- tests/algorithms/test_second_phase.py
- tests/plain/dbfs.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/dbfs.json: tests/conformance/test_vectors.py
- [[dbfs]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-dbfs.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
