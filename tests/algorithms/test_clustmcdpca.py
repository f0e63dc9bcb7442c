"""Where the tests of clustmcdpca are.

`pytest --algorithm clustmcdpca` runs those that are for it alone.

- tests/algorithms/test_sdcmicro.py
- tests/plain/clustmcdpca.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/clustmcdpca.json: tests/conformance/test_vectors.py
- [[clustmcdpca]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-clustmcdpca.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
