"""Where the tests of mcdpca are.

`pytest --algorithm mcdpca` runs those that are for it alone.

- tests/algorithms/test_sdcmicro.py
- tests/plain/mcdpca.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/mcdpca.json: tests/conformance/test_vectors.py
- [[mcdpca]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-mcdpca.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
