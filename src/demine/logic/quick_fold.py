"""What a journal says of its game that is over, worked out by a kernel in microseconds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Generic, NamedTuple

import numpy as np

from demine.logic.event import Lay, parse_event
from demine.logic.game import AnyGame
from demine.logic.journal import new_game
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
from demine.logic.layout import checked_mine_map
from demine.logic.rules import Flags, Goal

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal

    from numpy.typing import NDArray

    from demine.logic.game import BaseGame

_LARGE: Final = 1 << 14
"""Boards with more cells are left to the rules."""
_ENDS: Final[dict[int, Literal["won", "lost", "resigned"]]] = {
    WON: "won", LOST: "lost", RESIGNED: "resigned"
}  # fmt: skip


class QuickFold(NamedTuple, Generic[AnyGame]):
    """How a game ended in which nothing was undone and no help was shown."""

    game: AnyGame
    """The game at its beginning."""
    status: Literal["won", "lost", "resigned"]
    time_ms: int
    """The time of its last act."""
    hits: int
    """How many mines were opened."""
    acts: int


def quick_fold(game_class: type[AnyGame], journal: str) -> QuickFold[AnyGame] | None:
    """Return how the game of a journal ended, as playing it through the rules would say.

    None if that has to be done: the kernel is not loaded, the game is not over, or something in it
    is unusual or wrong. Raises `DemineError` for a header or mines that are wrong.
    """
    kernel = JOURNAL_KERNELS.compiled_kernel("fold_events")
    # The kernel packs words into integers, in which a NUL at the end would not be seen.
    if kernel is None or not journal.isascii() or "\0" in journal:
        return None
    head, _, lines = journal.partition("\n")
    game = new_game(game_class, head)
    lay = _laying(lines)
    if lay is None or game.rules.cells > _LARGE:
        return None
    state = _played(kernel, game, lay, lines)
    if state is None or state[STATUS] not in _ENDS:
        return None
    told = state.tolist()
    return QuickFold(game, _ENDS[told[STATUS]], told[LAST_ACT], told[BLOWN], told[ACTS])


def _laying(lines: str) -> Lay | None:
    """Return the first laying of mines."""
    place = lines.find('"lay"')
    if place < 0:
        return None
    event = parse_event(lines[lines.rfind("\n", 0, place) + 1 : lines.find("\n", place)])
    return event if isinstance(event, Lay) else None


def _played(
    kernel: Callable[..., Any], game: BaseGame, lay: Lay, lines: str
) -> NDArray[np.int64] | None:
    """Return the state that the kernel leaves, None if it leaves the game to the rules."""
    rules, start = game.rules, -1
    if game.start is not None:
        start = game.start[0] * rules.width + game.start[1]
    mines = checked_mine_map(rules, lay.mine_map).copy().view(np.uint8).reshape(-1)
    settings = [
        rules.height, rules.width, rules.mines, rules.lives,
        rules.flags is Flags.HOLD, rules.goal is Goal.FLAG, start,
    ]  # fmt: skip
    state = np.zeros(STATE, np.int64)
    done = kernel(
        np.frombuffer(lines.encode(), np.uint8).copy(),
        np.array(settings, np.int64),
        mines,
        np.zeros(3 * rules.cells, np.uint8),
        np.empty(max(8, rules.cells), np.int64),
        state,
    )
    return state if done else None
