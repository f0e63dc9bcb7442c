"""Where the tests of kd-blocks are.

`pytest --algorithm kd-blocks` runs those that are for it alone.

- tests/algorithms/test_igd.py
- tests/plain/kd_blocks.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/kd-blocks.json: tests/conformance/test_vectors.py
- [[kd-blocks]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-kd-blocks.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
