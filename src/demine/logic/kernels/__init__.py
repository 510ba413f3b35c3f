"""The kernels of the board."""

from __future__ import annotations

from typing import Final

from demine.kernels.kernel_set import KernelSet

OPENING_KERNELS: Final = KernelSet(
    ("demine.logic.kernels.words", "demine.logic.kernels.opening"),
    {
        "open_by_words": "(uint8[::1], uint8[::1], int64, int64, boolean, uint64[::1])",
    },
)
"""The opening of a board."""
DEALING_KERNELS: Final = KernelSet(
    ("demine.logic.kernels.deal",),
    {"deal_many": "(uint64, int64, int64, uint8[::1], uint8[:, ::1])"},
)
"""Many boards at once."""
NOTES: Final = 6
"""How many numbers, of 32 bits, the kernel that opens keeps of each row."""
