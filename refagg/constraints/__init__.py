"""Linear constraints between attributes, such as net + tax = gross.

Also the nearest point that meets them.

Everything is exact: whether constraints agree, which of them follow from others, and the
projection of a point onto them. A projection depends on the metric. With the weights w of
`refagg.data.standardise.Scaled` (1 for raw values, 1/variance for standardised ones) it is the
point x with A x = b that has the least sum of w_j (x_j - v_j)^2:

    x = v - W^-1 A' (A W^-1 A')^-1 (A v - b), with independent rows A.

In standardised coordinates the constraint has other numbers, but x is the same.

`equations` reads constraints, `system` solves them, `rounding` keeps them in decimals, `checking`
says how far a table is from them.
"""
