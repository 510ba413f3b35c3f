"""Kernels that solve a board of common size, from its faces to probabilities.

The kernels are plain Python functions, and run as such with the same results, bit for bit;
`demine.kernels.build` hands the very same functions to Numba. They call each other by name
and share two flat work arrays, `work` (int64) and `values` (float64), whose parts are listed in
`offsets`: array views, tuples and unsigned integers are what makes compiled code slow, or its
arithmetic wrong.

Every float is a sum of positive terms, and counts layouts up to one common factor: nothing cancels,
and with at most `UNSETTLED` cells nothing overflows or underflows. So a sum of exactly 0.0 means
that there is no layout. What is beyond a limit (`BEYOND`) is for the plain engine to answer, and so
are contradictions, which it can name.
"""

from __future__ import annotations

from typing import Final

from demine.kernels.kernel_set import KernelSet

EXACT_KERNELS: Final = KernelSet(
    [f"demine.solver.exact.kernels.{name}" for name in (
        "parse_board", "box_order", "component_states", "combine_components", "solve_boards",
    )],
    {
        "solve_boards":
            "(uint8[::1], int64, int64, int64[::1], float64[::1], int64[::1], float64[::1],"
            " boolean[::1])",
    },
)  # fmt: skip
"""Single questions wait for nothing else: they come first."""
