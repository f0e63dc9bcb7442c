"""Where the tests of clustpppca are.

`pytest --algorithm clustpppca` runs those that are for it alone.

- tests/algorithms/test_sdcmicro.py
- tests/algorithms/test_tfrp.py
- tests/plain/clustpppca.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/clustpppca.json: tests/conformance/test_vectors.py
- [[clustpppca]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-clustpppca.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
