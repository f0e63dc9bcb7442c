"""Blocks of attributes by their correlations, to be microaggregated each by itself.

Source: J. Nin, J. Herranz, V. Torra, "How to group attributes in multivariate microaggregation",
International Journal of Uncertainty, Fuzziness and Knowledge-Based Systems 16 suppl. 1 (2008)
121-138, recollected: attributes that are correlated lose less in one block, and risk more. The
greedy order is ours. k-anonymity holds in each block only; `Release.k_reached` says what is left
of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from refagg.data.tables import Column, table_of
from refagg.errors import InvalidParameter
from refagg.options.types import explaining


@explaining
def correlated_blocks(data: object, size: int, least: bool = False) -> list[list[str]]:
    """Divide attributes into blocks of the most or least correlated.

    A block has `size` attributes, the last may have fewer. With `least` they are the least
    correlated. While attributes remain, the two of the greatest squared correlation begin a block;
    until it has `size`, the one whose greatest squared correlation with an attribute of the block
    is greatest joins. With `least` both are the least. Of equal ones the first in the file is
    taken; a constant attribute is correlated with none. Raises InvalidParameter, and what
    `table_of` raises.

    >>> import refagg
    >>> rows = [[1, 5, 2], [2, 1, 4], [3, 4, 6], [4, 2, 9]]
    >>> refagg.correlated_blocks(rows, 2)
    [['x1', 'x3'], ['x2']]
    >>> refagg.correlated_blocks(rows, 2, least=True)
    [['x1', 'x2'], ['x3']]
    """
    if size < 1:
        raise InvalidParameter(f"size is {size}; a block has at least 1 attribute")
    table = table_of(data)
    sign = -1 if least else 1
    alike = {
        frozenset((a.name, b.name)): sign * squared_correlation(a, b)
        for a, b in combinations(table.columns, 2)
    }
    left, blocks = list(table.names), []
    while left:
        pairs = list(combinations(left, 2)) if size > 1 else []
        block = list(max(pairs, key=lambda pair: alike[frozenset(pair)], default=left[:1]))
        left = [name for name in left if name not in block]
        while left and len(block) < size:
            block.append(max(left, key=lambda name: _to_block(name, block, alike, sign)))
            left.remove(block[-1])
        blocks.append([name for name in table.names if name in block])
    return blocks


def squared_correlation(a: Column, b: Column) -> Fraction:
    """Return the square of Pearson's coefficient.

    It is rational; 0 if an attribute is constant.
    """
    x, y = _deviations(a.numerators), _deviations(b.numerators)
    both = sum(u * v for u, v in zip(x, y, strict=True))
    return Fraction(both * both, sum(u * u for u in x) * sum(v * v for v in y) or 1)


def _deviations(values: Sequence[int]) -> list[int]:
    """n times the deviations from the mean."""
    total = sum(values)
    return [len(values) * value - total for value in values]


def _to_block(
    name: str, block: Sequence[str], alike: dict[frozenset[str], Fraction], sign: int
) -> Fraction:
    return sign * max(sign * alike[frozenset((name, other))] for other in block)
