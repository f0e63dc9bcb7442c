"""Where the tests of blocks-in-file-order are.

`pytest --algorithm blocks-in-file-order` runs those that are for it alone.

- tests/algorithms/test_projection.py
- tests/plain/blocks_in_file_order.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/blocks-in-file-order.json: tests/conformance/test_vectors.py
- [[blocks-in-file-order]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-blocks-in-file-order.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
