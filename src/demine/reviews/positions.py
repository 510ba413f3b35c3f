"""The acts of a game, each with the position just before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from demine.logic.board_state import Board, board_events_not_undone
from demine.logic.event import BOARD_VERBS, Act, Lay, Verb
from demine.logic.event_log import non_touches
from demine.scene.sight import sight_while_running

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from demine.game import Game
    from demine.logic.game import Cell
    from demine.logic.undoable_openings import Change

OPENING: frozenset[Verb] = frozenset({Verb.OPEN, Verb.CHORD})
"""The verbs that open cells."""
STILL = frozenset({Verb.PAUSE, Verb.RESUME})
"""Not yielded: the clock stands still between them, so they take no time."""


@dataclass(frozen=True, slots=True, eq=False)
class ActInPosition:
    """An act and the position just before it."""

    act: Act
    think_ms: int
    """Milliseconds of play since the previous act; 0 up to the first opening."""
    undone: bool
    """Whether the act was undone later."""
    cells: tuple[Cell, ...]
    """The covered cells that it would open, without those of their openings."""
    scene: NDArray[np.uint8] | None
    """What the player saw, uint8 `(height, width)` of `Face`; None if nothing was open yet. Acts
    between which no cell opened share one array, since flags do not matter to a solver."""
    flagged: bool
    """Whether a flag stood on the cell."""
    opened: int
    """How many safe cells the act opened."""
    blew: tuple[Cell, ...]
    """The mines that it opened."""


def acts_in_positions(game: Game) -> Iterator[ActInPosition]:
    """Yield every act of a game in order, undone ones too, but not pausing and resuming."""
    board, scene = Board(game.rules), None
    changes: list[Change] = []
    standing = {id(event) for event in board_events_not_undone(game.events)}
    before = 0
    for event in non_touches(game.events):
        if isinstance(event, Lay):
            board.apply_unless_refused(event)
        if not isinstance(event, Act) or event.verb in STILL:
            continue
        think, before = max(0, event.t - before), max(0, event.t)
        was, flags, hits = board.opened, board.flag_map, len(board.blown)
        flagged = event.verb in BOARD_VERBS and bool(flags[event.row, event.col])
        cells = board.opening_targets(event)
        seen = scene = sight_while_running(board) if scene is None and was else scene
        if event.verb is Verb.UNDO:
            board.take_back(changes.pop())
            scene = None
        elif event.verb in BOARD_VERBS:
            changes.append(board.apply_unchecked(event))
        if (board.opened, len(board.blown)) != (was, hits):
            scene = None
        undone = event.verb in BOARD_VERBS and id(event) not in standing
        opens = event.verb in OPENING
        yield ActInPosition(
            event, think, undone, cells, seen, flagged,
            opened=board.opened - was if opens else 0,
            blew=board.blown[hits:] if opens else (),
        )  # fmt: skip
