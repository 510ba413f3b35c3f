"""The solver's compiled part: one whole position of common size, from faces to probabilities.

The kernels are plain Python functions, and run as such with the same results, bit for bit;
`demine.solver._kernels.build` hands the very same functions to Numba. They call each other by name
and share two flat work arrays, `work` (int64) and `values` (float64), whose parts are listed in
`places`: array views, tuples and unsigned integers are what makes compiled code slow, or its
arithmetic wrong.

Every float is a sum of positive terms, and counts layouts up to one common factor: nothing cancels,
and with at most `UNSETTLED` cells nothing overflows or underflows. So a sum of exactly 0.0 means
that there is no layout. What is beyond a limit (`BEYOND`) is for the plain engine to answer, and so
are contradictions, which it can name.
"""
