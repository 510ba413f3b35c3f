"""What a journal says of its game that is over, worked out by a kernel in microseconds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.logic.journal import Header, parse_header
from demine.logic.kernels import (
    ACTS,
    BLOWN,
    JOURNAL_KERNELS,
    LAST_ACT,
    LOST,
    RESIGNED,
    STATE,
    STATUS,
    WON,
)
from demine.logic.rules import Flags, Goal

if TYPE_CHECKING:
    from typing import Literal

_LARGE: Final = 1 << 14
"""Boards with more cells are left to the rules."""
_ENDS: Final[dict[int, Literal["won", "lost", "resigned"]]] = {
    WON: "won", LOST: "lost", RESIGNED: "resigned"
}  # fmt: skip


class QuickFold(NamedTuple):
    """How a game ended in which nothing was undone and no help was shown."""

    header: Header
    status: Literal["won", "lost", "resigned"]
    time_ms: int
    """The time of its last act."""
    hits: int
    """How many mines were opened."""
    acts: int


def quick_fold(journal: str) -> QuickFold | None:
    """Return how the game of a journal ended, as playing it through the rules would say.

    None if that has to be done: the kernel is not loaded, the game is not over, or something in it
    is unusual or wrong. Raises `JournalError` for a header that is wrong.
    """
    kernel = JOURNAL_KERNELS.compiled_kernel("fold_events")
    # The kernel packs words into integers, in which a NUL at the end would not be seen.
    if kernel is None or not journal.isascii() or "\0" in journal:
        return None
    head, _, lines = journal.partition("\n")
    header = parse_header(head)
    cells = header.rules.cells
    if cells > _LARGE:
        return None
    state = np.zeros(STATE, np.int64)
    is_usual = kernel(
        np.frombuffer(bytearray(lines, "ascii"), np.uint8),
        np.array(_settings(header), np.int64),
        np.zeros(4 * cells, np.uint8),
        np.empty(max(8, cells), np.int64),
        state,
    )
    told = state.tolist()
    if not is_usual or told[STATUS] not in _ENDS:
        return None
    return QuickFold(header, _ENDS[told[STATUS]], told[LAST_ACT], told[BLOWN], told[ACTS])


def _settings(header: Header) -> list[int]:
    """Return the rules for the kernel."""
    rules, start = header.rules, -1
    if header.start is not None:
        start = header.start[0] * rules.width + header.start[1]
    return [
        rules.height, rules.width, rules.mines, rules.lives,
        rules.flags is Flags.HOLD, rules.goal is Goal.FLAG, start,
    ]  # fmt: skip
