"""Kernels that solve boards of common size, from their faces to probabilities.

The kernels are plain Python functions, which `demine.kernels.build` has compiled by Numba; run as
they are they give the same results, bit for bit. They call each other by name, and share two flat
work arrays, `work` (int64) and `values` (float64), whose parts `offsets` lists. Array views, tuples
and unsigned integers are avoided, because they make compiled code slow or its arithmetic wrong.

Every float counts layouts, up to one common factor, as a sum of positive terms. So no digits are
cancelled, with at most `UNSETTLED` cells nothing overflows or underflows, and a sum of exactly 0.0
means that there is no layout. For boards that exceed a limit, and for contradictions, `BEYOND` is
returned: the plain engine answers those, and names the contradiction.
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
"""They are compiled first, because single questions need no other kernels."""
