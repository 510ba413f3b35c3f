"""What a player did last, for those who judge it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from demine.logic.board import effective, fold
from demine.logic.event import Act, Verb

if TYPE_CHECKING:
    from demine.game import Game
    from demine.logic.board import Board
    from demine.logic.event import Lay
    from demine.logic.game import Cell


def last_opening_move(game: Game) -> tuple[Board, tuple[Cell, ...]]:
    """Return the board before the last act that opened cells, and the cells it asked to open.

    No cells if nothing was ever opened.
    """
    standing = effective(game.events)
    last = next(
        (at for at in reversed(range(len(standing))) if _is_opening_act(standing[at])), None
    )
    before = fold(game.rules, standing[:last])
    if last is None:
        return before, ()
    return before, before.asked(cast("Act", standing[last]))


def _is_opening_act(event: Act | Lay) -> bool:
    return isinstance(event, Act) and event.verb in (Verb.OPEN, Verb.CHORD)
