"""The kernels of the statistics: the same results as the plain functions beside them, sooner."""

from __future__ import annotations

from typing import Final

from demine.kernels.kernel_set import KernelSet

_BOARD: Final = "uint8[:, ::1], int64[:, ::1]"

STATISTICS_KERNELS: Final = KernelSet(
    [f"demine.statistics.kernels.{name}" for name in (
        "zini", "chain_zini", "wom", "play_recording", "components",
    )],
    {
        "zini_clear": f"(uint8[::1], int64, int64, int64[::1], {_BOARD})",
        "hand_play":
            "(int64[::1], uint8[::1], int64[::1], int64[:, ::1], uint8[::1], uint8[::1],"
            " int64[::1], uint8[:, ::1], int64[::1], int64[::1], int64[::1], int64[:, ::1])",
        "parts_label": "(uint8[::1], int64, int64[::1], int64[::1])",
        "chain_least": f"(uint8[::1], int64, int64[:, ::1], {_BOARD}, int64[::1])",
        "wom_clear": f"(uint8[::1], int64, int64, int64, {_BOARD}, {_BOARD})",
    },
    takes_read_only=True,
)  # fmt: skip
