"""The figures of a game at its end, counted by a kernel in one pass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from demine.logic.metadata import FIELD_CELL
from demine.statistics.cumulative_counts import SolvedParts
from demine.statistics.figures import MomentFigures
from demine.statistics.kernels import STATISTICS_KERNELS
from demine.statistics.played_recording import CLICKS

if TYPE_CHECKING:
    from collections.abc import Callable

    from demine.statistics.cumulative_counts import CumulativeCounts
    from demine.statistics.figures import LayoutFigures

_LARGE: Final = 1 << 14
"""Boards with more cells are left to NumPy: the kernel's work takes 32 bytes a cell."""
_NOTHING_HELD: Final = (-1, -1, -1)
LOG: Final = 7
COUNTS: Final = CLICKS + 10
LENGTHS: Final = 4
WORK: Final = 4
"""The sizes of what `demine.statistics.kernels.count_game` writes."""


def end_figures(cumulative: CumulativeCounts, layout: LayoutFigures) -> MomentFigures:
    """Return the figures of a game at its end."""
    kernel = STATISTICS_KERNELS.compiled_kernel("count_game")
    if kernel is None or cumulative.regions.mines.size > _LARGE:
        return MomentFigures(cumulative, layout)
    return _CountedFigures(cumulative, layout, kernel)


class _CountedFigures(MomentFigures):
    """The figures at the end of a game, of which a kernel counts what has to be counted."""

    def __init__(
        self, cumulative: CumulativeCounts, layout: LayoutFigures, kernel: Callable[..., Any]
    ) -> None:
        super().__init__(cumulative, layout)
        counts, lengths = self._count(kernel)
        self.counts = counts[:CLICKS]
        (
            self.right_clicks_taken_back, self.first_flags_on_mines, self.flags_used,
            self.flags_set_on_safe_cells, self.flags_removed_from_safe_cells,
            self.half_clicks, self.half_clicks_rawvf,
        ) = counts[CLICKS:-3]  # fmt: skip
        self.solved = SolvedParts(*counts[-3:])
        scale = FIELD_CELL / cumulative.recording.cell
        straight, along_axes, click_path, self.effective_path_px = lengths
        self.straight_path_px = straight * scale
        self.path_along_axes_px = along_axes * scale
        self.click_path_px = click_path * scale

    def _count(self, kernel: Callable[..., Any]) -> tuple[list[int], list[float]]:
        """Return the counts and lengths of the kernel."""
        played, recording = self.cumulative.played, self.cumulative.recording
        regions = self.cumulative.regions
        log = np.empty((LOG, played.events.size), np.int64)
        log[:5] = played.events, played.codes, played.cells, played.ends, played.flags
        counts, lengths = np.zeros(COUNTS, np.int64), np.zeros(LENGTHS)
        facts = [
            regions.mines.shape[1], recording.cell, played.counted, played.start, self.event,
            *_NOTHING_HELD,
        ]  # fmt: skip
        kernel(
            log, *map(np.ascontiguousarray, (recording.signal, recording.x, recording.y)),
            regions.mines.view(np.uint8).reshape(-1), regions.zero.view(np.uint8).reshape(-1),
            regions.parts, played.opened, np.array(facts),
            np.zeros((WORK, regions.mines.size), np.int64), counts, lengths,
        )  # fmt: skip
        return counts.tolist(), lengths.tolist()
