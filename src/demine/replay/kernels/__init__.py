"""The kernels that read replay files."""

from __future__ import annotations

from typing import Final

from demine.kernels.kernel_set import KernelSet

RMV_KERNELS: Final = KernelSet(
    ("demine.replay.kernels.rmv",),
    {
        "read_mouse_events":
            "(uint8[::1], int64, int64, int64, int64,"
            " int64[::1], uint8[::1], int32[::1], int32[::1], int64[::1])",
    },
    takes_read_only=True,
)  # fmt: skip

RAWVF_KERNELS: Final = KernelSet(
    ("demine.replay.kernels.rawvf",),
    {
        "read_event_lines":
            "(uint8[::1], int64[::1], int64, int64,"
            " int64[::1], uint8[::1], int32[::1], int32[::1],"
            " int64[::1], int32[::1], int32[::1], uint8[::1], int64[::1])",
    },
    takes_read_only=True,
)  # fmt: skip
