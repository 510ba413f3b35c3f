"""A player of your own, measured against demine's on the same boards."""

import sys

import numpy as np
from numpy.typing import NDArray

import demine


def nearest_edge(scene: NDArray[np.uint8], rules: demine.Rules) -> tuple[int, int]:
    """Choose the safest cell, and of equally safe ones the one that is nearest to an edge.

    `scene` is what the player sees: `demine.Face` values, shape (height, width).
    """
    risk = demine.mine_probability(scene, rules.mines)
    rows, cols = np.nonzero(risk <= np.nanmin(risk) + 1e-9)
    depth = np.minimum(
        np.minimum(rows, rules.height - 1 - rows), np.minimum(cols, rules.width - 1 - cols)
    )
    best = int(depth.argmin())
    return int(rows[best]), int(cols[best])


def main(games: int) -> None:
    """Compare it with the policy `safest`, then watch it play a game."""
    result = demine.study("8x8/14", games=games, policy=(nearest_edge, "safest"), seed=7)
    for each in result.policies:
        low, high = each.interval
        print(f"{each.policy}: {each.win_rate:.1%} of games won ({low:.1%} to {high:.1%})")

    game = demine.Game("8x8/14", seed=1)
    game.open(2, 2)
    game.play_out(nearest_edge)
    print(game)


if __name__ == "__main__":
    main(games=int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
