"""Milliseconds to fold a full expert game from its events, beside reading and playing it.

The game is played by somebody who knows the mines: every number gets its flags and a chord, so that
all kinds of acts are in it. `board_after_events` makes the board from the events; `loads` reads the
journal and plays it through the rules, every check included.

    python benchmarks/fold.py [--json]
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial

from demine.game import Game
from demine.logic.board_state import board_after_events
from demine.logic.event import Act, Verb
from demine.logic.game import Status
from demine.logic.neighbours import neighbours
from demine.logic.rules import EXPERT

GAMES = 40
ROUNDS = 7


def main() -> None:
    """Print the medians over some games."""
    games = [won(seed) for seed in range(GAMES)]
    acts = [sum(isinstance(event, Act) for event in game.events) for game in games]
    texts = [game.journal() for game in games]
    figures = {
        "acts": statistics.median(acts),
        "fold_ms": median_ms([partial(board_after_events, EXPERT, game.events) for game in games]),
        "dumps_ms": median_ms([game.journal for game in games]),
        "loads_ms": median_ms([partial(Game.from_journal, text) for text in texts]),
        "journal_bytes": statistics.median(len(text.encode()) for text in texts),
    }
    if "--json" in sys.argv[1:]:
        print(json.dumps(figures))
        return
    print(f"an expert game of {figures['acts']:.0f} acts, median of {GAMES} games")
    print(f"  fold   {figures['fold_ms']:6.2f} ms   {per_act(figures, 'fold_ms'):5.2f} us an act")
    print(f"  dumps  {figures['dumps_ms']:6.2f} ms   {figures['journal_bytes']:.0f} bytes")
    print(f"  loads  {figures['loads_ms']:6.2f} ms   {per_act(figures, 'loads_ms'):5.2f} us an act")


def per_act(figures: dict[str, float], name: str) -> float:
    """Microseconds for one act."""
    return 1000 * figures[name] / figures["acts"]


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


if __name__ == "__main__":
    main()
