"""Games played for the store to keep: to a win, to a loss, at random."""

from __future__ import annotations

import random
import zlib
from collections.abc import Sequence

from demine.game import Game
from demine.logic.event import Act, Event, Lay, Touch, Verb
from demine.logic.game import Status
from demine.logic.journal import event_line
from demine.logic.rules import Rules
from demine.store import LiveGame, Store

SMALL = Rules(6, 5, 4)
VERBS = (Verb.OPEN, Verb.OPEN, Verb.FLAG, Verb.QUESTION, Verb.CHORD, Verb.HINT, Verb.UNDO)


def opened(rules: Rules = SMALL, **how: object) -> Game:
    """A game whose first cell is open and that is not over."""
    while True:
        game = Game(rules, **how)  # type: ignore[arg-type]
        row, col = game.start or (0, 0)
        game.play(Act(0, Verb.OPEN, row, col))
        if not game.status.over:
            return game


def safe_cells(game: Game) -> list[tuple[int, int]]:
    """The safe cells that are still covered."""
    board = game.board
    covered = ~(board.mine_map | board.open_map)
    return [(int(row), int(col)) for row, col in zip(*covered.nonzero(), strict=True)]


def win(game: Game, time_ms: int) -> None:
    """Open every safe cell, the last at `time_ms`."""
    while not game.status.over:
        row, col = safe_cells(game)[0]
        game.play(Act(time_ms, Verb.OPEN, row, col))
    assert game.status is Status.WON


def hit(game: Game, time_ms: int) -> None:
    """Open a mine."""
    mines = zip(*game.board.mine_map.nonzero(), strict=True)
    row, col = next((int(row), int(col)) for row, col in mines)
    game.play(Act(time_ms, Verb.OPEN, row, col))
    assert game.status is Status.LOST


def keep_win(store: Store, time_ms: int, rules: Rules = SMALL) -> LiveGame:
    """Play a whole ranked game through the store."""
    live = store.begin(opened(rules))
    win(live.game, time_ms)
    live.record()
    return live


def random_event(game: Game, rng: random.Random, t: int) -> Act | Touch:
    """An act that the rules allow, or a touch; nothing that ends the game by resigning."""
    for _ in range(40):
        if rng.random() < 0.2:
            return Touch(t, "left", rng.choice(("press", "release")), rng.randrange(90), 7)
        if game.status is Status.PAUSED:
            return Act(t, Verb.RESUME)
        verb = Verb.PAUSE if rng.random() < 0.05 else rng.choice(VERBS)
        row, col = rng.randrange(game.rules.height), rng.randrange(game.rules.width)
        act = Act(t, verb) if verb in (Verb.PAUSE, Verb.UNDO) else Act(t, verb, row, col)
        if game.can(act):
            return act
    return Touch(t, "", "move", 1, 1)


def digest(events: Sequence[Event], count: int) -> int:
    """A checksum of the first events that does not know when the clock was started anew."""
    # The mines are laid in front of the act that opens the first cell.
    chosen = [event for event in events if not isinstance(event, Lay)][:count]
    if not chosen:
        return 0
    origin = chosen[0].t
    lines = "".join(f"{event.t - origin}{event_line(event).split(',', 1)[1]}" for event in chosen)
    return zlib.crc32(lines.encode())
