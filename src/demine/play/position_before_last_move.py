"""The last move that opened cells, and the position before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from demine.logic.board_state import board_after_events, board_events_not_undone
from demine.logic.event import Act, Verb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from demine.logic.board_state import Board
    from demine.logic.event import Event, Lay
    from demine.logic.game import Cell
    from demine.logic.rules import Rules


class OpeningMove(NamedTuple):
    """The board before a move, and the cells that the move asked to open."""

    board_before: Board
    requested_cells: tuple[Cell, ...]


def last_opening_move(rules: Rules, events: Sequence[Event]) -> OpeningMove:
    """Return the last open or chord of a game that was not undone; no cells if there was none."""
    standing = board_events_not_undone(events)
    last = next(
        (at for at in reversed(range(len(standing))) if _is_opening_act(standing[at])), None
    )
    before = board_after_events(rules, standing[:last])
    if last is None:
        return OpeningMove(before, ())
    return OpeningMove(before, before.opening_targets(cast("Act", standing[last])))


def _is_opening_act(event: Act | Lay) -> bool:
    return isinstance(event, Act) and event.verb in (Verb.OPEN, Verb.CHORD)
