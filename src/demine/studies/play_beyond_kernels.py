"""Play games in plain Python, where a board or a position is too large for the kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from demine.logic.flood import flood
from demine.logic.layout import deal
from demine.logic.neighbours import count_around
from demine.scene.cell_faces import Face
from demine.solver.exact.probability import mine_probability
from demine.solver.player.kernels_for_simulation import least_risky_cell
from demine.solver.player.policy_table import policy_by_name
from demine.statistics.board_3bv import three_bv

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.logic.rules import Rules


def play_interpreted(
    rules: Rules, policy: str, seed: int, start: tuple[int, int], game: np.void
) -> None:
    """Play the game of a seed and write it to `game`; all policies that guess choose alike here."""
    mine_map = deal(rules, seed, start)
    for name in ("won", "opened", "guesses", "moves"):
        game[name] = 0
    _play_layout(rules, policy, mine_map, start[0] * rules.width + start[1], game)


def _play_layout(
    rules: Rules, policy: str, mine_map: NDArray[np.bool_], start: int, game: np.void
) -> None:
    hint = bytes(count_around(mine_map).ravel())
    mines = mine_map.ravel()
    opened = bytearray(rules.cells)
    survival, risk, first = 1.0, 0.0, True
    cells = [start]
    game["bv"] = three_bv(mine_map)
    while cells:
        for cell in cells:
            if opened[cell]:
                continue
            game["moves"] += 1
            if risk and not first:
                game["guesses"] += 1
                survival *= 1 - risk
            first = False
            if mines[cell]:
                cells = []
                break
            game["opened"] += _open_cell(hint, opened, rules, cell)
        else:
            game["won"] = game["opened"] == rules.safe_cells
            cells, risk = (
                ([], 0.0) if game["won"] else _next_cells_and_risk(rules, policy, hint, opened)
            )
    game["survival"] = survival


def _open_cell(hint: bytes, opened: bytearray, rules: Rules, cell: int) -> int:
    if hint[cell] == 0:
        return len(flood(hint, opened, rules.width, rules.height, cell))
    opened[cell] = 1
    return 1


def _next_cells_and_risk(
    rules: Rules, policy: str, hint: bytes, opened: bytearray
) -> tuple[list[int], float]:
    shown = np.frombuffer(opened, np.uint8).astype(np.bool_)
    faces = np.where(shown, np.frombuffer(hint, np.uint8), np.uint8(Face.COVERED))
    chance = mine_probability(faces.reshape(rules.shape), rules.mines)
    safe = np.flatnonzero(chance.ravel() == 0.0)
    if safe.size:
        return safe.tolist(), 0.0
    move = least_risky_cell(chance) if policy_by_name(policy).guesses else None
    return ([], 0.0) if move is None else ([move.row * rules.width + move.col], move.risk)
