"""What each player did in a game of several: who opened which cell, and how much of the 3BV."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from demine.logic.event import BOARD_VERBS, Act, Verb
from demine.logic.event_log import non_touches
from demine.logic.undoable_openings import changed_cells
from demine.statistics.layout_regions import LayoutRegions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from demine.logic.game import BaseGame


@dataclass(frozen=True, slots=True)
class PlayerShare:
    """What one player did in a game of several; undone acts count as acts alone."""

    player: str
    acts: int
    opened: int
    """Safe cells that this player's acts opened."""
    three_bv: int
    """How much of the board's 3BV these are: a click for each opening and each lone number."""
    flags: int
    """Flags that stand at the end."""
    mines: int
    """Mines that this player opened."""


def player_shares(game: BaseGame) -> list[PlayerShare]:
    """Return the share of each player whom an act names, in the order of their first acts.

    The 3BV tells where mines are, so this is for games that are over.
    """
    acts = Counter(each.player for each in _acts(game) if each.player)
    players = list(acts)
    if not players:
        return []
    owners = _owners(game, {player: at for at, player in enumerate(players, 1)})
    board = game.board
    regions = LayoutRegions.of(board.mine_map)
    # A click of the 3BV is told by one cell: a lone number, or the first zero of an opening.
    parts, first = np.unique(regions.parts, return_index=True)
    openings = first[1:][regions.is_opening] if parts[0] < 0 else first[regions.is_opening]
    is_click = regions.lone.reshape(-1).copy()
    is_click[openings] = True
    is_open = board.open_map.reshape(-1)
    mines = board.mine_map.reshape(-1)
    flags = board.flag_map.reshape(-1)
    shares = []
    for at, player in enumerate(players, 1):
        own = owners == at
        opened = own & is_open & ~mines
        counts = (opened, opened & is_click, own & flags, own & is_open & mines)
        cells, three_bv, flagged, blown = (int(np.count_nonzero(each)) for each in counts)
        shares.append(PlayerShare(player, acts[player], cells, three_bv, flagged, blown))
    return shares


def seats_of_cells(game: BaseGame) -> NDArray[np.uint8]:
    """Return which player changed each cell last, uint8 `(height, width)`, 0 for nobody.

    For a game whose acts name players by numbers from 1; undone acts are left out.
    """
    seats = {str(seat): seat for seat in range(1, 10)}
    return _owners(game, seats).reshape(game.rules.shape)


def _owners(game: BaseGame, numbers: dict[str, int]) -> NDArray[np.uint8]:
    """Return the number of the player who changed each cell last, flat; 0 for nobody."""
    owners = np.zeros(game.rules.cells, np.uint8)
    for player, change in zip(_players_of_standing_acts(game), game.changes, strict=True):
        cells = changed_cells(change, game.rules.width, game.rules.cells)
        owners[cells] = numbers.get(player, 0)
    return owners


def _players_of_standing_acts(game: BaseGame) -> list[str]:
    """Return for each of `game.changes` who made it."""
    players: list[str] = []
    for act in _acts(game):
        if act.verb in BOARD_VERBS:
            players.append(act.player)
        elif act.verb is Verb.UNDO:
            players.pop()
    return players


def _acts(game: BaseGame) -> Iterator[Act]:
    return (each for each in non_touches(game.events) if isinstance(each, Act))
