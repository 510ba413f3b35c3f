"""The win rate of a way to play, on the same boards as any other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, cast

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from demine.envs.errors import EnvSettingError
from demine.envs.vector_env import MinesweeperVectorEnv
from demine.logic.rules import Goal, Rules
from demine.scene.cell_faces import Face
from demine.solver.exact.probability import mine_probability_batch
from demine.solver.player.choose_cell import first_move, least_risky_cell
from demine.solver.wilson_interval import wilson_interval

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from demine.solver.player.move import Move

UNSEEN_SEED: Final = 1 << 40
"""The seed of the boards that players are compared on; those that they learn on have others."""
ChooseActions: TypeAlias = Callable[[NDArray[np.uint8], NDArray[np.int8]], NDArray[np.int64]]
"""Chooses the cell to open on each of `n` boards.

It is given what is seen, uint8 of `demine.Face`, `(n, height, width)`, and which cells may be
opened, int8 of 0 and 1, `(n, height * width)`; it returns the numbers of the cells, int64 `(n,)`.
`n` is the same at every call of an evaluation. Where a game is over no cell may be opened, and the
answer is ignored.
"""


class WinRate(NamedTuple):
    """How many of some boards were won."""

    won: int
    boards: int

    @property
    def share(self) -> float:
        """The share of the boards that were won."""
        return self.won / self.boards

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share, low and high (Wilson)."""
        return wilson_interval(self.won, self.boards)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.share:6.1%}  ({low:.1%} to {high:.1%})"


def rules_of_text(text: str) -> Rules:
    """Return the rules of a text.

    Raises `RulesError`, and `EnvSettingError` for rules that opening alone cannot win.
    """
    rules = Rules.of(text)
    check_opening_wins(rules)
    return rules


def check_opening_wins(rules: Rules) -> None:
    """Raise `EnvSettingError` for rules that opening alone cannot win."""
    if rules.goal is Goal.FLAG:
        raise EnvSettingError("games with goal=flag cannot be won by opening cells alone")


def win_rate(rules: Rules, choose: ChooseActions, *, boards: int, seed: int) -> WinRate:
    """Return how many of `boards` games a way to play wins.

    Board `i` is the first one of the environment's seed `seed + i`, whoever plays it: its mines
    depend on the seed, on `i` and on the cell that is opened first. An action that the rules refuse
    loses the game. Raises `EnvSettingError` for rules that opening alone cannot win.
    """
    check_opening_wins(rules)
    env = MinesweeperVectorEnv(boards, rules, invalid="end", autoreset_mode=AutoresetMode.NEXT_STEP)
    faces, infos = env.reset(seed=seed)
    masks, won = infos["action_mask"], 0
    over = np.zeros(boards, np.bool_)
    while not over.all():
        faces, _, ended, _, infos = env.step(choose(faces, masks))
        # A board whose first game is over goes on to the next one, which does not count.
        won += int((infos.get("is_success", over) & ended & ~over).sum())
        over |= ended
        masks = infos["action_mask"]
        masks[over] = 0
    return WinRate(won, boards)


def random_cells(seed: int) -> ChooseActions:
    """Return the way to play that opens any cell that may be opened, all equally likely."""
    generator = np.random.default_rng(seed)

    def choose(faces: NDArray[np.uint8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        del faces
        actions: NDArray[np.int64] = (generator.random(masks.shape) * masks).argmax(axis=1)
        return actions

    return choose


def fast_policy(rules: Rules) -> ChooseActions:
    """Return the way to play of demine's policy `fast`, asked about many boards at once."""
    untouched = np.full(rules.shape, Face.COVERED, np.uint8)
    promised = first_move(untouched, untouched, rules.mines, rules.first)

    def choose_on(faces: NDArray[np.uint8], probability: NDArray[np.float64]) -> int:
        is_promised = promised is not None and bool((faces == Face.COVERED).all())
        # On a board that is not over some cell is safe.
        move = cast("Move", promised if is_promised else least_risky_cell(probability))
        return move.row * rules.width + move.col

    def choose(faces: NDArray[np.uint8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        actions = np.zeros(len(faces), np.int64)
        playing = masks.any(axis=1)
        probabilities = mine_probability_batch(faces[playing], rules.mines)
        actions[playing] = list(map(choose_on, faces[playing], probabilities))
        return actions

    return choose


def win_rate_table(
    rules: Rules, learned: Mapping[str, ChooseActions], *, boards: int, seed: int = UNSEEN_SEED
) -> Iterator[str]:
    """Yield the lines of a table: the win rates of random play, of what was learned, of `fast`.

    All play the same boards, one way after the other; each line comes when it is known.
    """
    yield f"{boards:,} boards of {rules}: share won (95 % interval)"
    players = {
        "random": random_cells(seed),
        **learned,
        "fast": fast_policy(rules),
    }
    for name, choose in players.items():
        yield f"  {name:<10}{win_rate(rules, choose, boards=boards, seed=seed)}"
