"""Expert games as players play them who flag and chord: what the players of a server send."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from demine.game import Game
from demine.logic.event import Act, Verb

RULES: Final = "30x16/99"
_FIRST: Final = 8, 15


def message(number: int, act: Act) -> bytes:
    """Return what the page sends for an act."""
    stamp = act.t + 1_000_000
    sent = {"seq": number, "t": stamp, "verb": act.verb, "cell": (act.row, act.col)}
    return json.dumps(sent).encode()


@cache
def messages_from(seed: int, begin: int) -> list[bytes]:
    """Return what the page sends for the acts of a game from the one at `begin` to the end."""
    return [message(*each) for each in enumerate(whole_game(seed)[begin:], 1)]


@cache
def game_after(seed: int, acts: int) -> Game:
    """Return the game of a seed after some acts; nobody may play on it."""
    game = Game(RULES, seed)
    for act in whole_game(seed)[:acts]:
        game.play(act)
    return game


@cache
def whole_game(seed: int) -> Sequence[Act]:
    """Return a won game as a player plays who flags and chords: near the last act, if possible."""
    game, random = Game(RULES, seed), Random(seed)
    acts = [Act(0, Verb.OPEN, *_FIRST)]
    game.play(acts[0])
    while not game.status.over:
        row, col = acts[-1].row, acts[-1].col
        verb, cells = choices(game)
        distances = np.abs(cells - (row, col)).sum(axis=1) + [random.random() for _ in cells]
        row, col = cells[int(np.argmin(distances))].tolist()
        acts.append(Act(len(acts) * 1000, verb, row, col))
        game.play(acts[-1])
    return acts


def choices(game: Game) -> tuple[Verb, NDArray[np.intp]]:
    """Return what to do next, and on which cells: a chord, else a flag, else an opened number."""
    board = game.board
    opened, flags, mines = board.open_map, board.flag_map, board.mine_map
    free = ~opened & ~flags
    ready = opened & (around(flags) == board.hint_map) & (around(free) > 0)
    if ready.any():
        return Verb.CHORD, np.argwhere(ready)
    beside = around(opened) > 0
    full = opened & (around(~opened) == board.hint_map)
    certain = free & mines & (around(full) > 0)
    if certain.any():
        return Verb.FLAG, np.argwhere(certain)
    safe = free & ~mines
    return Verb.OPEN, np.argwhere(safe & beside if (safe & beside).any() else safe)


def around(cells: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return how many of the cells are beside each one."""
    height, width = cells.shape
    padded = np.pad(cells.astype(np.intp), 1)
    count = np.zeros(cells.shape, np.intp)
    for row, col in np.ndindex(3, 3):
        count += padded[row : row + height, col : col + width]
    return count - cells
