"""Where the tests of rmd are.

`pytest --algorithm rmd` runs those that are for it alone.

- tests/algorithms/test_sdcmicro.py
- tests/plain/rmd.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/rmd.json: tests/conformance/test_vectors.py
- [[rmd]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-rmd.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
