"""Games a second of a study by the same policy, written three ways, side by side.

`safest` is demine's own, played by one kernel. Beside it the same choice as a function of one's
own, and as a policy that answers for many games at once; and the cheapest choice there is, the
first covered cell, in both ways: what is left of it is what a study costs around a policy, the
exact risk of every guess included. Win rates are checked to agree.

"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

import demine
from benchmarks.measure import Row, Run
from demine.scene.cell_faces import Face

BOARDS: Final = ("9x9/10", "16x16/40", "30x16/99")
SEED: Final = 7


def safest(scene: NDArray[np.uint8], rules: demine.Rules) -> tuple[int, int]:
    """Choose the cell that is least likely to be a mine."""
    return least(demine.mine_probability(scene, rules.mines))


class SafestInBatches:
    """The same, for many games at once."""

    def choose_batch(self, scenes: NDArray[np.uint8], rules: demine.Rules) -> NDArray[np.intp]:
        """Return a cell for each scene."""
        return np.array(
            [least(each) for each in demine.mine_probability_batch(scenes, rules.mines)]
        )


def least(chance: NDArray[np.float64]) -> tuple[int, int]:
    """Return the first of the least likely cells."""
    good = chance <= np.nanmin(chance) * (1 + 1e-9)
    row, col = divmod(int(good.argmax()), chance.shape[1])
    return row, col


def first(scene: NDArray[np.uint8], rules: demine.Rules) -> tuple[int, int]:
    """Choose the first covered cell."""
    row, col = divmod(int((scene == Face.COVERED).argmax()), rules.width)
    return row, col


class FirstInBatches:
    """The same, for many games at once."""

    def choose_batch(self, scenes: NDArray[np.uint8], rules: demine.Rules) -> NDArray[np.intp]:
        """Return a cell for each scene."""
        flat = (scenes == Face.COVERED).reshape(len(scenes), -1).argmax(axis=1)
        return np.stack(np.divmod(flat, rules.width), axis=1)


PAIRS: Final[dict[str, tuple[demine.PolicyLike, ...]]] = {
    "safest": ("safest", safest, SafestInBatches),
    "first covered cell": (first, FirstInBatches),
}
WAYS: Final = {str: "demine's own", type: "in batches"}


def of_board(board: str, games: int) -> list[dict[str, Any]]:
    """Play every way on a board and return its speed."""
    found = []
    for choice, ways in PAIRS.items():
        won = set()
        for way in ways:
            demine.study(board, games=2, policy=way, seed=SEED)  # loads kernels
            # A kernel is so fast that few games would not be enough to measure it.
            played = games * 50 if isinstance(way, str) else games
            result = demine.study(board, games=played, policy=way, seed=SEED)
            first_games = demine.study(board, games=games, policy=way, seed=SEED)
            won.add(first_games.won)
            found.append(
                {
                    "board": board,
                    "choice": choice,
                    "way": WAYS.get(type(way), "a function"),
                    "games_per_cpu_second": result.policies[0].games_per_cpu_second,
                }
            )
        if len(won) > 1:
            raise SystemExit(f"{board}, {choice}: the ways won {won} games of {games}")
    return found


def rows(run: Run) -> list[Row]:
    """Return games a second of one processor."""
    found = [row for board in BOARDS for row in of_board(board, run.often(400))]
    return [
        Row(
            f"{row['board']}, {row['choice']}, {row['way']}", row["games_per_cpu_second"], "games/s"
        )
        for row in found
    ]
