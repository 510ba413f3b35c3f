"""The kernels of the statistics: faster forms of plain functions, with the same results."""

from __future__ import annotations

from typing import Final

from demine.kernels.kernel_set import KernelSet

_BOARD: Final = "uint8[:, ::1], int64[:, ::1]"

STATISTICS_KERNELS: Final = KernelSet(
    [f"demine.statistics.kernels.{name}" for name in (
        "zini", "chain_zini", "wom", "play_recording", "components", "count_game",
    )],
    {
        "zini_clicks": f"(uint8[::1], int64, int64, int64[::1], {_BOARD})",
        "play_button_events":
            "(int64[::1], uint8[::1], int64[::1], int64[:, ::1], uint8[::1], uint8[::1],"
            " int64[::1], uint8[:, ::1], int64[::1], int64[::1], int64[::1], int64[:, ::1])",
        "count_game":
            "(int64[:, ::1], uint8[::1], int32[::1], int32[::1], uint8[::1], uint8[::1],"
            " int64[::1], int64[::1], int64[::1], int64[:, ::1], int64[::1], float64[::1])",
        "label_layout": "(uint8[::1], int64, uint8[:, ::1], int64[::1], int64[::1])",
        "chain_fewest_clicks": f"(uint8[::1], int64, int64[:, ::1], {_BOARD}, int64[::1])",
        "wom_clicks": f"(uint8[::1], int64, int64, int64, {_BOARD}, {_BOARD})",
    },
    takes_read_only=True,
)  # fmt: skip
