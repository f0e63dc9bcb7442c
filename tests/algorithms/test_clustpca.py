"""Where the tests of clustpca are.

`pytest --algorithm clustpca` runs those that are for it alone.

- tests/algorithms/test_sdcmicro.py
- tests/plain/clustpca.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/clustpca.json: tests/conformance/test_vectors.py
- [[clustpca]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-clustpca.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
