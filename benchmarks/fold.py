"""Milliseconds to fold a full expert game from its events, beside reading and playing it.

The game is played by somebody who knows the mines: every number gets its flags and a chord, so that
all kinds of acts are in it. `board_after_events` makes the board from the events; `loads` reads the
journal and plays it through the rules, every check included.

"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial

from benchmarks.measure import Row, Run
from demine.game import Game
from demine.logic.board_state import board_after_events
from demine.logic.event import Act, Verb
from demine.logic.game import Status
from demine.logic.neighbours import neighbours
from demine.logic.rules import EXPERT

GAMES = 40
ROUNDS = 7


def rows(run: Run) -> list[Row]:
    """Return the medians over some games."""
    games = [won(seed) for seed in range(run.often(GAMES))]
    acts = statistics.median(sum(isinstance(event, Act) for event in game.events) for game in games)
    texts = [game.journal() for game in games]
    works: dict[str, list[Callable[[], object]]] = {
        "`fold`: events to board": [partial(board_after_events, EXPERT, g.events) for g in games],
        "`Game.from_journal`: text to game, every rule checked": [
            partial(Game.from_journal, text) for text in texts
        ],
        "`Game.journal`: game to text": [game.journal for game in games],
    }
    return [Row(f"{name}, {acts:.0f} acts", median_ms(each), "ms") for name, each in works.items()]


def median_ms(works: list[Callable[[], object]]) -> float:
    """The median over the games of each one's fastest time."""
    return statistics.median(min(timed(work) for _ in range(ROUNDS)) for work in works)


def timed(work: Callable[[], object]) -> float:
    """Milliseconds of one run."""
    start = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - start)


def won(seed: int) -> Game:
    """A won expert game: cell by cell, opened, its mines flagged, chorded."""
    game = Game(EXPERT, seed)
    game.play(Act(0, Verb.OPEN, 8, 15))
    mines, t = game.board.mine_map.tolist(), 0
    for row in range(EXPERT.height):
        for col in range(EXPERT.width):
            if mines[row][col]:
                continue
            near = list(neighbours(row, col, *EXPERT.shape))
            wanted = [Act(t, Verb.OPEN, row, col)]
            wanted += [Act(t, Verb.FLAG, r, c) for r, c in near if mines[r][c]]
            wanted += [Act(t, Verb.CHORD, row, col)]
            for act in wanted:
                flagged = bool(game.board.flag_map[act.row, act.col])
                if game.can(act) and not (act.verb is Verb.FLAG and flagged):
                    game.play(act)
            t += 100
    if game.status is not Status.WON:
        raise SystemExit(f"the game of seed {seed} was not won")
    return game
